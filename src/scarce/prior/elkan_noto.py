"""Elkan and Noto's estimator e1: the label frequency is the mean probability of being labeled over labeled rows."""

from __future__ import annotations

import numpy as np

from scarce.prior.scores import held_out_probabilities


def elkan_noto(X: np.ndarray, s: np.ndarray, *, random_state: np.random.RandomState, folds: int = 5) -> float:
    """Class prior by Elkan and Noto's e1, see `scarce.prior.estimate_class_prior`.

    The authors held out one validation set; here every row is held out once (`held_out_probabilities`).

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

    Returns
    -------
    float
        The share of positives among all rows; not yet cut to what is possible.

    References
    ----------
    Elkan, Noto (2008), Learning classifiers from only positive and unlabeled data, KDD, section 2.
    """
    labeled, _ = held_out_probabilities(X, s, random_state, folds, needed_by="elkan_noto")
    return s.mean() / labeled[s].mean()
