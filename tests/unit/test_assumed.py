"""Numbers that carry what they assume."""

import math

import pytest

from scarce.assumed import Assumed, Sentence, say
from scarce.report.advice import AssumedTable


@pytest.mark.parametrize("assumes", [[], [""], "SCAR"])
def test_a_number_without_an_assumption_is_refused(assumes):
    with pytest.raises(ValueError, match="needs a list of what it assumes"):
        Assumed(0.3, assumes)


@pytest.mark.parametrize("words", ["3 rows", "a share of 0.3", "{n} of 10 rows"])
def test_a_sentence_with_a_bare_number_is_refused(words):
    with pytest.raises(ValueError, match="needs what it assumes"):
        say(words, **({"n": Assumed(1, ["counted"])} if "{n}" in words else {}))


def test_places_are_those_of_the_parts():
    assert str(say("F1 is {f1}", f1=Assumed(0.5, ["SCAR"], 0.25, 1, "percent"))) == "F1 is 50.0 % [25.0 %, 100.0 %]"
    for words, numbers in (("{a}", {}), ("none", {"a": Assumed(1, ["SCAR"])}), ("{a}", {"a": 1})):
        with pytest.raises(ValueError, match=r"places|no Assumed"):
            Sentence(words, numbers)


def test_assumptions_of_a_sentence_are_named_once():
    line = say("{a} and {b}", a=Assumed(1, ["SCAR", "x"]), b=Assumed(math.nan, ["x", "y"]))
    assert line.assumes == ["SCAR", "x", "y"]
    assert line.numbers["b"].as_json() == {"value": None, "low": None, "high": None, "assumes": ["x", "y"]}


def test_a_table_says_what_its_columns_assume_and_refuses_a_bare_number():
    rows = [("a", [Assumed(0.5, ["SCAR"]), Assumed(0.25, ["SCAR"]), "as told"])]
    table = AssumedTable("t", ["Method", "AP", "F1", "State"], rows).table
    assert table.notes == ("AP, F1: SCAR.",)
    assert table.rows[0].cells[0].tooltip == "assumes: SCAR"
    for label, cells in (("a", ["0.5"]), ("a", ["12 %"]), ("0.5", ["x"])):
        with pytest.raises(ValueError, match="needs what it assumes"):
            AssumedTable("t", ["a", "b"], [(label, cells)])
