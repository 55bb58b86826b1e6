"""What the report shows of choices among methods: the table and the figure."""

import math

import pytest

from scarce.config.study import Table
from scarce.report.catalogue import FIGURES
from scarce.report.layouts import build_table
from scarce.report.one_dataset import estimates
from scarce.report.results import DisplayNames
from scarce.report.tables import BOLD
from tests.unit.analysis.test_selection import AP, RARE, RISK, frame, one_run, random_cells, settings
from tests.unit.report.made import study_results

SPEC = Table.model_validate({"name": "lost", "title": "AUC-PR lost", "layout": "selection", "metric": "auc_pr"})


def results(cells=None, **changes):
    scores = frame(random_cells(2) if cells is None else cells)
    names = DisplayNames(
        {m: m.upper() for m in "abc"}, {d: d for d in RARE}, {s: f"{s} %" for s in sorted(scores["scenario"].unique())}
    )
    return study_results(scores, settings(datasets=list(RARE), methods=list("abc"), **changes), names)


def test_a_row_is_a_way_to_choose_and_a_column_a_rarity():
    made = results()
    table = build_table(SPEC, made)
    assert [column.label for column in table.columns[1:]] == [
        "all: all data sets", "all: positives below 10 %", "all: positives from 10 %",
    ]  # fmt: skip
    assert [row.label for row in table.rows] == [
        "AP given prior",
        "PU risk, uPU",
        "At random",
        "Best on the other data sets",
    ]
    numbers = made.stats("selection").query("dataset == '' and scenario == '' and rarity == 'rare'").set_index("by")
    cell = table.rows[0].cells[1]
    assert cell.sort == numbers.loc[AP, "regret"] and cell.spread.startswith("[")
    for place in range(3):
        bold = [row.cells[place] for row in table.rows if row.cells[place].emphasis == BOLD]
        assert {cell.sort for cell in bold} == {min(row.cells[place].sort for row in table.rows)}


def test_metrics_that_only_choose_are_no_estimates_of_the_page():
    assert estimates(results()) is None
    assert {row.label for row in estimates(results(metrics=["auc_pr", AP])).rows} == {"AP given prior, validation"}


def test_what_is_in_no_mean_is_counted_in_a_note():
    nan = math.nan
    cells = {("s", d, r): one_run(**({AP: [nan] * 3} if r else {})) for d in RARE for r in range(2)}
    assert any("AP given prior (4)" in note for note in build_table(SPEC, results(cells)).notes)


def test_the_figure_shows_each_interval_where_the_file_has_it():
    made = results()
    (drawing,) = FIGURES["selection"].draw(made)
    assert drawing.stem == "selection_all" and "95 %" in drawing.caption
    panels = {axes.get_gid(): axes for axes in drawing.figure.axes}
    assert set(panels) == {"panel-0-0", "panel-1-0"}
    rows = made.stats("selection").query("dataset == '' and scenario == 'flip-75' and rarity == 'common'")
    (line,) = [one for one in panels["panel-1-0"].lines if one.get_gid() == "regret-1"]
    assert list(line.get_xdata()) == pytest.approx((rows.set_index("by").regret * 100).tolist(), nan_ok=True)
    labels = [text.get_text() for text in panels["panel-0-0"].get_yticklabels()]
    assert labels == [made.way_label(way) for way in rows["by"]]
    assert labels[1] == made.way_label(RISK)


def test_a_study_that_chooses_nothing_has_no_figure():
    assert list(FIGURES["selection"].draw(results(selection=None))) == []
