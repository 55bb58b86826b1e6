"""Tables with a row a data set, from the paper's own printed numbers, whose ranks and tests are known."""

import numpy as np
import pandas as pd
import pytest

from scarce import paths
from scarce.analysis import reference
from scarce.analysis.statistics import AnalysisSettings
from scarce.analysis.table_ranks import table_ranks
from scarce.config.study import Table
from scarce.report.layouts import build_table
from scarce.report.render import to_html, to_latex, write_table
from scarce.report.results import DisplayMethod, DisplayNames
from scarce.report.tables import BOLD
from tests.conftest import ROOT
from tests.unit.report.made import study_results

FOLDER = ROOT / paths.reference("cieslak2008")
TREES = ["c45", "dkm", "cart", "hddt"]
SAMPLED = [f"{tree}_sampled" for tree in TREES]


def results_of(*specs, drop=(), apart=(), facts=None, spread=(0.0,), moved=None, titles=None):
    """A study whose runs have the paper's means; data sets of `drop` have no results, those of `apart` do not count."""
    published = reference.published("cieslak2008", FOLDER)
    datasets = [d for d in reference.printed("cieslak2008", "sizes", FOLDER).dataset if d not in apart]
    rows = published[~published.dataset.isin(drop)]
    scores = pd.concat(
        [
            rows[["dataset", "scenario", "method", "metric"]].assign(repeat=r, value=rows.published + move)
            for r, move in enumerate(spread)
        ],
        ignore_index=True,
    )
    if moved:
        scores["value"] += np.where(scores.method == moved, 1e-5, 0)
    methods = [*TREES, *SAMPLED]
    settings = AnalysisSettings(metrics=["auc_roc"], methods=methods, datasets=datasets)
    if facts is None:
        facts = pd.DataFrame(columns=["dataset", "scenario", "repeat", "method", "fact", "value"])
    printed = {what: reference.printed("cieslak2008", what, FOLDER) for what in ("ranks", "facts", "sizes")}
    ranks, tests = table_ranks(
        [spec for spec in specs if spec.layout != "sizes"], scores, facts, settings, [*datasets, *apart],
        printed | {"published": published},
    )  # fmt: skip
    names = DisplayNames(
        methods={m: m.upper() for m in methods} | (titles or {}),
        datasets={d: d[:3] for d in [*datasets, *apart]},
        scenarios={"all-labeled": "all labels"},
        titles={d: f"The {d}" for d in [*datasets, *apart]},
    )
    return study_results(
        scores, settings, names, frames={"stats/table_ranks": ranks, "stats/table_tests": tests},
        methods=[DisplayMethod(m, m, m[:3]) for m in methods], unavailable={d: "nobody has it" for d in drop},
        sizes={"pima": (768, 8, 268), "oil": (937, 49, 41)}, printed_sizes=printed["sizes"],
    )  # fmt: skip


def build_grid(spec, **changes):
    """The table of a spec over the results that `results_of` makes of the rest."""
    return build_table(spec, results_of(spec, **changes))


def table(name, **changes):
    about = {"title": "T", "layout": "ranks", "metric": "auc_roc", "scenario": "all-labeled"}
    return Table(name=name, **(about | changes))


TABLE_2 = table("table_2", methods=TREES, control="hddt", rank_digits=3)


@pytest.mark.parametrize(
    ("spec", "average", "chi2", "rejected"),
    [
        (TABLE_2, [2.921, 1.737, 3.711, 1.632], "33.96", ["c45", "cart"]),
        (table("table_3", methods=SAMPLED, control="cart_sampled"), [2.158, 2.132, 3.632, 2.079], "19.50", None),
    ],
)
def test_printed_values_give_the_ranks_and_tests_of_the_paper(spec, average, chi2, rejected):
    grid = build_grid(spec)
    footer = grid.frame[grid.frame.dataset == ""].set_index("method")
    np.testing.assert_allclose(footer["rank"].astype(float), average, atol=5e-4)
    assert f"Friedman χ² = {chi2} (p < 0.001)" in grid.notes[0]
    if rejected:
        assert footer.index[footer.significant == True].tolist() == rejected  # noqa: E712
        assert footer.index[footer.published_significant == True].tolist() == rejected  # noqa: E712
    cells = grid.frame[grid.frame.dataset != ""]
    assert len(cells) == 4 * 19
    np.testing.assert_array_equal(cells["rank"].astype(float), cells.published_rank.astype(float))


