"""Every metric as one record: name, direction, range and how it is computed from the saved scores of runs.

Imports nothing heavy: the records are read where a study is checked, before any job.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from scarce.scoring.values import Values, defined, ratio

if TYPE_CHECKING:
    from scarce.scoring.runs import Runs


@dataclass(frozen=True)
class Metric:
    """One metric.

    Parameters
    ----------
    name : str
        As in scores.csv.
    label : str
        As on a figure.
    direction : {"max", "min", None}
        Which end is better; None where neither is.
    low, high : float or None
        Range.
    hidden_labels : bool
        Whether it uses hidden labels: the true labels of the test rows choose its threshold.
    description : str
        One sentence for the results page.
    compute : callable
        From runs to one value for each run, or the reason why it is undefined. Test rows are in ``runs.y`` and
        ``runs.ranking``; a metric may read ``runs.observed(part)`` instead.
    labels : {"true", "observed", "none"}
        Which labels it reads.
    rows : {"test", "validation"}
        Which rows it scores.
    assumes : tuple of str
        What must hold for it to mean what it says; printed beside its values.
    threshold : bool
        Whether it needs the threshold of the study's decision.
    instead : str
        Of a metric of true labels, the metric of observed labels that estimates it, without its ending; or "".
    """

    name: str
    label: str
    direction: str | None
    low: float | None
    high: float | None
    hidden_labels: bool
    description: str
    compute: Callable[[Runs], Values]
    labels: str = "true"
    rows: str = "test"
    assumes: tuple[str, ...] = ()
    threshold: bool = False
    instead: str = ""


def _auc_pr(runs: Runs) -> Values:
    from scarce.scoring.ranking import average_precision

    return defined(average_precision(runs.ranking)).unless(runs.no_positive)


def _auc_roc(runs: Runs) -> Values:
    from scarce.scoring.ranking import roc_auc

    return defined(roc_auc(runs.ranking)).unless(runs.one_class)


Parts = Callable[..., tuple]
"""From tp, fp, fn and tn to the numerator and the denominator of a ratio, and the reason why it can be undefined."""


def _f1_parts(tp, fp, fn, tn):
    return 2 * tp, (2 * tp + fp + fn) * (tp + fn > 0), "no positive among the test rows"


def _f1_negative_parts(tp, fp, fn, tn):
    return 2 * tn, (2 * tn + fp + fn) * (tn + fp > 0), "no negative among the test rows"


def _precision_parts(tp, fp, fn, tn):
    return tp, tp + fp, "no test row is predicted positive"


def _recall_parts(tp, fp, fn, tn):
    return tp, tp + fn, "no positive among the test rows"


def _accuracy_parts(tp, fp, fn, tn):
    return tp + tn, tp + fp + fn + tn, "no test row"


def _at(decision: str | None, parts: Parts) -> Callable[[Runs], Values]:
    """A ratio of counts at the threshold of a decision (None: the study's)."""

    def compute(runs: Runs) -> Values:
        return ratio(*parts(*runs.counts(decision))).unless(runs.threshold(decision).reason)

    return compute


CHOSEN_BY = {
    "f1_default": ("F1 at 0.5", "threshold 0.5"),
    "f1_prior": ("F1 at the prior", "the class prior as the threshold"),
    "f1_validation": ("F1, validation", "the threshold with the best F1 on the true labels of the validation rows"),
    "f1_observed": ("F1, observed", "the threshold with the best F1 on the observed labels of the validation rows"),
    "f1_oracle": ("F1, oracle", "the threshold with the best F1 on the test rows themselves, which nobody can know"),
}
HIDDEN = "f1_oracle"
"""The decision that uses hidden labels: those of the test rows."""
BY_TRUE_LABELS = ("f1_validation", HIDDEN)
"""The decisions whose threshold true labels choose."""


def _records() -> list[Metric]:
    def score(name, label, description, compute, instead=""):
        return Metric(name, label, "max", 0.0, 1.0, name == HIDDEN, description, compute, instead=instead)

    def threshold(name, label, description, decision):
        def compute(runs):
            return runs.threshold(decision)

        labels = {"f1_observed": "observed", "f1_prior": "none", None: "none"}.get(decision, "true")
        return Metric(name, label, None, None, None, decision == HIDDEN, description, compute, labels)

    return [
        score("auc_pr", "AUC-PR", "Area under the precision-recall curve as average precision (steps).", _auc_pr,
              "pu_ap"),
        score("auc_roc", "AUC-ROC", "Area under the ROC curve.", _auc_roc, "pu_auc_corrected"),
        *(
            score(name, label, f"F1 of the positives with {how}.", _at(name, _f1_parts), "pu_f1")
            for name, (label, how) in CHOSEN_BY.items()
        ),
        score("precision", "Precision", "Share of true among predicted positives.", _at(None, _precision_parts),
              "pu_precision"),
        score("recall", "Recall", "Share of the positives that are predicted.", _at(None, _recall_parts), "pu_recall"),
        score("accuracy", "Accuracy", "Share of rows predicted correctly.", _at(None, _accuracy_parts), "pu_accuracy"),
        score("f1_negative", "F1, negatives", "F1 of the negatives.", _at(None, _f1_negative_parts)),
        *(
            threshold(name.replace("f1", "threshold"), f"Threshold of {label}", f"{how.capitalize()}.", name)
            for name, (label, how) in CHOSEN_BY.items()
            if name != "f1_default"
        ),
        threshold("threshold_decision", "Threshold", "The threshold that the study decides by.", None),
    ]  # fmt: skip


METRICS: dict[str, Metric] = {metric.name: metric for metric in _records()}
"""All metrics of true labels, and thresholds, in the order of reports.

`scarce.scoring.observed_metrics` has those of observed labels. Precision, recall, accuracy and f1_negative use the
study's decision.
"""


def evaluate(runs: Runs, metrics: Iterable[Metric] = METRICS.values()) -> dict[str, Values]:
    """Metrics of runs by name, in their order."""
    return {metric.name: metric.compute(runs).unless(runs.problem) for metric in metrics}
