"""The lines that a reader takes away, and the tables of what runs said, cost and decided by."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from scarce.analysis.agreement import AGREEMENT
from scarce.analysis.statistics import AnalysisSettings
from scarce.report import takeaways
from scarce.report.leaderboard import baseline, leaderboard
from scarce.report.one_dataset import certainty
from scarce.report.results import DisplayMethod, DisplayNames
from scarce.report.run_tables import costs, messages, thresholds
from scarce.report.takeaways import leads, leads_on_one, missing, premises, reproduction
from tests.unit.report.made import study_results

METHODS, SCENARIOS = ["a", "b", "c"], ["s1", "s2"]
RULES = {"f1_default": "0.5", "f1_oracle": "test rows"}


def results_of(datasets=8, settings=None, better="a", **more):
    rng = np.random.default_rng(0)
    names = [f"d{k}" for k in range(datasets)]
    axes = [names, SCENARIOS, range(4), METHODS, ["auc_pr", *RULES, "threshold_oracle"]]
    scores = pd.MultiIndex.from_product(axes, names=["dataset", "scenario", "repeat", "method", "metric"])
    scores = pd.DataFrame({"value": rng.random(len(scores)) / 2}, scores).reset_index()
    scores.loc[scores["method"] == better, "value"] += 0.45
    settings = AnalysisSettings(["auc_pr"], methods=METHODS, datasets=names, **(settings or {}))
    titles = DisplayNames({m: m.upper() for m in METHODS}, {d: d for d in names}, {s: s for s in SCENARIOS})
    runs = scores[scores["metric"] == "auc_pr"].drop(columns=["metric", "value"])
    runs = runs.assign(status="ok", message=None, fit_seconds=1.0, peak_memory_mb=9.0)
    made = {"verdicts": pd.DataFrame(columns=["verdict"])} | more.pop("frames", {})
    methods = [DisplayMethod(name, name.upper()) for name in METHODS]
    return study_results(scores, settings, titles, runs=runs, methods=methods, frames=made, **more)


def with_runs(results, runs):
    return replace(results, frames={**results.frames, "runs": runs})


@pytest.fixture(scope="module")
def plain():
    return results_of()


def test_five_lines_whatever_the_study(plain):
    for results in (plain, results_of(datasets=2)):
        lines = takeaways.takeaways(results, hidden={})
        assert len(lines) == 5 and all(head and text.endswith(".") for head, text in lines)


def test_who_leads_is_counted_over_scenarios(plain):
    text = leads(plain.stats("ranks"), ["auc_pr", "f1_oracle"], lambda kind, name: name.upper())
    assert text == "Best average rank by AUC_PR: A in 2 of 2 scenarios."
    assert (
        leads(pd.DataFrame(columns=["blocks", "average_rank", "metric", "method"]), ["auc_pr"], lambda kind, name: name)
        == ""
    )


def test_an_oracle_that_earlier_results_rank_leads_nothing(plain):
    ranks = plain.stats("ranks")
    text = leads(ranks, ["auc_pr"], lambda kind, name: name.upper(), oracles=["a"])
    others = ranks[(ranks["metric"] == "auc_pr") & (ranks["blocks"] == "datasets") & (ranks["method"] != "a")]
    best = {rows.sort_values("average_rank")["method"].iloc[0].upper() for _, rows in others.groupby("scenario")}
    assert all(f"{name} in" in text for name in best) and "A in" not in text
    assert text.endswith("Passed over: A.")


def test_both_kinds_of_blocks_stand_with_their_counts(plain):
    results = results_of(settings={"blocks": "runs", "holm": "no_stop", "alternative": "one-sided"})
    text = takeaways.certainty(results)
    for blocks, test, n in (("datasets", "holm", 8), ("runs", "holm_no_stop", 32)):
        rows = results.stats("posthoc")
        rows = rows[(rows["blocks"] == blocks) & (rows["test"] == test)]
        assert f"{int(rows['significant'].sum())} of {len(rows)} comparisons" in text and f"N = {n}" in text
    assert "one-sided" in text and "without its stopping rule" in text
    assert "single runs" not in takeaways.certainty(plain)


def test_what_cannot_be_tested_or_is_withheld_is_said():
    assert "nothing can be tested" in takeaways.certainty(results_of(datasets=1)).lower()
    text = takeaways.certainty(results_of(datasets=3, better=""))
    assert "0 of 4 comparisons" in text and "in 2 of 2 panels" in text


def test_one_data_set_has_no_ranks():
    pairs = pd.DataFrame(
        [["auc_pr", s, "a", other, low, 0.4] for s in SCENARIOS for other, low in (("b", 0.1), ("c", -0.1))],
        columns=["metric", "scenario", "method", "other", "low", "high"],
    )
    results = results_of(datasets=1, frames={"stats/pairs": pairs})
    assert leads_on_one(pairs, results.metrics, results.names.of) == "Best mean by AUC-PR: A in 2 of 2 scenarios."
    assert "exclude 0 in 2 of 4 comparisons" in certainty(results)
    assert takeaways.takeaways(results, hidden={})[1][1] == certainty(results)


def test_published_numbers_and_claims_are_counted():
    rows = pd.DataFrame({"published": 0.5, "reproduced": 0.5, "difference": 0.0, "within": ["True", "False", ""]})
    rows = rows.assign(dataset=["x", "y", ""], **{c: "m" for c in ("scenario", "metric", "method")})
    verdicts = pd.DataFrame({"verdict": ["held", "not held", "held"]})
    assert reproduction(rows, verdicts) == (
        "1 of 2 published numbers lie outside the tolerance. Of 3 claims: 2 held and 1 not held."
    )
    assert "No published numbers" in reproduction(pd.DataFrame(columns=AGREEMENT), verdicts.iloc[:0])


def test_what_is_missing():
    assert missing({}, 3, {"ok": 1234}) == "Nothing: 3 data sets and 1,234 runs are complete."
    assert missing({}, 1, {"ok": 1}) == "Nothing: 1 data set and 1 run are complete."
    text = missing({"x": "X title"}, 3, {"ok": 5, "failed": 2, "degenerate": 1}, ["Y"])
    for words in (
        "1 of 3 data sets without results (X title)",
        "3 of 8 runs",
        "1 degenerate, 2 failed",
        "warnings about Y",
    ):
        assert words in text


def test_premises_name_hidden_labels_and_assumptions(plain):
    assert "decision = f1_oracle" in premises(plain, {"decision = f1_oracle": "..."})
    assert "No choice" in premises(plain, {})
    text = premises(replace(plain, truth_known=False, assumptions={"auc_pr": "SCAR"}), {})
    assert text == "AUC-PR assumes SCAR."


def test_messages_are_counted_by_method_and_kind(plain):
    runs = pd.DataFrame(
        [
            ("a", "ok", "turned the order; validation: turned the order"),
            ("a", "ok", "turned the order"),
            ("a", "failed", "k = 6, n = 2"),
            ("a", "ok", "k = 6, n = 3"),
            ("b", "ok", "turned the order"),
            ("b", "ok", None),
        ],
        columns=["method", "status", "message"],
    ).assign(dataset="d0", scenario="s1", repeat=range(6))
    rows = [(row.label, *(cell.text for cell in row.cells)) for row in messages(with_runs(plain, runs)).rows]
    assert rows == [
        ("A", "turned the order", "2", "1", "4"),
        ("A", "k = #, n = #", "2", "0", "4"),
        ("B", "turned the order", "1", "0", "2"),
    ]
    assert messages(plain) is None


def test_costs_are_quartiles_and_sums(plain):
    runs = pd.DataFrame(
        {"method": ["a"] * 4 + ["b"], "fit_seconds": [1, 2, 3, 4, np.nan], "peak_memory_mb": [5, 5, 7, 100, 1]}
    )
    runs = runs.assign(dataset="d0", scenario="s1", repeat=range(5), status="ok", message=None)
    (row,) = costs(with_runs(plain, runs)).rows
    assert (row.label, [cell.text for cell in row.cells]) == ("A", ["2.5", "10", "6", "100", "4"])
    assert row.cells[0].spread == "1.75 to 3.25"


def test_thresholds_by_scenario_and_rule(plain):
    tables = thresholds(plain, RULES)
    assert [title for title, _ in tables] == SCENARIOS
    scores = plain.scores[(plain.scores["scenario"] == "s1") & (plain.scores["method"] == "b")]
    chosen = scores.loc[scores["metric"] == "threshold_oracle", "value"]
    row = next(row for row in tables[0][1].rows if row.label == "B")
    assert row.cells[0].spread == "at 0.5"
    assert row.cells[1].spread == f"at {chosen.median():.3g} [{chosen.min():.3g}, {chosen.max():.3g}]"
    f1 = scores[scores["metric"] == "f1_oracle"].groupby("dataset")["value"].mean().mean()
    assert row.cells[1].sort == pytest.approx(f1, abs=1e-12)
    assert thresholds(plain, {"f1_prior": "the class prior"}) == []


def test_the_leaderboard_ends_with_the_baseline(plain):
    sizes = {f"d{k}": (100, 3, 10 + k) for k in range(8)}
    results = replace(plain, sizes=sizes)
    assert baseline(results, "auc_pr", "s1") == pytest.approx(0.135)
    table = leaderboard(results)
    assert table.rows[0].label == "A" and table.rows[-1].cells[1].text == "13.5"
    assert baseline(replace(results, truth_known=False), "auc_pr", "s1") is None
    assert len(leaderboard(plain).rows) == len(METHODS)
