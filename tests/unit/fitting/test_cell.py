import os
import random
import time
import warnings
from typing import ClassVar

import numpy as np
import pytest

from scarce.errors import DataError
from scarce.files import read_npz, write_npz
from scarce.fitting.cell import Cell, CellTask, run_cell, run_cells, run_repeat
from scarce.fitting.fits import FittedRun, missing_packages, read_checkpoint, read_runs, write_runs
from scarce.labels.file import Labels, RepeatLabels

N = 40


def labels(repeats=3, **changes):
    rows = np.arange(N)
    made = []
    for r in range(repeats):
        order = np.random.RandomState(r).permutation(rows)
        one = {
            "repeat": r,
            "train": order[:28],
            "test": order[28:],
            "fit": np.arange(14),
            "validation": np.arange(14, 28),
            "s": (order[:28] % 5 == 0).astype(np.int8),
            "class_prior": 0.3,
            "label_share": 0.2,
            "seed": r,
        } | changes
        made.append(RepeatLabels(**one))
    return Labels(made)


class Echo:
    """Scores a row by its first feature, and remembers what it was given."""

    seen: ClassVar[list] = []

    def __init__(self, repeat=0):
        self.repeat = repeat

    def fit(self, X, s):
        self.seen.append((X.copy(), s.copy()))
        return self

    def predict_proba(self, X):
        return np.stack([1 - X[:, 0], X[:, 0]], axis=1)


def cell(estimator=Echo, **changes):
    X = np.stack([np.linspace(0, 1, N), np.arange(N)], axis=1)
    return Cell(**({"build": lambda one: estimator(), "features": X, "labels": labels()} | changes))


class Told(Echo):
    def fit(self, X, s, propensity):
        self.told.append(propensity)
        return super().fit(X, s)

    told: ClassVar[list] = []


def test_a_method_that_is_told_propensities_gets_those_of_its_rows():
    e = np.linspace(0.1, 0.9, 28)
    Told.told.clear()
    Told.seen.clear()
    run = run_repeat(cell(Told, labels=labels(propensity=e), propensity=True), 1)
    assert run.status == "ok"
    whole, half = Told.told
    assert whole.tolist() == e.tolist()
    assert half.tolist() == e[:14].tolist()
    assert [len(X) for X, _ in Told.seen] == [28, 14]


def test_test_scores_come_from_all_training_rows_and_validation_scores_from_the_other_half():
    Echo.seen.clear()
    made = cell()
    run = run_repeat(made, 1)
    one = made.labels.repeat(1)
    assert run.status == "ok"
    np.testing.assert_array_equal(run.test_scores, made.features[one.test, 0])
    np.testing.assert_array_equal(run.validation_scores, made.features[one.train[one.validation], 0])
    (full, s_full), (half, s_half) = Echo.seen
    np.testing.assert_array_equal(full[:, 1], one.train)
    np.testing.assert_array_equal(half[:, 1], one.train[one.fit])
    np.testing.assert_array_equal(s_full, one.s)
    np.testing.assert_array_equal(s_half, one.s[one.fit])


def test_an_encoder_is_fitted_on_the_rows_that_the_estimator_is_fitted_on():
    class Encoder:
        fitted: ClassVar[list] = []

        def fit(self, X, s):
            self.fitted.append(X[:, 1].copy())
            return self

        def transform(self, X):
            return X / 2

    made = cell(encoder=Encoder)
    run = run_repeat(made, 0)
    one = made.labels.repeat(0)
    assert [list(rows) for rows in Encoder.fitted] == [list(one.train), list(one.train[one.fit])]
    np.testing.assert_array_equal(run.test_scores, made.features[one.test, 0] / 2)


class Raises(Echo):
    def fit(self, X, s):
        raise RuntimeError("no\nway")


class Nan(Echo):
    def predict_proba(self, X):
        return np.full((len(X), 2), np.nan)


class OneColumn(Echo):
    def predict_proba(self, X):
        return np.ones((len(X), 1))


class Constant(Echo):
    def predict_proba(self, X):
        return np.full((len(X), 2), 0.5)


class Warns(Echo):
    def fit(self, X, s):
        import warnings

        for _ in range(3):
            warnings.warn("did not converge", RuntimeWarning, stacklevel=1)
        return self


class Dies(Echo):
    def fit(self, X, s):
        os._exit(9)


class Hangs(Echo):
    def fit(self, X, s):
        time.sleep(60)


