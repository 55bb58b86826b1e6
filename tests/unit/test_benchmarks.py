"""The benchmarks: how they add up what they measured, and that they measure at all. Times themselves are not judged."""

import gzip
import subprocess
import sys
import time

import numpy as np
import pandas as pd
import psutil
import pytest

from benchmarks import (
    advise,
    categorical,
    class_prior,
    costs,
    extra_trees,
    growth,
    memory,
    neural,
    origins,
    overhead,
    scar_test,
    wide,
)
from benchmarks.measure import Shape
from scarce import paths
from scarce.analysis.evidence import Case
from scarce.analysis.statistics import AnalysisSettings
from scarce.cli import main
from scarce.files import write_text
from scarce.prior import PriorInterval


def log(path, own, children, *cells):
    lines = [f"# fitted {scenario} {methods}: {cpu:.2f} CPU s\n" for scenario, methods, cpu in cells]
    path.write_text(f"# scarce\n{''.join(lines)}# used {own:.2f} + {children:.2f} CPU s, 1 + 1 MB\n", encoding="utf-8")
    return path


@pytest.fixture
def stages(tmp_path):
    fits = [
        log(tmp_path / "a.log", 2.0, 11.0, ("flip-25", "m", 4.0), ("flip-50", "m", 2.0), ("flip-25", "n+o", 3.0)),
        log(tmp_path / "b.log", 3.0, 1.0, ("flip-25", "m", 1.0)),
    ]
    return {"label": [log(tmp_path / "c.log", 1.5, 0.0)], "fit": fits, "prior": [tmp_path / "none.log"]}


@pytest.mark.parametrize("text", ["", "# scarce fit\n", "# used 1.00 + 2.00 CPU s, 3 + 4 MBmore\n", "x# used 1.00"])
def test_a_log_whose_last_line_is_another_states_no_usage(tmp_path, text):
    (tmp_path / "a.log").write_text(text, encoding="utf-8")
    assert overhead.read_used(tmp_path / "a.log") is None
    assert overhead.read_used(tmp_path / "no.log") is None


@pytest.mark.parametrize("command", [["list", "metrics"], ["status", "nosuch"]], ids=["done", "refused"])
def test_every_command_with_a_log_leaves_its_usage_there(configured, capsys, command):
    before = time.process_time()
    main([*command, "--log", "logs/a.log"])
    assert overhead.read_used(configured / "logs/a.log") >= round(before, 2)


def test_fits_and_scores_are_counted_apart_from_their_jobs(stages):
    costs = overhead.by_stage(stages, total=30.0).set_index("stage")
    assert costs.cpu.to_dict() == pytest.approx({"fits and scores": 10, "fit": 7, "label": 1.5, "snakemake": 11.5})
    assert costs.jobs.to_dict() == {"fits and scores": 0, "fit": 2, "label": 1, "snakemake": 1}
    assert "snakemake" not in overhead.by_stage(stages).stage.tolist(), "not known without the command"


def test_the_share_of_everything_else_is_of_the_whole(stages):
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in
            overhead.stage_table(overhead.by_stage(stages, 30.0)).splitlines()]  # fmt: skip
    assert rows[-2:] == [["all but fits and scores", "", "20.0", "66.7 %"], ["all", "", "30.0", "100 %"]]


def test_methods_are_summed_over_jobs_and_scenarios(stages, tmp_path):
    seconds = overhead.by_method(stages["fit"])
    assert list(seconds.items()) == [("m", 7.0), ("n+o", 3.0)]
    runs = pd.DataFrame(
        {
            "method": ["m", "m", "n", "o"],
            "fit_seconds": [1.0, 2.0, 4.0, np.nan],
            "predict_seconds": 0.5,
            "peak_memory_mb": [10.0, 20.0, 5.0, 7.0],
        }
    )
    _, _, m, n = overhead.method_table(seconds, runs).splitlines()
    assert [cell.strip() for cell in m.split("|")[1:-1]] == ["m", "7.0", "70 %", "3500", "3.0", "1.0", "20"]
    assert [cell.strip() for cell in n.split("|")[1:-1]] == ["n+o", "3.0", "30 %", "1500", "4.0", "1.0", "7"]
    overhead.draw(seconds, runs, tmp_path / "img" / "grid.svg")
    assert (tmp_path / "img" / "grid.svg").stat().st_size


