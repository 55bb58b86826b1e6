"""Names of each kind that a study may use, for the check by `scarce.config.block.known`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from scarce.config.selection import names_of_selection
from scarce.labels.records import read_labeling


def registered_names() -> dict[str, Any]:
    """Names of what modules register: figures, layouts of tables and metrics."""
    from scarce.report.catalogue import FIGURES
    from scarce.report.layouts import LAYOUTS
    from scarce.scoring.observed_metrics import ALL_METRICS
    from scarce.scoring.true_validation import TWINS, twin_of

    ranking = [metric for metric in ALL_METRICS.values() if metric.direction]
    return {
        "metric": ALL_METRICS,
        "metric to rank by": [metric.name for metric in ranking],
        "metric of validation rows": [metric.name for metric in ranking if metric.rows == "validation"],
        "metric to judge a choice in": [metric.name for metric in ranking if twin_of(metric.name) in TWINS],
        "figure": FIGURES,
        "layout of a table": LAYOUTS,
    }


def names_of_study(value: dict[str, Any], context: Mapping[str, Any]) -> dict[str, Any]:
    """Names that a study's own parts may use: methods, data sets, scenarios; None where they are not known."""
    listed, known, grids = value.get("methods"), context["method"], context.get("grids", {})
    methods = known
    if known is not None and isinstance(listed, list):
        texts = [name for name in listed if isinstance(name, str)]
        own = [one for name in texts for one in (name, *grids.get(name, ()))]
        right = len(texts) == len(listed) and all(name in known for name in texts)
        methods = own if right else [*known, *own]
    try:
        (labeling,) = read_labeling(value.get("labeling")).values()
        scenarios = [scenario.name for scenario in labeling.fixed_scenarios]
    except ValueError:  # as pydantic's errors are
        scenarios = None
    datasets = value.get("datasets")
    return {
        "method of this study": methods,
        "scenario of this study": scenarios,
        "data set of this study": datasets if isinstance(datasets, list) else None,
        **names_of_selection(value.get("analysis")),
    }


def texts_in(value: Any) -> Iterable[str]:
    """All texts in a value, keys included."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for part in [*value, *value.values()] if isinstance(value, dict) else value:
            yield from texts_in(part)
