"""Metrics of observed labels as records: which rows they read, when they are undefined, what they assume."""

import numpy as np
import pytest

from scarce.config.options import HIDDEN_LABELS
from scarce.scoring import without_negatives as formulas
from scarce.scoring.metrics import BY_TRUE_LABELS, METRICS, evaluate
from scarce.scoring.observed_metrics import ALL_METRICS, OBSERVED_METRICS, bounds_of, collected, without_negatives
from scarce.scoring.runs import Runs

PRIOR = np.array([0.4, 0.5])


def runs(seed=0, **changes):
    random = np.random.RandomState(seed)
    y, scores = random.uniform(size=(2, 60)) < 0.4, random.uniform(size=(2, 60)).round(2)
    s = y & (random.uniform(size=y.shape) < 0.5)
    half = {
        "y_test": np.full((2, 30), -1), "test_scores": scores[:, :30], "s_test": s[:, :30].astype(int),
        "y_validation": np.full((2, 30), -1), "s_validation": s[:, 30:].astype(int),
        "validation_scores": scores[:, 30:], "class_prior": PRIOR, "decision": "f1_default",
        "prior_interval": (0.3, 0.5), "at_k": 0.2, "costs": (1.0, 5.0),
    }  # fmt: skip
    return Runs(**half | changes)


def value(name, **changes):
    (values,) = evaluate(runs(**changes), [ALL_METRICS[name]]).values()
    return values


@pytest.mark.parametrize("scheme", ["one_sample", "two_sample"])
@pytest.mark.parametrize("part", ["validation", "test"])
def test_each_record_is_its_formula_on_its_rows(part, scheme):
    given = runs(scheme=scheme)
    s, scores = (given.s_test, given.test_scores) if part == "test" else (given.s_validation, given.validation_scores)
    s, predicted = s == 1, scores > 0.5
    rates = formulas.recall(s, predicted), formulas.positive_rate(s, predicted, scheme)
    top = formulas.top(s, scores, 0.2, scheme)
    wanted = {
        "pu_precision_at_k": formulas.precision(top.recall, top.k / top.n, PRIOR),
        "pu_recall_at_k": top.recall,
        "pu_mcc": formulas.mcc(*rates, PRIOR),
        "pu_cost": formulas.cost(*rates, PRIOR, 1, 5),
        "pu_auc": formulas.pu_auc(s, scores),
        "pu_auc_corrected": formulas.auc_given_prior(
            formulas.pu_auc(s, scores), formulas.unlabeled_prior(PRIOR, s, scheme)
        ),
        "pu_aul": formulas.aul(s, scores, scheme),
        "pu_ap": formulas.average_precision(s, scores, PRIOR, scheme),
        "pu_lee_liu": formulas.lee_liu(*rates),
        "pu_risk_upu": 1 - formulas.accuracy(*rates, PRIOR),
        "pu_risk_nnpu": PRIOR * (1 - rates[0]) + np.maximum(rates[1] - PRIOR * rates[0], 0),
        "pu_accuracy": formulas.accuracy(*rates, PRIOR),
        "pu_accuracy_as_coded": formulas.accuracy_as_coded(s, predicted, PRIOR, scheme),
        "pu_precision": formulas.precision(*rates, PRIOR),
        "pu_recall": rates[0],
        "pu_f1": formulas.f1(*rates, PRIOR),
    }
    ranked = {name for name, metric in OBSERVED_METRICS.items() if metric.direction and metric.rows == part}
    assert ranked == {f"{name}_{part}" for name in wanted}
    for name, values in wanted.items():
        np.testing.assert_allclose(value(f"{name}_{part}", scheme=scheme).value, values, err_msg=name)
    low, high = (value(f"pu_f1_{end}_{part}", scheme=scheme).value for end in ("low", "high"))
    assert (low <= formulas.f1(*rates, 0.4)).all() and (formulas.f1(*rates, 0.4) <= high).all()


def test_true_labels_change_none_of_them():
    """Poisoned true labels, and a decision that does not read them: the same values."""
    random = np.random.RandomState(3)
    poison = {"y_test": random.randint(2, size=(2, 30)), "y_validation": random.randint(2, size=(2, 30))}
    for name in OBSERVED_METRICS:
        np.testing.assert_array_equal(value(name).value, value(name, **poison).value)


def test_observed_labels_change_no_metric_of_true_labels():
    random = np.random.RandomState(4)
    truth = {"y_test": random.randint(2, size=(2, 30)), "y_validation": random.randint(2, size=(2, 30))}
    with_s = evaluate(runs(**truth))
    other = evaluate(runs(**truth, s_test=None, s_validation=1 - runs().s_validation, scheme="two_sample"))
    for name, metric in METRICS.items():
        if metric.labels == "true" and name not in ("f1_observed",):
            np.testing.assert_array_equal(with_s[name].value, other[name].value, err_msg=name)


