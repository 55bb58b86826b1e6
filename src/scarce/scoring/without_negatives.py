"""Metrics of a classifier from observed labels alone: labeled positives and unlabeled rows, no true label.

All functions assume labels selected completely at random (SCAR): labeled rows are a random sample of the positives.
They know two sample schemes. With ``one_sample``, all rows, labeled ones included, are a sample of the population, and
the class prior is the share of positives in it. With ``two_sample`` (case-control), the unlabeled rows alone are that
sample, and the labeled rows stand beside it. ``docs/without_negatives.md`` derives each formula.

Arrays of rows have the rows on the last axis, so that many runs are computed at once: `s` is True for labeled rows,
`predicted` for rows that are predicted positive. A value whose denominator is 0 is NaN. Nothing is clipped unless
stated, since clipping would bias the mean: an estimate outside [0, 1] says that class prior, SCAR or size of the
sample do not suffice.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal

import numpy as np

from scarce.estimators import schemes
from scarce.estimators.schemes import Scheme, checked
from scarce.estimators.types import ArrayLike
from scarce.scoring.ranking import Ranking, roc_auc
from scarce.scoring.top import Top, top_of


def _quotient(above: ArrayLike, below: ArrayLike) -> np.ndarray:
    above, below = np.broadcast_arrays(np.asarray(above, float), np.asarray(below, float))
    return np.divide(above, below, out=np.full(above.shape, np.nan), where=below != 0)


def _mean(values: np.ndarray, rows: np.ndarray) -> np.ndarray:
    return _quotient(np.where(rows, values, 0).sum(axis=-1), rows.sum(axis=-1))


def labeled_share(s: np.ndarray) -> np.ndarray:
    """Share of rows that are labeled."""
    return _mean(s, np.ones(s.shape, bool))


def _sampled(s: np.ndarray, scheme: Scheme) -> np.ndarray:
    """The rows that are a sample of the population."""
    return np.ones(s.shape, bool) if checked(scheme) == "one_sample" else ~s


def _lines(rows: np.ndarray) -> np.ndarray:
    """One line a run."""
    return np.reshape(rows, (math.prod(rows.shape[:-1]), rows.shape[-1]))


def unlabeled_prior(prior: float | np.ndarray, s: np.ndarray, scheme: Scheme) -> np.ndarray:
    """Share of positives among the unlabeled rows; see `scarce.estimators.schemes.unlabeled_prior`."""
    share = labeled_share(s)
    share = np.where(share == 1, np.nan, share)
    return np.broadcast_to(schemes.unlabeled_prior(np.asarray(prior, float), share, scheme), share.shape)


def recall(s: np.ndarray, predicted: np.ndarray) -> np.ndarray:
    """Recall: the share of labeled rows that are predicted positive; unbiased under SCAR in both schemes."""
    return _mean(predicted, s)


def positive_rate(s: np.ndarray, predicted: np.ndarray, scheme: Scheme) -> np.ndarray:
    """Share P(f = 1) of the population that is predicted positive; unbiased."""
    return _mean(predicted, _sampled(s, scheme))


def accuracy(recall: np.ndarray, positive_rate: np.ndarray, prior: float | np.ndarray) -> np.ndarray:
    """Accuracy, 1 - prior - P(f = 1) + 2 prior recall; unbiased.

    The proxy accuracy of Wang et al. (2025), Accessible, realistic, and fair evaluation of positive-unlabeled learning
    algorithms, with the constant that makes it an accuracy. It is 1 - `pu_risk` of the zero-one loss.
    """
    return 1 - prior - positive_rate + 2 * prior * recall


def accuracy_as_coded(s: np.ndarray, predicted: np.ndarray, prior: float | np.ndarray, scheme: Scheme) -> np.ndarray:
    """Proxy accuracy as two public benchmarks compute it, less the class prior; with one sample it is no accuracy.

    Both add 2 prior recall and, with two samples, the share of unlabeled rows that are predicted negative. With one
    sample they add the share of *correct* rows, where labeled rows count as correct if predicted positive. The share
    of rows that are predicted *negative* belongs there. So the value exceeds the accuracy by h (2 recall - 1), for a
    share h of labeled rows, and can prefer the worse of two classifiers. (The benchmarks do not subtract the class
    prior, which changes no order.)

    References
    ----------
    PUBench (Wang et al. 2025), ``val_proxy_accuracy`` in lib/misc.py; PU-Bench, ``evaluate_proxy_metrics`` in
    train/metrics.py.
    """
    rate = recall(s, predicted)
    rest = 1 - positive_rate(s, predicted, scheme) if scheme == "two_sample" else (predicted == s).mean(axis=-1)
    return 2 * prior * rate + rest - prior


def precision(recall: np.ndarray, positive_rate: np.ndarray, prior: float | np.ndarray) -> np.ndarray:
    """Precision, prior recall / P(f = 1); consistent. NaN where no row is predicted positive.

    References
    ----------
    Jain, White & Radivojac (2017), Recovering true classifier performance in positive-unlabeled learning; Ramola, Jain
    & Radivojac (2019), Estimating classification accuracy in positive-unlabeled learning.
    """
    return _quotient(prior * recall, positive_rate)


def f1(recall: np.ndarray, positive_rate: np.ndarray, prior: float | np.ndarray) -> np.ndarray:
    """F1, 2 prior recall / (prior + P(f = 1)); consistent. Source: Ramola, Jain & Radivojac (2019)."""
    return _quotient(2 * prior * recall, prior + positive_rate)


def mcc(recall: np.ndarray, positive_rate: np.ndarray, prior: float | np.ndarray) -> np.ndarray:
    """Matthews correlation, (recall - q) sqrt(prior / (1 - prior)) / sqrt(q (1 - q)) for q = P(f = 1); consistent.

    The numerator of the plain formula is TP TN - FP FN = prior (recall - q) as shares of rows. 0 where the recall is q
    and all rows are predicted alike (q is 0 or 1), as `scarce.scoring.metrics` has it. NaN for a class prior of 0 or 1.

    References
    ----------
    Ramola, Jain & Radivojac (2019), Estimating classification accuracy in positive-unlabeled learning.
    """
    recall, positive_rate, prior = np.broadcast_arrays(recall, np.asarray(positive_rate, float), prior)
    spread = positive_rate * (1 - positive_rate)
    alike = (spread == 0) & (recall == positive_rate)
    return _quotient((recall - positive_rate) * np.sqrt(_quotient(prior, 1 - prior)), np.sqrt(spread + alike))


def cost(
    recall: np.ndarray,
    positive_rate: np.ndarray,
    prior: float | np.ndarray,
    false_positive: float,
    false_negative: float,
) -> np.ndarray:
    """Mean cost per row, false_positive (P(f = 1) - prior recall) + false_negative prior (1 - recall); unbiased.

    With both costs 1 it is the error rate; see `accuracy`.
    """
    return false_positive * (positive_rate - prior * recall) + false_negative * prior * (1 - recall)


def top(s: np.ndarray, scores: np.ndarray, at_k: float | None, scheme: Scheme) -> Top:
    """Labeled rows among the k rows with the highest scores; k counts the rows that are a sample of the population.

    Its recall is that of the positives, unbiased under SCAR for a fixed threshold. k / n of its rows are predicted
    positive, so that its `precision` follows.
    """
    return top_of(scores, s, at_k, _sampled(s, scheme))


def lee_liu(recall: np.ndarray, positive_rate: np.ndarray) -> np.ndarray:
    """Score of Lee and Liu, recall^2 / P(f = 1) = precision recall / prior; consistent, needs no class prior.

    It lies between 0 and 1 / prior, and is high only where precision and recall both are. NaN where no row is
    predicted positive.

    References
    ----------
    Lee & Liu (2003), Learning with positive and unlabeled examples using weighted logistic regression, section 4.
    """
    return _quotient(np.square(recall), positive_rate)


def pu_auc(s: np.ndarray, scores: np.ndarray) -> np.ndarray:
    """Area under the ROC curve of labeled against unlabeled rows; ties count a half.

    It estimates u/2 + (1 - u) AUC for a share u of positives among the unlabeled rows (Menon et al. 2015, Learning from
    corrupted binary labels via class-probability estimation, corollary 3), so it orders classifiers as AUC does.
    """
    return roc_auc(Ranking(_lines(scores), _lines(s))).reshape(np.shape(s)[:-1])


def auc_given_prior(pu_auc: np.ndarray, unlabeled_prior: np.ndarray) -> np.ndarray:
    """AUC from `pu_auc` and `unlabeled_prior`, (A - u/2) / (1 - u); unbiased. Source: Jain et al. (2017), theorem 1."""
    return _quotient(pu_auc - unlabeled_prior / 2, 1 - unlabeled_prior)


def aul(s: np.ndarray, scores: np.ndarray, scheme: Scheme) -> np.ndarray:
    """Area under the lift curve: how often a positive is scored above a random row; ties count a half; unbiased.

    It equals prior/2 + (1 - prior) AUC and needs no class prior: labeled rows are compared with a sample of the
    population, with themselves included where there is one sample.

    References
    ----------
    Jiang et al. (2020), Improving positive unlabeled learning: practical AUL estimation and new training method for
    extremely imbalanced data sets.
    """
    share = labeled_share(s) if scheme == "one_sample" else 0.0
    return share / 2 + (1 - share) * pu_auc(s, scores)


LOSSES = {
    "zero_one": lambda margin: (margin <= 0).astype(float),
    "sigmoid": lambda margin: 0.5 - 0.5 * np.tanh(margin / 2),
}


def pu_risk(
    s: np.ndarray,
    margins: np.ndarray,
    prior: float | np.ndarray,
    scheme: Scheme,
    *,
    loss: Literal["zero_one", "sigmoid"] = "zero_one",
    non_negative: bool = False,
) -> np.ndarray:
    """Risk of a classifier from positive and unlabeled rows.

    The mean loss of positives, prior E_P[l(g)], and that of negatives, E[l(-g)] - prior E_P[l(-g)], where E is over a
    sample of the population and E_P over labeled rows.

    Parameters
    ----------
    s : ndarray of shape (..., n_rows), bool
    margins : ndarray of shape (..., n_rows)
        Positive where the classifier says positive. The zero-one loss counts 0 as an error of positives.
    prior : float or ndarray of shape (...)
    scheme : {"one_sample", "two_sample"}
    loss : {"zero_one", "sigmoid"}
        1 for an error, or 1 / (1 + exp(margin)).
    non_negative : bool
        Whether the part of the negatives, which no negative loss can make negative, is at least 0 (nnPU). That form
        is consistent; the plain one (uPU) is unbiased.

    Returns
    -------
    ndarray of shape (...)

    References
    ----------
    du Plessis, Niu & Sugiyama (2015), Convex formulation for learning from positive and unlabeled data (uPU, two
    samples); Kiryo et al. (2017), Positive-unlabeled learning with non-negative risk estimator, equations 2 and 4.
    """
    cost = LOSSES[loss]
    # an error of a negative is the complement of an error of a positive
    of_positives = cost(margins)
    of_negatives = 1 - of_positives
    negatives = _mean(of_negatives, _sampled(s, scheme)) - prior * _mean(of_negatives, s)
    return prior * _mean(of_positives, s) + (np.maximum(negatives, 0) if non_negative else negatives)


def average_precision(s: np.ndarray, scores: np.ndarray, prior: float | np.ndarray, scheme: Scheme) -> np.ndarray:
    """Average precision given the class prior: steps of recall times `precision`, of which no term exceeds 1.

    Consistent. Precision is cut off at 1, since with few rows above a threshold its estimate can be a multiple of 1.

    References
    ----------
    Jain, White & Radivojac (2017), precision-recall curves.
    """
    outer = np.shape(s)[:-1]
    s, scores, priors = _lines(s), _lines(scores), np.broadcast_to(np.asarray(prior, float), outer).reshape(-1)
    labeled, sampled = Ranking(scores, s), Ranking(scores, _sampled(s, scheme))
    # rows from each place on, highest scores first; a threshold takes all rows of its score
    above, of_sample = labeled.positives[:, -2::-1], sampled.positives[:, -2::-1]
    ends = labeled.starts[:, ::-1]
    areas = np.full(len(s), np.nan)
    for run in range(len(s)):
        if above[run].any() and of_sample[run].any():
            rate = above[run][ends[run]] / above[run, -1]
            share = of_sample[run][ends[run]] / of_sample[run, -1]
            terms = np.divide(priors[run] * rate, share, out=np.ones(len(rate)), where=share > 0)
            areas[run] = np.sum(np.diff(rate, prepend=0.0) * np.minimum(terms, 1))
    areas[np.isnan(priors)] = np.nan
    return areas.reshape(outer)


def recall_margin(n_labeled: int | np.ndarray, alpha: float = 0.05) -> np.ndarray:
    """Half width of a band around the recall of all thresholds at once, sqrt(log(2 / alpha) / (2 n)).

    References
    ----------
    Dvoretzky, Kiefer & Wolfowitz (1956), with the constant of Massart (1990), as in Claesen et al. (2015).
    """
    return np.sqrt(_quotient(np.log(2 / alpha) / 2, n_labeled))


BOUNDED = {
    "accuracy": lambda tp, positive_rate, prior: 1 - prior - positive_rate + 2 * tp,
    "precision": lambda tp, positive_rate, prior: _quotient(tp, positive_rate),
    "recall": lambda tp, positive_rate, prior: _quotient(tp, prior),
    "f1": lambda tp, positive_rate, prior: _quotient(2 * tp, prior + positive_rate),
}


def bounds(
    metric: str,
    recall: np.ndarray,
    positive_rate: np.ndarray,
    priors: Sequence[float | np.ndarray],
    margin: float | np.ndarray = 0.0,
) -> tuple[np.ndarray, np.ndarray]:
    """Smallest and largest value of a metric where the class prior and the recall lie in intervals.

    The share of true positives is prior times recall, but no more than the rows predicted positive and no less than
    the excess of these over the negatives. Between the corners of that set every metric is monotone, so its extremes
    are at the corners.

    Parameters
    ----------
    metric : {"accuracy", "precision", "recall", "f1"}
    recall, positive_rate : ndarray of shape (...)
        As `recall` and `positive_rate` estimate them.
    priors : pair of float or ndarray of shape (...)
        The smallest and the largest class prior.
    margin : float or ndarray of shape (...)
        Half width of the interval of the recall, see `recall_margin`.

    Returns
    -------
    pair of ndarray of shape (...)

    References
    ----------
    Claesen, Davis, De Smet & De Moor (2015), Assessing binary classifiers using only positive and unlabeled data.
    """
    low, high = (np.asarray(one, float) for one in priors)
    values = []
    for rate in (np.clip(recall - margin, 0, 1), np.clip(recall + margin, 0, 1)):
        kinks = (_quotient(positive_rate, rate), _quotient(1 - np.asarray(positive_rate, float), 1 - rate))
        corners = (low, high, *(np.clip(np.where(np.isnan(kink), low, kink), low, high) for kink in kinks))
        for prior in corners:
            least, most = np.maximum(positive_rate - (1 - prior), 0), np.minimum(positive_rate, prior)
            values.append(BOUNDED[metric](np.clip(prior * rate, least, most), positive_rate, prior))
    return np.min(values, axis=0), np.max(values, axis=0)


def auc_bounds(
    pu_auc: np.ndarray, unlabeled_priors: Sequence[float | np.ndarray], margin: float | np.ndarray = 0.0
) -> tuple[np.ndarray, np.ndarray]:
    """Smallest and largest AUC in [0, 1] where the share of positives among unlabeled rows lies in an interval.

    A band of half width `margin` around the recall of all thresholds moves `pu_auc` by as much at most.
    """
    values = [
        np.clip(auc_given_prior(np.clip(pu_auc + shift, 0, 1), np.asarray(prior, float)), 0, 1)
        for shift in (-margin, margin)
        for prior in unlabeled_priors
    ]
    return np.min(values, axis=0), np.max(values, axis=0)
