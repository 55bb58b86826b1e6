"""The API reference: a page for each public class and function, found by `scarce.public`."""

from __future__ import annotations

import importlib
import inspect
from typing import Any

from scarce.public import NAMED, by_topic


def load(full_name: str) -> Any:
    """A public class or function by its full name."""
    module, _, name = full_name.rpartition(".")
    return getattr(importlib.import_module(module), name)


def members(cls: type) -> list[str]:
    """Public methods and properties of a class that this package defines with a docstring, inherited ones included."""
    return [name for name in dir(cls) if not name.startswith("_") and _own(inspect.getattr_static(cls, name))]


def _own(member: Any) -> bool:
    function = getattr(member, "fget", None) or getattr(member, "func", None) or getattr(member, "__func__", member)
    return inspect.isfunction(function) and function.__module__.startswith("scarce.") and bool(inspect.getdoc(function))


def pages() -> dict[str, str]:
    """Every page of the reference by file name: one for each object, one for each topic, and their start."""
    topics = by_topic()
    made = {f"{name}.rst": _object(name) for names in topics.values() for name in names}
    for topic, names in topics.items():
        made[f"{topic}.rst"] = _topic(NAMED[topic][0], names)
    made["index.rst"] = _start(list(topics))
    return made


def _titled(title: str, mark: str = "=") -> str:
    return f"{title}\n{mark * len(title)}\n\n"


def _object(full_name: str) -> str:
    module, _, name = full_name.rpartition(".")
    one = load(full_name)
    text = _titled(name) + f".. currentmodule:: {module}\n\n"
    if not inspect.isclass(one):
        return f"{text}.. autofunction:: {name}\n"
    text += f".. autoclass:: {name}\n"
    if listed := [] if issubclass(one, Warning) else members(one):
        text += f"   :members: {', '.join(listed)}\n"
    return text


def _topic(title: str, names: list[str]) -> str:
    hidden = "".join(f"   {name}\n" for name in names)
    return (
        f"{_titled(title)}.. autosummary::\n   :nosignatures:\n\n{hidden}\n"
        f".. toctree::\n   :hidden:\n\n{hidden}"
    )  # fmt: skip


def _start(topics: list[str]) -> str:
    listed = "".join(f"   {topic}\n" for topic in topics)
    about = (
        "Every public class and function. ``pip install scarce`` brings them; a few that need more say which extra.\n"
        "Estimators are classifiers of scikit-learn: ``fit(X, s)`` gets observed labels, ``predict_proba(X)`` scores.\n"
        "What is not listed here may change in any release.\n\n"
    )
    return f"{_titled('Python API')}{about}.. toctree::\n   :maxdepth: 2\n   :includehidden:\n\n{listed}"
