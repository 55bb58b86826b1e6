"""Metrics of the true labels of validation rows: what a choice by observed labels is held against.

Each metric of true labels has a twin ``true_<name>_validation``: the same function of the validation rows in place of
the test rows. Nobody with PU data knows these numbers, and a study saves only those that it names. Imports nothing
heavy.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from scarce.scoring.metrics import METRICS, Metric

if TYPE_CHECKING:
    from scarce.scoring.runs import Runs
    from scarce.scoring.values import Values


def twin_of(name: str) -> str:
    """Name of the twin of a metric of test rows."""
    return f"true_{name}_validation"


def _twin(metric: Metric) -> Metric:
    def compute(runs: Runs) -> Values:
        import numpy as np

        rows = runs.of_validation
        values = metric.compute(rows).unless(rows.problem)
        return values._replace(reason=np.char.replace(values.reason.astype(str), "test", "validation"))

    return replace(
        metric,
        name=twin_of(metric.name),
        label=f"{metric.label}, true labels of validation rows",
        hidden_labels=True,
        description=f"{metric.description} On validation rows, by their true labels.",
        compute=compute,
        rows="validation",
    )


TWINS: dict[str, Metric] = {
    twin.name: twin
    for twin in (_twin(one) for one in METRICS.values() if one.direction and one.labels == "true")
    if twin.name != twin_of("f1_oracle")  # its threshold is that of the test rows
}
"""The metrics of true labels of validation rows, by name."""
