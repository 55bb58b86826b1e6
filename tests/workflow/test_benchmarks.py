"""The benchmark that reads the logs of a study."""

from __future__ import annotations

import sys

import pytest

from benchmarks import plan
from tests.conftest import ROOT

pytestmark = pytest.mark.workflow


def test_a_large_study_is_planned(capfd):
    plan.main(["--datasets", "20", "--methods", "3", "--repeats", "2"])
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in capfd.readouterr().out.splitlines()[2:]]
    assert [row[0] for row in rows] == ["36", "360"]
    assert all(float(cell) > 0 for row in rows for cell in row[1:])


def test_the_cost_of_a_finished_study_comes_from_its_logs(finished, tmp_path):
    figure, script = tmp_path / "grid.svg", str(ROOT / "benchmarks/overhead.py")
    done = finished.run(sys.executable, script, "--figure", str(figure), "smoke")
    by_stage, by_method = ([[cell.strip() for cell in line.split("|")[1:-1]] for line in part.splitlines()[2:]]
                           for part in done.stdout.split("\n\n"))  # fmt: skip
    jobs = {stage: number for stage, number, *_ in by_stage}
    assert {"fetch": "2", "prepare": "2", "label": "2", "fit": "2", "collect": "1", "warm": "1"}.items() <= jobs.items()
    assert sorted(row[0] for row in by_method) == ["adasyn_rf", "pu_bagging", "pu_hdt", "pu_shrf", "pu_wlr"]
    assert by_stage[0][0] == "fits and scores"
    assert float(by_stage[0][2]) == pytest.approx(sum(float(row[1]) for row in by_method), abs=0.5)
    assert figure.stat().st_size
