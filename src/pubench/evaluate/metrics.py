"""Every metric as one record: name, direction, range and how it is computed from the saved scores of a run."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from pubench.evaluate.thresholds import Threshold, best_f1_grid, best_f1_sweep

Value = tuple[float | None, str]
"""A number, or None and the reason."""


@dataclass(frozen=True)
class Run:
    """What one repeat of one method leaves behind for the metrics.

    Parameters
    ----------
    y_test : ndarray of shape (n_test,)
        True labels, 1 or 0.
    test_scores : ndarray of shape (n_test,)
        Larger for positives.
    y_validation, s_validation, validation_scores : ndarray of shape (n_validation,)
        True and observed labels and scores of the rows that choose a threshold; empty where there are none.
    class_prior : float
        The threshold of ``f1_prior``.
    decision : str
        The F1 metric whose threshold precision, recall, accuracy and f1_negative use, e.g. ``f1_validation``.
    search : {"grid", "sweep"}
        Where thresholds are looked for: `best_f1_grid` or `best_f1_sweep`.
    strict : bool
        Positive is ``score > threshold`` on the grid and at fixed thresholds; else, and always after a sweep, ``>=``.
    """

    y_test: np.ndarray
    test_scores: np.ndarray
    y_validation: np.ndarray
    s_validation: np.ndarray
    validation_scores: np.ndarray
    class_prior: float
    decision: str = "f1_validation"
    search: str = "sweep"
    strict: bool = True


class _Evaluation:
    """A run with each threshold and each table of counts computed once."""

    def __init__(self, run: Run):
        if run.search not in ("grid", "sweep"):
            raise ValueError(f"threshold search must be grid or sweep, got {run.search!r}")
        if run.decision not in DECISIONS:
            raise ValueError(f"decision must be one of {', '.join(DECISIONS)}, got {run.decision!r}")
        self.run = run
        self.y = np.asarray(run.y_test) == 1
        self.score = np.asarray(run.test_scores, float)
        self._counts: dict[str, tuple[int, int, int, int]] = {}

    @cached_property
    def problem(self) -> str:
        """Why nothing can be computed, or ""."""
        if not len(self.y):
            return "no test row"
        if self.y.shape != self.score.shape:
            return f"{len(self.y)} test rows but scores of shape {self.score.shape}"
        return "" if np.isfinite(self.score).all() else "test scores that are not finite"

    @cached_property
    def one_class(self) -> str:
        """Why the test rows cannot be ranked, or ""."""
        if not self.y.any():
            return "no positive among the test rows"
        return "no negative among the test rows" if self.y.all() else ""

    @cached_property
    def thresholds(self) -> dict[str, Threshold]:
        run = self.run
        return {
            "f1_default": Threshold(0.5, None),
            "f1_prior": self._fixed(run.class_prior),
            "f1_validation": self._search(run.y_validation, run.validation_scores),
            "f1_observed": self._search(run.s_validation, run.validation_scores),
            "f1_oracle": self._search(self.y, self.score),
        }

    def _fixed(self, value: float | None) -> Threshold:
        known = value is not None and np.isfinite(value)
        return Threshold(float(value), None) if known else Threshold(None, None, "no class prior")

    def _search(self, labels, scores) -> Threshold:
        scores = np.asarray(scores, float)
        if not np.isfinite(scores).all():
            return Threshold(None, None, "validation scores that are not finite")
        if self.run.search == "grid":
            return best_f1_grid(labels, scores, strict=self.run.strict)
        return best_f1_sweep(labels, scores)

    def counts(self, decision: str) -> tuple[int, int, int, int]:
        """True positives, false positives, false negatives, true negatives of the test rows."""
        if decision not in self._counts:
            swept = self.run.search == "sweep" and decision not in FIXED
            threshold = self.thresholds[decision].value
            predicted = self.score > threshold if self.run.strict and not swept else self.score >= threshold
            tp, fp = int((predicted & self.y).sum()), int((predicted & ~self.y).sum())
            self._counts[decision] = tp, fp, int(self.y.sum()) - tp, int((~self.y).sum()) - fp
        return self._counts[decision]


FIXED = ("f1_default", "f1_prior")
DECISIONS = (*FIXED, "f1_validation", "f1_observed", "f1_oracle")
"""The metrics whose threshold a study may decide by."""


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
    compute: Callable[[_Evaluation], Value]


def _auc_pr(run: _Evaluation) -> Value:
    if not run.y.any():
        return None, run.one_class
    from sklearn.metrics import average_precision_score

    return float(average_precision_score(run.y, run.score)), ""


def _auc_roc(run: _Evaluation) -> Value:
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


def _at(decision: str | None, ratio: Ratio) -> Callable[[_Evaluation], Value]:
    """A ratio of counts at the threshold of a decision (None: the study's)."""

    def compute(run: _Evaluation) -> Value:
        name = decision or run.run.decision
        threshold = run.thresholds[name]
        if threshold.value is None:
            return None, threshold.reason
        above, below, reason = ratio(*run.counts(name))
        return (above / below, "") if below else (None, reason)

    return compute


def _threshold_of(decision: str | None) -> Callable[[_Evaluation], Value]:
    def compute(run: _Evaluation) -> Value:
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
    evaluation = _Evaluation(run)
    if evaluation.problem:
        return {name: (None, evaluation.problem) for name in METRICS}
    return {name: metric.compute(evaluation) for name, metric in METRICS.items()}
