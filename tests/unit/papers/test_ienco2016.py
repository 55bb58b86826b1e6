"""The statistics, judges, tables and figures of ienco2016, on made-up scores and on the published numbers."""

import functools
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from pydantic import ValidationError

import scarce.papers.ienco2016  # noqa: F401 - registers what is tested
from scarce.analysis.evidence import Case
from scarce.analysis.reference import PUBLISHED
from scarce.analysis.statistics import AnalysisSettings
from scarce.config.placeholders import PLACEHOLDERS
from scarce.papers.ienco2016 import reference
from scarce.papers.ienco2016.samples import compare, critical_difference, wide
from scarce.papers.ienco2016.variants import BAYES, KS, SHIFTS, TABLE_KS, pulce, shifted
from scarce.report.catalogue import FIGURES
from scarce.report.layouts import build_table
from scarce.report.render import to_html, to_latex
from scarce.report.results import DisplayMethod, DisplayNames
from tests.unit.analysis.cases import decide, value_of
from tests.unit.report.made import study_results

SCENARIOS = {f"labeled-{share}": f"{share} % of the positives labeled" for share in (30, 40, 50)}
READINGS = reference.READINGS
NUMBERS = reference.published(reference.FOLDER)
SUMMARY = reference.summary()


def column_of(k):
    """The six columns of the paper's table for k."""
    return [*BAYES, pulce(k), "luhc"]


def published_table(k):
    return wide(NUMBERS, "f1_default", column_of(k), "published")


def printed(k, statistic):
    lines = SUMMARY[(SUMMARY["k"] == k) & (SUMMARY["statistic"] == statistic)]
    return lines.set_index("method")["value"]


# statistics


@pytest.mark.parametrize(("k", "chi2"), [(1, 38.8869), (7, 51.1875), (13, 46.8155)])
def test_friedman_of_the_published_columns_is_the_printed_one(k, chi2):
    comparison = compare(published_table(k))
    assert comparison.ranks.shape == (48, 6)
    assert round(comparison.friedman.statistic, 4) == chi2 == printed(k, "friedman")[""]


@pytest.mark.parametrize("k", TABLE_KS)
def test_what_stands_under_the_published_columns_is_what_they_give(k):
    comparison, methods = compare(published_table(k)), column_of(k)
    ranks, means, wins = (printed(k, name)[methods] for name in ("average_rank", "mean", "wins"))
    # printed numbers are rounded or cut, 3.427 to 3.42
    assert (comparison.average[methods] - ranks).abs().max() < 0.01
    assert (published_table(k).mean() - means).abs().max() < 0.01
    slip = (comparison.wins[methods] - wins).to_dict()
    assert {name: n for name, n in slip.items() if n} == ({"pnb": 1} if k == 1 else {})


def test_the_printed_critical_difference_is_the_one_for_48_degrees_of_freedom():
    assert critical_difference(6, 48, df=48) == pytest.approx(1.1333, abs=2e-4)
    assert critical_difference(6, 48) == pytest.approx(1.0882, abs=1e-4)
    assert compare(published_table(1)).critical_difference(df=48) == critical_difference(6, 48, df=48)


def test_data_sets_are_fewer_blocks_than_samples_and_the_published_ranks_lose_significance():
    samples, datasets = compare(published_table(1)), compare(published_table(1), "datasets")
    assert (samples.n, datasets.n) == (48, 16)
    assert samples.average["aptan"] - samples.average[pulce(1)] > samples.critical_difference()
    assert datasets.average["pnb"] - datasets.average[pulce(1)] < datasets.critical_difference()


def test_values_that_are_equal_as_printed_tie():
    index = pd.MultiIndex.from_product([["x", "y"], ["s"]], names=["dataset", "scenario"])
    values = pd.DataFrame({"a": [0.8001, 0.1 + 0.2], "b": [0.7999, 0.3], "c": [0.5, 0.31]}, index=index)
    comparison = compare(values)
    assert comparison.ranks.to_numpy().tolist() == [[1.5, 1.5, 3], [2.5, 2.5, 1]]
    assert comparison.wins.tolist() == [1, 1, 1]


