"""Steps: what is done to the table between reading and checking (`scarce.data.steps` does it)."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from scarce.config.block import Block, Once
from scarce.config.datasets.fields import Cell, Label


class KeepColumns(Block):
    """Keep these columns, in this order (and the class column)."""

    step: Literal["keep_columns"]
    columns: list[str] = Field(min_length=1)


class DropColumns(Block):
    """Leave these columns out."""

    step: Literal["drop_columns"]
    columns: list[str] = Field(min_length=1)


class Rename(Block):
    """Give columns other names."""

    step: Literal["rename"]
    names: dict[str, str] = Field(min_length=1)


class DropRows(Block):
    """Leave out the rows in which a column has one of these values; "" is a missing cell."""

    step: Literal["drop_rows"]
    column: str
    values: list[Cell] = Field(min_length=1)


class SetMissing(Block):
    """These values of a column mean that the cell is missing."""

    step: Literal["set_missing"]
    column: str
    values: list[Cell] = Field(min_length=1)


class Log(Block):
    """Natural logarithm of numeric columns, all of whose values must be positive."""

    step: Literal["log"]
    columns: list[str] = Field(min_length=1)


class KeepClasses(Block):
    """Keep only the rows of these classes, in the order of the file."""

    step: Literal["keep_classes"]
    classes: list[Label] = Field(min_length=2)


class Relabel(Block):
    """Give classes other names; a class that is not named keeps its own."""

    step: Literal["relabel"]
    classes: dict[Label, Label] = Field(min_length=1)


class TakeRows(Block):
    """The rows at these positions (from 0), in this order, then all rows of these classes, in the file's order."""

    step: Literal["take_rows"]
    first: Annotated[list[Annotated[int, Field(ge=0)]], Once] = Field(min_length=1)
    then_classes: list[Label] = Field([])


class StratifiedSubsample(Block):
    """What StratifiedShuffleSplit(1, train_size=n, random_state=seed) takes, in its order; strata: positive or not."""

    step: Literal["stratified_subsample"]
    n: int = Field(gt=0)
    seed: int = Field(ge=0)


class SampleClasses(Block):
    """So many rows of each class, drawn by RandomState(seed), one class after the other; the file's order is kept."""

    step: Literal["sample_classes"]
    classes: dict[Label, Annotated[int, Field(gt=0)]] = Field(min_length=2)
    seed: int = Field(ge=0)


Step = Annotated[
    KeepColumns
    | DropColumns
    | Rename
    | DropRows
    | SetMissing
    | Log
    | KeepClasses
    | Relabel
    | TakeRows
    | StratifiedSubsample
    | SampleClasses,
    Field(discriminator="step"),
]
