"""YAML as people mean it: no scalar changes its type behind one's back, and every value knows its line.

YAML 1.1 reads ``NO`` as false, ``2023_01`` as 202301, ``010`` as 8 and ``1e-3`` as text. Here only ``true`` and
``false`` are booleans, only plain decimals are numbers, and a key that is given twice is an error. Tags, with which a
file could ask for Python objects, are refused.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeVar

import yaml
from pydantic import BaseModel, ValidationError

from scarce.config.advice import annotation_at, is_tag, message_and_hint
from scarce.errors import ConfigError

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


#: What to do about what PyYAML says.
_YAML_HINTS = {
    "'\\t'": "indent with blanks",
    "that cannot start any token": "put the text in quotes",
    "mapping values are not allowed": "put a text that holds `: ` in quotes; keys of one block stand below each other",
}


class _Loader(yaml.SafeLoader):
    """Composes nodes without their tags, which are no more than noted: nothing is made of them."""

    def compose_node(self, parent: Any, index: Any) -> Any:
        event = self.peek_event()
        tag, event.tag = getattr(event, "tag", None), None
        node = super().compose_node(parent, index)
        node.asked_for = tag or getattr(node, "asked_for", None)  # an alias gives the node that it stands for
        return node


@dataclass
class YamlFile:
    """What a YAML file says, and on which line it says it."""

    path: Path
    value: Any
    lines: dict[Key, int] = field(default_factory=dict)
    plain: dict[Key, str] = field(default_factory=dict)  # scalars without quotes, letter by letter
    replaced_by: str | None = None  # the block whose keys stand in place of those beside it
    problems: list[ConfigError] = field(default_factory=list)  # with single values; the others are read nevertheless

    def replacing(self, block: str, **more: Any) -> YamlFile:
        """The file as it reads once the keys of a block, and `more`, replace those beside the block."""
        return replace(self, value=self.value | self.value[block] | more, replaced_by=block)

    def holds(self, key: Key) -> bool:
        return self._place(key) in self.lines

    def written(self, key: Key) -> str | None:
        """A scalar as it is written, where it stands without quotes."""
        return self.plain.get(self._place(key))

    def where(self, key: Key = ()) -> str:
        """``file:line`` of a key, or of its nearest parent that the file holds."""
        key = self._place(key)
        while key and key not in self.lines:
            key = key[:-1]
        return f"{self.path}:{self.lines.get(key, 1)}"

    def _place(self, key: Key) -> Key:
        """Where a key really stands."""
        key, moved = tuple(key), self.replaced_by
        return (moved, *key) if moved and key and (moved, key[0]) in self.lines else key

    def place(self, key: Key) -> Key:
        """A key with the file before it: what `error` marks its errors with."""
        return (str(self.path), *self._place(key))

    def error(self, key: Key, message: str, hint: str | None = None) -> ConfigError:
        """An error at a key of this file."""
        name = ".".join(str(part) or "''" for part in self._place(key))
        found = ConfigError(f"{name}: {message}" if name else message, where=self.where(key), hint=hint)
        found.place = self.place(key)
        return found


def read_yaml(path: str | Path) -> YamlFile:
    """Read a YAML file.

    Raises
    ------
    ConfigError
        If the file is not there, is not YAML, gives a key twice, or has tags, endless or very many values.
    """
    file = read_tolerantly(path)
    if file.problems:
        raise ConfigError.collect(file.problems)
    return file


def read_tolerantly(path: str | Path) -> YamlFile:
    """As `read_yaml`, but what is wrong with single values is left in the file's `problems`."""
    path = Path(path)
    file = YamlFile(path, None)
    try:
        node = yaml.compose(path.read_text(encoding="utf-8"), Loader=_Loader)
        file.value = {} if node is None else _value(node, (), file)
        file.value = {} if file.value is None else file.value
    except FileNotFoundError:
        raise ConfigError("no such file", where=str(path)) from None
    except OSError as error:
        raise ConfigError(f"cannot be read: {error.strerror}", where=str(path)) from None
    except RecursionError:
        raise ConfigError("values stand in values without end", where=str(path)) from None
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise ConfigError(f"not UTF-8 text: {error.reason}", where=f"{path}:{line}", hint="save it as UTF-8") from None
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        where = f"{path}:{mark.line + 1 if mark else 1}"
        hint = next((hint for said, hint in _YAML_HINTS.items() if said in (error.problem or "")), None)
        raise ConfigError(f"not valid YAML: {error.problem}", where=where, hint=hint) from None
    except yaml.reader.ReaderError as error:
        line = path.read_text(encoding="utf-8").count("\n", 0, error.position) + 1
        what = f"the character {chr(error.character)!r} cannot stand in a text"
        raise ConfigError(f"not valid YAML: {what}", where=f"{path}:{line}", hint="delete it") from None
    return file


