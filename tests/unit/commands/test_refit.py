"""`scarce refit` and `scarce predict`: the model is the study's method, and new rows are read as its data set was."""

from __future__ import annotations

import shutil
from pathlib import Path

import joblib
import numpy as np
import pandas as pd
import pytest
import yaml

from scarce import paths, registry
from scarce.cli import main
from scarce.commands.refit import encoder_of, fitted
from scarce.config.loading import load_project
from scarce.data.frames import frame_of
from scarce.data.store import load_features_only
from scarce.files import read_csv, read_json, read_npz, sha256, write_json
from scarce.fitting.fits import read_runs
from scarce.fitting.model import scores_and_classes
from scarce.stages.cell import StudyCell
from scarce.stages.inputs import labels_of
from tests.conftest import ROOT

N, PRIOR = 240, 0.3
DATASET = {
    "mine": {
        "title": "Mine", "sources": [{"kind": "local", "files": [{"path": "mine.csv"}]}],
        "read": {"format": "csv", "delimiter": ";", "missing": ["?"]}, "target": "reported", "positive": "yes",
        "nominal": ["station"],
        "steps": [
            {"step": "drop_columns", "columns": ["id"]}, {"step": "rename", "names": {"Flow": "flow"}},
            {"step": "set_missing", "column": "temperature", "values": [-99]},
        ],
    }
}  # fmt: skip
STUDY = {
    "name": "mine", "title": "Mine", "datasets": ["mine"], "labeling": {"observed": {}}, "repeats": 3,
    "methods": ["pu_shrf", "pu_wlr", "pnb", "elkan_noto"], "method_options": {"pu_shrf": {"n_estimators": 10}},
    "options": {"class_prior": "estimated:elkan_noto"}, "analysis": {"metrics": ["pu_auc_test", "pu_auc_validation"]},
    "report": {"figures": []},
}  # fmt: skip
HIDDEN = STUDY | {
    "name": "hidden", "labeling": {"scar": {"flip_ratios": [0.25, 0.5]}},
    "methods": ["pu_wlr", "supervised", "propensity_weighted"],
    "method_options": {}, "options": {}, "analysis": {"metrics": ["auc_pr", "pu_auc_validation"]},
}  # fmt: skip
ORACLE = {
    "label": "Supervised", "family": "Oracle", "estimator": "forest", "params": {"random_state": "$seed"},
    "hidden_labels": True,
}  # fmt: skip


def table() -> pd.DataFrame:
    random = np.random.RandomState(0)
    y = random.uniform(size=N) < PRIOR
    numbers = random.normal(size=(N, 2)) + 1.5 * y[:, None]
    temperature = np.where(random.uniform(size=N) < 0.1, "-99", [f"{value:.3f}" for value in numbers[:, 0]])
    mode = np.where(random.uniform(size=N) < 0.1, "?", np.where(y, "hot", random.choice(["cold", "off"], N)))
    reported = np.where(y & (random.uniform(size=N) < 0.6), "yes", "no")
    station = random.choice([101, 102], N)
    columns = {"id": range(N), "temperature": temperature, "Flow": numbers[:, 1], "mode": mode, "station": station}
    return pd.DataFrame(columns | {"reported": reported})


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    """A folder with finished fits and scores of both studies."""
    folder = tmp_path_factory.mktemp("project")
    shutil.copytree(ROOT / "config", folder / "config")
    table().to_csv(folder / "mine.csv", sep=";", index=False)
    for file, block in (("datasets", DATASET), ("methods", {"supervised": ORACLE})):
        with (folder / f"config/{file}.yaml").open("a") as handle:
            handle.write(yaml.safe_dump(block))
    for study in (STUDY, HIDDEN):
        (folder / f"config/studies/{study['name']}.yaml").write_text(yaml.safe_dump(study))
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.setattr(registry, "METHODS", dict(registry.METHODS))
        commands = ["fetch mine", "prepare mine", "label mine mine", "prior mine mine", "fit mine mine", "collect mine"]
        for command in [*commands, "label hidden mine", "fit hidden mine", "collect hidden"]:
            assert main(command.split()) == 0, command
        assert main(["refit", "mine", "mine", "pu_shrf", "-o", "kept/model.joblib"]) == 0
    return folder


@pytest.fixture
def here(project, monkeypatch):
    monkeypatch.chdir(project)
    return project


@pytest.fixture
def model(project, tmp_path, monkeypatch):
    """A copy of a model, in a folder that holds no project."""
    shutil.copytree(project / "kept", tmp_path / "elsewhere")
    shutil.copy(project / "mine.csv", tmp_path / "elsewhere")
    monkeypatch.chdir(tmp_path / "elsewhere")
    return joblib.load("model.joblib")


def failure(capsys, command: str) -> tuple[int, list[str]]:
    """Exit code and lines of error of a command."""
    capsys.readouterr()
    code = main(command.split())
    return code, [line for line in capsys.readouterr().err.splitlines() if line.startswith("scarce: error")]