def test_the_order_of_samples_and_methods_changes_nothing():
    values = published_table(7)
    shuffled = values.sample(frac=1, random_state=0).iloc[:, ::-1]
    for blocks in ("samples", "datasets"):
        first, second = compare(values, blocks), compare(shuffled, blocks)
        assert first.friedman.statistic == pytest.approx(second.friedman.statistic, abs=1e-12)
        pd.testing.assert_series_equal(first.average, second.average[first.average.index])


def test_samples_that_lack_a_method_are_left_out():
    cells = NUMBERS.drop(NUMBERS.index[(NUMBERS.dataset == "vote") & (NUMBERS.method == "luhc")])
    assert len(wide(cells, "f1_default", column_of(1), "published")) == 45
    assert len(wide(cells, "f1_default", BAYES, "published")) == 48
    assert len(wide(cells, "f1_default", BAYES, "published", datasets=["vote"])) == 3


# published numbers


def test_published_numbers_stand_once_for_each_reading():
    assert list(NUMBERS.columns) == PUBLISHED
    assert len(NUMBERS) == 2 * 48 * 8
    assert not NUMBERS.duplicated(PUBLISHED[:4]).any()
    both = NUMBERS.pivot_table(index=["dataset", "scenario", "method"], columns="metric", values="published")
    assert set(both) == set(READINGS)
    assert (both[READINGS[0]] == both[READINGS[1]]).all()


def test_table_1_names_the_samples_of_the_other_tables():
    sizes = reference.fold_sizes()
    assert set(zip(sizes.dataset, sizes.scenario, strict=True)) == set(
        zip(NUMBERS.dataset, NUMBERS.scenario, strict=True)
    )


# placeholders


@pytest.mark.parametrize("share", [0.1, 0.25, 0.8])
def test_the_beta_prior_has_the_true_share_as_its_mean(share, monkeypatch):
    unlabeled = SimpleNamespace(value=lambda repeat: repeat)
    monkeypatch.setitem(PLACEHOLDERS, "$unlabeled_prior", unlabeled)
    alpha, beta = (PLACEHOLDERS[f"$true_prior_{name}"].value(share) for name in ("alpha", "beta"))
    assert alpha / (alpha + beta) == pytest.approx(share)
    assert alpha + beta == pytest.approx(4.4 + 13.17)


# judges


DATASETS = [f"d{i:02d}" for i in range(12)]


def scores(values, metrics=READINGS, datasets=DATASETS):
    """`values` maps a method to its value, or to a function of metric, data set's place and scenario."""
    rows = [
        (dataset, scenario, repeat, method, metric, value(metric, i, scenario) if callable(value) else value)
        for i, dataset in enumerate(datasets)
        for scenario in SCENARIOS
        for repeat in range(2)
        for method, value in values.items()
        for metric in metrics
    ]
    return pd.DataFrame(rows, columns=["dataset", "scenario", "repeat", "method", "metric", "value"])


def case(values, published=None, **how):
    frame = scores(values, **how)
    settings = AnalysisSettings(
        metrics=[READINGS[0]], methods=list(values), datasets=list(dict.fromkeys(frame.dataset))
    )
    return Case(frame, settings, {"scenario": SCENARIOS}, published=published)


def paper(values, datasets=DATASETS):
    """Published numbers: `values` maps a method to its value, or to a function of the data set's place."""
    rows = [
        (scenario, metric, dataset, method, value(i) if callable(value) else value)
        for metric in READINGS
        for i, dataset in enumerate(datasets)
        for scenario in SCENARIOS
        for method, value in values.items()
    ]
    return pd.DataFrame(rows, columns=PUBLISHED[:5])


ORDERED = {"a": 0.9, "b": 0.6, "c": 0.5, "d": 0.4}


def alternating(metric, i, scenario):
    return 0.9 if i % 2 else 0.1


