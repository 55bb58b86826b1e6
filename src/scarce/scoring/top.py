"""The k rows with the highest scores, where rows of equal scores stand in random order."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import NamedTuple

import numpy as np


class Top(NamedTuple):
    """What the top of each run is expected to hold; meaningless where `reason` is not "".

    Parameters
    ----------
    k, n : ndarray of shape (n_runs,), int64
        Rows in the top, and rows from which they are taken.
    found, ties : ndarray of shape (n_runs,), int64
        ``found / ties`` positives are expected in the top, where `ties` rows have the score of the k-th. Both are
        whole, so that metrics round once, and those that are equal in exact arithmetic are equal.
    positives : ndarray of shape (n_runs,), int64
        Positives of the run.
    reason : ndarray of shape (n_runs,), text
        Why there is no such top, or "".
    """

    k: np.ndarray
    n: np.ndarray
    found: np.ndarray
    ties: np.ndarray
    positives: np.ndarray
    reason: np.ndarray

    @property
    def precision(self) -> np.ndarray:
        """Expected share of positives in the top."""
        return self.found / (self.ties * self.k)

    @property
    def recall(self) -> np.ndarray:
        """Expected share of the positives that is in the top; NaN without positives."""
        all_of_them = self.ties * self.positives
        return np.divide(self.found, all_of_them, out=np.full(len(self.found), np.nan), where=all_of_them > 0)


def rows_at(at_k: float, n: int) -> int:
    """Rows in the top of `n` rows: `at_k` itself if it is whole, else that share of `n`, rounded up.

    The share is read as the decimal that it is written as.

    >>> rows_at(100, 5000), rows_at(0.07, 100), rows_at(0.001, 50)
    (100, 7, 1)
    """
    return at_k if isinstance(at_k, int) else math.ceil(Fraction(str(at_k)) * n)


def top_of(scores: np.ndarray, positive: np.ndarray, at_k: float | None, among: np.ndarray | None = None) -> Top:
    """The top of each run: rows above the k-th score, and the share of the rows with that score which fills it up.

    Parameters
    ----------
    scores : ndarray of shape (n_runs, n_rows)
        Finite.
    positive : ndarray of shape (n_runs, n_rows), bool
        Which rows are positive.
    at_k : int, float or None
        See `rows_at`; None if no study states it.
    among : ndarray of shape (n_runs, n_rows), bool, optional
        Rows that are counted to k, by default all. Others are in the top by the same rule: all that score higher than
        the k-th of these rows, and the same share of those that score equally.

    Returns
    -------
    Top
        Counts of each run, and the reason where there is no top.
    """
    among = np.ones(scores.shape, bool) if among is None else among
    n = among.sum(axis=1)
    k = np.array([rows_at(1 if at_k is None else at_k, rows) for rows in n.tolist()], np.int64)
    reason = np.where(k > n, "fewer rows than analysis.at_k", "no analysis.at_k" if at_k is None else "")
    if not scores.shape[1]:
        nothing = np.zeros(len(scores), np.int64)
        return Top(k, n, nothing, nothing, nothing, reason)
    counted = np.sort(np.where(among, scores, -np.inf), axis=1)
    kth = np.take_along_axis(counted, np.clip(scores.shape[1] - k, 0, scores.shape[1] - 1)[:, None], axis=1)
    above, equal = scores > kth, scores == kth
    ties = np.maximum((equal & among).sum(axis=1), 1)
    left = k - (above & among).sum(axis=1)
    found = (above & positive).sum(axis=1) * ties + (equal & positive).sum(axis=1) * left
    return Top(k, n, found, ties, positive.sum(axis=1), reason)
