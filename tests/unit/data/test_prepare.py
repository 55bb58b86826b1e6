"""Steps, the prepared table, its content hash, and how it is stored and loaded."""

from __future__ import annotations

import zipfile
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest
from pydantic import Field, ValidationError

from scarce import files, paths
from scarce.config.datasets import DatasetSpec
from scarce.data import generators, steps
from scarce.data.generators import GeneratorOptions, generate
from scarce.data.prepare import Content, prepare_dataset
from scarce.data.sources import fetch_dataset
from scarce.data.store import load_features_only, load_prepared
from scarce.data.tables import Table, as_text
from scarce.errors import ConfigError, DataError
from tests.unit.data.toy import ROWS, described

OWN = {"kind": "local", "files": [{"path": "toy.csv"}]}


def prepared(text: str = ROWS, **more):
    Path("toy.csv").write_text(text)
    spec = described(OWN, **more)
    fetch_dataset(spec)
    prepare_dataset(spec)
    return load_prepared("toy")


# -- steps -----


def table() -> Table:
    classes = np.array(["1", "2", "3", "1", "2", "3"], dtype=object)
    return Table(
        ["a", "b", "k"],
        [np.arange(1.0, 7.0), np.array(["x", "y", None, "x", "7", "z"], dtype=object), classes],
        [False, True, True],
    )


def after(*given: dict, positive=("1",)) -> Table:
    spec = described(OWN, steps=list(given))
    return steps.apply(table(), spec.steps, steps.Target("k", list(positive)))


def test_columns():
    assert after({"step": "keep_columns", "columns": ["b", "a"]}).names == ["b", "a", "k"]
    assert after({"step": "drop_columns", "columns": ["b"]}).names == ["a", "k"]
    assert after({"step": "rename", "names": {"a": "z"}}).names == ["z", "b", "k"]


def test_rows_by_value_as_number_or_as_text():
    assert after({"step": "drop_rows", "column": "a", "values": [2, 3.0]}).column("a").tolist() == [1, 4, 5, 6]
    assert after({"step": "drop_rows", "column": "b", "values": ["x", 7]}).column("a").tolist() == [2, 3, 6]


def test_missing_marker_of_one_column():
    assert np.isnan(after({"step": "set_missing", "column": "a", "values": [1]}).column("a")[0])
    assert list(after({"step": "set_missing", "column": "b", "values": ["x"]}).column("b")) == [
        None,
        "y",
        None,
        None,
        "7",
        "z",
    ]


def test_log_of_positive_numbers_only():
    assert after({"step": "log", "columns": ["a"]}).column("a").tolist() == np.log(np.arange(1.0, 7.0)).tolist()
    with pytest.raises(DataError, match=r"step 1, log: column 'b'"):
        after({"step": "log", "columns": ["b"]})


def test_classes():
    assert list(after({"step": "keep_classes", "classes": [1, 3]}).column("a")) == [1, 3, 4, 6]
    assert list(after({"step": "relabel", "classes": {"1": "p", 3: "q"}}).column("k")) == ["p", "2", "q", "p", "2", "q"]


def test_take_rows_in_the_order_given_then_whole_classes():
    taken = after({"step": "take_rows", "first": [5, 0], "then_classes": [2]})
    assert taken.column("a").tolist() == [6, 1, 2, 5]


def test_sample_classes_is_seeded_and_keeps_the_order():
    step = {"step": "sample_classes", "classes": {"1": 1, "2": 2}, "seed": 4}
    first = np.random.RandomState(4).choice([0, 3], 1, replace=False)[0] + 1
    assert after(step).column("a").tolist() == sorted([first, 2, 5])


def test_stratified_subsample_is_that_of_the_paper():
    """Rows of StratifiedShuffleSplit on y in {0, 1}, positive 1, in its own order."""
    from sklearn.model_selection import StratifiedShuffleSplit

    y = [0, 0, 1, 0, 0, 1]
    rows, _ = next(StratifiedShuffleSplit(1, train_size=4, random_state=123).split(np.zeros((6, 1)), y))
    taken = after({"step": "stratified_subsample", "n": 4, "seed": 123}, positive=["3"])
    assert taken.column("a").tolist() == [row + 1 for row in rows]


