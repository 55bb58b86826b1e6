"""A study whose SCAR labels are two samples, from labels to scores; methods made for one sample are named."""

import re

import numpy as np
import pytest
import yaml

from scarce.cli import main
from scarce.config.loading import load_project
from scarce.files import read_csv, read_json

STUDY = {
    "name": "apart", "title": "Apart", "datasets": ["blobs"],
    "labeling": {"scar": {"flip_ratios": [0.5], "scheme": "two_sample"}},
    "split": {"plan": "five_by_two"}, "repeats": 2, "methods": ["pu_hdt", "pu_et", "pu_wlr", "hdt"],
    "method_options": {"pu_et": {"n_estimators": 5}}, "report": {"figures": []},
}  # fmt: skip
NOTE = "made for one sample, and the labels are of two samples"


@pytest.fixture
def study(configured):
    def write(**changes):
        (configured / "config/studies/apart.yaml").write_text(yaml.safe_dump(STUDY | changes))

    write()
    return write


@pytest.mark.slow
def test_a_study_with_two_samples(configured, study, capsys):
    for command in ("fetch blobs", "prepare blobs", "label apart blobs", "fit apart blobs"):
        assert main(command.split()) == 0, command
    for stage in ("collect", "analyse", "verdicts", "tables", "figures", "page"):
        assert main([stage, "apart"]) == 0, stage
    folder = configured / "results/apart"
    runs = read_csv(folder / "runs.csv").set_index(["method", "repeat"])
    assert (runs.status == "ok").all()
    assert runs.message.fillna("").str.contains(NOTE).groupby("method").all().to_dict() == {
        "hdt": False, "pu_et": False, "pu_hdt": True, "pu_wlr": False,
    }  # fmt: skip
    assert (runs.n_hidden / (runs.n_train - runs.n_labeled)).to_numpy() == pytest.approx(runs.class_prior.to_numpy())
    assert read_json(folder / "manifest.json")["parts"]["blobs"]["flip-50"]["scheme"] == "two_sample"
    with np.load(folder / "labels/blobs/flip-50.npz") as labels:
        halves = [{*test[test >= 0]} for test in labels["test"]]
    assert not halves[0] & halves[1], "each row tests once in a pair"
    assert len(halves[0] | halves[1]) == read_json(configured / "data/prepared/blobs.json")["n"]

    page = (folder / "report.html").read_text(encoding="utf-8")
    static = re.sub(r"<script.*?</script>", "", page, flags=re.DOTALL)
    assert static.count(NOTE) == 2 and f"PU-HDT: {NOTE}" in static, "on top, and among the notes of runs"
    capsys.readouterr()
    assert main(["explain", "apart", "blobs", "flip-50", "pu_et", "--repeat", "0"]) == 0
    assert "scheme = 'two_sample'" in capsys.readouterr().out


def test_check_names_methods_of_another_scheme(study, capsys):
    assert main(["check", "config/studies/apart.yaml"]) == 0
    assert f"note: PU-HDT: {NOTE}" in capsys.readouterr().out
    study(labeling={"scar": {"flip_ratios": [0.5]}})
    assert main(["check", "config/studies/apart.yaml"]) == 0
    assert NOTE not in capsys.readouterr().out


def test_labels_of_two_samples_are_hidden_after_the_split(study, capsys):
    study(split={"plan": "holdout"})
    assert main(["check", "config/studies/apart.yaml"]) == 2
    assert "labeling scar draws rows" in capsys.readouterr().err


def test_no_estimator_of_the_class_prior_gets_two_samples(study, capsys):
    study(options={"class_prior": "estimated:tice"})
    assert main(["check", "config/studies/apart.yaml"]) == 2
    assert "estimators assume one sample" in capsys.readouterr().err


def test_a_method_says_what_it_assumes(configured, capsys):
    methods = load_project().methods
    assert main(["list", "methods"]) == 0
    lines = {line.split()[0]: line for line in capsys.readouterr().out.splitlines()}
    assert all(spec.scheme in lines[name].split() for name, spec in methods.items() if spec.scheme)
