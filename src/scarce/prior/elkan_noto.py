"""Elkan and Noto's estimator e1: the label frequency is the mean probability of being labeled over labeled rows."""

from __future__ import annotations

import numpy as np

from scarce.prior.scores import held_out_probabilities


def elkan_noto(X: np.ndarray, s: np.ndarray, *, random_state: np.random.RandomState, folds: int = 5) -> float:
    """Class prior by Elkan and Noto's e1, see `scarce.prior.estimate_class_prior`.

    Elkan, Noto (2008), section 2, held out one validation set; here every row is held out once
    (`held_out_probabilities`).
    """
    labeled, _ = held_out_probabilities(X, s, random_state, folds, needed_by="elkan_noto")
    return s.mean() / labeled[s].mean()