def warned(capsys, command: str) -> list[str]:
    capsys.readouterr()
    assert main(command.split()) == 0
    return [line for line in capsys.readouterr().err.splitlines() if line.startswith("scarce: warning")]


def no_pickle(about: dict) -> None:
    """A file that is described and that joblib cannot load."""
    Path("model.joblib").write_text("text")
    write_json("model.json", about | {"file": {"name": "model.joblib", "sha256": sha256("model.joblib")}})


@pytest.mark.slow
@pytest.mark.parametrize("method", STUDY["methods"])
def test_fitted_to_the_rows_of_a_repeat_it_gives_the_scores_of_the_study(here, method):
    project = load_project([paths.study_yaml("mine")])
    cell = StudyCell(project, project.study("mine"), "mine", "observed", method)
    data = load_features_only("mine")  # without true labels, which no fit reads
    run, labels = read_runs(cell.file).runs[0], labels_of(cell.study, "mine", "observed")
    model, _ = fitted(cell, data, labels.repeat(0), 0.4)
    scores, classes = scores_and_classes(model, frame_of(data).iloc[labels.repeat(0).test])
    np.testing.assert_array_equal(scores, run.test_scores)
    np.testing.assert_array_equal(classes, scores >= 0.4)


def test_a_frame_holds_the_prepared_table(here):
    data = load_features_only("mine")
    frame = frame_of(data)
    assert list(frame) == ["temperature", "flow", "mode", "station"]
    np.testing.assert_array_equal(encoder_of(data, "none")._matrix(frame), data.X)
    assert set(frame.station) == {"101", "102"}
    assert frame["mode"].isna().sum() == (table()["mode"] == "?").sum() > 0


def test_the_description_agrees_with_the_study(here):
    about, runs = read_json("kept/model.json"), read_csv("results/mine/runs.csv")
    thresholds = runs[runs.method == "pu_shrf"].threshold
    assert about["threshold"] == {
        "rule": "f1_observed", "comparison": ">=", "value": thresholds.median(), "median": thresholds.median(),
        "min": thresholds.min(), "max": thresholds.max(), "repeats": 3,
    }  # fmt: skip
    reported = read_npz("data/prepared/mine.npz", "y")["y"]
    assert about["rows"] == {"trained": N, "labeled": int(reported.sum())}
    assert about["labels"]["drawn"] is False and about["hidden_labels"] == {}
    assert reported.mean() <= about["class_prior"]["value"] == about["method"]["arguments"]["class_prior"] < 1
    assert about["class_prior"]["from"].startswith("estimated by elkan_noto")
    scores = read_csv("results/mine/scores.csv")
    auc = scores[(scores.method == "pu_shrf") & (scores.metric == "pu_auc_validation")].value
    assert about["metrics_without_negatives"]["pu_auc_validation"]["median"] == auc.median()
    assert about["assumptions"] == {"labels": "SCAR", "scheme": "one_sample"}
    levels = {column["name"]: column["levels"] for column in about["columns"]}
    assert levels == {"temperature": None, "flow": None, "mode": ["cold", "hot", "off"], "station": ["101", "102"]}
    assert about["dataset"]["content_sha256"] == read_json("data/prepared/mine.json")["content_sha256"]
    assert {"numpy", "scikit-learn", "pandas", "numba"} <= about["versions"].keys()


def test_the_training_file_gets_the_scores_of_the_pipeline(project, model, capsys, monkeypatch):
    capsys.readouterr()
    assert main(["predict", "model.joblib", "mine.csv"]) == 0
    predictions, about = read_csv("predictions.csv"), read_json("model.json")
    monkeypatch.chdir(project)
    scores = model.predict_proba(frame_of(load_features_only("mine")))[:, 1]
    np.testing.assert_array_equal(predictions.score, scores)
    np.testing.assert_array_equal(predictions.predicted, scores >= about["threshold"]["value"])
    np.testing.assert_array_equal(predictions.predicted, model.predict(frame_of(load_features_only("mine"))))
    assert list(predictions) == ["row", "score", "predicted"] and predictions.row.tolist() == list(range(N))
    assert f"{predictions.predicted.sum()} predicted positive" in capsys.readouterr().out


