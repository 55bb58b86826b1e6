import shutil
import subprocess
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from scarce import paths
from scarce.analysis import reference
from scarce.analysis.statistics import COLUMNS, AnalysisSettings
from scarce.files import read_csv, write_csv
from scarce.report.layouts import build_table
from scarce.report.render import WORDS, to_html, to_latex, write_table
from scarce.report.results import DisplayNames
from scarce.report.tables import BOLD, UNDERLINED
from scarce.stages import tables as stage
from scarce.words import MISSING, p_value, percent
from tests.unit.report.made import study_results

FOLDER = Path(__file__).parents[3] / paths.reference("ortega2023")
METHODS = {"a": "Method A", "b": "B & 5 % of x_1 <b>", "c": "[c] $c$ ~ \\ Ü {α} 中"}
DATASETS = {"x": "XXX", "y": "Y_Y", "z": "ZZZ"}
SCENARIOS = {"flip-25": "25 %", "flip-50": "50 %"}
VALUES = {
    ("x", "a"): [0.90, 0.80], ("x", "b"): [0.70, 0.60], ("x", "c"): [0.10, 0.30],
    ("y", "a"): [0.50, 0.55], ("y", "b"): [0.50, 0.55], ("y", "c"): [0.20, 0.20],
    ("z", "a"): [1.00, 1.00], ("z", "b"): [0.25, 0.75], ("z", "c"): [0.00, 0.00],
}  # fmt: skip


def spec(layout="scenarios", scenario=None, name="table_1", title="Average AUC-PR"):
    return SimpleNamespace(name=name, title=title, metric="auc_pr", layout=layout, scenario=scenario)


def scores_of(values=VALUES, scenarios=tuple(SCENARIOS)):
    rows = [
        (dataset, scenario, repeat, method, "auc_pr", value)
        for (dataset, method), numbers in values.items()
        for scenario in scenarios
        for repeat, value in enumerate(numbers)
    ]
    return pd.DataFrame(rows, columns=["dataset", "scenario", "repeat", "method", "metric", "value"])


def results_of(scores=None, *, datasets=DATASETS, settings=None, **more):
    scores = scores_of() if scores is None else scores
    settings = {"metrics": ["auc_pr"], "methods": list(METHODS), "datasets": list(datasets)} | (settings or {})
    names = DisplayNames(METHODS, datasets, SCENARIOS, {"x": "Data set X"})
    return study_results(scores, AnalysisSettings(**settings), names, **more)


def cells_of(table):
    """By method, for each column: the numbers of the frame, and the cell that shows them."""
    methods = list(dict.fromkeys(table.frame["method"]))
    rows = table.frame.to_dict("records")
    columns = range(len(rows) // len(methods))
    return {
        method: [SimpleNamespace(**rows[c * len(methods) + i], cell=table.rows[i].cells[c]) for c in columns]
        for i, method in enumerate(methods)
    }


def notes_of(table):
    return table.notes_with(WORDS)


def published_of(cells):
    rows = [("flip-25", "auc_pr", dataset, method, value, 3) for (dataset, method), value in cells.items()]
    frame = pd.DataFrame(rows, columns=["scenario", "metric", "dataset", "method", "published", "printed_digits"])
    return frame.assign(published_sd=np.nan, corrected=np.nan, note="")


def compile_latex(folder, *names):
    body = "\n".join(f"\\input{{{name}.tex}}" for name in names)
    page = "\\documentclass{article}\\usepackage[a4paper,margin=2cm]{geometry}\\usepackage{booktabs}"
    (folder / "page.tex").write_text(f"{page}\\begin{{document}}{body}\\end{{document}}", encoding="utf-8")
    done = subprocess.run(
        ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "page.tex"],
        cwd=folder, capture_output=True, encoding="utf-8", errors="replace", check=False, timeout=120,
    )  # fmt: skip
    return done.returncode, done.stdout


needs_latex = pytest.mark.skipif(shutil.which("pdflatex") is None, reason="pdflatex is not installed")