@pytest.mark.parametrize(
    ("step", "message"),
    [
        ({"step": "keep_columns", "columns": ["q"]}, "there is no column 'q'; columns are a, b, k"),
        ({"step": "keep_classes", "classes": [1, 9]}, "there is no class '9'; classes are 1, 2, 3"),
        ({"step": "take_rows", "first": [6]}, "rows 0 to 5 exist, 6 is asked for"),
        (
            {"step": "take_rows", "first": [0, 1, 2, 3, 4, 5], "then_classes": ["3"]},
            "row 2 is taken twice: as such and with its class '3'",
        ),
        ({"step": "sample_classes", "classes": {"1": 3, "2": 1}, "seed": 0}, "class 1 has 2 rows, 3 are asked for"),
        ({"step": "stratified_subsample", "n": 6, "seed": 0}, "6 rows of 6 are no subsample"),
    ],
)
def test_steps_that_cannot_be_done(step, message):
    with pytest.raises(DataError) as error:
        after(step)
    assert error.value.message == f"step 1, {step['step']}: {message}"


# -- the prepared table -----


def test_prepared_table():
    toy = prepared("b,a,kind\nx,1,yes\n,2.5,no\ny,,no\nx,4,no\n")
    assert toy.names == ["b", "a"]
    assert np.array_equal(toy.X, [[0, 1], [np.nan, 2.5], [1, np.nan], [0, 4]], equal_nan=True)
    assert toy.X.dtype == np.float64
    assert toy.categorical.tolist() == [True, False]
    assert toy.categories == {"b": ["x", "y"]}
    assert toy.y.tolist() == [1, 0, 0, 0]
    assert toy.y.dtype == np.int8
    assert toy.description["levels"] == [2, 0]
    about = files.read_json(paths.prepared_json("toy"))
    assert [about[key] for key in ("n", "d", "positives", "status", "levels")] == [4, 2, 1, "ok", [2, 0]]


def test_numbers_as_names_and_names_as_numbers():
    toy = prepared("a,b,kind\n10,1,yes\n9,x,no\n", nominal=["a"])
    assert toy.categories == {"a": ["10", "9"], "b": ["1", "x"]}
    with pytest.raises(DataError, match=r"toy: column 'b' is to be numeric, but row 2 holds 'x'"):
        prepared("a,b,kind\n10,1,yes\n9,x,no\n", numeric=["b"])
    with pytest.raises(DataError, match="there is no column 'c'"):
        prepared(nominal=["c"])


def test_several_positive_classes_and_classes_as_numbers():
    assert prepared("a,kind\n1,1.0\n2,2.0\n3,3.0\n", positive=[1, 2]).y.tolist() == [1, 1, 0]
    assert prepared("a,kind\n1,NA\n2,None\n3,K\n", positive="NA").y.tolist() == [1, 0, 0]


def test_a_positive_class_that_is_not_there_lists_those_that_are():
    with pytest.raises(DataError) as error:
        prepared(positive="si")
    message = "toy.csv: toy: column 'kind' has no class 'si'; classes are no (3), yes (1) (correct `positive:`)"
    assert str(error.value) == message
    with pytest.raises(DataError, match="there is no class column 'sort'; columns are a, b, kind"):
        prepared(target="sort")
    with pytest.raises(
        DataError, match=r"all rows are of the positive class; classes of 'kind' are no \(3\), yes \(1\)"
    ):
        prepared(positive=["yes", "no"])


def test_what_was_expected_and_what_was_found():
    prepared(expected={"n": 4, "d": 2, "positives": 1})
    with pytest.raises(DataError) as error:
        prepared(expected={"n": 5, "d": 2, "positives": 2})
    assert str(error.value) == "toy: source local (toy.csv) gives n 4, expected 5, positives 1, expected 2"