def test_columns_are_found_by_name_and_doubtful_rows_are_named(model, capsys):
    assert "not read: 1 column" in "".join(warned(capsys, "predict model.joblib mine.csv"))
    rows = table().drop(columns=["id", "reported"])
    rows.to_csv("rows.csv", sep=";", index=False)
    assert warned(capsys, "predict model.joblib rows.csv -o plain.csv") == []
    rows[["mode", "Flow", "station", "temperature"]].assign(more=1).to_csv("rows.csv", sep=";", index=False)
    lines = warned(capsys, "predict model.joblib rows.csv -o turned.csv")
    assert len(lines) == 2 and "(more)" in lines[0] and "another order" in lines[1]
    assert read_csv("turned.csv").equals(read_csv("plain.csv")) and read_csv("plain.csv").equals(
        read_csv("predictions.csv")
    )

    rows.assign(mode="turbo", station=np.where(rows.station == 101, 101, 7)).to_csv("rows.csv", sep=";", index=False)
    lines = warned(capsys, "predict model.joblib rows.csv -o other.csv")
    assert len(lines) == 2 and "'mode': 240 cells" in lines[0] and "(turbo)" in lines[0] and "'station'" in lines[1]
    encoded = model[0].transform(rows.rename(columns={"Flow": "flow"}).assign(mode="turbo", temperature=0.0))
    np.testing.assert_array_equal(encoded[:, 0], 0)  # no evidence


def test_columns_that_are_missing_or_of_another_kind_are_refused_a_line_each(model, capsys):
    rows = table().drop(columns="mode").assign(Flow=["many"] + ["1"] * (N - 1))
    rows.to_csv("rows.csv", sep=";", index=False)
    code, lines = failure(capsys, "predict model.joblib rows.csv")
    assert code == 3 and len(lines) == 2
    assert "'flow'" in lines[0] and "row 1 holds 'many'" in lines[0] and "'mode' is missing" in lines[1]


def test_a_model_in_the_place_of_the_rows_is_told_apart(model, capsys):
    code, (line,) = failure(capsys, "predict mine.csv model.joblib")
    assert code == 2
    assert "(scarce predict model.joblib mine.csv)" in line


def test_a_model_that_is_not_as_described_is_refused(model, capsys):
    about = read_json("model.json")
    write_json("model.json", about | {"versions": about["versions"] | {"numpy": "0.1"}, "python": "2.7"})
    (line,) = [line for line in warned(capsys, "predict model.joblib mine.csv") if "versions" in line]
    assert "numpy" in line and "then 0.1" in line and "then 2.7" in line and "pandas" not in line
    for break_it in (
        lambda: write_json("model.json", about | {"file": {"name": "model.joblib", "sha256": 64 * "0"}}),
        lambda: no_pickle(about),
        lambda: write_json("model.json", {"kind": "other"}),
        lambda: write_json("model.json", {key: value for key, value in about.items() if key != "table"}),
        lambda: write_json("model.json", about | {"threshold": {"value": 0.5}}),
        lambda: write_json("model.json", about | {"columns": None}),
        lambda: shutil.move("model.json", "away.json"),
    ):
        break_it()
        code, lines = failure(capsys, "predict model.joblib mine.csv")
        assert code == 3 and len(lines) == 1
    assert failure(capsys, "predict model.joblib mine.csv -o mine.csv")[0] == 3
    assert len(read_csv("mine.csv")) == N


def test_steps_that_read_all_rows_cannot_be_repeated(model, capsys):
    about = read_json("model.json")
    write_json("model.json", about | {"table": about["table"] | {"steps": [{"step": "impute"}]}})
    code, (line,) = failure(capsys, "predict model.joblib mine.csv")
    assert code == 3 and "step impute" in line


def test_what_cannot_be_refitted_is_refused(here, capsys):
    for command, code, words in (
        ("refit hidden mine pu_wlr", 2, "--scenario flip-25"),
        ("refit hidden mine supervised --scenario flip-25", 2, "oracle"),
        ("refit hidden mine propensity_weighted --scenario flip-25", 2, "told the true propensities"),
        ("refit hidden mine pu_hdt --scenario flip-25", 2, "no method"),
        ("refit smoke moons pu_hdt --scenario flip-50", 5, "snakemake --cores 2 smoke"),
        ("refit mine mine pu_wlr -o mine.csv", 2, "ends in .joblib"),
    ):
        found, (line,) = failure(capsys, command)
        assert (found, words in line) == (code, True), line
    assert not (here / "model.joblib").exists()


def test_outdated_results_are_refused(here, capsys, monkeypatch):
    file = here / "config/studies/mine.yaml"
    before = file.read_text()
    try:
        file.write_text(before.replace("n_estimators: 10", "n_estimators: 11"))
        code, (line,) = failure(capsys, "refit mine mine pu_shrf")
    finally:
        file.write_text(before)
    assert code == 5 and "other arguments" in line


def test_where_a_study_hides_labels_the_model_learns_from_labels_drawn_on_all_rows(here, capsys):
    lines = warned(capsys, "refit hidden mine pu_wlr --scenario flip-50 -o hidden.joblib")
    about, y = read_json("hidden.json"), read_npz("data/prepared/mine.npz", "y")["y"]
    assert about["rows"] == {"trained": N, "labeled": int(y.sum()) - int(np.ceil(y.sum() / 2))}
    assert about["class_prior"]["value"] == y.mean()
    assert about["labels"]["drawn"] and any("drawn on all rows" in line for line in lines)
    assert about["hidden_labels"].keys() == {"decision", "class_prior"}