@pytest.mark.parametrize(
    ("name", "changes", "reason"),
    [
        ("pu_auc_test", {"s_test": None}, "test rows have no observed labels"),
        ("pu_auc_validation", {"scheme": ""}, "the method saw true labels"),
        ("pu_f1_test", {"decision": "f1_validation"}, "true labels choose the threshold of f1_validation"),
        ("pu_f1_test", {"class_prior": np.array([np.nan, np.nan])}, "no class prior"),
        ("pu_cost_test", {"costs": None}, "no analysis.costs"),
        ("pu_recall_at_k_validation", {"at_k": None}, "no analysis.at_k"),
        ("pu_precision_at_k_test", {"at_k": 31}, "fewer rows than analysis.at_k"),
        ("pu_auc_low_test", {"prior_interval": None}, "no analysis.class_prior_interval"),
        ("pu_auc_test", {"s_test": np.zeros((2, 30))}, "no labeled row among the rows that are scored"),
        ("pu_auc_test", {"s_test": np.ones((2, 30))}, "no unlabeled row among the rows that are scored"),
        ("pu_precision_test", {"test_scores": np.zeros((2, 30))}, "no row is predicted positive"),
        ("pu_auc_validation", {"validation_scores": np.full((2, 30), np.inf)}, "scores that are not finite"),
        (
            "pu_aul_validation",
            {"validation_scores": np.empty((2, 0)), "s_validation": np.empty((2, 0)), "y_validation": np.empty((2, 0))},
            "no validation row",
        ),
    ],
)
def test_an_undefined_value_has_its_reason(name, changes, reason):
    values = value(name, **changes)
    assert np.isnan(values.value).all() and set(values.reason) == {reason}


@pytest.mark.parametrize("name", ["pu_auc_corrected_test", "pu_f1_test", "pu_lee_liu_test", "pu_ap_test"])
def test_the_order_of_rows_changes_nothing(name):
    order = np.random.RandomState(1).permutation(30)
    given = runs()
    shuffled = {"s_test": given.s_test[:, order], "test_scores": given.test_scores[:, order]}
    np.testing.assert_allclose(value(name).value, value(name, **shuffled).value, rtol=1e-12)


def test_every_record_says_what_it_assumes():
    for name, metric in OBSERVED_METRICS.items():
        assert name.startswith("pu_") and name.endswith(metric.rows) and name not in METRICS
        assert metric.assumes[0] == "SCAR" and metric.labels == "observed"
        assert metric.description.endswith(".")
    assert "class prior" in OBSERVED_METRICS["pu_f1_test"].assumes
    assert OBSERVED_METRICS["pu_auc_test"].assumes == ("SCAR",)
    assert OBSERVED_METRICS["pu_aul_test"].assumes == ("SCAR", "sample scheme")
    assert OBSERVED_METRICS["pu_risk_upu_test"].direction == "min"


def test_decisions_by_true_labels_are_those_that_the_options_list():
    assert set(BY_TRUE_LABELS) == {value for name, value in HIDDEN_LABELS if name == "decision"}


def test_what_a_study_saves():
    always = [name for name, metric in METRICS.items() if not metric.on_request]
    known = collected(["pu_auc_validation", "auc_pr"], truth_known=True, interval=True)
    assert known == [*always, "pu_auc_validation"]
    bounded = collected(["pu_f1_validation"], truth_known=True, interval=True)
    assert bounded == [*always, "pu_f1_validation", "pu_f1_low_validation", "pu_f1_high_validation"]
    assert collected(["pu_f1_validation"], truth_known=True, interval=False) == [*always, "pu_f1_validation"]
    assert collected([], truth_known=True, interval=True) == always, "a study that names none saves none"
    assert {*collected(["mcc", "pu_cost_validation"], truth_known=True, interval=False)} - {*always} == {
        "mcc", "pu_cost_validation",
    }  # fmt: skip
    unknown = collected(["pu_auc_validation"], truth_known=False, interval=False)
    assert {name for name in unknown if name in METRICS} == {
        "threshold_prior", "threshold_observed", "threshold_decision",
    }  # fmt: skip
    assert not [name for name in unknown if ALL_METRICS[name].on_request]
    assert "pu_auc_validation" in unknown and "pu_aul_test" in unknown and "pu_aul_validation" not in unknown


def test_truth_metrics_name_what_estimates_them():
    assert without_negatives(["f1_oracle", "f1_default", "accuracy", "threshold_prior"]) == [
        "pu_f1_test", "pu_accuracy_test",
    ]  # fmt: skip
    for metric in METRICS.values():
        assert not metric.instead or f"{metric.instead}_test" in OBSERVED_METRICS
    assert bounds_of("pu_auc_corrected_test") == ("pu_auc_low_test", "pu_auc_high_test")
    assert bounds_of("pu_auc_test") is None and bounds_of("pu_risk_upu_test") is None


def test_a_prior_interval_below_the_share_of_labeled_rows_is_cut_off():
    given = runs(prior_interval=(0.001, 0.9))
    share = (given.s_test == 1).mean(axis=1)
    low = value("pu_auc_low_test", prior_interval=(0.001, 0.9)).value
    wanted = [value("pu_auc_low_test", prior_interval=(one, 0.9)).value[place] for place, one in enumerate(share)]
    np.testing.assert_allclose(low, wanted)
