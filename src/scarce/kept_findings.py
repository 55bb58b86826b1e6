"""A cache on disk for what is computed from source files, such as digests of their code."""

from __future__ import annotations

import contextlib
import hashlib
import json
from collections.abc import Callable
from pathlib import Path

from scarce import files


class Findings:
    """Results by name of a source file, stored in one JSON file.

    A stored result is used only if neither the source file nor the code that computed the result has changed. If the
    JSON file is absent, damaged or cannot be written, results are computed again.
    """

    def __init__(self, file: Path, finder: Path):
        self._file, self._changed = file, False
        self._finder = hashlib.sha256(finder.read_bytes()).hexdigest()
        self._known: dict[str, list] = {}
        with contextlib.suppress(OSError, ValueError, AttributeError):
            kept = json.loads(file.read_text(encoding="utf-8"))
            self._known = kept["findings"] if kept.get("finder") == self._finder else {}

    def of(self, name: str, content: bytes, find: Callable[[], list]) -> list:
        """The stored result for `name`, or a new one by `find` if `content` has changed."""
        sha256 = hashlib.sha256(content).hexdigest()
        kept = self._known.get(name)
        if not kept or kept[0] != sha256:
            kept = self._known[name] = [sha256, find()]
            self._changed = True
        return kept[1]

    def keep(self) -> None:
        """Write the file, if there is something new."""
        if self._changed:
            self._changed = False
            with contextlib.suppress(OSError), files.atomic(self._file) as handle:
                handle.write(json.dumps({"finder": self._finder, "findings": self._known}).encode())
