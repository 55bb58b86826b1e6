"""What is read of a fitted estimator: the column of the positive class, and whatever it left, of any type."""

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

from scarce.fitting.fits import read_runs, write_runs
from scarce.fitting.fitted import scores_of
from tests.unit.fitting.test_cell import Echo, cell, run_cell, run_repeat


class Scorer:
    """Scores each row by its first feature; `classes_` and the order of columns as stated."""

    def __init__(self, classes=None, *, score_function=None, reverse=False):
        if classes is not None:
            self.classes_ = classes
        self.reverse, self.score_function = reverse, score_function

    def predict_proba(self, X):
        columns = np.column_stack([1 - X[:, 0], X[:, 0]])
        return columns[:, ::-1] if self.reverse else columns

    def decision_function(self, X):
        return -X[:, 0] if self.reverse else X[:, 0]


X = np.array([[0.25], [0.5], [1.0]])


@pytest.mark.parametrize(
    "classes",
    [
        [0, 1], (0, 1), np.array([0, 1]), np.array([0.0, 1.0]), [False, True], np.array([False, True]), [-1, 1],
        ["0", "1"], np.array(["-1", "1"]), pd.Index([0, 1]), np.array([0, 1], object), np.array([0, 1], np.int8), None,
    ],
)  # fmt: skip
@pytest.mark.parametrize("name", [None, "predict_proba", "decision_function"])
def test_the_positive_column_is_that_of_class_1(classes, name):
    np.testing.assert_array_equal(scores_of(Scorer(classes, score_function=name), X), X[:, 0])
    if classes is not None:
        turned = Scorer(classes[::-1], score_function=name, reverse=True)
        np.testing.assert_array_equal(scores_of(turned, X), X[:, 0])


@pytest.mark.parametrize(
    "classes",
    [
        ["unlabeled", "positive"], [0, 2], [1, 2], [0, 1, 2], [1], [], 1, "01", {0, 1}, {0: "no", 1: "yes"},
        [0, np.nan], [None, 1], [[0, 1]], [np.array([0, 1])], [1, 1], [0, [1, 2]], [np.nan, np.nan], object(),
    ],
)  # fmt: skip
@pytest.mark.parametrize("name", ["predict_proba", "decision_function"])
def test_classes_that_are_not_those_of_fit_are_refused(classes, name):
    with pytest.raises(ValueError, match="classes_ must hold the labels 0 and 1"):
        scores_of(Scorer(classes, score_function=name), X)


def test_a_method_whose_classes_are_refused_is_a_row(tmp_path):
    runs = run_cell(cell(type("Words", (Echo,), {"classes_": ["u", "p"]}), foreign=True), tmp_path / "c", "key")
    assert {run.status for run in runs} == {"failed"}
    assert all("classes_" in run.message and "['u', 'p']" in run.message for run in runs)


@pytest.mark.parametrize("name", [3, ["predict_proba"], b"predict_proba"])
def test_a_score_function_is_a_name(name):
    with pytest.raises(ValueError, match="score_function must be the name"):
        scores_of(Scorer(score_function=name), X)


def leaving(**left):
    return run_repeat(cell(type("Leaves", (Echo,), left)), 0)


@pytest.mark.parametrize(
    ("notes", "message"),
    [
        ("the solver fell back", "the solver fell back"),
        (np.str_("fell\n back"), "fell back"),
        ("", ""), ("  ", ""), (None, ""), ([], ""), ([None, ""], ""),
        (("one", "two"), "one; two"),
        ({"b", "a", "c"}, "a; b; c"),
        (np.array(["one", "two"]), "one; two"),
        (pd.Series(["one", "two"]), "one; two"),
        (["one", None, "one"], "one"),
    ],
)  # fmt: skip
def test_notes_that_are_text(notes, message):
    run = leaving(notes_=notes)
    assert (run.status, run.message.replace("validation: ", "").split("; ")[: message.count("; ") + 1]) == (
        "ok",
        message.split("; "),
    )
    assert "left out" not in run.message


def breaks_off(self):
    yield "one"
    raise RuntimeError("no more")


class Hostile:
    def __float__(self):
        raise RuntimeError("no number")

    def __array__(self, dtype=None, copy=None):
        raise KeyError("no array")


class BrokenText:
    def __str__(self):
        raise RuntimeError("no text")

    __repr__ = __str__


