"""The benchmarks: how they add up what they measured, and that they measure at all. Times themselves are not judged."""

import subprocess
import sys

import numpy as np
import pandas as pd
import psutil
import pytest

from benchmarks import grid, growth, memory, starts
from benchmarks.measure import Shape
from scarce import registry
from scarce.config.loading import load_project
from scarce.stages.fetch import fetch
from scarce.stages.label import label
from scarce.stages.prepare import prepare


def cells(*rows):
    return pd.DataFrame(rows, columns=grid.COLUMNS)


def test_the_grid_is_runs_times_the_mean_over_data_sets():
    measured = cells(
        ("a", "flip-25", "m", 2, 4.0, 1.0, 100.0),  # 2 s a run
        ("a", "flip-50", "m", 2, 8.0, 2.0, 300.0),  # 4
        ("b", "flip-25", "m", 1, 9.0, 3.5, 200.0),  # 9
        ("a", "flip-25", "n", 2, 40.0, 1.0, 50.0),
    )
    found = grid.by_method(measured, runs=900, jobs=45)
    assert list(found.index) == ["n", "m"], "the dearest comes first"
    assert found.fits.m == pytest.approx(900 * (3 + 9) / 2)
    assert found.fits.n == pytest.approx(900 * 20)
    assert found.around.m == pytest.approx(45 * (1.5 + 3.5) / 2)
    assert (found.peak.m, found.measured.m) == (300, 5)


def test_what_is_not_known_around_a_job_stays_unknown():
    costs = grid.by_method(cells(("a", "flip-25", "m", 1, 2.0, np.nan, 100.0)), runs=10, jobs=1)
    costs = costs.assign(runs=10, wall_fit=15.0, wall_predict=np.nan)
    one, whole = grid.rows(costs)
    assert one == ["m", "20", "100 %", "2000", "-", "15", "-", "100"]
    assert whole == ["all", *one[1:]]
    head, _, *lines = grid.shown(costs).splitlines()
    known = [name for name in grid.HEAD if name not in ("around, CPU s", "recorded score, wall s")]
    assert [cell.strip() for cell in head.split("|")[1:-1]] == known
    assert all(len(line.split("|")) == len(head.split("|")) for line in lines)


def test_the_last_row_is_the_whole_grid():
    costs = pd.DataFrame(
        {"runs": 100, "fits": [30.0, 10.0], "around": [1.0, 2.0], "wall_fit": 5.0, "wall_predict": 0.0, "peak": [7, 9]},
        index=["m", "n"],
    )
    assert grid.rows(costs)[-1] == ["all", "40", "100 %", "200", "3.0", "10", "0.0", "9.0"]
    assert [row[2] for row in grid.rows(costs)[:2]] == ["75 %", "25 %"]


def test_what_runs_recorded_is_summed_by_method():
    runs = pd.DataFrame(
        {
            "method": ["m", "m", "n"],
            "fit_seconds": [1.0, 2.0, np.nan],
            "predict_seconds": [0.5, 0.5, np.nan],
            "peak_memory_mb": [10.0, 20.0, 5.0],
        }
    )
    found = grid.recorded(runs)
    assert found.loc["m"].tolist() == [3, 1, 20]
    assert found.loc["n"].tolist() == [0, 0, 5]


@pytest.mark.slow
def test_a_sample_runs_the_first_repeats_of_what_has_labels(configured, tmp_path):
    project = load_project([configured / "config/studies/smoke.yaml"])
    study = project.study("smoke")
    list(fetch(project, ["moons"], missing=False, allow_missing=False))
    prepare(project, "moons", allow_unusable=False)
    label(project, "smoke", "moons", "flip-50")
    found = grid.from_sample(project, study, 2, ["flip-50"])
    assert found.method.tolist() == study.methods
    assert set(found.dataset) == {"moons"}
    assert (found.runs == 2).all()
    assert (found.fits > 0).all()
    assert (found.peak > 1).all()
    costs = grid.by_method(found, 12, 4).assign(runs=12, wall_fit=np.nan, wall_predict=np.nan)
    grid.draw(costs, tmp_path / "img" / "grid.svg")
    assert (tmp_path / "img" / "grid.svg").stat().st_size


def test_logs_are_read_only_if_every_job_has_one(configured):
    project = load_project([configured / "config/studies/smoke.yaml"])
    assert grid.from_logs(project, project.study("smoke")) is None


def test_packages_are_counted_by_the_modules_that_others_do_not_need():
    many = [f"big.part{i}" for i in range(30)]
    assert starts.packages([*many, "small.a", "known.a"], ["known.a"]) == "big 30"
    assert starts.packages([*many, "known.a"], many) == ""


def test_every_method_of_a_study_has_a_start():
    named = starts.configured(registry.METHODS)
    methods = load_project().methods
    assert {methods[name].estimator for name in named.values()} == {m.estimator for m in methods.values()}
    assert all(methods[name].estimator == key for key, name in named.items())


def test_threads_are_compared_with_the_first_number_of_them():
    first, second = growth.threads(Shape(300, 4, 0.1), (1, 2), 1)
    assert [first[i] for i in (0, 1, 3, 6)] == ["300 x 4", "1", "1.00", "1.00"]
    assert second[1] == "2"
    assert len(second) == len(growth.THREADS_HEAD)


@pytest.mark.parametrize(
    ("command", "kind"),
    [
        (["/usr/bin/python3.11", "/x/bin/scarce", "fit", "demo", "a"], "scarce fit"),
        (["python", "/x/bin/snakemake", "--cores", "2"], "snakemake"),
        (["/bin/bash", "-c", "scarce fit"], "bash"),
        ([], ""),
    ],
)
def test_processes_are_told_apart_by_what_they_run(command, kind):
    assert memory.kind(command) == kind


def test_peaks_are_of_one_look_and_of_one_process():
    peaks = memory.Peaks()
    peaks.add({1: ("snakemake", 100.0), 2: ("scarce fit", 300.0), 3: ("scarce fit", 250.0)})
    peaks.add({1: ("snakemake", 120.0), 4: ("scarce page", 400.0)})
    assert peaks.rows() == [
        ["all together", "650"],
        ["scarce page", "400"],
        ["scarce fit", "300"],
        ["snakemake", "120"],
    ]


def test_what_a_process_and_its_children_hold_is_seen():
    grow = "import sys; held = bytearray(80 * 2**20); print('ready', flush=True); sys.stdin.read()"
    both = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {grow!r}])"
    with psutil.Popen([sys.executable, "-c", both], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout.readline() == b"ready\n"
        sizes = [size for _, size in memory.held(process).values()]
        process.stdin.close()
    assert len(sizes) == 2
    assert max(sizes) > 80
    assert min(sizes) < 80


def test_a_command_is_watched_until_it_ends(capfd):
    assert memory.main(["--every", "0.05", sys.executable, "-c", "raise SystemExit(3)"]) == 3
    assert "all together" in capfd.readouterr().out
