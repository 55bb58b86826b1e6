"""Generators of synthetic data sets of two classes. No NumPy at import: the configuration needs them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from pydantic import Field

from scarce.config.block import Block
from scarce.errors import ConfigError

if TYPE_CHECKING:
    import numpy as np

    from scarce.data.tables import Table


class GeneratorOptions(Block):
    """Settings of a generator beside n, prior and seed."""

    @property
    def columns(self) -> int:
        """Number of columns that the generator draws, or an upper bound."""
        raise NotImplementedError


@dataclass(frozen=True)
class Generator:
    """A generator and the model of its options.

    `draw` is called with a RandomState, the labels y (n,) in {0, 1} and the options. It returns a dict from column name
    to values (n,): floats for a numeric column, objects (str) for a nominal one.
    """

    draw: Callable[[np.random.RandomState, np.ndarray, Any], dict[str, np.ndarray]]
    options: type[GeneratorOptions]


GENERATORS: dict[str, Generator] = {}


def generator(name: str, options: type[GeneratorOptions]) -> Callable:
    """Register a function as the `draw` of a generator; ConfigError if the name is taken."""

    def register(draw: Callable) -> Callable:
        if name in GENERATORS:
            raise ConfigError(f"generator {name} is registered twice: choose another name")
        GENERATORS[name] = Generator(draw, options)
        return draw

    return register


def generate(name: str, *, n: int, prior: float, seed: int, **options: Any) -> Table:
    """Draw n rows in random order: the generator's columns, then ``label``, positive or negative.

    The number of positives is ``round(n * prior)``, at least 1 and at most n - 1. Values are rounded to six decimals:
    the last bits of a machine's mathematics library must not change the table.
    """
    import numpy as np

    from scarce.data.tables import Table

    record = GENERATORS[name]
    random = np.random.RandomState(seed)
    y = np.zeros(n, dtype=int)
    y[: min(max(round(n * prior), 1), n - 1)] = 1
    drawn = record.draw(random, y, record.options(**options))
    order = random.permutation(n)
    columns = [values[order] for values in drawn.values()]
    columns = [values if values.dtype == object else np.round(values, 6) + 0.0 for values in columns]
    columns.append(np.where(y[order] == 1, "positive", "negative").astype(object))
    return Table([*drawn, "label"], columns, [values.dtype == object for values in columns], "label")


class Moons(GeneratorOptions):
    """Options of `moons`."""

    noise: float = Field(0.25, gt=0, description="standard deviation around the half circles")
    columns: ClassVar[int] = 2


class Blobs(GeneratorOptions):
    """Options of `blobs`."""

    d: int = Field(4, gt=0, description="numeric columns")
    separation: float = Field(2.0, gt=0, description="distance between the two means, in standard deviations")
    levels: int = Field(0, ge=0, description="levels of one nominal column; 0 for no such column")

    @property
    def columns(self) -> int:
        return self.d + self.levels


@generator("moons", Moons)
def moons(random: np.random.RandomState, y: np.ndarray, options: Moons) -> dict[str, np.ndarray]:
    """Two interleaved half circles in the plane with Gaussian noise."""
    import numpy as np

    angle = np.pi * random.uniform(size=len(y))
    x = np.where(
        y[:, None] == 1,
        np.column_stack([1 - np.cos(angle), 0.5 - np.sin(angle)]),
        np.column_stack([np.cos(angle), np.sin(angle)]),
    )
    x = x + options.noise * random.standard_normal((len(y), 2))
    return {"x1": x[:, 0], "x2": x[:, 1]}


@generator("blobs", Blobs)
def blobs(random: np.random.RandomState, y: np.ndarray, options: Blobs) -> dict[str, np.ndarray]:
    """Two Gaussian clouds with unit variances, and optionally one nominal column ``group`` that depends on the class.

    Level k of ``group`` (from 0) has a probability proportional to k + 1 among positives and to ``levels - k`` among
    negatives.
    """
    import numpy as np

    d, levels = options.d, options.levels
    x = random.standard_normal((len(y), d)) + y[:, None] * options.separation / np.sqrt(d)
    columns = {f"x{j}": values for j, values in enumerate(x.T, start=1)}
    if levels:
        weight = np.arange(1, levels + 1) / (levels * (levels + 1) / 2)
        draw = random.uniform(size=len(y))
        level = np.where(
            y == 1,
            np.searchsorted(np.cumsum(weight[:-1]), draw),
            np.searchsorted(np.cumsum(weight[::-1][:-1]), draw),
        )
        columns["group"] = np.array([f"g{k + 1}" for k in level], dtype=object)
    return columns


from scarce.data import tan  # noqa: E402, F401 - a generator in a module of its own
