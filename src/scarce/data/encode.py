"""From a prepared table to numbers: weight of evidence or one-hot columns, imputed and standardised numbers.

Encoded nominal columns come first, then the numeric ones.
"""

from __future__ import annotations

import warnings
from collections.abc import Collection, Sequence

import numpy as np

from scarce.data.names import some
from scarce.estimators.observed import observed_labels
from scarce.estimators.scaling import (
    EXTREME,
    WHOLE_NUMBERS,
    WORTH_MENTION,
    flat_columns,
    merged_share,
    origin_of,
    unit_of,
)

#: Encodings fitted on all rows with the true labels (uses hidden labels), or inside a fit on its training rows.
ON_ALL_ROWS = ("woe_all_true",)
ON_TRAINING_ROWS = ("woe_train_observed", "onehot", "none")


def encode_all(
    X: np.ndarray, y: np.ndarray, categorical: np.ndarray, encoding: str = "woe_all_true", *, scaled: bool = False
) -> np.ndarray:
    """Encode with everything fitted on all rows and their true labels `y` in {0, 1}. Uses hidden labels.

    `X` is (n, d), with codes in nominal columns and NaN for missing cells. Returns (n, d): first the weight of evidence
    of each nominal column, ``ln(((P_v + 1) / (P + 2)) / ((N_v + 1) / (N + 2)))`` for value v, with P_v positives
    among P and N_v negatives among N, and 0 for a value that a single row has; then the numeric columns, mean-imputed
    and, unless `scaled` already, standardised by mean and standard deviation of all rows.

    The zero for single rows follows ``WOEEncoder`` of category_encoders. The stored runs of Ortega Vazquez, vanden
    Broucke & De Weerdt (2023) are reproduced only with it. Raises ValueError for an encoding that is not in
    `ON_ALL_ROWS`.
    """
    if encoding not in ON_ALL_ROWS:
        raise ValueError(f"encoding {encoding!r} is not fitted on all rows; those are {', '.join(ON_ALL_ROWS)}")
    X, categorical = np.asarray(X, dtype=np.float64), np.asarray(categorical, dtype=bool)
    y = np.asarray(y)
    nominal = []
    for j in np.flatnonzero(categorical):
        weight, count = _evidence(X[:, j], y)
        nominal.append(np.where(count == 1, 0.0, weight)[_slots(X[:, j])])
    numeric = X[:, ~categorical]
    if numeric.shape[1] and not (scaled and not np.isnan(numeric).any()):
        numeric = _Numeric(scaled).fit(numeric).transform(numeric)
    return np.ascontiguousarray(np.column_stack([*nominal, numeric]))


def encoded_names(names: Sequence[str], nominal: Collection[str], encoding: str) -> list[str]:
    """Names of the columns after an encoding; none where a column becomes several.

    >>> encoded_names(["a", "b", "c"], {"b"}, "woe_train_observed")
    ['b', 'a', 'c']
    """
    if encoding == "none":
        return list(names)
    if encoding == "onehot" and nominal:
        return []
    return [*(name for name in names if name in nominal), *(name for name in names if name not in nominal)]


