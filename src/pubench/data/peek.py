"""What an error message can add when a description leaves out a column or a class: what there is to choose from.

Only files that lie on this machine are looked at (the user's own, the mirror's), and only where something is wrong already.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from pubench.data.tables import some, texts


def classes_of(block: dict) -> str:
    """``; classes are ...`` for a raw description, or nothing if they cannot be had."""
    try:
        from pubench.data.specs import DatasetSpec

        spec = DatasetSpec.model_validate({**block, "positive": ["?"]})
        for source in spec.sources:
            if (table := _table(spec, source)) is not None:
                target = spec.target or table.target
                return f"; classes of {target!r} are {some(sorted({v for v in texts(table.column(target)) if v is not None}))}"
    except Exception:  # a message may lack this; it must not fail over it
        return ""
    return ""


def columns_of(spec: Any, source: Any) -> str:
    """``; columns are ...`` for a description without a class column, or nothing if they cannot be had."""
    try:
        table = _table(spec, source)
        return f"; columns are {some(table.names, 40)}" if table is not None else ""
    except Exception:
        return ""


def _table(spec: Any, source: Any) -> Any:
    root = {"local": Path(), "mirror": Path(os.environ["PUBENCH_MIRROR"]) if os.environ.get("PUBENCH_MIRROR") else None}.get(source.kind)
    if root is None or not all((root / file.path).is_file() for file in source.files):
        return None
    from pubench.data.readers import READERS

    read = spec.reader(source)
    options = {**read.model_dump(), "target": spec.target, "nominal": spec.nominal, "numeric": spec.numeric}
    return READERS[read.format]([root / file.path for file in source.files], options)
