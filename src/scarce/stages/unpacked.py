"""Studies whose results come from a pack: what the pack says in place of data that may not be here.

``results/<study>/pack.json`` marks such a study. While it is there, its labels, fits and scores are those of the pack,
whatever code and data are here. Imports no NumPy: the Snakefile uses it.
"""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Any

from scarce import paths
from scarce.data import availability
from scarce.files import read_json, sha256


def pack_of(study: str) -> dict[str, Any] | None:
    """The pack.json of the pack that a study's results come from; None where they were made here."""
    file = paths.pack_mark(study)
    return _read(file.absolute(), file.stat().st_mtime_ns)[0] if file.is_file() else None


def identity(study: str, dataset: str, method: str) -> tuple[str, str] | None:
    """What a cell's file from a pack records as its identity: the fingerprint of its code, and the pack's digest.

    None where the cell is of no pack.
    """
    file = paths.pack_mark(study)
    if not file.is_file():
        return None
    pack, digest = _read(file.absolute(), file.stat().st_mtime_ns)
    fingerprint = pack["fingerprints"].get(dataset, {}).get(method)
    return fingerprint and (fingerprint, inputs_of(digest))


def inputs_of(digest: str) -> str:
    """What a file of runs from a pack records in place of the digest of labels and features."""
    return f"pack {digest}"


def missing(study: str, dataset: str) -> str:
    """Why the results of a study lack a data set, or "": the pack's reason, else that of `availability.missing`."""
    pack = pack_of(study)
    known = pack["datasets"].get(dataset) if pack else None
    return availability.missing(dataset) if known is None else known.get("reason", "")


def description(study: str, dataset: str) -> dict[str, Any] | None:
    """What the preparation said of a data set where the pack was made; None where the pack says nothing of it."""
    pack = pack_of(study)
    return pack["descriptions"].get(dataset) if pack else None


def words(pack: dict[str, Any]) -> str:
    """A clause that says which code made the fits of a pack.

    >>> words({"name": "demo", "made_by": {"scarce": "0.1.0", "git_commit": None}})
    "the pack 'demo', made by scarce 0.1.0 at an unknown commit"
    """
    made = pack["made_by"]
    commit = f"commit {made['git_commit']}" if made["git_commit"] else "an unknown commit"
    return f"the pack {pack['name']!r}, made by scarce {made['scarce']} at {commit}"


def note(study: str) -> str:
    """A sentence for a study whose results come from a pack, with what makes them here; else ""."""
    pack = pack_of(study)
    if pack is None:
        return ""
    if method := pack.get("compared"):
        return f"The fits of {study} come from {words(pack)}, but for those of {method}"
    return f"The fits of {study} come from {words(pack)}; to fit all of them here, delete {paths.results(study)}"


@functools.lru_cache(maxsize=8)
def _read(file: Path, changed: int) -> tuple[dict[str, Any], str]:
    """A mark with its SHA-256; `changed` is its time of change, so that another mark is read again."""
    return read_json(file), sha256(file)
