"""Settings of the steps between reading and checking. `scarce.data.steps` applies them."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from scarce.config.block import Block, Once
from scarce.config.datasets.fields import Cell, Label


class KeepColumns(Block):
    """Keep these columns in this order, and the class column."""

    step: Literal["keep_columns"]
    columns: list[str] = Field(min_length=1)


class DropColumns(KeepColumns):
    """Remove these columns."""

    step: Literal["drop_columns"]


class Rename(Block):
    """Rename columns."""

    step: Literal["rename"]
    names: dict[str, str] = Field(min_length=1)


class DropRows(Block):
    """Remove the rows in which a column has one of these values; "" is a missing cell."""

    step: Literal["drop_rows"]
    column: str
    values: list[Cell] = Field(min_length=1)


class SetMissing(DropRows):
    """Make these values of a column missing cells."""

    step: Literal["set_missing"]


class Log(KeepColumns):
    """Natural logarithm of numeric columns with positive values only."""

    step: Literal["log"]


class KeepClasses(Block):
    """Keep the rows of these classes, in the order of the file."""

    step: Literal["keep_classes"]
    classes: list[Label] = Field(min_length=2)


class Relabel(Block):
    """Rename classes; others keep their names."""

    step: Literal["relabel"]
    classes: dict[Label, Label] = Field(min_length=1)


class TakeRows(Block):
    """The rows at these positions (from 0), in this order, then all rows of these classes, in the file's order."""

    step: Literal["take_rows"]
    first: Annotated[list[Annotated[int, Field(ge=0)]], Once] = Field(min_length=1)
    then_classes: list[Label] = Field([])


class StratifiedSubsample(Block):
    """Rows that StratifiedShuffleSplit(1, train_size=n, random_state=seed) draws, in its order, by y."""

    step: Literal["stratified_subsample"]
    n: int = Field(gt=0)
    seed: int = Field(ge=0)


class SampleClasses(Block):
    """Draw a number of rows of each class by RandomState(seed), one class after the other; keep the file's order."""

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
