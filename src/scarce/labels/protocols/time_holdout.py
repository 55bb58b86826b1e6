"""Holdout by time: training rows are earlier than test rows, and the origin, where training ends, can roll.

References
----------
Tashman (2000), Out-of-sample tests of forecasting accuracy: an analysis and review (rolling origin).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Literal

from pydantic import Field

from scarce.config.block import Share
from scarce.labels.records import Impossible, SplitSettings, ValidationSize, protocol

if TYPE_CHECKING:
    from scarce.labels.sample import Draw, Parts, Population, Sample


class TimeHoldout(SplitSettings):
    """The latest rows test; the data set declares the column of times as ``time:``."""

    plan: Literal["time_holdout"] = Field("time_holdout", description="the latest rows test")
    test_size: Share = Field(0.30, description="share of the rows, the latest ones, that test")
    origins: int = Field(
        1,
        ge=1,
        description="parts, one after the other, of the rows that test; each tests in one of `origins` repeats, which "
        "trains on all earlier rows. Repeats are a multiple of it",
    )
    validation_size: ValidationSize = Field(
        0.30,
        description="share of the training rows, the latest ones, on which thresholds are chosen; 0 chooses none",
    )

    @property
    def repeats_multiple_of(self) -> int:
        return self.origins


@protocol(TimeHoldout, needs="time")
def split(population: Population, settings: TimeHoldout, observe: Callable[[Population], Sample], draw: Draw) -> Parts:
    """Parts of one repeat, in the order of time; rows of one time are all on the later side of a cut."""
    import math

    import numpy as np

    from scarce.labels.splits import hide_in_training, split_times

    order = np.argsort(population.time, kind="stable").astype(np.int32)
    times, n_test = population.time[order], math.ceil(settings.test_size * len(order))
    turn = draw.repeat % settings.origins
    # the part that tests begins and ends at the first row of a time
    cuts = [len(order) - n_test + n_test * place // settings.origins for place in (turn, turn + 1)]
    start, end = (np.searchsorted(times, times[cut]) if cut < len(order) else cut for cut in cuts)
    if start == 0:
        raise Impossible("no row is earlier than the rows that test")
    if start == end:
        raise Impossible("all rows of this part have the time of earlier ones or of later ones, which test in another")
    return hide_in_training(
        population, order[:start], order[start:end], observe, settings.validation_size, draw,
        splitter=lambda rows: split_times(population.time[rows]),
    )  # fmt: skip
