"""Steps that match nothing say so, and stratified subsamples of few rows work or say why in one line."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.model_selection import StratifiedShuffleSplit

from scarce.data.prepare import prepare_dataset
from scarce.data.sources import fetch_dataset
from scarce.data.steps import Target, apply
from scarce.data.tables import Table, as_objects
from scarce.errors import DataError
from scarce.labels.records import Impossible
from scarce.labels.splits import subsample
from tests.unit.data.toy import described

NAN = float("nan")
OWN = {"kind": "local", "files": [{"path": "t.csv"}]}


def table() -> Table:
    columns = [
        np.array([1, 2, 3, -999, np.inf, NAN]),
        as_objects(["ok", "ok", "unknown", "ok", "unknown", None]),
        np.array([0, 1, 2, 3, 4, 255], np.uint8),
        as_objects(["ill", "well", "well", "ill", "well", "well"]),
    ]
    return Table(["x", "state", "byte", "class"], columns, [False, True, False, True])


def after(*steps: dict, before: Table | None = None) -> Table:
    return apply(before or table(), described(OWN, steps=list(steps)).steps, Target("class", ["ill"]))


@pytest.mark.parametrize("step", ["drop_rows", "set_missing"])
@pytest.mark.parametrize(
    ("column", "values", "named"),
    [
        ("state", ["Unknown"], ["'Unknown'", "ok, unknown"]),
        ("state", ["unknown", "OK"], ["'OK'", "ok, unknown"]),
        ("x", [-99], ["-99", "-999, 1, 2, 3, inf"]),
        ("x", ["-99"], ["-99", "-999, 1, 2, 3, inf"]),
        ("x", [-999, -99], ["-99", "-999"]),
        ("x", [float("-inf")], ["-inf"]),
        ("byte", [""], ["missing", "0, 1, 2"]),
        ("byte", [5], ["5", "255"]),
        ("class", ["", "Ill"], ["missing", "ill, well"]),
    ],
)
def test_values_that_no_row_has(step, column, values, named):
    with pytest.raises(DataError) as caught:
        after({"step": step, "column": column, "values": values})
    assert all(text in caught.value.message for text in [f"step 1, {step}", repr(column), *named])


@pytest.mark.parametrize(
    ("column", "values", "rows"),
    [
        ("state", ["unknown"], 4),
        ("state", ["unknown", ""], 3),
        ("x", [-999, ""], 4),
        ("x", ["-999.0"], 5),
        ("x", [float("inf"), float("-inf"), ""], 4),  # what cannot be misspelt may match nothing beside others
        ("byte", [255, 0, ""], 4),
        ("class", ["ill"], 4),
    ],
)
def test_values_that_rows_have(column, values, rows):
    assert after({"step": "drop_rows", "column": column, "values": values}).n == rows
    hidden = after(
        {"step": "set_missing", "column": column, "values": values},
        {"step": "drop_rows", "column": column, "values": [""]},
    )
    assert hidden.n == rows if column in ("byte", "class") or "" in values else rows - 1


def test_a_column_without_a_value_has_none_to_list():
    empty = table().rows(np.zeros(6, bool))
    with pytest.raises(DataError, match="values are none"):
        after({"step": "drop_rows", "column": "x", "values": [1]}, before=empty)


def test_steps_with_nothing_to_do_warn(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "t.csv").write_text("s,class\na,ill\nb,well\n")
    spec = described(OWN, target="class", positive="ill", steps=[{"step": "impute"}, {"step": "bin"}])
    fetch_dataset(spec)
    warnings = prepare_dataset(spec)["warnings"]
    assert len(warnings) == 2
    assert ["impute" in warnings[0], "bin" in warnings[1]] == [True, True]
    (tmp_path / "t.csv").write_text("s,class\n1,ill\n,well\n2,well\n")
    fetch_dataset(spec)
    assert prepare_dataset(spec)["warnings"] == []


def test_the_logarithm_of_the_class_column_is_refused():
    with pytest.raises(DataError, match="class column"):
        after({"step": "log", "columns": ["class"]})


# -- stratified subsamples -----


def rows_of(positives: int, negatives: int, *steps: dict) -> Table:
    classes = as_objects(["ill"] * positives + ["well"] * negatives)
    before = Table(["x", "class"], [np.arange(len(classes), dtype=float), classes], [False, True])
    return after(*steps, before=before)


def draw(n: int, seed: int = 1) -> dict:
    return {"step": "stratified_subsample", "n": n, "seed": seed}


@pytest.mark.parametrize(
    ("positives", "negatives", "n", "drawn"),
    [(20, 81, 100, 20), (20, 81, 99, 20), (20, 81, 3, 1), (2, 10, 11, 2), (2, 10, 6, 1), (2, 2, 3, None), (5, 5, 2, 1)],
)
def test_a_subsample_has_the_share_of_each_class(positives, negatives, n, drawn):
    out = rows_of(positives, negatives, draw(n))
    counts = (out.column("class") == "ill").sum()
    assert out.n == n == len(set(out.column("x")))
    assert counts == drawn or drawn is None
    y = np.repeat([1, 0], [positives, negatives])
    assert np.array_equal(out.column("x"), subsample(y, n, 1)), "the split draws the same rows"


@pytest.mark.parametrize(
    ("positives", "negatives", "n", "named"),
    [
        (1, 11, 6, "single row of 12"),
        (1, 11, 11, "single row of 12"),
        (11, 1, 11, "single row of 12"),
        (20, 81, 1, "1 of 101"),
        (20, 81, 2, "none of the 20 rows"),
        (20, 81, 101, "101 rows of 101"),
        (20, 81, 102, "102 rows of 101"),
        (0, 12, 6, "no row is of a positive class, ill; classes here are well"),
    ],
)
def test_a_subsample_that_cannot_be_drawn_says_why(positives, negatives, n, named):
    with pytest.raises(DataError) as caught:
        rows_of(positives, negatives, draw(n))
    assert named in caught.value.message
    assert len(caught.value.lines()) == 1
    y = np.repeat([1, 0], [positives, negatives])
    if positives and n < len(y):
        with pytest.raises(Impossible):
            subsample(y, n, 1)
    elif n >= len(y):
        assert np.array_equal(subsample(y, n, 1), np.arange(len(y))), "a limit that is not reached takes all rows"


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize(("positives", "n", "size"), [(30, 200, 50), (9, 90, 17), (100, 201, 199), (3, 40, 20)])
def test_a_subsample_is_that_of_scikit_learn(positives, n, size, seed):
    classes = np.random.default_rng(seed).permutation(np.arange(n) < positives)
    before = Table(
        ["x", "class"], [np.arange(n, dtype=float), as_objects(np.where(classes, "ill", "well"))], [False, True]
    )
    splitter = StratifiedShuffleSplit(n_splits=1, train_size=size, random_state=seed)
    expected, _ = next(splitter.split(np.zeros((n, 1)), classes.astype(int)))
    assert after(draw(size, seed), before=before).column("x").tolist() == expected.tolist()


def test_a_subsample_of_one_positive_makes_the_data_set_unusable(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "t.csv").write_text("x,class\n0,ill\n" + "".join(f"{i},well\n" for i in range(1, 12)))
    spec = described(OWN, target="class", positive="ill", steps=[draw(6)])
    fetch_dataset(spec)
    with pytest.raises(DataError, match="stratified_subsample"):
        prepare_dataset(spec)
    result = prepare_dataset(spec, allow_unusable=True)
    assert result["status"] == "unusable"
    assert "stratified_subsample" in result["reason"]