def _value(node: yaml.Node, key: Key, file: YamlFile) -> Any:
    file.lines.setdefault(key, node.start_mark.line + 1)
    if len(file.lines) > LARGEST:
        raise ConfigError(f"it has more than {LARGEST} values", where=str(file.path))
    _refuse_tag(node, key, file)
    if isinstance(node, yaml.MappingNode):
        mapping: dict[str, Any] = {}
        merged: dict[str, Any] = {}
        for key_node, value_node in node.value:
            _refuse_tag(key_node, key, file)
            line = key_node.start_mark.line + 1
            if not isinstance(key_node, yaml.ScalarNode):
                file.problems.append(ConfigError("a key must be one word", where=f"{file.path}:{line}"))
                continue
            name = key_node.value
            inner = (*key, name)
            if name in mapping:  # the first stays, with its lines
                twice = file.error(inner, "given twice")
                twice.where = f"{file.path}:{line}"
                file.problems.append(twice)
                continue
            file.lines[inner] = line
            if name == "<<" and key_node.style is None:
                hint = "write the keys out; a whole block may be an alias (*name)"
                file.problems.append(file.error(inner, "merge keys are not read", hint))
                # so that what it brings is not missed as well
                merged |= _merged(_value(value_node, inner, file))
                continue
            mapping[name] = _value(value_node, inner, file)
        return merged | mapping
    if isinstance(node, yaml.SequenceNode):
        return [_value(child, (*key, place), file) for place, child in enumerate(node.value)]
    if node.style in ("'", '"', "|", ">"):
        return node.value
    file.plain[key] = node.value
    value = next((read(node.value) for pattern, read in _SCALARS if pattern.match(node.value)), node.value)
    if isinstance(value, float) and math.isinf(value):
        file.problems.append(file.error(key, f"{node.value} is too large for a number"))
    return value


def _refuse_tag(node: yaml.Node, key: Key, file: YamlFile) -> None:
    """Note a tag, with which a file could ask for Python objects."""
    if tag := node.asked_for:
        shown = tag.replace("tag:yaml.org,2002:", "!!")
        found = file.error(key, f"tags such as {shown} are not read", "write the plain value")
        found.where = f"{file.path}:{node.start_mark.line + 1}"
        file.problems.append(found)


def _merged(value: Any) -> dict[str, Any]:
    parts = [part for part in (value if isinstance(value, list) else [value]) if isinstance(part, dict)]
    return {key: inner for part in reversed(parts) for key, inner in part.items()}


def doubtful(value: Any) -> str | None:
    """Why an argument whose type nothing checks should not be the text that it is, or None.

    >>> doubtful("No")
    "'No' is a text here: write true or false, or a plain decimal"
    >>> doubtful("sqrt"), doubtful(True)
    (None, None)
    """
    if isinstance(value, str) and _DOUBTFUL.match(value):
        return f"{value!r} is a text here: write true or false, or a plain decimal"
    inner = value.values() if isinstance(value, Mapping) else value if isinstance(value, list) else ()
    return next((why for one in inner if (why := doubtful(one))), None)


def not_a_block(file: YamlFile, value: Any, at: Key = ()) -> ConfigError:
    """What is said where a block of keys is wanted and `value` stands."""
    shown = (
        "is empty"
        if value is None
        else f"must be a block of keys, got {'a list' if isinstance(value, list) else repr(value)}"
    )
    return file.error(at, shown, "write `key: value` lines below it, indented")


def validate(model: type[Model], file: YamlFile, value: Mapping | None = None, at: Key = ()) -> Model:
    """Build a pydantic model from (part of) a file; every problem becomes one line with file and line number.

    Raises
    ------
    ConfigError
        With all problems at once.
    """
    value = file.value if value is None else value
    if not isinstance(value, Mapping):
        raise not_a_block(file, value, at)
    try:
        return model.model_validate(value)
    except ValidationError as error:
        raise ConfigError.collect(_problem(model, file, at, detail) for detail in error.errors()) from None


def _problem(model: type[BaseModel], file: YamlFile, at: Key, detail: Any) -> ConfigError:
    # a check of a key that the file does not have complains of nothing given
    key, holder, missing = at, model, detail["type"] == "missing" or detail.get("input") in (None, [])
    for place, part in enumerate(detail["loc"]):
        last = place == len(detail["loc"]) - 1
        # pydantic puts the tag of a union, and names that a block gets from its own key, into the path of a value
        if not is_tag(holder, part) and (file.holds((*key, part)) or (last and missing)):
            key = (*key, part)
        holder = holder if last else annotation_at(holder, [part])
    told = detail["type"]
    if told.startswith("union_tag_"):
        key = (*key, detail["ctx"]["discriminator"].strip("'"))
    elif file.holds((*key, told)):  # a check of a whole block says which key it is about
        key = (*key, told)
    message, hint = message_and_hint(detail, file.written(key), holder)
    return file.error(key, message, hint)
