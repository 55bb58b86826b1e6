"""The methods of `scarce.methods.boosting` with the trees of LightGBM, which the extra `boosting` brings.

Ke et al. (2017), LightGBM: a highly efficient gradient boosting decision tree, NeurIPS.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from scarce import extras
from scarce.methods.boosting import BoostingBaggingClassifier, BoostingClassifier, BoostingElkanNotoClassifier

lightgbm = extras.optional("lightgbm")


class LightTrees:
    """The trees of LightGBM, in one thread, such that equal seeds give equal trees; see `HistogramTrees`."""

    n_estimators: int

    def _boosted(self, X: np.ndarray, s: np.ndarray, weight: np.ndarray | None, leaf: int, seed: int) -> Any:
        settings = {
            "objective": "binary", "min_data_in_leaf": leaf, "seed": seed,
            "num_threads": 1, "deterministic": True, "force_row_wise": True, "verbosity": -1,
        }  # fmt: skip
        return lightgbm.train(settings, lightgbm.Dataset(X, s, weight=weight), self.n_estimators)

    def _margins(self, trees: Any, X: np.ndarray) -> np.ndarray:
        return trees.predict(X, raw_score=True, num_threads=1)


class LightGBMClassifier(LightTrees, BoostingClassifier):
    """`BoostingClassifier` with trees of LightGBM."""


class LightGBMElkanNotoClassifier(LightTrees, BoostingElkanNotoClassifier):
    """`BoostingElkanNotoClassifier` with trees of LightGBM."""


class LightGBMBaggingClassifier(LightTrees, BoostingBaggingClassifier):
    """`BoostingBaggingClassifier` with trees of LightGBM."""
