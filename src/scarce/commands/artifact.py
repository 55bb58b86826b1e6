"""`scarce artifact`: one archive to submit or to keep, with what is known of every file in it.

It holds the files that git tracks, packs, distributions, datasheets, Croissant descriptions, RO-Crate metadata and
SHA256SUMS. The same files give the same bytes.
"""

from __future__ import annotations

import gzip
import hashlib
import subprocess
import tarfile
from collections.abc import Iterable, Mapping
from datetime import UTC, date, datetime
from io import BytesIO
from pathlib import Path

import pyarrow as pa
import yaml
from pyarrow import parquet

from scarce import papers, paths
from scarce.config.project import Project
from scarce.errors import ConfigError
from scarce.files import atomic, json_text
from scarce.report import crate, croissant
from scarce.report.croissant import FileFacts, Release
from scarce.report.datasheet import datasheet
from scarce.result_files import COLUMNS, RESULT_FILES
from scarce.stages import pack_files
from scarce.words import number

SUMS = "SHA256SUMS"
DATASHEETS = "datasheets"
LICENCES = {"BSD-3-Clause": "https://spdx.org/licenses/BSD-3-Clause"}
DESCRIPTION = "Benchmark of classifiers that learn from positive and unlabeled data: code, packs, datasheets."


def artifact(project: Project, *, output: Path | None = None, dist: Path | None = None) -> str:
    """Write the archive, and say where it is and what its SHA-256 is.

    Parameters
    ----------
    project : Project
    output : Path, optional
        By default ``dist/scarce-<version>-artifact.tar.gz``.
    dist : Path, optional
        A folder with wheels and sdists to put into ``dist``.

    Raises
    ------
    ConfigError
        If the working directory is no git checkout with CITATION.cff.
    DataError
        If a pack below ``packs`` lacks, changed or added a file.
    """
    release, modes = _release(), _tracked()
    contents = {name: Path(name).read_bytes() for name in modes}
    for folder in sorted(file.parent for file in paths.PACKS.glob(f"*/{pack_files.INDEX}")):
        contents |= pack(folder, release)
    for pattern in ("-*.whl", ".tar.gz") if dist else ():
        contents |= {f"dist/{file.name}": file.read_bytes() for file in dist.glob(f"scarce-{release.version}{pattern}")}
    contents |= datasheets(project, release)
    facts = {name: _facts(content) for name, content in sorted(contents.items())}
    contents[crate.METADATA] = json_text(crate.crate(DESCRIPTION, facts, release)).encode()
    sums = {name: hashlib.sha256(content).hexdigest() for name, content in sorted(contents.items())}
    contents[SUMS] = "".join(f"{digest}  {name}\n" for name, digest in sums.items()).encode()
    target = output or Path("dist") / f"scarce-{release.version}-artifact.tar.gz"
    write_archive(target, f"scarce-{release.version}", contents, modes, release.date)
    digest = hashlib.sha256(target.read_bytes()).hexdigest()
    return f"{target}: {number(len(contents), 'file')}, sha256 {digest}"


def pack(folder: Path, release: Release) -> dict[str, bytes]:
    """The files of a pack, and its Croissant description beside the folder."""
    about = pack_files.read_index(folder)
    inside = {name: (folder / name).read_bytes() for name in [*about["files"], pack_files.INDEX]}
    tables = {pack_files.result_file(file.path): file.columns for file in RESULT_FILES.values()}
    facts = {
        name: _facts(content)._replace(columns=_columns(name, content, tables.get(name, ())))
        for name, content in inside.items()
    }
    described = croissant.of_pack(about, facts, release)
    place = f"{paths.PACKS}/{about['name']}"
    files = {f"{place}/{name}": content for name, content in inside.items()}
    return files | {f"{place}.croissant.json": json_text(described).encode()}


def datasheets(project: Project, release: Release) -> dict[str, bytes]:
    """A datasheet of every data set, and a Croissant description of those with public files."""
    of_paper = {
        name: paper.name
        for paper in papers.discover()
        if (file := paper.folder / "datasets.yaml").is_file()
        for name in yaml.safe_load(file.read_text(encoding="utf-8"))
    }
    written: dict[str, bytes] = {}
    for name, spec in project.datasets.items():
        studies = [study.name for study in project.studies.values() if name in study.datasets]
        written[f"{DATASHEETS}/{name}.md"] = datasheet(spec, studies, of_paper.get(name, "")).encode()
        if described := croissant.of_dataset(spec, release):
            written[f"{DATASHEETS}/{name}.croissant.json"] = json_text(described).encode()
    return written


def write_archive(
    path: Path, root: str, contents: Mapping[str, bytes], executable: Mapping[str, bool], day: str
) -> None:
    """Write a tar.gz whose bytes depend on its arguments alone: sorted, one time, no owner.

    `executable` says of names whether they may be executed; others may not.
    """
    moment = int(datetime.combine(date.fromisoformat(day), datetime.min.time(), UTC).timestamp())
    with (
        atomic(path) as handle,
        gzip.GzipFile(filename="", mode="wb", fileobj=handle, mtime=0) as packed,
        tarfile.open(fileobj=packed, mode="w", format=tarfile.GNU_FORMAT) as archive,
    ):
        for name, content in sorted(contents.items()):
            member = tarfile.TarInfo(f"{root}/{name}")
            member.size, member.mtime = len(content), moment
            member.mode = 0o755 if executable.get(name) else 0o644
            archive.addfile(member, BytesIO(content))


def _release() -> Release:
    """What CITATION.cff says; an unreleased version has the day of its commit."""
    file = Path("CITATION.cff")
    if not file.is_file():
        raise ConfigError("there is no CITATION.cff", hint="run the command in a git checkout of scarce")
    cited = yaml.safe_load(file.read_text(encoding="utf-8"))
    day = str(cited.get("date-released") or _git("log", "-1", "--format=%cs").strip())
    return Release(cited["version"], day, LICENCES[cited["license"]], [author["name"] for author in cited["authors"]])


def _tracked() -> dict[str, bool]:
    """The files that git tracks and that are there, and whether each may be executed."""
    listed = [entry.partition("\t") for entry in _git("ls-files", "--stage", "-z").split("\0") if entry]
    return {name: mode.startswith("100755") for mode, _, name in listed if Path(name).is_file()}


def _git(*arguments: str) -> str:
    try:
        return subprocess.run(["git", *arguments], capture_output=True, text=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        raise ConfigError("this folder is no git checkout", hint="run the command in a checkout of scarce") from None


def _facts(content: bytes) -> FileFacts:
    return FileFacts(hashlib.sha256(content).hexdigest(), len(content))


def _columns(name: str, content: bytes, columns: Iterable[str]) -> list[tuple[str, str, bool]]:
    """Columns as `FileFacts` has them; those of parquet that Croissant cannot describe (maps) are left out."""
    if not name.endswith(".parquet"):
        return [(column, COLUMNS[column].type, False) for column in columns]
    found = []
    for field in parquet.read_schema(pa.BufferReader(content)):
        is_list = pa.types.is_list(field.type)
        if kind := _kind(field.type.value_type if is_list else field.type):
            found.append((field.name, kind, is_list))
    return found


def _kind(arrow: pa.DataType) -> str:
    for kind, is_kind in (
        ("boolean", pa.types.is_boolean),
        ("integer", pa.types.is_integer),
        ("number", pa.types.is_floating),
        ("string", pa.types.is_string),
    ):
        if is_kind(arrow):
            return kind
    return ""
