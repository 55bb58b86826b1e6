"""What tests share: the project's root, a copy of its configuration to break, and how to skip what is not there."""

from __future__ import annotations

import gc
import os
import shutil
from pathlib import Path

import pytest

from scarce import paths, registry
from scarce.config.project import author_runs_file
from scarce.data.sources import mirror_folder
from scarce.papers import discover

ROOT = Path(__file__).parents[1]
#: A browser to open pages in, if there is one.
BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)

for _paper in discover():
    _paper.load()


def pytest_configure(config):
    """One core a worker, as in the workflow."""
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
        os.environ.setdefault(name, "1")


def pytest_collection_modifyitems(config, items):
    mirror = os.environ.get("SCARCE_MIRROR")
    absent = pytest.mark.skip(reason="no data mirror: set SCARCE_MIRROR")
    for item in items:
        if "mirror" in item.keywords and not (mirror and Path(mirror).is_dir()):
            item.add_marker(absent)
        if item.get_closest_marker("cluster") and "cluster" not in config.option.markexpr:
            item.add_marker(pytest.mark.skip(reason="starts a Slurm: make test-cluster"))


def pytest_collection_finish(session):
    """Thousands of tests stay to the end: the collector of garbage need not go through them again and again."""
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session")
def shared(tmp_path_factory) -> Path:
    """A folder that all processes of pytest-xdist share; what they write there they write under a lock."""
    own = tmp_path_factory.getbasetemp()
    return own.parent if "PYTEST_XDIST_WORKER" in os.environ else own


@pytest.fixture(scope="session")
def authors_file() -> Path:
    """The file of ortega2023's authors with their single runs."""
    file = author_runs_file("ortega2023", mirror_folder())
    return file or pytest.skip(
        "no author_runs.csv, the authors' own file: see the README of the paper's reference folder"
    )


@pytest.fixture(scope="session")
def authors_runs(authors_file):
    """The same in the shape of scores.csv."""
    from scarce.analysis.reference import author_runs

    return author_runs("ortega2023", authors_file, ROOT / paths.reference("ortega2023"))


@pytest.fixture(scope="session")
def authors_value(authors_runs):
    """The same, one number by data set, method, metric, scenario and repeat."""
    return authors_runs.set_index(["dataset", "method", "metric", "scenario", "repeat"])["value"]


@pytest.fixture
def configured(tmp_path, monkeypatch) -> Path:
    """An empty working directory with a copy of the project's configuration."""
    shutil.copytree(ROOT / "config", tmp_path / "config")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(registry, "METHODS", dict(registry.METHODS))
    return tmp_path
