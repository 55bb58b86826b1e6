import numpy as np
import pandas as pd
import pytest

from scarce.analysis.agreement import AGREEMENT, AGREEMENT_RUNS, agreement, agreement_notes
from scarce.errors import DataError


def runs_of(cells, metric="auc_pr"):
    rows = [
        (dataset, "flip-50", repeat, method, metric, value)
        for (dataset, method), values in cells.items()
        for repeat, value in enumerate(values)
    ]
    return pd.DataFrame(rows, columns=["dataset", "scenario", "repeat", "method", "metric", "value"])


def published_of(cells, metric="auc_pr", sd=None, corrected=None):
    rows = [
        (
            "flip-50",
            metric,
            dataset,
            method,
            value,
            3,
            (sd or {}).get((dataset, method)),
            (corrected or {}).get((dataset, method)),
        )
        for (dataset, method), value in cells.items()
    ]
    columns = ["scenario", "metric", "dataset", "method", "published", "printed_digits", "published_sd", "corrected"]
    frame = pd.DataFrame(rows, columns=columns).astype({"published_sd": float, "corrected": float})
    return frame.assign(note=["misprint: x" if c == c else "" for c in frame["corrected"]])


OURS = runs_of({("x", "a"): [0.50, 0.52, 0.54], ("y", "a"): [0.10, 0.10, 0.13]})


def test_columns_are_the_contract():
    cells, runs = agreement(OURS, published_of({("x", "a"): 0.5}), OURS)
    assert (
        list(cells.columns)
        == AGREEMENT
        == [
            "scenario",
            "metric",
            "dataset",
            "method",
            "published",
            "reproduced",
            "sd",
            "n",
            "difference",
            "standard_error",
            "within",
        ]
    )
    assert (
        list(runs.columns)
        == AGREEMENT_RUNS
        == ["scenario", "metric", "dataset", "method", "n_runs", "n_equal", "correlation", "largest_difference"]
    )


def test_standard_error_with_the_authors_spread():
    theirs = runs_of({("x", "a"): [0.40, 0.50, 0.60]})
    row = agreement(OURS, published_of({("x", "a"): 0.5}), theirs)[0].iloc[0]
    assert row["reproduced"] == pytest.approx(0.52)
    assert row["sd"] == pytest.approx(0.02)
    assert row["n"] == 3
    assert row["difference"] == pytest.approx(0.02)
    assert row["standard_error"] == pytest.approx(np.sqrt((0.02**2 + 0.1**2) / 3))


@pytest.mark.parametrize("sd", [None, {("x", "a"): 0.05}])
def test_standard_error_without_runs_uses_ones_own_spread_twice_whatever_is_printed(sd):
    row = agreement(OURS, published_of({("x", "a"): 0.5}, sd=sd))[0].iloc[0]
    assert row["standard_error"] == pytest.approx(np.sqrt(2 * 0.02**2 / 3))


def test_a_cell_without_the_authors_runs_uses_ones_own_spread_beside_cells_that_have_them():
    published = published_of({("x", "a"): 0.5, ("y", "a"): 0.1}, sd={("x", "a"): 0.05})
    theirs = runs_of({("y", "a"): [0.0, 0.1, 0.2]})
    error = agreement(OURS, published, theirs)[0].set_index("dataset")["standard_error"]
    assert error["x"] == pytest.approx(np.sqrt(2 * 0.02**2 / 3))
    assert error["y"] == pytest.approx(np.sqrt((np.var([0.10, 0.10, 0.13], ddof=1) + 0.1**2) / 3))


def test_the_standard_error_of_an_average_is_at_most_that_of_independent_data_sets():
    theirs = runs_of({("x", "a"): [0.40, 0.50, 0.60], ("y", "a"): [0.09, 0.10, 0.11]})
    error = agreement(OURS, PUBLISHED, theirs)[0].iloc[0]["standard_error"]
    ours_sd, theirs_sd = [0.02, np.std([0.10, 0.10, 0.13], ddof=1)], [0.1, 0.01]
    assert error == pytest.approx(np.sqrt((np.mean(ours_sd) ** 2 + np.mean(theirs_sd) ** 2) / 6))
    assert error < np.sqrt(np.mean(np.square(ours_sd) + np.square(theirs_sd)) / 6)


@pytest.mark.parametrize(("published", "within"), [(0.3, True), (0.3005, True), (0.3006, False), (0.2994, False)])
def test_within_allows_half_of_the_last_printed_digit(published, within):
    constant = runs_of({("x", "a"): [0.3, 0.3]})
    assert agreement(constant, published_of({("x", "a"): published}))[0]["within"].tolist() == [within]


@pytest.mark.parametrize(("distance", "within"), [(0.99, True), (1.01, False)])
def test_within_is_two_standard_errors(distance, within):
    limit = 2 * np.sqrt(2 * 0.02**2 / 3) + 0.0005
    published = published_of({("x", "a"): 0.52 + distance * limit})
    assert agreement(OURS, published)[0]["within"].tolist() == [within]


