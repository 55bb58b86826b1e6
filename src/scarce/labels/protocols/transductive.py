"""Transductive evaluation: the unlabeled training rows, with their hidden labels, are the test rows."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Literal

from pydantic import Field

from scarce.labels.records import Impossible, SplitSettings, protocol

if TYPE_CHECKING:
    from scarce.labels.sample import Draw, Parts, Population, Sample


class Transductive(SplitSettings):
    """The unlabeled training rows test; no threshold is chosen."""

    plan: Literal["transductive"] = Field("transductive", description="the unlabeled training rows test")


@protocol(Transductive, transductive=True)
def split(population: Population, settings: Transductive, observe: Callable[[Population], Sample], draw: Draw) -> Parts:
    """Parts of one repeat; a row that stands among the unlabeled ones twice tests twice."""
    from scarce.labels.sample import Parts

    train = observe(population)
    test = train.rows[train.s == 0]
    if not population.y[test].any():
        raise Impossible("no positive among the unlabeled rows, which test")
    return Parts(train, test, transductive=True)
