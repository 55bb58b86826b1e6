"""The views of the page: their numbers are Python's, and a reader reaches everything by link and keyboard."""

from __future__ import annotations

import dataclasses
import io
import xml.etree.ElementTree as ET

import numpy as np
import pandas as pd
import pytest

from scarce.analysis.exact import signed_rank
from scarce.analysis.means import mean_of_blocks
from scarce.analysis.ranks import average_ranks, block_matrix, rank_blocks
from scarce.analysis.tests import holm, iman_davenport
from tests.browser.conftest import DESK, PHONE, SETTLED, small_study
from tests.browser.studies import EVIL, page_of, study

VIEWS = ["leaderboard", "two", "dataset", "cost", "ratio", "rules"]
ROWS = """view => [...document.querySelectorAll(`#${view} .view table`)].map(table => [...table.tBodies[0].rows].map(
    row => [{...row.dataset}, ...[...row.cells].slice(1).map(cell => cell.dataset.sort ?? cell.textContent)]))"""
SHOWN = """button => {
    const table = button.closest('.block').querySelector('table');
    const [head, ...rows] = [table.rows[0], ...table.tBodies[0].rows].map(row => [...row.cells]);
    return {
        name: table.dataset.name,
        numeric: head.map(cell => cell.classList.contains('num')),
        values: rows.map(cells => cells.map(cell => cell.dataset.sort ?? null)),
    };
}"""
close = pytest.approx


def choose(page, **choice):
    page.evaluate("choice => scarce.set(choice)", choice)
    page.evaluate(SETTLED)


def panel_of(results, metric, scenario, datasets):
    settings = results.settings
    blocks = block_matrix(
        results.scores, metric, scenario, missing=settings.missing, methods=settings.methods, datasets=datasets
    )
    return blocks, rank_blocks(blocks.values)


def check_leaderboard(page, results, metric, scenario, datasets):
    """The first view has the numbers of `scarce.analysis` over these data sets."""
    rows = {data["method"]: cells for data, *cells in page.evaluate(ROWS, "leaderboard")[0]}
    check_rows(page, rows, results, metric, scenario, datasets)


def check_rows(page, rows, results, metric, scenario, datasets):
    blocks, ranks = panel_of(results, metric, scenario, datasets)
    average, means = average_ranks(blocks.values), mean_of_blocks(blocks)
    wins = ranks.eq(ranks.min(axis=1), axis=0).sum()
    assert set(rows) == set(average.index)
    for name, (rank, mean, _, won, *_) in rows.items():
        assert float(rank) == close(average[name], rel=1e-9)
        assert float(mean) == close(means[name], rel=1e-9)
        assert int(won) == wins[name]
    if len(datasets) < 2:
        assert page.get_attribute("#omnibus", "data-p") is None
        return
    assert float(page.get_attribute("#omnibus", "data-p")) == close(iman_davenport(ranks).decisive, rel=1e-9)
    adjusted = holm(average, len(ranks)).set_index("method")["p_adjusted"]
    assert {name: float(cells[4]) for name, cells in rows.items() if cells[4]} == close(dict(adjusted), rel=1e-9)


def test_every_filter_gives_the_numbers_of_python(shown, small):
    results = small_study()
    names = results.settings.datasets
    page = shown(small)
    rng = np.random.default_rng(5)
    for metric, scenario in [("auc_pr", "flip-25"), ("f1_oracle", "flip-75")]:
        for size in (1, 5):
            some = sorted(rng.choice(names, size, replace=False).tolist())
            choose(page, metric=metric, scenario=scenario, **{"in": some})
            check_leaderboard(page, results, metric, scenario, some)


def test_controls_filter_and_say_so(shown, small):
    results = small_study()
    page = shown(small)
    page.locator("#dataset-menu > summary").click()
    page.locator("#n-min").fill("400")
    page.locator("#n-min").press("Enter")
    page.locator("#nominal-of").select_option("some")
    page.locator("#scenario-of").select_option("flip-50")
    page.evaluate(SETTLED)
    names = [n for n in results.settings.datasets if results.sizes[n][0] >= 400 and results.nominal[n]]
    check_leaderboard(page, results, "auc_pr", "flip-50", names)
    assert f"{len(names)} of {len(results.settings.datasets)}" in page.locator("#announcer").inner_text()
    page.locator("#reset-filter").click()
    page.evaluate(SETTLED)
    check_leaderboard(page, results, "auc_pr", "flip-50", results.settings.datasets)


