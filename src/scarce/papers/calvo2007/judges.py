"""The judge of the paper's claims: how many problems does a method win?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import Field

from scarce.analysis.judges.base import Findings, Methods, Verdict, Where, apart, judge
from scarce.config.block import Once, across

if TYPE_CHECKING:
    import pandas as pd

    from scarce.analysis.evidence import Case

Limit = Annotated[float, Field(ge=0, le=1)]


class ProblemsArguments(Where):
    """Arguments of `problems`."""

    methods: Methods = Field(description="the first of each pair")
    over: Methods = Field(description="the second of each pair")
    sources: Annotated[list[str], Field(min_length=1), Once] = Field(
        description="databases, data sets or topologies whose problems count"
    )
    class_priors: Annotated[list[float], Field(min_length=1), Once] | None = Field(
        None, description="of the problems that count; by default all"
    )
    outcome: Literal["won", "lost", "undecided"] = Field("won", description="of a problem, for the first method")
    more_than: Limit | None = Field(0.5, description="more than this share of the problems ends so; null: any")
    at_most: Limit = Field(1.0, description="and no more than this share")
    together: bool = Field(False, description="whether the problems of all sources are counted together")

    @across("methods", "over")
    def _pairs(self) -> None:
        apart(self.methods, self.over)

    @across("more_than", "at_most")
    def _range(claim: ProblemsArguments) -> str:
    low = [] if claim.more_than is None else [f"more than {100 * claim.more_than:g} %"]
    high = [] if claim.at_most == 1 else [f"at most {100 * claim.at_most:g} %"]
    return f"{claim.outcome}: {' and '.join(low + high)}"