def test_best_over_samples_holds_where_ranks_are_far_apart():
    verdict = decide("best_over_samples", case(ORDERED), methods=["a"], over=["c", "d"])
    assert verdict.verdict == "held"
    assert value_of(verdict, "average_rank", method="a", blocks="samples") == 1
    assert {value_of(verdict, "n", blocks=blocks) for blocks in ("samples", "datasets")} == {36, 12}
    assert value_of(verdict, "critical_difference", blocks="samples") == pytest.approx(critical_difference(3, 36))


def test_best_over_samples_is_partly_held_with_half_and_not_held_with_fewer():
    values = ORDERED | {"b": alternating, "a": lambda m, i, s: 0.1 if i % 2 else 0.9}
    assert decide("best_over_samples", case(values), methods=["a"], over=["b", "d"]).verdict == "not held"
    assert decide("best_over_samples", case(ORDERED), methods=["a"], over=["d"], tied=["b", "c"]).verdict != "held"
    assert decide("best_over_samples", case(ORDERED), methods=["d"], over=["a", "b"]).verdict == "not held"
    assert decide("best_over_samples", case(ORDERED), methods=["b"], over=["a", "d"]).verdict == "partly"
    assert decide("best_over_samples", case(ORDERED), methods=["c"], over=["a", "b", "d"]).verdict == "not held"


def test_best_over_samples_counts_a_method_that_is_too_good_as_not_tied():
    values = {"a": alternating, "b": lambda m, i, s: 0.1 if i % 2 else 0.9, "c": 0.05}
    assert decide("best_over_samples", case(values), methods=["a"], over=["c"], tied=["b"]).verdict == "held"
    assert decide("best_over_samples", case(ORDERED), methods=["b"], tied=["a", "c"]).verdict == "not held"


def test_wins_are_compared_with_the_printed_share():
    values = {"a": lambda m, i, s: 0.9 if i < 9 else 0.2, "b": 0.5, "c": 0.1}
    wins = {"methods": ["a"], "over": ["b", "c"], "of": 48}
    held = decide("wins_samples", case(values, paper({"a": 0.2, "b": 0.3})), printed=[36], **wins)
    assert held.verdict == "held"
    assert value_of(held, "wins", method="a") == 27
    assert value_of(held, "recounted_wins") == 0
    assert decide("wins_samples", case(values), printed=[37], **wins).verdict == "partly"
    assert decide("wins_samples", case(values | {"b": 0.95}), printed=[37], **wins).verdict == "not held"
    # a method that is not run counts in the published column alone
    more = case(values, paper({"a": 0.2, "b": 0.1, "luhc": lambda i: 0.3 if i % 2 else 0.1}))
    recounted = decide("wins_samples", more, methods=["a"], over=["b", "c", "luhc"], printed=[36], of=48)
    assert (value_of(recounted, "wins", method="a"), value_of(recounted, "recounted_wins")) == (27, 18)
    with pytest.raises(ValidationError):
        decide("wins_samples", case(values), printed=[1, 2], **wins)


def test_pairs_are_judged_partner_by_partner():
    values = {"a": 0.6, "a3": 0.5, "b": 0.55, "b3": 0.45}
    pairs = {"methods": ["a", "a3"], "over": ["b", "b3"]}
    assert decide("pairs_above", case(values), **pairs).verdict == "held"
    assert decide("pairs_above", case(values | {"b3": 0.5}), **pairs).verdict == "not held"
    late = values | {"b3": lambda m, i, s: 0.6 if s == "labeled-50" else 0.4}
    partly = decide("pairs_above", case(late), **pairs)
    assert partly.verdict == "partly"
    assert value_of(partly, "difference", scenario="labeled-50", method="a3") == pytest.approx(-0.1)


def test_ranges_are_judged_sample_by_sample():
    values = {"a": 0.5, "b": lambda m, i, s: 0.5 + 0.01 * i}
    within = {"methods": ["a", "b"]}
    assert decide("varies_within", case(values), limit=0.11, **within).verdict == "held"
    assert decide("varies_within", case(values), limit=0.05, **within).verdict == "partly"
    assert decide("varies_within", case(values), limit=0.02, **within).verdict == "not held"
    assert decide("varies_within", case(values), limit=0.02, datasets=["d01", "d02"], **within).verdict == "held"
    assert decide("varies_within", case(values), limit=0.02, datasets=["d99"], **within).verdict == "untested"