def test_search_narrows_the_list_of_data_sets(shown, small):
    page = shown(small)
    page.locator("#dataset-menu > summary").click()
    page.locator("#dataset-search").fill("set d03")
    assert page.locator("#dataset-menu .check:visible").count() == 1
    page.get_by_role("button", name="Leave them out").click()
    page.evaluate(SETTLED)
    check_leaderboard(
        page, small_study(), "auc_pr", "flip-25", [n for n in small_study().settings.datasets if n != "d03"]
    )


def test_two_methods_are_tested_as_in_python(shown, small):
    page = shown(small, "#view=two&a=m01&b=m04&metric=auc_roc")
    blocks, _ = panel_of(small_study(), "auc_roc", "flip-25", small_study().settings.datasets)
    difference = (blocks.values["m01"] - blocks.values["m04"]).to_numpy()
    words = page.locator("#two-words")
    assert int(words.get_attribute("data-wins")) == (difference > 0).sum()
    assert float(words.get_attribute("data-mean")) == close(difference.mean(), rel=1e-9)
    assert float(words.get_attribute("data-p")) == close(signed_rank(difference).p, rel=1e-9)
    assert "Bayesian" in words.inner_text()


def test_a_link_gives_the_same_view_and_back_returns(shown, small):
    page = shown(small)
    before = page.locator("#explore").inner_text()
    page.locator("#metric-of").select_option("auc_roc")
    choose(page, scenario="flip-75", out=["d01"], dataset="d04", cost="memory", heat="rank")
    after, address = page.locator("#explore").inner_text(), page.evaluate("location.hash")
    assert before != after
    assert shown(small, address).locator("#explore").inner_text() == after
    page.go_back()
    page.go_back()
    page.evaluate(SETTLED)
    assert page.evaluate("location.hash") == ""
    assert page.locator("#explore").inner_text() == before
    page.go_forward()
    page.evaluate(SETTLED)
    assert page.evaluate("location.hash") == "#metric=auc_roc"


def test_choices_in_quick_succession_reach_every_view(shown, small):
    page = shown(small)
    page.evaluate("scarce.set({metric: 'auc_roc'}); scarce.set({heat: 'rank'})")
    page.evaluate(SETTLED)
    captions = page.locator("#explore table[data-name] caption").all_text_contents()
    assert [text for text in captions if "AUC-PR" in text] == []


def test_links_to_places_keep_the_choices(shown, small):
    page = shown(small, "#metric=auc_roc")
    page.locator('nav a[href="#provenance"]').click()
    assert page.evaluate("location.hash") == "#metric=auc_roc&at=provenance"
    page.locator('nav a[href="#two"]').click()
    assert page.evaluate("location.hash") == "#metric=auc_roc&view=two"
    page = shown(small, "#metric=auc_roc&view=cost")
    assert abs(page.evaluate("document.getElementById('cost').getBoundingClientRect().top")) < 300


@pytest.mark.parametrize("fragment", ["#%zz", "#metric=none&in=nobody&n_min=x&repeat=-1&a=__proto__&view=nowhere&at=%"])
def test_wrong_fragments_are_as_none(shown, small, fragment):
    page = shown(small, fragment)
    check_leaderboard(page, small_study(), "auc_pr", "flip-25", small_study().settings.datasets)


