"""K-fold cross-validation: each fold tests in one of `folds` repeats, and labels are hidden in the other folds."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Literal

from pydantic import Field

from scarce.labels.records import SplitSettings, ValidationSize, protocol

if TYPE_CHECKING:
    from scarce.labels.sample import Draw, Parts, Population, Sample


class KFold(SplitSettings):
    """Each fold tests in one of `folds` repeats, which share a shuffle."""

    plan: Literal["k_fold"] = Field("k_fold", description="each fold tests in one of `folds` repeats")
    folds: int = Field(10, ge=2, description="number of folds; repeats are a multiple of it")
    validation_size: ValidationSize = 0.50

    @property
    def repeats_multiple_of(self) -> int:
        return self.folds


@protocol(KFold)
def split(population: Population, settings: KFold, observe: Callable[[Population], Sample], draw: Draw) -> Parts:
    """Parts of one repeat: shuffled rows are dealt to the folds class by class, so that each class is spread evenly."""
    from scarce.labels.splits import deal, hide_in_training

    turn = draw.repeat % settings.folds
    shuffled, fold = deal(population.y, settings.folds, draw.seed("folds", draw.repeat - turn))
    training, test = shuffled[fold != turn], shuffled[fold == turn]
    return hide_in_training(population, training, test, observe, settings.validation_size, draw)