def test_another_content_names_the_source():
    proof = prepared().description["content_sha256"]
    assert prepared(ROWS.replace("\n", "\r\n"), content_sha256=proof).y.sum() == 1
    with pytest.raises(DataError) as error:
        prepared(ROWS.replace("3,x,no", "3,y,no"), content_sha256=proof)
    assert str(error.value).startswith("toy: source local (toy.csv) gives a table with content_sha256 ")
    assert str(error.value).endswith(f", expected {proof}")


def test_infinite_values_are_refused():
    with pytest.raises(DataError, match="column 'a' has infinite values"):
        prepared("a,kind\ninf,yes\n1,no\n")


def test_content_hash_changes_with_every_part_and_not_with_bits_that_mean_nothing():
    def content(X=((1.0, 0.0), (np.nan, 1.0)), y=(1, 0), names=("a", "b"), levels=("x", "y")):
        return Content(
            np.array(X), np.array(y, np.int8), list(names), np.array([False, True]), {names[1]: list(levels)}
        ).sha256()

    base = content()
    assert (
        len(
            {
                base,
                content(X=((1.0, 0.0), (2.0, 1.0))),
                content(y=(0, 1)),
                content(names=("a", "c")),
                content(levels=("x", "z")),
            }
        )
        == 5
    )
    other_nan = np.frombuffer(np.uint64(0x7FF8000000000001).tobytes(), np.float64)[0]
    assert content(X=((1.0, -0.0), (other_nan, 1.0))) == base


TWO = {"kind": "local", "files": [{"path": "late.csv"}, {"path": "toy.csv"}]}


def two_files(**more):
    Path("late.csv").write_text("a,kind\n7,yes\n8,no\n9,maybe\n")
    Path("toy.csv").write_text("a,kind\n1,yes\n2,no\n3,no\n4,maybe\n")
    spec = described(TWO, **more)
    fetch_dataset(spec)
    prepare_dataset(spec)
    return load_prepared("toy")


def test_rows_of_test_files_are_the_test_part_through_all_steps():
    loaded = two_files(test_files=["late.csv"], steps=[{"step": "keep_classes", "classes": ["yes", "no"]}])
    assert loaded.X[:, 0].tolist() == [1, 2, 3, 7, 8]
    assert loaded.test_part.tolist() == [False, False, False, True, True]
    assert loaded.description["test_rows"] == 2
    taken = two_files(test_files=["late.csv"], steps=[{"step": "drop_rows", "column": "a", "values": [2, 7]}])
    assert taken.test_part.tolist() == [False, False, False, True, True]


def test_without_test_files_there_is_no_test_part():
    loaded = two_files()
    assert loaded.test_part is None
    assert loaded.X[:, 0].tolist() == [7, 8, 9, 1, 2, 3, 4]
    with zipfile.ZipFile(paths.prepared("toy")) as archive:
        assert "test_part.npy" not in archive.namelist()


def test_the_content_hash_changes_with_the_test_part():
    names = [["late.csv"], ["toy.csv"], []]
    assert len({two_files(test_files=some).description["content_sha256"] for some in names}) == 3


def test_raw_files_that_have_changed_since_are_not_read():
    prepared()
    (paths.raw("toy") / "toy.csv").write_text(ROWS[:20])
    with pytest.raises(DataError) as error:
        prepare_dataset(described(OWN))
    assert error.value.where == "data/raw/toy/toy.csv"
    assert "has changed since it was fetched" in error.value.message
    assert error.value.hint == "scarce fetch toy"


def test_not_fetched_not_prepared_and_sources_that_are_gone():
    with pytest.raises(DataError, match="toy is not fetched"):
        prepare_dataset(described(OWN))
    with pytest.raises(DataError, match="toy is not prepared"):
        load_prepared("toy")
    prepared()
    with pytest.raises(DataError, match="which is no longer one of its sources"):
        prepare_dataset(described({"kind": "local", "files": [{"path": "b.csv"}]}))


def test_unavailable_has_no_rows():
    spec = DatasetSpec.model_validate(
        {"name": "toy", "sources": [OWN], "read": {"format": "csv"}, "target": "k", "positive": 1, "reason": "private"}
    )
    fetch_dataset(spec)
    assert prepare_dataset(spec)["reason"].startswith("private; ")
    toy = load_prepared("toy")
    assert toy.description["status"] == "unavailable"
    assert (toy.X.shape, toy.y.shape, toy.categorical.shape) == ((0, 0), (0,), (0,))


