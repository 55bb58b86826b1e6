"""Scores of rows by classifiers that did not see them, of labeled against unlabeled rows."""

from __future__ import annotations

import numpy as np


def held_out_probabilities(
    X: np.ndarray, s: np.ndarray, random_state: np.random.RandomState, folds: int = 5, *, needed_by: str
) -> tuple[np.ndarray, np.ndarray]:
    """Probability of being labeled, and fold, of each row; both of shape (n_samples,).

    Probabilities are those of logistic regressions on the other folds, of columns scaled to unit variance. There are at
    most as many folds as labeled or as unlabeled rows.

    Raises
    ------
    ValueError
        If there are fewer than two labeled or two unlabeled rows; names the estimator, `needed_by`.
    """
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import StratifiedKFold, cross_val_predict
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    folds = min(folds, int(s.sum()), int((~s).sum()))
    if folds < 2:
        raise ValueError(f"{needed_by} needs two labeled and two unlabeled rows, of which one at a time is held out")
    model = make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000))
    splits = list(StratifiedKFold(folds, shuffle=True, random_state=random_state).split(X, s))
    fold = np.empty(len(s), int)
    for number, (_, held_out) in enumerate(splits):
        fold[held_out] = number
    return cross_val_predict(model, X, s, cv=splits, method="predict_proba")[:, 1], fold


def at_most(rows: np.ndarray, most: int, random_state: np.random.RandomState) -> np.ndarray:
    """All rows, or so many drawn at random without replacement if there are more."""
    return rows if len(rows) <= most else random_state.choice(rows, most, replace=False)


def rank_in_fold(scores: np.ndarray, fold: np.ndarray) -> np.ndarray:
    """Rank of each score in its fold, in (0, 1]: each fold has a classifier of its own, and their scales differ.

    >>> rank_in_fold(np.array([0.1, 0.3, 7.0, 5.0]), np.array([0, 0, 1, 1])).tolist()
    [0.5, 1.0, 1.0, 0.5]
    """
    from scipy.stats import rankdata

    ranks = np.empty(len(scores))
    for number in np.unique(fold):
        rows = fold == number
        ranks[rows] = rankdata(scores[rows]) / rows.sum()
    return ranks


def shares_above(scores: np.ndarray, s: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Thresholds, and the shares of labeled and of unlabeled rows that score as high or higher.

    Thresholds are the scores of labeled rows, ascending, each once: between two of them no other has a smaller ratio of
    the shares.

    >>> [a.tolist() for a in shares_above(np.array([3.0, 1.0, 2.0, 4.0]), np.array([True, True, False, False]))]
    [[1.0, 3.0], [1.0, 0.5], [1.0, 0.5]]
    """
    labeled, unlabeled = np.sort(scores[s]), np.sort(scores[~s])
    thresholds = np.unique(labeled)
    of_labeled, of_unlabeled = (
        (len(part) - np.searchsorted(part, thresholds)) / len(part) for part in (labeled, unlabeled)
    )
    return thresholds, of_labeled, of_unlabeled
