"""The files of a pack give back what was written: labels, true labels and runs of any shape."""

from __future__ import annotations

import json

import numpy as np
import pytest
from pyarrow import parquet

from scarce.errors import DataError
from scarce.fitting.fits import FittedRun, write_runs
from scarce.labels.file import Labels, RepeatLabels
from scarce.stages import pack_files as files

VERSIONS = {"numpy": "2.4.0"}


def labels(seed: int, *, propensity: bool = False) -> Labels:
    random = np.random.default_rng(seed)
    repeats = [RepeatLabels(0, 0.2, 0.1, seed, skipped="no positive is left")]
    for repeat in (1, 2):
        size = 10 + repeat
        train = random.permutation(30)[:size].astype(np.int32)
        s = random.integers(0, 2, size).astype(np.int8)
        parts = {"fit": np.arange(6, dtype=np.int32), "validation": np.arange(6, size, dtype=np.int32)}
        given = {"propensity": np.where(s == 1, random.random(size), 0.5)} if propensity else {}
        test = np.arange(30, 35 + repeat, dtype=np.int32)
        repeats.append(RepeatLabels(repeat, 0.2, 0.1, seed, train, s, **parts, test=test, note="a note", **given))
    return Labels(repeats)


def run(repeat: int, seed: int, **more) -> FittedRun:
    random = np.random.default_rng(seed)
    scores = {"test_scores": random.random(5 + repeat), "validation_scores": random.random(4)}
    return FittedRun(repeat, "ok", "words", 0.1, 0.2, 30.0, **scores, **more)


@pytest.mark.parametrize("estimated", [False, True])
def test_labels_come_back_byte_by_byte(tmp_path, estimated):
    priors = {
        "class_prior": np.array([np.nan, 0.1, 0.3]),
        "failed": np.array(["no", "", ""]),
        "note": np.array([""] * 3),
    }
    written = {("a", name): files.PackedLabels(labels(seed, propensity=seed > 1), priors if estimated else None)
               for seed, name in enumerate(("flip-25", "flip-50", "flip-75"))}  # fmt: skip
    files.write_labels(tmp_path, written)
    found = files.read_labels(tmp_path)
    assert list(found) == list(written)
    for setting, of_setting in written.items():
        of_setting.labels.save(tmp_path / "before.npz")
        found[setting].labels.save(tmp_path / "after.npz")
        assert (tmp_path / "after.npz").read_bytes() == (tmp_path / "before.npz").read_bytes()
        assert (found[setting].priors is None) == (not estimated)
        for name, array in (found[setting].priors or {}).items():
            assert np.array_equal(array, priors[name], equal_nan=name == "class_prior")


@pytest.mark.parametrize("single, column", [(0, "double"), (1, "double"), (2, "float")])
def test_runs_come_back_and_take_float32_where_that_is_exact(tmp_path, single, column):
    arrays = {"importances": np.array([0.1, np.nan]), "text": np.array(["x", "yy"]), "square": np.eye(2)}
    scored = [run(0, 1, facts={"level": 2.5}, arrays=arrays), run(1, 2)]
    scored[:single] = map(files.as_float32, scored[:single])
    cells = {
        "a": files.PackedCell([*scored, FittedRun(2, "failed", "it broke")], VERSIONS),
        "b": files.PackedCell([], {}),
    }
    files.write_scores(tmp_path, "m", {(dataset, "flip-50"): cell for dataset, cell in cells.items()})
    table = parquet.read_table(tmp_path / files.scores_file("m"))
    assert str(table.schema.field("test_scores").type.value_type) == column
    found = files.read_scores(tmp_path, "m")
    assert list(found) == [("a", "flip-50")] and found["a", "flip-50"].versions == VERSIONS
    write_runs(tmp_path / "before.npz", cells["a"].runs, "f", "i")
    write_runs(tmp_path / "after.npz", found["a", "flip-50"].runs, "f", "i")
    assert (tmp_path / "after.npz").read_bytes() == (tmp_path / "before.npz").read_bytes()


def test_a_method_without_any_run_has_a_file(tmp_path):
    files.write_scores(tmp_path, "m", {("a", "flip-50"): files.PackedCell([], {})})
    assert files.read_scores(tmp_path, "m") == {}
    files.write_labels(tmp_path, {("a", "flip-50"): files.PackedLabels(Labels([]))})
    assert files.read_labels(tmp_path) == {}


def test_true_labels_come_back(tmp_path):
    truth = {"a": np.array([0, 1, 1], np.int8), "b": np.zeros(2, np.int8)}
    files.write_truth(tmp_path, truth)
    found = files.read_truth(tmp_path)
    assert {name: (y.tolist(), y.dtype) for name, y in found.items()} == {
        name: (y.tolist(), np.int8) for name, y in truth.items()
    }


def test_the_same_content_gives_the_same_bytes(tmp_path):
    for name in ("one", "two"):
        files.write_scores(tmp_path / name, "m", {("a", "x"): files.PackedCell([run(0, 1)], VERSIONS)})
        files.write_result(tmp_path / name, "stats/ranks.csv", b"a,b\n")
        files.write_index(tmp_path / name, {"name": "study"})
    one, two = (tmp_path / name / files.INDEX for name in ("one", "two"))
    assert one.read_bytes() == two.read_bytes()
    assert files.read_result(tmp_path / "one", "stats/ranks.csv") == b"a,b\n"


def test_a_pack_that_is_not_as_written_is_refused_with_all_that_is_wrong(tmp_path):
    with pytest.raises(DataError, match="no pack"):
        files.read_index(tmp_path)
    files.write_truth(tmp_path, {"a": np.array([1], np.int8)})
    files.write_result(tmp_path, "scores.csv", b"")
    files.write_index(tmp_path, {"name": "study"})
    assert files.read_index(tmp_path)["name"] == "study"
    (tmp_path / files.TRUTH).write_bytes(b"")
    (tmp_path / files.result_file("scores.csv")).unlink()
    (tmp_path / "other").write_text("")
    with pytest.raises(DataError) as caught:
        files.read_index(tmp_path)
    assert len(caught.value.problems) == 3
    with pytest.raises(DataError):
        files.read_truth(tmp_path)
    about = json.loads((tmp_path / files.INDEX).read_text())
    (tmp_path / files.INDEX).write_text(json.dumps(about | {"format": files.FORMAT + 1}))
    with pytest.raises(DataError, match="format"):
        files.read_index(tmp_path)
