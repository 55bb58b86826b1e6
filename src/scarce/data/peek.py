"""Lists columns or classes of a data file, for the message about a description that does not state them.

Only local files are read (the user's own, the mirror's), and only when there is such a message.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from scarce.data.tables import Table, some, texts


def classes(fields: Mapping[str, Any]) -> str:
    """``; classes of ... are ...`` for a description without a positive class; "" if no file can be read."""
    table = _table(fields)
    target = fields.get("target") or (table.target if table is not None else None)
    if table is None or target not in table.names:
        return ""
    return f"; classes of {target!r} are {some(sorted({v for v in texts(table.column(target)) if v is not None}), 30)}"


def columns(fields: Mapping[str, Any]) -> str:
    """``; columns are ...`` for a description without a class column; "" if no file can be read."""
    table = _table(fields)
    return f"; columns are {some(table.names, 30)}" if table is not None else ""


def _table(fields: Mapping[str, Any]) -> Table | None:
    """The table of the first source whose files are local; `fields` are the keys validated so far."""
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
        except Exception:  # the message is complete without
            continue
    return None
