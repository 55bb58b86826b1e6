"""Every estimator on every degenerate input, as a study runs it: finite scores, or a status with its reason.

Nothing here may end in an exception, a silent 0 or a NaN: a run has scores that are finite, or is ``failed`` or
``skipped`` and says why; a metric has a finite value or a reason.
"""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from scarce.config.options import Options
from scarce.config.yamlfile import read_yaml
from scarce.data.encode import FittedEncoder, encode_all
from scarce.fitting.cell import Cell, run_repeat
from scarce.fitting.fits import SCORED
from scarce.labels import Labels
from scarce.labels.labelings.scar import Scar
from scarce.labels.make import make_labels
from scarce.labels.protocols.holdout import Holdout
from scarce.result_files import columns_of
from scarce.scoring.collect import CellResult, Repeat, collect
from tests.conftest import ROOT
from tests.contract.test_methods import METHODS, VARIANTS, build, missing

pytestmark = pytest.mark.slow


def blobs(n=90, d=3, positives=24):
    """Two overlapping groups, the positives first."""
    random = np.random.RandomState(0)
    X, y = random.normal(size=(n, d)), (np.arange(n) < positives).astype(int)
    X[y == 1] += 1.2
    return X, y


def _with(change, **shape):
    X, y = blobs(**shape)
    change(X, y)
    return X, y


def _set(X, at, value):
    X[at] = value


LEVELS = np.random.RandomState(1).randint(0, 5, 90)

# name -> (X, y) before encoding; the second group of names has columns that are nominal
NUMERIC = {
    "as usual": blobs(),
    "a constant column": _with(lambda X, y: _set(X, (slice(None), 1), 7.0)),
    "an all-missing column": _with(lambda X, y: _set(X, (slice(None), 1), np.nan)),
    "all columns constant": _with(lambda X, y: _set(X, slice(None), 1.0)),
    "missing cells": _with(lambda X, y: _set(X, (slice(None, None, 7), 0), np.nan)),
    "equal columns": _with(lambda X, y: _set(X, (slice(None), 1), X[:, 0])),
    "equal rows": _with(lambda X, y: _set(X, slice(1, None, 2), X[::2])),
    "all rows equal but one": _with(lambda X, y: _set(X, slice(1, None), 0.0)),
    "one feature": blobs(d=1),
    "more features than rows": blobs(n=40, d=120, positives=12),
    "groups far apart": _with(lambda X, y: _set(X, y == 1, X[y == 1] + 1e4)),
    "groups alike": _with(lambda X, y: _set(X, y == 1, X[y == 1] - 1.2)),
    "values far apart": _with(lambda X, y: _set(X, (0, 0), 1e12)),
    "a value of 1e39": _with(lambda X, y: _set(X, (3, 0), 1e39)),
    "a value of -1e300": _with(lambda X, y: _set(X, (60, 1), -1e300)),
    "two values": _with(lambda X, y: _set(X, slice(None), X > 0)),
    "positives in the majority": blobs(n=60, positives=52),
    "three positives": blobs(n=80, positives=3),
    "two positives": blobs(n=40, positives=2),
    "one positive": blobs(n=40, positives=1),
    "twelve rows": blobs(n=12, positives=5),
    "values of 1e300": _with(lambda X, y: _set(X, slice(None), X * 1e300)),
    "values of 1e-200": _with(lambda X, y: _set(X, slice(None), X * 1e-200)),
    "columns of all sizes": _with(lambda X, y: _set(X, slice(None), X * [1e-300, 1.0, 1e250])),
}
NOMINAL = {
    "levels that few rows have": (np.column_stack([LEVELS, np.arange(90)]).astype(float), blobs()[1]),
    "one level": (np.zeros((90, 1)), blobs()[1]),
    "missing levels": (np.where(LEVELS == 0, np.nan, LEVELS)[:, None].astype(float), blobs()[1]),
    "nothing but missing levels": (np.full((90, 2), np.nan), blobs()[1]),
}
#: Where no method has an excuse not to score; elsewhere a reason will do.
MUST_SCORE = [
    "as usual", "a constant column", "an all-missing column", "missing cells", "equal columns", "equal rows",
    "one feature", "more features than rows", "groups far apart", "groups alike", "values far apart",
    "a value of 1e39", "a value of -1e300", "two values", "positives in the majority", "values of 1e300",
    "values of 1e-200", "columns of all sizes", "levels that few rows have", "missing levels",
]  # fmt: skip


OPTIONS = {"sound": Options()} | {
    name: Options.model_validate(preset["options"])
    for file in (ROOT / "src/scarce/papers").glob("*/paper.yaml")
    for name, preset in read_yaml(file).value.get("presets", {}).items()
}
VALUES = [np.nan, np.inf, -np.inf]


def covering(levels: list) -> list[tuple]:
    """Cases (method, preset, level) in which each estimator meets every level, with all of its variants."""
    variants: dict[str, list[tuple[str, str]]] = {}
    for name, preset in VARIANTS:
        variants.setdefault(METHODS[name]["estimator"], []).append((name, preset))
    return [
        (*own[i % len(own)], levels[(i + shift) % len(levels)])
        for shift, own in enumerate(variants.values())
        for i in range(max(len(own), len(levels)))
    ]


