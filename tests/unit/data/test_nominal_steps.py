"""Steps that make every column nominal and whole, and levels that are declared rather than seen."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from scarce.data import steps
from scarce.data.prepare import prepare_dataset
from scarce.data.readers import READERS
from scarce.data.sources import fetch_dataset
from scarce.data.store import load_prepared
from scarce.data.tables import Table, as_objects, below
from scarce.errors import DataError
from tests.unit.data.toy import described

NAN = math.nan


def table(levels=(), **columns) -> Table:
    """Columns and a class column ``k`` of as many rows."""
    n = len(next(iter(columns.values())))
    values = [as_objects(c) if any(isinstance(v, str) for v in c) else np.array(c, float) for c in columns.values()]
    values.append(as_objects(["1", "2"] * n)[:n])
    return Table([*columns, "k"], values, [column.dtype == object for column in values], "k", dict(levels))


def after(before: Table, *listed: dict, nominal=(), numeric=()) -> Table:
    spec = described({"kind": "local", "files": [{"path": "toy.csv"}]}, steps=list(listed))
    return steps.apply(before, spec.steps, steps.Target("k", ["1"], nominal, numeric))


IMPUTE, BIN = {"step": "impute"}, {"step": "bin"}


# -- impute -----


def test_mean_of_numbers_and_the_most_frequent_level():
    out = after(table(a=[1, NAN, 4, 4], b=["y", "x", None, "x"], c=[1, 2, 3, 4]), IMPUTE)
    assert out.column("a").tolist() == [1, 3, 4, 4]
    assert out.column("b").tolist() == ["y", "x", "x", "x"]
    assert out.column("c").tolist() == [1, 2, 3, 4]


def test_the_first_of_equally_frequent_levels_in_any_order_of_rows():
    rows = ["z", "b", None, "z", "b", "c"]
    for shift in range(6):
        out = after(table(b=rows[shift:] + rows[:shift]), IMPUTE).column("b").tolist()
        assert sorted(out) == ["b", "b", "b", "c", "z", "z"]


def test_the_mean_is_the_same_in_any_order_of_rows():
    values = np.random.default_rng(0).lognormal(0, 20, 500)
    means = set()
    for seed in range(5):
        column = [NAN, *np.random.default_rng(seed).permutation(values)]
        means.add(after(table(a=column), IMPUTE).column("a")[0])
    assert len(means) == 1


def test_imputing_uses_the_kind_that_the_data_set_states():
    """Digits as names have a most frequent level, no mean; numbers that were read as texts have a mean."""
    before = table(code=[1, 1, 4, NAN], size=["1", "2", "6", None])
    out = after(before, IMPUTE, nominal=["code"], numeric=["size"])
    assert out.column("code").tolist() == ["1", "1", "4", "1"]
    assert out.column("size").tolist() == [1, 2, 6, 3]


def test_a_missing_class_is_not_imputed():
    before = table(a=[1, NAN]).with_column("k", as_objects(["1", None]), True)
    assert after(before, IMPUTE).column("k").tolist() == ["1", None]


# -- bin -----


def test_bins_equal_the_formula_of_the_definition():
    """A naive loop; values on the edges and both extremes among them."""
    column = [*np.random.default_rng(0).normal(size=200), *np.linspace(-5, 5, 11), NAN]
    out = after(table(a=column), {"step": "bin", "bins": 10}).column("a").tolist()
    for x, level in zip(column, out, strict=True):
        assert level == (None if math.isnan(x) else str(min(math.floor((x + 5) / 1.0), 9)))


def test_shift_and_scale_by_powers_of_two_change_no_bin():
    column = np.random.default_rng(0).integers(0, 50, 300).astype(float)
    one, other = (after(table(a=values), BIN).column("a").tolist() for values in (column, column * 8 + 64))
    assert one == other


def test_level_texts_sort_as_the_bins_do_and_all_bins_are_levels():
    out = after(table(a=[0, 1, 119, 120]), {"step": "bin", "bins": 12})
    assert out.column("a").tolist() == ["00", "00", "11", "11"]
    assert out.levels["a"] == sorted(out.levels["a"]) == [f"{b:02d}" for b in range(12)]


@pytest.mark.parametrize("column", [[7, 7, NAN], [0, 5e-324, NAN]], ids=["constant", "width below the least number"])
def test_a_column_without_width_has_one_level(column):
    out = after(table(a=column), BIN)
    assert out.column("a").tolist() == ["0", "0", None]
    assert out.levels["a"] == ["0"]


def test_chosen_columns_only_and_columns_that_are_nominal_stay():
    before = table(a=[1, 2], b=[1, 2], c=["x", "y"], d=[3, 4])
    out = after(before, {"step": "bin", "columns": ["b"]}, nominal=["d"])
    assert [values.dtype == object for values in out.columns] == [False, True, True, False, True]
    out = after(before, BIN, nominal=["d"])
    assert [values.dtype == object for values in out.columns] == [True, True, True, False, True]


@pytest.mark.parametrize(
    ("before", "step", "message"),
    [
        (table(a=[NAN, NAN]), IMPUTE, "'a' has missing cells only"),
        (table(a=[NAN, NAN]), BIN, "'a' has missing cells only"),
        (table(a=[1, math.inf]), BIN, "'a' has values from 1 to inf"),
        (table(a=[1, math.inf, NAN]), IMPUTE, "'a' has values from 1 to inf"),
        (table(a=[-1e308, 1e308]), BIN, "range is not finite"),
        (table(b=["x", "y"]), BIN | {"columns": ["b"]}, "'b' is nominal"),
        (table(a=[1, 2]), BIN | {"columns": ["k"]}, "'k' is the class column"),
        (table(a=[1, 2]), BIN | {"columns": ["q"]}, "no column 'q'"),
    ],
)
def test_what_cannot_be_imputed_or_cut(before, step, message):
    with pytest.raises(DataError, match=message):
        after(before, step)


# -- declared levels -----

HEADER = "@relation r\n@attribute b {x,y,'z w'}\n@attribute a numeric\n@attribute k {1,2,3}\n@data\n"


def test_levels_are_those_of_all_rows_of_the_file_and_of_its_header():
    """Rows that a later step leaves out keep their levels, if the reader is to keep declared ones."""
    Path("toy.arff").write_text(HEADER + "x,1,1\ny,4,2\nx,11,3\n?,1,1\n")
    source = {"kind": "local", "files": [{"path": "toy.arff"}]}
    two = {"step": "keep_classes", "classes": ["1", "2"]}
    found = {}
    for declared in (False, True):
        read = {"format": "arff", "declared": declared}
        spec = described(source, read=read, target="k", positive="1", steps=[IMPUTE, BIN, two])
        fetch_dataset(spec)
        found[declared] = prepare_dataset(spec)
        data = load_prepared("toy")
        assert data.X[:, 0].tolist() == [0, 1, 0]
        assert data.X[:, 1].tolist() == [0, 3, 0]
    assert found[False]["categories"]["b"] == ["x", "y"]
    assert found[True]["categories"]["b"] == ["x", "y", "z w"]
    assert found[True]["levels"] == [3, 10]
    assert found[True]["content_sha256"] != found[False]["content_sha256"]


def test_keel_declares_levels_too_and_none_of_a_missing_mark():
    text = "@relation r\n@attribute b {x, y, <null>}\n@attribute k {1, 2}\n@data\nx, 1\n<null>, 2\n"
    Path("f.dat").write_text(text)
    assert READERS["keel"]([Path("f.dat")], {"declared": True}).levels == {"b": ["x", "y"], "k": ["1", "2"]}
    assert READERS["keel"]([Path("f.dat")], {}).levels == {}


def test_declared_levels_follow_their_columns():
    before = table({"b": ["x", "y", "z"]}, b=["x", "y", None], a=[1, 2, 3])
    assert after(before, IMPUTE).levels == before.levels
    assert after(before, {"step": "rename", "names": {"b": "c"}}).levels == {"c": ["x", "y", "z"]}
    assert after(before, {"step": "drop_columns", "columns": ["b"]}).levels == {}
    assert after(before, {"step": "set_missing", "column": "b", "values": ["y"]}).levels == {"b": ["x", "z"]}
    assert set(below([before, table({"b": ["x", "w"]}, b=["w"], a=[1])], ["f", "g"]).levels["b"]) == {*"xyzw"}


def test_many_declared_levels_make_no_identifier_and_hide_none():
    many = [f"v{i}" for i in range(30)]
    for rows, refused in ((["v1", "v2"] * 15, False), (many, True)):
        text = f"@relation r\n@attribute b {{{','.join(many)}}}\n@attribute k {{1,2}}\n@data\n"
        text += "".join(f"{value},{1 + i % 2}\n" for i, value in enumerate(rows))
        Path("toy.arff").write_text(text)
        source = {"kind": "local", "files": [{"path": "toy.arff"}]}
        spec = described(source, read={"format": "arff", "declared": True}, target="k", positive="1")
        fetch_dataset(spec)
        if refused:
            with pytest.raises(DataError, match="another text in each row"):
                prepare_dataset(spec)
        else:
            assert prepare_dataset(spec)["levels"] == [30]
