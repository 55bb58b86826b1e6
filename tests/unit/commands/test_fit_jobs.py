"""Fit jobs without Snakemake: which cells share a fit, index files, and which cells run."""

import faulthandler
import os
import signal
import sys
from types import SimpleNamespace

import numpy as np
import pytest

from scarce import paths
from scarce.commands.processes import running_cells
from scarce.config.loading import load_project
from scarce.errors import ConfigError, MethodError
from scarce.files import held, read_json
from scarce.labels.file import Labels, RepeatLabels
from scarce.scoring.collect import Repeat
from scarce.source_code import class_constant
from scarce.stages.cell import StudyCell, resource_groups, sharing
from scarce.stages.fit import fit_alone
from scarce.stages.index import forget_incomplete, update_index, write_index
from tests.unit.fitting.test_cell import Echo
from tests.unit.fitting.test_cell import cell as fitted_cell

PLUGIN = '''
raise RuntimeError("it is not imported")
class Neighbours:
    """Distance to the k nearest."""
    shared_params = {"k"}
    def __init__(self, k=1, metric="euclidean", seed=0):
        pass
class Plain:
    def __init__(self, k=1):
        pass
'''
METHODS = {
    "one": "Neighbours', params: {k: 1}",
    "three": "Neighbours', params: {k: 3}",
    "default": "Neighbours'",
    "other": "Neighbours', params: {k: 3, metric: cosine}",
    "seeded": "Neighbours', params: {k: 1, seed: $seed}",
    "seeded_3": "Neighbours', params: {k: 3, seed: $seed}",
    "plain": "Plain', params: {k: 1}",
    "plain_3": "Plain', params: {k: 3}",
    "oracle": "Neighbours', params: {k: 1}, hidden_labels: true",
    "told": "Neighbours', params: {k: 1}, propensity: true",
}


@pytest.fixture
def project(configured, monkeypatch):
    (configured / "my_neighbours.py").write_text(PLUGIN)
    monkeypatch.syspath_prepend(configured)
    with (configured / "config/methods.yaml").open("a") as handle:
        for name, rest in METHODS.items():
            handle.write(f"\n{name}: {{label: {name}, family: Mine, estimator: 'my_neighbours:{rest}}}\n")
    study = configured / "config/studies/smoke.yaml"
    text = study.read_text().replace("[pu_hdt, pu_shrf, pu_bagging, pu_wlr, adasyn_rf]", f"[{', '.join(METHODS)}]")
    lines = text.splitlines(keepends=True)
    study.write_text("".join(line for line in lines if not line.startswith(("method_options", "  pu_", "  adasyn"))))
    return load_project([study])


def test_only_an_oracle_is_fitted_on_true_labels(project, monkeypatch):
    study, y = project.study("smoke"), np.array([0, 1, 1, 0], np.int8)
    labels = Labels([RepeatLabels(0, 0.5, 0.25, 1, np.arange(3), np.array([0, 1, 0], np.int8), test=np.array([3]))])
    monkeypatch.setattr("scarce.stages.cell.true_labels", lambda study, dataset: y)
    features = (np.zeros((4, 1)), None)
    loaded = {m: StudyCell(project, study, "moons", "flip-50", m).load(labels, features) for m in ("one", "oracle")}
    assert loaded["one"].labels[0].s.tolist() == [0, 1, 0]
    assert loaded["oracle"].labels[0].s.tolist() == [0, 1, 1]
    uses = project.hidden_labels(study)
    assert "true labels" in uses["oracle"]
    assert "one" not in uses


def test_a_method_that_is_told_the_propensities_is_named_and_skipped_where_there_are_none(project):
    study, told = project.study("smoke"), StudyCell(project, project.study("smoke"), "moons", "flip-50", "told")
    s, rows = np.array([0, 1, 0], np.int8), np.arange(3)
    without, having = (
        RepeatLabels(r, 0.5, 0.25, 1, rows, s, propensity=e) for r, e in enumerate((np.empty(0), np.full(3, 0.5)))
    )
    loaded = told.load(Labels([without, having]), (np.zeros((4, 1)), None))
    assert loaded.propensity
    assert "the labeling has none" in loaded.labels[0].skipped
    assert loaded.labels[1] is having
    assert "told the true propensity" in project.hidden_labels(study)["told"]


def test_a_method_is_told_propensities_or_true_labels(project, configured):
    methods = configured / "config/methods.yaml"
    methods.write_text(methods.read_text().replace(", hidden_labels: true", ", hidden_labels: true, propensity: true"))
    with pytest.raises(ConfigError, match="has no propensities"):
        load_project([configured / "config/studies/smoke.yaml"])


def test_an_oracle_is_scored_on_the_rows_that_it_saw(project, monkeypatch):
    study, y = project.study("smoke"), np.array([0, 1, 1, 0, 1, 0], np.int8)
    s, rows = np.array([1, 0, 0, 0, 0, 0], np.int8), np.array([1, 0, 1, 2, 3, 4])
    parts = {"fit": np.array([0, 1, 2]), "validation": np.array([3, 4]), "test": np.array([5])}
    labels = Labels([RepeatLabels(0, 0.6, 1 / 6, 1, rows, s, scheme="two_sample", **parts)])
    monkeypatch.setattr("scarce.stages.cell.true_labels", lambda study, dataset: y)
    one, oracle = (StudyCell(project, study, "moons", "flip-50", method) for method in ("one", "oracle"))
    assert one.seen(labels) is labels
    seen = Repeat.of(oracle.seen(labels)[0], y)
    assert seen.y_validation.tolist() == seen.s_validation.tolist() == [1, 0]
    assert seen.about == {"n_train": 5, "n_labeled": 3, "n_hidden": 0, "class_prior": 0.6, "seed": 1}