@pytest.mark.parametrize("levels", [[*NUMERIC, *NOMINAL], VALUES], ids=["inputs", "values"])
def test_every_pair_is_covered(levels):
    cases = covering(levels)
    assert {(METHODS[name]["estimator"], level) for name, _, level in cases} == {
        (block["estimator"], level) for block in METHODS.values() for level in levels
    }
    assert {case[:2] for case in cases} == set(VARIANTS)


def hidden(y: np.ndarray, preset: str, flip: float) -> Labels:
    (scenario,) = Scar(flip_ratios=[flip]).scenarios()
    options = OPTIONS[preset]
    return make_labels(y, scenario=scenario, split=Holdout(), repeats=2, options=options, study_seed=0, dataset="d")


def results(
    name: str,
    preset: str,
    X: np.ndarray,
    y: np.ndarray,
    *,
    nominal: bool = False,
    flip: float = 0.5,
    encode: bool = True,
) -> CellResult:
    """All repeats of a cell, run as `scarce fit` runs them, but in this process."""
    options, labels = OPTIONS[preset], hidden(y, preset, flip)
    categorical = np.full(X.shape[1], nominal)
    encoding = METHODS[name].get("encoding", options.encoding)
    encoder, filled = None, {}
    with np.errstate(all="ignore"):
        if not encode:
            pass
        elif encoding == "woe_all_true":
            X = encode_all(X, y, categorical)
        else:
            columns = X[:, categorical]
            levels = np.where(np.isnan(columns), -1, columns).max(0).astype(int) + 1
            if encoding == "none":
                filled = {"$categorical": np.flatnonzero(categorical), "$levels": levels + np.isnan(columns).any(0)}

            def encoder():
                return FittedEncoder(encoding, categorical, levels=levels)

        runs = []
        for repeat in range(len(labels)):
            one = labels.repeat(repeat)
            runs += (
                []
                if one.skipped
                else [run_repeat(Cell(lambda _: build(name, preset, filled), X, labels, encoder), repeat)]
            )
    return CellResult("degenerate", "flip-50", name, runs, "", [Repeat.of(one, y) for one in labels], True)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("name", "preset", "what"), covering([*NUMERIC, *NOMINAL]))
def test_scores_or_a_reason(name, preset, what):
    X, y = (NUMERIC | NOMINAL)[what]
    cell = results(name, preset, X, y, nominal=what in NOMINAL, flip=0.5 if "positive" in what else 0.75)
    for run in cell.runs:
        if run.status in SCORED:
            assert len(run.test_scores)
            assert np.isfinite(run.test_scores).all()
            assert np.isfinite(run.validation_scores).all()
        else:
            assert run.status == "failed"
            assert run.message
            assert "\n" not in run.message
            assert what not in MUST_SCORE, run.message
        if run.status == "degenerate":
            assert np.ptp(run.test_scores) == 0
            assert run.message
    rows = collect([cell], study="s", decision="f1_validation", search="sweep")
    scores, runs, failures = (
        pd.DataFrame(rows[file], columns=columns_of(file)) for file in ("scores", "runs", "failures")
    )
    assert len(failures) == sum(run.status != "ok" for run in cell.runs)
    for row in runs.itertuples():
        undefined = scores[(scores.repeat == row.repeat) & scores.value.astype(float).isna()]
        assert not np.isinf(scores.value.astype(float)).any()
        assert all(metric in row.message for metric in undefined.metric)
    if what == "all columns constant":
        for run in cell.runs:
            assert run.status in ("degenerate", "failed")
        constant = scores[scores.metric == "auc_pr"]
        prevalence = [cell.repeats[r].y_test.mean() for r in constant.repeat]
        np.testing.assert_allclose(constant.value.astype(float), np.array(prevalence, float))


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("name", "preset", "value"), covering(VALUES))
def test_a_value_that_no_encoder_lets_through_is_a_failure_with_its_reason(name, preset, value):
    X, y = blobs()
    X[:, 0] = value
    for run in results(name, preset, X, y, encode=False).runs:
        assert run.status == "failed"
        assert "NaN" in run.message or "infinity" in run.message


@pytest.mark.parametrize("positives", [1, 2, 3])
@pytest.mark.parametrize("flip", [0.25, 0.5, 0.75])
def test_a_repeat_without_a_possible_split_says_why(positives, flip):
    _, y = blobs(n=40, positives=positives)
    for one in hidden(y, "sound", flip):
        if one.skipped:
            assert "positive" in one.skipped or "stratum" in one.skipped
        else:
            assert one.s.any()
            assert y[one.test].any()
            assert not len(one.validation) or y[one.train[one.validation]].any()
            assert len(one.validation) or one.note


@pytest.mark.parametrize("encoding", ["woe_train_observed", "onehot"])
def test_levels_that_training_rows_lack_are_scored(encoding):
    train, new = (
        np.array([[0.0, 1], [0, 2], [1, 3], [1, 4], [0, 1], [1, 5]]),
        np.array([[2.0, 2], [1, 4], [7, 9], [np.nan, 1]]),
    )
    encoder = FittedEncoder(encoding, np.array([True, False])).fit(train, np.array([0, 0, 1, 1, 0, 1]))
    assert np.isfinite(encoder.transform(new)).all()
    for name in [name for name in METHODS if not missing(name)]:
        scores = (
            build(name, "sound")
            .fit(encoder.transform(train), np.array([0, 0, 1, 1, 0, 1]))
            .predict_proba(encoder.transform(new))
        )
        assert np.isfinite(scores).all()
