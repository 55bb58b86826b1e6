"""The block `analysis.selection`: what it takes, and what is refused before any job."""

import pytest
from pydantic import ValidationError

from scarce.config.kinds import names_of_study, registered_names
from scarce.config.selection import BASELINES
from scarce.config.study import Study
from scarce.scoring.metrics import METRICS
from scarce.scoring.true_validation import twin_of

BY = ["pu_auc_validation", "pu_f1_validation"]
ASKED = {"candidates": {"both": ["pu_hdt", "deep"]}, "by": BY, "judged_in": ["auc_pr", "f1_observed"]}
LEAST = {
    "name": "mine",
    "title": "Mine",
    "datasets": ["moons", "blobs"],
    "methods": ["pu_hdt", "deep"],
    "labeling": {"scar": {"flip_ratios": [0.5]}},
    "options": {"decision": "f1_observed"},
    "analysis": {"selection": ASKED},
}
CONTEXT = {"method": ["pu_hdt", "deep", "deep-1", "deep-2", "best"], "grids": {"deep": ["deep-1", "deep-2"]}}


def study(selection=None, **changes):
    value = LEAST | changes
    if selection:
        value["analysis"] = {"selection": ASKED | selection}
    context = CONTEXT | registered_names() | names_of_study(value, CONTEXT)
    return Study.model_validate(value, context=context)


def refusal(selection=None, **changes):
    with pytest.raises(ValidationError) as error:
        study(selection, **changes)
    (detail,) = error.value.errors()
    return detail["msg"]


def claim(**arguments):
    given = {"candidates": "both", "by": [BY[0]], "over": ["at_random"]} | arguments
    return [{"name": "c", "claim": "It is better.", "judge": "selection", "arguments": given}]


def test_a_grid_stands_for_its_variants_and_metrics_are_saved():
    one = study()
    assert one.analysis.selection.candidates == {"both": ["pu_hdt", "deep-1", "deep-2"]}
    assert {*BY, twin_of("auc_pr"), twin_of("f1_observed")} <= set(one.saved_metrics)


def test_a_study_without_the_block_saves_what_it_saved():
    assert study(analysis={}).saved_metrics == [name for name, metric in METRICS.items() if not metric.on_request]


@pytest.mark.parametrize(
    ("selection", "named"),
    [
        ({"by": ["auc_pr"]}, "auc_pr"),
        ({"by": ["pu_auc_test"]}, "pu_auc_test"),
        ({"judged_in": ["f1_oracle"]}, "f1_oracle"),
        ({"judged_in": ["pu_auc_validation"]}, "pu_auc_validation"),
        ({"candidates": {"one": ["pu_hdt"]}}, "nothing to choose"),
        ({"candidates": {"twice": ["deep", "deep-1"]}}, "twice"),
        ({"candidates": {"strange": ["pu_hdt", "best"]}}, "best"),
        ({"rare_below": 1.5}, "less than 1"),
    ],
)
def test_what_cannot_choose_is_refused(selection, named):
    assert named in refusal(selection)


def test_oracles_and_published_methods_are_no_candidates():
    for kind in ("oracles", "published methods"):
        context = CONTEXT | {kind: ["deep-2"]}
        with pytest.raises(ValidationError, match="cannot be chosen"):
            Study.model_validate(LEAST, context=context | registered_names() | names_of_study(LEAST, context))


def test_without_validation_rows_nothing_chooses():
    assert "no validation rows" in refusal(split={"plan": "holdout", "test_size": 0.3, "validation_size": 0})


def test_without_true_labels_no_loss_is_known():
    observed = {"labeling": {"observed": {}}, "options": {"decision": "f1_observed", "class_prior": 0.3}}
    assert refusal({"judged_in": ["auc_pr"]}, **observed).startswith("selection: labeling observed has no true labels")


def test_metrics_at_a_threshold_of_true_labels_choose_nothing():
    assert "pu_f1_validation" in refusal(options={"decision": "f1_validation"})


def test_claims_name_what_the_block_has():
    assert study(claims=claim(over=list(BASELINES))).claims
    assert "othr" in refusal(claims=claim(candidates="othr"))
    assert "pu_ap_validation" in refusal(claims=claim(by=["pu_ap_validation"]))
    assert "auc_roc" in refusal(claims=claim(metrics=["auc_roc"]))


def test_a_table_shows_what_is_judged():
    table = {"name": "t", "title": "T", "layout": "selection", "metric": "auc_roc"}
    assert "does not judge in auc_roc" in refusal(report={"tables": [table]})
    assert study(report={"tables": [table | {"metric": "auc_pr"}]}).report.tables
