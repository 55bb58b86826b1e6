"""Reads YAML strictly: no scalar changes its type silently, and every value knows its file and line.

YAML 1.1 reads ``NO`` as false, ``2023_01`` as 202301, ``010`` as 8 and ``1e-3`` as text. Here only ``true`` and
``false`` are booleans, only plain decimals are numbers, and a key that is given twice is an error. Tags, with which a
file could ask for Python objects, are refused; no objects are made of nodes.
"""

from __future__ import annotations

import functools
import math
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

import yaml
from pydantic import BaseModel, ValidationError
from yaml.resolver import BaseResolver

from scarce.errors import ConfigError

Key = tuple[str | int, ...]
Model = TypeVar("Model", bound=BaseModel)

_SCALARS = (
    (re.compile(r"(?:~|null|)\Z"), lambda text: None),
    (re.compile(r"(?:true|false)\Z"), lambda text: text == "true"),
    (re.compile(r"[-+]?(?:0|[1-9][0-9]{0,99})\Z"), int),
    (re.compile(r"[-+]?(?:\.[0-9]+|(?:0|[1-9][0-9]*)(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?\Z"), float),
)
#: Keys whose value says which block of a union stands there.
DISCRIMINATORS = ("kind", "format", "step")
#: Values that a file may have, aliases written out.
LARGEST = 100_000
#: Levels that values may be nested.
DEEPEST = 50
_DOUBTFUL = re.compile(
    r"(?:yes|no|on|off|y|n|true|false|nan|[-+]?\.?(?:inf|nan)|[-+]?[0-9][0-9_]*(?:[.,:][0-9_]*)*%?|0[xob][0-9a-f_]+)\Z",
    re.IGNORECASE,
)
#: Advice for parts of PyYAML's and libyaml's messages.
_YAML_HINTS = {
    "'\\t'": "indent with blanks",
    "that cannot start any token": "put the text in quotes, and indent with blanks",
    "mapping values are not allowed": "put a text that holds `: ` in quotes; keys of one block stand below each other",
}


class _Resolver(BaseResolver):
    """Leaves nodes without a tag of their own untagged, so that a tag on a node was written in the file."""

    def resolve(self, kind: Any, value: Any, implicit: Any) -> str:
        return ""


if yaml.__with_libyaml__:
    from yaml.cyaml import CParser

    class _Loader(CParser, _Resolver):
        def __init__(self, stream: str):
            CParser.__init__(self, stream)
            _Resolver.__init__(self)

else:

    class _Loader(_Resolver, yaml.SafeLoader):
        pass


@dataclass
class YamlFile:
    """The value of a YAML file, and the file and line of each part of it."""

    path: Path
    value: Any
    lines: dict[Key, tuple[Path, int]] = field(default_factory=dict)

    def over(self, parent: YamlFile, whole: set[str]) -> YamlFile:
        """This file's keys laid over those of a parent.

        Blocks merge key by key; lists, scalars and the blocks named `whole` replace; null removes what is inherited.
        """
        value = _merged(parent.value, self.value, whole)
        return YamlFile(self.path, value, parent.lines | self.lines)

    def where(self, key: Key = ()) -> str:
        """``file:line`` of a key, or of its nearest parent that stands in a file."""
        while key and key not in self.lines:
            key = key[:-1]
        path, line = self.lines.get(key, (self.path, 1))
        return f"{shown(path)}:{line}"

    def error(self, key: Key, message: str, hint: str | None = None) -> ConfigError:
        """An error at a key of this file."""
        name = ".".join(str(part) or "''" for part in key)
        error = ConfigError(f"{name}: {message}" if name else message, where=self.where(key), hint=hint)
        error.place = (str(self.path), *key)
        return error

    def fault(self, at: Key, detail: Mapping[str, Any]) -> ConfigError:
        """An error that pydantic found in the value at the key `at`."""
        key, block, location, context = at, functools.reduce(_inside, at, self.value), detail["loc"], detail["ctx"]
        absent = detail["type"] in ("missing", "union_tag_not_found") or detail["input"] in (None, [])
        if detail["type"] == "together":
            location, absent = location[:-1], False
        tagged = False
        for place, part in enumerate(location, 1):
            # pydantic adds "[key]", and before the keys of a block of a union its tag; neither is a key of the file
            last, tags = place == len(location), [_inside(block, name) for name in DISCRIMINATORS]
            if not tagged and not last and part in tags:
                tagged = True
            elif (*key, part) in self.lines or (absent and last):
                key, block, tagged = (*key, part), _inside(block, part), False
        if context.get("about"):
            about = [name for name in (*context["keys"], context["about"]) if (*key, name.split(".")[0]) in self.lines]
            for part in about[-1].split(".") if about else ():
                key = (*key, part) if (*key, part) in self.lines else key
        return self.error(key, context["message"], context["hint"])


def _inside(value: Any, part: str | int) -> Any:
    try:
        return value[part]
    except (KeyError, IndexError, TypeError):
        return None


def shown(path: Path) -> str:
    """A path as messages give it: from the working directory where it is below that."""
    return os.path.relpath(path) if path.is_absolute() and path.is_relative_to(Path.cwd()) else str(path)


def _merged(parent: Any, child: Any, whole: set[str]) -> Any:
    if not isinstance(parent, dict) or not isinstance(child, dict):
        return child
    merged = dict(parent)
    for key, value in child.items():
        if value is None and key in parent:
            del merged[key]
        else:
            merged[key] = value if key in whole else _merged(parent.get(key), value, set())
    return merged