@pytest.mark.parametrize(
    ("attribute", "value", "named"),
    [
        ("notes_", 3, "notes_ is not a list of text: an int"),
        ("notes_", b"bytes", "notes_ is not a list of text: a bytes"),
        ("notes_", {"a": "b"}, "notes_ is not a list of text: a dict"),
        ("notes_", [3], "notes_ is not a list of text: an int at place 0"),
        ("notes_", ["one", 2.5], "a float at place 1"),
        ("notes_", ["one", ["two"]], "a list at place 1"),
        ("notes_", np.array("zero dimensions"), "notes_ cannot be read (TypeError)"),
        ("notes_", property(breaks_off), "notes_ cannot be read (RuntimeError)"),
        ("facts_", {"share": "half"}, "facts_['share'] is a str"),
        ("facts_", {"share": "0.5"}, "facts_['share'] is a str"),
        ("facts_", {"share": b"1"}, "facts_['share'] is a bytes"),
        ("facts_", {"share": None}, "facts_['share'] is None"),
        ("facts_", {"share": [1, 2]}, "facts_['share'] is a list"),
        ("facts_", {"share": [1]}, "facts_['share'] is a list"),
        ("facts_", {"share": {1}}, "facts_['share'] is a set"),
        ("facts_", {"share": {"a": 1}}, "facts_['share'] is a dict"),
        ("facts_", {"share": np.arange(3)}, "facts_['share'] is a ndarray"),
        ("facts_", {"share": 1j}, "facts_['share'] is a complex"),
        ("facts_", {"share": np.complex64(1)}, "facts_['share'] is a complex64"),
        ("facts_", {"share": np.datetime64("2020-01-01")}, "facts_['share'] is a datetime64"),
        ("facts_", {"share": pd.NA}, "facts_['share'] is a NAType"),
        ("facts_", {"share": Hostile()}, "facts_['share'] is a Hostile"),
        ("facts_", {"share": np.nan}, "facts_['share'] is nan"),
        ("facts_", {"share": np.float32("-inf")}, "facts_['share'] is -inf"),
        ("facts_", {"share": Decimal("NaN")}, "facts_['share'] is nan"),
        ("facts_", {"share": 10**400}, "facts_['share'] is too large"),
        ("facts_", {"share": np.ma.masked}, "facts_['share'] is masked"),
        ("facts_", {"": 1.0}, "facts_[''] has no name"),
        ("facts_", {1: 1.0, "1": 2.0}, "facts_['1'] is there twice"),
        ("facts_", {BrokenText(): 1.0}, "facts_ cannot be read (RuntimeError)"),
        ("facts_", [1.0], "facts_ is not a dict: a list"),
        ("facts_", 1.0, "facts_ is not a dict: a float"),
        ("facts_", pd.Series({"a": 1.0}), "facts_ is not a dict: a Series"),
        ("arrays_", {"curve": [object()]}, "arrays_['curve'] is a list"),
        ("arrays_", {"curve": [[1], [2, 3]]}, "arrays_['curve'] is a list"),
        ("arrays_", {"curve": Hostile()}, "arrays_['curve'] is a Hostile"),
        ("arrays_", {"curve": np.ma.masked_equal([1, 2], 1)}, "arrays_['curve'] has masked values"),
        ("arrays_", [1.0], "arrays_ is not a dict: a list"),
        ("arrays_", {"importances": np.ones((2, 2))}, "arrays_['importances'] is not a number a feature"),
        ("arrays_", {"importances": 3.0}, "arrays_['importances'] is not a number a feature"),
        ("arrays_", {"importances": ["high", "low"]}, "arrays_['importances'] is not a number a feature"),
        ("arrays_", {"importances": [1.0, 2.0], "normalised_importances": [1.0]}, "arrays_['importances'] is not"),
    ],
)  # fmt: skip
def test_what_is_of_a_wrong_type_is_named_and_costs_neither_the_run_nor_the_rest(attribute, value, named, tmp_path):
    rest = {"notes_": ["a note"], "facts_": {"rows": 2}, "arrays_": {"line": [1.0]}}
    kind = type("Wrong", (Echo,), rest | {attribute: value})
    runs = run_cell(cell(kind), tmp_path / "checkpoint", "key")
    write_runs(tmp_path / "runs.npz", runs, "f")
    for run in read_runs(tmp_path / "runs.npz").runs:
        assert run.status == "ok"
        assert len(run.test_scores) == 12
        assert run.message.startswith("left out: ")
        assert run.message.count("left out") == 1
        assert named in run.message
        assert attribute == "notes_" or "a note" in run.message
        assert attribute == "facts_" or run.facts == {"rows": 2.0}
        assert attribute == "arrays_" or [*run.arrays] == ["line"]


def test_numbers_of_many_types_are_facts():
    half = [0.5, np.float32(0.5), np.float16(0.5), Fraction(1, 2), Decimal("0.5"), np.array(0.5), np.array([0.5])]
    facts = {f"half {place}": value for place, value in enumerate(half)}
    run = leaving(facts_=facts | {"b": True, "i": 2**70, 7: np.int8(3)})
    assert run.facts == dict.fromkeys(facts, 0.5) | {"b": 1.0, "i": 2.0**70, "7": 3.0}
    assert "left out" not in run.message


def test_names_of_facts_are_one_line_of_text(tmp_path):
    runs = run_cell(
        cell(type("Odd", (Echo,), {"facts_": {"a\nb": 1.0, "\udc80": 2.0, "\0": 3.0}})), tmp_path / "c", "k"
    )
    assert runs[0].facts == {"a b": 1.0, "\\udc80": 2.0, "\\x00": 3.0}


def test_of_many_that_are_wrong_a_message_names_few_and_counts_the_rest():
    message = leaving(facts_=dict.fromkeys("abcdefgh"), notes_=["x" * 400]).message
    assert message.startswith("left out: facts_['a'] is None, facts_['b'] is None, facts_['c'] is None and 5 more; xxx")


def test_nothing_left_is_nothing_said():
    assert leaving(notes_=None, facts_=None, arrays_=None).message == leaving().message
