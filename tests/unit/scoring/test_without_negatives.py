"""Metrics from observed labels against populations whose true values are known in closed form."""

import functools
from math import erf, sqrt

import numpy as np
import pytest

from scarce.scoring import without_negatives as metrics

PRIOR, FREQUENCY, SHIFT, THRESHOLD = 0.3, 0.4, 1.2, 0.7
SCHEMES = ("one_sample", "two_sample")


def normal(x):
    return 0.5 * (1 + erf(x / sqrt(2)))


RECALL, FALL_OUT, AUC = normal(SHIFT - THRESHOLD), normal(-THRESHOLD), normal(SHIFT / sqrt(2))
RATE = PRIOR * RECALL + (1 - PRIOR) * FALL_OUT
ACCURACY = PRIOR * RECALL + (1 - PRIOR) * (1 - FALL_OUT)
PRECISION, F1 = PRIOR * RECALL / RATE, 2 * PRIOR * RECALL / (PRIOR + RATE)
AUL = PRIOR / 2 + (1 - PRIOR) * AUC


def average_precision():
    """Integral of precision over recall by the trapezoid rule on a fine grid of thresholds."""
    grid = np.linspace(8, -8, 20_001)
    recall = np.array([normal(SHIFT - t) for t in grid])
    rate = PRIOR * recall + (1 - PRIOR) * np.array([normal(-t) for t in grid])
    return np.trapezoid(PRIOR * recall / rate, recall)


@functools.cache
def draw(scheme, n_runs, n_rows, seed=0):
    """Observed labels and scores: positives N(SHIFT, 1), negatives N(0, 1), labels completely at random."""
    random = np.random.RandomState(seed)
    y = random.uniform(size=(n_runs, n_rows)) < PRIOR
    if scheme == "one_sample":
        s = y & (random.uniform(size=y.shape) < FREQUENCY)
    else:
        n_labeled = n_rows // 4
        y[:, :n_labeled] = True
        s = np.broadcast_to(np.arange(n_rows) < n_labeled, y.shape)
    return s, random.normal(size=y.shape) + SHIFT * y


def parts(s, scores, scheme):
    return metrics.recall(s, scores > THRESHOLD), metrics.positive_rate(s, scores > THRESHOLD, scheme)


def sigmoid_risk():
    x = np.linspace(-12, 12, 40_001)

    def density(mean):
        return np.exp(-0.5 * (x - mean) ** 2) / sqrt(2 * np.pi)

    error = 1 / (1 + np.exp(x - THRESHOLD))
    return np.trapezoid(PRIOR * error * density(SHIFT) + (1 - PRIOR) * (1 - error) * density(0), x)


UNBIASED = {
    "recall": (lambda s, g, scheme: parts(s, g, scheme)[0], RECALL),
    "positive_rate": (lambda s, g, scheme: parts(s, g, scheme)[1], RATE),
    "accuracy": (lambda s, g, scheme: metrics.accuracy(*parts(s, g, scheme), PRIOR), ACCURACY),
    "upu zero-one": (lambda s, g, scheme: metrics.pu_risk(s, g - THRESHOLD, PRIOR, scheme), 1 - ACCURACY),
    "upu sigmoid": (
        lambda s, g, scheme: metrics.pu_risk(s, g - THRESHOLD, PRIOR, scheme, loss="sigmoid"),
        sigmoid_risk(),
    ),
    "auc": (
        lambda s, g, scheme: metrics.auc_given_prior(
            metrics.pu_auc(s, g), metrics.unlabeled_prior(PRIOR, s, scheme)
        ),
        AUC,
    ),
    "aul": (metrics.aul, AUL),
    "cost": (
        lambda s, g, scheme: metrics.cost(*parts(s, g, scheme), PRIOR, 0.05, 1),
        0.05 * (1 - PRIOR) * FALL_OUT + PRIOR * (1 - RECALL),
    ),
}  # fmt: skip
CONSISTENT = {
    "mcc": (
        lambda s, g, scheme: metrics.mcc(*parts(s, g, scheme), PRIOR),
        (RECALL * (1 - FALL_OUT) - (1 - RECALL) * FALL_OUT) * PRIOR * (1 - PRIOR)
        / sqrt(PRIOR * (1 - PRIOR) * RATE * (1 - RATE)),
    ),
    "recall at k": (lambda s, g, scheme: metrics.top(s, g, RATE, scheme).recall, RECALL),
    "precision at k": (
        lambda s, g, scheme: metrics.precision(metrics.top(s, g, RATE, scheme).recall, RATE, PRIOR), PRECISION
    ),
    "precision": (lambda s, g, scheme: metrics.precision(*parts(s, g, scheme), PRIOR), PRECISION),
    "f1": (lambda s, g, scheme: metrics.f1(*parts(s, g, scheme), PRIOR), F1),
    "lee_liu": (lambda s, g, scheme: metrics.lee_liu(*parts(s, g, scheme)), RECALL**2 / RATE),
    "average precision": (
        lambda s, g, scheme: metrics.average_precision(s, g, PRIOR, scheme),
        average_precision(),
    ),
    "nnpu zero-one": (
        lambda s, g, scheme: metrics.pu_risk(s, g - THRESHOLD, PRIOR, scheme, non_negative=True),
        1 - ACCURACY,
    ),
}  # fmt: skip


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("name", UNBIASED)
def test_means_over_small_samples_are_the_true_values(name, scheme):
    estimate, truth = UNBIASED[name]
    values = estimate(*draw(scheme, 3_000, 60), scheme)
    error = np.nanstd(values) / sqrt(len(values))
    assert abs(np.nanmean(values) - truth) < 4 * error
    assert error < 0.006


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("name", [*UNBIASED, *CONSISTENT])
def test_a_large_sample_gives_the_true_value(name, scheme):
    estimate, truth = (UNBIASED | CONSISTENT)[name]
    assert estimate(*draw(scheme, 1, 200_000, seed=3), scheme)[0] == pytest.approx(truth, rel=0.02)


