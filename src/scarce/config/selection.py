"""The block `selection` of a study: among which methods is chosen, by which metrics, and how the loss is measured."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import Field, ValidationInfo, field_validator

from scarce.config.block import Block, Once, Share, known, once
from scarce.config.names import Name
from scarce.scoring.true_validation import twin_of

if TYPE_CHECKING:
    from scarce.config.study import Study

AT_RANDOM, BEST_ELSEWHERE = "at_random", "best_elsewhere"
BASELINES = {AT_RANDOM: "At random", BEST_ELSEWHERE: "Best on the other data sets"}
"""Ways to choose without a metric, with their labels."""

Rarity = Literal["all", "rare", "common"]
Candidates = Annotated[list[Annotated[Name, known("method of this study")]], Field(min_length=1)]


def expanded(methods: list[str], info: ValidationInfo) -> list[str]:
    """Names of methods with the variants of a grid in the place of its block; each stands there once."""
    grids = (info.context or {}).get("grids", {})
    return once([variant for name in methods for variant in grids.get(name, [name])])


class Selection(Block):
    """Choosing among methods by metrics of validation rows, held against choosing by the true labels of these rows."""

    candidates: dict[Name, Candidates] = Field(
        min_length=1, description="group: the methods that one is chosen of; the name of a grid's block: all variants"
    )
    by: Annotated[list[Annotated[str, known("metric of validation rows")]], Field(min_length=1), Once] = Field(
        description="metrics of validation rows that choose"
    )
    judged_in: Annotated[list[Annotated[str, known("metric to judge a choice in")]], Field(min_length=1), Once] = Field(
        ["auc_pr"], description="metrics of the true labels of test rows in which the loss is measured"
    )
    rare_below: Share = Field(0.10, description="positives are rare in data sets with a smaller share of them")

    @field_validator("candidates")
    @classmethod
    def _methods_to_choose_of(cls, candidates: dict[str, list[str]], info: ValidationInfo) -> dict[str, list[str]]:
        groups = {group: expanded(methods, info) for group, methods in candidates.items()}
        for group, methods in groups.items():
            if len(methods) < 2:
                raise ValueError(f"{group} has one method: there is nothing to choose")
            for kind, why in {"oracles": "sees true labels", "published methods": "is never fitted"}.items():
                if found := [name for name in methods if name in (info.context or {}).get(kind, ())]:
                    raise ValueError(f"{group}: {found[0]} {why} and cannot be chosen")
        return groups

    @property
    def metrics(self) -> list[str]:
        """Names of the metrics that a study with this block needs."""
        return list(dict.fromkeys([*self.judged_in, *map(twin_of, self.judged_in), *self.by]))


def way_label(way: str, label: Callable[[str, str], str]) -> str:
    """What a reader knows a way to choose by; ``label("metric", name)`` is that of a metric."""
    return BASELINES.get(way) or label("metric", way).removesuffix(", validation")


def metrics_of(selection: Selection | None) -> list[str]:
    """Names of the metrics that a study needs for its block; none without one."""
    return selection.metrics if selection else []


def names_of_selection(analysis: Any) -> dict[str, Any]:
    """Names that claims and tables may use, from a block `analysis` that is not checked yet."""
    block = analysis.get("selection") if isinstance(analysis, Mapping) else None
    block = block if isinstance(block, Mapping) else {}
    groups, by = block.get("candidates", {}), block.get("by", [])
    judged = block.get("judged_in", Selection.model_fields["judged_in"].default if block else [])
    return {
        "group of candidates in analysis.selection": list(groups) if isinstance(groups, Mapping) else None,
        "way to choose in analysis.selection": [*BASELINES, *by] if isinstance(by, list) else None,
        "metric that analysis.selection judges in": judged if isinstance(judged, list) else None,
    }


def refused_selection(study: Study) -> Iterator[tuple[str, str]]:
    """Key of a block of a study, and why its choices among methods cannot be judged."""
    selection = study.analysis.selection
    if selection and not study.truth_known:
        yield "analysis", f"selection: labeling {study.labeling_name} has no true labels, so no loss can be known"
    if selection and not study.split.chooses_thresholds:
        yield "analysis", f"selection: split.plan {study.split.plan} has no validation rows to choose by"
    for table in study.report.tables:
        if table.layout == "selection" and table.metric not in (selection.judged_in if selection else ()):
            yield "report", f"table {table.name}: analysis.selection does not judge in {table.metric}"
