"""TIcE: the labeled share of any part of the feature space is a lower bound of the label frequency. A tree searches for
the part with the largest bound.
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass
from typing import Any

import numpy as np

PIECES = 4
"""A column, scaled to [0, 1], is cut at a quarter, a half and three quarters."""


@dataclass(frozen=True)
class Bound:
    """A lower bound of the label frequency from a part with `total` rows, `labeled` of them labeled.

    Under SCAR a part labels at most a share c of its rows, and exactly that where it holds positives only. By the
    one-sided Chebyshev inequality the observed share exceeds c by ``sqrt(variance / total)`` with a probability of at
    most delta, where ``variance = c (1 - c) (1 - delta) / delta``.
    """

    variance: float

    @classmethod
    def of(cls, frequency: float, rows: int) -> Bound:
        """For a guess of c and the number of rows that estimate; delta is chosen as by the authors."""
        delta = max(0.025, 1 / (1 + 0.004 * rows))
        return cls(frequency * (1 - frequency) * (1 - delta) / delta)

    def __call__(self, labeled: Any, total: Any) -> Any:
        return labeled / total - np.sqrt(self.variance / total)

    def beats(self, best: float, labeled: int) -> bool:
        """Whether a part that holds nothing but these labeled rows could raise the bound above `best`."""
        return best < 1 and self(labeled, labeled) > best if labeled else False


def tice(
    X: np.ndarray,
    s: np.ndarray,
    *,
    random_state: np.random.RandomState,
    folds: int = 5,
    smoothing: float = 5.0,
    max_splits: int = 500,
    min_rows: int = 10,
    iterations: int = 2,
) -> float:
    """Class prior by TIcE, see `scarce.prior.estimate_class_prior`.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        Finite; `scarce.prior.estimate_class_prior` checks and scales features first.
    s : ndarray of shape (n_samples,), bool
        Which rows are labeled.
    random_state : RandomState
        Of folds.
    folds : int
        Each fold grows a tree once, and the other folds estimate with it, so that no part is chosen by the rows that
        bound the label frequency.
    smoothing : float
        The k of the max-bepp score: a cut is as good as its best piece, max L / (T + k).
    max_splits : int
        Splits of a tree.
    min_rows : int
        Rows that a part needs to estimate, and to be split.
    iterations : int
        The bound needs c itself; the first iteration takes 1/2, later ones the estimate before.

    Returns
    -------
    float
        The share of positives among all rows; not yet cut to what is possible.

    References
    ----------
    Bekker, Davis (2018), algorithm 1 and its settings: delta = max(0.025, 1 / (1 + 0.004 T)) of T estimating rows,
    max-bepp with k = 5, at most 500 splits, 5 folds, 2 iterations.
    """
    codes = pieces(X)
    fold = random_state.permutation(len(s)) % min(folds, len(s))
    frequency = 0.5
    for _ in range(iterations):
        bounds = [
            _largest_bound(codes, s, fold == f, frequency, smoothing, max_splits, min_rows) for f in np.unique(fold)
        ]
        frequency = float(np.mean(bounds))
    return s.mean() / frequency


def pieces(X: np.ndarray) -> np.ndarray:
    """The quarter of its column's range that each value lies in, 0 to 3; a constant column is all 0."""
    low, high = X.min(axis=0), X.max(axis=0)
    scaled = (X - low) / np.where(high > low, high - low, 1)
    return np.minimum(np.floor(scaled * PIECES), PIECES - 1).astype(np.int8)


def _largest_bound(
    codes: np.ndarray, s: np.ndarray, grows: Any, frequency: float, smoothing: float, max_splits: int, min_rows: int
) -> float:
    """Largest lower bound among the parts of a tree that one fold grows, best first."""
    grow, rest = np.flatnonzero(grows), np.flatnonzero(~grows)
    bound = Bound.of(frequency, len(rest))
    best = float(s[rest].mean())  # all rows hold some negatives, so their share needs no allowance
    queue: list = []
    order = 0  # of arrival; breaks ties

    def add(grow: Any, rest: Any, free: Any) -> None:
        nonlocal order
        labeled = int(s[grow].sum())
        # a part that cannot raise the bound is skipped
        if len(grow) > min_rows and 0 < labeled < len(grow) and bound.beats(best, int(s[rest].sum())):
            heapq.heappush(queue, (-bound(labeled, len(grow)), -labeled, order, grow, rest, free))
            order += 1

    add(grow, rest, np.arange(codes.shape[1]))
    for _ in range(max_splits):
        if not queue:
            break
        *_, grow, rest, free = heapq.heappop(queue)
        column = _best_column(codes[np.ix_(grow, free)], s[grow], smoothing)
        if column is None:
            continue
        chosen, left = free[column], np.delete(free, column)
        parts = [(grow[codes[grow, chosen] == p], rest[codes[rest, chosen] == p]) for p in range(PIECES)]
        for _, estimating in parts:
            if len(estimating) >= min_rows:
                best = max(best, float(bound(s[estimating].sum(), len(estimating))))
        for growing, estimating in parts:
            add(growing, estimating, left)
    return best


def _best_column(codes: np.ndarray, s: np.ndarray, smoothing: float) -> int | None:
    """The column whose best piece has the largest smoothed labeled share; None where no column parts the rows."""
    total = np.stack([(codes == p).sum(axis=0) for p in range(PIECES)])
    labeled = np.stack([(codes[s] == p).sum(axis=0) for p in range(PIECES)])
    score = (labeled / (total + smoothing)).max(axis=0, initial=0)
    score[(total > 0).sum(axis=0) < 2] = -1
    return int(np.argmax(score)) if score.size and score.max() > 0 else None