def test_features_are_loaded_without_a_look_at_the_labels():
    """With y's bytes destroyed, features load as before and only asking for y fails."""
    expected = prepared().X
    with zipfile.ZipFile(paths.prepared("toy")) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    with zipfile.ZipFile(paths.prepared("toy"), "w") as archive:
        for name, content in parts.items():
            archive.writestr(name, b"\x93NUMPY poison" if name == "y.npy" else content)
    features = load_features_only("toy")
    assert np.array_equal(features.X, expected, equal_nan=True)
    assert not hasattr(features, "y")
    with pytest.raises(DataError, match="damaged"):
        _ = load_prepared("toy").y


def test_as_text():
    assert [as_text(value) for value in (1, 1.0, "1.0", " 1 ", "1.50", "-2.00", "a.0", None)] == [
        "1", "1", "1", "1", "1.50", "-2", "a.0", None,
    ]  # fmt: skip


# -- synthetic -----


@pytest.mark.parametrize("kind", ["moons", "blobs"])
def test_synthetic_sets_have_the_prior_and_depend_on_the_seed_only(kind):
    one, again, other = (generate(kind, n=200, prior=0.1, seed=seed) for seed in (0, 0, 1))
    assert (one.column("label") == "positive").sum() == 20
    assert all(a.tolist() == b.tolist() for a, b in zip(one.columns, again.columns, strict=True))
    assert one.columns[0].tolist() != other.columns[0].tolist()


def test_blobs_are_apart_by_the_separation_and_their_levels_differ():
    blobs = generate("blobs", n=20000, prior=0.5, seed=0, d=9, separation=3.0, levels=3)
    positive = blobs.column("label") == "positive"
    X = np.column_stack(blobs.columns[:9])
    distance = np.linalg.norm(X[positive].mean(0) - X[~positive].mean(0))
    assert distance == pytest.approx(3.0, abs=0.1)
    share = [(blobs.column("group")[positive] == f"g{k}").mean() for k in (1, 2, 3)]
    assert share == pytest.approx([1 / 6, 2 / 6, 3 / 6], abs=0.02)


def test_a_generator_is_one_registered_function(monkeypatch):
    """Options are checked and completed by the generator's model, columns are rounded, texts are nominal."""

    class Rings(GeneratorOptions):
        radius: float = Field(1.0, gt=0)
        columns: ClassVar[int] = 2

    monkeypatch.setattr(generators, "GENERATORS", {})

    @generators.generator("rings", Rings)
    def rings(random, y, options):
        return {"x1": options.radius * (y + 1 / 3), "side": np.where(y, "in", "out").astype(object)}

    with pytest.raises(ConfigError, match="generator rings is registered twice"):
        generators.generator("rings", Rings)(rings)

    source = {"kind": "generated", "generator": "rings", "n": 10, "prior": 0.2, "seed": 0}
    spec = described(source, target="label", positive="positive")
    assert spec.sources[0].options == {"radius": 1.0}
    assert spec.sources[0].code == ["scarce.data.generators", __name__]
    fetch_dataset(spec)
    prepare_dataset(spec)
    toy = load_prepared("toy")
    assert toy.names == ["x1", "side"]
    assert toy.description["levels"] == [0, 2]
    assert set(toy.X[:, 0]) == {0.333333, 1.333333}
    assert toy.y.sum() == 2
    for wrong, place in (
        ({"generator": "disks"}, "generator"),
        ({"options": {"radius": -1}}, "options.radius"),
        ({"options": {"radios": 1.0}}, "options.radios"),
        ({"n": 10**8}, "n"),
        ({"seed": 2**32}, "seed"),
    ):
        with pytest.raises(ValidationError) as error:
            described(source | wrong)
        (problem,) = error.value.errors()
        assert ".".join(map(str, problem["loc"])).endswith(place) or problem["ctx"].get("about") == place
