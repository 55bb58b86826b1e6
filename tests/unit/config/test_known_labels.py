"""What a study with observed labels may ask for: refused before any job, in one line that says what to write."""

import pytest
import yaml
from pydantic import ValidationError

from scarce.config.loading import load_project
from scarce.config.study import Study
from scarce.errors import ConfigError
from scarce.scoring.metrics import METRICS

LEAST = {
    "name": "mine",
    "title": "Mine",
    "datasets": ["moons"],
    "methods": ["pu_hdt"],
    "labeling": {"observed": {}},
    "options": {"decision": "f1_observed", "class_prior": 0.3},
    "analysis": {"metrics": ["pu_auc_test"]},
}


def study(**changes):
    return Study.model_validate(LEAST | changes)


def refusal(**changes):
    with pytest.raises(ValidationError) as error:
        study(**changes)
    (detail,) = error.value.errors()
    return detail["msg"]


def test_it_is_fine_as_it_is():
    one = study()
    assert not one.truth_known and [s.name for s in one.scenarios] == ["observed"]
    assert "pu_f1_test" in one.saved_metrics and "accuracy" not in one.saved_metrics


@pytest.mark.parametrize("metric", [name for name, one in METRICS.items() if one.direction])
def test_every_truth_metric_is_refused_and_another_is_named(metric):
    message = refusal(analysis={"metrics": [metric]})
    assert message.startswith(f"{metric}: labeling observed has no true labels") and "name pu_" in message
    table = {"name": "t", "title": "T", "layout": "scenarios", "metric": metric}
    assert refusal(report={"tables": [table]}).startswith(metric)


SCAR = {"labeling": {"scar": {"flip_ratios": [0.5]}}, "options": {}}


@pytest.mark.parametrize(("metric", "key"), [("recall_at_k", "at_k"), ("cost", "costs")])
def test_a_metric_without_its_setting_is_refused(metric, key):
    assert f"{key}: ..." in refusal(**SCAR, analysis={"metrics": [metric]})
    assert f"{key}: ..." in refusal(analysis={"metrics": [f"pu_{metric}_test"]})
    stated = {"at_k": 0.1, "costs": {"false_positive": 1.0, "false_negative": 20.0}}
    named = study(**SCAR, analysis={"metrics": [metric], key: stated[key]})
    assert metric in named.saved_metrics and not any(key in note for note in named.notes)
    assert any(key in note for note in study(**SCAR, analysis={"metrics": ["mcc"], key: stated[key]}).notes)


def test_a_claim_by_a_metric_that_is_not_saved_is_refused():
    claim = {"name": "c", "claim": "It is good.", "judge": "omnibus", "arguments": {"metrics": ["mcc"]}}
    assert refusal(**SCAR, claims=[claim], analysis={"metrics": ["auc_pr"]}).startswith("mcc: saved only where")
    assert study(**SCAR, claims=[claim], analysis={"metrics": ["mcc"]}).claims


@pytest.mark.parametrize("at_k", [0, -3, 1.0, 1.5, 0.0, True, "100"])
def test_at_k_is_a_number_of_rows_or_a_share(at_k):
    assert "between 0 and 1" in refusal(**SCAR, analysis={"metrics": ["mcc"], "at_k": at_k})


@pytest.mark.parametrize("costs", [{"false_positive": 0.0, "false_negative": 0.0}, {"false_positive": 1.0}])
def test_costs_are_two_and_one_is_positive(costs):
    assert refusal(**SCAR, analysis={"metrics": ["mcc"], "costs": costs})


def test_a_claim_about_the_truth_is_refused():
    claim = {"name": "c", "claim": "It is good.", "judge": "omnibus", "arguments": {"metrics": ["auc_pr"]}}
    assert refusal(claims=[claim]).startswith("auc_pr")


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ({"decision": "f1_validation", "class_prior": 0.3}, "f1_observed"),
        ({"decision": "f1_observed"}, "estimated:<method>"),
        ({"decision": "f1_observed", "class_prior": "all_true"}, "estimated:<method>"),
        ({"decision": "f1_observed", "class_prior": 0.3, "encoding": "woe_all_true"}, "woe_train_observed"),
    ],
)
def test_options_that_read_true_labels_are_refused(options, named):
    preset = {} if options.get("class_prior") != "all_true" and "encoding" not in options else {"preset": "mine"}
    message = refusal(options=options, **preset)
    assert "no true labels" in message and named in message