def test_the_keyboard_reaches_a_run_and_its_command(shown, small):
    page = shown(small, "#view=dataset&dataset=d02")
    assert page.locator("#dataset .chart [tabindex='0']").count() == 1, "the dots are one stop of the tab key"
    page.locator("#dataset .chart [tabindex='0']").focus()
    first = page.evaluate("document.activeElement.ariaLabel")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowRight")
    assert page.evaluate("document.activeElement.ariaLabel") != first
    method, repeat = page.evaluate("[document.activeElement.dataset.method, document.activeElement.dataset.repeat]")
    page.keyboard.press("Enter")
    page.evaluate(SETTLED)
    assert page.evaluate("document.activeElement.id") == "run"
    assert page.locator("#run pre").inner_text() == f"scarce explain made d02 flip-25 {method} --repeat {repeat}"
    assert {"Status", "Message", "Class prior", "Threshold"} <= set(page.locator("#run dt").all_inner_texts())
    page.get_by_role("button", name="Copy the command").click()
    page.locator("#run .said").get_by_text("Cop").or_(page.locator("#run .said").get_by_text("Selected")).wait_for()


def test_tab_visits_the_controls_in_their_order(shown, small):
    page = shown(small)
    page.locator("#metric-of").focus()
    seen = []
    for _ in range(2):
        page.keyboard.press("Tab")
        seen.append(page.evaluate("document.activeElement.id || document.activeElement.tagName"))
    assert seen == ["scenario-of", "SUMMARY"]
    outline = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
    assert outline != "none"


def test_a_table_row_shows_its_runs(shown, small):
    page = shown(small, "#view=dataset&dataset=d02")
    page.locator('#dataset tr[data-method="m03"] button').click()
    page.evaluate(SETTLED)
    page.locator("#run summary").click()
    page.locator('#run tr[data-repeat="2"] button').click()
    page.evaluate(SETTLED)
    assert page.locator("#run pre").inner_text().endswith("m03 --repeat 2")


def saved(page, button, path):
    """The file that a button saves, as text."""
    page.wait_for_timeout(110)  # Chromium drops the eleventh download of a second
    with page.expect_download() as download:
        button.click()
    download.value.save_as(path)
    return path.read_text(encoding="utf-8")


def test_downloads_hold_what_is_shown(shown, small, tmp_path):
    page = shown(small, "#out=d05&heat=rank&dataset=d02")
    for view in VIEWS:
        for fold in page.locator(f"#{view} details.numbers > summary").all():
            fold.click()
    buttons = page.get_by_role("button", name="Save the table").all()
    assert len(buttons) == 7  # leaderboard, heat map, two methods, data set, cost, ratio, rules
    for button in buttons:
        frame, table = pd.read_csv(io.StringIO(saved(page, button, tmp_path / "table.csv"))), button.evaluate(SHOWN)
        if table["name"] == "leaderboard":
            width = frame.pop("mean_high") - frame["mean_low"]
            frame["mean_low"] = width  # what the page sorts by
        assert frame.shape == (len(table["values"]), len(table["numeric"]))
        for column, shown_column, numeric in zip(
            frame, zip(*table["values"], strict=True), table["numeric"], strict=True
        ):
            assert pd.api.types.is_numeric_dtype(frame[column]) == (numeric or column == "repeat"), column
            if numeric:
                np.testing.assert_allclose(frame[column], pd.to_numeric(pd.Series(shown_column)), rtol=1e-12)
    for button in page.get_by_role("button", name="Save the chart").or_(page.get_by_label("Save the heat map")).all():
        text = saved(page, button, tmp_path / "chart.svg")
        assert ET.fromstring(text).tag.endswith("svg")
        assert "var(--" not in text
    runs = pd.read_csv(io.StringIO(saved(page, page.get_by_label("Save all runs"), tmp_path / "runs.csv")))
    expected = small_study().runs.query("dataset == 'd02' and scenario == 'flip-25'")
    keys = ["method", "repeat"]
    pd.testing.assert_frame_equal(*(rows[keys].sort_values(keys, ignore_index=True) for rows in (runs, expected)))


def test_every_repeat_is_a_dot_with_its_value(shown, small):
    page = shown(small, "#view=dataset&dataset=d02&metric=auc_roc&scenario=flip-50")
    scores = small_study().scores
    rows = scores[(scores.dataset == "d02") & (scores.metric == "auc_roc") & (scores.scenario == "flip-50")].dropna()
    assert page.locator("#dataset .chart [role='button']").count() == len(rows)
    cells = {data["method"]: cells for data, *cells in page.evaluate(ROWS, "dataset")[0]}
    means = rows.groupby("method")["value"].mean()
    assert {name: float(mean) for name, (mean, *_) in cells.items()} == close(dict(means), rel=1e-6)


