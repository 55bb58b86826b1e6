"""DILCA: distances between the values of categorical attributes, learnt from how they occur with other attributes.

Ienco & Pensa (2016), section 3.1, after Ienco, Pensa & Meo (2012). Attributes whose symmetric uncertainty with a target
attribute is high, and which do not repeat each other, form its context. Two values of the target are near each other
if they are equally frequent among the rows of every context value.

All contingency tables are blocks of one matrix of counts. Counts are exact, and what is computed from them is accurate
to a few units of the last place, so that uncertainties that are equal in exact arithmetic can be told from others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

import numpy as np

from scarce.estimators import checks
from scarce.estimators.categories import pair_counts, starts
from scarce.estimators.types import ArrayLike

DISTANCES = ("euclid", "kl")
REDUNDANCY = ("paper", "fcbf")
UNSEEN = ("natural", "max")

EPSILON = 1e-6
"""What the Kullback-Leibler variant adds to every count."""

TIED = 1e-12
"""Symmetric uncertainties that differ by less are equal; they err by about 1e-15."""


class Counts(NamedTuple):
    """How often values occur, alone and together.

    Parameters
    ----------
    n_rows : int
    starts : ndarray of shape (n_features + 1,)
        Where the values of each attribute start in `together`, and where the last ones end.
    together : ndarray of shape (sum of n_levels, sum of n_levels)
        Number of rows with both values; on the diagonal the number with a value.
    """

    n_rows: int
    starts: np.ndarray
    together: np.ndarray

    @property
    def alone(self) -> np.ndarray:
        """Number of rows with each value, shape (sum of n_levels,)."""
        return self.together.diagonal()

    def columns(self, attributes: Iterable[int]) -> np.ndarray:
        """Places of the values of some attributes."""
        return np.concatenate([np.arange(self.starts[i], self.starts[i + 1]) for i in attributes])


def dilca_distances(
    X: ArrayLike, n_levels: ArrayLike, *, distance: str = "euclid", redundancy: str = "paper", unseen: str = "natural"
) -> list[np.ndarray]:
    """Distances between the values of each attribute.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        Codes: whole numbers, in column i from 0 to ``n_levels[i] - 1``.
    n_levels : array-like of shape (n_features,)
        Number of declared values of each attribute, whether rows have them or not.
    distance : {"euclid", "kl"}, default="euclid"
        With P(a|x) the share of value a among the rows of a context value x, and |X| the number of declared values of
        a context attribute X: "euclid" is the root of ``sum of (P(a|x) - P(b|x))^2 / sum of |X|`` (Eq. 1), in [0, 1].
        "kl" is ``sum of (P(a|x) - P(b|x)) ln(P(a|x) / P(b|x)) / 2``, the mean of both Kullback-Leibler divergences
        (section 4.2), 0 or more; it adds `EPSILON` to every count. Sums run over all values x of the context; one that
        no row has contributes 0.
    redundancy : {"paper", "fcbf"}, default="paper"
        See `dilca_contexts`.
    unseen : {"natural", "max"}, default="natural"
        Distance of a value that no row has to another: by the formula, where its shares are 0, or 1.

    Returns
    -------
    list of ndarray of shape (n_levels[i], n_levels[i])
        Symmetric, with zeros on the diagonal. An attribute without a context, which is the only one, has distance 1
        between any two values.

    Raises
    ------
    ValueError
        If there is no row, a code is not as described, or an argument is none of its values.

    References
    ----------
    Ienco & Pensa (2016), Positive and unlabeled learning in categorical data, Neurocomputing.

    Examples
    --------
    Of the first attribute, 0 and 1 occur with the same values of the second; 2 occurs with the other one.

    >>> X = [[0, 0], [0, 0], [1, 0], [1, 0], [2, 1]]
    >>> dilca_distances(X, [3, 2])[0].round(3).tolist()
    [[0.0, 0.0, 0.791], [0.0, 0.0, 0.791], [0.791, 0.791, 0.0]]
    """
    checks.choice("distance", distance, DISTANCES)
    checks.choice("unseen", unseen, UNSEEN)
    checks.choice("redundancy", redundancy, REDUNDANCY)
    counts = _count(*_checked(X, n_levels))
    between = _euclid if distance == "euclid" else _kullback_leibler
    return [
        _between_values(counts, target, context, between, unseen)
        for target, context in enumerate(_contexts(counts, redundancy))
    ]


def dilca_contexts(X: ArrayLike, n_levels: ArrayLike, *, redundancy: str = "paper") -> list[np.ndarray]:
    """The attributes that distances between the values of each attribute are learnt from.

    For a target y, attributes are ranked by their symmetric uncertainty with it, SU(y, j) = 2 (H(y) + H(j) - H(y, j)) /
    (H(y) + H(j)), highest first, ties by index; those with 0 are left out. An attribute j is redundant and left out if
    a higher-ranked one that is kept, i, fulfils the rule.

    Parameters
    ----------
    X, n_levels
        As in `dilca_distances`.
    redundancy : {"paper", "fcbf"}, default="paper"
        "paper": SU(i, j) > SU(y, i) and SU(i, j) > SU(y, j), as printed. "fcbf": SU(i, j) >= SU(y, j), the rule of the
        selection that the paper cites (Yu & Liu 2003).

    Returns
    -------
    list of ndarray of int
        The context of each attribute, highest-ranked first. Where no attribute has a symmetric uncertainty above 0, all
        others by index.

    Raises
    ------
    ValueError
        As `dilca_distances`.

    Examples
    --------
    >>> [context.tolist() for context in dilca_contexts([[0, 0, 0], [0, 0, 1], [1, 1, 0], [1, 1, 1]], [2, 2, 2])]
    [[1], [0], [0, 1]]
    """
    checks.choice("redundancy", redundancy, REDUNDANCY)
    return _contexts(_count(*_checked(X, n_levels)), redundancy)


def _count(codes: np.ndarray, n_levels: np.ndarray) -> Counts:
    return Counts(len(codes), starts(n_levels), pair_counts(codes, n_levels))


def symmetric_uncertainty(counts: Counts) -> np.ndarray:
    """SU of all pairs of attributes, in [0, 1], shape (n_features, n_features); 0 where both are constant."""
    information = _information(counts.n_rows)
    first, ends = counts.starts[:-1], counts.starts[1:]
    joint = np.array(
        [  # an attribute at a time, so that no second matrix of all pairs of values is needed
            np.add.reduceat(information[counts.together[begin:end].astype(np.intp)].sum(axis=0), first)
            for begin, end in zip(first, ends, strict=True)
        ]
    )
    entropy = np.add.reduceat(information[counts.alone.astype(np.intp)], first)
    total = entropy[:, None] + entropy
    return np.clip(2 * (total - joint) / np.where(total > 0, total, 1), 0, 1)


def _information(n_rows: int) -> np.ndarray:
    """``-n log2(n / n_rows)`` for n = 0, ..., n_rows; relative errors are small near n_rows too, where it is near 0."""
    n = np.arange(n_rows + 1.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        logarithm = np.where(n > n_rows / 2, np.log1p(-(n_rows - n) / n_rows) / np.log(2), np.log2(n / n_rows))
        return np.where(n > 0, -n * logarithm, 0.0)


def _contexts(counts: Counts, redundancy: str) -> list[np.ndarray]:
    uncertainty = _ranks(symmetric_uncertainty(counts))
    return [_context(uncertainty, target, redundancy) for target in range(len(uncertainty))]


def _ranks(values: np.ndarray) -> np.ndarray:
    """Whole numbers in the order of values, equal for those that differ only by rounding; 0 for zeros."""
    order = np.argsort(values, axis=None)
    ranks = np.empty(values.size, np.int64)
    ranks[order] = np.cumsum(np.diff(values.ravel()[order], prepend=0.0) > TIED)
    return ranks.reshape(values.shape)


def _context(uncertainty: np.ndarray, target: int, redundancy: str) -> np.ndarray:
    relevance = uncertainty[target]
    others = np.flatnonzero(np.arange(len(relevance)) != target)
    ranked = others[np.argsort(-relevance[others], kind="stable")]
    ranked = ranked[relevance[ranked] > 0]
    if not len(ranked):
        return others
    kept = []
    while len(ranked):
        first, ranked = ranked[0], ranked[1:]
        kept.append(first)
        shared = uncertainty[first, ranked]
        # more than the relevance of the first is more than that of those behind it, too
        redundant = shared > relevance[first] if redundancy == "paper" else shared >= relevance[ranked]
        ranked = ranked[~redundant]
    return np.array(kept)


def _between_values(
    counts: Counts, target: int, context: np.ndarray, between: Callable[..., np.ndarray], unseen: str
) -> np.ndarray:
    values = counts.columns([target])
    levels = len(values)
    if not len(context):
        return 1.0 - np.eye(levels)
    columns = counts.columns(context)
    declared = len(columns)
    columns = columns[counts.alone[columns] > 0]
    n_value, n_context = counts.together[values[:, None], columns], counts.alone[columns]
    distances = np.zeros((levels, levels))
    for value in range(levels - 1):
        distances[value, value + 1 :] = between(n_value[value], n_value[value + 1 :], n_context, levels, declared)
    distances += distances.T
    if unseen == "max":
        absent = counts.alone[values] == 0
        distances[absent[:, None] | absent] = 1.0
        np.fill_diagonal(distances, 0.0)
    return distances


def _euclid(one: np.ndarray, others: np.ndarray, n_context: np.ndarray, _levels: int, declared: int) -> np.ndarray:
    # counts are subtracted before they are divided, so that small differences of shares keep all digits
    difference = (one - others) / n_context
    return np.sqrt((difference * difference).sum(axis=1) / declared)


def _kullback_leibler(
    one: np.ndarray, others: np.ndarray, n_context: np.ndarray, levels: int, _declared: int
) -> np.ndarray:
    difference = (one - others) / (n_context + EPSILON * levels)
    return (difference * np.log((one + EPSILON) / (others + EPSILON))).sum(axis=1) / 2


def _checked(X: ArrayLike, n_levels: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
    codes, levels = np.asarray(X), np.asarray(n_levels)
    if codes.ndim != 2 or 0 in codes.shape:
        raise ValueError(f"X must have rows and columns, got an array of shape {codes.shape}")
    if levels.shape != codes.shape[1:] or levels.dtype.kind not in "iu" or levels.min() < 1:
        raise ValueError(f"n_levels must be {codes.shape[1]} whole numbers of at least 1, got {n_levels!r}")
    if codes.dtype.kind not in "iuf" or not (codes == np.floor(codes)).all():
        raise ValueError("X must hold whole numbers, the codes of values")
    beyond = ((codes < 0) | (codes >= levels)).any(axis=0)
    if beyond.any():
        column = int(np.argmax(beyond))
        raise ValueError(
            f"column {column} of X holds codes from {codes[:, column].min():g} to {codes[:, column].max():g}, "
            f"but declares {levels[column]} values: they must be 0 to {levels[column] - 1}"
        )
    return codes.astype(np.intp), levels.astype(np.intp)
