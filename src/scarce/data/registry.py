"""Registries of the parts that a description names: sources, readers, steps, generators."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from scarce.errors import ConfigError


@dataclass(frozen=True)
class Part:
    """A function under the name that config/datasets.yaml uses; a call of the part calls it.

    `options` is the pydantic model of its settings, if `scarce.config.datasets` does not declare them.
    """

    name: str
    function: Callable[..., Any]
    options: Any = None

    def __call__(self, *arguments: Any, **keywords: Any) -> Any:
        return self.function(*arguments, **keywords)


class Registry(dict[str, Part]):
    """Parts of one kind by name; `kind` is what messages call them, such as ``reader``."""

    def __init__(self, kind: str) -> None:
        super().__init__()
        self.kind = kind

    def register(self, name: str, options: Any = None) -> Callable[[Callable], Callable]:
        """Decorator that adds a function; ConfigError if the name is taken."""

        def add(function: Callable) -> Callable:
            if name in self:
                raise ConfigError(f"{self.kind} {name} is registered twice: choose another name")
            self[name] = Part(name, function, options)
            return function

        return add
