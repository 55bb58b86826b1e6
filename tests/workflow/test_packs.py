"""Packs for real: a finished study is packed, unpacked where there are no data, and compared with."""

from __future__ import annotations

import csv
import io
import json
import re
import shutil

import pandas as pd
import pytest

from scarce.files import read_json
from scarce.stages import pack_files as files
from tests.conftest import ROOT
from tests.workflow.conftest import Workflow

pytestmark = pytest.mark.workflow

PACK = "packs/smoke"


@pytest.fixture(scope="module")
def packed(finished, tmp_path_factory) -> Workflow:
    """A copy of the finished study with its pack."""
    copy = Workflow(tmp_path_factory.mktemp("packed") / "a b's run", like=finished)
    said = copy.run("scarce", "pack", "smoke").stdout
    assert "60 runs as float32" in said and "0 runs as float64" in said
    return copy


@pytest.fixture
def elsewhere(packed, tmp_path) -> Workflow:
    """A project without data and results, with the pack."""
    project = Workflow(tmp_path / "another run")
    shutil.copytree(packed.root / PACK, project.root / PACK)
    return project


@pytest.fixture(scope="module")
def unpacked(packed, tmp_path_factory) -> Workflow:
    """A project without data in which the pack was unpacked, and which tests leave as it is."""
    project = Workflow(tmp_path_factory.mktemp("unpacked") / "another run")
    shutil.copytree(packed.root / PACK, project.root / PACK)
    project.run("scarce", "unpack", PACK)
    return project


def without(folder, method) -> None:
    """Leave a method out of a pack, as if it had never been fitted."""
    about = read_json(folder / files.INDEX)
    (folder / files.scores_file(method)).unlink()
    for table in ("scores", "runs", "failures", "facts", "importances"):
        rows = list(csv.reader(io.StringIO(files.read_result(folder, f"{table}.csv").decode())))
        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerows(row for row in rows if row[3] != method)
        files.write_result(folder, f"{table}.csv", text.getvalue().encode())
    about["methods"].pop(method)
    about["study"]["methods"].remove(method)
    files.write_index(folder, {key: about[key] for key in about if key not in ("files", "format")})


def test_an_unpacked_study_needs_no_data_and_no_run(packed, unpacked):
    assert unpacked.planned("smoke") == {}
    assert not (unpacked.root / "data").exists()
    for file in ("scores.csv", "stats/posthoc.csv", "labels/moons/flip-50.npz", "tables/f1_validation.csv"):
        assert unpacked.read(f"results/smoke/{file}") == packed.read(f"results/smoke/{file}"), file
    before, after = (one.read("results/smoke/report.html").decode() for one in (packed, unpacked))
    after = re.sub(r'<p class="note">The fits of smoke come from.*?</p>\s*', "", after, flags=re.DOTALL)
    after = re.sub(r"<div>\s*<dt>Fits from</dt>.*?</div>\s*", "", after, flags=re.DOTALL)
    assert "".join(before.split()) == "".join(after.split())


def test_what_a_run_left_behind_does_not_matter(packed, tmp_path):
    """Records of Snakemake, figures and data of a run whose results were deleted."""
    project = Workflow(tmp_path / "used", like=packed)
    shutil.rmtree(project.root / "results/smoke")
    project.edit("config/methods.yaml", "n_estimators: 100", "n_estimators: 101")
    project.run("scarce", "unpack", PACK)
    assert project.planned("smoke") == {}


def test_the_pack_of_the_repository_is_one_of_this_version(tmp_path):
    project = Workflow(tmp_path / "clone")
    shutil.copytree(ROOT / PACK, project.root / PACK)
    project.run("scarce", "unpack", PACK)
    assert project.planned("smoke") == {}


def test_everything_says_that_the_fits_come_from_a_pack(unpacked):
    source = "the pack 'smoke', made by scarce"
    assert source in unpacked.run("scarce", "status", "smoke").stdout
    assert source in unpacked.snakemake("smoke").stderr
    assert source in json.loads(unpacked.read("results/smoke/manifest.json"))["pack"]
    refused = unpacked.run("scarce", "pack", "smoke", check=False)
    assert refused.returncode == 2 and "come from a pack" in refused.stderr
    again = unpacked.run("scarce", "unpack", PACK, check=False)
    assert again.returncode == 2 and "smoke has results" in again.stderr


def test_a_pack_is_scored_again_within_its_precision(packed, unpacked, tmp_path):
    copy = Workflow(tmp_path / "copy", like=unpacked)
    copy.run("scarce", "collect", "smoke")
    before, after = (pd.read_csv(one.root / "results/smoke/scores.csv") for one in (packed, copy))
    pd.testing.assert_frame_equal(before, after, rtol=0, atol=1e-6)


def test_deleting_the_results_makes_the_study_here(unpacked, tmp_path):
    copy = Workflow(tmp_path / "copy", like=unpacked)
    shutil.rmtree(copy.root / "results/smoke")
    assert copy.planned("smoke").keys() >= {"prepare", "label", "fit", "collect"}


def test_a_study_that_differs_is_refused(elsewhere):
    elsewhere.edit("config/studies/smoke.yaml", "repeats: 3", "repeats: 4")
    refused = elsewhere.run("scarce", "unpack", PACK, check=False)
    assert refused.returncode == 2 and "repeats" in refused.stderr
    assert not (elsewhere.root / "results/smoke").exists()


