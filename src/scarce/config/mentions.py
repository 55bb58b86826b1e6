"""Names that a configuration mentions, found in values as they are read, whether the rest of the file is right or not.

What a name must be a name of stands in its type, as a text among its annotations: ``Annotated[Name, "data set"]``, or
once for a list of them.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping
from functools import cache
from typing import Annotated, Any, get_args, get_origin, get_type_hints

from pydantic import BaseModel

from scarce.config.advice import did_you_mean
from scarce.config.yamlfile import Key, YamlFile
from scarce.errors import ConfigError


def mentions(hint: Any, value: Any, at: Key = (), kind: str | None = None) -> Iterator[tuple[Key, str, str]]:
    """Every name in a value: its key, what it must be a name of, and the name.

    Parameters
    ----------
    hint : type or annotation
        What the value should be; parts that are something else hold no names.
    value : object
        As YAML gives it.
    at : tuple
        Key of the value.
    kind : str, optional
        What texts in the value must be names of, where `hint` says nothing else.
    """
    inner = get_args(hint)
    if get_origin(hint) is Annotated:
        said = next((word for word in hint.__metadata__ if isinstance(word, str)), kind)
        yield from mentions(inner[0], value, at, said)
    elif isinstance(value, Mapping):
        if isinstance(hint, type) and issubclass(hint, BaseModel):
            for name, part in _hints(hint).items():
                if name in value:
                    yield from mentions(part, value[name], (*at, name))
        elif get_origin(hint) is dict:
            for name, part in value.items():
                yield from mentions(inner[0], name, (*at, name))
                yield from mentions(inner[1], part, (*at, name), kind)
        else:  # a union
            for choice in inner:
                yield from mentions(choice, value, at, kind)
    elif isinstance(value, list):
        for choice in [hint] if get_origin(hint) is list else inner:
            if get_origin(choice) is list:
                for place, part in enumerate(value):
                    yield from mentions(get_args(choice)[0], part, (*at, place), kind)
            elif get_origin(choice) is Annotated:
                yield from mentions(choice, value, at, kind)
    elif isinstance(value, str):
        if hint is str and kind:
            yield at, kind, value
        elif get_origin(hint) not in (list, dict):
            for choice in inner:
                yield from mentions(choice, value, at, kind)


@cache
def _hints(model: type[BaseModel]) -> dict[str, Any]:
    return get_type_hints(model, include_extras=True)


def unknown(
    hint: Any, value: Any, file: YamlFile, known: Mapping[str, Iterable[str] | None], wrong: Container, at: Key = ()
) -> list[ConfigError]:
    """What is wrong with the names in a value.

    Parameters
    ----------
    hint, value, at
        As in `mentions`.
    file : YamlFile
        Where the value stands.
    known : mapping
        From what a name must be a name of to the names there are; None or nothing where that is not known.
    wrong : container of tuples
        Places (see `YamlFile.place`) of which something is said already.
    """
    return [
        file.error(key, f"no {kind} is named {name!r}", did_you_mean(name, among))
        for key, kind, name in mentions(hint, value, at)
        if (among := known.get(kind)) is not None and name not in among and file.place(key) not in wrong
    ]