def test_a_single_run_leaves_within_open():
    cells = agreement(runs_of({("x", "a"): [0.5]}), published_of({("x", "a"): 0.5}))[0]
    assert cells["standard_error"].isna().tolist() == cells["within"].isna().tolist() == [True]


def test_undefined_values_are_not_counted():
    cells = agreement(runs_of({("x", "a"): [0.5, np.nan, 0.7]}), published_of({("x", "a"): 0.6}))[0]
    assert (cells.loc[0, "n"], cells.loc[0, "reproduced"]) == (2, pytest.approx(0.6))


PUBLISHED = published_of({("", "a"): 0.301, ("x", "a"): 0.5, ("y", "a"): 0.1}, sd={("", "a"): 0.03})


def test_average_over_all_data_sets_is_held_against_the_printed_one():
    row = agreement(OURS, PUBLISHED)[0].iloc[0]
    within_set = (0.02 + np.std([0.10, 0.10, 0.13], ddof=1)) / 2
    assert (row["dataset"], row["n"], row["published"]) == ("", 6, 0.301)
    assert row["reproduced"] == pytest.approx((0.52 + 0.11) / 2)
    assert row["sd"] == pytest.approx(within_set)
    assert row["standard_error"] == pytest.approx(np.sqrt(2 * within_set**2 / 6))
    assert agreement_notes(agreement(OURS, PUBLISHED)[0], PUBLISHED).empty


def test_average_over_fewer_data_sets_is_held_against_the_same_ones():
    ours = OURS[OURS["dataset"] == "y"]
    cells = agreement(ours, PUBLISHED)[0]
    assert cells["dataset"].tolist() == ["", "y"]
    assert cells["published"].tolist() == [0.1, 0.1]
    notes = agreement_notes(cells, PUBLISHED)
    assert notes["note"].tolist() == [
        "published averages over fewer than the paper's 2 data sets, from the published values of single data sets"
    ]


def test_average_without_published_single_values_comes_from_the_authors_runs():
    published = published_of({("", "a"): 0.31}, sd={("", "a"): 0.03})
    theirs = runs_of({("x", "a"): [0.4, 0.6], ("y", "a"): [0.1, 0.2]})
    assert agreement(OURS, published, theirs)[0]["published"].tolist() == [0.31]
    ours = OURS[OURS["dataset"] == "y"]
    cells = agreement(ours, published, theirs)[0]
    assert cells["published"].tolist() == pytest.approx([0.15])
    assert agreement_notes(cells, published, theirs)["note"].str.contains("authors' runs").tolist() == [True]
    assert agreement(ours, published)[0].empty


def test_misprints_stay_as_printed_in_their_cell_and_are_corrected_in_averages():
    published = published_of(
        {("", "a"): 0.2, ("x", "a"): 0.9, ("y", "a"): 0.1, ("z", "a"): 0.1}, corrected={("x", "a"): 0.5}
    )
    cells = agreement(OURS, published)[0].set_index("dataset")
    assert cells.loc["x", "published"] == 0.9
    assert cells.loc["", "published"] == pytest.approx((0.5 + 0.1) / 2)
    notes = agreement_notes(cells.reset_index(), published)
    assert notes.set_index("dataset").loc["x", "note"] == "misprint: x"


def test_data_sets_the_paper_does_not_have_stay_out_of_the_average():
    extra = runs_of({("new", "a"): [0.9, 0.9, 0.9]})
    assert agreement(pd.concat([OURS, extra]), PUBLISHED)[0].equals(agreement(OURS, PUBLISHED)[0])


def test_runs_are_compared_one_by_one():
    theirs = runs_of({("x", "a"): [0.50, 0.52 + 5e-7, 0.55], ("y", "a"): [0.1, 0.1, 0.1, 0.7]})
    runs = agreement(OURS, None, theirs)[1].set_index("dataset")
    assert runs.loc["x", ["n_runs", "n_equal"]].tolist() == [3, 2]
    assert runs.loc["x", "largest_difference"] == pytest.approx(0.01)
    assert runs.loc["x", "correlation"] == pytest.approx(
        np.corrcoef([0.50, 0.52, 0.54], [0.50, 0.52 + 5e-7, 0.55])[0, 1]
    )
    assert runs.loc["y", ["n_runs", "n_equal"]].tolist() == [3, 2]
    assert np.isnan(runs.loc["y", "correlation"])


def test_without_reference_there_are_empty_frames():
    cells, runs = agreement(OURS, None)
    assert (list(cells.columns), len(cells)) == (AGREEMENT, 0)
    assert (list(runs.columns), len(runs)) == (AGREEMENT_RUNS, 0)


def test_duplicates_are_refused():
    with pytest.raises(DataError, match="twice"):
        agreement(pd.concat([OURS, OURS]), PUBLISHED)