def test_averages_by_hand():
    view = build_table(spec(), results_of())
    cell = cells_of(view)["a"][0]
    assert cell.mean == pytest.approx((0.85 + 0.525 + 1.0) / 3)
    assert cell.sd == pytest.approx((np.std([0.9, 0.8], ddof=1) + np.std([0.5, 0.55], ddof=1) + 0) / 3)
    assert (cell.n_datasets, cell.n_runs) == (3, 6)
    assert view.caption == "Average AUC-PR. N = 3 data sets, 2 repeats."
    assert [column.label for column in view.columns] == ["Method", "25 %", "50 %"]
    assert list(cells_of(view)) == list(METHODS)


def test_marks_of_ranks_are_not_those_of_means():
    rows = {"a": (0.6, 0.6, 0.1), "b": (0.5, 0.5, 0.9), "c": (0.1, 0.1, 0.0)}
    values = {(dataset, m): [value] for m, row in rows.items() for dataset, value in zip("xyz", row, strict=True)}
    cells = cells_of(build_table(spec(), results_of(scores_of(values))))
    assert [cells[m][0].mark for m in "ab"] == ["best", "not_outperformed"]
    assert [cells[m][0].best for m in "ab"] == [False, True]


def test_all_of_the_best_are_marked_where_they_tie():
    values = VALUES | {(d, "b"): VALUES[d, "a"] for d in "xyz"}
    cells = cells_of(build_table(spec(), results_of(scores_of(values))))
    assert [cells[m][0].mark for m in "ab"] == ["best", "best"]
    assert [cells[m][0].best for m in "ab"] == [True, True]
    by_dataset = build_table(spec("datasets", "flip-25"), results_of())
    assert [cells_of(by_dataset)[m][1].mark for m in METHODS] == ["best", "best", ""]


@pytest.mark.parametrize("seed", range(5))
def test_the_same_numbers_in_another_order_are_both_the_best(seed):
    random = np.random.RandomState(seed)
    runs, data_sets = random.rand(20), random.rand(3)
    repeats = {("x", "a"): list(runs), ("x", "b"): list(random.permutation(runs)), ("x", "c"): [0.0] * 20}
    by_dataset = build_table(spec("datasets", "flip-25"), results_of(scores_of(repeats), datasets={"x": "XXX"}))
    assert [cells_of(by_dataset)[m][0].best for m in METHODS] == [True, True, False]
    rows = {"a": data_sets, "b": random.permutation(data_sets), "c": [0.0] * 3}
    means = {(dataset, m): [value] for m, row in rows.items() for dataset, value in zip("xyz", row, strict=True)}
    cells = cells_of(build_table(spec(), results_of(scores_of(means))))
    assert [cells[m][0].best for m in METHODS] == [True, True, False]


def test_equal_as_printed_is_not_equal():
    values = VALUES | {("y", "b"): [0.50, 0.5501]}
    cells = cells_of(build_table(spec("datasets", "flip-25"), results_of(scores_of(values))))
    assert percent(cells["a"][1].mean) == percent(cells["b"][1].mean)
    assert [cells[m][1].mark for m in METHODS] == ["", "best", ""]


def test_low_is_best_where_the_metric_says_so():
    view = build_table(spec("datasets", "flip-25"), results_of(settings={"lower_is_better": frozenset({"auc_pr"})}))
    assert [cells_of(view)[m][0].mark for m in METHODS] == ["", "", "best"]
    assert "Bold: lowest of the column" in notes_of(view)[0]


def test_csv_has_fractions_of_full_precision_and_reads_back(tmp_path):
    view = build_table(spec(), results_of())
    write_table(view, tmp_path)
    frame = read_csv(tmp_path / "table_1.csv", dtype={"dataset": str, "mark": str})
    assert list(frame.columns) == [
        "scenario", "metric", "dataset", "method", "mean", "sd", "n_datasets", "n_runs", "best", "mark", "published",
        "difference",
    ]  # fmt: skip
    assert len(frame) == 6
    assert frame["mean"].tolist() == [
        cell.mean for column in zip(*cells_of(view).values(), strict=True) for cell in column
    ]


