"""Columns of dates: parsed strictly, stored as days since 1970, and said of where they are not declared."""

from datetime import date, timedelta

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scarce.data.dates import days
from scarce.errors import DataError
from tests.unit.data.test_prepare import prepared
from tests.unit.data.test_specs import problems

ROWS = "day,b,kind\n2024-01-05,x,yes\n1969-12-31,y,no\n,x,no\n2024-03-01,x,no\n"
FORM = {"dates": {"day": "%Y-%m-%d"}}


@pytest.fixture(autouse=True)
def somewhere(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


@given(st.integers(-700_000, 2_900_000), st.sampled_from(["%Y-%m-%d", "%d.%m.%Y", "%Y%m%d"]))
def test_days_are_counted_from_1970(n, form):
    day = date(1970, 1, 1) + timedelta(days=n)
    text = form.replace("%Y", f"{day.year:04d}").replace("%m", f"{day.month:02d}").replace("%d", f"{day.day:02d}")
    assert days(text, form) == n


@pytest.mark.parametrize("text", ["1970-01-02T06:00:00+00:00", "1970-01-02T08:30:00+0230", "1970-01-01T23:00:00-07:00"])
def test_an_offset_is_converted_to_utc(text):
    assert days(text, "%Y-%m-%dT%H:%M:%S%z") == 1.25


def test_a_date_is_a_numeric_feature():
    data = prepared(ROWS, **FORM)
    assert data.names == ["day", "b"] and data.categorical.tolist() == [False, True]
    np.testing.assert_array_equal(data.X[:, 0], [19727, -1, np.nan, 19783])
    assert not [text for text in data.description["warnings"] if "'day'" in text]


def test_the_form_decides_what_digits_mean():
    rows = "day,kind\n05012024,yes\n31121969,no\n"
    assert prepared(rows, dates={"day": "%d%m%Y"}).X[:, 0].tolist() == [19727, -1]


@pytest.mark.parametrize(
    ("cell", "said"),
    [("2024-02-30", "'2024-02-30' in row 3"), ("05.01.2024", "'05.01.2024' in row 3"), ("x", "'x' in row 3")],
)
def test_a_cell_that_is_no_such_date_is_named_with_its_row(cell, said):
    with pytest.raises(DataError, match="which is no date of the form '%Y-%m-%d'") as error:
        prepared(ROWS.replace("\n,x", f"\n{cell},x"), **FORM)
    assert "column 'day'" in error.value.message and said in error.value.message


def test_a_declared_mark_is_a_missing_date():
    data = prepared(ROWS.replace("\n,x", "\nnever,x"), **FORM, read={"format": "csv", "missing": ["never"]})
    assert np.isnan(data.X[2, 0])


def test_names_are_those_after_the_steps_and_steps_see_numbers():
    steps = [{"step": "rename", "names": {"day": "when"}}, {"step": "impute"}]
    data = prepared(ROWS, dates={"when": "%Y-%m-%d"}, steps=steps)
    assert data.names[0] == "when" and data.X[2, 0] == pytest.approx((19727 - 1 + 19783) / 3)


@pytest.mark.parametrize(
    ("fields", "key"),
    [
        ({"dates": {"day": "%H:%M"}}, ("dates", "day")),
        ({"dates": {"day": "%Y-%Q"}}, ("dates", "day")),
        ({"dates": {"day": "%Y-%m-%d %Z"}}, ("dates", "day")),
        ({"dates": {"day": "%Y"}, "nominal": ["day"]}, ("dates",)),
        ({"dates": {"kind": "%Y"}}, ("dates",)),
        ({"group": "kind"}, ("group",)),
        ({"time": "kind"}, ("time",)),
    ],
)
def test_a_wrong_form_or_column_is_said_at_its_key(fields, key):
    assert key in problems(**fields)


def test_dates_that_are_not_declared_are_said():
    (warning,) = [text for text in prepared(ROWS).description["warnings"] if "'day'" in text]
    assert "dates: {day:" in warning
    many = "day,kind\n" + "".join(f"2024-01-{day:02d},{'yes' if day % 3 else 'no'}\n" for day in range(1, 31))
    with pytest.raises(DataError, match="has another text in each row") as error:
        prepared(many)
    assert "dates: {day:" in error.value.hint
