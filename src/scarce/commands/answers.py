"""Answers of commands: as text for a person, and with ``--json`` as keys that stay.

Each command declares the keys of its answer as a subclass of `Answer`. ``python -m scarce.commands.answers`` prints the
tables of docs/json.md, which follow from them.
"""

from __future__ import annotations

from typing import Any, get_args

from pydantic import BaseModel, ConfigDict


class Keys(BaseModel):
    """Keys of a part of an answer, each with a description."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Answer(Keys):
    """What a command answers; `exit_code` is that of the command."""

    @property
    def exit_code(self) -> int:
        return 0

    def text(self) -> str:
        """The answer as a person reads it."""
        raise NotImplementedError

    def __str__(self) -> str:
        return self.text()

    def as_json(self) -> str:
        return self.model_dump_json(indent=2)


def all_answers() -> dict[str, type[Answer]]:
    """The answer of every command that has ``--json``, by what a person types."""
    from scarce.commands.check import Check
    from scarce.commands.doctor import Examined
    from scarce.commands.listing import LISTS
    from scarce.commands.status import Status

    lists = {f"scarce list {kind}": one for kind, one in LISTS.items()}
    return {**lists, "scarce check": Check, "scarce status": Status, "scarce doctor": Examined}


def keys_of(model: type[Keys], prefix: str = "") -> list[tuple[str, str, str]]:
    """Key, type and description of every key; ``.`` leads into an object and ``[]`` into each object of a list."""
    schema, rows = model.model_json_schema(), []
    for name, field in model.model_fields.items():
        about = schema["properties"][name]
        inner = _inner(field.annotation)
        rows.append((f"{prefix}{name}", _type(about), field.description or ""))
        if inner:
            mark = "[]" if about.get("type") == "array" else ""
            rows += keys_of(inner, f"{prefix}{name}{mark}.")
    return rows


def _inner(annotation: Any) -> type[Keys] | None:
    """The keys of the objects that a type holds."""
    if isinstance(annotation, type) and issubclass(annotation, Keys):
        return annotation
    return next((inner for one in get_args(annotation) if (inner := _inner(one))), None)


def _type(schema: dict[str, Any]) -> str:
    if "anyOf" in schema:
        return " or ".join(map(_type, schema["anyOf"]))
    kind = schema.get("type", "object")
    return f"array of {_type(schema['items'])}s" if kind == "array" and schema.get("items") else kind


def glossary() -> str:
    """The keys of all answers as Markdown tables."""
    lines = []
    for command, model in all_answers().items():
        rows = [f"| `{key}` | {kind} | {about} |" for key, kind, about in keys_of(model)]
        lines += [f"## `{command}`", "", "| key | type | meaning |", "|---|---|---|", *rows, ""]
    return "\n".join(lines).rstrip() + "\n"


if __name__ == "__main__":
    from scarce.commands import answers  # the module whose classes the commands extend

    print(answers.glossary(), end="")
