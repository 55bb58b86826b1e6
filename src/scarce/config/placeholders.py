"""Placeholders: arguments of a method that are known only for a repeat, such as ``$class_prior``.

Each is a record with a function from a `Repeat` to the value. A paper or a plugin adds one with `register`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from scarce.errors import ConfigError
from scarce.estimators.schemes import unlabeled_prior


class Repeat(Protocol):
    """What placeholders are filled from."""

    labels: Any  # the repeat's labels, with class_prior, label_share and seed
    seed: int  # of the method in this repeat
    categorical: list[int]  # places of nominal columns as the method sees them; none where they are encoded as numbers
    levels: list[int]  # number of levels of each of them, where cells are missing one more
    shape: tuple[int, ...]  # of a row, before encoding


@dataclass(frozen=True)
class Placeholder:
    """A name that starts with $, what it stands for, and the function that gives its value."""

    name: str
    description: str
    value: Callable[[Repeat], Any]


PLACEHOLDERS: dict[str, Placeholder] = {}


def register(name: str, description: str, value: Callable[[Repeat], Any]) -> None:
    """Add a placeholder; raises ConfigError where the name is taken or does not start with $."""
    if name in PLACEHOLDERS or not name.startswith("$"):
        raise ConfigError(f"placeholder {name!r}: is registered already, or does not start with $")
    PLACEHOLDERS[name] = Placeholder(name, description, value)


def fill(arguments: Mapping[str, Any], repeat: Repeat) -> dict[str, Any]:
    """Arguments with the values of a repeat in place of placeholders."""
    return {
        name: PLACEHOLDERS[value].value(repeat) if isinstance(value, str) and value in PLACEHOLDERS else value
        for name, value in arguments.items()
    }


def _unlabeled_prior(repeat: Repeat) -> float:
    """Share of positives among the unlabeled training positions that the class prior implies.

    Where that of one sample leaves (0, 1), i.e. by the prior no unlabeled row is positive, or each is, it is the share
    of half a row, or of all but half a row. Raises ValueError where no row is unlabeled.
    """
    labels = repeat.labels
    if labels.scheme == "two_sample":
        return labels.class_prior
    unlabeled = int((labels.s == 0).sum())
    if not unlabeled:
        raise ValueError("$unlabeled_prior: no training row is unlabeled")
    half = 0.5 / unlabeled
    prior = unlabeled_prior(labels.class_prior, labels.label_share, labels.scheme)
    return prior if 0 < prior < 1 else half if prior <= 0 else 1 - half


register("$class_prior", "class prior of the training rows, as `class_prior` says", lambda r: r.labels.class_prior)
register(
    "$unlabeled_prior",
    "share of positives among the unlabeled training rows that class_prior implies",
    _unlabeled_prior,
)
register("$label_share", "share of labeled rows", lambda r: r.labels.label_share)
register("$scheme", "one_sample or two_sample, as the labeling draws", lambda r: r.labels.scheme)
register("$seed", "seed of the method in this repeat", lambda r: r.seed)
register("$repeat_seed", "seed of the repeat, the same for all methods", lambda r: r.labels.seed)
register("$categorical", "places of nominal columns; none where they are encoded as numbers", lambda r: r.categorical)
register("$levels", "number of levels of each nominal column, one more for missing cells", lambda r: r.levels)
register("$shape", "shape of a row", lambda r: r.shape)
