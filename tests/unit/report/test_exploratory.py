"""Where the omnibus test keeps its hypothesis, no pair is called different: files, tables, diagram, words, verdicts.

And what is rounded for print feeds no rank unless the table asks for it.
"""

import io

import numpy as np
import pandas as pd
import pytest

from scarce.analysis import tests
from scarce.analysis.evidence import Case
from scarce.analysis.statistics import AnalysisSettings
from scarce.analysis.table_ranks import table_ranks
from scarce.config.study import Table
from scarce.files import read_csv, write_csv
from scarce.report.catalogue import FIGURES
from scarce.report.layouts import build_table
from scarce.report.render import WORDS, to_html, to_latex
from scarce.report.results import DisplayMethod, DisplayNames
from scarce.report.summary import winners
from tests.unit.analysis.cases import decide
from tests.unit.report.made import study_results
from tests.unit.report.test_figures import assert_no_overlap, assert_nothing_cut, drawn_cliques, gids

#: Friedman's chi2 is 9.734694 (p 0.136278) and F 1.810247 (p 0.124699); Holm calls m1 worse than m4 (p 0.038957).
KEPT = """
dataset,m0,m1,m2,m3,m4,m5,m6
d0,0.6,0.65,0.8,0.7,0.5,0.75,0.55
d1,0.55,0.5,0.6,0.7,0.8,0.65,0.75
d2,0.8,0.65,0.75,0.55,0.7,0.5,0.6
d3,0.55,0.5,0.75,0.6,0.8,0.7,0.65
d4,0.8,0.5,0.75,0.65,0.6,0.7,0.55
d5,0.65,0.55,0.6,0.75,0.8,0.5,0.7
d6,0.8,0.5,0.55,0.7,0.75,0.65,0.6
"""
#: All data sets agree on the order; the means of a data set are equal to three decimals.
FOUR_DIGITS = pd.DataFrame(
    [[f"d{i}", *(0.70 + i / 100 + step / 1e4 for step in (4, 3, 2, 1))] for i in range(1, 7)],
    columns=["dataset", *"ABCD"],
)
WORDS_OF_TEST = "Friedman's test is not significant at 0.05 (Iman-Davenport, p = 0.125, approximate)"


def scores_of(values):
    return values.melt("dataset", var_name="method").assign(scenario="flip-50", repeat=0, metric="auc_pr")


def kept():
    return scores_of(pd.read_csv(io.StringIO(KEPT)))


def results_of(scores, *specs, round_trip=None):
    methods, datasets = sorted(scores["method"].unique()), sorted(scores["dataset"].unique())
    settings = AnalysisSettings(metrics=["auc_pr"], methods=methods, datasets=datasets)
    printed = {"published": None, "ranks": pd.DataFrame(columns=["table", "metric", "dataset", "method", "rank", "note",
                                                                 "significant"]), "facts": None}  # fmt: skip
    facts = pd.DataFrame(columns=["dataset", "scenario", "repeat", "method", "fact", "value"])
    frames = dict(zip(("stats/table_ranks", "stats/table_tests"),
                      table_ranks(specs, scores, facts, settings, datasets, printed), strict=True))  # fmt: skip
    names = DisplayNames({m: m.upper() for m in methods}, {d: d for d in datasets}, {"flip-50": "50 %"})
    results = study_results(
        scores, settings, names, frames=frames, methods=[DisplayMethod(m, m.upper(), m) for m in methods]
    )
    if round_trip:  # as the report reads them
        for name, frame in results.frames.items():
            if name.startswith("stats/"):
                write_csv(round_trip / "frame.csv", frame)
                text = {column: str for column in ("dataset", "method", "note", "p_kind") if column in frame}
                again = read_csv(round_trip / "frame.csv", dtype=text)
                results.frames[name] = again.assign(**{c: again[c].fillna("") for c in text})
    return results


def table(layout, **more):
    return Table(name="t", title="T", layout=layout, metric="auc_pr", **more)


