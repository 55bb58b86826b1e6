"""YAML as people mean it: no scalar changes its type behind one's back, and every value knows its line.

YAML 1.1 reads ``NO`` as false, ``2023_01`` as 202301, ``010`` as 8 and ``1e-3`` as text. Here only ``true`` and
``false`` are booleans, only plain decimals are numbers, and a key that is given twice is an error. Tags, with which a
file could ask for Python objects, are refused.
"""

from __future__ import annotations

import difflib
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

import yaml
from pydantic import BaseModel, ValidationError

from pubench.errors import ConfigError

Key = tuple[str | int, ...]
Model = TypeVar("Model", bound=BaseModel)

_SCALARS = (
    (re.compile(r"(?:~|null|)\Z"), lambda text: None),
    (re.compile(r"(?:true|false)\Z"), lambda text: text == "true"),
    (re.compile(r"[-+]?(?:0|[1-9][0-9]{0,99})\Z"), int),
    (re.compile(r"[-+]?(?:\.[0-9]+|(?:0|[1-9][0-9]*)(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?\Z"), float),
)
#: Values that a file may have, aliases written out; and texts of which one cannot say what they mean as an argument.
LARGEST = 100_000
_DOUBTFUL = re.compile(
    r"(?:yes|no|on|off|y|n|true|false|nan|[-+]?\.?(?:inf|nan)|[-+]?[0-9][0-9_]*(?:[.,:][0-9_]*)*%?|0[xob][0-9a-f_]+)\Z",
    re.IGNORECASE,
)


class _Loader(yaml.SafeLoader):
    """Composes nodes, and refuses what plain values do not need: tags."""

    def compose_node(self, parent: Any, index: Any) -> Any:
        event = self.peek_event()
        if tag := getattr(event, "tag", None):
            shown = tag.replace("tag:yaml.org,2002:", "!!")
            raise yaml.MarkedYAMLError(problem=f"tags such as {shown} are not read", problem_mark=event.start_mark)
        return super().compose_node(parent, index)


@dataclass
class YamlFile:
    """What a YAML file says, and on which line it says it."""

    path: Path
    value: Any
    lines: dict[Key, int] = field(default_factory=dict)

    def where(self, key: Key = ()) -> str:
        """``file:line`` of a key, or of its nearest parent that the file holds."""
        key = tuple(key)
        while key and key not in self.lines:
            key = key[:-1]
        return f"{self.path}:{self.lines.get(key, 1)}"

    def error(self, key: Key, message: str, hint: str | None = None) -> ConfigError:
        """An error at a key of this file."""
        name = ".".join(map(str, key))
        return ConfigError(f"{name}: {message}" if name else message, where=self.where(key), hint=hint)


def read_yaml(path: str | Path) -> YamlFile:
    """Read a YAML file.

    Raises
    ------
    ConfigError
        If the file is not there, is not YAML, gives a key twice, or has tags, endless or very many values.
    """
    path = Path(path)
    file = YamlFile(path, None)
    problems: list[ConfigError] = []
    try:
        node = yaml.compose(path.read_text(encoding="utf-8"), Loader=_Loader)
        file.value = {} if node is None else _value(node, (), file, problems)
    except FileNotFoundError:
        raise ConfigError("no such file", where=str(path)) from None
    except OSError as error:
        raise ConfigError(f"cannot be read: {error.strerror}", where=str(path)) from None
    except RecursionError:
        raise ConfigError("values stand in values without end", where=str(path)) from None
    except UnicodeDecodeError as error:
        raise ConfigError(f"not UTF-8 text: {error}", where=str(path)) from None
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise ConfigError(f"not valid YAML: {error.problem}", where=f"{path}:{mark.line + 1 if mark else 1}") from None
    except yaml.YAMLError as error:
        raise ConfigError(f"not valid YAML: {error}", where=str(path)) from None
    if problems:
        raise ConfigError.collect(problems)
    return file