def test_missing_data_sets_are_counted_named_and_shown_as_dashes_with_the_reason():
    datasets = DATASETS | {"gone": "GON"}
    results = results_of(datasets=datasets, unavailable={"gone": "private data"})
    averages, single = build_table(spec(), results), build_table(spec("datasets", "flip-25"), results)
    assert averages.caption.endswith("N = 3 of 4 data sets, 2 repeats.")
    assert any("Missing: GON (private data)." in note for note in notes_of(averages))
    assert single.caption.endswith("N = 3 of 4 data sets, 2 repeats.")
    assert "No results for GON (private data)." in notes_of(single)
    cell = cells_of(single)["a"][3]
    assert np.isnan(cell.mean)
    assert cell.cell.tooltip == "no data: private data"
    assert 'title="no data: private data"' in to_html(single)
    assert f">{MISSING}</td>" in to_html(single)
    assert " & -- \\\\" in to_latex(single)


def test_a_table_under_two_names_counts_once_and_is_named():
    from scarce.report.summary import sizes_of

    results = results_of(settings={"datasets": ["x", "y"]}, repeated={"z": "x"})
    averages, single = build_table(spec(), results), build_table(spec("datasets", "flip-25"), results)
    assert averages.caption.endswith("N = 2 data sets, 2 repeats.")
    assert single.caption.endswith("N = 2 data sets, 2 repeats.")
    assert len(single.columns) == 4, "it is shown"
    assert any("z holds the same table as Data set X" in note for note in notes_of(single))
    assert "z holds the same table as Data set X" in results.counted_words()
    assert "Stand-ins" not in results.counted_words()
    assert dict(sizes_of(results, 2))["Data sets"] == "2 + 1 copy"
    assert results.panel("ranks", "auc_pr", "flip-25", "datasets")["n_blocks"].tolist() == [2, 2, 2]


def test_a_missing_run_drops_the_data_set_for_all_and_the_caption_says_so():
    values = VALUES | {("x", "a"): [0.9]}
    results = results_of(scores_of(values))
    view = build_table(spec(), results)
    assert view.caption.endswith("N = 2 of 3 data sets, 2 repeats.")
    assert cells_of(view)["b"][0].mean == pytest.approx((0.525 + 0.5) / 2)
    assert any(
        "left out for all methods" in n and "Method A on XXX at 25 % (1 of 2 runs missing)" in n for n in notes_of(view)
    )
    assert "Fewer than 2 runs: Method A on XXX (1)." in notes_of(build_table(spec("datasets", "flip-25"), results))


def test_worst_is_said():
    values = {key: numbers for key, numbers in VALUES.items() if key != ("x", "c")}
    view = build_table(spec(), results_of(scores_of(values), settings={"missing": "worst"}))
    assert cells_of(view)["c"][0].n_datasets == 2
    assert any("is last there. Missing: " in note and "on XXX" in note for note in notes_of(view))


def test_the_reason_of_a_failed_cell_comes_from_the_runs():
    values = {key: numbers for key, numbers in VALUES.items() if key != ("x", "c")}
    runs = pd.DataFrame(
        [("x", "flip-25", r, "c", "failed", "ValueError:\nno <positive>") for r in range(2)]
        + [("x", "flip-25", r, "a", "ok", None) for r in range(2)],
        columns=["dataset", "scenario", "repeat", "method", "status", "message"],
    )
    view = build_table(spec("datasets", "flip-25"), results_of(scores_of(values), runs=runs))
    assert cells_of(view)["c"][0].cell.tooltip == "failed: ValueError: no <positive>"
    assert "no &lt;positive&gt;" in to_html(view)


def test_a_method_without_any_result_has_dashes_and_a_reason():
    values = {key: numbers for key, numbers in VALUES.items() if key[1] != "c"}
    view = build_table(spec(), results_of(scores_of(values)))
    assert cells_of(view)["c"][0].cell.tooltip == "no results of this method; it is left out"
    assert cells_of(view)["a"][0].mean > 0


def test_too_few_methods_to_test_is_a_dash_with_the_reason():
    values = {key: numbers for key, numbers in VALUES.items() if key[1] != "c"}
    view = build_table(spec(), results_of(scores_of(values)))
    assert view.footer[0].cells[0].text == MISSING
    assert view.footer[0].cells[0].tooltip.startswith("not tested: only 2 methods")
    assert "not tested: only 2 methods" in to_html(view)
    assert "Iman-Davenport & -- & -- \\\\" in to_latex(view)
    assert not any("Bold" in note for note in notes_of(view))


