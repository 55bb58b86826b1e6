"""Versions of libraries: which ones a fit depends on, under which names they are found, and what is recorded."""

from __future__ import annotations

import importlib.metadata
import subprocess
import sys

import numpy as np
import pytest

from scarce import libraries, paths, source_code
from scarce.commands import doctor
from scarce.config.loading import load_project
from scarce.fitting.fits import FittedRun, read_runs, read_versions, write_runs
from scarce.fitting.machine import kernels
from scarce.stages import collect, describe
from scarce.stages.cell import StudyCell


@pytest.fixture(autouse=True)
def forgotten():
    libraries.installed.cache_clear()
    yield
    libraries.installed.cache_clear()


@pytest.fixture
def distributions(monkeypatch):
    """Distributions that are installed, by name; changed by the test."""
    known = {"numpy": "2.0", "xgboost-cpu": "3.2.0", "scikit-learn": "1.9"}

    def version(name):
        if name not in known:
            raise importlib.metadata.PackageNotFoundError(name)
        return known[name]

    monkeypatch.setattr(importlib.metadata, "version", version)
    monkeypatch.setattr(importlib.metadata, "packages_distributions", lambda: {"odd": ["odd-wheels"]})
    return known


@pytest.mark.parametrize("name", ["xgboost-cpu", "xgboost", "py-xgboost", "py-xgboost-cpu", "py-xgboost-gpu"])
def test_a_library_is_found_under_the_names_of_pip_and_conda(distributions, name):
    del distributions["xgboost-cpu"]
    distributions[name] = "3.2.0"
    assert libraries.installed("xgboost") == (name, "3.2.0")
    assert libraries.versions(["xgboost", "sklearn", "psutil"]) == {"scikit-learn": "1.9", "xgboost": "3.2.0"}
    assert describe.installed_versions(["xgboost", "torch"]) == {name: "3.2.0"}


def test_a_library_of_a_users_own_is_found_by_what_it_installs(distributions):
    distributions["odd-wheels"] = "0.1"
    assert libraries.installed("odd") == ("odd-wheels", "0.1")
    assert libraries.installed("absent") is None


def test_torch_is_among_the_versions_of_the_manifest(distributions):
    distributions["torch"] = "2.6"
    assert describe.installed_versions(describe.VERSIONS)["torch"] == "2.6"


@pytest.mark.parametrize(
    ("module", "imported", "not_imported"),
    [
        ("scarce.methods.boosted_risks", {"numpy", "xgboost"}, {"torch", "imblearn"}),
        ("scarce.methods.adasyn", {"imblearn", "sklearn"}, {"torch", "xgboost"}),
        ("scarce.methods.neural", {"torch"}, {"xgboost"}),
        ("scarce.trees", {"numba", "numpy"}, {"torch", "xgboost"}),
    ],
)
def test_libraries_of_a_module_are_those_that_its_code_imports(module, imported, not_imported):
    names = source_code.libraries(module)
    assert imported <= names
    assert not names & not_imported
    assert not names & {"scarce", "os", "sys", "__future__"}


def test_an_upgrade_between_two_fits_is_recorded_and_said(configured, distributions):
    project = load_project([paths.study_yaml("smoke")])
    study = project.study("smoke")
    for name in ("pu_wlr", "pu_bagging"):
        cell = StudyCell(project, study, "moons", "flip-50", name)
        write_runs(cell.file, [FittedRun(0, "ok", test_scores=np.ones(2))], "f", "i", versions=cell.versions)
        assert read_runs(cell.file)[1:] == ("f", "i")
        assert read_versions(cell.file).items() >= {"numpy": distributions["numpy"], **kernels()}.items()
        distributions["numpy"] = "2.1"
        libraries.installed.cache_clear()
    one = {"study": {"name": "smoke"}, "fitted_with": {"numpy": {"2.0": 3}}}
    two = {"study": {"name": "smoke"}, "fitted_with": {"numpy": {"2.0": 3, "2.1": 1}, "scipy": {"1.0": 4}}}
    assert describe.mixed_versions(one) == describe.mixed_versions({}) == ""
    said = describe.mixed_versions(two)
    assert "numpy 2.0 (3 cells), 2.1 (1 cell); delete results/smoke/fits" in said
    assert "scipy" not in said
    assert describe.fitted_with(two) == {"numpy": "2.0 (3 cells), 2.1 (1 cell)", "scipy": "1.0"}