def _value(node: yaml.Node, key: Key, file: YamlFile, problems: list[ConfigError]) -> Any:
    file.lines.setdefault(key, node.start_mark.line + 1)
    if len(file.lines) > LARGEST:
        raise ConfigError(f"it has more than {LARGEST} values", where=str(file.path))
    if isinstance(node, yaml.MappingNode):
        mapping: dict[str, Any] = {}
        for key_node, value_node in node.value:
            if not isinstance(key_node, yaml.ScalarNode):
                problems.append(
                    ConfigError("a key must be one word", where=f"{file.path}:{key_node.start_mark.line + 1}")
                )
                continue
            name = key_node.value
            if name in mapping:
                problems.append(
                    ConfigError(f"{name}: given twice", where=f"{file.path}:{key_node.start_mark.line + 1}")
                )
            file.lines[(*key, name)] = key_node.start_mark.line + 1
            mapping[name] = _value(value_node, (*key, name), file, problems)
        return mapping
    if isinstance(node, yaml.SequenceNode):
        return [_value(child, (*key, place), file, problems) for place, child in enumerate(node.value)]
    if node.style in ("'", '"', "|", ">"):
        return node.value
    value = next((read(node.value) for pattern, read in _SCALARS if pattern.match(node.value)), node.value)
    if isinstance(value, float) and math.isinf(value):
        problems.append(file.error(key, f"{node.value} is too large for a number"))
    return value


def doubtful(value: Any) -> str | None:
    """Why an argument whose type nothing checks should not be the text that it is, or None.

    >>> doubtful("No")
    "'No' is a text here: write true or false, or a plain decimal"
    >>> doubtful("sqrt"), doubtful(True)
    (None, None)
    """
    if isinstance(value, str) and _DOUBTFUL.match(value):
        return f"{value!r} is a text here: write true or false, or a plain decimal"
    return None


def did_you_mean(name: str, known: Any) -> str | None:
    """A hint that names what is closest to `name`, or all there is where there is little."""
    known = [str(item) for item in known]
    close = difflib.get_close_matches(str(name), known, n=1, cutoff=0.6)
    if close:
        return f"did you mean {close[0]}?"
    return f"known: {', '.join(known)}" if 0 < len(known) <= 40 else None


def validate(model: type[Model], file: YamlFile, value: Mapping | None = None, at: Key = ()) -> Model:
    """Build a pydantic model from (part of) a file; every problem becomes one line with file and line number.

    Raises
    ------
    ConfigError
        With all problems at once.
    """
    value = file.value if value is None else value
    if not isinstance(value, Mapping):
        raise file.error(at, f"must be a block of keys, got {value!r}")
    try:
        return model.model_validate(value)
    except ValidationError as error:
        raise ConfigError.collect(_problem(model, file, at, detail) for detail in error.errors()) from None


def _problem(model: type[BaseModel], file: YamlFile, at: Key, detail: Any) -> ConfigError:
    # pydantic puts the tag of a union into the path of the value; the file does not hold it
    key: Key = at
    for part in detail["loc"]:
        if (*key, part) in file.lines or detail["type"] == "missing" or part == detail["loc"][-1]:
            key = (*key, part)
    kind, given = detail["type"], detail.get("input")
    if kind == "extra_forbidden":
        return file.error(key, "unknown key", did_you_mean(str(key[-1]), _fields(model, detail["loc"][:-1])))
    if kind == "missing":
        return file.error(key, "is missing")
    message = detail["msg"].removeprefix("Value error, ")
    message = message[:1].lower() + message[1:] if not message[:2].isupper() else message
    said = given is None or isinstance(given, (Mapping, list)) or (kind == "value_error" and repr(given) in message)
    shown = "" if said else f", got {given!r}"
    return file.error(key, message + shown)


def _fields(model: Any, loc: Any) -> list[str]:
    """Names of the fields of the (nested) model that a location leads to; empty where that is not one model."""
    for part in loc:
        field = getattr(model, "model_fields", {}).get(part)
        if field is None:
            return []
        model = field.annotation
    return list(getattr(model, "model_fields", {}))