@pytest.mark.parametrize(
    ("estimator", "status", "said"),
    [
        (Raises, "failed", "RuntimeError: no way"),
        (Nan, "failed", "12 scores that are nan or infinite"),
        (OneColumn, "failed", "shape (12, 2), gave (12, 1)"),
        (Constant, "degenerate", "the score is the same for every test row"),
        (Warns, "ok", "RuntimeWarning: did not converge"),
        (Dies, "failed", "exit code 9"),
        (Hangs, "timeout", "no result after 1 s"),
    ],
)
def test_a_method_that_misbehaves_is_a_row(tmp_path, estimator, status, said):
    runs = run_cell(cell(estimator, labels=labels(2)), tmp_path / "c.jsonl", "key", seconds=1)
    assert [run.status for run in runs] == [status, status]
    assert said in runs[0].message
    assert "\n" not in runs[0].message


def test_a_skipped_repeat_is_not_run(tmp_path):
    Echo.seen.clear()
    runs = run_cell(cell(labels=labels(skipped="too few positives")), tmp_path / "c.jsonl", "key")
    assert {(run.status, run.message) for run in runs} == {("skipped", "too few positives")}


def test_finished_repeats_are_read_and_only_under_the_same_key(tmp_path):
    first = run_cell(cell(), tmp_path / "c.jsonl", "key")
    assert sorted(read_checkpoint(tmp_path / "c.jsonl")) == [0, 1, 2]
    again = run_cell(cell(Raises), tmp_path / "c.jsonl", "key")
    assert [run.status for run in again] == ["ok"] * 3
    np.testing.assert_array_equal(again[2].test_scores, first[2].test_scores)
    assert again[2].fit_seconds == first[2].fit_seconds
    assert [run.status for run in run_cell(cell(Raises), tmp_path / "c.jsonl", "another")] == ["failed"] * 3


def drop(checkpoint, *repeats):
    """Remove the lines of repeats from a checkpoint."""
    lines = checkpoint.read_bytes().splitlines()
    checkpoint.write_bytes(b"\n".join(line for place, line in enumerate(lines[1:]) if place not in repeats))


