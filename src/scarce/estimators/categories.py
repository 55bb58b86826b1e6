"""Categories with fixed domains: features as whole numbers from 0, and counts of them.

A code matrix has a column for each attribute. Code -1 stands for a value outside the attribute's domain.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from scarce.estimators import checks
from scarce.estimators.base import PUClassifier
from scarce.estimators.scaling import flat_columns, unit_of
from scarce.estimators.types import ArrayLike

#: Levels that an attribute may have at most: tables hold one cell for each.
MOST_LEVELS = 2**22
#: Codes of pairs that are counted at a time: these stay in a processor's cache.
CODES_AT_A_TIME = 2**16


class CategoricalPUClassifier(PUClassifier):
    """A classifier that learns from categories: nominal codes as they are, numbers by bins of equal width.

    Subclasses define ``__init__`` with these parameters and their own, ``_learn_codes``, and ``predict_proba``, which
    reads new rows by ``_read_codes``. A subclass that defines ``_check_parameters`` calls the one of this class.

    Parameters
    ----------
    categorical : array-like of int or of bool, optional
        Places of the nominal columns, or a mask. All others are numeric. None: no column is nominal.
    n_levels : int or array-like of int of shape (n_nominal,), optional
        Number of levels r of each nominal column, in the order of `categorical`. Its codes are 0, ..., r - 1. None: the
        largest code of the training rows plus 1.
    n_bins : int, default=10
        Bins of a numeric column. They have equal width and lie between the extremes of the training rows. A bin holds
        its lower edge; the last one holds both. Values beyond the extremes are in the outer bins. A column that is
        constant in the training rows, up to rounding, has one level.

    Attributes
    ----------
    n_levels_ : ndarray of shape (n_features,)
        Number of levels of each feature: declared levels or bins, whether or not a training row has them.
    classes_, n_features_in_, feature_names_in_, notes_
        As in `PUClassifier`.
    """

    def _check_parameters(self) -> None:
        checks.whole("n_bins", self.n_bins, 1)

    def _idle_columns(self, X: np.ndarray) -> np.ndarray:
        """None: a nominal column keeps its codes, and a number that varies by rounding alone gets one bin."""
        return np.zeros(X.shape[1], bool)

    def _learn(self, X: np.ndarray, s: np.ndarray, weight: np.ndarray | None) -> None:
        self._fix_domains(X)
        codes = self._codes(X)
        if codes.min(initial=0) < 0:
            row, column = np.argwhere(codes < 0)[0]
            raise ValueError(
                self._refusal(int(column), X[row, column], f"0 to {self.n_levels_[column] - 1}, its levels")
            )
        self._learn_codes(codes, s, weight)

    def _learn_codes(self, codes: np.ndarray, s: np.ndarray, weight: np.ndarray | None) -> None:
        """Fit to the codes of the training rows, shape (n_samples, n_features), all in 0, ..., n_levels_ - 1.

        `s` and `weight` are those of `PUClassifier._learn`.
        """
        raise NotImplementedError

    def _read_codes(self, X: ArrayLike) -> np.ndarray:
        """Codes of new rows, shape (n_samples, n_features); -1 for a value that is not in the domain."""
        return self._codes(self._read_new(X))

    def _fix_domains(self, X: np.ndarray) -> None:
        """Set the levels of nominal columns, and the extremes of numeric ones, from parameters and training rows."""
        n_features = X.shape[1]
        mask = checks.columns("categorical", self.categorical, n_features)
        self._nominal = np.zeros(n_features, bool) if mask is None else mask
        self.n_levels_ = np.ones(n_features, np.intp)
        self.n_levels_[self._nominal] = self._levels_of_nominal(X)
        numbers = X[:, ~self._nominal]
        self._units = unit_of(numbers)
        numbers = numbers / self._units
        self._lowest, self._highest = numbers.min(0), numbers.max(0)
        rounding, _ = flat_columns(numbers)
        self.n_levels_[~self._nominal] = np.where((self._lowest < self._highest) & ~rounding, self.n_bins, 1)

    def _levels_of_nominal(self, X: np.ndarray) -> np.ndarray:
        """Number of levels of each nominal column, by place."""
        places = np.flatnonzero(self._nominal)
        if self.n_levels is None:
            for place in places:
                column = X[:, place]
                wrong = (column < 0) | (column >= MOST_LEVELS) | (column != np.rint(column))
                if wrong.any():
                    raise ValueError(self._refusal(int(place), column[wrong][0], f"0 to {MOST_LEVELS - 1}"))
            return X[:, places].max(0).astype(np.intp) + 1
        levels = np.asarray(self.n_levels)
        if levels.ndim == 0:
            levels = np.full(len(places), levels)
        if levels.shape != places.shape:
            raise ValueError(f"n_levels must have one number for each of {len(places)} nominal columns, got {levels}")
        levels = np.array([checks.whole("n_levels", level, 1) for level in levels.tolist()], np.intp)
        if levels.max(initial=0) > MOST_LEVELS:
            raise ValueError(f"n_levels must be at most {MOST_LEVELS}, got {levels.max()}")
        named = np.asarray(self.categorical)
        return levels if named.dtype == bool else levels[np.argsort(named, kind="stable")]

    def _codes(self, X: np.ndarray) -> np.ndarray:
        if self._nominal.all():
            return _level_codes(X, self.n_levels_)
        codes = np.empty(X.shape, np.intp)
        codes[:, self._nominal] = _level_codes(X[:, self._nominal], self.n_levels_[self._nominal])
        lowest, highest, bins = self._lowest, self._highest, self.n_levels_[~self._nominal]
        with np.errstate(over="ignore"):
            numbers = np.clip(X[:, ~self._nominal] / self._units, lowest, highest)
        width = np.where(highest > lowest, highest - lowest, 1.0)
        # multiplied before divided: whole numbers on an edge stay on it
        codes[:, ~self._nominal] = np.minimum((numbers - lowest) * bins / width, bins - 1)
        return codes

    def _refusal(self, place: int, value: float, allowed: str) -> str:
        names = getattr(self, "feature_names_in_", None)
        column = f"column {place}" if names is None else f"column {names[place]!r}"
        return f"{column} is nominal and must hold whole numbers from {allowed}; a training row has {value:g}"


def _level_codes(X: np.ndarray, levels: np.ndarray) -> np.ndarray:
    """Whole numbers from 0 to levels - 1 as integers; -1 for all other values."""
    with np.errstate(invalid="ignore"):  # a number that is too large becomes another one
        codes = X.astype(np.intp)
    outside = (codes != X) | (codes.view(np.uintp) >= levels.astype(np.uintp))  # negative ones are large there
    if outside.any():
        codes[outside] = -1
    return codes


def starts(n_levels: ArrayLike) -> np.ndarray:
    """Where the levels of each attribute start in a one-hot row, and after the last its length: shape (m + 1,).

    >>> starts([2, 3])
    array([0, 2, 5])
    """
    return np.concatenate([[0], np.cumsum(n_levels, dtype=np.intp)])


def one_hot(codes: np.ndarray, n_levels: np.ndarray, dtype: type = np.float32) -> np.ndarray:
    """One-hot rows of codes: shape (n_samples, sum of n_levels). Code -1 has zeros for all levels of its attribute.

    >>> one_hot(np.array([[1, 0], [-1, 2]]), [2, 3]).astype(int).tolist()
    [[0, 1, 1, 0, 0], [0, 0, 0, 0, 1]]
    """
    first = starts(n_levels)
    hot = np.zeros((len(codes), first[-1]), dtype)
    places = codes + first[:-1]
    if codes.min(initial=0) < 0:
        rows, columns = np.nonzero(codes >= 0)
        hot[rows, places[rows, columns]] = 1
    else:
        hot.ravel()[places + np.arange(len(codes))[:, None] * first[-1]] = 1
    return hot


def level_counts(codes: np.ndarray, n_levels: np.ndarray, weight: np.ndarray | None = None) -> np.ndarray:
    """Weight of the rows with each level, attribute after attribute: shape (sum of n_levels,). Codes are in domains.

    >>> level_counts(np.array([[1, 0], [1, 2]]), [2, 3])
    array([0., 2., 1., 0., 1.])
    """
    first = starts(n_levels)
    if weight is not None:
        weight = np.broadcast_to(weight[:, None], codes.shape).ravel()
    return np.bincount((codes + first[:-1]).ravel(), weight, minlength=first[-1]).astype(np.float64, copy=False)


def pair_counts(codes: np.ndarray, n_levels: np.ndarray, weight: np.ndarray | None = None) -> np.ndarray:
    """Weight of the rows with each pair of levels: shape (L, L), where L is the sum of n_levels. Symmetric.

    It is the product of the one-hot rows with themselves; the block of two attributes is their joint table. Codes are
    in domains. Pairs are counted, not multiplied: that takes a time that does not depend on the number of levels.

    >>> pair_counts(np.array([[1, 0], [1, 1]]), [2, 2]).astype(int).tolist()
    [[0, 0, 0, 0], [0, 2, 1, 1], [0, 1, 1, 0], [0, 1, 0, 1]]
    """
    first = starts(n_levels)
    total, n_attributes = first[-1], codes.shape[1]
    counts = np.zeros((total, total))
    block = max(1, CODES_AT_A_TIME // n_attributes)
    for begin in range(0, len(codes), block):
        places = np.ascontiguousarray(codes[begin : begin + block].T, np.intp) + first[:-1, None]
        for i in range(n_attributes):
            # the cells of attribute i with itself and with those after it, one number each
            width = total - first[i]
            cells = places[i:] + ((places[i] - first[i]) * width - first[i])
            of_rows = None
            if weight is not None:
                of_rows = np.broadcast_to(weight[begin : begin + block], cells.shape).ravel()
            tables = np.bincount(cells.ravel(), of_rows, minlength=n_levels[i] * width)
            counts[first[i] : first[i + 1], first[i] :] += tables.reshape(n_levels[i], width)
    for begin, end in pairwise(first):  # in place: the matrix may be large
        counts[end:, begin:end] = counts[begin:end, end:].T
    return counts