def test_an_oracle_cannot_test_on_training_rows(project, configured):
    file = configured / "config/studies/smoke.yaml"
    lines = file.read_text().splitlines(keepends=True)
    file.write_text("".join("split: {plan: transductive}\n" if one.startswith("split:") else one for one in lines))
    with pytest.raises(ConfigError, match="oracle: fitted on true labels"):
        load_project([file])


def test_methods_share_a_fit_if_only_shared_params_differ(project):
    study = project.study("smoke")
    groups = sharing(StudyCell(project, study, "moons", "flip-50", method) for method in METHODS)
    assert [[cell.method for cell in group] for group in groups] == [
        ["one", "three"],
        *([name] for name in list(METHODS)[2:]),
    ]


def test_methods_without_resources_are_fitted_by_one_job(project):
    assert resource_groups(project, project.study("smoke")) == {"cells": list(METHODS)}


def test_a_constant_of_a_class_is_read_without_an_import(project):
    assert class_constant("my_neighbours:Neighbours", "shared_params") == {"k"}
    assert class_constant("my_neighbours:Plain", "shared_params") is None
    assert "my_neighbours" not in sys.modules


@pytest.fixture
def index(configured):
    files = [paths.fit("smoke", "moons", "flip-50", method) for method in ("a", "b")]
    for file in files:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(file.name)
    index = paths.fits_index("smoke", "moons", "cells")
    write_index(index, files, ["no_such_package"])
    return index


def test_an_index_stays_while_its_files_do(index):
    forget_incomplete()
    assert index.is_file()
    paths.fit("smoke", "moons", "flip-50", "b").unlink()
    forget_incomplete()
    assert not index.exists()


@pytest.mark.parametrize(
    ("old", "new"), [('"no_such_package"', '"json"'), ('"files"', '"filed"'), ("{", ""), ('"no_such_package"', "3")]
)
def test_an_index_goes_if_a_package_was_installed_or_it_cannot_be_read(index, old, new):
    index.write_text(index.read_text().replace(old, new))
    forget_incomplete()
    assert not index.exists()


def test_a_file_made_by_hand_changes_its_index_and_one_that_is_not_listed_does_not(index):
    before = read_json(index)
    file = paths.fit("smoke", "moons", "flip-50", "a")
    file.write_text("new")
    update_index(index, file)
    after = read_json(index)
    assert {name for name in before["files"] if before["files"][name] != after["files"][name]} == {str(file)}
    file.with_name("c.npz").write_text("c")
    update_index(index, file.with_name("c.npz"))
    assert read_json(index) == after
    update_index(index.with_name("none.json"), file)
    assert not index.with_name("none.json").exists()


def test_a_cell_runs_while_its_lock_is_held(configured):
    lock = paths.lock("smoke", "moons", "flip-50", "pu_wlr")
    with held(lock):
        left_behind = paths.lock("smoke", "moons", "flip-50", "pu_hdt")
        left_behind.touch()
        assert running_cells("smoke") == {("moons", "flip-50", "pu_wlr")}
    assert running_cells("smoke") == set()


class Alone(Echo):
    """A method that ends its repeat in one of many ways."""

    def __init__(self, end):
        self.end = end

    def fit(self, X, s):
        self.end()
        return super().fit(X, s)


class OwnError(Exception):
    def __init__(self, one, two):  # cannot be unpickled
        super().__init__(f"{one} and {two}")


def raises(error):
    def end():
        raise error

    return end


@pytest.mark.parametrize(
    ("end", "error", "message"),
    [
        (lambda: (faulthandler.disable(), os.abort()), MethodError, "SIGABRT"),
        (lambda: os._exit(7), MethodError, "exit code 7"),
        (lambda: os._exit(0), MethodError, "exit code 0"),
        (lambda: os.kill(os.getpid(), signal.SIGTERM), MethodError, "SIGTERM"),
        (sys.exit, MethodError, "ended the process"),
        (raises(KeyError("a column")), KeyError, "a column"),
        (raises(OwnError("one", "two")), RuntimeError, "OwnError: one and two"),
    ],
)
def test_a_repeat_in_the_foreground_never_ends_without_a_message(end, error, message):
    with pytest.raises(error, match=message) as caught:
        fit_alone(SimpleNamespace(load=lambda: fitted_cell(lambda: Alone(end))), 0, pdb=False)
    if error is not MethodError:
        assert "in end" in str(caught.value.__cause__), "the traceback of the method"


def test_a_repeat_in_the_foreground_reads_the_keyboard(tmp_path, monkeypatch):
    (tmp_path / "keys").write_text("typed\n")
    with open(tmp_path / "keys") as keys, os.fdopen(os.dup(0)) as before:
        os.dup2(keys.fileno(), 0)
        try:
            with pytest.raises(KeyError, match="typed"):
                one = SimpleNamespace(load=lambda: fitted_cell(lambda: Alone(lambda: raises(KeyError(input()))())))
                fit_alone(one, 0, pdb=False)
        finally:
            os.dup2(before.fileno(), 0)


def test_a_repeat_in_the_foreground_says_how_it_went():
    text = fit_alone(SimpleNamespace(load=lambda: fitted_cell(lambda: Alone(lambda: None))), 0, pdb=False)
    assert "repeat 0: ok" in text
    assert "12 test rows scored" in text