def test_an_estimated_prior_is_of_one_sample():
    options = {"decision": "f1_observed", "class_prior": "estimated:tice"}
    assert study(options=options).options.estimator == "tice"
    assert "one sample" in refusal(options=options, labeling={"observed": {"scheme": "two_sample"}})


def test_test_rows_of_a_study_with_hidden_labels_have_true_labels():
    scar = {"labeling": {"scar": {"flip_ratios": [0.5]}}}
    message = refusal(**scar, analysis={"metrics": ["pu_auc_test", "auc_pr"]})
    assert "name pu_auc_validation" in message
    assert study(**scar, analysis={"metrics": ["pu_auc_validation", "auc_pr"]}).truth_known


def test_a_threshold_that_true_labels_choose_leaves_no_metric_of_observed_labels():
    scar = {"labeling": {"scar": {"flip_ratios": [0.5]}}, "options": {}}
    message = refusal(**scar, analysis={"metrics": ["pu_f1_validation"]})
    assert "f1_observed, f1_prior or f1_default" in message
    assert study(**scar, analysis={"metrics": ["pu_auc_validation"]})


def test_metrics_of_validation_rows_need_some():
    split = {"plan": "holdout", "test_size": 0.3, "validation_size": 0}
    notes = study(split=split, options=LEAST["options"] | {"decision": "f1_prior"}).notes
    assert not notes
    notes = study(split=split, analysis={"metrics": ["pu_auc_validation"]}).notes
    assert any("pu_auc_validation" in note for note in notes)


@pytest.mark.parametrize("interval", [[0.4, 0.2], [0.0, 0.5], [0.2, 1.0], [0.2], [0.1, 0.2, 0.3]])
def test_an_interval_of_the_class_prior_ascends_within_0_and_1(interval):
    with pytest.raises(ValidationError):
        study(analysis={"metrics": ["pu_auc_test"], "class_prior_interval": interval})


def test_a_stated_prior_lies_in_its_interval():
    assert "lies outside" in refusal(analysis={"metrics": ["pu_auc_test"], "class_prior_interval": [0.4, 0.5]})


def test_an_interval_that_bounds_nothing_is_noted():
    scar = {"labeling": {"scar": {"flip_ratios": [0.5]}}, "options": {}}
    idle = study(**scar, analysis={"metrics": ["auc_pr"], "class_prior_interval": [0.2, 0.4]})
    assert any("bounds nothing" in note for note in idle.notes)
    busy = study(**scar, analysis={"metrics": ["pu_auc_corrected_validation"], "class_prior_interval": [0.2, 0.4]})
    assert not any("bounds nothing" in note for note in busy.notes)


def test_bounds_are_saved_where_there_is_an_interval():
    bounded = study(analysis={"metrics": ["pu_auc_test"], "class_prior_interval": [0.2, 0.4]})
    assert {"pu_f1_low_test", "pu_auc_high_test"} <= set(bounded.saved_metrics)
    assert not any("_low_" in name for name in study().saved_metrics)


def checked(configured, **changes):
    content = {key: value for key, value in (LEAST | changes).items() if value is not None}
    file = configured / "config/studies/mine.yaml"
    file.write_text(yaml.safe_dump(content))
    return load_project([file]).study("mine")


def test_a_study_need_only_state_the_class_prior(configured):
    one = checked(configured, options={"class_prior": 0.3}, analysis=None)
    assert one.options.decision == "f1_observed"
    assert one.analysis.metrics == ["pu_auc_test", "pu_lee_liu_test"]
    with pytest.raises(ConfigError, match="a number, or estimated:<method>"):
        checked(configured, options=None)


def test_oracles_are_refused(configured):
    methods = configured / "config/methods.yaml"
    oracle = {"oracle": {"label": "O", "family": "o", "estimator": "tree", "hidden_labels": True}}
    methods.write_text(methods.read_text() + yaml.safe_dump(oracle))
    with pytest.raises(ConfigError, match="oracle: fitted on true labels"):
        checked(configured, methods=["oracle", "pu_hdt"])


def test_other_studies_keep_their_defaults(configured):
    one = load_project([configured / "config/studies/smoke.yaml"]).study("smoke")
    assert one.options.decision == "f1_validation"
    assert one.saved_metrics == [name for name, metric in METRICS.items() if not metric.on_request]