def test_ranks_of_the_eight_are_the_corrected_ones():
    grid = build_grid(table("table_4", cells="rank", control="hddt"))
    cells = grid.frame[grid.frame.dataset != ""].set_index(["dataset", "method"])
    theirs = reference.printed("cieslak2008", "ranks", FOLDER)
    theirs = theirs[(theirs.table == "table_4") & (theirs.dataset != "")].set_index(["dataset", "method"])
    right = theirs.corrected.fillna(theirs["rank"]).astype(float)
    pd.testing.assert_series_equal(cells["rank"].astype(float), right.reindex(cells.index), check_names=False)
    assert (theirs.corrected.notna()).sum() == 6
    row = next(row for row in grid.rows if row.tooltip == "letter_vowels")
    assert [(cell.text, cell.published) for cell in row.cells][4:] == [("5", "4"), ("5", "4"), ("7", "7"), ("5", "4")]
    assert "misprint" in row.cells[4].tooltip


def test_equal_means_are_those_that_are_printed_alike():
    """Means that differ in the fifth decimal share a rank; standard deviations have ddof 1."""
    grid = build_grid(TABLE_2, spread=(-0.01, 0.01), moved="dkm")
    row = next(row for row in grid.rows if row.tooltip == "pima")
    assert [cell.text for cell in row.cells][3] == "0.760 ± 0.014 (1.5)"
    assert [cell.text for cell in row.cells][1] == "0.760 ± 0.014 (1.5)"
    assert row.cells[3].published == "0.760 ± 0.019 (1.5)"
    assert [cell.emphasis for cell in row.cells] == ["", BOLD, "", BOLD]


def test_missing_data_sets_are_named_and_the_papers_ranks_are_averaged_over_the_same_ones():
    grid = build_grid(TABLE_2, drop=["boundary", "phos"], apart=["svmguide1"])
    assert "N = 16 of 18 data sets" in grid.caption
    assert any("No results for The boundary, The phos." in note for note in grid.notes)
    assert any("Stand-ins" in note and "svmguide1" in note for note in grid.notes)
    gone = next(row for row in grid.rows if row.tooltip == "boundary")
    assert gone.cells[0].text == "–"
    assert gone.cells[0].published == "0.554 ± 0.037 (4)"
    assert "nobody has it" in gone.cells[0].tooltip
    same = grid.footer[0]
    assert [cell.text for cell in same.cells] == [cell.published for cell in same.cells], "ranks are the paper's own"
    frame = grid.frame[grid.frame.dataset == ""].set_index("method")
    assert frame.loc["c45", "published_rank"] == 2.92


def facts():
    printed = reference.printed("cieslak2008", "facts", FOLDER)
    return pd.concat(
        [printed.assign(repeat=r, value=printed.published.astype(float) + move) for r, move in enumerate((-5, 5))],
        ignore_index=True,
    )[["dataset", "scenario", "repeat", "method", "fact", "value"]]


def test_levels_stand_beside_the_papers_with_ranks_of_each():
    names = ["undersample_percent", "smote_percent"]
    spec = table("table_5", layout="facts", metric=None, facts=names, methods=SAMPLED, digits=0)
    grid = build_grid(spec, facts=facts())
    row = next(row for row in grid.rows if row.tooltip == "breast_w")
    assert row.cells[1].text == "26, 350 (2.5, 1.5)"
    assert row.cells[1].published == "26, 350 (2.5, 2.5)"
    footer = grid.frame[grid.frame.dataset == ""].set_index(["metric", "method"])["rank"].astype(float)
    # the paper prints 2.76; its own column gives 2.711, and its levels on Phoneme one rank more
    assert footer["undersample_percent", "hddt_sampled"] == pytest.approx(2.711 + 1 / 19, abs=5e-4)
    assert sum("Friedman" in note for note in grid.notes) == 2


def test_sizes_stand_beside_the_papers():
    grid = build_grid(table("table_1", layout="sizes", metric=None, scenario=None), drop=["phos"])
    pima = next(row for row in grid.rows if row.tooltip == "pima")
    assert [(cell.text, cell.published) for cell in pima.cells] == [("768", "768"), ("8", "8"), ("34.9", "35")]
    assert any(note.startswith("The phoneme: misprint") for note in grid.notes)
    assert any(note == "The phos: nobody has it." for note in grid.notes)
    assert grid.frame.set_index("dataset").loc["oil", "positives"] == 41


def test_files_escape_what_they_print(tmp_path):
    grid = build_grid(TABLE_2, titles={"c45": "C<4.5> & co_"})
    assert "C&lt;4.5&gt; &amp; co_" in to_html(grid)
    latex = to_latex(grid)
    assert r"C\textless{}4.5\textgreater{} \& co\_" in latex
    assert r"$\surd$" in latex
    assert latex.count(r"\\") >= 19 + 3
    assert "?" not in latex.replace("? ", "")
    assert [path.suffix for path in write_table(grid, tmp_path)] == [".csv", ".tex", ".html"]
    assert len(pd.read_csv(tmp_path / "table_2.csv")) == 4 * 20
