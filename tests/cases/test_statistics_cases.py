"""S01 to S11: every matrix of the reference, degenerate ones among them, to the tolerance of the reference."""

from __future__ import annotations

import json
import math

import numpy as np
import pandas as pd
import pytest

from scarce.analysis import ranks, tests
from scarce.analysis.statistics import AnalysisSettings, analyse
from scarce.errors import DataError
from scarce.report.figures.cd_diagram import critical_difference
from scarce.words import p_value
from tests.cases.conftest import folder
from tests.unit.report.test_figures import assert_no_overlap, assert_nothing_cut, gids

STATISTIC, P, CD = 1e-6, 1e-4, 1e-4


def reference() -> dict:
    at = folder()
    file = at / "stats_reference.json" if at else None
    return json.loads(file.read_text()) if file and file.is_file() else {"matrices": {}, "critical_values_q": {}}


REFERENCE = reference()
MATRICES = REFERENCE["matrices"] or {"": None}


def values_of(matrix: dict | None) -> pd.DataFrame:
    if matrix is None:
        pytest.skip("no cases: set SCARCE_CASES")
    if "data" in matrix:
        return pd.DataFrame.from_dict(matrix["data"], orient="index", columns=matrix["columns"])
    return pd.read_csv(folder() / matrix["file"], index_col=0)


@pytest.fixture(params=MATRICES)
def case(request):
    matrix = MATRICES[request.param]
    return matrix, values_of(matrix)


def test_ranks_and_omnibus(case):
    matrix, values = case
    ranked = ranks.rank_blocks(values, matrix.get("direction", "higher_is_better") == "higher_is_better")
    for name, rank in matrix["average_ranks"].items():
        assert ranked[name].mean() == pytest.approx(rank, abs=STATISTIC)
    textbook, tied, iman = tests.friedman(ranked), tests.friedman_tie_corrected(ranked), tests.iman_davenport(ranked)
    assert textbook.statistic == pytest.approx(matrix["friedman_chi2_textbook"], abs=STATISTIC)
    assert textbook.p == pytest.approx(matrix["friedman_p_textbook"], rel=P)
    assert tied.statistic == pytest.approx(matrix["friedman_chi2_tie_corrected"], abs=STATISTIC)
    assert tied.p == pytest.approx(matrix["friedman_p_tie_corrected"], rel=P)
    assert iman.statistic == pytest.approx(float(matrix["iman_davenport_F"]), abs=STATISTIC)
    assert [iman.df1, iman.df2] == matrix["iman_davenport_df"]
    assert iman.p == pytest.approx(matrix["iman_davenport_p"], rel=P, abs=1e-300)


def test_post_hoc(case):
    matrix, values = case
    average = ranks.average_ranks(values, matrix.get("direction", "higher_is_better") == "higher_is_better")
    n, k = values.shape
    for level, q in matrix["q_nemenyi"].items():
        assert tests.nemenyi_q(k, float(level)) == pytest.approx(q, abs=STATISTIC)
        limit = tests.critical_difference(k, n, float(level))
        assert limit == pytest.approx(matrix["CD_nemenyi"][level], abs=CD)
        found = {frozenset(bar) for bar in tests.cliques(average, limit)}
        assert found == {frozenset(bar) for bar in matrix["cliques_nemenyi"][level]}
    assert tests.standard_error(k, n) == pytest.approx(matrix["standard_error"], abs=STATISTIC)
    pairs = tests.nemenyi(average, n)
    pairs = {frozenset((row.control, row.method)): row for row in pairs.itertuples()}
    for pair in matrix["pairwise"]:
        row = pairs[frozenset((pair["a"], pair["b"]))]
        assert row.statistic == pytest.approx(abs(pair["z"]), abs=STATISTIC)
        assert row.p == pytest.approx(pair["p_nemenyi"], rel=P, abs=1e-12)
    for step_down in (True, False):
        rows = tests.holm(average, n, control=matrix["control"], step_down=step_down).set_index("method")
        for compared in matrix["control_comparisons"]:
            row = rows.loc[compared["method"]]
            assert row.statistic == pytest.approx(compared["z"], abs=STATISTIC)
            assert row.p == pytest.approx(compared["p"], rel=P)
            if step_down:
                assert row.p_adjusted == pytest.approx(min(compared["p_holm"], 1), rel=P)
                assert row.significant == compared["reject_at_0.05"]


@pytest.mark.parametrize("level", ["0.05", "0.10"])
def test_the_diagram_draws_the_bars_of_the_test(case, level):
    matrix, values = case
    average = ranks.average_ranks(values)
    limit = tests.critical_difference(*values.shape[::-1], float(level))
    figure = critical_difference(average.to_dict(), tests.cliques(average, limit), limit, alpha=float(level))
    assert len(gids(figure, "clique-")) == len(matrix["cliques_nemenyi"][level])
    assert len(gids(figure, "label-")) == len(average)
    assert_nothing_cut(figure)
    assert_no_overlap(figure)


