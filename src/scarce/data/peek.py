"""What an error message can add when a description leaves out a column or a class: what there is to choose from.

Only files that lie on this machine are looked at (the user's own, the mirror's), and only where something is wrong.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from scarce.data.tables import Table, some, texts


def classes(fields: Mapping[str, Any]) -> str:
    """``; classes of ... are ...`` for a description without a positive class; nothing if they cannot be had."""
    table = _table(fields)
    target = fields.get("target") or (table.target if table is not None else None)
    if table is None or target not in table.names:
        return ""
    return f"; classes of {target!r} are {some(sorted({v for v in texts(table.column(target)) if v is not None}), 30)}"


def columns(fields: Mapping[str, Any]) -> str:
    """``; columns are ...`` for a description without a class column; nothing if they cannot be had."""
    table = _table(fields)
    return f"; columns are {some(table.names, 30)}" if table is not None else ""


def _table(fields: Mapping[str, Any]) -> Table | None:
    """The table as the first source at hand has it; `fields` are those already validated."""
    from scarce.data.readers import READERS
    from scarce.data.sources import mirror_folder

    mirror = mirror_folder()
    roots = {"local": Path(), **({"mirror": mirror} if mirror else {})}
    for source in fields.get("sources", []):
        read = source.read or fields.get("read")
        if read is None or source.kind not in roots:
            continue
        options = {**read.model_dump(), "target": fields.get("target"), "refuse_unmarked": False}
        try:
            return READERS[read.format]([roots[source.kind] / file.path for file in source.files], options)
        except Exception:  # the message can do without; it must not fail over it
            continue
    return None
