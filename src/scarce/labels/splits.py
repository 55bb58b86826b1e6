"""Which rows train and which rows test.

A plan is one function ``(strata, split, repeat, seed_of) -> (train, test)`` in `PLANS`, all positions ordered;
``seed_of(purpose, repeat)`` gives the seed, so that a plan whose repeats share a shuffle (5x2, k-fold) asks for the
seed of the first of them.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from scarce.labels.errors import Impossible

Parts = tuple[np.ndarray, np.ndarray]
SeedOf = Callable[[str, int], int]


def subsample(y, size: int | None, seed: int) -> np.ndarray:
    """Ordered positions of a stratified subsample; all rows in their own order where there are no more than `size`.

    The order of a drawn subsample is the shuffled one. It matters: the flip counts positives in that order, and a
    bootstrap draws positions.
    """
    y = np.asarray(y)
    if size is None or len(y) <= size:
        return np.arange(len(y), dtype=np.int32)
    return _shuffle_split(y, seed, train_size=size)[0]


def holdout(strata, test_size: float, seed: int) -> Parts:
    """Split once, every stratum in the same proportion (up to rounding).

    Parameters
    ----------
    strata : array-like of shape (n,)
        Stratum of each row.
    test_size : float
        Share of the second part, in (0, 1).
    seed : int

    Returns
    -------
    (ndarray, ndarray), int32
        Positions of the first and of the second part, in shuffled order.

    Raises
    ------
    Impossible
        A ValueError: a stratum has a single row, or a part would be smaller than the number of strata.
    """
    return _shuffle_split(np.asarray(strata), seed, test_size=test_size)


def _shuffle_split(strata: np.ndarray, seed: int, **size) -> Parts:
    from sklearn.model_selection import StratifiedShuffleSplit

    if np.unique(strata, return_counts=True)[1].min() < 2:
        raise Impossible("a stratum has a single row")
    splitter = StratifiedShuffleSplit(n_splits=1, random_state=seed, **size)
    try:
        first, second = next(splitter.split(np.zeros((len(strata), 1), np.int8), strata))
    except ValueError as error:
        raise Impossible(" ".join(str(error).split())) from error
    return first.astype(np.int32), second.astype(np.int32)


def _holdout(strata: np.ndarray, split, repeat: int, seed_of: SeedOf) -> Parts:
    return holdout(strata, split.test_size, seed_of("split", repeat))


def _five_by_two(strata: np.ndarray, split, repeat: int, seed_of: SeedOf) -> Parts:
    """Two halves; a pair of repeats shares them, each training on the one that the other tests (Dietterich 1998)."""
    first, second = holdout(strata, 0.5, seed_of("split", repeat - repeat % 2))
    return (second, first) if repeat % 2 else (first, second)


PLANS: dict[str, Callable[..., Parts]] = {"holdout": _holdout, "five_by_two": _five_by_two}