def test_a_command_is_charged_with_what_its_children_use():
    burn = "import time\nwhile time.process_time() < 0.5: pass"
    assert overhead.run(["sh", "-c", f"{sys.executable} -c '{burn}'"]) >= 0.5


def test_threads_are_compared_with_the_first_number_of_them():
    first, second = growth.threads(Shape(300, 4, 0.1), (1, 2), 1)
    assert [first[i] for i in (0, 1, 3, 6)] == ["300 x 4", "1", "1.00", "1.00"]
    assert second[1] == "2"
    assert len(second) == len(growth.THREADS_HEAD)


def test_the_bayes_family_is_compared_with_naive_bayes():
    rows = categorical.bayes(200, 3, 4, 1)
    assert [row[0] for row in rows] == ["CategoricalNB", "PNB", "APNB", "PTAN", "APTAN"]
    assert {len(row) for row in rows} == {len(categorical.BAYES_HEAD)}
    assert rows[0][3:] == ["1.0 (1.0-1.0)"] * 3


def test_extra_trees_are_compared_by_risk():
    X = np.arange(600.0).reshape(200, 3) % 17
    training = extra_trees.two_samples(X, X[:, 0] > 8, 10)
    assert training[1].sum() == 10
    assert (training[0][training[1] == 1, 0] > 8).all()
    cells = list(extra_trees.rows("made up", *training, n_trees=2, rounds=1))
    assert [line[:3] for line in cells] == [["210 x 3", "made up", risk] for risk in extra_trees.RISKS]
    assert all(len(line) == len(extra_trees.HEAD) for line in cells)


def test_an_idx_file_is_read(tmp_path):
    values = np.arange(24, dtype=np.uint8).reshape(2, 3, 4)
    header = bytes([0, 0, 8, 3]) + np.array(values.shape, ">i4").tobytes()
    (tmp_path / "a.gz").write_bytes(gzip.compress(header + values.tobytes()))
    np.testing.assert_array_equal(extra_trees.idx(tmp_path / "a.gz"), values)


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


def test_loops_that_decide_as_pulce_are_compared_with_it():
    rivals = {"Pulce": categorical.own_pulce, "rows": categorical.by_rows, "pairs": categorical.by_pairs_of_rows}
    line = categorical.pulce_beside(rivals, 120, 20, 1)
    assert line[:2] == ["120", "20"]
    assert len(line) == len(categorical.PULCE_HEAD)
    with pytest.raises(ValueError, match="rows decides otherwise"):
        categorical.pulce_beside(rivals | {"rows": lambda *_: np.zeros((5, 20))}, 120, 20, 1)


def test_networks_are_timed_on_each_device_and_recorded(tmp_path, monkeypatch, capsys):
    pytest.importorskip("torch", reason="torch is not installed: make test-neural")
    monkeypatch.setattr(neural, "MLP", neural.Work("mlp", 610, (8, 8), 305))
    monkeypatch.setattr(neural, "devices", lambda: {"cpu": "here"})
    record = tmp_path / "lines.md"
    record.write_text("kept\n", encoding="utf-8")
    neural.main(["--epochs", "30", "--record", str(record)])
    first, line = record.read_text(encoding="utf-8").splitlines()
    network, rows, batch, device, epochs, *_ = [cell.strip() for cell in line.split("|")[1:-1]]
    assert first == "kept"
    assert (network, rows, batch, device) == ("mlp", "610 x 64", "305", "cpu (here, 1 thread)")
    assert float(epochs) > 0
    assert "no CUDA device" in capsys.readouterr().out


def test_a_cuda_device_is_measured_only_if_it_answers(tmp_path, monkeypatch):
    tool = tmp_path / "nvidia-smi"
    monkeypatch.setenv("PATH", str(tmp_path))
    assert list(neural.devices()) == ["cpu"]
    for code, expected in ((0, ["cpu", "cuda"]), (9, ["cpu"])):
        tool.write_text(f"#!/bin/sh\necho A GPU\nexit {code}\n", encoding="utf-8")
        tool.chmod(0o755)
        assert list(neural.devices()) == expected


