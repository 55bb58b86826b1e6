"""Index files: the declared output of a job that makes several files, which Snakemake itself never deletes.

Snakemake deletes the outputs of a job before it runs, and reruns a job whose output is missing. A job that labels or
fits a whole data set keeps the files that are still valid, so its declared output is an index of them with their
digests. `forget_incomplete` removes an index of which a file is missing, so that Snakemake runs the job again.
"""

from __future__ import annotations

import contextlib
import importlib.util
from collections.abc import Iterable
from pathlib import Path

from scarce import paths
from scarce.errors import DataError
from scarce.files import read_json, sha256, write_json

FOLDERS = ("labels", "priors", "fits")


def write_index(index: Path, files: Iterable[Path], missing_packages: Iterable[str] = ()) -> None:
    """List files with their SHA-256, and the packages that methods need and that are not installed."""
    digests = {str(file): sha256(file) for file in files}
    write_json(index, {"files": digests, "missing_packages": sorted(missing_packages)})


def update_index(index: Path, file: Path) -> None:
    """Record the new content of a file that a person made again by hand, if the index lists it."""
    with contextlib.suppress(OSError, DataError, LookupError, TypeError):
        listed = read_json(index)
        if str(file) in listed["files"]:
            listed["files"][str(file)] = sha256(file)
            write_json(index, listed)


def forget_incomplete() -> None:
    """Remove each index that lists a missing file, or a missing package that can be imported now."""
    for folder in FOLDERS:
        for index in paths.RESULTS.glob(f"*/{folder}/*/*.json"):
            with contextlib.suppress(OSError):
                if not _complete(index):
                    index.unlink()


def _complete(index: Path) -> bool:
    try:
        listed = read_json(index)
        return all(Path(file).is_file() for file in listed["files"]) and not any(
            map(importlib.util.find_spec, listed["missing_packages"])
        )
    except (DataError, LookupError, TypeError, ValueError, AttributeError):
        return False
