"""imbalanced-learn's samplers, whose neighbours are searched by one thread."""

from __future__ import annotations

from typing import Any

import numpy as np


def resample(sampler: Any, X: np.ndarray, s: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Rows and labels as a sampler of imbalanced-learn leaves them, whatever the number of threads.

    The search for neighbours runs in one thread: among equally near rows, several threads choose others.
    """
    from threadpoolctl import threadpool_limits

    with threadpool_limits(limits=1, user_api="openmp"):
        return sampler.fit_resample(X, s)
