"""Which of several methods to propose for a data set without true labels, and why.

Two sources decide, in this order: the user's own data, as far as differences between methods are settled there, and
the ranks of the methods on similar data sets whose truth is known.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd


@dataclass(frozen=True)
class Proposal:
    """A method, and what decided for it.

    Parameters
    ----------
    method : str
    best : str
        The method with the best mean on the user's own data.
    level : tuple of str
        The methods that are not settled to be worse than `best`, itself included, in the order of their means.
    ranks : mapping of str to float
        Mean ranks of all methods on similar sets.
    """

    method: str
    best: str
    level: tuple[str, ...]
    ranks: Mapping[str, float]

    @property
    def settled(self) -> bool:
        """Whether the user's own data alone decide."""
        return len(self.level) == 1


def propose(means: Mapping[str, float], pairs: pd.DataFrame, ranks: Mapping[str, float]) -> Proposal:
    """The method with the best rank on similar sets among those that are level with the best on the user's own data.

    A method is settled to be worse than the best if Holm's procedure over all pairs finds it so.

    Parameters
    ----------
    means : mapping of str to float
        Mean of a metric that orders methods, larger is better; methods without a value are left out.
    pairs : DataFrame
        Rows of stats/pairs.csv for that metric.
    ranks : mapping of str to float
        Mean ranks on similar sets, smaller is better.

    Raises
    ------
    ValueError
        If no method has a value.
    """
    known = {method: mean for method, mean in means.items() if not np.isnan(mean)}
    if not known:
        raise ValueError("no method has a value on this data set")
    order = sorted(known, key=lambda method: (-known[method], ranks.get(method, np.inf)))
    best = order[0]
    of_best = pairs[(pairs["method"] == best) | (pairs["other"] == best)]
    worse = {*of_best["method"], *of_best["other"]} - {best}
    significant = of_best[of_best["significant"].fillna(False).astype(bool)]
    worse &= {*significant["method"], *significant["other"]}
    level = tuple(method for method in order if method not in worse)
    chosen = min(level, key=lambda method: (ranks.get(method, np.inf), level.index(method)))
    return Proposal(chosen, best, level, dict(ranks))
