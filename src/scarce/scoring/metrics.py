"""Every metric as one record: name, direction, range and how it is computed from the saved scores of a run.

Nothing heavy is imported: the records are read where a study is checked, before any job.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from scarce.scoring.run import Evaluation, Run

Value = tuple[float | None, str]
"""A number, or None and the reason."""


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
    oracle : bool
        Whether it looks at the true labels of the test rows to choose a threshold.
    description : str
        One sentence for the results page.
    compute : callable
        From an evaluation to ``(value, "")`` or ``(None, reason)``.
    """

    name: str
    label: str
    direction: str | None
    low: float | None
    high: float | None
    oracle: bool
    description: str
    compute: Callable[[Evaluation], Value]


def _auc_pr(run: Evaluation) -> Value:
    if not run.y.any():
        return None, run.one_class
    from sklearn.metrics import average_precision_score

    return float(average_precision_score(run.y, run.score)), ""


def _auc_roc(run: Evaluation) -> Value:
    if run.one_class:
        return None, run.one_class
    from sklearn.metrics import roc_auc_score

    return float(roc_auc_score(run.y, run.score)), ""


Ratio = Callable[[int, int, int, int], tuple[int, int, str]]


def _f1_counts(tp, fp, fn, tn):
    return 2 * tp, (2 * tp + fp + fn) if tp + fn else 0, "no positive among the test rows"


def _f1_negative_counts(tp, fp, fn, tn):
    return 2 * tn, (2 * tn + fp + fn) if tn + fp else 0, "no negative among the test rows"


def _precision_counts(tp, fp, fn, tn):
    return tp, tp + fp, "no test row is predicted positive"


def _recall_counts(tp, fp, fn, tn):
    return tp, tp + fn, "no positive among the test rows"


def _accuracy_counts(tp, fp, fn, tn):
    return tp + tn, tp + fp + fn + tn, "no test row"


def _at(decision: str | None, ratio: Ratio) -> Callable[[Evaluation], Value]:
    """A ratio of counts at the threshold of a decision (None: the study's)."""

    def compute(run: Evaluation) -> Value:
        name = decision or run.run.decision
        threshold = run.thresholds[name]
        if threshold.value is None:
            return None, threshold.reason
        above, below, reason = ratio(*run.counts(name))
        return (above / below, "") if below else (None, reason)

    return compute


def _threshold_of(decision: str | None) -> Callable[[Evaluation], Value]:
    def compute(run: Evaluation) -> Value:
        threshold = run.thresholds[decision or run.run.decision]
        return threshold.value, threshold.reason

    return compute


CHOSEN_BY = {
    "f1_default": ("F1 at 0.5", "threshold 0.5"),
    "f1_prior": ("F1 at the prior", "the class prior as the threshold"),
    "f1_validation": ("F1, validation", "the threshold with the best F1 on the true labels of the validation rows"),
    "f1_observed": ("F1, observed", "the threshold with the best F1 on the observed labels of the validation rows"),
    "f1_oracle": ("F1, oracle", "the threshold with the best F1 on the test rows themselves, which nobody can know"),
}


def _records() -> list[Metric]:
    def score(name, label, description, compute, oracle=False):
        return Metric(name, label, "max", 0.0, 1.0, oracle, description, compute)

    def threshold(name, label, description, decision, oracle=False):
        return Metric(name, label, None, None, None, oracle, description, _threshold_of(decision))

    return [
        score("auc_pr", "AUC-PR", "Area under the precision-recall curve as average precision (steps).", _auc_pr),
        score("auc_roc", "AUC-ROC", "Area under the ROC curve.", _auc_roc),
        *(
            score(name, label, f"F1 of the positives with {how}.", _at(name, _f1_counts), name == "f1_oracle")
            for name, (label, how) in CHOSEN_BY.items()
        ),
        score("precision", "Precision", "Share of true among predicted positives.", _at(None, _precision_counts)),
        score("recall", "Recall", "Share of the positives that are predicted.", _at(None, _recall_counts)),
        score("accuracy", "Accuracy", "Share of rows predicted rightly.", _at(None, _accuracy_counts)),
        score("f1_negative", "F1, negatives", "F1 of the negatives.", _at(None, _f1_negative_counts)),
        *(
            threshold(name.replace("f1", "threshold"), f"Threshold of {label}", f"{how.capitalize()}.", name,
                      name == "f1_oracle")
            for name, (label, how) in CHOSEN_BY.items()
            if name != "f1_default"
        ),
        threshold("threshold_decision", "Threshold", "The threshold that the study decides by.", None),
    ]  # fmt: skip


METRICS: dict[str, Metric] = {metric.name: metric for metric in _records()}
"""All metrics in the order of reports. Precision, recall, accuracy and f1_negative use the study's decision."""


def evaluate(run: Run) -> dict[str, Value]:
    """All metrics of a run.

    Returns
    -------
    dict
        In the order of `METRICS`: name to ``(value, "")``, or ``(None, reason)`` where it is undefined; an undefined
        value is never 0.
    """
    from scarce.scoring.run import Evaluation

    evaluation = Evaluation(run)
    if evaluation.problem:
        return {name: (None, evaluation.problem) for name in METRICS}
    return {name: metric.compute(evaluation) for name, metric in METRICS.items()}