@pytest.mark.parametrize("scheme", SCHEMES)
def test_labels_taken_for_the_truth_are_far_off(scheme):
    """The simulations above could tell a wrong formula from a right one."""
    s, scores = draw(scheme, 1, 200_000)
    predicted = scores > THRESHOLD
    assert metrics.pu_auc(s, scores)[0] < AUC - 0.05
    assert abs((predicted == s).mean() - ACCURACY) > 0.02
    other = "two_sample" if scheme == "one_sample" else "one_sample"
    right, wrong = (metrics.accuracy(*parts(s, scores, one), PRIOR)[0] for one in (scheme, other))
    assert abs(right - ACCURACY) < 0.01 < abs(wrong - ACCURACY)


def population(recall, true_negatives, n=2_000, prior=0.5, frequency=0.6):
    """Observed labels, predictions and true labels of rows that hold each case in its exact share."""
    positives, place = round(prior * n), np.arange(n)
    labeled = round(frequency * positives)
    predicted = np.zeros(n, bool)
    for first, last, share in ((0, labeled, recall), (labeled, positives, recall), (positives, n, 1 - true_negatives)):
        predicted[first : first + round(share * (last - first))] = True
    return place < labeled, predicted, place < positives


def test_the_proxy_accuracy_as_coded_prefers_the_worse_classifier():
    """Class prior 0.5, label frequency 0.6: accuracy 0.865 against 0.850; the coded formula adds h (2 recall - 1)."""
    better, worse = population(0.80, 0.93), population(0.95, 0.75)
    coded, right = [], []
    for s, predicted, y in (better, worse):
        accuracy = (predicted == y).mean()
        rates = metrics.recall(s, predicted), metrics.positive_rate(s, predicted, "one_sample")
        right.append(metrics.accuracy(*rates, 0.5))
        coded.append(metrics.accuracy_as_coded(s, predicted, 0.5, "one_sample"))
        assert right[-1] == pytest.approx(accuracy, abs=1e-12)
        assert coded[-1] == pytest.approx(accuracy + 0.3 * (2 * rates[0] - 1), abs=1e-12)
    assert right == pytest.approx([0.865, 0.850])
    assert coded == pytest.approx([1.045, 1.120])


def test_with_two_samples_the_coded_formula_is_right():
    s, scores = draw("two_sample", 5, 300)
    predicted = scores > THRESHOLD
    coded = metrics.accuracy_as_coded(s, predicted, PRIOR, "two_sample")
    np.testing.assert_allclose(coded, metrics.accuracy(*parts(s, scores, "two_sample"), PRIOR))


def naive(s, scores, prior, scheme):
    """AUC, AUL and average precision by loops over pairs and thresholds."""
    labeled, unlabeled = scores[s], scores[~s]
    sample = scores if scheme == "one_sample" else unlabeled

    def above(left, right):
        return np.mean([(a > b) + 0.5 * (a == b) for a in left for b in right])

    area, before = 0.0, 0.0
    for threshold in sorted(set(scores), reverse=True):
        rate, share = (labeled >= threshold).mean(), (sample >= threshold).mean()
        area += (rate - before) * min(prior * rate / share if share else 1, 1)
        before = rate
    return above(labeled, unlabeled), above(labeled, sample), area


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("levels", [3, 1000])
def test_areas_equal_naive_loops_with_and_without_ties(scheme, levels):
    random = np.random.RandomState(levels)
    s, scores = random.uniform(size=(20, 30)) < 0.3, random.randint(levels, size=(20, 30)) / levels
    found = (
        metrics.pu_auc(s, scores),
        metrics.aul(s, scores, scheme),
        metrics.average_precision(s, scores, PRIOR, scheme),
    )
    np.testing.assert_allclose(np.transpose(found), [naive(*run, PRIOR, scheme) for run in zip(s, scores, strict=True)])