def test_a_library_that_only_the_fits_had_is_among_the_versions():
    fits = {"numpy": {"2.0": 3}, "numpy-simd": {"AVX512_ICL": 3}, "lightgbm": {"4.7": 1}, "xgboost": {"3.2": 1}}
    used = describe.versions_used({"versions": {"numpy": "2.1", "xgboost-cpu": "3.2"}, "fitted_with": fits})
    assert used == {"numpy": "2.1", "xgboost-cpu": "3.2", "lightgbm": "4.7"}
    assert describe.versions_used({"versions": {"numpy": "2.1"}}) == {"numpy": "2.1"}


def test_fits_of_before_versions_were_recorded_are_read(tmp_path):
    from scarce.files import read_npz, write_npz

    file = tmp_path / "a.npz"
    write_runs(file, [FittedRun(0, "ok", test_scores=np.ones(2))], "f", "i", versions={"numpy": "2.0"})
    arrays = read_npz(file)
    del arrays["versions"]
    write_npz(file, **arrays)
    assert read_versions(file) == {}
    assert read_runs(file).fingerprint == "f"
    assert collect.NOT_RECORDED


def git(folder, *words):
    own = ("-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgsign=false")
    subprocess.run(["git", *own, *words], cwd=folder, check=True, capture_output=True)


def test_the_commit_is_that_of_the_project_or_none(tmp_path, monkeypatch):
    outer, project = tmp_path / "outer", tmp_path / "outer" / "project"
    project.mkdir(parents=True)
    (project / "Snakefile").write_text("")
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path))
    monkeypatch.chdir(project)
    assert describe._commit() is None, "a ZIP that was unpacked"
    git(outer, "init", "-q")
    (outer / ".gitignore").write_text("project\n")
    git(outer, "add", ".gitignore")
    git(outer, "commit", "-qm", "x")
    assert describe._commit() is None, "unpacked inside another repository"
    git(project, "init", "-q")
    assert describe._commit() is None, "no commit yet"
    git(project, "add", "Snakefile")
    git(project, "commit", "-qm", "x")
    assert len(describe._commit()) == 40
    (project / "Snakefile").write_text("changed")
    assert describe._commit().endswith("+changes")


def test_doctor_names_methods_that_need_a_package_and_a_command_that_brings_it(
    configured, distributions, monkeypatch, tmp_path
):
    project = load_project([])
    notes = "\n".join(words for _, words in doctor._packages(project))
    assert "torch is not installed: only " in notes
    named = notes.partition("torch is not installed: only ")[2].partition(" need it: ")[0].split(", ")
    blocks = {spec.variant_of or name for name, spec in project.methods.items()}
    assert named
    assert set(named) <= blocks, "of the catalogue, without their variants"
    assert 'pip install "scarce[neural]"' in notes
    del distributions["xgboost-cpu"]
    libraries.installed.cache_clear()
    assert ("fix", 'xgboost is not installed: pip install "scarce[bench]"') in doctor._packages(project)
    (tmp_path / "conda-meta").mkdir()
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    notes = "\n".join(words for _, words in doctor._packages(project))
    assert 'xgboost is not installed: conda install -c conda-forge "py-xgboost=*=cpu*"' in notes
    assert "conda install -c conda-forge pytorch-cpu" in notes
    project.methods.clear()
    assert "no method of this project needs it" in "\n".join(words for _, words in doctor._packages(project))


def test_versions_that_differ_from_a_record(distributions):
    recorded = {"numpy": "2.0", "scikit-learn": "1.8", "xgboost": "3.2.0", "gone": "1.0"}
    assert libraries.differing(recorded) == {"scikit-learn": "1.9", "gone": None}
