"""From true labels to positive-unlabeled data: which rows train, validate and test, and which labels are observed.

Every module of ``labelings`` and ``protocols`` registers one record, see `scarce.labels.records`. Importing this
package registers them and imports nothing heavy.
"""

from __future__ import annotations

import importlib
import pkgutil
from typing import Any

from scarce.labels import labelings, protocols

_MODULE_OF = {"Labels": "file", "RepeatLabels": "file", "make_labels": "make", "Population": "sample"}

for _package in (labelings, protocols):
    for _module in pkgutil.iter_modules(_package.__path__):
        importlib.import_module(f"{_package.__name__}.{_module.name}")


def __getattr__(name: str) -> Any:
    """Import what needs numpy on first use."""
    if name not in _MODULE_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_MODULE_OF[name]}"), name)
