"""Settings of metrics that a study states under ``analysis:``, and metrics that lack them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import BeforeValidator, Field

from scarce.config.block import Block, across
from scarce.scoring.observed_metrics import ALL_METRICS
from scarce.words import number

if TYPE_CHECKING:
    from scarce.config.study import Analysis


def _rows_or_share(value: Any) -> Any:
    whole = isinstance(value, int) and not isinstance(value, bool)
    if (whole and value >= 1) or (isinstance(value, float) and 0 < value < 1):
        return value
    raise ValueError(f"must be a whole number of rows, 1 or more, or a share of the rows between 0 and 1, got {value}")


#: A number of rows, or a share of them.
AtK = Annotated[int | float, BeforeValidator(_rows_or_share)]


class Costs(Block):
    """Costs of errors, in any unit; a correct prediction costs nothing."""

    false_positive: float = Field(ge=0, allow_inf_nan=False, description="cost of a negative predicted positive")
    false_negative: float = Field(ge=0, allow_inf_nan=False, description="cost of a positive predicted negative")

    @across("false_positive", "false_negative")
    def _some_cost(self) -> None:
        if not self.false_positive + self.false_negative:
            raise ValueError("one of the costs must be positive")

    @property
    def pair(self) -> tuple[float, float]:
        """Costs of a false positive and of a false negative."""
        return self.false_positive, self.false_negative


def lacking(analysis: Analysis, names: Collection[str | None]) -> str | None:
    """Why named metrics would be undefined for want of a setting, in one line; None where none is."""
    for key in ("at_k", "costs"):
        needing = [name for name in dict.fromkeys(names) if name in ALL_METRICS and ALL_METRICS[name].needs == key]
        if needing and getattr(analysis, key) is None:
            return f"{', '.join(needing)}: state `analysis: {{{key}: ...}}`, without which there is no value"
    return None


def not_saved(claimed: Collection[str], saved: Collection[str]) -> str | None:
    """Why claims cannot be judged by metrics that are saved on request alone, in one line; None where they can."""
    lost = [name for name in dict.fromkeys(claimed) if name in ALL_METRICS and name not in saved]
    return f"{', '.join(lost)}: saved only where `analysis: metrics:` or a table names it" if lost else None


def stated(analysis: Analysis, names: Collection[str]) -> dict[str, str]:
    """A sentence for each named metric that needs a setting: what the study states."""
    words = {}
    if (k := analysis.at_k) is not None:
        words["at_k"] = f"k is {number(k, 'row') if isinstance(k, int) else f'{100 * k:g} % of the rows, rounded up'}."
    if costs := analysis.costs:
        words["costs"] = (
            f"A false positive costs {costs.false_positive:g}, a false negative {costs.false_negative:g}; in percent, "
            "the cost is that of 100 rows."
        )
    return {name: words[key] for name in names if (key := ALL_METRICS[name].needs) in words}


def idle(analysis: Analysis, saved: Sequence[str]) -> list[str]:
    """A note for each setting that no metric reads which the study saves."""
    read = {ALL_METRICS[name].needs for name in saved}
    return [
        f"analysis.{key} decides nothing: no metric is named that reads it (`scarce list metrics`)"
        for key in ("at_k", "costs")
        if getattr(analysis, key) is not None and key not in read
    ]
