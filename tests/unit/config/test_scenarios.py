"""Scenarios that only some data sets of a study have."""

import pytest
from pydantic import ValidationError

from scarce.commands.check import check
from scarce.config.loading import load_project
from scarce.config.study import Study
from scarce.errors import ConfigError

STUDY = """\
name: mine
title: Mine
datasets: [moons, blobs]
labeling:
  case_control:
    designs:
      - {labeled: [10, 20], unlabeled: [100], class_priors: [0.1], datasets: [moons]}
      - {labeled: [10], unlabeled: [100], class_priors: [0.1, 0.3], datasets: [blobs]}
split: {plan: transductive}
repeats: 2
methods: [pu_hdt]
"""


def project(configured, text=STUDY):
    path = configured / "config/studies/mine.yaml"
    path.write_text(text, encoding="utf-8")
    return load_project([path])


def names(study, dataset):
    return [scenario.name for scenario in study.scenarios_of(dataset)]


def test_a_data_set_has_the_scenarios_of_its_designs(configured):
    study = project(configured).study("mine")
    assert [scenario.name for scenario in study.scenarios] == ["l10-u100-p0.1", "l20-u100-p0.1", "l10-u100-p0.3"]
    assert study.scenario("l10-u100-p0.1").datasets == ("moons", "blobs")
    assert names(study, "moons") == ["l10-u100-p0.1", "l20-u100-p0.1"]
    assert names(study, "blobs") == ["l10-u100-p0.1", "l10-u100-p0.3"]
    study.check_cell("moons", "l20-u100-p0.1")
    with pytest.raises(ConfigError, match="for data set blobs"):
        study.check_cell("blobs", "l20-u100-p0.1")


def test_a_design_without_data_sets_is_for_all(configured):
    study = project(configured, STUDY.replace(", datasets: [moons]", "")).study("mine")
    assert names(study, "blobs") == [scenario.name for scenario in study.scenarios]


def test_check_counts_what_is_run(configured):
    assert "2 data sets x 3 scenarios" in str(check(project(configured)))
    assert ", 4 of 6 combinations, x 1 method x 2 repeats = 8 runs" in str(check(project(configured)))
    whole = STUDY.replace(", datasets: [moons]", "").replace(", datasets: [blobs]", "")
    assert "scenarios x 1 method x 2 repeats = 12 runs" in str(check(project(configured, whole)))


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("[blobs]}", "[blob]}", "mine.yaml:8: labeling.case_control.designs.1.datasets.0: no data set of this study"),
        ("[blobs]}", "[iris]}", "mine.yaml:8: labeling.case_control.designs.1.datasets.0: no data set of this study"),
        ("[blobs]}", "[]}", "mine.yaml:8: labeling.case_control.designs.1.datasets: must not be empty"),
        ("[blobs]}", "[moons]}", "no scenario is for blobs"),
        ("labeled: [10],", "labeled: [0],", "mine.yaml:8: labeling.case_control.designs.1.labeled.0"),
    ],
)
def test_a_wrong_design_is_named_at_its_line(configured, old, new, problem):
    assert old in STUDY
    with pytest.raises(ConfigError) as caught:
        project(configured, STUDY.replace(old, new, 1))
    assert [line for line in caught.value.lines() if problem in line], caught.value.lines()


def test_a_scenario_that_no_data_set_has_is_refused():
    labeling = {"case_control": {"designs": [
        {"labeled": [10], "unlabeled": [100], "class_priors": [0.1]},
        {"labeled": [20], "unlabeled": [100], "class_priors": [0.1], "datasets": ["iris"]},
    ]}}  # fmt: skip
    least = {"name": "a", "title": "A", "datasets": ["moons"], "methods": ["pu_hdt"], "split": {"plan": "transductive"}}
    with pytest.raises(ValidationError, match="no data set of this study has the scenarios l20"):
        Study.model_validate(least | {"labeling": labeling})


def test_labels_do_not_depend_on_which_other_data_sets_have_the_scenario(configured):
    def fingerprint(text):
        one = project(configured, text)
        return one.label_fingerprint(one.study("mine"), "l10-u100-p0.1")

    assert fingerprint(STUDY) == fingerprint(STUDY.replace(", datasets: [moons]", ""))
    assert fingerprint(STUDY) != fingerprint(STUDY.replace("repeats: 2", "repeats: 3"))