def read_yaml(path: str | Path, problems: list[ConfigError] | None = None) -> YamlFile:
    """Read a YAML file.

    Parameters
    ----------
    path : str or Path
    problems : list, optional
        Receives the problems with single values, which are otherwise raised.

    Raises
    ------
    ConfigError
        If the file is not there, is not YAML, gives a key twice, or has tags, endless or very many values.
    """
    file, faults = YamlFile(Path(path), None), [] if problems is None else problems
    try:
        text = file.path.read_text(encoding="utf-8-sig")
        node = yaml.compose(text, Loader=_Loader)
        value = None if node is None else _value(node, (), file, faults)
    except OSError as error:
        reason = "no such file" if isinstance(error, FileNotFoundError) else f"cannot be read: {error.strerror}"
        raise ConfigError(reason, where=str(path)) from None
    except RecursionError:
        raise ConfigError("values are nested without end", where=str(path)) from None
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise ConfigError(f"not UTF-8 text: {error.reason}", where=f"{path}:{line}", hint="save it as UTF-8") from None
    except yaml.MarkedYAMLError as error:
        mark, reason = error.problem_mark or error.context_mark, error.problem or error.context or "not readable"
        hint = next((hint for part, hint in _YAML_HINTS.items() if part in reason), None)
        where = f"{path}:{mark.line + 1 if mark else 1}"
        raise ConfigError(f"not valid YAML: {reason}", where=where, hint=hint) from None
    except yaml.reader.ReaderError as error:
        position = next((place for place, letter in enumerate(text) if not _printable(letter)), 0)
        line = text.count("\n", 0, position) + 1
        message = f"not valid YAML: the character {text[position : position + 1]!r} is not allowed"
        raise ConfigError(message, where=f"{path}:{line}", hint="delete it") from error
    file.value = {} if value is None else value
    if problems is None and faults:
        raise ConfigError.collect(faults)
    return file


def _printable(letter: str) -> bool:
    return letter in "\t\n\r" or not yaml.reader.Reader.NON_PRINTABLE.match(letter)


def _value(node: yaml.Node, key: Key, file: YamlFile, problems: list[ConfigError]) -> Any:
    """The plain value of a node; notes lines in `file` and faults in `problems`."""
    line = node.start_mark.line + 1
    file.lines.setdefault(key, (file.path, line))
    if len(file.lines) > LARGEST:
        raise ConfigError(f"it has more than {LARGEST} values", where=str(file.path))
    if len(key) > DEEPEST:
        raise RecursionError

    def problem(at: Key, message: str, hint: str | None = None, line: int = line) -> None:
        error = file.error(at, message, hint)
        error.where = f"{shown(file.path)}:{line}"
        problems.append(error)

    if node.tag:
        tag = node.tag.replace("tag:yaml.org,2002:", "!!")
        problem(key, f"tags such as {tag} are not read", "write the plain value")
    if isinstance(node, yaml.SequenceNode):
        return [_value(child, (*key, place), file, problems) for place, child in enumerate(node.value)]
    if isinstance(node, yaml.MappingNode):
        mapping: dict[str, Any] = {}
        for key_node, value_node in node.value:
            line = key_node.start_mark.line + 1
            if not isinstance(key_node, yaml.ScalarNode) or key_node.tag:
                problem(key, "a key must be one word, without a tag", line=line)
                continue
            inner = (*key, key_node.value)
            if key_node.value in mapping:  # the first one stays, with its lines
                problem(inner, "given twice", line=line)
                continue
            file.lines[inner] = (file.path, line)
            if key_node.value == "<<" and not key_node.style:
                hint = "write the keys out; a whole block may be an alias (*name)"
                problem(inner, "merge keys are not read", hint, line)
                continue
            mapping[key_node.value] = _value(value_node, inner, file, problems)
        return mapping
    if node.style in ("'", '"', "|", ">"):
        return node.value
    value = next((read(node.value) for pattern, read in _SCALARS if pattern.match(node.value)), node.value)
    if isinstance(value, float) and math.isinf(value):
        problem(key, f"{node.value} is too large for a number")
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
    inner = value.values() if isinstance(value, Mapping) else value if isinstance(value, list) else ()
    return next((why for one in inner if (why := doubtful(one))), None)


def not_a_block(file: YamlFile, value: Any, at: Key = ()) -> ConfigError:
    """The error where a block of keys is needed and `value` stands."""
    got = f"must be a block of keys, got {'a list' if isinstance(value, list) else repr(value)}"
    return file.error(at, "is empty" if value is None else got, "write `key: value` lines below it, indented")


def validate(
    model: type[Model], file: YamlFile, value: Any = None, at: Key = (), context: Mapping[str, Any] | None = None
) -> Model:
    """Build a pydantic model from (part of) a file; every problem becomes one line with file and line number.

    Parameters
    ----------
    model : type
        A `scarce.config.block.Block`.
    file : YamlFile
    value : object, optional
        By default all of the file.
    at : tuple
        Key of the value in the file.
    context : mapping, optional
        Kinds of names and the names there are, see `scarce.config.block.known`.

    Raises
    ------
    ConfigError
        With all problems at once.
    """
    value = file.value if value is None else value
    if not isinstance(value, Mapping):
        raise not_a_block(file, value, at)
    try:
        return model.model_validate(value, context=context)
    except ValidationError as error:
        details = error.errors(include_url=False)
        raise ConfigError.collect(file.fault(at, detail) for detail in details) from None
