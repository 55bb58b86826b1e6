"""What a filter leaves is ranked and tested in the page; held against pandas and SciPy, without scarce's analysis."""

import urllib.parse

import numpy as np
import pandas as pd
import pytest
from scipy.stats import norm, t
from statsmodels.stats.multitest import multipletests

from tests.browser.conftest import SETTLED, small_study

COLUMNS = ["average_rank", "mean", "interval_width", "wins", "p_holm"]
READ = """rows => rows.map(row => [row.dataset.method, ...[1, 2, 3, 4, 5].map(i => row.cells[i].dataset.sort)])"""


@pytest.fixture(scope="module")
def results():
    return small_study()


def leaderboard(page, fragment: str) -> pd.DataFrame:
    """The numbers of the table behind what it prints."""
    page.evaluate(SETTLED, fragment)
    rows = page.eval_on_selector_all("table[data-name=leaderboard] > tbody > tr", READ)
    frame = pd.DataFrame([row[1:] for row in rows], [row[0] for row in rows], COLUMNS)
    return frame.apply(pd.to_numeric)


def by_pandas(results, metric: str, scenario: str, kept: list[str]) -> pd.DataFrame:
    """The same from the scores, a missing run being the worst of its repeat."""
    scores = results.scores.query("metric == @metric and scenario == @scenario and dataset in @kept")
    runs = scores.pivot_table(index=["dataset", "repeat"], columns="method", values="value", dropna=False)
    runs = runs.apply(lambda row: row.fillna(row.min()), axis=1)
    means = runs.groupby("dataset").mean()
    ranks = means.round(12).rank(axis=1, ascending=False)
    n, k = ranks.shape
    frame = pd.DataFrame({"average_rank": ranks.mean(), "mean": means.mean()})
    frame["interval_width"] = 2 * t.ppf(0.975, n - 1) * means.sem() if n > 1 else np.nan
    frame["wins"] = ranks.eq(ranks.min(axis=1), axis=0).sum()
    frame = frame.sort_values(["average_rank"], kind="stable")
    frame["p_holm"] = np.nan
    if n > 1:
        others = frame["average_rank"].iloc[1:] - frame["average_rank"].iloc[0]
        p = 2 * norm.sf(others / np.sqrt(k * (k + 1) / (6 * n)))
        frame.loc[others.index, "p_holm"] = multipletests(p, method="holm")[1]
    return frame


def filters(results) -> list[tuple[dict, list[str]]]:
    """Fragments, each with the data sets that it keeps: by name, by size, by imbalance, by nominal columns."""
    rng = np.random.default_rng(23)
    names = list(results.names.datasets)
    known = pd.DataFrame(results.sizes, ["n", "d", "positives"]).T.assign(nominal=pd.Series(results.nominal))
    known["imbalance"] = (known["n"] - known["positives"]) / known["positives"]
    made = [({}, names), ({"in": names[4:5]}, names[4:5])]
    for _ in range(4):
        out = [name for name in names if rng.random() < 0.4]
        made.append(({"out": out}, [name for name in names if name not in out]))
    low, high = (float(one) for one in known["imbalance"].quantile([0.3, 0.8]))
    ranges = {
        "n_min": (300, known["n"] >= 300),
        "n_max": (500, known["n"] <= 500),
        "imbalance_min": (low, known["imbalance"] >= low),
        "imbalance_max": (high, known["imbalance"] <= high),
        "nominal": ("some", known["nominal"] > 0),
    }
    made += [({key: value}, list(known.index[inside])) for key, (value, inside) in ranges.items()]
    return [
        *made,
        ({"n_min": 300, "nominal": "none"}, list(known.index[(known["n"] >= 300) & (known["nominal"] == 0)])),
    ]


@pytest.mark.parametrize(("metric", "scenario"), [("auc_pr", "flip-25"), ("f1_oracle", "flip-75")])
def test_every_filter_gives_the_numbers_of_pandas(shown, small, results, metric, scenario):
    page = shown(small)
    for choice, kept in filters(results):
        fragment = "#" + urllib.parse.urlencode({"metric": metric, "scenario": scenario, **choice}, doseq=True)
        own, expected = leaderboard(page, fragment), by_pandas(results, metric, scenario, kept)
        assert sorted(own.index) == sorted(expected.index), fragment
        assert own["average_rank"].is_monotonic_increasing
        pd.testing.assert_frame_equal(
            own, expected.loc[own.index], check_dtype=False, check_names=False, rtol=1e-9, atol=1e-9, obj=fragment
        )
