"""The benchmarks that start processes, at their smallest."""

from __future__ import annotations

import sys

import pytest

from tests.conftest import ROOT

pytestmark = pytest.mark.workflow


def test_the_cost_of_a_finished_study_comes_from_its_logs(finished, tmp_path):
    figure = tmp_path / "grid.svg"
    done = finished.run(sys.executable, str(ROOT / "benchmarks/grid.py"), "--study", "smoke", "--figure", str(figure))
    head, _, table = done.stdout.partition("\n\n")
    assert head == "smoke: 12 runs a method in 4 jobs; CPU from logs of all jobs on 2 data sets"
    lines = [[cell.strip() for cell in line.strip("|\n ").split("|")] for line in table.splitlines()]
    assert sorted(line[0] for line in lines[2:]) == sorted(
        ["PU-HDT", "PU-SHRF", "PU Bagging", "PU Weighted LR", "ADASYN+RF", "all"]
    )
    assert all("-" not in line[1:] for line in lines[2:]), "logs and runs.csv say it all"
    assert figure.stat().st_size


def test_the_start_of_a_method_is_measured(finished, tmp_path):
    figure, script = tmp_path / "starts.svg", str(ROOT / "benchmarks/starts.py")
    done = finished.run(
        sys.executable, script, "--rounds", "1", "--methods", "pu_wlr", "forest", "--figure", str(figure)
    )
    _, _, wlr, forest, *_ = ([cell.strip() for cell in line.split("|")[1:-1]] for line in done.stdout.splitlines())
    assert wlr[0] == "pu_wlr"
    assert forest[0] == "forest"
    assert "-" not in wlr[:5]
    assert forest[3:5] == ["-", "-"], "no method of the configuration is of this estimator"
    assert "numba" in forest[5]
    assert figure.stat().st_size
