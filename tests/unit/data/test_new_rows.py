"""New rows of data sets in every way of reading: files without a header, other formats, and steps that rows repeat."""

from __future__ import annotations

import numpy as np
import pytest

from scarce.data.new_rows import as_described, read_new_rows
from scarce.data.prepare import build
from scarce.errors import DataError
from tests.unit.data.toy import described

OWN = {"kind": "local", "files": [{"path": "t.csv"}]}
ROWS = "a,b,kind\n1,x,yes\n20,y,no\n3,1.0,no\n-9,?,no\n"
COLUMNS = {"A": None, "b": ["1", "x", "y"]}
STEPS = [
    {"step": "set_missing", "column": "a", "values": [-9]},
    {"step": "log", "columns": ["a"]},
    {"step": "rename", "names": {"a": "A", "kind": "class"}},
    {"step": "drop_rows", "column": "b", "values": ["y"]},
]


def data_set(**more):
    fields = {"read": {"format": "csv", "missing": ["?"]}, "steps": STEPS, "target": "class", "positive": "yes"}
    return described(OWN, **fields | more)


def read(tmp_path, text: str, spec=None, columns=COLUMNS):
    spec = spec or data_set()
    (tmp_path / "new.csv").write_text(text)
    return read_new_rows(tmp_path / "new.csv", as_described(spec, spec.read, spec.steps), columns)


def test_steps_that_change_cells_and_names_are_repeated(tmp_path):
    frame, remarks = read(tmp_path, ROWS)
    assert remarks == []
    np.testing.assert_allclose(frame.A, [0, np.log(20), np.log(3), np.nan])
    assert frame.b.tolist() == ["x", "y", "1", None]
    spec = data_set()
    (tmp_path / "t.csv").write_text(ROWS)
    content = build(spec, spec.sources[0], [tmp_path / "t.csv"])
    np.testing.assert_array_equal(content.X[:, 0], frame.A[[0, 2, 3]])


@pytest.mark.parametrize("text", ["a,b\n1,x\n", "b,a\nx,1\n", "kind,a,b\nlater,1,x\n", "a,b,kind\n1,x,\n"])
def test_the_class_column_may_be_there_or_not(tmp_path, text):
    frame, remarks = read(tmp_path, text)
    assert frame.to_dict("list") == {"A": [0.0], "b": ["x"]}
    assert len(remarks) == text.startswith("b")


def test_files_without_a_header_have_the_columns_of_training(tmp_path):
    spec = described(OWN, read={"format": "csv", "header": False, "target_index": 0}, target="kind", positive="yes")
    frame, _ = read(tmp_path, "?,2,x\n,3,y\n", spec, {"x1": None, "x2": ["x", "y"]})
    assert frame.to_dict("list") == {"x1": [2, 3], "x2": ["x", "y"]}


def test_dates_are_read_by_their_declared_form(tmp_path):
    spec = data_set(
        dates={"paid": "%d.%m.%Y", "due": "%Y-%m-%d"}, time="due", steps=[{"step": "rename", "names": {"on": "paid"}}]
    )
    frame, _ = read(tmp_path, "on,b\n02.01.1970,x\n?,x\n", spec, {"paid": None, "b": ["x"]})
    np.testing.assert_array_equal(frame.paid, [1.0, np.nan])
    with pytest.raises(DataError) as caught:
        read(tmp_path, "on,b\n1970-01-02,x\n", spec, {"paid": None, "b": ["x"]})
    assert "new.csv" in str(caught.value) and "'on'" in str(caught.value)
    assert "`" not in str(caught.value)  # who has the model alone can change no key of the data set
    with pytest.raises(DataError) as caught:
        read(tmp_path, "c\n1\n", spec, {"paid": None, "b": ["x"]})
    assert [any(name in line for line in caught.value.lines()) for name in ("'paid'", "'b'")] == [True, True]


def test_another_delimiter_is_refused_with_the_one_of_training(tmp_path):
    with pytest.raises(DataError, match="delimiter ','"):
        read(tmp_path, "a;b\n1;x\n")


@pytest.mark.parametrize("form, mark", [("keel", "<null>"), ("arff", "?")])
def test_other_formats_keep_their_marks_of_missing_cells(tmp_path, form, mark):
    spec = described(OWN, read={"format": form}, target="kind", positive="yes")
    frame, _ = read(tmp_path, f"a,b\n{mark},x\n1,{mark}\n", spec, {"a": None, "b": ["x"]})
    assert np.isnan(frame.a[0])
    assert frame.b.tolist() == ["x", None]


@pytest.mark.parametrize(
    "text, lines",
    [
        ("a,b\n", 1),
        ("a,b\nmany,x\n", 1),
        ("a,b\ninf,x\n", 1),
        ("a,b\n0,x\n", 1),
        ("c\n1\n", 2),
        ("", 1),
    ],
)
def test_what_is_wrong_is_said_a_line_each(tmp_path, text, lines):
    with pytest.raises(DataError) as caught:
        read(tmp_path, text)
    assert len(caught.value.lines()) == lines
