"""Stratified draws that protocols are made of."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from scarce.labels.records import Impossible
from scarce.labels.sample import Draw, Parts, Population, Sample, no_rows
from scarce.strata import Pair, stratified_parts, stratified_rows

#: From strata of rows, the share of the second part and a seed to the positions of both parts.
Splitter = Callable[[np.ndarray, float, int], Pair]


def subsample(y: np.ndarray, size: int | None, seed: int) -> np.ndarray:
    """Ordered positions of a stratified subsample; all rows in their own order where there are no more than `size`.

    The order of a drawn subsample is the shuffled one. It matters: the flip counts positives in that order, and a
    bootstrap draws positions. `Impossible` if a class has a single row, or none of its rows is drawn.
    """
    if size is None or len(y) <= size:
        return np.arange(len(y), dtype=np.int32)
    try:
        return stratified_rows(y, size, seed)
    except ValueError as error:
        raise Impossible(str(error)) from None


def split_off(strata: np.ndarray, share: float, seed: int) -> Pair:
    """Split once, every stratum in the same proportion (up to rounding).

    Parameters
    ----------
    strata : ndarray of shape (n,)
        Stratum of each row.
    share : float
        Share of the second part, in (0, 1).
    seed : int

    Returns
    -------
    (ndarray, ndarray), int32
        Positions of the first and of the second part, in shuffled order.

    Raises
    ------
    Impossible
        If a stratum has a single row, or a part would be smaller than the number of strata.
    """
    second = math.ceil(share * len(strata))
    first = len(strata) - second
    if min(first, second) < (n_strata := len(np.unique(strata))):
        raise Impossible(f"a part of {min(first, second)} rows cannot hold {n_strata} strata")
    try:
        return stratified_parts(strata, first, second, seed)
    except ValueError as error:
        raise Impossible(str(error)) from None


def deal(strata: np.ndarray, folds: int, seed: int) -> Pair:
    """Shuffled positions and the fold of each: dealt stratum by stratum, so that each stratum is spread evenly."""
    shuffled = np.random.RandomState(seed).permutation(len(strata))
    fold = np.empty(len(strata), int)
    fold[np.argsort(strata[shuffled], kind="stable")] = np.arange(len(strata)) % folds
    return shuffled, fold


def strata_of_groups(group: np.ndarray, strata: np.ndarray) -> Pair:
    """Position of each row's group in the sorted groups, and the stratum of each group: the highest of its rows."""
    groups, at = np.unique(group, return_inverse=True)
    highest = np.zeros(len(groups), int)
    np.maximum.at(highest, at, strata)
    return at, highest


def split_groups(group: np.ndarray) -> Splitter:
    """A splitter whose second part has a share of the groups, with all their rows.

    Each stratum of groups is split in proportion; where too few groups forbid that, strata do not matter. Rows keep
    their order.
    """

    def split(strata: np.ndarray, share: float, seed: int) -> Pair:
        at, of_groups = strata_of_groups(group, strata)
        if len(of_groups) < 2:
            raise Impossible("all rows are of one group")
        try:
            _, second = split_off(of_groups, share, seed)
        except Impossible:
            n_second = min(math.ceil(share * len(of_groups)), len(of_groups) - 1)
            second = np.random.RandomState(seed).permutation(len(of_groups))[:n_second]
        in_second = np.isin(at, second)
        return np.flatnonzero(~in_second).astype(np.int32), np.flatnonzero(in_second).astype(np.int32)

    return split


def split_times(time: np.ndarray) -> Splitter:
    """A splitter whose second part has the latest rows: a share of all, and those of the time of the first of them.

    Rows stand in the order of their times. Nothing is drawn.
    """

    def split(strata: np.ndarray, share: float, seed: int) -> Pair:
        order = np.argsort(time, kind="stable").astype(np.int32)
        starts = time[order[len(time) - math.ceil(share * len(time))]]
        first = int(np.searchsorted(time[order], starts))
        if not first:
            raise Impossible(f"no row is earlier than the latest {share:.0%}")
        return order[:first], order[first:]

    return split


def split_by_label(y, s, split: Callable[[np.ndarray], Pair], first: str, second: str) -> tuple[np.ndarray, ...]:
    """Split on negative / hidden / labeled; where too few rows forbid that, on negative / positive.

    Gives the positions of both parts, and a note on why the split is by true class only, or "". `first` and `second`
    name the parts. Raises `Impossible` if the first would have no labeled positive, or the second no positive.
    """
    # coded 0, 1, 2 in the order of the authors' names of the strata: the random stream depends on it
    hidden = y.astype(np.int8) + s
    reason = ""
    for strata, note in ((hidden, ""), (y, f"{first}/{second} split by true class only: {{}}")):
        try:
            parts = split(strata)
        except Impossible as error:
            problem = str(error)
        else:
            problem = ""
            if not s[parts[0]].any():
                problem = f"no labeled positive among the {first} rows"
            elif not (y[parts[1]] == 1).any():
                problem = f"no positive among the {second} rows"
            if not problem:
                return *parts, note.format(reason)
        reason = reason or problem
    raise Impossible(problem)


def threshold_parts(y, s, size: float, seed: int, split: Splitter = split_off) -> tuple[np.ndarray, np.ndarray, str]:
    """Fit and validation positions of training rows, and a note; both are empty where no threshold can be chosen."""
    if not size:
        return no_rows(), no_rows(), ""
    try:
        return split_by_label(y, s, lambda strata: split(strata, size, seed), "fit", "validation")
    except Impossible as error:
        return no_rows(), no_rows(), f"no validation rows: {error}"


def hide_in_training(
    population: Population,
    training: np.ndarray,
    test: np.ndarray,
    observe: Callable[[Population], Sample],
    validation_size: float,
    draw: Draw,
    splitter: Callable[[np.ndarray], Splitter] = lambda rows: split_off,
) -> Parts:
    """Parts of a repeat whose labels are hidden in the training rows only.

    Parameters
    ----------
    population : Population
    training, test : ndarray
        Rows of the population.
    observe : callable
        Hides the labels of a population.
    validation_size : float
        Share of the training positions on which thresholds are chosen; 0 chooses none.
    draw : Draw
    splitter : callable
        From rows of the population to what splits them for a threshold.

    Raises
    ------
    Impossible
        If one of the parts has no positive, or the labeling finds the rows impossible.
    """
    for rows, part in ((training, "training"), (test, "test")):
        if not population.y[rows].any():
            raise Impossible(f"no positive among the {part} rows")
    train = observe(population.take(training)).within(training)
    fit, validation, note = threshold_parts(
        population.y[train.rows], train.s, validation_size, draw.seed("inner"), splitter(train.rows)
    )
    if twice := int(np.isin(train.rows[validation], train.rows[fit]).sum()):
        note = "; ".join(filter(None, (note, f"{twice} of {len(validation)} validation rows fit as well")))
    return Parts(train, test, fit, validation, note)