def test_all_labels_known_give_the_ordinary_metrics():
    """One sample with label frequency 1: the class prior is the share of labels, and unlabeled rows are negatives."""
    random = np.random.RandomState(1)
    y, scores = random.uniform(size=400) < 0.3, random.normal(size=400)
    predicted, prior = scores > 0.2, y.mean()
    rates = metrics.recall(y, predicted), metrics.positive_rate(y, predicted, "one_sample")
    tp = (predicted & y).sum()
    assert metrics.accuracy(*rates, prior) == pytest.approx((predicted == y).mean())
    assert metrics.precision(*rates, prior) == pytest.approx(tp / predicted.sum())
    assert metrics.f1(*rates, prior) == pytest.approx(2 * tp / (predicted.sum() + y.sum()))
    assert metrics.unlabeled_prior(prior, y, "one_sample") == pytest.approx(0)
    assert metrics.auc_given_prior(metrics.pu_auc(y, scores), 0.0) == pytest.approx(metrics.pu_auc(y, scores))


def test_the_non_negative_risk_cuts_off_the_part_of_the_negatives():
    s = np.array([True, True, False, False])
    margins = np.array([1.0, 1.0, -1.0, -1.0])
    # two samples: no unlabeled row is predicted positive, all labeled ones are
    assert metrics.pu_risk(s, margins, 0.4, "two_sample") == pytest.approx(-0.4)
    assert metrics.pu_risk(s, margins, 0.4, "two_sample", non_negative=True) == 0


def test_undefined_values_are_nan():
    none, scores = np.zeros(4, bool), np.arange(4.0)
    assert np.isnan(metrics.recall(none, scores > 1))
    assert np.isnan(metrics.pu_auc(none, scores))
    assert np.isnan(metrics.average_precision(none, scores, 0.3, "one_sample"))
    assert np.isnan(metrics.pu_auc(~none, scores))
    assert np.isnan(metrics.precision(0.0, 0.0, 0.3)) and np.isnan(metrics.lee_liu(0.0, 0.0))
    with pytest.raises(ValueError, match="scheme"):
        metrics.positive_rate(none, scores > 1, "sar")


@pytest.mark.parametrize("metric", metrics.BOUNDED)
def test_bounds_are_the_extremes_on_a_grid(metric):
    """Claesen et al. (2015): contingency tables that the intervals allow, by brute force."""
    random = np.random.RandomState(5)
    for _ in range(40):
        rate, share = random.uniform(size=2)
        low, high = np.sort(random.uniform(0.02, 0.98, 2))
        margin = random.uniform(0, 0.2)
        prior, one = np.meshgrid(np.linspace(low, high, 301), np.linspace(rate - margin, rate + margin, 31))
        tp = np.clip(prior * np.clip(one, 0, 1), np.maximum(share - (1 - prior), 0), np.minimum(share, prior))
        values = metrics.BOUNDED[metric](tp, share, prior)
        least, most = metrics.bounds(metric, rate, share, (low, high), margin)
        assert least <= values.min() + 1e-12 and values.max() <= most + 1e-12
        assert least == pytest.approx(values.min(), abs=0.01) and most == pytest.approx(values.max(), abs=0.01)
        assert -1e-12 <= least <= most <= 1 + 1e-12


@pytest.mark.parametrize("scheme", SCHEMES)
def test_bounds_hold_the_true_value_as_often_as_stated(scheme):
    s, scores = draw(scheme, 400, 400, seed=9)
    rates = parts(s, scores, scheme)
    margin = metrics.recall_margin(s.sum(axis=-1))
    truths = {"accuracy": ACCURACY, "precision": PRECISION, "recall": RECALL, "f1": F1}
    inside = {}
    for metric, truth in truths.items():
        low, high = metrics.bounds(metric, *rates, (PRIOR - 0.05, PRIOR + 0.05), margin)
        inside[metric] = np.mean((low <= truth) & (truth <= high))
        assert np.mean(high - low) < 0.6
    shares = [metrics.unlabeled_prior(PRIOR + shift, s, scheme) for shift in (-0.05, 0.05)]
    low, high = metrics.auc_bounds(metrics.pu_auc(s, scores), shares, margin)
    inside["auc"] = np.mean((low <= AUC) & (high >= AUC))
    assert min(inside.values()) >= 0.95


def test_a_known_prior_and_recall_leave_a_point():
    low, high = metrics.bounds("f1", 0.6, 0.4, (0.3, 0.3))
    assert low == high == pytest.approx(metrics.f1(0.6, 0.4, 0.3))
    low, high = metrics.auc_bounds(0.7, (0.2, 0.2))
    assert low == high == pytest.approx(metrics.auc_given_prior(0.7, 0.2))
