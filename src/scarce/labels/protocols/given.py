"""The data set's own test part tests; where it has none, a share of its rows, the same in all repeats."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Literal

from pydantic import Field

from scarce.config.block import Share
from scarce.labels.records import SplitSettings, ValidationSize, protocol

if TYPE_CHECKING:
    from scarce.labels.sample import Draw, Parts, Population, Sample


class Given(SplitSettings):
    """The data set's own test part tests."""

    plan: Literal["given"] = Field("given", description="the data set's own test part tests")
    test_size: Share = Field(0.20, description="share of the rows that test in data sets without a test part")
    validation_size: ValidationSize = 0.50
    resample: bool = Field(False, description="whether each repeat splits these data sets anew")


@protocol(Given)
def split(population: Population, settings: Given, observe: Callable[[Population], Sample], draw: Draw) -> Parts:
    """Parts of one repeat; rows that are drawn to test are stratified by true class."""
    import numpy as np

    from scarce.labels.splits import hide_in_training, split_off

    if population.test_part is not None:
        training, test = (np.flatnonzero(population.test_part == part) for part in (0, 1))
    else:
        seed = draw.seed("split") if settings.resample else draw.seed("split", 0)
        training, test = split_off(population.y, settings.test_size, seed)
    return hide_in_training(population, training, test, observe, settings.validation_size, draw)
