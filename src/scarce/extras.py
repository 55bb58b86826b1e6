"""Packages that only an extra of the installation brings, so that the estimators can be imported without them."""

from __future__ import annotations

import importlib
from types import ModuleType
from typing import Any

#: Importable package -> extra that brings it.
EXTRAS = {
    "argcomplete": "bench",
    "imblearn": "bench",
    "jinja2": "bench",
    "lightgbm": "boosting",
    "matplotlib": "bench",
    "openml": "bench",
    "pooch": "bench",
    "psutil": "bench",
    "pydantic": "bench",
    "pydantic_core": "bench",
    "pyarrow": "bench",
    "pygments": "bench",
    "snakemake": "bench",
    "torch": "neural",
    "xgboost": "bench",
    "yaml": "bench",
}


def install(module: str | None) -> str | None:
    """How to install a missing module, in one line; None if no extra brings it."""
    package = (module or "").partition(".")[0]
    extra = EXTRAS.get(package)
    return extra and f'{package} is not installed: pip install "scarce[{extra}]"'


class _Absent:
    """Stands in for a module that is not installed; the first use of it raises ModuleNotFoundError."""

    def __init__(self, error: ModuleNotFoundError):
        self._error = error

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):  # what inspection and doctests look for
            raise AttributeError(name)
        raise ModuleNotFoundError(install(self._error.name), name=self._error.name)


def optional(module: str) -> ModuleType | _Absent:
    """Import a module of an extra; where it is not installed, return a stand-in that raises when it is used.

    Parameters
    ----------
    module : str
        Dotted name of a module whose package is in `EXTRAS`.
    """
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        if install(error.name) is None:  # the package is there and lacks something of its own
            raise
        return _Absent(error)