class FittedEncoder:
    """Encoder fitted on training rows and their observed labels s only.

    ``woe_train_observed`` gives the weight of evidence of s, ``onehot`` one indicator column for each value in the
    training rows. A missing cell is a value of its own. A value that no training row has gets 0 in all its columns.
    Numeric columns are imputed by the mean of the training rows (0 if all are missing) and, unless `scaled` already,
    standardised by their mean and standard deviation.

    ``none`` keeps columns in their own order, for methods that accept nominal columns. A nominal column keeps its
    codes, and a missing cell is a level of its own: the one after the `levels` of the column, a number for each nominal
    column, else the one after the largest code of the training rows. A numeric column is imputed by the median of the
    training rows (0 if all are missing) and is not standardised. A table of uint8 has no missing cell and is kept.

    Under ``none``, a number in the middle of a numeric column is subtracted from it if 32 bits would merge its numbers,
    such as seconds since 1970. A warning names columns that they merge nevertheless.

    A numeric column that varies by rounding alone is 0 where others are standardised. One whose numbers are all too
    large or too small to be squared, or for 32 bits, is first divided by a power of two. A number of a new row that is
    still too large is clipped; it stays beyond those of all training rows.
    """

    def __init__(
        self, encoding: str, categorical: np.ndarray, *, scaled: bool = False, levels: list[int] | None = None
    ):
        if encoding not in ON_TRAINING_ROWS:
            raise ValueError(
                f"encoding {encoding!r} is not fitted on training rows; those are {', '.join(ON_TRAINING_ROWS)}"
            )
        self.encoding, self.categorical, self.scaled = encoding, np.asarray(categorical, dtype=bool), scaled
        self.levels = levels

    def fit(self, X: np.ndarray, s: np.ndarray) -> FittedEncoder:
        """Fit on training rows `X` of shape (n, d) with observed labels `s` of shape (n,)."""
        X, s = self._checked(X), observed_labels(s)
        if self._kept(X):
            self.n_features_out_ = X.shape[1]
            return self
        if self.encoding == "none":
            self.units_ = np.where(self.categorical, 1.0, unit_of(X))
            X = _sized(X, self.units_)
            self.origins_ = np.where(self.categorical, 0.0, origin_of(X))
            X = X - self.origins_ if self.origins_.any() else X
            self._tell_merged(X)
            self.filling_ = np.array([_filling(*column) for column in zip(X.T, self.categorical, strict=True)])
            if self.levels is not None:
                self.filling_[self.categorical] = self.levels
            self.n_features_out_ = X.shape[1]
            return self
        self.nominal_ = []
        for j in np.flatnonzero(self.categorical):
            weight, count = _evidence(X[:, j], s)
            self.nominal_.append((weight, count > 0))
        self.numeric_ = _Numeric(self.scaled).fit(X[:, ~self.categorical])
        self.n_features_out_ = int((~self.categorical).sum()) + sum(
            int(seen.sum()) if self.encoding == "onehot" else 1 for _, seen in self.nominal_
        )
        return self

    def transform(self, X: np.ndarray) -> np.ndarray:
        """Encode rows `X` of shape (m, d); returns float64 (or uint8, see above) of shape (m, n_features_out_)."""
        X = self._checked(X)
        if self._kept(X):
            return X
        if self.encoding == "none":
            X = _sized(X, self.units_)
            X = X - self.origins_ if self.origins_.any() else X
            return np.where(np.isnan(X), self.filling_, X)
        blocks = []
        for j, (weight, seen) in zip(np.flatnonzero(self.categorical), self.nominal_, strict=True):
            # Slot 0 is the missing value, slot 1 + code a value; the last slot stands for all unseen codes.
            slots = np.minimum(_slots(X[:, j]), len(weight))
            if self.encoding == "onehot":
                blocks.append((slots[:, None] == np.flatnonzero(seen)[None, :]).astype(np.float64))
            else:
                blocks.append(np.append(np.where(seen, weight, 0.0), 0.0)[slots][:, None])
        blocks.append(self.numeric_.transform(X[:, ~self.categorical]))
        return np.ascontiguousarray(np.hstack(blocks))

    def fit_transform(self, X: np.ndarray, s: np.ndarray) -> np.ndarray:
        """`fit`, then `transform` of the same rows."""
        return self.fit(X, s).transform(X)

    def _tell_merged(self, X: np.ndarray) -> None:
        """Warn of columns of large numbers that 32 bits, in which most methods compare, do not keep apart."""
        large = ~self.categorical & (np.abs(np.nan_to_num(X)).max(0, initial=0.0) > WHOLE_NUMBERS)
        merged = [j for j in np.flatnonzero(large) if merged_share(X[:, j]) > WORTH_MENTION]
        if merged:
            places = f"column{'s' * (len(merged) > 1)} {some([j + 1 for j in merged], 5)}"
            warnings.warn(f"{places}: 32 bits, in which trees compare, merge different numbers", stacklevel=3)

    def _kept(self, X: np.ndarray) -> bool:
        return self.encoding == "none" and X.dtype == np.uint8

    def _checked(self, X: np.ndarray) -> np.ndarray:
        X = np.asarray(X)
        X = X if self._kept(X) else X.astype(np.float64, copy=False)
        if X.ndim != 2 or X.shape[1] != len(self.categorical):
            raise ValueError(f"a matrix with {len(self.categorical)} columns is wanted, this has shape {X.shape}")
        return X


def _sized(X: np.ndarray, units: np.ndarray | float = 1.0) -> np.ndarray:
    """Columns divided by their units and clipped so that they fit 32 bits and can be squared; infinity is kept."""
    with np.errstate(over="ignore"):
        return np.where(np.isinf(X), X, np.clip(X / units, -EXTREME, EXTREME))


def _filling(column: np.ndarray, nominal: bool) -> float:
    """What replaces a missing cell under the encoding "none"."""
    known = column[~np.isnan(column)]
    if nominal:
        return known.max(initial=-1.0) + 1.0
    return float(np.median(known)) if len(known) else 0.0


class _Numeric:
    """Mean imputation, then scikit-learn's StandardScaler."""

    def __init__(self, scaled: bool):
        self.scaled = scaled

    def fit(self, X: np.ndarray) -> _Numeric:
        # without units, the variance of values such as 1e-200 or 1e300 is 0 or infinite
        self.units_ = np.ones(X.shape[1]) if self.scaled else unit_of(X)
        X = _sized(X, self.units_)
        known = [column[~np.isnan(column)] for column in X.T]
        self.rounding_ = np.array([len(one) > 0 and flat_columns(one[:, None])[0].item() for one in known], bool)
        self.means_ = np.array([values.mean() if len(values) else 0.0 for values in known])
        self.scaler_ = None
        if not self.scaled and X.shape[1]:
            from sklearn.preprocessing import StandardScaler

            self.scaler_ = StandardScaler().fit(self._filled(X))
        return self

    def transform(self, X: np.ndarray) -> np.ndarray:
        X = self._filled(_sized(X, self.units_))
        if self.scaler_ is None:
            return X
        X = _sized(self.scaler_.transform(X))
        X[:, self.rounding_] = 0.0
        return X

    def _filled(self, X: np.ndarray) -> np.ndarray:
        return np.where(np.isnan(X), self.means_, X) if X.size else X


def _slots(column: np.ndarray) -> np.ndarray:
    """Missing cells in slot 0, code c in slot c + 1."""
    return np.where(np.isnan(column), 0, np.nan_to_num(column) + 1).astype(np.int64)


def _evidence(column: np.ndarray, label: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Smoothed weight of evidence of each slot, and its number of rows."""
    slots = _slots(column)
    total = np.bincount(slots, minlength=1).astype(np.float64)
    positive = np.bincount(slots, weights=label, minlength=1)
    negative = total - positive
    P, N = positive.sum(), negative.sum()
    return np.log(((positive + 1) / (P + 2)) / ((negative + 1) / (N + 2))), total
