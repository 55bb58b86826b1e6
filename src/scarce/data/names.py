"""Names of columns, in a file and after each step. Imports no NumPy: the configuration looks into files as well."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from scarce.errors import DataError


def some(values: Sequence, most: int = 12) -> str:
    """A list for a message: the first few values, and the number of the others."""
    shown = ", ".join(str(value) for value in values[:most])
    return shown if len(values) <= most else f"{shown} and {len(values) - most} more"


def check_names(names: list[str], where: str | None = None) -> None:
    """Raise DataError unless each column has a name and no two have the same."""
    if "" in names:
        raise DataError(f"column {names.index('') + 1} has no name", where=where, hint="give it one in the file")
    if len(set(names)) < len(names):
        repeated = next(name for name in names if names.count(name) > 1)
        raise DataError(f"column name {repeated!r} stands twice", where=where)


def no_column(name: str, names: Sequence[str], kind: str = "column", hint: str | None = None) -> DataError:
    """The error that no column has a name."""
    return DataError(f"there is no {kind} {name!r}; columns are {some(names, 40)}", hint=hint)


def after_step(step: Any, names: Sequence[str], target: str) -> dict[str, str]:
    """The columns that a step leaves, in order: the name of each, and its name before the step.

    DataError if the step names a column that is not among `names`, leaves out the class column `target`, or gives two
    columns one name.
    """
    for name in absent(step, names):
        raise no_column(name, names)
    kept = list(names)
    if step.step == "keep_columns":
        if target not in names:
            raise no_column(target, names, "class column")
        kept = [*(name for name in step.columns if name != target), target]
    elif step.step == "drop_columns":
        if target in step.columns:
            raise DataError(f"{target!r} is the class column, which cannot be left out")
        dropped = set(step.columns)
        kept = [name for name in names if name not in dropped]
    new = [step.names.get(name, name) for name in kept] if step.step == "rename" else kept
    check_names(new)
    return dict(zip(new, kept, strict=True))


def absent(step: Any, names: Sequence[str]) -> list[str]:
    """Columns that a step names and that are not among `names`."""
    known = set(names)
    named = [*(getattr(step, "columns", None) or ()), *getattr(step, "names", ())]
    named += [step.column] if hasattr(step, "column") else []
    return [name for name in named if name not in known]


def through_steps(name: str, steps: Sequence[Any]) -> list[str]:
    """Names that the column `name` of a file has before each step, and at the end."""
    out = [name]
    for step in steps:
        out.append(step.names.get(out[-1], out[-1]) if step.step == "rename" else out[-1])
    return out


def back_through_steps(names: Sequence[str], steps: Sequence[Any]) -> list[list[str]]:
    """Names before each step, and at the end, of the columns that have `names` in the prepared table.

    A column is left out where no column can have its name at the end, since a step gives that column another.
    """
    out = [list(names)]
    for step in reversed(steps):
        if step.step == "rename":
            old = {new: before for before, new in step.names.items()}
            out.insert(0, [old.get(name, name) for name in out[0] if name in old or name not in step.names])
        else:
            out.insert(0, out[0])
    return out


def class_column(target: str, steps: Sequence[Any]) -> list[str]:
    """Names of the class column before each step, and at the end.

    `target` is its name at the end; if no column can have it there, its name in the file.
    """
    back = back_through_steps([target], steps)
    return [name for (name,) in back] if back[0] else through_steps(target, steps)


def file_options(read: Any, spec: Any, steps: Sequence[Any]) -> dict[str, Any]:
    """Options of a reader: those of `read`, and what `spec` says of columns, by their names in the file."""
    dropped = [
        name
        for at, step in enumerate(steps)
        if step.step == "drop_columns"
        for name in back_through_steps(step.columns, steps[:at])[0]
    ]
    as_text = [*spec.nominal, *spec.dates, *([spec.group] if spec.group else [])]
    as_number = [*spec.numeric, *([spec.time] if spec.time and spec.time not in as_text else [])]
    lists = {"nominal": as_text, "numeric": as_number}
    lists = {key: back_through_steps(names, steps)[0] for key, names in lists.items()}
    target = class_column(spec.target, steps)[0] if spec.target else None
    return {**read.model_dump(), **lists, "target": target, "positive": spec.positive, "dropped": dropped}
