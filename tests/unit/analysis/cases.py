"""Hand-made scores with known answers."""

import pandas as pd

from scarce.analysis.evidence import Case
from scarce.analysis.judges import JUDGES
from scarce.analysis.statistics import AnalysisSettings

LABELS = {
    "method": {"a": "Method A", "b": "Method B", "c": "Method C", "d": "Method D"},
    "metric": {"auc_pr": "AUC-PR", "f1_oracle": "F1, oracle", "f1_validation": "F1, validation"},
    "scenario": {"flip-25": "25 %", "flip-75": "75 %"},
}


def scores(values, datasets=12, repeats=2, metric="auc_pr", scenarios=("flip-25", "flip-75")):
    """Scores of methods: `values` maps a method to its value, or to a function of scenario, data set and repeat."""
    rows = [
        (f"d{i:02d}", scenario, repeat, method, metric, value(scenario, i, repeat) if callable(value) else value)
        for i in range(datasets)
        for scenario in scenarios
        for repeat in range(repeats)
        for method, value in values.items()
    ]
    return pd.DataFrame(rows, columns=["dataset", "scenario", "repeat", "method", "metric", "value"])


def case(frame, others=(), labels=LABELS, **settings):
    """A case whose study is all that the scores hold."""
    chosen = {"metrics": list(dict.fromkeys(frame["metric"])), "methods": list(dict.fromkeys(frame["method"]))}
    return Case(frame, AnalysisSettings(**(chosen | settings)), labels, others=dict(others))


def decide(judge, a_case, **arguments):
    """The verdict of a judge."""
    record = JUDGES[judge]
    return record.decide(a_case, record.arguments(**arguments))


def value_of(found, quantity, **keys):
    """One number of the evidence."""
    rows = found.evidence[found.evidence["quantity"] == quantity]
    for key, name in keys.items():
        rows = rows[rows[key] == name]
    assert len(rows) == 1, rows
    return rows["value"].iloc[0]