def test_the_case_is_as_stated():
    omnibus = results_of(kept()).stats("omnibus").set_index("test")
    assert omnibus.loc["friedman", "statistic"] == pytest.approx(9.734694, abs=1e-6)
    assert omnibus.loc["friedman", "p"] == pytest.approx(0.136278, abs=1e-6)
    assert omnibus.loc["iman_davenport", "statistic"] == pytest.approx(1.810247, abs=1e-6)
    assert omnibus.loc["iman_davenport", "p"] == pytest.approx(0.124699, abs=1e-6)
    assert set(omnibus["p_kind"]) == {"approximate"}


def test_stats_files_call_no_pair_different():
    results = results_of(kept(), table("ranks", scenario="flip-50"))
    posthoc = results.stats("posthoc")
    assert posthoc["exploratory"].all()
    assert not posthoc["significant"].any()
    holm = posthoc[(posthoc["test"] == "holm") & (posthoc["method"] == "m1")].iloc[0]
    assert (holm["control"], holm["p_adjusted"]) == ("m4", pytest.approx(0.038957, abs=1e-6)), "numbers stay"
    assert results.stats("critical_difference")["exploratory"].all()
    own = results.stats("table_ranks").query("dataset == '' and method != 'm4'")
    assert own["exploratory"].astype(bool).all()
    assert not own["significant"].astype(bool).any()


def test_tables_say_why_no_method_is_outperformed(tmp_path):
    view = build_table(table("scenarios"), results_of(kept(), round_trip=tmp_path))
    assert set(view.frame["mark"]) == {"best", "not_outperformed"}
    assert f"{WORDS_OF_TEST}, so no method counts as outperformed." in view.notes
    assert any("approximate" in note for note in view.notes_with(WORDS))
    spec = table("ranks", scenario="flip-50")
    view = build_table(spec, results_of(kept(), spec, round_trip=tmp_path))
    assert [cell.text for cell in view.footer[-1].cells] == [*"––––", "control", *"––"]
    assert f"{WORDS_OF_TEST}, so no method is called different from M4" in view.notes[0]
    assert "✓" not in to_html(view)
    assert "surd" not in to_latex(view)


def test_the_diagram_and_its_caption_say_it():
    results = results_of(kept())
    (drawing,) = FIGURES["critical_difference"].draw(results)
    assert f"{WORDS_OF_TEST}, so no pair is told apart" in drawing.caption
    shown = " ".join(text.get_text() for text in gids(drawing.figure, "withheld"))
    assert shown == WORDS_OF_TEST
    ranks = results.average_ranks("auc_pr", "flip-50")
    assert [sorted(bar) for bar in drawn_cliques(drawing.figure, ranks.to_dict())] == [sorted(ranks.index)]
    assert_nothing_cut(drawing.figure)
    assert_no_overlap(drawing.figure)


def test_the_summary_says_it():
    results = results_of(kept())
    first, _ = winners(*(results.stats(name) for name in ("ranks", "posthoc", "omnibus")))
    assert f"m4 has the best average rank, 2.86; {WORDS_OF_TEST}, so no method is called different." in first
    assert "m1" not in first


def test_verdicts_say_it():
    scores = kept()
    case = Case(scores, AnalysisSettings(metrics=["auc_pr"]), {"scenario": {"flip-50": "50 %"}})
    verdict = decide("outperforms", case, methods=["m4"], over=["m1"])
    assert verdict.verdict != "held"
    assert WORDS_OF_TEST in verdict.reading[0]
    evidence = verdict.evidence.set_index(["other", "quantity"])["value"]
    assert evidence["m1", "significant"] == 0
    assert evidence["m1", "p_adjusted"] == pytest.approx(0.038957, abs=1e-6)
    assert decide("outperforms", case, methods=["m4"], over=["m1"], tied=["m0"]).verdict != "held"
    assert decide("omnibus", case).verdict == "not held"


def test_a_rejected_hypothesis_withholds_nothing():
    scores = kept()
    scores["value"] -= 0.4 * (scores["method"] == "m1")
    results = results_of(scores)
    assert not results.stats("posthoc")["exploratory"].any()
    assert results.stats("posthoc")["significant"].any()
    (drawing,) = FIGURES["critical_difference"].draw(results)
    assert not gids(drawing.figure, "withheld")
    assert "not significant" not in drawing.caption
    first, _ = winners(*(results.stats(name) for name in ("ranks", "posthoc", "omnibus")))
    assert "not distinguishable from" in first
    assert not any("not significant" in note for note in build_table(table("scenarios"), results).notes)


