"""Columns through steps: `scarce check` and the readers give one answer, and the class column may be renamed."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scarce.data.availability import own_problems
from scarce.data.names import back_through_steps, class_column
from scarce.data.prepare import Content, build
from scarce.errors import DataError
from tests.unit.data.toy import described

SWAPPED = "class,old,x\nA,ill,1\nB,well,2\nA,well,3\n"
KEEL = "@relation r\n@attribute w real [0,9]\n@attribute K {a, ill}\n@data\n1, a\n2, ill\n3, a\n"


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def rename(**names: str) -> dict:
    return {"step": "rename", "names": names}


def answers(text: str | bytes, *steps: dict, name="t.csv", **more) -> tuple[list, Content | DataError]:
    """What `own_problems` says of a file, and what reading it gives."""
    Path(name).write_bytes(text if isinstance(text, bytes) else text.encode())
    fields = {"target": "class", "positive": "ill", "steps": list(steps)} | more
    spec = described({"kind": "local", "files": [{"path": name}]}, **fields)
    try:
        return own_problems(spec), build(spec, spec.sources[0], [Path(name)])
    except DataError as error:
        return own_problems(spec), error


@pytest.mark.parametrize("marks", [0, 1, 2, 3])
@pytest.mark.parametrize("before", ["", "sep=,\n", "\n", "# note\n"])
def test_byte_order_marks(marks, before):
    text = b"\xef\xbb\xbf" * marks + f"{before}class,x\nill,1\nwell,2\nwell,3\nill,4\n".encode()
    problems, content = answers(text, read={"format": "csv", "comment": "#"})
    assert problems == []
    assert (content.names, content.y.tolist()) == (["x"], [1, 0, 0, 1])


@pytest.mark.parametrize(
    ("target", "steps", "names"),
    [
        ("class", [rename(**{"class": "grade", "old": "class"})], ["grade", "x"]),
        ("class", [rename(**{"class": "old", "old": "class"})], ["old", "x"]),
        ("class", [rename(**{"class": "t"}), rename(old="class"), rename(t="old")], ["old", "x"]),
        ("class", [{"step": "drop_columns", "columns": ["class"]}, rename(old="class")], ["x"]),
        ("kind", [rename(old="kind")], ["class", "x"]),
        ("old", [rename(old="kind")], ["class", "x"]),  # the name in the file, which no column has at the end
        ("kind", [{"step": "keep_columns", "columns": ["x"]}, rename(old="kind")], ["x"]),
        ("kind", [rename(old="k"), {"step": "relabel", "classes": {"well": "fit"}}, rename(k="kind")], ["class", "x"]),
        ("kind", [rename(old="k"), {"step": "drop_rows", "column": "k", "values": ["no"]}, rename(k="kind")], None),
        ("old", [{"step": "drop_columns", "columns": ["old"]}], None),
        ("class", [rename(old="class")], None),
        ("q", [rename(old="q", x="q")], None),
        ("class", [rename(nope="class")], None),
        ("nope", [], None),
    ],
)
def test_the_class_column_under_other_names(target, steps, names):
    problems, content = answers(SWAPPED, *steps, target=target)
    if names is None:
        assert isinstance(content, DataError)
        assert problems or "drop_rows" in content.message, "only values are left to the reader"
        return
    assert problems == []
    assert (content.names, content.y.tolist()) == (names, [1, 0, 0])


@pytest.mark.parametrize("target", [None, "K", "class"])
def test_a_class_column_that_the_format_names_may_be_renamed(target):
    steps = [rename(K="class"), {"step": "relabel", "classes": {"a": "b"}}]
    _, content = answers(KEEL, *steps, name="k.dat", read={"format": "keel"}, target=target)
    assert (content.names, content.y.tolist()) == (["w"], [0, 1, 0])


def test_nominal_and_left_out_columns_keep_their_texts_under_another_name():
    text = "code,note,class\n007,1.5 kg,ill\n012,2 kg,well\n007,3 kg,well\n"
    steps = [rename(code="c", note="n"), {"step": "drop_columns", "columns": ["n"]}]
    problems, content = answers(text, *steps, nominal=["c"])
    assert problems == []
    assert content.categories == {"c": ["007", "012"]}


def test_names_are_traced_back_to_the_file():
    source = {"kind": "local", "files": [{"path": "t.csv"}]}
    steps = described(source, steps=[rename(a="z"), rename(b="a")]).steps
    assert back_through_steps(["a", "b"], steps) == [["b"], ["b"], ["a", "b"]], "b is renamed away"
    assert class_column("a", steps) == ["b", "b", "a"]
    assert class_column("b", steps) == ["b", "b", "a"], "the name in the file, where no column has it at the end"
    assert class_column("z", steps) == ["a", "z", "z"]


NAMES = ["class", "old", "x", "y", "z"]
COLUMNS = st.lists(st.sampled_from(NAMES), min_size=1, max_size=3, unique=True)
STEPS = st.lists(
    st.one_of(
        st.dictionaries(st.sampled_from(NAMES), st.sampled_from(NAMES), min_size=1, max_size=3).map(
            lambda names: rename(**names)
        ),
        COLUMNS.map(lambda names: {"step": "drop_columns", "columns": names}),
        COLUMNS.map(lambda names: {"step": "keep_columns", "columns": names}),
    ),
    max_size=4,
)


@settings(max_examples=150, deadline=None, derandomize=True)
@given(STEPS, st.sampled_from(NAMES), COLUMNS)
def test_check_refuses_what_the_reader_refuses(steps, target, nominal):
    text = "class,old,x\nill,ill,ill\nwell,well,well\nwell,well,ill\n"
    problems, content = answers(text, *steps, target=target, nominal=nominal)
    refused = isinstance(content, DataError) and "no column beside the class column" not in content.message
    assert bool(problems) == refused, (problems, content)


def test_a_header_with_another_delimiter_is_said_by_both():
    problems, error = answers("class;x\nill;1\nwell;2\n")
    assert [at for at, *_ in problems] == [("read",)]
    assert "delimiter" in problems[0][2]
    assert problems[0][2] == error.hint