def test_a_method_that_was_left_out_is_compared_to_the_same_bytes(packed, elsewhere):
    without(elsewhere.root / PACK, "pu_shrf")
    said = elsewhere.run("scarce", "compare", "pu_shrf", "--against", PACK, "--control", "pu_hdt").stdout
    assert "on 2 of 2 data sets" in said
    folder = "results/smoke_with_pu_shrf"
    assert elsewhere.read(f"{folder}/scores.csv") == packed.read("results/smoke/scores.csv")
    table = pd.read_csv(elsewhere.root / folder / "comparison.csv")
    assert set(table.other) == {"pu_hdt", "pu_bagging", "pu_wlr", "adasyn_rf"}
    ranks = pd.read_csv(packed.root / "results/smoke/stats/ranks.csv")
    ours = ranks[(ranks.method == "pu_shrf") & (ranks.blocks == "datasets")]
    both = table.merge(ours, on=["scenario", "metric"], suffixes=("", "_full"))
    assert len(both) == len(table) and (both.average_rank == both.average_rank_full).all()
    assert b"The fits of smoke_with_pu_shrf come from" in elsewhere.read(f"{folder}/report.html")


def test_scores_from_a_csv_are_compared_without_data(packed, elsewhere):
    folder = elsewhere.root / PACK
    labels, scores = files.read_labels(folder), files.read_scores(folder, "pu_hdt")
    rows = [
        (dataset, scenario, run.repeat, part, row, score)
        for (dataset, scenario), cell in scores.items()
        for run, one in zip(cell.runs, labels[dataset, scenario].labels, strict=True)
        for part, where, values in (
            ("test", one.test, run.test_scores),
            ("validation", one.train[one.validation], run.validation_scores),
        )
        for row, score in zip(where, values, strict=True)
    ]
    frame = pd.DataFrame(rows, columns=["dataset", "scenario", "repeat", "part", "row", "score"])
    frame.sample(frac=1, random_state=0).to_csv(elsewhere.root / "mine.csv", index=False)
    elsewhere.run("scarce", "compare", "mine.csv", "--against", PACK)
    assert not (elsewhere.root / "data").exists()
    found = pd.read_csv(elsewhere.root / "results/smoke_with_mine/scores.csv")
    twin, mine = (found[found.method == name].drop(columns="method") for name in ("pu_hdt", "mine"))
    pd.testing.assert_frame_equal(twin.reset_index(drop=True), mine.reset_index(drop=True), rtol=0, atol=1e-6)
    frame.iloc[1:].to_csv(elsewhere.root / "short.csv", index=False)
    refused = elsewhere.run("scarce", "compare", "short.csv", "--against", PACK, check=False)
    assert refused.returncode == 3 and "repeat" in refused.stderr


def test_a_data_set_that_cannot_be_had_is_left_out_of_n(elsewhere):
    elsewhere.run("scarce", "fetch", "moons", "blobs")
    elsewhere.run("scarce", "prepare", "moons")
    elsewhere.run("scarce", "prepare", "blobs")
    file = elsewhere.root / "data/prepared/blobs.json"
    file.write_text(file.read_text().replace(json.loads(file.read_text())["content_sha256"], "0" * 64))
    said = elsewhere.run("scarce", "compare", "sklearn.naive_bayes:GaussianNB", "--against", PACK).stdout
    assert "on 1 of 2 data sets" in said and "left out: blobs" in said
    scores = pd.read_csv(elsewhere.root / "results/smoke_with_gaussian_nb/scores.csv")
    assert set(scores.dataset) == {"moons"} and set(scores.method) >= {"gaussian_nb", "pu_hdt"}


@pytest.mark.parametrize(
    "method, code, said",
    [
        ("pu_hdt", 2, "the pack has pu_hdt (its numbers"),
        ("sklearn.naive_bayes:Nothing", 2, "cannot import"),
        ("no_method", 2, "no method is named"),
        ("none.csv", 2, "is not there"),
        ("sklearn.multiclass:OneVsRestClassifier", 2, "needs estimator"),
    ],
)
def test_bad_comparisons_are_refused(elsewhere, method, code, said):
    refused = elsewhere.run("scarce", "compare", method, "--against", PACK, check=False)
    assert refused.returncode == code and said in refused.stderr


def test_a_method_whose_runs_fail_is_answered_with_the_reason(elsewhere):
    command = ("scarce", "compare", "sklearn.linear_model:LinearRegression", "--against", PACK)
    answer = elsewhere.run(*command, check=False)
    said = answer.stdout
    assert answer.returncode == 5
    assert "no metric could be compared" in said
    assert re.search(r"^without scores: \d+ runs: .*no attribute 'predict_proba'$", said, re.MULTILINE)


def test_a_changed_pack_is_refused(elsewhere):
    folder = elsewhere.root / PACK
    (folder / files.TRUTH).write_bytes(b"something else")
    (folder / files.scores_file("pu_hdt")).unlink()
    (folder / "more.txt").write_text("not listed")
    for command in (("pack", "--check", PACK), ("unpack", PACK)):
        refused = elsewhere.run("scarce", *command, check=False)
        assert refused.returncode == 3
        assert all(
            word in refused.stderr for word in ("truth.parquet was changed", "pu_hdt.parquet is not there", "more")
        )