def test_a_column_equals_another_but_for_what_is_excluded():
    values = {"all_positive": lambda m, i, s: 0.5 + 0.02 * i}
    column = {"method": "all_positive", "published": "luhc"}
    same = case(values, paper({"luhc": lambda i: 0.505 + 0.02 * i if i else 0.1}))
    assert decide("column_equals", same, excluding=["d00"], **column).verdict == "held"
    assert decide("column_equals", same, **column).verdict == "partly"
    other = case(values, paper({"luhc": 0.3}))
    assert decide("column_equals", other, **column).verdict == "not held"
    assert decide("column_equals", case(values), **column).verdict == "untested"


def test_the_nearer_reading_is_the_one_that_the_published_numbers_come_from():
    values = {"a": lambda m, i, s: 0.5 + 0.03 * i if m == "f1_negative" else 0.9 - 0.04 * i}
    numbers = paper({"a": lambda i: 0.52 + 0.03 * i})
    near = {"methods": ["a"]}
    true = decide("nearer_metric", case(values, numbers), metrics=["f1_negative"], than="f1_default", **near)
    false = decide("nearer_metric", case(values, numbers), metrics=["f1_default"], than="f1_negative", **near)
    assert (true.verdict, false.verdict) == ("held", "not held")
    for verdict in (true, false):
        assert value_of(verdict, "mean_difference", metric="f1_negative") == pytest.approx(0.02)
        assert value_of(verdict, "correlation", metric="f1_negative") == pytest.approx(1)
        assert value_of(verdict, "correlation", metric="f1_default") == pytest.approx(-1)


def test_distance_to_published_numbers_is_a_mean_or_judged_data_set_by_data_set():
    far = case({"a": 0.5}, paper({"a": lambda i: 0.52 if i else 0.9}))
    near = {"methods": ["a"]}
    overall = decide("near_published", far, limit=0.06, **near)
    assert overall.verdict == "held"
    assert value_of(overall, "mean_difference") == pytest.approx((11 * 0.02 + 0.4) / 12)
    assert decide("near_published", far, limit=0.05, **near).verdict == "not held"
    assert decide("near_published", far, limit=0.03, excluding=["d00"], **near).verdict == "held"
    assert decide("near_published", far, limit=0.03, each=True, **near).verdict == "partly"
    assert decide("near_published", far, limit=0.03, each=True, datasets=["d00"], **near).verdict == "not held"


# tables and figures


REAL = ["lymph", "dermatology", "hepatitis"]


@functools.cache
def report():
    """Results with all methods of the study, on three data sets of the paper."""
    names = {name: name.upper() for name in [*BAYES, "all_positive"]}
    names |= {pulce(k, distance): f"Pulce {distance} {k}" for distance in ("euclid", "kl") for k in KS}
    names |= {shifted(shift): f"Pulce {shift}" for shift in SHIFTS}
    rng = np.random.default_rng(0)
    values = {name: lambda m, i, s: rng.uniform(0.3, 0.9) for name in names}
    frame = scores(values, datasets=REAL)
    keys = frame[["dataset", "scenario", "repeat", "method"]].drop_duplicates()
    runs = keys.assign(status="ok", message=None, n_train=90 + keys.repeat, n_labeled=20)
    return study_results(
        frame,
        AnalysisSettings(metrics=list(READINGS), methods=list(names), datasets=REAL),
        DisplayNames(names | {"luhc": "LUHC"}, {name: name for name in REAL}, SCENARIOS),
        published=NUMBERS,
        runs=runs,
        methods=[DisplayMethod(name, label, label[:5]) for name, label in names.items()],
        published_only={"luhc"},
        sizes={name: (100, 18, 50) for name in REAL},
    )


def spec(layout, **more):
    return SimpleNamespace(
        **{
            "name": layout,
            "title": "Title",
            "layout": layout,
            "scenario": None,
            "metric": None,
            "facts": [],
            "rank_digits": 2,
            **more,
        }
    )


