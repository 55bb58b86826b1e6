"""Options of the readers. `scarce.data.readers` reads the files."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, field_validator

from scarce.config.block import Block, Once, across
from scarce.config.datasets.fields import problem


class Keel(Block):
    """KEEL's .dat: header of @attribute lines, then comma-separated rows."""

    format: Literal["keel"]
    missing: list[str] = Field(["?", "<null>"])


class Arff(Block):
    """Weka's and OpenML's ARFF, dense or sparse."""

    format: Literal["arff"]


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
            raise problem("delimiter", f"{value!r} is neither one character nor the word whitespace{tab}")
        if value != "whitespace" and (not value.isascii() or value.isalnum() or value in "\r\n\0\"'.+-_"):
            raise problem("delimiter", f"{value!r} cannot separate values")
        return value

    @across("header", "columns")
    def _names_or_header(self) -> None:
        if self.header and self.columns:
            raise problem(
                "columns", "`columns:` names the columns of a file without a header; with `header: true` leave it out"
            )

    @across("header", "columns", "target_index")
    def _named_once(self) -> None:
        if (self.header or self.columns) and self.target_index != -1:
            raise problem("target_index", "the columns have names: `target:` says which one is the class column")

    @across("delimiter", "quote", "comment")
    def _marks_apart(self) -> None:
        for key in ("quote", "comment"):
            mark = getattr(self, key)
            if mark and (mark[0].isspace() or mark[0].isalnum() or mark[0] in ".+-" or mark[0] == self.delimiter):
                raise problem(key, f"{mark!r} begins or separates values")
        if self.comment == self.quote:
            raise problem("comment", f"{self.quote!r} is the quote already")


class Svmlight(Block):
    """LIBSVM's sparse text format; features become x1, x2, ..."""

    format: Literal["svmlight"]
    n_features: int | None = Field(None, gt=0)


class Npz(Block):
    """NumPy archive with a matrix and a vector of classes; pickles are refused."""

    format: Literal["npz"]
    features: str = "X"
    labels: str = "y"


Read = Annotated[Keel | Arff | Csv | Svmlight | Npz, Field(discriminator="format")]
