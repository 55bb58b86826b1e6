"""Columns of groups and of times: stored beside the features, and no features unless one asks for it."""

import numpy as np
import pytest

from scarce.data.availability import own_problems
from scarce.errors import DataError
from tests.unit.data.test_prepare import OWN, prepared
from tests.unit.data.toy import described

ROWS = "who,day,a,kind\n007,2,1.5,yes\n7,1,2.5,no\n007,1,3.5,no\nx,3,,no\n"
BOTH = {"group": "who", "time": "day"}


@pytest.fixture(autouse=True)
def somewhere(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def test_they_are_no_features():
    data = prepared(ROWS, **BOTH)
    assert data.names == ["a"]
    assert data.group.tolist() == [0, 1, 0, 2] and data.group.dtype == np.int32
    assert data.time.tolist() == [2.0, 1.0, 1.0, 3.0]
    assert (data.description["group"], data.description["time"]) == ("who", "day")


def test_a_list_of_kinds_makes_them_features():
    data = prepared(ROWS, **BOTH, nominal=["who"], numeric=["day"])
    assert data.names == ["who", "day", "a"] and data.categories == {"who": ["007", "7", "x"]}
    assert data.group.tolist() == [0, 1, 0, 2]


def test_a_date_can_be_the_time():
    rows = (
        ROWS.replace(",2,", ",2024-01-02 12:00,")
        .replace(",1,", ",2024-01-01 00:00,")
        .replace(",3,", ",2024-02-01 00:00,")
    )
    data = prepared(rows, time="day", dates={"day": "%Y-%m-%d %H:%M"}, nominal=["who"])
    assert data.names == ["who", "a"] and data.time.tolist() == [19724.5, 19723, 19723, 19754]


def test_tables_without_them_are_what_they_were():
    plain, split = prepared(ROWS), prepared(ROWS, **BOTH, nominal=["who"], numeric=["day"])
    assert (plain.group, plain.time) == (None, None) and not {"group", "time"} & {*plain.description}
    np.testing.assert_array_equal(plain.X, split.X)
    hashes = {
        prepared(ROWS, nominal=["who"], numeric=["day"], **some).description["content_sha256"]
        for some in ({}, {"group": "who"}, {"time": "day"}, BOTH)
    }
    assert len(hashes) == 4 and plain.description["content_sha256"] in hashes


def test_steps_for_all_columns_leave_them_alone():
    steps = [{"step": "impute"}, {"step": "bin", "bins": 2}]
    data = prepared(ROWS, **BOTH, steps=steps)
    assert data.time.tolist() == [2.0, 1.0, 1.0, 3.0] and not np.isnan(data.X).any()
    for key in ("group", "time"):
        lacking = ROWS.replace("x,3", ",3" if key == "group" else "x,")
        with pytest.raises(DataError, match=rf"which `{key}:` names, has no value in row 4"):
            prepared(lacking, **{key: BOTH[key]}, nominal=["who"] if key == "time" else [], steps=[{"step": "impute"}])


def test_they_follow_their_rows_and_names_through_steps():
    steps = [{"step": "rename", "names": {"who": "customer"}}, {"step": "drop_rows", "column": "a", "values": [2.5]}]
    data = prepared(ROWS, group="customer", time="day", steps=steps)
    assert data.group.tolist() == [0, 0, 1] and data.time.tolist() == [2.0, 1.0, 3.0]


@pytest.mark.parametrize("key", ["group", "time", "dates"])
def test_a_column_that_is_not_there_is_said_before_and_at_preparing(key):
    with pytest.raises(DataError, match="there is no column 'lost'") as error:
        prepared(ROWS, **{key: {"lost": "%Y"} if key == "dates" else "lost"})
    assert error.value.hint == f"correct `{key}:`"
    spec = described(OWN, **{key: {"lost": "%Y"} if key == "dates" else "lost"})
    assert [at for at, *_ in own_problems(spec)] == [(key,)]


def test_a_time_that_is_a_date_needs_its_form():
    with pytest.raises(DataError, match="column 'day' is to be numeric") as error:
        prepared(ROWS.replace(",2,", ",2024-01-02,"), time="day", nominal=["who"])
    assert "dates: {day:" in error.value.hint


def test_a_table_needs_a_feature_beside_them():
    with pytest.raises(DataError, match="no column beside"):
        prepared("who,day,kind\n1,1,yes\n2,2,no\n", **BOTH)
