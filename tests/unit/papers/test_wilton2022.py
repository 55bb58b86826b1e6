"""wilton2022: published numbers, importances, judges, tables and figures."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy.stats import spearmanr

from scarce import paths
from scarce.analysis.evidence import Case
from scarce.analysis.judges import JUDGES
from scarce.analysis.reference import printed, published
from scarce.analysis.statistics import AnalysisSettings
from scarce.config.study import Table as Spec
from scarce.papers.wilton2022 import judges  # noqa: F401 - registers judges, layouts and figures
from scarce.papers.wilton2022.importances import mean_importances, rank_correlation
from scarce.report.catalogue import FIGURES
from scarce.report.layouts import build_table
from scarce.report.results import DisplayNames
from scarce.report.tables import BOLD
from tests.unit.report.made import study_results

ROOT = Path(__file__).parents[3]
FOLDER = ROOT / paths.reference("wilton2022")
SCENARIO = "labeled-1000"
DATASETS = {"mushrooms": "Mushrooms", "mnist_even": "MNIST", "unsw_nb15": "UNSW"}


def scores(values, metric="accuracy", repeats=2):
    """`values` maps (data set, method) to a mean; repeats lie 0.01 above and below it in turn."""
    rows = [
        (dataset, SCENARIO, repeat, method, metric, mean + 0.01 * (1 - 2 * (repeat % 2)))
        for (dataset, method), mean in values.items()
        for repeat in range(repeats)
    ]
    return pd.DataFrame(rows, columns=["dataset", "scenario", "repeat", "method", "metric", "value"])


def judged(name, values, importances=None, others=None, **arguments):
    settings = AnalysisSettings(metrics=["accuracy"], methods=sorted({method for _, method in values}))
    case = Case(scores(values), settings, {"scenario": {SCENARIO: "all"}}, importances=importances, others=others or {})
    judge = JUDGES[name]
    return judge.decide(case, judge.arguments(**arguments))


def importances_of(values, column="importance"):
    """`values` maps (data set, method) to one row of importances for each repeat."""
    rows = [
        (dataset, SCENARIO, repeat, method, f"x{place}", value, 2 * value)
        for (dataset, method), repeats in values.items()
        for repeat, row in enumerate(repeats)
        for place, value in enumerate(row, 1)
    ]
    names = ["dataset", "scenario", "repeat", "method", "feature", "importance", "normalised_importance"]
    return pd.DataFrame(rows, columns=names)


# -- published numbers


def test_tables_hold_each_cell_once_as_fractions():
    numbers = published("wilton2022", FOLDER)
    assert len(numbers) == 2 * 7 * (4 + 3 + 3), "accuracy and F, seven data sets, ten methods"
    assert not numbers.duplicated(["metric", "dataset", "method"]).any()
    assert numbers.published.between(0, 1).all()
    assert numbers.published_sd.between(0, 0.3).all()
    cells = numbers.set_index(["metric", "dataset", "method"])
    assert cells.loc[("accuracy", "mnist_even", "pu_et"), "published"] == 0.936
    assert cells.loc[("f1_default", "cifar10_jpeg", "mlp_nnpu"), "published_sd"] == 0.0762


def test_misprints_are_corrected_beside_what_is_printed():
    cells = published("wilton2022", FOLDER).dropna(subset=["corrected"]).set_index(["metric", "dataset", "method"])
    assert cells.corrected.to_dict() == {
        ("accuracy", "mushrooms", "pu_et_upu_quadratic"): 0.607,
        ("f1_default", "covtype_binary", "self_pu"): 0.501,
    }
    np.testing.assert_allclose(100 * cells.published, cells.corrected)


def test_sizes_are_those_of_both_parts():
    sizes = printed("wilton2022", "sizes", FOLDER).set_index("dataset")
    assert sizes.loc["mnist_even", "examples"] == 70000
    assert sizes.loc["unsw_nb15", ["examples", "corrected_examples"]].tolist() == [257671, 257673]


# -- importances


def test_means_keep_the_order_of_features():
    values = {("d", "a"): [[3] + [0] * 10, [1] + [2] * 10], ("d", "b"): [[5] * 11], ("e", "a"): [[9] * 11]}
    means = mean_importances(importances_of(values), "d", ["b", "a", "none"], "importance")
    assert means.index.tolist() == [f"x{place}" for place in range(1, 12)]
    assert means.columns.tolist() == ["b", "a"]
    assert means.a.tolist() == [2] + [1] * 10


def test_rank_correlation_is_spearmans_over_features_that_are_used():
    random = np.random.default_rng(0)
    first, second = (pd.Series(random.integers(1, 6, 30)) for _ in range(2))
    correlation, n = rank_correlation(first, second)
    assert n == 30
    assert correlation == pytest.approx(spearmanr(first, second).statistic)
    unused = pd.Series(np.zeros(500))
    assert rank_correlation(pd.concat([first, unused]), pd.concat([second, unused])) == (correlation, 30)
    assert rank_correlation(first, 3 * first)[0] == pytest.approx(1)
    assert np.isnan(rank_correlation(first, 0 * first)[0])
    assert np.isnan(rank_correlation(unused, unused)[0])


@pytest.mark.parametrize(
    ("second", "verdict"),
    [
        ({"d": [1, 2, 3, 4], "e": [1, 2, 3, 4], "f": [1, 2, 3, 4]}, "held"),
        ({"d": [1, 2, 3, 4], "e": [2, 4, 6, 8], "f": [4, 3, 2, 1]}, "partly"),
        ({"d": [1, 2, 3, 4], "e": [4, 3, 2, 1], "f": [4, 3, 2, 1]}, "not held"),
    ],
)
def test_agreement_of_importances(second, verdict):
    values = {(d, "a"): [[1, 2, 3, 4]] for d in second} | {(d, "b"): [row] for d, row in second.items()}
    result = judged("importances_agree", {("d", "a"): 0.5}, importances_of(values), methods=["a", "b"])
    assert result.verdict == verdict
    assert set(result.evidence.quantity) == {"rank_correlation", "n_features"}


def test_without_importances_nothing_is_judged():
    for importances in (None, importances_of({("d", "a"): [[1, 2]]})):
        assert judged("importances_agree", {("d", "a"): 0.5}, importances, methods=["a", "b"]).verdict == "untested"


# -- judges


@pytest.mark.parametrize(
    ("gaps", "more", "verdict"),
    [
        ([0.1, 0.1, 0.1], {}, "held"),
        ([0.1, 0.1, -0.1], {}, "partly"),
        ([0.1, 0.1, -0.1], {"need": "most"}, "held"),
        ([0.1, -0.1, -0.1], {"need": "most"}, "not held"),
        ([0, 0, 0], {}, "not held"),
        ([0, -0.01, 0.1], {"margin": 0.01}, "held"),
        ([0, -0.011, 0.1], {"margin": 0.01}, "partly"),
    ],
)
def test_ahead_by_data_set(gaps, more, verdict):
    values = {}
    for dataset, gap in zip("def", gaps, strict=True):
        values |= {(dataset, "a"): 0.7 + gap, (dataset, "b"): 0.7, (dataset, "c"): 0.3}
    result = judged("ahead", values, methods=["a"], over=["b", "c"], **more)
    assert result.verdict == verdict
    assert result.evidence["value"].tolist() == pytest.approx(gaps)


def test_ahead_counts_data_sets_that_have_both_sides():
    values = {("d", "a"): 0.9, ("d", "b"): 0.1, ("e", "a"): 0.1}
    assert judged("ahead", values, methods=["a"], over=["b"]).verdict == "held"
    assert judged("ahead", {("d", "a"): 0.9, ("e", "b"): 0.1}, methods=["a"], over=["b"]).verdict == "untested"
    assert judged("ahead", {("d", "a"): 0.9}, methods=["a"], over=["b"]).verdict == "untested"
    with pytest.raises(ValueError, match="itself"):
        judged("ahead", values, methods=["a"], over=["a"])


@pytest.mark.parametrize(
    ("trees", "networks", "verdict"),
    [
        ([0.90, 0.91], [0.5, 0.9], "held"),
        ([0.90, 0.91], [0.9, 0.9], "partly"),
        ([0.80, 0.91], [0.5, 0.9], "partly"),
        ([0.80, 0.91], [0.9, 0.9], "not held"),
        ([0.90, 0.91], [], "held"),
        ([], [0.5, 0.9], "untested"),
    ],
)
def test_settings_that_matter_little(trees, networks, verdict):
    values = {("d", f"t-{place}"): value for place, value in enumerate(trees)}
    values |= {("d", f"n-{place}"): value for place, value in enumerate(networks)}
    other = Case(scores(values), AnalysisSettings(metrics=["accuracy"], methods=[]), {"scenario": {SCENARIO: "all"}})
    arguments = {"study": "s", "start": "t-", "against": "n-"}
    assert judged("little_to_tune", {("d", "t"): 0.5}, others={"s": other}, **arguments).verdict == verdict


# -- tables and figures


def results(values, importances=None, **more):
    methods = sorted({method for _, method in values})
    settings = AnalysisSettings(metrics=["accuracy"], methods=methods, datasets=list(DATASETS))
    names = DisplayNames(
        {name: name.upper() for name in [*methods, "self_pu"]}, DATASETS, {SCENARIO: "all"}, titles=DATASETS
    )
    numbers = published("wilton2022", FOLDER)
    frames = {} if importances is None else {"importances": importances}
    return study_results(
        scores(values), settings, names, published=numbers, frames=frames, published_only={"self_pu"},
        unavailable={"unsw_nb15": "it is in no place"}, **more,
    )  # fmt: skip


def test_a_table_shows_means_beside_those_of_the_paper():
    values = {("mushrooms", "pu_et"): 0.9, ("mushrooms", "mlp_nnpu"): 0.8, ("mnist_even", "pu_et"): 0.7}
    spec = Spec(name="table_6", title="T", layout="beside_published", metric="accuracy", methods=[])
    spec = spec.model_copy(update={"methods": ["pu_et", "mlp_nnpu", "self_pu"]})
    table = build_table(spec, results(values))
    rows = {row.label: row.cells for row in table.rows}
    assert [column.label for column in table.columns] == ["Data set", "PU_ET", "MLP_NNPU", "SELF_PU"]
    first = rows["Mushrooms"]
    assert [cell.text for cell in first] == ["90.00 (1.41)", "80.00 (1.41)", "–"]
    assert [cell.published for cell in first] == ["99.70 (0.24)", "99.04 (0.54)", "99.25 (0.61)"]
    assert [cell.emphasis for cell in first] == [BOLD, "", ""]
    assert rows["MNIST"][1].tooltip == "no results"
    assert [cell.text for cell in rows["UNSW"]] == ["–"] * 3
    assert rows["UNSW"][0].published == "82.24 (0.86)"
    assert any("it is in no place" in note for note in table.notes)
    frame = table.frame.set_index(["dataset", "method"])
    assert frame.loc[("mushrooms", "pu_et"), "sd"] == pytest.approx(0.01 * 2**0.5)
    assert len(frame) == 9


def test_figures_are_drawn_from_saved_importances():
    values = {
        (dataset, method): 0.8 for dataset in ("mushrooms", "mnist_even") for method in ("pu_et", "supervised_et")
    }
    few = {(d, m): [[1, 3, 0, 0], [3, 1, 0, 0]] for d, m in values}
    made = results(values, importances_of(few), shapes={"mnist_even": (2, 2)})
    bars = list(FIGURES["importance_bars"].draw(made))
    assert [one.stem for one in bars] == ["importance_bars_mushrooms", "normalised_importance_bars_mushrooms"]
    widths = [bar.get_width() for bar in bars[0].figure.axes[0].patches]
    assert sorted(widths) == [0] * 4 + [0.5] * 4
    maps = list(FIGURES["importance_maps"].draw(made))
    assert [one.stem for one in maps] == ["importance_maps", "normalised_importance_maps"]
    images = [axes.images[0].get_array() for axes in maps[0].figure.axes]
    assert [image.tolist() for image in images] == [[[2, 2], [0, 0]]] * 2


def test_importances_may_be_negative():
    values = {
        (dataset, method): 0.8 for dataset in ("mushrooms", "mnist_even") for method in ("pu_et", "supervised_et")
    }
    few = {(d, m): [[-1, 3], [-1, 3]] if d == "mushrooms" else [[-1, -3], [-3, -1]] for d, m in values}
    made = results(values, importances_of(few), shapes={"mnist_even": (1, 2)})
    bars = list(FIGURES["importance_bars"].draw(made))
    assert bars[0].figure.axes[0].get_xlim()[0] < -0.5
    image = next(FIGURES["importance_maps"].draw(made)).figure.axes[0].images[0]
    assert image.get_clim() == (0, 1)
    bars[0].figure.canvas.draw()
    fewer = {key: [[0, 0], [0, 0]] for key in few if key[0] == "mushrooms"}
    assert not list(FIGURES["importance_bars"].draw(results(values, importances_of(fewer))))


def test_without_importances_no_figure_is_drawn():
    made = results({("mushrooms", "pu_et"): 0.8})
    assert [list(FIGURES[name].draw(made)) for name in ("importance_bars", "importance_maps")] == [[], []]
