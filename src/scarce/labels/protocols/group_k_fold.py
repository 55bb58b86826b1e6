"""K-fold cross-validation by groups: each group tests in one of `folds` repeats."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Literal

from pydantic import Field

from scarce.labels.protocols.k_fold import KFold
from scarce.labels.records import Impossible, protocol

if TYPE_CHECKING:
    from scarce.labels.sample import Draw, Parts, Population, Sample


class GroupKFold(KFold):
    """Each group tests in one of `folds` repeats; the data set declares the column of groups as ``group:``."""

    plan: Literal["group_k_fold"] = Field("group_k_fold", description="each group tests in one of `folds` repeats")


@protocol(GroupKFold, needs="group")
def split(population: Population, settings: GroupKFold, observe: Callable[[Population], Sample], draw: Draw) -> Parts:
    """Parts of one repeat: groups, those with a positive apart, are shuffled and dealt to the folds.

    Validation rows, too, are those of whole groups.
    """
    import numpy as np

    from scarce.labels.splits import deal, hide_in_training, split_groups, strata_of_groups

    at, of_groups = strata_of_groups(population.group, population.y)
    if len(of_groups) < settings.folds:
        raise Impossible(f"{settings.folds} folds need as many groups, and there are {len(of_groups)}")
    turn = draw.repeat % settings.folds
    shuffled, fold = deal(of_groups, settings.folds, draw.seed("folds", draw.repeat - turn))
    tests = np.isin(at, shuffled[fold == turn])
    return hide_in_training(
        population, np.flatnonzero(~tests), np.flatnonzero(tests), observe, settings.validation_size, draw,
        splitter=lambda rows: split_groups(population.group[rows]),
    )  # fmt: skip
