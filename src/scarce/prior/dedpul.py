"""DEDPUL: the prior at which posteriors from estimated densities of scores have the prior as their mean."""

from __future__ import annotations

import numpy as np

from scarce.prior.scores import at_most, held_out_probabilities

LARGEST_RATIO = 50.0
"""Of densities; a larger one is noise where few unlabeled rows lie."""
MOST_DIFFERENT = 0.05
"""Share less mean posterior, up to which a share is looked at where the iteration finds none."""
STEP = 0.001
"""Of the shares that are looked at."""
PRECISION = 1e-5
"""Of the share that the iteration finds."""


def dedpul(
    X: np.ndarray,
    s: np.ndarray,
    *,
    random_state: np.random.RandomState,
    folds: int = 5,
    bandwidth_unlabeled: float = 0.05,
    bandwidth_labeled: float = 0.1,
    max_rows: int = 3000,
) -> float:
    """Class prior by DEDPUL, see `scarce.prior.estimate_class_prior`.

    Densities of the logits of held-out probabilities (`held_out_probabilities`) are estimated by Gaussian kernels in
    labeled and in unlabeled rows. The paper's classifier is a network.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        Finite; `scarce.prior.estimate_class_prior` checks and scales features first.
    s : ndarray of shape (n_samples,), bool
        Which rows are labeled.
    random_state : RandomState
        Of folds and of rows that are drawn.
    folds : int
        Each row is scored by a fit to the other folds.
    bandwidth_unlabeled, bandwidth_labeled : float
        Of kernels, in standard deviations of the logits; positive.
    max_rows : int
        Labeled, and unlabeled, rows whose scores are used, since the time grows with their square.

    Returns
    -------
    float
        The share of positives among all rows; not yet cut to what is possible.

    References
    ----------
    Ivanov (2020), DEDPUL: difference-of-estimated-densities-based positive-unlabeled learning, ICMLA. Bandwidths and
    the choice of the share are those of the author's published code.
    """
    from scipy.special import logit

    probability, _ = held_out_probabilities(X, s, random_state, folds, needed_by="dedpul")
    scores = logit(np.clip(probability, 1e-9, 1 - 1e-9))
    labeled, unlabeled = (at_most(scores[part], max_rows, random_state) for part in (s, ~s))
    if np.ptp(labeled) == 0 or np.ptp(unlabeled) == 0:  # no density: the features say nothing
        return 1.0
    ratio = density_ratio(labeled, unlabeled, bandwidth_labeled, bandwidth_unlabeled)
    return s.mean() + (~s).mean() * share_of_positives(ratio)


def density_ratio(
    labeled: np.ndarray, unlabeled: np.ndarray, width_labeled: float, width_unlabeled: float
) -> np.ndarray:
    """Density of labeled over that of unlabeled scores at each unlabeled score, smoothed; shape (n_unlabeled,).

    Above the mean of the two samples' means the ratio is made to rise with the score. A running median over a tenth of
    the scores then evens it out.
    """
    from scipy.ndimage import median_filter
    from scipy.stats import gaussian_kde

    unlabeled = np.sort(unlabeled)
    ratio = gaussian_kde(labeled, width_labeled)(unlabeled)
    ratio = np.minimum(ratio / gaussian_kde(unlabeled, width_unlabeled)(unlabeled), LARGEST_RATIO)
    high = unlabeled >= (labeled.mean() + unlabeled.mean()) / 2
    ratio[high] = np.maximum.accumulate(ratio[high])
    return median_filter(ratio, size=2 * (len(ratio) // 20) + 1, mode="nearest")


def share_of_positives(ratio: np.ndarray) -> float:
    """The share a of positives that is the mean of the posteriors ``min(a * ratio, 1)``.

    The iteration starts from 1. Where it finds none but 0, the share is where that mean bends most, among shares that
    exceed it by `MOST_DIFFERENT` at the most.
    """
    share = 1.0
    for _ in range(1000):
        before, share = share, np.minimum(share * ratio, 1).mean()
        if abs(share - before) < PRECISION or (share * ratio).max() < 1:
            break
    shares, order = np.arange(STEP, 1, STEP), np.sort(ratio)
    below = np.searchsorted(order, 1 / shares)  # so many posteriors are below 1
    means = (shares * np.concatenate([[0], np.cumsum(order)])[below] + len(order) - below) / len(order)
    excess = shares - means
    near = np.flatnonzero(excess[1:-1] < MOST_DIFFERENT)
    if (share > STEP and (excess < 0).sum() > 1) or not len(near):
        return float(share)
    return float(max(share, shares[1:-1][near[np.argmax(np.diff(excess, 2)[near])]]))
