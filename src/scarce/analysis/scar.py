"""What SCAR tests say of a user's data, and when they say nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

LEVEL = 0.05
#: The AUC from which on classes overlap so little that a verdict is printed; `benchmarks/scar_test.py` measures it.
SEPARATED = 0.98
#: The test is made given the class prior times each of these: given a single one that is off, it rejects random labels.
FACTORS = (0.8, 0.9, 1.0, 1.12, 1.25)


@dataclass(frozen=True)
class ScarResult:
    """A test given one class prior, and the AUC of its scores given that prior."""

    prior: float
    auc: float
    p_value: float


def apart(results: Sequence[ScarResult]) -> bool:
    """Whether classes hardly overlap, by the AUC given the middle class prior; False without results."""
    return bool(results) and results[len(results) // 2].auc >= SEPARATED


def verdict(results: Sequence[ScarResult]) -> str:
    """What the tests given ascending class priors say together: labels are random if they are given any of these.

    Returns
    -------
    {"not tested", "overlap", "rejected", "not rejected"}
        "overlap" where the AUC given the middle class prior is below `SEPARATED`.
    """
    if not results:
        return "not tested"
    if not apart(results):
        return "overlap"
    return "rejected" if max(result.p_value for result in results) <= LEVEL else "not rejected"
