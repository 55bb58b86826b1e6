"""The tests against numbers that others computed: textbooks, R, and the paper's own marks."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from scarce import paths
from scarce.analysis import ranks, reference, tests
from scarce.analysis.statistics import AnalysisSettings, analyse
from scarce.files import read_csv

FOLDER = Path(__file__).parents[2] / paths.reference("ortega2023")
STATISTIC = 1e-6
CD = 1e-4
P = 1e-4


def matrix(columns, text):
    rows = [[float(value) for value in row.split()] for row in text.split("/")]
    return pd.DataFrame(rows, columns=columns.split())


# Demsar 2006, Table 6, with the digit that the table hides (voting)
DEMSAR = matrix(
    "C4.5 C4.5+m C4.5+cf C4.5+m+cf",
    ".763 .768 .771 .798/.599 .591 .59 .569/.954 .971 .968 .967/.628 .661 .654 .657/.882 .888 .886 .898/"
    ".936 .931 .916 .931/.661 .668 .609 .685/.583 .583 .563 .625/.775 .838 .866 .875/1 1 1 1/.94 .962 .965 .962/"
    ".619 .666 .614 .669/.972 .981 .9751 .975/.957 .978 .946 .97",
)
# SciPy's test of friedmanchisquare
TIES = matrix(
    "A B C D", "4 2 2 3/3 2 4 5/5 1 3 4/3 2 3 3/5 3 4 4/3 1 3 4/2 2 3 3/5 3 4 3/4 2 4 3/4 1 1 4/4 1 2 4/3 3 1 4"
)
# scikit-posthocs' test of posthoc_nemenyi_friedman
POSTHOCS = matrix("a b c d e f g", "4 3 4 4 5 6 3/1 2 3 5 6 7 7/1 2 6 4 1 5 1")
LADDER_5 = matrix("m1 m2 m3", "/".join(f"{0.90 + i / 100} {0.80 + i / 100} {0.70 + i / 100}" for i in range(5)))
LADDER_40 = matrix("m1 m2 m3", "/".join([".9 .8 .7"] * 40))


@pytest.mark.parametrize(
    ("values", "chi2", "p", "corrected", "p_corrected", "f", "df", "p_f"),
    [
        (DEMSAR, 9.278571428571, 0.025807496707, 10.228346456693, 0.0167215803, 3.686313032089, (3, 39), 0.019823006),
        (TIES, 16.575, 0.000864194808830, 18.942857142857, 0.000280938375190, 9.386100386100, (3, 33), 0.000124539434),
        (POSTHOCS, 7.964285714286, 0.240731523591, 8.468354430380, 0.205757994564, 1.5871886121, (6, 12), 0.23326502),
        (LADDER_5, 10, 0.006737946999085, 10, 0.006737946999085, np.inf, (2, 8), 0),
        (LADDER_40, 80, 4.248354255292e-18, 80, 4.248354255292e-18, np.inf, (2, 78), 0),
    ],
    ids=["demsar", "ties", "posthocs", "ladder-5", "ladder-40"],
)
def test_omnibus(values, chi2, p, corrected, p_corrected, f, df, p_f):
    ranked = ranks.rank_blocks(values)
    textbook, tied, iman = tests.friedman(ranked), tests.friedman_tie_corrected(ranked), tests.iman_davenport(ranked)
    assert textbook.statistic == pytest.approx(chi2, abs=STATISTIC)
    assert textbook.p == pytest.approx(p, rel=P)
    assert tied.statistic == pytest.approx(corrected, abs=STATISTIC)
    assert tied.p == pytest.approx(p_corrected, rel=P)
    assert iman.statistic == pytest.approx(f, abs=STATISTIC)
    assert (iman.df1, iman.df2) == df
    assert iman.p == pytest.approx(p_f, rel=P)


def test_demsar_ranks_and_holm_against_a_named_control():
    average = ranks.average_ranks(DEMSAR)
    assert average.to_dict() == pytest.approx(
        {"C4.5": 3.142857142857, "C4.5+m": 2.0, "C4.5+cf": 2.892857142857, "C4.5+m+cf": 1.964285714286}
    )
    table = tests.holm(average, 14, control="C4.5")
    assert list(table["method"]) == ["C4.5+m+cf", "C4.5+m", "C4.5+cf"]
    assert list(table["statistic"]) == pytest.approx([-2.415352680548, -2.342160175076, -0.512347538298], abs=STATISTIC)
    assert list(table["p"]) == pytest.approx([0.015719980210, 0.019172484755, 0.608407800233], rel=P)
    assert list(table["p_adjusted"]) == pytest.approx([0.047159940630, 0.047159940630, 0.608407800233], rel=P)
    assert list(table["significant"]) == [True, True, False]


@pytest.mark.parametrize(
    ("values", "control", "adjusted"),
    [
        (TIES, "B", {"A": 0.0011229367413, "D": 0.0011229367413, "C": 0.0327988138655}),
        (POSTHOCS, "a", {"f": 0.10897811, "c": 0.92938366, "d": 1.0, "e": 1.0, "g": 1.0, "b": 1.0}),
        (LADDER_5, "m1", {"m3": 0.003130804516, "m2": 0.113846298007}),
        (LADDER_40, "m1", {"m3": 7.488194768406e-19, "m2": 7.744216431044e-06}),
    ],
    ids=["ties", "posthocs", "ladder-5", "ladder-40"],
)
def test_holm_adjusted_p(values, control, adjusted):
    table = tests.holm(ranks.average_ranks(values), len(values), control=control)
    assert table.set_index("method")["p_adjusted"].to_dict() == pytest.approx(adjusted, rel=P)


@pytest.mark.parametrize(
    ("values", "pairs"),
    [
        (DEMSAR, {("C4.5+m+cf", "C4.5"): 0.0741847950687, ("C4.5+m+cf", "C4.5+m"): 0.999859449385}),
        (TIES, {("A", "B"): 0.00211980086890, ("C", "B"): 0.142183526747, ("A", "D"): 0.999822945246}),
        (POSTHOCS, {("b", "a"): 0.9999999396, ("f", "a"): 0.2147826778, ("f", "g"): 0.5511935275, ("d", "e"): 1.0}),
        (LADDER_5, {("m1", "m3"): 0.00446351559176, ("m1", "m2"): 0.253784487482}),
        (LADDER_40, {("m1", "m2"): 2.30644024354e-05}),
    ],
    ids=["demsar", "ties", "posthocs", "ladder-5", "ladder-40"],
)
def test_nemenyi_p_is_neither_clamped_nor_looked_up(values, pairs):
    table = tests.nemenyi(ranks.average_ranks(values), len(values)).set_index(["control", "method"])["p"]
    assert {pair: table[pair] for pair in pairs} == pytest.approx(pairs, rel=P)


@pytest.mark.parametrize(
    ("k", "q_05", "q_10"),
    [  # R's qtukey(1 - alpha, k, Inf) / sqrt(2)
        (2, 1.95996398476621, 1.64485362698205),
        (5, 2.72777438251855, 2.45951576442952),
        (10, 3.16368375350279, 2.91988884064709),
        (20, 3.54379913191965, 3.31923306235180),
        (21, 3.56904003065815, 3.34567592771637),
        (26, 3.67755617993183, 3.45925251214313),
        (50, 3.99234339986589, 3.78774967972820),
    ],
)
def test_critical_values_beyond_any_table(k, q_05, q_10):
    assert tests.nemenyi_q(k, 0.05) == pytest.approx(q_05, rel=1e-6)
    assert tests.nemenyi_q(k, 0.10) == pytest.approx(q_10, rel=1e-6)


@pytest.mark.parametrize(
    ("k", "n", "alpha", "expected"),
    [
        (4, 14, 0.05, 1.2535591471),
        (4, 14, 0.10, 1.1180601670),
        (5, 30, 0.05, 1.1136092237),
        (21, 20, 0.05, 7.0029622542),
        (26, 40, 0.05, 6.2895887642),
        (13, 15, 0.05, 4.7108752805),
    ],
)
def test_critical_difference(k, n, alpha, expected):
    assert tests.critical_difference(k, n, alpha) == pytest.approx(expected, abs=CD)


@pytest.mark.parametrize(
    ("values", "alpha", "expected"),
    [
        (DEMSAR, 0.05, [["C4.5+m+cf", "C4.5+m", "C4.5+cf", "C4.5"]]),
        (DEMSAR, 0.10, [["C4.5+m+cf", "C4.5+m", "C4.5+cf"], ["C4.5+cf", "C4.5"]]),
        (TIES, 0.05, [["A", "D", "C"], ["C", "B"]]),
        (POSTHOCS, 0.05, [["f", "c", "d", "e", "g", "b", "a"]]),
        (LADDER_5, 0.05, [["m1", "m2"], ["m2", "m3"]]),
        (LADDER_40, 0.05, []),
    ],
    ids=["demsar-0.05", "demsar-0.10", "ties", "posthocs", "ladder-5", "ladder-40"],
)
def test_cliques(values, alpha, expected):
    average = ranks.average_ranks(values)
    assert tests.cliques(average, tests.critical_difference(values.shape[1], len(values), alpha)) == expected


def test_scikit_posthocs_agrees():
    posthocs = pytest.importorskip("scikit_posthocs")
    generator = np.random.default_rng(5)
    values = pd.DataFrame(generator.normal(size=(18, 9)).round(1), columns=list("abcdefghi"))
    theirs = posthocs.posthoc_nemenyi_friedman(values)
    ours = tests.nemenyi(ranks.average_ranks(values), len(values))
    assert len(ours) == 36
    for row in ours.itertuples():
        assert row.p == pytest.approx(theirs.loc[row.control, row.method], abs=1e-9)


# --- ortega2023: what follows from its tables, and from its authors' runs ------------------------------------------


def panel(frame, scenario, metric, blocks):
    return frame[(frame["scenario"] == scenario) & (frame["metric"] == metric) & (frame["blocks"] == blocks)]


@pytest.fixture(scope="module")
def published():
    return reference.published("ortega2023", FOLDER)


@pytest.fixture(scope="module")
def author_stats(authors_runs):
    settings = AnalysisSettings(
        metrics=["f1_oracle", "auc_pr", "auc_roc"], blocks="runs", alternative="one-sided", holm="no_stop"
    )
    return analyse(authors_runs, settings)


@pytest.mark.parametrize("values", ["printed", "typos_fixed"])
def test_statistics_of_the_printed_tables(published, values):
    single = published[published["dataset"] != ""]
    value = single["published"] if values == "printed" else single["corrected"].fillna(single["published"])
    found = analyse(single.assign(repeat=0, value=value), AnalysisSettings(metrics=["f1_oracle", "auc_pr"]))
    expected = read_csv(FOLDER / "derived_stats_from_tables.csv")
    expected_ranks = read_csv(FOLDER / "derived_ranks_from_tables.csv")
    expected = expected[expected["values"] == values]
    expected_ranks = expected_ranks[expected_ranks["values"] == values]
    assert len(expected) == 6
    for row in expected.to_dict("records"):
        scenario, metric = f"flip-{row['flip_ratio'] * 100:.0f}", row["metric"].replace("f1_opt", "f1_oracle")
        omnibus = panel(found["omnibus"], scenario, metric, "datasets").set_index("test")
        assert omnibus.loc["friedman", "statistic"] == pytest.approx(row["friedman_chi2"], abs=STATISTIC)
        assert omnibus.loc["friedman", "p"] == pytest.approx(row["p_chi2"], rel=P)
        assert omnibus.loc["friedman_tie_corrected", "statistic"] == pytest.approx(
            row["friedman_chi2_tie_corrected"], abs=STATISTIC
        )
        assert omnibus.loc["iman_davenport", "statistic"] == pytest.approx(row["iman_davenport_F"], abs=STATISTIC)
        assert omnibus.loc["iman_davenport", "p"] == pytest.approx(row["p_F"], rel=P)
        difference = panel(found["critical_difference"], scenario, metric, "datasets").iloc[0]
        assert difference["critical_difference"] == pytest.approx(row["nemenyi_CD"], abs=CD)
        posthoc = panel(found["posthoc"], scenario, metric, "datasets")
        posthoc = posthoc[posthoc["test"] == "holm"].set_index("method")
        assert set(posthoc["control"]) == {row["best_by_rank"]}
        average = panel(found["ranks"], scenario, metric, "datasets").set_index("method")["average_rank"]
        listed = expected_ranks[
            (expected_ranks["metric"] == row["metric"]) & (expected_ranks["flip_ratio"] == row["flip_ratio"])
        ]
        assert len(listed) == 13
        for line in listed.to_dict("records"):
            assert average[line["method"]] == pytest.approx(line["avg_rank"], abs=5e-5)
            if line["method"] != row["best_by_rank"]:
                assert posthoc.loc[line["method"], "p"] == pytest.approx(line["p_two_sided"], rel=1e-5)
                assert posthoc.loc[line["method"], "p_adjusted"] == pytest.approx(line["p_holm"], rel=1e-5)


@pytest.mark.parametrize(
    ("procedure", "blocks", "test"),
    [
        ("authors: rank every run, N=runs, one-sided", "runs", "holm_no_stop"),
        ("rank data-set means, N=data sets, two-sided (Demsar)", "datasets", "holm"),
    ],
    ids=["authors", "demsar"],
)
def test_statistics_of_the_authors_runs(author_stats, procedure, blocks, test):
    expected = read_csv(FOLDER / "derived_stats_from_author_runs.csv", dtype={"table": str})
    expected = expected[(expected["runs"] == "reported_15") & (expected["procedure"] == procedure)]
    assert len(expected) == 9
    for row in expected.to_dict("records"):
        key = f"flip-{row['flip_ratio'] * 100:.0f}", row["metric"].replace("f1_opt", "f1_oracle"), blocks
        omnibus = panel(author_stats["omnibus"], *key).set_index("test")
        assert omnibus.loc["friedman", "statistic"] == pytest.approx(row["friedman_chi2"], abs=5e-4)
        assert omnibus.loc["iman_davenport", "statistic"] == pytest.approx(row["iman_davenport_F"], abs=5e-4)
        assert omnibus.loc["iman_davenport", "p"] == pytest.approx(row["p_F"], rel=5e-3, abs=1e-300)
        size = panel(author_stats["critical_difference"], *key).iloc[0]
        assert (size["k"], size["n"]) == (row["k"], row["N"])
        assert size["critical_difference"] == pytest.approx(row["nemenyi_CD"], abs=5e-4)
        compared = panel(author_stats["posthoc"], *key)
        compared = compared[compared["test"] == test]
        assert set(compared["control"]) == {row["best_by_rank"]}
        standing = set(compared.loc[~compared["significant"].astype(bool), "method"])
        assert standing == set(str(row["not_rejected_by_holm_0.05"]).split()) - {"nan"}


def test_marks_of_the_paper_are_those_of_the_authors_procedure(author_stats):
    marks = read_csv(FOLDER / "bold_marks.csv", dtype={"table": str})
    equal = set()
    for table, metric in {"3": "f1_oracle", "4": "auc_pr", "A1": "auc_roc"}.items():
        for flip in (0.25, 0.50, 0.75):
            shown = marks[(marks["table"] == table) & (marks["flip_ratio"] == flip)].set_index("method")["mark"]
            compared = panel(author_stats["posthoc"], f"flip-{flip * 100:.0f}", metric, "runs")
            compared = compared[compared["test"] == "holm_no_stop"]
            ours = dict.fromkeys(compared.loc[~compared["significant"].astype(bool), "method"], "not_outperformed")
            ours[compared["control"].iloc[0]] = "best"
            if shown.to_dict() == ours:
                equal.add((table, flip))
    assert equal == {(t, f) for t in ("3", "4") for f in (0.25, 0.50, 0.75)} | {("A1", 0.75)}
