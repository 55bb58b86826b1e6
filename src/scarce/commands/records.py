"""What Snakemake keeps of a project: its locks, and its record of how each file came to be."""

from __future__ import annotations

from base64 import urlsafe_b64encode
from collections.abc import Iterable
from pathlib import Path

from scarce import paths

FOLDER = Path(".snakemake")
LOCKS = FOLDER / "locks"
METADATA = FOLDER / "metadata"
INCOMPLETE = FOLDER / "incomplete"
#: Letters of a file's name on all systems.
LONGEST = 255


def lost() -> str | None:
    """What follows for studies with results of whose making there is no record; None where there are none."""
    found = [folder.name for folder in sorted(paths.RESULTS.glob("*/"))]
    studies = [name for name in found if not paths.pack_mark(name).is_file() and _unrecorded(name)]
    if not studies:
        return None
    return (
        f"Snakemake's records ({METADATA}) are not here for {', '.join(studies)}: it cannot tell what has changed "
        f"since {paths.RESULTS} was made; with --forceall it makes a study again"
    )


def _unrecorded(study: str) -> bool:
    """Whether the report of a study, or an index of its fits, is there without its record."""
    files = [paths.result("report", study), *paths.results(study).glob("fits/*/*.json")]
    records = [_record(file) for file in files if file.is_file()]
    # where the records of longer names stand depends on the file system
    return any(record.parent == METADATA and not record.exists() for record in records)


def forget(files: Iterable[Path]) -> None:
    """Remove the records of files that something else than Snakemake has made, so that it takes them as they are."""
    for file in files:
        _record(file).unlink(missing_ok=True)


def unfinished(file: Path) -> bool:
    """Whether a job began to make a file, and no Snakemake has seen its end."""
    return _record(file, INCOMPLETE).exists()


def _record(file: Path, folder: Path = METADATA) -> Path:
    """Where the record of a file stands: longer names are cut into folders."""
    name = urlsafe_b64encode(str(file).encode()).decode()
    cut = LONGEST - 1
    parts = [name[start : start + cut] for start in range(0, len(name), cut)]
    return folder.joinpath(*(f"@{part}" for part in parts[:-1]), parts[-1])