def test_the_views_print_without_their_controls(shown, small):
    page = shown(small)
    page.emulate_media(media="print")
    assert not page.locator("#metric-of").is_visible()
    assert page.locator("#leaderboard .chart svg").first.is_visible()


KINDS = {
    "one_dataset": lambda: study(4, 1, 3),
    "one_method": lambda: study(1, 4, 3),
    "nearly_nothing_ended_well": lambda: study(4, 4, 3, gaps=0.95),
    "many_gaps_dropped": lambda: study(4, 6, 3, gaps=0.2),
    "one_metric": lambda: study(3, 4, 2, metrics=("auc_pr",)),
}


@pytest.mark.parametrize("kind", KINDS)
def test_studies_of_every_kind_are_shown(shown, tmp_path, kind):
    path = tmp_path / "report.html"
    path.write_text(page_of(KINDS[kind]()), encoding="utf-8")
    page = shown(path)
    for width in (DESK, PHONE):
        page.set_viewport_size({"width": width, "height": 900})
        assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_assumptions_stand_beside_a_metric_of_observed_labels(shown, tmp_path):
    results = study(4, 4, 3, metrics=("pu_auc_test", "pu_lee_liu_test"))
    results = dataclasses.replace(results, truth_known=False, assumptions={"pu_auc_test": f"SCAR {EVIL}"})
    path = tmp_path / "report.html"
    path.write_text(page_of(results), encoding="utf-8")
    page = shown(path)
    assert f"Assumes SCAR {EVIL[:20]}" in page.locator("#assumed").inner_text()
    assert not page.locator("#rules").is_visible()


def test_an_oracle_is_marked_in_every_view_and_ranks_nowhere(shown, tmp_path):
    results = study(5, 6, 3, oracles=("m04",))
    path = tmp_path / "report.html"
    path.write_text(page_of(results), encoding="utf-8")
    page = shown(path, "#a=m04&b=m01&dataset=d02&method=m04&repeat=1&mark=m04")
    others = dataclasses.replace(results.settings, methods=[f"m{i:02}" for i in range(4)], oracles=())
    rows = {data["method"]: cells for data, *cells in page.evaluate(ROWS, "leaderboard")[0]}
    oracle = rows.pop("m04")
    check_rows(page, rows, dataclasses.replace(results, settings=others), "auc_pr", "flip-25", others.datasets)
    assert oracle[0] == oracle[3] == oracle[4] == "" and float(oracle[1]) > 0
    for view in VIEWS:
        text = page.locator(f"#{view}").inner_text()
        assert "† Uses hidden labels: Method m04" in text, view
        marks = "option[value=m04]" if view == "two" else ".mark"
        assert "uses hidden labels" in page.locator(f"#{view} {marks}").first.text_content(), view
    for view in ("dataset", "cost", "rules"):
        drawn = page.locator(f"#{view} .chart").first.text_content()
        assert "† Method m04" in drawn, view


def test_a_study_without_any_value_says_so(shown, tmp_path):
    path = tmp_path / "report.html"
    path.write_text(page_of(study(3, 2, 2, gaps=1.0)), encoding="utf-8")
    shown(path).locator("#leaderboard .view p").wait_for()


def test_hostile_names_stay_text_in_every_view(shown, small):
    page = shown(small, "#dataset=d02&method=m01&repeat=1&heat=rank")
    assert page.title() != "broken"
    assert page.locator("#explore :is(img, iframe, script)").count() == 0
    assert EVIL[:20] in page.locator("#leaderboard").inner_text()


def test_the_largest_page_is_drawn_soon(browser, large):
    context = browser.new_context(viewport={"width": DESK, "height": 900})
    page = context.new_page()
    session = context.new_cdp_session(page)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})
    page.goto(large.as_uri())
    page.evaluate(SETTLED)
    metrics = {metric["name"]: metric["value"] for metric in session.send("Performance.getMetrics")["metrics"]}
    context.close()
    # CPU-seconds of the page's thread; all six views took 0.6 when this was written, and the first alone is to take 2
    assert 0 < metrics["TaskDuration"] < 4