def test_stats_read_from_csv_give_the_same_table(tmp_path):
    results = results_of()
    frames = {}
    for name in COLUMNS:
        write_csv(tmp_path / f"{name}.csv", results.stats(name))
        frame = read_csv(tmp_path / f"{name}.csv")
        frames[f"stats/{name}"] = frame.fillna({"dataset": "", "method": ""}) if name in ("means", "notes") else frame
    view = build_table(spec(), results_of(frames=frames))
    assert to_html(view) == to_html(build_table(spec(), results))
    assert cells_of(view)["a"][0].mark == "best"


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        (
            {},
            [
                "Underlined: best average rank. Bold: not outperformed by it at the 5 % level",
                "Holm's procedure, two-sided; blocks: 3 data sets.",
            ],
        ),
        (
            {"blocks": "runs", "alternative": "one-sided", "holm": "no_stop", "alpha": 0.1},
            ["10 % level", "without its stopping rule, one-sided; blocks: 6 single runs, taken as if independent."],
        ),
        ({"control": "b"}, ["not different from B & 5 % of x_1 <b>"]),
    ],
)
def test_the_procedure_is_said(settings, words):
    note = notes_of(build_table(spec(), results_of(settings=settings)))[0]
    assert all(word in note for word in words)


def test_excluded_methods_are_said_and_keep_their_numbers():
    values = VALUES | {(d, "d"): [0.4, 0.4] for d in "xyz"}
    settings = {"blocks": "runs", "exclude": {"auc_pr": ["c"]}, "methods": [*METHODS, "d"]}
    scores = scores_of(values)
    results = results_of(scores, settings=settings)
    view = build_table(spec(), results)
    assert notes_of(view)[1] == f"Not in the tests: {METHODS['c']}."
    assert cells_of(view)["c"][0].mean == pytest.approx((0.2 + 0.2 + 0.0) / 3)
    assert cells_of(view)["c"][0].mark == ""


def test_published_numbers_stand_beside_ours():
    published = published_of({("", "a"): 0.7, ("x", "a"): 0.8, ("y", "a"): 0.5, ("z", "a"): 0.9, ("gone", "a"): 0.2})
    results = results_of(datasets=DATASETS | {"gone": "GON"}, published=published)
    single = build_table(spec("datasets", "flip-25"), results)
    assert [cell.published for cell in cells_of(single)["a"]] == [0.8, 0.5, 0.9, 0.2]
    assert cells_of(single)["a"][0].difference == pytest.approx(0.05)
    assert np.isnan(cells_of(single)["a"][3].difference)
    average = cells_of(build_table(spec(), results))["a"][0]
    assert average.published == pytest.approx((0.8 + 0.5 + 0.9) / 3)
    assert average.difference == pytest.approx(average.mean - average.published)
    html = to_html(single)
    assert "published 80.0, difference +5.0" in html
    assert '<span class="published" aria-label="published">80.0</span>' in html


def test_averages_with_data_sets_the_paper_lacks_have_no_published_number_beside_them():
    published = published_of({("", "a"): 0.7, ("x", "a"): 0.8, ("y", "a"): 0.5})
    view = build_table(spec(), results_of(published=published))
    assert np.isnan(cells_of(view)["a"][0].published)
    two = build_table(spec(), results_of(published=published, settings={"datasets": ["x", "y"]}))
    assert cells_of(two)["a"][0].published == 0.7


def test_html_is_well_formed_and_says_what_its_cells_are():
    tree = ElementTree.fromstring(to_html(build_table(spec(), results_of())))
    table = tree.find("div/table")
    assert table.find("caption").text.startswith("Average AUC-PR")
    assert [cell.get("scope") for cell in table.findall("thead/tr/th")] == ["col"] * 3
    assert [cell.text for cell in table.findall("tbody/tr/th")] == list(METHODS.values())
    values = table.findall("tbody/tr/td")
    assert len(values) == 6
    assert values[0].get("class") == f"num {UNDERLINED}"
    assert build_table(spec("datasets", "flip-25"), results_of()).rows[0].cells[0].emphasis == BOLD
    assert float(values[0].get("data-sort")) == pytest.approx(2.375 / 3)