@pytest.mark.parametrize("name", wide.FILES)
def test_wide_tables_are_measured(name, tmp_path):
    line = wide.measure(name, 6, 60, tmp_path)
    assert line[:2] == [name, "6 x 60"]
    assert len(line) == len(wide.HEAD)
    assert all(float(cell) >= 0 for cell in line[2:])


def test_rejections_of_scar_are_counted():
    lines = scar_test.rows(0.3, 6.0, 0.0, 1)
    assert [line[3] for line in lines] == [f"{factor:g}" for factor in scar_test.FACTORS]
    assert {len(line) for line in lines} == {len(scar_test.HEAD)}
    assert all(float(given_all) <= float(given_it) for *_, given_it, given_all, _, _, _ in lines)


def test_intervals_of_advice_are_held_against_the_truth():
    estimated, apart, covered, width = advise.one(0, 0.3, 4.0)
    assert estimated
    assert apart
    assert list(covered) == list(advise.COVERED)
    assert all(covered.values())
    assert 0 < width < 1


def test_intervals_of_the_class_prior_are_counted_by_whether_they_are_kept_and_cover():
    def result(prior, low, estimate, high, abstains=""):
        return class_prior.Result(prior, PriorInterval("bbe", estimate, low, high, 0.9, abstains), 1.5)

    found = [result(0.1, 0.05, 0.12, 0.15), result(0.1, 0.11, 0.3, 0.4), result(0.1, 0.01, 0.9, 1.0, "open")]
    assert class_prior.cell(found) == "0.300; 2/3; 1/2"
    assert class_prior.cell(found[2:]) == "0.900; 0/1; -"
    assert class_prior.summary("bbe", found).split(" | ")[1:] == [
        "3.00", "1/3", "2/3", "2.10", "1/2", "1/2", "2/3", "1.5 |"
    ]  # fmt: skip


@pytest.mark.parametrize("population", ["normal", "gamma", "uniform", "nominal"])
def test_populations_have_the_shares_that_are_asked_for(population):
    X, s = class_prior.sample(class_prior.Case(population, 2, 0.1, 200), 0.25, 0)
    assert len(X) == 200
    assert s.sum() == 5
    assert np.isfinite(X).all()


def test_data_sets_of_one_origin_are_one_block():
    values = {("a1", "m"): 0.2, ("a2", "m"): 0.4, ("b", "m"): 0.9, ("c", "m"): np.nan, ("d", "m"): 0.1}
    rows = [(dataset, "flip-50", 0, method, "auc_pr", value) for (dataset, method), value in values.items()]
    scores = pd.DataFrame(rows, columns=["dataset", "scenario", "repeat", "method", "metric", "value"])
    settings = AnalysisSettings(metrics=["auc_pr"], datasets=["a1", "a2", "b", "c"])
    found = origins.by_origin(Case(scores, settings), {"a1": "a", "a2": "a", "b": "b", "c": "b", "d": "d"})
    assert found.settings.datasets == ["a", "b"]
    assert found.scores.set_index("dataset")["value"].to_dict() == pytest.approx({"a": 0.3, "b": 0.9})


def test_costs_of_a_finished_study_are_medians_by_method_and_rows(configured):
    head = "dataset,scenario,repeat,method,n_train,fit_seconds,predict_seconds\n"
    runs = [f"{dataset},flip-50,0,pu_hdt,{rows},9,9\n" for dataset, rows in (("moons", 400), ("blobs", 4000))]
    write_text(paths.result("runs", "smoke"), head + "".join(runs))
    for dataset, seconds in {"moons": (1, 2, 9), "blobs": (30,)}.items():
        lines = [f"# fitted flip-{place} pu_hdt+hdt: {one:.2f} CPU s\n" for place, one in enumerate(seconds)]
        write_text(paths.log("smoke", "fit", dataset, "cells"), "".join(lines))
    a_fit = 3 * 1.5  # three repeats, each with a fit on half of the training rows for validation
    assert costs.of_studies(["smoke"]) == [
        ("pu_hdt", 400, f"{2 / a_fit:.2g}"),
        ("pu_hdt", 4000, f"{30 / a_fit:.2g}"),
    ]
