"""Metrics without negatives as records: how each is computed from observed labels, and what it assumes.

Each stands there twice: ``<name>_validation`` for the validation rows, which have observed labels in every study with
validation rows, and ``<name>_test`` for the test rows, which have them only where the class column is the observed
label. Names start with ``pu_``, so that none is taken for a metric of true labels. Imports nothing heavy.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from operator import attrgetter, methodcaller
from typing import TYPE_CHECKING

from scarce.scoring.metrics import METRICS, Metric
from scarce.scoring.true_validation import TWINS
from scarce.scoring.values import Values, defined

if TYPE_CHECKING:
    import numpy as np

    from scarce.scoring.observed_rows import ObservedRows
    from scarce.scoring.runs import Runs

PARTS = {"validation": "validation rows", "test": "test rows"}
SCAR, PRIOR, INTERVAL, SCHEME = "SCAR", "class prior", "interval of the class prior", "sample scheme"
NOTHING_PREDICTED = "no row is predicted positive"


@dataclass(frozen=True)
class Quantity:
    """A quantity estimated from observed labels; `Metric` has the meaning of the fields that are not explained here.

    Parameters
    ----------
    assumes : tuple of str
        SCAR, and which of class prior, interval of the class prior and sample scheme.
    threshold : bool
        Whether it needs the threshold of the study's decision.
    undefined : str
        Why a value is undefined where all that it needs is there.
    on_request : bool
        Whether the metric of test rows, too, is saved only where a study names it.
    """

    name: str
    label: str
    assumes: tuple[str, ...]
    description: str
    compute: Callable[[ObservedRows], np.ndarray]
    direction: str | None = "max"
    threshold: bool = True
    undefined: str = NOTHING_PREDICTED
    on_request: bool = False
    needs: str = ""

    def metric(self, part: str) -> Metric:
        """The record of the quantity for one kind of rows."""

        def compute(runs: Runs) -> Values:
            import numpy as np

            rows = runs.observed(part)
            values = self.compute(rows)
            values = defined(values).unless(np.where(np.isnan(values), self.undefined, ""))
            if self.threshold:
                values = values.unless(rows.threshold.reason)
            if PRIOR in self.assumes:
                values = values.unless(np.where(np.isnan(rows.prior), "no class prior", ""))
            if INTERVAL in self.assumes and rows.prior_interval is None:
                values = values.unless("no analysis.class_prior_interval")
            if self.needs == "at_k":
                values = values.unless(rows.top.reason)
            if self.needs == "costs" and rows.costs is None:
                values = values.unless("no analysis.costs")
            return values.unless(rows.problem)

        return Metric(
            f"{self.name}_{part}", f"{self.label}, {part}", self.direction, None, None, False,
            f"{self.description} {PARTS[part].capitalize()}.", compute,
            labels="observed", rows=part, assumes=self.assumes, threshold=self.threshold,
            on_request=self.on_request, needs=self.needs,
        )  # fmt: skip


BOUNDED = {"auc": "AUC", "accuracy": "Accuracy", "precision": "Precision", "recall": "Recall", "f1": "F1"}
"""What an interval of the class prior bounds, with its label."""


def _quantities() -> list[Quantity]:
    def bound(metric: str, end: int) -> Callable[[ObservedRows], np.ndarray]:
        return lambda rows: rows.bounds(metric)[end]

    given = (SCAR, PRIOR, SCHEME)
    zero_one = "with the zero-one loss at the study's threshold: an estimate of the error rate."
    return [
        Quantity("pu_auc", "PU AUC", (SCAR,), "Area under the ROC curve of labeled against unlabeled rows.",
                 attrgetter("pu_auc"), threshold=False),
        Quantity("pu_auc_corrected", "AUC given prior", given, "AUC-ROC from PU AUC and the class prior.",
                 attrgetter("auc"), threshold=False, undefined="by the class prior no row is negative"),
        Quantity("pu_aul", "AUL", (SCAR, SCHEME), "Area under the lift curve: positives against all rows.",
                 attrgetter("aul"), threshold=False),
        Quantity("pu_ap", "AP given prior", given, "Average precision from labeled rows and the class prior.",
                 attrgetter("average_precision"), threshold=False),
        Quantity("pu_lee_liu", "Lee-Liu", (SCAR, SCHEME),
                 "Recall squared over the share predicted positive, from 0 to 1 / class prior.", attrgetter("lee_liu")),
        Quantity("pu_risk_upu", "PU risk, uPU", given, f"Unbiased PU risk {zero_one}",
                 methodcaller("risk", non_negative=False), direction="min"),
        Quantity("pu_risk_nnpu", "PU risk, nnPU", given, f"Non-negative PU risk {zero_one}",
                 methodcaller("risk", non_negative=True), direction="min"),
        Quantity("pu_accuracy", "Accuracy given prior", given, "Accuracy from labeled rows and the class prior.",
                 methodcaller("given_prior", "accuracy")),
        Quantity("pu_accuracy_as_coded", "Accuracy as coded", given,
                 "Proxy accuracy as two public benchmarks compute it; wrong for one sample, for comparison only.",
                 attrgetter("accuracy_as_coded")),
        Quantity("pu_precision", "Precision given prior", given, "Precision from labeled rows and the class prior.",
                 methodcaller("given_prior", "precision")),
        Quantity("pu_recall", "Recall of labeled", (SCAR,), "Share of the labeled rows that are predicted positive.",
                 attrgetter("recall")),
        Quantity("pu_f1", "F1 given prior", given, "F1 from labeled rows and the class prior.",
                 methodcaller("given_prior", "f1")),
        Quantity("pu_precision_at_k", "Precision at k given prior", given,
                 "Precision of the k rows with the highest scores, from labeled rows and the class prior.",
                 attrgetter("precision_at_k"), threshold=False, on_request=True, needs="at_k"),
        Quantity("pu_recall_at_k", "Recall at k of labeled", (SCAR, SCHEME),
                 "Share of the labeled rows that is among the k rows with the highest scores.",
                 attrgetter("top.recall"), threshold=False, on_request=True, needs="at_k"),
        Quantity("pu_mcc", "MCC given prior", given, "Matthews correlation from labeled rows and the class prior.",
                 methodcaller("given_prior", "mcc"), undefined="no sampled row, or every one, is predicted positive",
                 on_request=True),
        Quantity("pu_cost", "Cost given prior", given,
                 "Mean cost of errors per row, from labeled rows and the class prior; in percent, that of 100 rows.",
                 attrgetter("cost"), direction="min", on_request=True, needs="costs"),
        *(
            Quantity(f"pu_{name}_{words}", f"{label}, {words}est", (SCAR, INTERVAL, SCHEME),
                     f"{'Smallest' if end == 0 else 'Largest'} {label} that the interval of the class prior allows, "
                     "with a 95 % band around the recall.",
                     bound(name, end), direction=None, threshold=name != "auc")
            for name, label in BOUNDED.items()
            for end, words in enumerate(("low", "high"))
        ),
    ]  # fmt: skip


OBSERVED_METRICS: dict[str, Metric] = {
    metric.name: metric for part in PARTS for metric in (quantity.metric(part) for quantity in _quantities())
}
"""All metrics of observed labels, in the order of reports."""

ALL_METRICS: dict[str, Metric] = METRICS | OBSERVED_METRICS | TWINS
"""Every record by name: those of true labels of test rows first."""


def bounds_of(name: str) -> tuple[str, str] | None:
    """Names of the metrics that bound another one, or None."""
    base, _, part = name.rpartition("_")
    base = "pu_auc" if base == "pu_auc_corrected" else "" if base == "pu_auc" else base
    ends = f"{base}_low_{part}", f"{base}_high_{part}"
    return ends if ends[0] in OBSERVED_METRICS else None


def collected(named: Collection[str], *, truth_known: bool, interval: bool) -> list[str]:
    """Names of the metrics that a study saves, in the order of reports.

    Parameters
    ----------
    named : collection of str
        Metrics that the study names.
    truth_known : bool
        Whether its data have true labels. Then metrics of true labels of test rows are saved, and those of validation
        rows and of observed labels that it names. Otherwise no metric of true labels is saved, and those of observed
        labels of test rows are. Of metrics on request, only those that it names are saved.
    interval : bool
        Whether it states an interval of the class prior. Then the bounds of saved metrics are saved as well.
    """
    wanted = {name for name, metric in ALL_METRICS.items() if name in named or not metric.on_request}
    names = [name for name in METRICS if name in wanted and (truth_known or METRICS[name].labels != "true")]
    for name, metric in OBSERVED_METRICS.items():
        if metric.direction and (name in named or (not truth_known and metric.rows == "test" and name in wanted)):
            names += [name, *(bounds_of(name) or () if interval else ())]
    return names + [name for name in TWINS if truth_known and name in named]


def without_negatives(names: Collection[str]) -> list[str]:
    """Metrics of the same rows' observed labels that estimate some metrics of true labels."""
    metrics = [ALL_METRICS[name] for name in names]
    return list(dict.fromkeys(f"{metric.instead}_{metric.rows}" for metric in metrics if metric.instead))
