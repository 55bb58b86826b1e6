"""How bytes become a table: options of the readers, then settings of the steps between reading and checking.

`scarce.data.readers` reads the files, `scarce.data.steps` applies the steps.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, field_validator

from scarce.config.advice import fault
from scarce.config.block import Block, Once, across
from scarce.config.datasets.fields import Cell, Label

_DECLARED = "whether values that the header lists are levels even if no row has them"


class Keel(Block):
    """KEEL's .dat: header of @attribute lines, then comma-separated rows."""

    format: Literal["keel"]
    missing: list[str] = Field(["?", "<null>"])
    declared: bool = Field(False, description=_DECLARED)


class Arff(Block):
    """Weka's and OpenML's ARFF, dense or sparse."""

    format: Literal["arff"]
    declared: bool = Field(False, description=_DECLARED)


class Csv(Block):
    """Delimited text; the rows of several files are put one below the other."""

    format: Literal["csv"]
    delimiter: str = Field(",", description="one character, or `whitespace`")
    header: bool = Field(True, description="whether the first line holds the column names")
    columns: Annotated[list[str], Once] | None = Field(None, description="their names, if there is no header")
    target_index: int = Field(-1, description="place of the class column, if there are no names; -1 is the last")
    missing: list[str] = Field([], description="texts that mean a missing cell, besides the empty one")
    quote: str = Field('"', min_length=1, max_length=1)
    comment: str | None = Field(None, min_length=1, description="how comment lines begin, such as #")

    @field_validator("delimiter")
    @classmethod
    def _one_character(cls, value: str) -> str:
        if value != "whitespace" and len(value) != 1:
            tab = ': a tab is "\\t", in double quotes' if value in ("\\t", "tab") else ""
            raise fault("delimiter", f"{value!r} is neither one character nor the word whitespace{tab}")
        if value != "whitespace" and (not value.isascii() or value.isalnum() or value in "\r\n\0\"'.+-_"):
            raise fault("delimiter", f"{value!r} cannot separate values")
        return value

    @across("header", "columns")
    def _names_or_header(self) -> None:
        if self.header and self.columns:
            raise fault(
                "columns", "`columns:` names the columns of a file without a header; with `header: true` leave it out"
            )

    @across("header", "columns", "target_index")
    def _named_once(self) -> None:
        if (self.header or self.columns) and self.target_index != -1:
            raise fault("target_index", "the columns have names: `target:` says which one is the class column")

    @across("delimiter", "quote", "comment")
    def _marks_apart(self) -> None:
        for key in ("quote", "comment"):
            mark = getattr(self, key)
            if mark and (mark[0].isspace() or mark[0].isalnum() or mark[0] in ".+-" or mark[0] == self.delimiter):
                raise fault(key, f"{mark!r} begins or separates values")
        if self.comment == self.quote:
            raise fault("comment", f"{self.quote!r} is the quote already")


class Svmlight(Block):
    """LIBSVM's sparse text format; features become x1, x2, ..."""

    format: Literal["svmlight"]
    n_features: int | None = Field(None, gt=0)


class Npz(Block):
    """NumPy archive with a matrix and a vector of classes; pickles are refused."""

    format: Literal["npz"]
    features: str = "X"
    labels: str = "y"


class Matrix(Block):
    """Numbers in text, separated by blanks, without a header; each file is followed by one with a class a line."""

    format: Literal["matrix"]


class Idx(Block):
    """Arrays of bytes, such as MNIST's images; each file is followed by one with the class of each row."""

    format: Literal["idx"]


class Texts(Block):
    """Tar files of texts, a folder for each class, as averages of word vectors; the last file is an npz of these."""

    format: Literal["texts"]
    words: str = Field("words", description="array of the words, UTF-8 bytes with a line feed between words")
    vectors: str = Field("vectors", description="matrix with a row for each word")
    test_folder: str | None = Field(None, description="folder whose texts are the test part")


class Pictures(Block):
    """Tar files of pictures of one size, a folder for each class, as bytes of their pixels."""

    format: Literal["pictures"]
    test_folder: str | None = Field(None, description="folder whose pictures are the test part")


Read = Annotated[Keel | Arff | Csv | Svmlight | Npz | Matrix | Idx | Texts | Pictures, Field(discriminator="format")]


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


class Impute(Block):
    """Fill missing cells: numeric columns by their mean, nominal ones by their most frequent level (ties: the first).

    Means and frequencies are those of all rows that the step sees. Used before the rows are split, it lets test rows
    into the values that are filled in; a study that must not do that imputes by its encoding.
    """

    step: Literal["impute"]


class Bin(Block):
    """Cut numeric columns into bins of equal width between their least and greatest value, and make them nominal.

    A value x is in bin floor((x - min) / width), the greatest in the last. The levels are the bins' numbers from 0, all
    of them even if a bin has no row; a constant column has one. Missing cells stay missing.
    """

    step: Literal["bin"]
    bins: int = Field(10, ge=2, le=1000)
    columns: Annotated[list[str], Once] | None = Field(None, description="by default all numeric columns")


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
    | Impute
    | Bin
    | KeepClasses
    | Relabel
    | TakeRows
    | StratifiedSubsample
    | SampleClasses,
    Field(discriminator="step"),
]