def test_no_p_is_printed_as_zero(case):
    _, values = case
    for p in tests.nemenyi(ranks.average_ranks(values), len(values)).p:
        assert "0.000" not in p_value(p)


@pytest.mark.parametrize("k", REFERENCE["critical_values_q"] or [""])
def test_critical_values(k):
    if not k:
        pytest.skip("no cases: set SCARCE_CASES")
    for name, alpha in (("nemenyi_005", 0.05), ("nemenyi_010", 0.10)):
        assert tests.nemenyi_q(int(k), alpha) == pytest.approx(REFERENCE["critical_values_q"][k][name], abs=STATISTIC)


def test_many_methods(cases):
    values = pd.read_csv(cases / "results" / "many_methods_40x26.csv", index_col=0)
    ranked = ranks.rank_blocks(values)
    assert values.shape == (40, 26)
    assert tests.friedman(ranked).statistic == pytest.approx(46.070299, abs=STATISTIC)
    assert tests.iman_davenport(ranked).statistic == pytest.approx(1.883516, abs=STATISTIC)
    assert tests.critical_difference(26, 40) == pytest.approx(6.289589, abs=STATISTIC)
    assert ranks.by_rank(ranked.mean())[0] == "M02"
    assert ranked["M02"].mean() == pytest.approx(10.275)

    limit = tests.critical_difference(26, 40)
    figure = critical_difference(ranked.mean().to_dict(), tests.cliques(ranked.mean(), limit), limit, alpha=0.05)
    assert len(gids(figure, "label-")) == 26
    assert_nothing_cut(figure)
    assert_no_overlap(figure)


def test_the_last_digit_decides(cases):
    """W09: floats survive their file."""
    from scarce.files import read_csv

    values = read_csv(cases / "results" / "float_round_trip.csv").set_index("dataset")
    assert ranks.rank_blocks(values).to_numpy().tolist() == [[1, 2, 3], [3, 2, 1], [2, 1, 3]]


# -- degenerate ones of our own, which need no folder -----


def scores(values: pd.DataFrame) -> pd.DataFrame:
    long = values.rename_axis("dataset").reset_index().melt("dataset", var_name="method")
    return long.assign(scenario="flip-50", repeat=0, metric="auc_pr")


SETTINGS = AnalysisSettings(metrics=["auc_pr"])
NAMES = [f"m{i:02}" for i in range(30)]


@pytest.mark.parametrize("n", [2, 3, 40])
@pytest.mark.parametrize("k", [3, 26, 30])
@pytest.mark.filterwarnings("error")
def test_all_tied(n, k):
    found = analyse(scores(pd.DataFrame(0.5, index=[f"d{i}" for i in range(n)], columns=NAMES[:k])), SETTINGS)
    assert (found["ranks"].average_rank == (k + 1) / 2).all()
    assert found["omnibus"].statistic.tolist() == [0, 0, 0]
    assert found["omnibus"].p.tolist() == [1, 1, 1]
    assert not found["posthoc"].significant.any()
    assert np.isfinite(found["posthoc"].p).all()
    assert "all methods tie in every block" in set(found["notes"].note)


@pytest.mark.parametrize("n", [2, 3, 40])
@pytest.mark.parametrize("k", [3, 26, 30])
@pytest.mark.filterwarnings("error")
def test_identical_orders(n, k):
    values = pd.DataFrame([np.linspace(0.9, 0.1, k)] * n, index=[f"d{i}" for i in range(n)], columns=NAMES[:k])
    found = analyse(scores(values), SETTINGS)
    omnibus = found["omnibus"].set_index("test")
    assert omnibus.loc["friedman", "statistic"] == pytest.approx(n * (k - 1), abs=STATISTIC)
    assert math.isinf(omnibus.loc["iman_davenport", "statistic"])
    assert omnibus.loc["iman_davenport", "p"] == 0
    assert found["ranks"].method.tolist() == NAMES[:k]


def test_duplicated_blocks_are_refused_and_missing_cells_are_noted():
    values = pd.DataFrame(np.random.RandomState(0).rand(6, 4), index=list("abcdef"), columns=NAMES[:4])
    twice = pd.concat([scores(values), scores(values.loc[["c"]])])
    with pytest.raises(DataError, match="are there twice"):
        analyse(twice, SETTINGS)
    values.iloc[2, 1] = np.nan
    found = analyse(scores(values), SETTINGS)
    assert set(found["ranks"].n_blocks) == {5}
    assert any(row.dataset == "c" and row.method == "m01" for row in found["notes"].itertuples())