@needs_latex
def test_latex_compiles_whatever_the_names(tmp_path):
    results = results_of(datasets=DATASETS | {"gone": "G & %"}, unavailable={"gone": "50 % of #1 is_private ^~\\"})
    for view in (
        build_table(spec(), results),
        build_table(spec("datasets", "flip-25", "table_2", "À la carte ±"), results),
    ):
        write_table(view, tmp_path)
    code, output = compile_latex(tmp_path, "table_1", "table_2")
    assert code == 0, output[-2000:]
    assert "Overfull" not in output


def test_the_stage_names_letters_that_pdflatex_cannot_print(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    project = SimpleNamespace(study=lambda name: None)
    monkeypatch.setattr(stage, "table_specs", lambda study: [spec("datasets", "flip-25")])
    for datasets, letters in ((DATASETS, "中"), (DATASETS | {"x": "Лес", "y": "Бор"}, "Б Л е о р с 中")):
        monkeypatch.setattr(stage, "load_results", lambda *_, datasets=datasets: results_of(datasets=datasets))
        assert f" {letters} " in stage.tables(project, "s")
        latex = paths.tables("s").joinpath("table_1.tex").read_text(encoding="utf-8")
        assert latex.startswith(f"% Letters without a glyph in pdflatex's fonts: {letters}\n")
        assert all(name in latex for name in datasets.values() if name.isalpha())


@pytest.mark.parametrize(
    ("p", "text"),
    [
        (0.0, "p < 0.001"),
        (4.5e-8, "p < 0.001"),
        (0.00099, "p < 0.001"),
        (0.001, "p = 0.001"),
        (0.0198, "p = 0.020"),
        (0.9999, "p = 1.000"),
    ],
)
def test_p_is_never_printed_as_zero(p, text):
    assert p_value(p) == text


@pytest.mark.parametrize(
    ("value", "text"), [(0.62155, "62.2"), (1.0, "100.0"), (0.0, "0.0"), (-0.00001, "0.0"), (float("nan"), "–")]
)
def test_percent(value, text):
    assert percent(value) == text


def test_no_scores_at_all_is_a_table_of_dashes():
    results = results_of(scores_of().iloc[:0], published=published_of({("", "a"): 0.5, ("x", "a"): 0.5}))
    for view in (build_table(spec(), results), build_table(spec("datasets", "flip-25"), results)):
        assert "N = 0 of 3 data sets" in view.caption
        assert all(np.isnan(cell.mean) for row in cells_of(view).values() for cell in row)
        assert ElementTree.fromstring(to_html(view)).tag == "figure"
        assert "nan" not in to_latex(view) + to_html(view)


@pytest.mark.parametrize(("layout", "scenario"), [("datasets", None), ("rows", None)])
def test_wrong_layouts_are_refused(layout, scenario):
    with pytest.raises(ValueError, match="layout"):
        build_table(spec(layout, scenario), results_of())


def test_cost_stands_beside_the_mean_and_the_front_is_marked():
    seconds = {"a": [3.0, 5.0], "b": [1.0, 1.0], "c": [9.0, np.nan]}
    rows = [("x", "flip-25", method, one) for method, values in seconds.items() for one in values]
    runs = pd.DataFrame(rows, columns=["dataset", "scenario", "method", "fit_seconds"])
    runs = pd.concat([runs, runs.assign(scenario="flip-50", fit_seconds=99.0)])
    table = build_table(spec("cost", "flip-25"), results_of(runs=runs))
    assert table.frame["method"].tolist() == ["b", "a", "c"]
    assert table.frame["seconds"].tolist() == [1.0, 4.0, 9.0]
    means = results_of().averages("auc_pr", "flip-25")["mean"]
    assert table.frame["mean"].tolist() == means[["b", "a", "c"]].tolist()
    beaten = [any(means[cheaper] >= means[one] for cheaper in "bac"[:place]) for place, one in enumerate("bac")]
    assert [row.cells[1].emphasis == BOLD for row in table.rows] == [not one for one in beaten]
    assert table.rows[1].cells[0].text == "4"


# --- the tables of ortega2023 from its authors' runs ---------------------------------------------------------------


@pytest.fixture(scope="module")
def ortega(authors_runs):
    scores = authors_runs
    methods = read_csv(FOLDER / "methods.csv")
    datasets = read_csv(FOLDER / "datasets.csv")
    names = DisplayNames(
        dict(methods[["method", "label_in_tables_3_4_A1"]].itertuples(index=False)),
        dict(datasets[["dataset", "dataset_code"]].itertuples(index=False)),
        {f"flip-{ratio}": f"{ratio} %" for ratio in (25, 50, 75)},
    )
    settings = AnalysisSettings(
        metrics=["f1_oracle", "auc_pr", "auc_roc"], blocks="runs", alternative="one-sided", holm="no_stop",
        methods=list(names.methods), datasets=list(names.datasets),
    )  # fmt: skip
    published = reference.published("ortega2023", FOLDER)
    return study_results(scores, settings, names, published=published, author_runs=scores)


def ortega_spec(metric, layout, scenario):
    return SimpleNamespace(name="t", title="T", metric=metric, layout=layout, scenario=scenario)


@pytest.mark.slow
@pytest.mark.parametrize(("table", "metric"), [("3", "f1_oracle"), ("4", "auc_pr"), ("A1", "auc_roc")])
def test_tables_of_averages_print_what_the_paper_prints(ortega, table, metric, tmp_path):
    view = build_table(
        SimpleNamespace(name=f"table_{table}", title="T", metric=metric, layout="scenarios", scenario=None), ortega
    )
    printed = read_csv(FOLDER / f"table_{table}.csv")
    scenarios, cells = list(ortega.names.scenarios), cells_of(view)
    for row in printed.itertuples():
        cell = cells[row.method][scenarios.index(f"flip-{row.flip_ratio * 100:.0f}")]
        assert float(percent(cell.mean)) == row.mean_percent
        assert float(percent(cell.sd)) == pytest.approx(row.sd_percent, abs=0.1001)
    if table != "A1":
        marks = read_csv(FOLDER / "bold_marks.csv", dtype={"table": str})
        marks = marks[marks["table"] == table]
        shown = {(f"flip-{row.flip_ratio * 100:.0f}", row.method): row.mark for row in marks.itertuples()}
        ours = {(s, m): cells[m][i].mark for i, s in enumerate(scenarios) for m in cells if cells[m][i].mark}
        assert ours == shown
    if shutil.which("pdflatex"):
        write_table(view, tmp_path)
        code, output = compile_latex(tmp_path, view.name)
        assert code == 0
        assert "Overfull" not in output


@pytest.mark.parametrize("table", ["A2", "A3", "A4", "A5", "A6", "A7"])
def test_tables_of_data_sets_print_what_the_paper_prints_but_for_its_misprints(ortega, table):
    printed = read_csv(FOLDER / f"table_{table}.csv")
    metric = printed["metric"].iloc[0].replace("f1_opt", "f1_oracle")
    scenario = f"flip-{printed['flip_ratio'].iloc[0] * 100:.0f}"
    view = build_table(ortega_spec(metric, "datasets", scenario), ortega)
    codes, cells = list(ortega.names.datasets.values()), cells_of(view)
    assert [column.label for column in view.columns[1:]] == list(printed["dataset_code"].unique())
    wrong = [
        (row.method, row.dataset_code)
        for row in printed.itertuples()
        if float(percent(cells[row.method][codes.index(row.dataset_code)].mean)) != row.value_percent
    ]
    assert wrong == {"A6": [("pu_bagging", "MAM")], "A7": [("spy_em", "SHU")]}.get(table, [])


@pytest.mark.slow
def test_tables_without_the_private_data_sets_compare_with_the_paper_over_the_same_thirteen(ortega):
    scores = ortega.scores[~ortega.scores["dataset"].isin(["churn_chile", "churn_korean"])]
    published = reference.published("ortega2023", FOLDER)
    results = study_results(scores, ortega.settings, ortega.names, published=published, author_runs=ortega.scores)
    for metric in ("f1_oracle", "auc_pr", "auc_roc"):
        view = build_table(ortega_spec(metric, "scenarios", None), results)
        assert view.caption == "T. N = 13 of 15 data sets, 20 repeats."
        assert any("Missing: CCH; CKO." in note for note in notes_of(view))
        assert view.frame["difference"].abs().max() < 0.0005
