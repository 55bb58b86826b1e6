"""Every metric as one record: name, direction, range and how it is computed from the saved scores of runs.

Imports nothing heavy: the records are read where a study is checked, before any job.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from scarce.scoring.values import Values, defined, ratio

if TYPE_CHECKING:
    import numpy as np

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
    on_request : bool
        Whether it is saved only where a study names it.
    needs : str
        Key of a study's ``analysis:`` without which it is undefined, or "".
    baseline : {"prevalence", ""}
        What scores that say nothing reach, where it is more than the lower end of the range.
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
    on_request: bool = False
    needs: str = ""
    baseline: str = ""


def _auc_pr(runs: Runs) -> Values:
    from scarce.scoring.ranking import average_precision

    return defined(average_precision(runs.ranking)).unless(runs.no_positive)


def _auc_roc(runs: Runs) -> Values:
    from scarce.scoring.ranking import roc_auc

    return defined(roc_auc(runs.ranking)).unless(runs.one_class)


def _precision_at_k(runs: Runs) -> Values:
    return defined(runs.top.precision).unless(runs.top.reason)


def _recall_at_k(runs: Runs) -> Values:
    return defined(runs.top.recall).unless(runs.no_positive).unless(runs.top.reason)


def _brier(runs: Runs) -> Values:
    import numpy as np

    scores = runs.test_scores
    probable = np.all((scores >= 0) & (scores <= 1), axis=1)
    squares = np.square(np.where(probable[:, None], scores, 0.0) - runs.y).sum(axis=1)
    return ratio(squares, np.full(len(squares), scores.shape[1]), "no test row").unless(
        np.where(probable, "", "test scores outside [0, 1], which are no probabilities")
    )


Parts = Callable[..., tuple]
"""From tp, fp, fn and tn to the numerator and the denominator of a ratio, and the reason why it can be undefined."""


def _f1_parts(tp: np.ndarray, fp: np.ndarray, fn: np.ndarray, tn: np.ndarray) -> tuple:
    return 2 * tp, (2 * tp + fp + fn) * (tp + fn > 0), "no positive among the test rows"


def _f1_negative_parts(tp: np.ndarray, fp: np.ndarray, fn: np.ndarray, tn: np.ndarray) -> tuple:
    return 2 * tn, (2 * tn + fp + fn) * (tn + fp > 0), "no negative among the test rows"


def _precision_parts(tp: np.ndarray, fp: np.ndarray, fn: np.ndarray, tn: np.ndarray) -> tuple:
    return tp, tp + fp, "no test row is predicted positive"


def _recall_parts(tp: np.ndarray, fp: np.ndarray, fn: np.ndarray, tn: np.ndarray) -> tuple:
    return tp, tp + fn, "no positive among the test rows"


def _accuracy_parts(tp: np.ndarray, fp: np.ndarray, fn: np.ndarray, tn: np.ndarray) -> tuple:
    return tp + tn, tp + fp + fn + tn, "no test row"


def _at(decision: str | None, parts: Parts) -> Callable[[Runs], Values]:
    """A ratio of counts at the threshold of a decision (None: the study's)."""

    def compute(runs: Runs) -> Values:
        return ratio(*parts(*runs.counts(decision))).unless(runs.threshold(decision).reason)

    return compute


def _mcc(runs: Runs) -> Values:
    """Matthews' correlation; 0 where all rows are predicted alike, since a constant says nothing of the class."""
    import numpy as np

    tp, fp, fn, tn = (count.astype(float) for count in runs.counts())
    alike = np.minimum(tp + fp, tn + fn) == 0
    spread = np.sqrt((tp + fn) * (tn + fp) * np.where(alike, 1.0, (tp + fp) * (tn + fn)))
    values = ratio(np.clip(tp * tn - fp * fn, -spread, spread), spread, "the test rows are of one class")
    return values.unless(runs.threshold().reason)


def _cost(runs: Runs) -> Values:
    def parts(tp: np.ndarray, fp: np.ndarray, fn: np.ndarray, tn: np.ndarray) -> tuple:
        of_positive, of_negative = runs.costs or (0.0, 0.0)
        return of_positive * fp + of_negative * fn, tp + fp + fn + tn, "no test row"

    return _at(None, parts)(runs).unless("" if runs.costs else "no analysis.costs")


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
    def score(
        name: str, label: str, description: str, compute: Any, instead: str = "", *, low: float = 0.0, **more: Any
    ) -> Metric:
        return Metric(name, label, "max", low, 1.0, name == HIDDEN, description, compute, instead=instead, **more)

    def loss(
        name: str, label: str, high: float | None, description: str, compute: Any, instead: str = "", **more: Any
    ) -> Metric:
        more |= {"instead": instead, "on_request": True}
        return Metric(name, label, "min", 0.0, high, False, description, compute, **more)

    def threshold(name: str, label: str, description: str, decision: str | None) -> Metric:
        def compute(runs: Runs) -> Values:
            return runs.threshold(decision)

        labels = {"f1_observed": "observed", "f1_prior": "none", None: "none"}.get(decision, "true")
        return Metric(name, label, None, None, None, decision == HIDDEN, description, compute, labels)

    return [
        score("auc_pr", "AUC-PR", "Area under the precision-recall curve as average precision (steps).", _auc_pr,
              "pu_ap", baseline="prevalence"),
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
        score("precision_at_k", "Precision at k", "Share of positives among the k rows with the highest scores.",
              _precision_at_k, "pu_precision_at_k", on_request=True, needs="at_k"),
        score("recall_at_k", "Recall at k", "Share of the positives among the k rows with the highest scores.",
              _recall_at_k, "pu_recall_at_k", on_request=True, needs="at_k"),
        score("mcc", "MCC", "Matthews correlation coefficient; 0 where all rows are predicted alike.", _mcc, "pu_mcc",
              low=-1.0, on_request=True),
        loss("cost", "Cost", None, "Mean cost of errors per row; in percent, that of 100 rows.", _cost, "pu_cost",
             needs="costs"),
        loss("brier", "Brier", 1.0, "Mean squared difference of scores and true labels.", _brier),
        *(
            threshold(name.replace("f1", "threshold"), f"Threshold of {label}", f"{how.capitalize()}.", name)
            for name, (label, how) in CHOSEN_BY.items()
            if name != "f1_default"
        ),
        threshold("threshold_decision", "Threshold", "The threshold that the study decides by.", None),
    ]  # fmt: skip


METRICS: dict[str, Metric] = {metric.name: metric for metric in _records()}
"""All metrics of true labels, and thresholds, in the order of reports.

`scarce.scoring.observed_metrics` has those of observed labels. Precision, recall, accuracy, f1_negative, mcc and cost
use the study's decision.
"""


def evaluate(runs: Runs, metrics: Iterable[Metric] = METRICS.values()) -> dict[str, Values]:
    """Metrics of runs by name, in their order."""
    return {metric.name: metric.compute(runs).unless(runs.problem) for metric in metrics}
