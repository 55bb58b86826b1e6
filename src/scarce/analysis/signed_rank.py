"""The Bayesian signed-rank test: how probable one method is better, worse, or practically equal to another."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from scarce.analysis.ties import settled

#: Draws of the posterior; the standard error of a probability is then below 0.0023.
DRAWS = 50_000


def regions(differences: ArrayLike, rope: float) -> np.ndarray:
    """Where the mean of each two observations lies: -1 below the rope, 0 within it, 1 above it.

    Parameters
    ----------
    differences : array-like of shape (n,)
        The first of them, the pseudo-observation 0, is added here.
    rope : float
        The rope is ``[-rope, rope]``; means that equal its ends lie within it.

    Returns
    -------
    ndarray of shape (n + 1, n + 1)
    """
    observed = np.concatenate([[0.0], np.asarray(differences, float)])
    means = (observed[:, None] + observed) / 2
    *means_settled, low, high = settled([*means.ravel(), -rope, rope], scale=1)
    flat = np.asarray(means_settled)
    return ((flat > high).astype(int) - (flat < low)).reshape(means.shape)


def signed_rank(
    differences: ArrayLike, *, rope: float, seed: int = 0, draws: int = DRAWS
) -> tuple[float, float, float]:
    """Posterior probabilities that a difference is above the rope, within it, and below it.

    The observations have Dirichlet weights w: 1/2 for a pseudo-observation at 0, and 1 for each difference. Each draw
    of w gives three sums of ``w_i w_j``: over the pairs (i, j) whose mean ``(z_i + z_j) / 2`` lies above, within and
    below the rope. A probability is the share of draws in which its sum is the largest; equal sums share a draw.

    Parameters
    ----------
    differences : array-like of shape (n,)
        Of two methods on n data sets, as a fraction; positive where the first is better.
    rope : float
        Differences from ``-rope`` to ``rope`` are practically none; at least 0.
    seed, draws : int
        The posterior is sampled; the same seed gives the same result.

    Returns
    -------
    tuple of float
        P(better), P(equal), P(worse); they sum to 1.

    Raises
    ------
    ValueError
        If there is no difference, one is not finite, or `rope` is negative.

    References
    ----------
    Benavoli, A., Corani, G., Demsar, J. & Zaffalon, M. (2017). Time for a change: a tutorial for comparing multiple
    classifiers through Bayesian analysis. Journal of Machine Learning Research 18(77), section 4.2.

    Examples
    --------
    >>> better, equal, worse = signed_rank([0.2, 0.1, 0.15, 0.3], rope=0.01)
    >>> better > 0.95 and worse == 0
    True
    """
    differences = np.asarray(differences, float)
    if not differences.size or not np.isfinite(differences).all() or rope < 0:
        raise ValueError("signed_rank needs finite differences, one at least, and a rope of 0 or more")
    where = regions(differences, rope)
    weights = np.random.default_rng(seed).dirichlet([0.5, *np.ones(len(differences))], draws)
    sums = np.stack([((weights @ (where == side)) * weights).sum(axis=1) for side in (1, 0, -1)], axis=1)
    largest = sums == sums.max(axis=1, keepdims=True)
    better, equal, worse = (largest / largest.sum(axis=1, keepdims=True)).mean(axis=0).tolist()
    return better, equal, worse
