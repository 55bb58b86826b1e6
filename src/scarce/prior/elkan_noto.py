"""Elkan and Noto's estimator e1: the label frequency is the mean probability of being labeled over labeled rows."""

from __future__ import annotations

import numpy as np


def elkan_noto(X: np.ndarray, s: np.ndarray, *, random_state: np.random.RandomState, folds: int = 5) -> float:
    """Class prior by Elkan and Noto's e1, see `scarce.prior.estimate_class_prior`.

    Probabilities are those of logistic regressions on the other folds, of columns scaled to unit variance. There are at
    most as many folds as labeled or as unlabeled rows. Elkan, Noto (2008), section 2, held out one validation set; here
    every row is held out once.
    """
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import StratifiedKFold, cross_val_predict
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    folds = min(folds, int(s.sum()), int((~s).sum()))
    if folds < 2:
        raise ValueError("elkan_noto needs two labeled and two unlabeled rows, of which one at a time is held out")
    model = make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000))
    split = StratifiedKFold(folds, shuffle=True, random_state=random_state)
    labeled = cross_val_predict(model, X, s, cv=split, method="predict_proba")[:, 1]
    return s.mean() / labeled[s].mean()
