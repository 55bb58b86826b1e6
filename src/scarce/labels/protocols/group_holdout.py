"""Holdout by groups: a share of the groups tests, so that rows of one group never both train and test."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Literal

from pydantic import Field

from scarce.config.block import Share
from scarce.labels.records import SplitSettings, ValidationSize, protocol

if TYPE_CHECKING:
    from scarce.labels.sample import Draw, Parts, Population, Sample


class GroupHoldout(SplitSettings):
    """A share of the groups tests; the data set declares the column of groups as ``group:``."""

    plan: Literal["group_holdout"] = Field("group_holdout", description="a share of the groups tests")
    test_size: Share = Field(0.30, description="share of the groups that test, with all their rows")
    validation_size: ValidationSize = 0.50


@protocol(GroupHoldout, needs="group")
def split(population: Population, settings: GroupHoldout, observe: Callable[[Population], Sample], draw: Draw) -> Parts:
    """Parts of one repeat: groups with and without a positive in proportion; labels hidden in the training rows only.

    Validation rows, too, are those of whole groups.
    """
    from scarce.labels.splits import hide_in_training, split_groups

    training, test = split_groups(population.group)(population.y, settings.test_size, draw.seed("split"))
    return hide_in_training(
        population, training, test, observe, settings.validation_size, draw,
        splitter=lambda rows: split_groups(population.group[rows]),
    )  # fmt: skip
