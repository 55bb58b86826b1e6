"""What a SCAR test says of a user's data, and when it says nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

LEVEL = 0.05
#: The AUC from which on classes overlap so little that the test keeps its level; `benchmarks/scar_test.py` measures it.
SEPARATED = 0.98


@dataclass(frozen=True)
class ScarResult:
    """A test given one class prior.

    Parameters
    ----------
    prior : float
    told_by : str
        Where the class prior is from.
    auc : float
        AUC of the scores given that class prior.
    p_value : float
    deviating : tuple of str
        The columns in which labeled rows deviate most from those presumed positive, the most deviating first.
    """

    prior: float
    told_by: str
    auc: float
    p_value: float
    deviating: tuple[str, ...] = ()

    @property
    def usable(self) -> bool:
        """Whether the test keeps its level: the classes hardly overlap, by their AUC."""
        return self.auc >= SEPARATED

    @property
    def rejected(self) -> bool:
        return self.p_value <= LEVEL


def verdict(results: Sequence[ScarResult]) -> str:
    """What the tests given several class priors say together.

    Returns
    -------
    {"not tested", "overlap", "rejected", "not rejected", "depends"}
        "overlap" where no test keeps its level, "depends" where the class prior decides.
    """
    if not results:
        return "not tested"
    said = {result.rejected for result in results if result.usable}
    if not said:
        return "overlap"
    return "depends" if len(said) == 2 else "rejected" if said.pop() else "not rejected"
