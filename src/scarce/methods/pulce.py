"""Pulce: nearest neighbours among positives and reliable negatives, under distances learnt from each of these classes.

Ienco & Pensa (2016), algorithm 1, sections 3.2 and 3.3; distances between values are those of `scarce.methods.dilca`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

import numpy as np

from scarce.estimators import checks
from scarce.estimators.categories import CategoricalPUClassifier, one_hot, starts
from scarce.estimators.types import ArrayLike
from scarce.methods.base import two_columns
from scarce.methods.dilca import DISTANCES, REDUNDANCY, UNSEEN, dilca_distances

TIED = 1e-12
"""Distances whose relative difference is smaller are equal: they are sums of terms of 0 or more, and err by 1e-15."""

CELLS_AT_A_TIME = 2**20
"""Cells of a one-hot matrix, and of a matrix of distances, that are in memory at a time."""

NEIGHBOURS = 16
"""Nearest distances that a prediction keeps at least, so that other values of k cost no second pass."""

DECIMALS = 12
"""Scores are rounded to as many, so that rows whose scores are equal in exact arithmetic tie."""


class ClassModel:
    """The rows of a class and the distances learnt from them.

    Parameters
    ----------
    codes : ndarray of shape (n_rows, n_features)
        Codes of the rows, all in their domains.
    n_levels : ndarray of shape (n_features,)
    distance, redundancy, unseen
        As in `dilca_distances`.

    Attributes
    ----------
    between_values : list of ndarray
        As `dilca_distances` returns them.
    largest : float
        No two rows are farther apart.
    """

    def __init__(self, codes: np.ndarray, n_levels: np.ndarray, **how: Any) -> None:
        self.rows, self.n_levels = codes, n_levels
        self.between_values = dilca_distances(codes, n_levels, **how)
        self.largest = float(np.sqrt(sum(np.square(matrix.max()) for matrix in self.between_values)))

    def squared_distances(self, codes: np.ndarray) -> Iterator[tuple[slice, np.ndarray]]:
        """Squared distances (Eq. 3) from some rows to those of the class: blocks of rows, each with a matrix.

        With the squared distances from a row's values to all values side by side, they are a product with one-hot
        rows. A value outside its domain has distance 0 to all: it speaks for neither class.
        """
        first = starts(self.n_levels)
        width, n_rows = int(first[-1]), len(self.rows)
        at_a_time = max(1, CELLS_AT_A_TIME // width)
        # code -1 reads the last row, which is 0
        squares = [np.vstack([np.square(matrix), np.zeros(len(matrix))]) for matrix in self.between_values]
        for block in _blocks(len(codes), max(1, CELLS_AT_A_TIME // (width + n_rows))):
            values = codes[block]
            to_values = np.empty((len(values), width))
            for i, square in enumerate(squares):
                to_values[:, first[i] : first[i + 1]] = square[values[:, i]]
            squared = np.empty((len(values), n_rows))
            for rows in _blocks(n_rows, at_a_time):
                np.matmul(to_values, one_hot(self.rows[rows], self.n_levels, np.float64).T, out=squared[:, rows])
            yield block, squared

    def mean_distances(self, codes: np.ndarray) -> np.ndarray:
        """Mean distance from each row to those of the class, shape (n_samples,)."""
        means = np.empty(len(codes))
        for block, squared in self.squared_distances(codes):
            means[block] = np.sqrt(squared, out=squared).mean(axis=1)
        return means

    def mean_between_pairs(self) -> float:
        """Mean distance of the pairs of rows of the class; 0 for a single row."""
        n = len(self.rows)
        return float(self.mean_distances(self.rows).sum() / (n - 1)) if n > 1 else 0.0

    def nearest(self, codes: np.ndarray, k: int) -> np.ndarray:
        """The k smallest distances from each row to those of the class, ascending; all where there are fewer."""
        k = min(k, len(self.rows))
        distances = np.empty((len(codes), k))
        for block, squared in self.squared_distances(codes):
            squared.partition(k - 1, axis=1)
            distances[block] = np.sqrt(np.sort(squared[:, :k], axis=1))
        return distances


def _blocks(length: int, size: int) -> Iterator[slice]:
    for begin in range(0, length, size):
        yield slice(begin, min(begin + size, length))


class _LastNearest:
    """Nearest distances of the rows that were scored last. It is not copied or saved with the estimator."""

    def __init__(self) -> None:
        self._kept: tuple[np.ndarray, int, list[np.ndarray]] | None = None

    def __reduce__(self) -> tuple[type, tuple]:
        return type(self), ()

    def get(self, models: tuple[ClassModel, ...], codes: np.ndarray, k: int) -> list[np.ndarray]:
        """The k smallest distances from each row to the rows of each class."""
        kept = self._kept
        if kept is None or kept[1] < k or not np.array_equal(kept[0], codes):
            most = max(k, NEIGHBOURS)
            kept = codes, most, [model.nearest(codes, most) for model in models]
            self._kept = kept
        return [distances[:, :k] for distances in kept[2]]


class PulceClassifier(CategoricalPUClassifier):
    """Nearest neighbours among positives and reliable negatives, under distances learnt from each class.

    Distances between the values of the attributes are learnt from the labeled rows (`dilca_distances`). The distance of
    two rows is the root of the sum of squares over attributes (Eq. 3). Unlabeled rows whose mean distance to the
    labeled rows exceeds `tau_`, the mean distance of the pairs of labeled rows, are reliable negatives. Other distances
    are learnt from these. A new row is positive if its k nearest labeled rows, by the first distances, are together at
    most as far as its k nearest reliable negatives, by the second ones.

    Parameters
    ----------
    k : int, default=1
        Neighbours in each class. Where a class has fewer rows, all of them count, and means are compared. `k` concerns
        predictions only: with another one, ``set_params(k=...)`` and the rows of the last prediction cost no pass over
        the data.
    distance : {"euclid", "kl"}, default="euclid"
        Distances between values, see `dilca_distances`.
    redundancy : {"paper", "fcbf"}, default="paper"
        Which attributes of a context are redundant, see `dilca_contexts`.
    threshold_shift : float in [-1, inf), default=0.0
        The threshold of reliable negatives is ``tau_ * (1 + threshold_shift)`` (section 4.5).
    unseen : {"natural", "max"}, default="natural"
        Distance of a declared value that no row of a class has, see `dilca_distances`. A value outside its domain has
        distance 0 to all values.
    categorical, n_levels, n_bins
        As in `CategoricalPUClassifier`.

    Attributes
    ----------
    positives_, negatives_ : ClassModel
        Labeled rows and reliable negatives, with the distances learnt from them.
    tau_ : float
        Mean distance of the pairs of labeled rows; 0 for a single one.
    reliable_negatives_ : ndarray of int
        Places of the reliable negatives among the training rows (of weight above 0).
    facts_ : dict
        `tau`, `threshold`, the numbers of `positives` and of `reliable_negatives`, and `rn_fallback`: 1 where no
        unlabeled row exceeds the threshold and the one with the largest mean distance is taken, else 0.
    notes_ : list of str
        Says so too, and where k exceeds the rows of a class.
    n_levels_, classes_, n_features_in_, feature_names_in_
        As in `CategoricalPUClassifier`.

    Notes
    -----
    Distances that are equal in exact arithmetic tie: differences below `TIED` of their size are none. Ties are
    positive; a mean distance that equals the threshold is not above it. Weights that differ are refused.

    References
    ----------
    Ienco & Pensa (2016), Positive and unlabeled learning in categorical data, Neurocomputing.

    Examples
    --------
    >>> X = [[0, 0], [0, 0], [0, 1], [1, 1], [1, 1]]
    >>> pulce = PulceClassifier(categorical=[0, 1], n_levels=[2, 2]).fit(X, [1, 1, 0, 0, 0])
    >>> pulce.reliable_negatives_.tolist(), pulce.predict([[0, 0], [1, 1]]).tolist()
    ([2, 3, 4], [1, 0])
    """

    shared_params: ClassVar[set[str]] = {"k"}
    _weights_refused = "counts and neighbours are of single rows"

    def __init__(
        self,
        k: int = 1,
        *,
        distance: str = "euclid",
        redundancy: str = "paper",
        threshold_shift: float = 0.0,
        unseen: str = "natural",
        categorical: ArrayLike | None = None,
        n_levels: ArrayLike | None = None,
        n_bins: int = 10,
    ) -> None:
        self.k = k
        self.distance = distance
        self.redundancy = redundancy
        self.threshold_shift = threshold_shift
        self.unseen = unseen
        self.categorical = categorical
        self.n_levels = n_levels
        self.n_bins = n_bins

    def _check_parameters(self) -> None:
        super()._check_parameters()
        checks.whole("k", self.k, 1)
        checks.choice("distance", self.distance, DISTANCES)
        checks.choice("redundancy", self.redundancy, REDUNDANCY)
        checks.choice("unseen", self.unseen, UNSEEN)
        checks.number("threshold_shift", self.threshold_shift, "[-1, inf)")

    def _learn_codes(self, codes: np.ndarray, s: np.ndarray, weight: np.ndarray | None) -> None:
        how = {"distance": self.distance, "redundancy": self.redundancy, "unseen": self.unseen}
        unlabeled = np.flatnonzero(s == 0)
        self.positives_ = ClassModel(codes[s == 1], self.n_levels_, **how)
        self.tau_ = self.positives_.mean_between_pairs()
        threshold = self.tau_ * (1 + self.threshold_shift)
        scores = self.positives_.mean_distances(codes[unlabeled])
        reliable = scores > threshold * (1 + TIED)
        fallback = not reliable.any()
        if fallback:
            reliable = _farthest(scores, codes[unlabeled])
            self.notes_.append("no unlabeled row exceeds the threshold: the farthest one is the only reliable negative")
        self.reliable_negatives_ = unlabeled[reliable]
        self.negatives_ = ClassModel(codes[self.reliable_negatives_], self.n_levels_, **how)
        self.facts_ = {
            "tau": self.tau_,
            "threshold": threshold,
            "positives": len(self.positives_.rows),
            "reliable_negatives": len(self.reliable_negatives_),
            "rn_fallback": int(fallback),
        }
        self._last = _LastNearest()

    def margin(self, X: ArrayLike) -> np.ndarray:
        """Mean distance to the k nearest reliable negatives less that to the k nearest labeled rows.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples,)
            0 or more where a row is positive; exactly 0 for a tie.
        """
        codes = self._read_codes(X)
        k = checks.whole("k", self.k, 1)
        to_positives, to_negatives = (
            distances.mean(axis=1) for distances in self._last.get((self.positives_, self.negatives_), codes, k)
        )
        self._note_few_rows(k)
        margin = to_negatives - to_positives
        return np.where(np.abs(margin) <= TIED * np.maximum(to_negatives, to_positives), 0.0, margin)

    def predict_proba(self, X: ArrayLike) -> np.ndarray:
        """Scores of the two classes in [0, 1], shape (n_samples, 2).

        They are no probabilities: that of the positive class is one half plus ``margin`` divided by twice the largest
        possible distance. Positive rows, ties among them, have more than one half, and all others less.
        """
        margin = self.margin(X)
        largest = max(self.positives_.largest, self.negatives_.largest) or 1.0
        score = np.clip(0.5 + np.round(margin / (2 * largest), DECIMALS), 0.0, 1.0)
        above, below = np.nextafter(0.5, [1, 0])
        return two_columns(np.where(margin >= 0, np.maximum(score, above), np.minimum(score, below)))

    def _note_few_rows(self, k: int) -> None:
        """Say where a class has fewer than k rows; a note on another k is replaced."""
        few = [
            f"k is {k}, but there are {len(model.rows)} {name}: means of all"
            for name, model in (("labeled rows", self.positives_), ("reliable negatives", self.negatives_))
            if len(model.rows) < k
        ]
        self.notes_[:] = [note for note in self.notes_ if not note.startswith("k is ")] + few


def _farthest(scores: np.ndarray, codes: np.ndarray) -> np.ndarray:
    """The place of the largest score; of equal ones the first by its codes, so that the order of rows is no matter."""
    tied = np.flatnonzero(scores >= scores.max() * (1 - TIED))
    return tied[np.lexsort(codes[tied].T[::-1])[:1]]
