"""BBE, best bin estimation: the share of unlabeled over that of labeled rows among those with the largest scores."""

from __future__ import annotations

import numpy as np

from scarce.prior.scores import held_out_probabilities, rank_in_fold, shares_above


def bbe(
    X: np.ndarray,
    s: np.ndarray,
    *,
    random_state: np.random.RandomState,
    folds: int = 5,
    delta: float = 0.1,
    gamma: float = 0.01,
) -> float:
    """Class prior by best bin estimation, see `scarce.prior.estimate_class_prior`.

    With the shares q_L(t) of labeled and q_U(t) of unlabeled rows whose score is t or more, q_U(t) / q_L(t) is at least
    the share of positives in the unlabeled rows, and near it where no negative scores as high. The threshold is the one
    with the smallest upper confidence limit of that ratio. Scores are ranks of held-out probabilities
    (`held_out_probabilities`), where the authors held out one half.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        Finite; `scarce.prior.estimate_class_prior` checks and scales features first.
    s : ndarray of shape (n_samples,), bool
        Which rows are labeled.
    random_state : RandomState
        Of folds.
    folds : int
        Each row is scored by a fit to the other folds.
    delta : float
        Probability, in (0, 1), that the confidence limit of a share fails.
    gamma : float
        The allowance for the limit's own error in the threshold's choice; not negative.

    Returns
    -------
    float
        The share of positives among all rows; not yet cut to what is possible.

    References
    ----------
    Garg, Wu, Smola, Balakrishnan, Lipton (2021), Mixture proportion estimation and PU learning: a modern approach,
    algorithm 1, with the delta and gamma of the authors' experiments.
    """
    probability, fold = held_out_probabilities(X, s, random_state, folds, needed_by="bbe")
    _, labeled, unlabeled = shares_above(rank_in_fold(probability, fold), s)
    allowance = sum(np.sqrt(np.log(4 / delta) / (2 * rows)) for rows in (s.sum(), (~s).sum()))
    best = np.argmin((unlabeled + (1 + gamma) * allowance) / labeled)
    return s.mean() + (~s).mean() * min(unlabeled[best] / labeled[best], 1.0)
