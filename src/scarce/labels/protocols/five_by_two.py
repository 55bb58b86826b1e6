"""Five times twofold cross-validation: two repeats share two halves, each trains on the half that the other tests.

References
----------
Dietterich (1998). Approximate statistical tests for comparing supervised classification learning algorithms.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Literal

from pydantic import Field

from scarce.labels.records import SplitSettings, ValidationSize, protocol

if TYPE_CHECKING:
    from scarce.labels.sample import Draw, Parts, Population, Sample


class FiveByTwo(SplitSettings):
    """Two repeats share a shuffle and swap its halves."""

    plan: Literal["five_by_two"] = Field("five_by_two", description="two repeats share a shuffle and swap its halves")
    validation_size: ValidationSize = 0.50

    @property
    def repeats_multiple_of(self) -> int:
        return 2


@protocol(FiveByTwo)
def split(population: Population, settings: FiveByTwo, observe: Callable[[Population], Sample], draw: Draw) -> Parts:
    """Parts of one repeat: halves stratified by true class, and labels hidden in the training half only."""
    from scarce.labels.splits import hide_in_training, split_off

    halves = split_off(population.y, 0.5, draw.seed("split", draw.repeat - draw.repeat % 2))
    training, test = halves if draw.repeat % 2 == 0 else halves[::-1]
    return hide_in_training(population, training, test, observe, settings.validation_size, draw)
