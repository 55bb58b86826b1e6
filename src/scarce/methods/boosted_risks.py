"""Risks of positive and unlabeled data, minimised by gradient boosted trees: uPU, nnPU and imbalanced nnPU.

All of them weight logistic losses ``l+(m) = log(1 + exp(-m))`` and ``l-(m) = log(1 + exp(m))`` of the margin m:

    sum over labeled rows of  positive * l+(m) + negative * l-(m)   +   sum over unlabeled rows of  unlabeled * l-(m)

They differ in the three weights (`risk_weights`) and in what happens when the estimated risk of the negatives, the part
in l-, falls below 0, which no true risk can.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from joblib import effective_n_jobs
from scipy.special import expit
from sklearn.utils import assert_all_finite

from scarce import extras
from scarce.estimators import checks
from scarce.estimators.base import PUClassifier
from scarce.estimators.schemes import SCHEMES, Scheme, pooled_prior
from scarce.estimators.types import ArrayLike, Seed
from scarce.methods.base import one_seed, probability_of_margin, two_columns

xgboost = extras.optional("xgboost")

RISKS = ("upu", "nnpu", "nnpu_rowwise", "imb_nnpu", "imb_nnpu_as_coded")
BASE_MARGIN = 0.5
TINY = np.float32(1e-9)  # the authors add it to each probability


class RiskWeights(NamedTuple):
    """Weights of the losses of one row: of a labeled row's l+ and l-, and of an unlabeled row's l-.

    `negative` is below 0 where a labeled row stands in for the unlabeled positives. `clipped` keeps the sum of the l-
    terms from falling below 0.
    """

    positive: float
    negative: float
    unlabeled: float
    clipped: bool = False


def risk_weights(
    risk: str, class_prior: float, label_share: float, rho: float = 0.5, scheme: Scheme = "one_sample"
) -> RiskWeights:
    """Weights of a risk, times the number of rows that stand for the population.

    These are all rows of one sample, and the unlabeled rows of two samples. A labeled row of one sample is one of them:
    it adds an l- of its own to those that it takes off. `rho` is the class prior that imbalanced nnPU aims at.

    References
    ----------
    uPU: du Plessis, Niu, Sugiyama (2014, 2015). nnPU: Kiryo et al. (2017). Imbalanced nnPU: Su, Chen, Xu (2021). The
    other two: what Ortega Vazquez, vanden Broucke, De Weerdt (2023) ran under the names of nnPU and imbalanced nnPU.
    """
    own = 1 if scheme == "one_sample" else 0
    # labeled rows by rows that stand for the population, and positives by labeled rows: 1/c with one sample
    labeled = label_share if own else label_share / (1 - label_share)
    positives = class_prior / labeled
    negative = own - positives
    to_negatives = (1 - rho) / (1 - class_prior)
    return {
        "upu": RiskWeights(positives, negative, 1.0),
        "nnpu": RiskWeights(positives, negative, 1.0, clipped=True),
        "nnpu_rowwise": RiskWeights(positives, max(0.0, negative), 1.0),
        "imb_nnpu": RiskWeights(rho / labeled, to_negatives * negative, to_negatives, clipped=True),
        "imb_nnpu_as_coded": RiskWeights(rho, 0.0, to_negatives),
    }[risk]


def negative_risk(
    margin: np.ndarray, labeled: np.ndarray, weights: RiskWeights, row_weight: float | np.ndarray = 1.0
) -> float:
    """The part of a risk in l-, an estimate of the risk of the true negatives: the sum over all rows."""
    weight = np.where(labeled, weights.negative, weights.unlabeled) * row_weight
    return float(weight @ np.logaddexp(0, margin, dtype=float))


def derivatives(margin: np.ndarray, labeled: np.ndarray, weights: RiskWeights) -> tuple[np.ndarray, np.ndarray]:
    """Gradient and hessian of a risk by each row's margin, with q = sigmoid(m).

    ``positive * -(1 - q) + negative * q`` of a labeled row, ``unlabeled * q`` of an unlabeled one; the hessian is
    ``q (1 - q)`` times the sum of a row's weights, or 0 where that is negative (imbalanced nnPU with more than half of
    the rows positive): such a row alone makes no leaf.
    """
    q = (expit(margin) + TINY).astype(float)
    gradient = np.where(labeled, weights.negative * q - weights.positive * (1 - q), weights.unlabeled * q)
    total = np.where(labeled, max(0.0, weights.positive + weights.negative), weights.unlabeled)
    return gradient, total * (q * (1 - q))


def reversed_derivatives(
    margin: np.ndarray, labeled: np.ndarray, weights: RiskWeights
) -> tuple[np.ndarray, np.ndarray]:
    """Gradient and hessian of minus the negative risk: what a round descends where that risk is below 0.

    Kiryo et al. (2017), algorithm 1, with beta = 0 and gamma = 1. As minus l- is not convex, the hessian is the largest
    curvature of each term, a quarter of its absolute weight; so a leaf moves by at most four learning rates.
    """
    weight = np.where(labeled, weights.negative, weights.unlabeled)
    return -weight * expit(margin), np.abs(weight) / 4


class BoostedRiskClassifier(PUClassifier):
    """Gradient boosted trees that minimise a risk of positive and unlabeled data.

    Parameters
    ----------
    risk : {"upu", "nnpu", "nnpu_rowwise", "imb_nnpu", "imb_nnpu_as_coded"}, default="nnpu"
        "upu" is the unbiased risk; "nnpu" keeps its estimate of the negatives' risk from falling below 0 and "imb_nnpu"
        also weighs the classes as if a share `rho` were positive. The other two are what Ortega Vazquez et al. (2023)
        ran instead: a labeled row's negative term is left out ("nnpu_rowwise"), and sums over rows stand where class
        means should ("imb_nnpu_as_coded").
    class_prior : float in (0, 1)
        Share of positives in the population: among all rows of "one_sample", among the unlabeled rows of "two_sample".
    label_share : float in (0, 1) or None, default=None
        Share of labeled rows; None for that of the rows passed to `fit`.
    rho : float in (0, 1), default=0.5
        Class prior that the imbalanced risks aim at.
    scheme : {"one_sample", "two_sample"}, default="one_sample"
        What is a sample of the population: all rows, labeled ones included, or the unlabeled rows alone. A row that
        stands in both of two samples is passed twice, once with either label.
    n_estimators : int, default=100
        Rounds of boosting.
    learning_rate : float, default=0.3
        Factor of each round's leaf values.
    max_depth : int, default=6
        Largest depth of a tree.
    min_child_weight : float, default=1.0
        Smallest sum of hessians in a leaf.
    reg_lambda : float, default=0.0
        L2 penalty of leaf values.
    scores : {"margin", "sigmoid32"}, default="margin"
        How margins become scores: by ``probability_of_margin``, which keeps large margins apart, or by the logistic
        function in 32 bits, which is exactly 1 above a margin of about 17 and so ties rows (Ortega Vazquez et al.,
        2023).
    n_jobs : int or None, default=None
        Threads; None is one. The fit does not depend on it.
    random_state : int, RandomState instance or None, default=None
        Seed handed to XGBoost, which draws nothing here.

    Attributes
    ----------
    booster_ : xgboost.Booster
    weights_ : RiskWeights
    label_frequency_ : float
        c, the labeled share of the positives: of one sample, or of both together.
    n_reversed_ : int
        Rounds that raised the negative risk because it was below 0; always 0 for risks that do not do so.
    classes_, n_features_in_, feature_names_in_, notes_
        As in `PUClassifier`; a note says if the class prior of one sample is below the share of labeled rows.

    Notes
    -----
    Scores come from ``predict_proba``. Trees are exact and boosting starts at a margin of 0.5.

    References
    ----------
    du Plessis, Niu, Sugiyama (2014), Analysis of learning from positive and unlabeled data, NeurIPS; (2015), Convex
    formulation for learning from positive and unlabeled data, ICML. Kiryo, Niu, du Plessis, Sugiyama (2017),
    Positive-unlabeled learning with non-negative risk estimator, NeurIPS. Su, Chen, Xu (2021), Positive-unlabeled
    learning from imbalanced data, IJCAI. With trees: Ortega Vazquez, vanden Broucke, De Weerdt (2023).

    Examples
    --------
    >>> import numpy as np
    >>> X, s = np.arange(40.0).reshape(-1, 1), np.repeat([0, 1], [30, 10])
    >>> BoostedRiskClassifier("upu", class_prior=0.3).fit(X, s).predict([[0.0], [39.0]])
    array([0, 1])
    """

    def __init__(
        self,
        risk: str = "nnpu",
        *,
        class_prior: float,
        label_share: float | None = None,
        rho: float = 0.5,
        scheme: Scheme = "one_sample",
        n_estimators: int = 100,
        learning_rate: float = 0.3,
        max_depth: int = 6,
        min_child_weight: float = 1.0,
        reg_lambda: float = 0.0,
        scores: str = "margin",
        n_jobs: int | None = None,
        random_state: Seed = None,
    ) -> None:
        self.risk = risk
        self.class_prior = class_prior
        self.label_share = label_share
        self.rho = rho
        self.scheme = scheme
        self.n_estimators = n_estimators
        self.learning_rate = learning_rate
        self.max_depth = max_depth
        self.min_child_weight = min_child_weight
        self.reg_lambda = reg_lambda
        self.scores = scores
        self.n_jobs = n_jobs
        self.random_state = random_state

    def _learn(self, X: np.ndarray, s: np.ndarray, weight: np.ndarray | None) -> None:
        """Boost on all rows."""
        labeled = s == 1
        row_weight = 1.0 if weight is None else weight
        labeled_share = float(np.average(labeled, weights=np.broadcast_to(row_weight, s.shape)))
        share = labeled_share if self.label_share is None else float(self.label_share)
        self.label_frequency_ = share / pooled_prior(self.class_prior, share, self.scheme)
        if self.scheme == "one_sample" and self.class_prior < labeled_share:
            self.notes_.append(f"class prior {self.class_prior:g} is below the share of labeled rows")
        self.weights_ = risk_weights(self.risk, self.class_prior, share, self.rho, self.scheme)
        self.n_reversed_ = 0

        def objective(margin: np.ndarray, _: Any) -> tuple[np.ndarray, np.ndarray]:
            if self.weights_.clipped and negative_risk(margin, labeled, self.weights_, row_weight) < 0:
                self.n_reversed_ += 1
                gradient, hessian = reversed_derivatives(margin, labeled, self.weights_)
            else:
                gradient, hessian = derivatives(margin, labeled, self.weights_)
            return gradient * row_weight, hessian * row_weight

        self._threads = effective_n_jobs(self.n_jobs)
        parameters = {
            "tree_method": "exact",
            "eta": self.learning_rate,
            "max_depth": self.max_depth,
            "min_child_weight": self.min_child_weight,
            "reg_lambda": self.reg_lambda,
            "reg_alpha": 0,
            "base_score": BASE_MARGIN,  # the margin itself: under the default objective the link is the identity
            "seed": one_seed(self.random_state),
            "nthread": self._threads,
            "verbosity": 0,
            "disable_default_eval_metric": True,
        }
        self.booster_ = xgboost.train(parameters, self._rows(X, label=s), self.n_estimators, obj=objective)

    def _rows(self, X: np.ndarray, **more: Any) -> Any:
        """Rows for XGBoost, which uses 32 bits. Numbers too large for them are refused here with a clear message."""
        with np.errstate(over="ignore"):
            assert_all_finite(X.astype(np.float32), input_name="X")
        return xgboost.DMatrix(X, nthread=self._threads, **more)

    def _check_parameters(self) -> None:
        checks.choice("risk", self.risk, RISKS)
        checks.choice("scheme", self.scheme, SCHEMES)
        checks.choice("scores", self.scores, ("margin", "sigmoid32"))
        for name in ("class_prior", "rho", *(["label_share"] if self.label_share is not None else [])):
            checks.number(name, getattr(self, name), "(0, 1)")
        checks.whole("n_estimators", self.n_estimators, 1)
        checks.whole("max_depth", self.max_depth, 1)
        checks.number("learning_rate", self.learning_rate, "(0, 1]")
        checks.number("min_child_weight", self.min_child_weight, "[0, inf)")
        checks.number("reg_lambda", self.reg_lambda, "[0, inf)")

    def decision_function(self, X: ArrayLike) -> np.ndarray:
        """Margin of the positive class, shape (n_samples,), float32."""
        X = self._read_new(X)
        return self.booster_.predict(self._rows(X), output_margin=True)

    def predict_proba(self, X: ArrayLike) -> np.ndarray:
        """Scores of the two classes in [0, 1], shape (n_samples, 2)."""
        margin = self.decision_function(X)
        positive = expit(margin) if self.scores == "sigmoid32" else probability_of_margin(margin)
        return two_columns(positive)
