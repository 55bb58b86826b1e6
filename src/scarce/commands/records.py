"""What Snakemake keeps of a project: its locks, and its record of how each file came to be."""

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
