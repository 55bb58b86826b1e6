"""Generators of synthetic data sets of two classes. Each module of this package registers its own.

The modules import NumPy only inside their functions: the configuration reads the registry.
"""

from __future__ import annotations

import importlib
import pkgutil
from typing import TYPE_CHECKING, Any

from scarce.config.block import Block
from scarce.data.registry import Registry

if TYPE_CHECKING:
    from scarce.data.tables import Table

#: A generator is called with a RandomState, the labels y (n,) in {0, 1} and its options. It returns a dict from column
#: name to values (n,): floats for a numeric column, objects (str) for a nominal one.
GENERATORS = Registry("generator")


class GeneratorOptions(Block):
    """Settings of a generator beside n, prior and seed."""

    @property
    def columns(self) -> int:
        """Number of columns that the generator draws, or an upper bound."""
        raise NotImplementedError


def generate(name: str, *, n: int, prior: float, seed: int, **options: Any) -> Table:
    """Draw a data set.

    Values are rounded to six decimals, so that the last bits of a machine's mathematics library cannot change the
    table.

    Parameters
    ----------
    name : str
        A name in `GENERATORS`.
    n : int
        Number of rows.
    prior : float in (0, 1)
        Share of positives; their number is ``round(n * prior)``, at least 1 and at most n - 1.
    seed : int
        Seed of the RandomState from which everything is drawn.
    **options
        Settings of the generator.

    Returns
    -------
    Table
        The generator's columns, then ``label``: positive or negative. The rows are in random order.
    """
    import numpy as np

    from scarce.data.tables import Table

    generator = GENERATORS[name]
    random = np.random.RandomState(seed)
    y = np.zeros(n, dtype=int)
    y[: min(max(round(n * prior), 1), n - 1)] = 1
    drawn = generator(random, y, generator.options(**options))
    order = random.permutation(n)
    columns = [values[order] for values in drawn.values()]
    columns = [values if values.dtype == object else np.round(values, 6) + 0.0 for values in columns]
    columns.append(np.where(y[order] == 1, "positive", "negative").astype(object))
    return Table([*drawn, "label"], columns, [values.dtype == object for values in columns], "label")


for _module in pkgutil.iter_modules(__path__):
    importlib.import_module(f"{__name__}.{_module.name}")
