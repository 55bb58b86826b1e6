"""What Snakemake keeps of a project: its locks, and from what and how each file was made."""

from __future__ import annotations

from pathlib import Path

from scarce import paths

FOLDER = Path(".snakemake")
LOCKS = FOLDER / "locks"
METADATA = FOLDER / "metadata"


def lost() -> str | None:
    """What follows where there are results and no record of any; None otherwise."""
    if not any(paths.RESULTS.glob("*/fits")) or any(METADATA.glob("*")):
        return None
    return (
        f"Snakemake's records ({METADATA}) are not here: it cannot tell what has changed since {paths.RESULTS} was "
        "made; with --forceall it makes a study again"
    )