@pytest.mark.parametrize(
    "wreck",
    [
        lambda text: b"",
        lambda text: b"not a checkpoint\n\xff\x00",
        lambda text: text[: len(text) // 2],
        lambda text: text.replace(b"ok", b"on"),
        lambda text: text + b'\n00000000 ["key", {}]',
    ],
    ids=["empty", "something else", "cut", "changed", "another version"],
)
def test_damaged_lines_of_a_checkpoint_are_run_again(tmp_path, wreck):
    file = tmp_path / "c.jsonl"
    whole = run_cell(cell(), file, "key")
    file.write_bytes(wreck(file.read_bytes()))
    runs = run_cell(cell(), file, "key")
    assert [run.status for run in runs] == ["ok"] * 3
    for one, other in zip(whole, runs, strict=True):
        np.testing.assert_array_equal(one.test_scores, other.test_scores)
    assert len(read_checkpoint(file, "key")) == 3, "what is appended after a cut line is read"


@pytest.mark.parametrize("change", [{"facts": None}, {"repeat": np.array(1)}, {"status_": 0, "status": np.array([])}])
def test_a_file_of_runs_of_another_version_is_named(tmp_path, change):
    file = tmp_path / "a.npz"
    write_runs(file, run_cell(cell(), tmp_path / "c.jsonl", "key"), "f")
    write_npz(file, **{name: array for name, array in (read_npz(file) | change).items() if array is not None})
    with pytest.raises(DataError, match=r"a\.npz: the file is damaged .*delete it and run again"):
        read_runs(file)


def test_runs_survive_their_file(tmp_path):
    runs = [
        FittedRun(0, "ok", "said", 0.5, 0.25, 12.5, np.array([0.1, 0.2]), np.array([0.3])),
        FittedRun(1, "failed", "why"),
        FittedRun(2, "ok", "", 1.0, 1.0, 1.0, np.array([0.4]), np.empty(0)),
    ]
    write_runs(tmp_path / "a.npz", runs, "fingerprint", "inputs")
    back, fingerprint, inputs = read_runs(tmp_path / "a.npz")
    assert (fingerprint, inputs) == ("fingerprint", "inputs")
    for one, other in zip(runs, back, strict=True):
        assert (one.repeat, one.status, one.message) == (other.repeat, other.status, other.message)
        np.testing.assert_array_equal(one.test_scores, other.test_scores)
        np.testing.assert_array_equal(one.validation_scores, other.validation_scores)
    write_runs(tmp_path / "none.npz", [], "f")
    assert read_runs(tmp_path / "none.npz") == ([], "f", "")


class Stating(Echo):
    """Chooses something in its fit, and says what."""

    def fit(self, X, s):
        self.facts_ = {"rows": len(X), "share": np.float32(0.5)}
        return super().fit(X, s)


def test_facts_are_those_of_the_fit_on_all_training_rows_and_survive_their_file(tmp_path):
    runs = run_cell(cell(Stating), tmp_path / "c.jsonl", "k")
    assert [run.facts for run in runs] == [{"rows": 28.0, "share": 0.5}] * 3
    write_runs(tmp_path / "a.npz", [*runs, FittedRun(3, "failed", "x"), FittedRun(4, "ok", facts={"other": 1.0})], "k")
    assert [run.facts for run in read_runs(tmp_path / "a.npz").runs[2:]] == [runs[2].facts, {}, {"other": 1.0}]


def test_names_of_facts_are_text(tmp_path):
    runs = run_cell(cell(type("Odd", (Echo,), {"facts_": {1: 2.0, "b": 3.0, None: 4.0}})), tmp_path / "c.jsonl", "key")
    write_runs(tmp_path / "a.npz", runs, "f")
    assert read_runs(tmp_path / "a.npz").runs[0].facts == {"1": 2.0, "b": 3.0, "None": 4.0}


class DrawsFromWhatAllShare(Echo):
    def predict_proba(self, X):
        p = np.random.rand(len(X)) * random.random()  # noqa: NPY002
        return np.stack([1 - p, p], axis=1)


def test_an_interruption_changes_nothing_where_a_method_draws_from_the_shared_generators(tmp_path):
    whole = run_cell(cell(DrawsFromWhatAllShare), tmp_path / "c.jsonl", "key")
    drop(tmp_path / "c.jsonl", 1)
    resumed = run_cell(cell(DrawsFromWhatAllShare), tmp_path / "c.jsonl", "key")
    for one, other in zip(whole, resumed, strict=True):
        np.testing.assert_array_equal(one.test_scores, other.test_scores)
        np.testing.assert_array_equal(one.validation_scores, other.validation_scores)
    assert not np.array_equal(whole[0].test_scores, whole[1].test_scores)


class KeepsAGenerator(Echo):
    generator = np.random.default_rng(0)

    def predict_proba(self, X):
        np.seterr(all="raise")
        p = self.generator.random(len(X))
        return np.stack([1 - p, p], axis=1)


def test_an_interruption_changes_nothing_where_a_method_of_others_keeps_something(tmp_path):
    whole = run_cell(cell(KeepsAGenerator, foreign=True), tmp_path / "c.jsonl", "key")
    drop(tmp_path / "c.jsonl", 0, 2)
    resumed = run_cell(cell(KeepsAGenerator, foreign=True), tmp_path / "c.jsonl", "key")
    for one, other in zip(whole, resumed, strict=True):
        np.testing.assert_array_equal(one.test_scores, other.test_scores)
        np.testing.assert_array_equal(one.validation_scores, other.validation_scores)


class LeavesArrays(Echo):
    def fit(self, X, s):
        self.arrays_ = {"importances": np.arange(len(X), dtype=float), "names": ["a", "b"]}
        return super().fit(X, s)


def test_arrays_of_the_fit_on_all_training_rows_survive_checkpoint_and_file(tmp_path):
    run_cell(cell(LeavesArrays), tmp_path / "c.jsonl", "k")
    runs = run_cell(cell(Raises), tmp_path / "c.jsonl", "k")
    write_runs(tmp_path / "a.npz", [*runs, FittedRun(3, "failed", "x")], "k")
    *back, failed = read_runs(tmp_path / "a.npz").runs
    assert failed.arrays == {}
    for run in back:
        np.testing.assert_array_equal(run.arrays["importances"], np.arange(28.0))
        assert run.arrays["names"].tolist() == ["a", "b"]
    assert "array:2:importances" in read_npz(tmp_path / "a.npz")


class Power(Echo):
    """An estimator of which one argument affects only predictions; it kills its process, fails, or draws for some."""

    fits = 0

    def __init__(self, power):
        self.power = power

    def fit(self, X, s):
        type(self).fits += 1
        self.facts_ = {"fits": type(self).fits}
        return super().fit(X, s)

    def set_params(self, power):
        self.power = power

    def predict_proba(self, X):
        if self.power == 0:
            raise RuntimeError("no power")
        if self.power == -1:
            os._exit(3)
        if self.power == -2:
            time.sleep(60)
        noise = np.random.rand(len(X), 1) / 100 if self.power == 5 else 0.0  # noqa: NPY002
        return super().predict_proba(X) ** self.power + noise


def powers(tmp_path, *values):
    return [
        CellTask(cell(lambda value=value: Power(value), shared_params={"power": value}), tmp_path / str(value), "key")
        for value in values
    ]


def test_cells_that_share_their_fits_are_fitted_once_and_score_as_alone(tmp_path):
    together, cpu = run_cells(powers(tmp_path / "together", 1, 2, 3))
    assert [run.facts["fits"] for run in together[0]] == [1, 3, 5], (
        "two fits a repeat in one child: test and validation"
    )
    assert cpu > 0
    for (task,), runs in zip(([task] for task in powers(tmp_path / "alone", 1, 2, 3)), together, strict=True):
        for one, other in zip(run_cell(*task), runs, strict=True):
            np.testing.assert_array_equal(one.test_scores, other.test_scores)
            np.testing.assert_array_equal(one.validation_scores, other.validation_scores)
    again, cpu = run_cells(powers(tmp_path / "together", 1, 2, 3))
    assert [[run.facts for run in runs] for runs in again] == [[run.facts for run in runs] for runs in together]
    assert cpu == 0


def test_one_of_those_that_share_their_fits_fails_alone(tmp_path):
    (good, broken, other), _ = run_cells(powers(tmp_path, 1, 0, 2))
    assert [{run.status for run in runs} for runs in (good, broken, other)] == [{"ok"}, {"failed"}, {"ok"}]
    assert broken[0].message == "RuntimeError: no power"


@pytest.mark.parametrize(("power", "status"), [(-1, "failed"), (-2, "timeout")])
def test_one_of_those_that_share_their_fits_dies_or_takes_too_long_alone(tmp_path, power, status):
    (good, broken, other), _ = run_cells(powers(tmp_path, 1, power, 2), seconds=1)
    assert [{run.status for run in runs} for runs in (good, broken, other)] == [{"ok"}, {status}, {"ok"}]
    assert broken[0].message


def test_one_of_those_that_share_their_fits_draws_as_alone(tmp_path):
    (_, _, together), _ = run_cells(powers(tmp_path / "together", 1, 5, 5))
    (alone,), _ = run_cells(powers(tmp_path / "alone", 5))
    for one, other in zip(together, alone, strict=True):
        np.testing.assert_array_equal(one.test_scores, other.test_scores)
        np.testing.assert_array_equal(one.validation_scores, other.validation_scores)


def test_a_cell_added_to_those_that_share_their_fits_scores_as_alone(tmp_path):
    (first,), _ = run_cells(powers(tmp_path, 2))
    (again, added), _ = run_cells(powers(tmp_path, 2, 4))
    for one, other, more in zip(first, again, added, strict=True):
        np.testing.assert_array_equal(one.test_scores, other.test_scores)
        np.testing.assert_allclose(more.test_scores, one.test_scores**2, rtol=1e-12)


@pytest.mark.parametrize(
    ("error", "status", "message"),
    [
        (ModuleNotFoundError("no", name="no_such_package.part"), "not_installed",
         "no_such_package is not installed: pip install no_such_package"),
        (ModuleNotFoundError("no", name="numpy.no_such_part"), "failed", "ModuleNotFoundError: no"),
        (ImportError("no", name="no_such_package"), "failed", "ImportError: no"),
    ],
)  # fmt: skip
def test_a_package_that_is_missing_is_a_status_with_the_command_that_installs_it(tmp_path, error, status, message):
    def build(_):
        raise RuntimeError("cannot import") from error

    expected = message if status == "not_installed" else "RuntimeError: cannot import"
    runs = run_cell(cell(build=build), tmp_path / "c.jsonl", "key")
    assert {(run.status, run.message) for run in runs} == {(status, expected)}
    write_runs(tmp_path / "a.npz", runs, "f")
    assert missing_packages(tmp_path / "a.npz") == ({"no_such_package"} if status == "not_installed" else set())
    assert [run.status for run in run_cell(cell(), tmp_path / "c.jsonl", "key")] == ["ok"] * 3, "tried again"


def test_a_status_is_one_of_those_known():
    with pytest.raises(ValueError, match="is none of"):
        FittedRun(0, "fine")


def test_a_repeat_that_failed_is_tried_again(tmp_path):
    assert [run.status for run in run_cell(cell(Raises), tmp_path / "c.jsonl", "key")] == ["failed"] * 3
    assert [run.status for run in run_cell(cell(), tmp_path / "c.jsonl", "key")] == ["ok"] * 3


def test_of_many_warnings_a_message_quotes_few_and_no_note_is_lost():
    class Warns(Echo):
        notes_ = ("a note of the method",)

        def fit(self, X, s):
            for number in range(1000):
                warnings.warn(f"warning {number}", UserWarning, stacklevel=1)
                warnings.warn("the same", RuntimeWarning, stacklevel=1)
            return super().fit(X, s)

        def predict_proba(self, X):
            return super().predict_proba(X) * 3

    message = run_repeat(cell(Warns), 0).message
    assert message.startswith("a note of the method; ")
    assert "scores outside [0, 1]" in message
    assert "UserWarning: warning 0; RuntimeWarning: the same; and 999 other warnings" in message
