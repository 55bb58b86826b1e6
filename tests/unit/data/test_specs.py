"""Descriptions: what is wrong is reported in words, at the key where it is wrong."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from pydantic import ValidationError

from scarce.config.datasets import DatasetSpec
from scarce.data.availability import own_problems
from tests.unit.data.toy import ROWS, described

OWN = {"kind": "local", "files": [{"path": "toy.csv"}]}


def problems(**fields) -> dict[tuple, str]:
    """Messages by the place of the key; where several keys contradict, that of the one to change."""
    base = {"name": "toy", "sources": [OWN], "read": {"format": "csv"}, "target": "kind", "positive": "yes"}
    block = {key: value for key, value in (base | fields).items() if value is not ...}
    with pytest.raises(ValidationError) as error:
        DatasetSpec.model_validate(block)
    return {place(problem): problem["msg"] for problem in error.value.errors()}


def place(problem: dict) -> tuple:
    if problem["type"] != "together":
        return problem["loc"]
    return (*problem["loc"][:-1], *filter(None, [problem["ctx"]["about"]]))


def test_test_files_are_some_of_the_files():
    two = {"kind": "local", "files": [{"path": "toy.csv"}, {"path": "late.csv"}]}
    assert ("test_files",) in problems(sources=[two], test_files=["latte.csv"])
    assert ("test_files",) in problems(sources=[two], test_files=["late.csv", "toy.csv"])
    assert ("test_files",) in problems(sources=[two, OWN], test_files=["late.csv"])


def test_a_missing_positive_class_lists_the_classes_where_the_file_is_here():
    messages = problems(positive=...)[("positive",)]
    assert messages == "the positive class is not stated: add `positive: <class>`, or a list of classes, as in the file"
    Path("toy.csv").write_text(ROWS)
    assert problems(positive=...)[("positive",)].endswith("; classes of 'kind' are no, yes")
    assert problems(positive=[])[("positive",)].endswith("; classes of 'kind' are no, yes")


def test_classes_are_listed_even_where_a_missing_marker_is_still_to_be_declared():
    Path("toy.csv").write_text("a,kind\n" + "".join(f"{i}.5,no\n" for i in range(40)) + "?,yes\n")
    assert problems(positive=...)[("positive",)].endswith("; classes of 'kind' are no, yes")
    assert problems(target=...)[("target",)].endswith("; columns are a, kind")


def test_a_keel_file_of_many_classes_lists_them(monkeypatch):
    Path("mirror").mkdir()
    Path("mirror/risk.dat").write_text(
        "@relation r\n@attribute w real [0,9]\n@attribute K {-1, 0, 1}\n@data\n1, 0\n2, 1\n3, -1\n"
    )
    monkeypatch.setenv("SCARCE_MIRROR", "mirror")
    source = {"kind": "mirror", "files": [{"path": "risk.dat"}], "read": {"format": "keel"}}
    assert problems(sources=[source], positive=..., target=...)[("positive",)].endswith("; classes of 'K' are -1, 0, 1")


def test_a_missing_class_column_lists_the_columns_where_the_file_is_here():
    assert problems(target=...) == {("target",): "the class column is not stated: add `target: <column>`"}
    Path("toy.csv").write_text(ROWS)
    assert problems(target=...)[("target",)].endswith("; columns are a, b, kind")


def test_steps_without_columns_name_none():
    Path("toy.csv").write_text(ROWS)
    read = {"read": {"format": "csv"}, "target": "kind"}
    assert own_problems(described(OWN, steps=[{"step": "impute"}, {"step": "bin"}], **read)) == []
    ((at, message, _),) = own_problems(described(OWN, steps=[{"step": "bin", "columns": ["a", "c"]}], **read))
    assert (at, message) == (("steps", 0), "toy.csv has no column 'c'")


def test_formats_that_know_their_class_column_need_none():
    assert described(OWN, read={"format": "npz"}, target=None).target is None


@pytest.mark.parametrize("value", [True, 1.0, None, ["yes", False]])
def test_a_class_whose_type_yaml_has_changed_is_refused(value):
    messages = problems(positive=value)
    assert any("put the class in quotes" in text or "is not stated" in text for text in messages.values())


def test_a_class_may_be_text_a_whole_number_or_a_list():
    assert described(OWN, positive=" yes ").positive == ["yes"]
    assert described(OWN, positive=1).positive == ["1"]
    assert described(OWN, positive=[1, "2"]).positive == ["1", "2"]


@pytest.mark.parametrize("name", ["Toy", "toy/1", "", ".toy", "aux", "com1.x", "toy."])
def test_bad_names(name):
    assert ("name",) in problems(name=name)


@pytest.mark.parametrize("name", ["2023_01", "007", "1e5", "a.b-c_d"])
def test_good_names(name):
    assert described(OWN, name=name).name == name


def test_unknown_keys_are_errors_wherever_they_stand():
    assert problems(positives="yes")[("positives",)] == "unknown key"
    assert ("sources", 0, "local", "sha") in problems(sources=[OWN | {"sha": "x"}])
    assert ("read", "csv", "sep") in problems(read={"format": "csv", "sep": ";"})
    assert ("steps", 0, "log", "column") in problems(steps=[{"step": "log", "columns": ["a"], "column": "a"}])


def test_unknown_kinds_formats_and_steps_name_those_there_are():
    kinds = problems(sources=[{"kind": "ftp"}])[("sources", 0, "kind")]
    assert all(kind in kinds for kind in ("mirror", "url", "wheel", "openml", "local", "generated"))
    formats = problems(read={"format": "xls"})[("read", "format")]
    assert all(name in formats for name in ("keel", "arff", "csv"))
    assert "keep_columns" in problems(steps=[{"step": "scale"}])[("steps", 0, "step")]


def test_every_problem_is_reported_at_once():
    messages = problems(positive=..., target=..., name="Toy", read={"format": "csv", "header": "no"})
    assert set(messages) == {("name",), ("read", "csv", "header"), ("positive",)}


def test_silent_conversions_are_errors():
    assert set(problems(expected={"n": "4", "d": 2, "positives": 1})) == {("expected", "n")}
    assert ("scaled",) in problems(scaled="true")
    wheel = {"kind": "wheel", "package": "p", "version": 1.0, "files": [{"path": "p/x.csv", "sha256": "0" * 64}]}
    assert ("sources", 0, "wheel", "version") in problems(sources=[wheel])


def test_bytes_need_a_proof():
    source = {"kind": "url", "files": [{"url": "https://x.org/toy.csv"}]}
    assert "needs a sha256 for each file, or the data set a content_sha256" in problems(sources=[source])[("sha256",)]
    assert described(source, content_sha256="0" * 64).content_sha256 == "0" * 64
    assert problems(content_sha256="abc")[("content_sha256",)] == "a sha256 has 64 digits 0-9 a-f"


def test_openml_needs_id_and_version():
    messages = problems(sources=[{"kind": "openml", "name": "toy"}])
    assert {("sources", 0, "openml", "id"), ("sources", 0, "openml", "version")} <= set(messages)


def test_other_contradictions():
    assert "listed as nominal and as numeric" in problems(nominal=["a"], numeric=["a"])[("nominal",)]
    assert "does not say how it is read" in problems(read=...)[("read",)]
    for key, read in (
        ("target_index", {"target_index": 0}),
        ("target_index", {"header": False, "columns": ["a", "kind"], "target_index": 0}),
        *(("quote", {"quote": sign}) for sign in (",", "a")),
        *(("comment", {"comment": sign}) for sign in (",", "-", " #", '"')),
    ):
        assert set(problems(read={"format": "csv"} | read)) == {("read", "csv", key)}
    twice = {"kind": "url", "files": [{"url": f"https://x.org/{i}/toy.csv", "sha256": "0" * 64} for i in range(2)]}
    assert "each file needs a name of its own" in problems(sources=[twice])[("files",)]
    assert ("sources", 0, "url", "files", 0, "url") in problems(
        sources=[{"kind": "url", "files": [{"url": "file:///x"}]}]
    )


def test_a_row_is_taken_once():
    step = {"step": "take_rows", "first": [0, 2, 2]}
    assert problems(steps=[step])[("steps", 0, "take_rows", "first")] == "names 2 twice"
    assert ("steps", 0, "take_rows", "first", 0) in problems(steps=[step | {"first": [-1]}])


def test_a_value_of_no_kind_is_one_problem():
    for value in (None, True, [1]):
        step = {"step": "drop_rows", "column": "a", "values": [value]}
        assert list(problems(steps=[step])) == [("steps", 0, "drop_rows", "values", 0)]
        step = {"step": "relabel", "classes": {"a": value}}
        assert list(problems(steps=[step])) == [("steps", 0, "relabel", "classes", "a")]


def test_own_files_of_one_name_in_two_folders_can_be_told_apart(monkeypatch):
    monkeypatch.setenv("HOME", "/home/me")
    files = [{"path": "~/train/toy.csv"}, {"path": "test/toy.csv"}]
    assert "each file needs a name of its own" in problems(sources=[OWN | {"files": files}])[("files",)]
    source = described(OWN | {"files": [files[0], files[1] | {"name": "test.csv"}]}).sources[0]
    assert [file.saved_as for file in source.files] == ["toy.csv", "test.csv"]
    assert source.files[0].path == "/home/me/train/toy.csv"


def test_descriptions_cost_no_numpy():
    code = (
        "import sys, scarce.config.datasets\n"
        "print([m for m in ('numpy', 'pandas', 'sklearn', 'pooch', 'openml') if m in sys.modules])"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"
