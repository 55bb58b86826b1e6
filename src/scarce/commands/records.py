"""What Snakemake keeps of a project: its locks, and its record of how each file came to be."""

from __future__ import annotations

from base64 import urlsafe_b64encode
from pathlib import Path

from scarce import paths

FOLDER = Path(".snakemake")
LOCKS = FOLDER / "locks"
METADATA = FOLDER / "metadata"
#: Letters of a file's name on all systems.
LONGEST = 255


def lost() -> str | None:
    """What follows for studies with results of whose making there is no record; None where there are none."""
    studies = [folder.name for folder in sorted(paths.RESULTS.glob("*/")) if _unrecorded(folder.name)]
    if not studies:
        return None
    return (
        f"Snakemake's records ({METADATA}) are not here for {', '.join(studies)}: it cannot tell what has changed "
        f"since {paths.RESULTS} was made; with --forceall it makes a study again"
    )


def _unrecorded(study: str) -> bool:
    """Whether the report of a study, or an index of its fits, is there without its record."""
    files = [paths.result("report", study), *paths.results(study).glob("fits/*/*.json")]
    names = {file: urlsafe_b64encode(str(file).encode()).decode() for file in files if file.is_file()}
    # the records of longer names stand in folders
    return any(len(name) <= LONGEST and not (METADATA / name).exists() for name in names.values())
