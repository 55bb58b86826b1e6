"""The threshold that maximises F1, on a grid or over the scores themselves."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

GRID = np.linspace(0.01, 0.99, 100)
"""The grid of ortega2023 (100 points, step 0.0099)."""


@dataclass(frozen=True)
class Threshold:
    """A chosen threshold, or the reason why there is none.

    Parameters
    ----------
    value : float or None
    f1 : float or None
        F1 on the rows that chose it.
    reason : str
        "" where there is a value.
    """

    value: float | None
    f1: float | None
    reason: str = ""


def best_f1_grid(y, score, grid=GRID, strict: bool = True) -> Threshold:
    """The first point of a grid with the largest F1.

    Parameters
    ----------
    y : array-like of shape (n,)
        Labels to agree with, 1 or 0.
    score : array-like of shape (n,)
        Finite scores, larger for positives.
    grid : array-like
        Thresholds in the order in which ties are decided.
    strict : bool
        Positive is ``score > threshold``; else ``score >= threshold``.

    Returns
    -------
    Threshold
        Undefined without rows or without a positive.

    References
    ----------
    Ortega Vazquez, vanden Broucke, De Weerdt (2023), section 4: the "optimal threshold" F1.
    """
    y, score = _rows(y, score)
    grid = np.asarray(grid, float)
    return _first_best(y, score, grid, strict)


def best_f1_sweep(y, score) -> Threshold:
    """The lowest of the distinct scores with the largest F1 when positive is ``score >= threshold``.

    Parameters and result as in `best_f1_grid`.
    """
    y, score = _rows(y, score)
    return _first_best(y, score, np.unique(score), strict=False)


def _rows(y, score) -> tuple[np.ndarray, np.ndarray]:
    y, score = np.asarray(y) == 1, np.asarray(score, float)
    if y.shape != score.shape or y.ndim != 1:
        raise ValueError(f"labels and scores must be one-dimensional and equally long, got {y.shape} and {score.shape}")
    if not np.isfinite(score).all():
        raise ValueError("scores must be finite")
    return y, score


def _first_best(y: np.ndarray, score: np.ndarray, thresholds: np.ndarray, strict: bool) -> Threshold:
    if not len(y):
        return Threshold(None, None, "no row to choose a threshold on")
    if not y.any():
        return Threshold(None, None, "no positive among the rows that choose the threshold")
    side = "right" if strict else "left"
    predicted = len(score) - np.searchsorted(np.sort(score), thresholds, side)
    true_positives = y.sum() - np.searchsorted(np.sort(score[y]), thresholds, side)
    f1 = 2 * true_positives / (predicted + y.sum())
    best = int(np.argmax(f1))
    return Threshold(float(thresholds[best]), float(f1[best]))