def test_a_table_of_samples_shows_ours_beside_the_published_numbers():
    results, methods = report(), [*column_of(7)[:-1], "all_positive", "luhc"]
    table = build_table(spec("samples", metric="f1_default", methods=methods, digits=2), results)
    assert len(table.rows) == 9
    assert len(table.columns) == 1 + len(methods)
    means = results.means("f1_default", "labeled-40").set_index(["dataset", "method"])["mean"]
    row = table.rows[[row.label for row in table.rows].index("lymph, 40 %")]
    assert [cell.text for cell in row.cells[:-1]] == [f"{means['lymph', name]:.2f}" for name in methods[:-1]]
    printed_row = published_table(7).loc["lymph", "labeled-40"]
    assert [cell.published for cell in row.cells[:5]] == [f"{printed_row[name]:.2f}" for name in methods[:5]]
    assert row.cells[-1].text == f"{printed_row['luhc']:.2f}"
    wins = next(row for row in table.footer if row.label == "wins")
    assert sum(int(cell.text) for cell in wins.cells[:-1]) >= 9
    assert [cell.published for cell in table.footer[3].cells] == ["11", "3", "13", "3", "29", "", "15"]
    assert to_html(table)
    assert to_latex(table)


def test_the_table_of_distances_gives_both_readings():
    results = report()
    table = build_table(spec("distances", methods=[pulce(1)]), results)
    frame = table.frame.set_index(["dataset", "metric"])
    assert len(frame) == 6
    for (dataset, metric), row in frame.iterrows():
        own = results.scores[(results.scores.method == pulce(1)) & (results.scores.metric == metric)]
        assert row["mean"] == pytest.approx(own[own.dataset == dataset].value.mean())
        assert row["published"] == pytest.approx(published_table(1).loc[dataset][pulce(1)].mean())
        assert row["mean_absolute_difference"] >= abs(row["difference"]) - 1e-12


def test_the_table_of_sizes_has_a_row_for_each_sample():
    table = build_table(spec("fold_sizes"), report())
    frame = table.frame.set_index(["dataset", "scenario", "quantity"])
    assert frame.loc[("lymph", "labeled-30", "n_unlabeled"), ["smallest", "largest", "published"]].tolist() == [
        70,
        71,
        111,
    ]
    assert frame.loc[("lymph", "labeled-30", "n_test"), ["smallest", "largest", "published"]].tolist() == [9, 10, 14]
    assert len(table.rows) == 9


def test_the_table_of_tests_repeats_the_printed_statistic():
    table = build_table(spec("sample_tests"), report())
    rows = table.frame[table.frame["values"] == "published, with LUHC"].set_index(["blocks", "k"])
    assert rows.loc["samples", "friedman"].round(4).tolist() == rows.loc["samples", "printed_friedman"].tolist()
    assert rows.loc["datasets", "n"].tolist() == [16, 16, 16]
    own = table.frame[table.frame["values"].str.startswith("here")]
    assert set(own["n"]) == {9, 3}


@pytest.mark.parametrize(
    ("name", "drawings"), [("mean_f_by_k", 2), ("f_by_k", 2), ("f_by_shift", 2), ("critical_difference_by_k", 10)]
)
def test_figures_draw_each_reading(name, drawings):
    drawn = list(FIGURES[name].draw(report()))
    assert len({drawing.stem for drawing in drawn}) == len(drawn) == drawings
    assert all(drawing.caption and drawing.title for drawing in drawn)


def test_a_curve_shows_the_means_by_shift():
    results = report()
    drawing = next(FIGURES["f_by_shift"].draw(results))
    axes = {axis.get_title(loc="left"): axis for axis in drawing.figure.axes}
    assert set(axes) == set(REAL)
    line = next(line for line in axes["hepatitis"].lines if line.get_gid().endswith("-0") and "curve" in line.get_gid())
    means = results.means(READINGS[0], "labeled-30").set_index(["dataset", "method"])["mean"]
    assert list(line.get_xdata()) == list(SHIFTS)
    assert list(line.get_ydata()) == [means["hepatitis", shifted(shift)] for shift in SHIFTS]
