"""Two interleaved half circles, and two Gaussian clouds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pydantic import Field

from scarce.data.generators import GENERATORS, GeneratorOptions

if TYPE_CHECKING:
    import numpy as np


class Moons(GeneratorOptions):
    """Options of `moons`."""

    noise: float = Field(0.25, gt=0, description="standard deviation around the half circles")

    @property
    def columns(self) -> int:
        return 2


class Blobs(GeneratorOptions):
    """Options of `blobs`."""

    d: int = Field(4, gt=0, description="numeric columns")
    separation: float = Field(2.0, gt=0, description="distance between the two means, in standard deviations")
    levels: int = Field(0, ge=0, description="levels of one nominal column; 0 for no such column")

    @property
    def columns(self) -> int:
        return self.d + self.levels


@GENERATORS.register("moons", Moons)
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


@GENERATORS.register("blobs", Blobs)
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
