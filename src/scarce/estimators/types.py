"""Types of the arguments that public functions and estimators share."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

__all__ = ["ArrayLike", "MaxFeatures", "Seed", "Weighted"]

#: What `random_state` takes: a seed, a generator, or None for numpy's global one.
Seed = int | np.random.RandomState | None
#: Features drawn at a node: a number, a share, a rule by name, or None for all.
MaxFeatures = int | float | str | None
#: Features, observed labels and weights of the rows that weigh more than 0; None where all weigh 1.
Weighted = tuple[np.ndarray, np.ndarray, np.ndarray | None]
