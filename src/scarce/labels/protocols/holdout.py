"""Holdout: draw a subsample, hide labels in all of it, split off the test rows, split the others for a threshold.

References
----------
Ortega Vazquez, vanden Broucke & De Weerdt (2023), section 4: this order, strata of negative, hidden and labeled rows.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import Field

from scarce.config.block import Share
from scarce.labels.records import SplitSettings, ValidationSize, protocol

if TYPE_CHECKING:
    from scarce.labels.sample import Draw, Parts, Population, Sample


class Holdout(SplitSettings):
    """A share of the rows tests."""

    plan: Literal["holdout"] = Field("holdout", description="a share of the rows tests")
    test_size: Share = Field(0.30, description="share of the rows that test")
    validation_size: ValidationSize = 0.50
    subsample: Annotated[int, Field(ge=10)] | None = Field(None, description="rows drawn first from larger data sets")


@protocol(Holdout, hides_first=True)
def split(population: Population, settings: Holdout, observe: Callable[[Population], Sample], draw: Draw) -> Parts:
    """Parts of one repeat; the splits are stratified by what only the experimenter knows."""
    from scarce.labels.sample import Parts
    from scarce.labels.splits import split_by_label, split_off, subsample, threshold_parts

    rows = subsample(population.y, settings.subsample, draw.seed("subsample"))
    whole = observe(population.take(rows)).within(rows)
    y = population.y[whole.rows]
    train, test, outer_note = split_by_label(
        y, whole.s, lambda strata: split_off(strata, settings.test_size, draw.seed("split")), "training", "test"
    )
    fit, validation, inner_note = threshold_parts(
        y[train], whole.s[train], settings.validation_size, draw.seed("inner")
    )
    note = "; ".join(filter(None, (outer_note, inner_note)))
    return Parts(whole.take(train), whole.rows[test], fit, validation, note, whole)
