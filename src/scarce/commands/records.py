"""What Snakemake keeps of a project: its locks, and its record of how each file came to be."""

from __future__ import annotations

from base64 import urlsafe_b64encode
from pathlib import Path

from scarce import paths

FOLDER = Path(".snakemake")
LOCKS = FOLDER / "locks"
METADATA = FOLDER / "metadata"


def lost() -> str | None:
    """What follows for studies with a report of whose making there is no record; None where there are none."""
    reports = [paths.result("report", folder.name) for folder in sorted(paths.RESULTS.glob("*/"))]
    names = [file.parent.name for file in reports if file.is_file() and not _record(file).exists()]
    if not names:
        return None
    return (
        f"Snakemake's records ({METADATA}) of {', '.join(names)} are not here: it cannot tell what has changed since "
        f"{paths.RESULTS} was made; with --forceall it makes a study again"
    )


def _record(file: Path) -> Path:
    """Where Snakemake records how a file with a short name came to be."""
    return METADATA / urlsafe_b64encode(str(file).encode()).decode()
