"""The description of a data set: where its bytes come from, how they are read, what the table must be.

An unknown key is an error. So is a value whose type YAML has changed, such as ``positive: true`` for a class whose name
is the text true.
"""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field, ValidationInfo, field_validator

from scarce.config.advice import fault
from scarce.config.block import Block, across, known
from scarce.config.datasets.fields import DateForm, Label, Sha256, plain
from scarce.config.datasets.reading import Read, Step
from scarce.config.datasets.sources import Source, SourceSpec
from scarce.config.names import Name

#: Keys of the columns by which protocols split rows.
SPLIT_KEYS = ("group", "time")


class Expected(Block):
    """Rows, features, positives and classes of the prepared table."""

    n: int = Field(gt=0)
    d: int = Field(gt=0)
    positives: int | None = Field(None, gt=0, description="left out if unknown")
    classes: list[Label] = Field([])

    @across("n", "positives")
    def _some_negatives(self) -> None:
        if self.positives and self.positives >= self.n:
            raise fault("positives", f"{self.positives} of {self.n} rows: no row is negative")


class DatasetSpec(Block):
    """One data set of config/datasets.yaml."""

    name: Name
    title: str = ""
    code: str = ""
    sources: list[SourceSpec] = Field(min_length=1)
    read: Read | None = None
    nominal: list[str] = Field([])
    numeric: list[str] = Field([])
    dates: dict[str, DateForm] = Field({}, description="columns of dates, each with its form, such as %Y-%m-%d")
    target: str | None = Field(None, validate_default=True)
    positive: list[Label] = Field([], validate_default=True)
    negative: list[Label] = Field([], description="all classes that are negative; by default all others")
    group: str | None = Field(None, description="column of groups; no feature unless nominal or numeric lists it")
    time: str | None = Field(None, description="column of times; no feature unless nominal or numeric lists it")
    steps: list[Step] = Field([])
    test_files: list[str] = Field([], description="files, by their names in data/raw, that are the test part")
    scaled: bool = False
    expected: Expected | None = None
    content_sha256: Sha256 | None = None
    licence: str = ""
    citation: str = ""
    reason: str | None = None
    optional: bool = Field(False, description="studies are complete without it, where it cannot be had")
    substitute_for: Annotated[str, known("data set")] | None = None
    origin: Name | None = Field(None, description="table that its rows come from; data sets of one origin share rows")
    note: str = ""
    issues: list[str] = Field([], description="known leaks, altered copies and errors, a sentence each")

    @field_validator("target")
    @classmethod
    def _target(cls, value: str | None, info: ValidationInfo) -> str | None:
        readers = [source.read or info.data.get("read") for source in info.data.get("sources", [])]
        if value is None and any(read is not None and read.format in ("csv", "arff") for read in readers):
            from scarce.data.availability import columns_and_classes

            columns, _ = columns_and_classes(info.data)
            raise fault("target", f"the class column is not stated: add `target: <column>`{columns}")
        return value

    @field_validator("positive", mode="before")
    @classmethod
    def _positive(cls, value: Any, info: ValidationInfo) -> Any:
        if value is None or value == []:
            from scarce.data.availability import columns_and_classes

            _, classes = columns_and_classes(info.data)
            message = "the positive class is not stated: add `positive: <class>`, or a list of classes, as in the file"
            raise fault("positive", message + classes)
        return list(value) if isinstance(value, list | tuple) else [value]

    @field_validator("negative", mode="before")
    @classmethod
    def _negative(cls, value: Any) -> Any:
        return list(value) if isinstance(value, list | tuple) else [value]

    @across("positive", "negative")
    def _one_side_a_class(self) -> None:
        for name in self.negative:
            if name in self.positive:
                raise fault("negative", f"class {name!r} is listed as positive and as negative")

    @across("sources", "read")
    def _readable(self) -> None:
        for source in self.sources:
            if self.reader(source) is None:
                raise fault("read", f"{_of(source)} does not say how it is read: add `read:` with a `format:`")

    @across("sources")
    def _distinct_file_names(self) -> None:
        for source in self.sources:
            names = [file.saved_as for file in getattr(source, "files", [])]
            distinct = {name.casefold() for name in names}  # on many systems toy.csv and TOY.csv are one file
            if "" in names or len(distinct) < len(names) or not all(map(plain, names)):
                raise fault("files", f"{_of(source)}: each file needs a name of its own, give it as `name:`")

    @across("sources", "test_files")
    def _training_and_test_files(self) -> None:
        for source in self.sources if self.test_files else ():
            names = {file.saved_as for file in getattr(source, "files", [])}
            if lacking := sorted(set(self.test_files) - names):
                raise fault("test_files", f"{_of(source)} has no file {', '.join(lacking)}")
            if not names - set(self.test_files):
                raise fault("test_files", f"{_of(source)} has no file beside them")

    @across("sources", "content_sha256")
    def _verifiable(self) -> None:
        for source in self.sources:
            files = getattr(source, "files", [])
            verified = source.kind in ("local", "generated") or (files and all(file.sha256 for file in files))
            if not verified and self.content_sha256 is None:
                raise fault("sha256", f"{_of(source)} needs a sha256 for each file, or the data set a content_sha256")

    @across("name", "substitute_for")
    def _for_another(self) -> None:
        if self.substitute_for == self.name:
            raise fault("substitute_for", "a data set cannot stand in for itself")

    @across("positive", "expected")
    def _expected_positives(self) -> None:
        for name in self.positive if self.expected and self.expected.classes else ():
            if name not in self.expected.classes:
                known = ", ".join(self.expected.classes)
                raise fault("positive", f"the positive class {name!r} is none of the classes expected: {known}")

    @across("nominal", "numeric")
    def _one_kind_a_column(self) -> None:
        numeric = set(self.numeric)
        for name in self.nominal:
            if name in numeric:
                raise fault("nominal", f"column {name!r} is listed as nominal and as numeric")

    @across("nominal", "dates")
    def _dates_are_numbers(self) -> None:
        for name in self.nominal:
            if name in self.dates:
                raise fault("dates", f"column {name!r} is listed as nominal and as a date, which is a number")

    @across("dates", "target", "group", "time")
    def _beside_the_class(self) -> None:
        for key, names in {"dates": self.dates, "group": [self.group], "time": [self.time]}.items():
            if self.target is not None and self.target in names:
                raise fault(key, f"column {self.target!r} is the class column")

    @property
    def split_columns(self) -> dict[str, str]:
        """Columns by which protocols split rows, by key."""
        return {key: name for key in SPLIT_KEYS if (name := getattr(self, key)) is not None}

    @property
    def no_features(self) -> set[str]:
        """Those of them that neither `nominal` nor `numeric` lists as well."""
        return {*self.split_columns.values()} - {*self.nominal, *self.numeric}

    def reader(self, source: Source) -> Any:
        """How a source's files are read."""
        return source.read or self.read


def _of(source: Source) -> str:
    return f"source {source.kind} ({source.where})"