def test_the_exact_p_value_decides_where_it_is_known():
    """Two data sets of one order: F is infinite, and one in six arrangements does as well."""
    order = pd.DataFrame([["d0", 0.9, 0.5, 0.1], ["d1", 0.9, 0.5, 0.1]], columns=["dataset", *"abc"])
    results = results_of(scores_of(order))
    omnibus = results.stats("omnibus").set_index("test")
    assert omnibus.loc["iman_davenport", "p"] == 0
    assert (omnibus["p_exact"] == 1 / 6).all()
    assert results.stats("posthoc")["exploratory"].all()
    view = build_table(table("scenarios"), results)
    assert [(row.label, row.cells[0].text) for row in view.footer] == [
        ("Iman-Davenport", "p < 0.001"),
        ("Friedman (exact)", "p = 0.167"),
    ]
    assert (
        "Friedman's test is not significant at 0.05 (p = 0.167, exact), so no method counts as outperformed."
        in view.notes
    )


@pytest.mark.parametrize("digits", [0, 3, 6])
@pytest.mark.parametrize("cells", ["mean_sd_rank", "rank"])
def test_digits_are_for_print_alone(digits, cells):
    spec = table("ranks", scenario="flip-50", digits=digits, cells=cells)
    view = build_table(spec, results_of(scores_of(FOUR_DIGITS), spec))
    ranks = view.frame[view.frame["dataset"] == ""].set_index("method")["rank"].astype(float)
    assert ranks.to_dict() == {"A": 1.0, "B": 2.0, "C": 3.0, "D": 4.0}
    assert "Friedman χ² = 18.00 (p < 0.001), Iman-Davenport F = ∞ (p < 0.001)" in view.notes[0]
    assert "rounded" not in view.notes[0]
    assert "before rounding" in view.reading


def test_a_table_that_ranks_rounded_means_says_so_with_the_statistic():
    spec = table("ranks", scenario="flip-50", rank_digits=3)
    results = results_of(scores_of(FOUR_DIGITS), spec)
    view = build_table(spec, results)
    ranks = view.frame[view.frame["dataset"] == ""].set_index("method")["rank"].astype(float)
    assert set(ranks) == {2.5}
    assert "Friedman χ² = 0.00 (p = 1.000)" in view.notes[0]
    assert "ranks of means rounded to 3 decimals" in view.notes[0]
    assert "3 decimals share a rank" in view.reading
    assert set(results.stats("table_tests")["note"]) == {"ranks of means rounded to 3 decimals"}


def test_only_layouts_that_rank_have_rank_digits():
    for layout, more in (("scenarios", {}), ("datasets", {"scenario": "flip-50"})):
        with pytest.raises(ValueError, match="has no rank_digits"):
            table(layout, rank_digits=3, **more)
    assert table("ranks", scenario="flip-50").rank_digits is None


@pytest.mark.parametrize("seed", range(4))
def test_every_place_agrees_with_the_omnibus_test(seed):
    """Random studies: marks, summary, diagram and files withhold what the omnibus test keeps, and nothing else."""
    random = np.random.RandomState(seed)
    n, k = random.randint(2, 9), random.randint(3, 7)
    values = pd.DataFrame(random.rand(n, k) + np.linspace(0, 0.25 * (seed % 4), k), columns=[f"m{i}" for i in range(k)])
    values.insert(0, "dataset", [f"d{i}" for i in range(n)])
    spec = table("ranks", scenario="flip-50")
    results = results_of(scores_of(values), spec)
    keeps = results.omnibus("auc_pr", "flip-50").keeps(0.05)
    assert keeps == tests.iman_davenport(results.block_ranks("auc_pr", "flip-50")).keeps(0.05)
    assert (results.stats("posthoc")["exploratory"] == keeps).all()
    (drawing,) = FIGURES["critical_difference"].draw(results)
    (first, _) = winners(*(results.stats(name) for name in ("ranks", "posthoc", "omnibus")))
    notes = build_table(table("scenarios"), results).notes + build_table(spec, results).notes
    for text in (drawing.caption, first, notes[0], notes[-1]):
        assert ("not significant" in text) == keeps
