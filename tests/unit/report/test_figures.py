"""Figures are tested by their artists and data, not by their pixels."""

from __future__ import annotations

import os
import re
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.text import Text

from scarce.analysis.means import by_dataset, curves
from scarce.papers.ortega2023 import moons as moons_module
from scarce.papers.ortega2023 import splits as split_module
from scarce.report import figures, style
from scarce.report.figures import cd_diagram as cd_module
from scarce.report.results import DisplayMethod

DEMSAR = {"C4.5": 22 / 7, "C4.5+m": 2.0, "C4.5+cf": 2.892857142857143, "C4.5+m+cf": 1.9642857142857142}
LONG = [
    DisplayMethod("pu_hdt", "PU-HDT", "PU Hellinger"),
    DisplayMethod("pu_hrf", "PU-HRF", "PU Hellinger"),
    DisplayMethod("pu_wlr", "PU Weighted Logistic Regression", "class prior"),
    DisplayMethod("odd", "a_{b}$x$ <&> %s", "odd"),
]


def gids(figure, prefix):
    """Artists whose gid starts with `prefix`."""
    return figure.findobj(lambda artist: str(artist.get_gid() or "").startswith(prefix))


def texts(figure):
    FigureCanvasAgg(figure)
    figure.canvas.draw()
    renderer = figure.canvas.get_renderer()
    shown = [t for t in figure.findobj(Text) if t.get_visible() and t.get_text().strip()]
    outside = ticks_outside(figure)
    return {t: t.get_window_extent(renderer) for t in shown if t not in outside}


def ticks_outside(figure):
    """Labels of ticks outside the view, which nobody draws."""
    found = set()
    for axis in (axis for axes in figure.axes for axis in (axes.xaxis, axes.yaxis)):
        low, high = sorted(axis.get_view_interval())
        for tick in axis.get_major_ticks():
            if not low <= tick.get_loc() <= high:
                found |= {tick.label1, tick.label2}
    return found


def assert_nothing_cut(figure):
    width, height = figure.get_size_inches() * figure.dpi
    for text, box in texts(figure).items():
        assert box.x0 >= -0.5 and box.y0 >= -0.5 and box.x1 <= width + 0.5 and box.y1 <= height + 0.5, text.get_text()


def assert_no_overlap(figure, shrink=0.5):
    boxes = list(texts(figure).items())
    for i, (one, a) in enumerate(boxes):
        for other, b in boxes[i + 1 :]:
            apart = a.x1 - shrink < b.x0 or b.x1 - shrink < a.x0 or a.y1 - shrink < b.y0 or b.y1 - shrink < a.y0
            assert apart, f"{one.get_text()!r} meets {other.get_text()!r}"


def drawn_cliques(figure, ranks):
    """Groups of methods, read off the dots on the bars."""
    axis = gids(figure, "axis")[0].get_xdata()
    ticks = gids(figure, "tick")
    numbers = [t for t in figure.findobj(Text) if t.get_gid() == "tick-label"]
    low, high = int(numbers[0].get_text()), int(numbers[-1].get_text())
    assert ticks and low < high
    found = []
    for dots in gids(figure, "member-"):
        values = low + (np.array(dots.get_xdata()) - axis[0]) / (axis[1] - axis[0]) * (high - low)
        found.append([min(ranks, key=lambda name, v=v: abs(ranks[name] - v)) for v in values])
    return found


@pytest.fixture(scope="module")
def scores():
    rng = np.random.default_rng(3)
    rows = [
        (d, s, r, m.name, metric, np.clip(0.9 - 0.1 * i - 0.4 * h + 0.05 * rng.standard_normal(), 0, 1))
        for d in ("ab", "cd", "a_rather_long_data_set_name")
        for s, h in (("flip-25", 0.25), ("flip-75", 0.75))
        for r in range(4)
        for i, m in enumerate(LONG)
        for metric in ("auc_pr", "f1_default", "f1_oracle")
    ]
    return pd.DataFrame(rows, columns=["dataset", "scenario", "repeat", "method", "metric", "value"])


# critical difference diagram


def test_demsar_at_ten_percent_draws_the_two_bars_and_the_ruler():
    cliques = [["C4.5+m+cf", "C4.5+m", "C4.5+cf"], ["C4.5+cf", "C4.5"]]
    figure = figures.critical_difference(DEMSAR, cliques, 1.1180601669815278, alpha=0.10, n=14)
    assert sorted(map(sorted, drawn_cliques(figure, DEMSAR))) == sorted(map(sorted, cliques))
    bars = [bar.get_ydata()[0] for bar in gids(figure, "clique-")]
    assert len(bars) == 2 and bars[0] != bars[1]  # they share C4.5+cf, so they must not lie on one row
    text = gids(figure, "cd-text")[0].get_text()
    assert "CD = 1.118" in text and "0.10" in text and "14 data sets" in text


def test_ruler_has_the_length_of_the_critical_difference_on_the_rank_axis():
    figure = figures.critical_difference(DEMSAR, [list(DEMSAR)], 1.2535591471176057, alpha=0.05)
    ruler, axis = gids(figure, "cd-ruler")[0].get_xdata(), gids(figure, "axis")[0].get_xdata()
    numbers = [int(t.get_text()) for t in gids(figure, "tick-label")]
    unit = (axis[1] - axis[0]) / (numbers[-1] - numbers[0])
    assert (ruler[1] - ruler[0]) / unit == pytest.approx(1.2535591471176057, abs=1e-9)
    assert len(gids(figure, "clique-")) == 1


def test_no_bar_when_every_pair_differs():
    figure = figures.critical_difference({"m1": 1.0, "m2": 2.0, "m3": 3.0}, [["m1"], ["m2"], ["m3"]], 0.524, alpha=0.05)
    assert not gids(figure, "clique-") and len(gids(figure, "no-bar")) == 1


def test_no_bar_is_said_where_no_leader_passes():
    ranks = {f"m{i:02d}": i + 1.0 for i in range(26)}
    figure = figures.critical_difference(ranks, [], 0.563, alpha=0.05, n=5000)
    words, axis = gids(figure, "no-bar")[0], gids(figure, "axis")[0]
    assert words.get_position()[1] < axis.get_ydata()[0], "above the axis, which leaders go down from"
    assert_no_overlap(figure)


def test_one_is_no_plural():
    (text,) = gids(figures.critical_difference({"a": 1.0}, [], None, alpha=0.05, n=1), "cd-text")
    assert "1 method, 1 data set" in text.get_text()


def test_perfect_ladder_of_five_has_two_bars():
    ranks = {"m1": 1.0, "m2": 2.0, "m3": 3.0}
    figure = figures.critical_difference(ranks, [["m1", "m2"], ["m2", "m3"]], 1.4823, alpha=0.05)
    assert drawn_cliques(figure, ranks) == [["m1", "m2"], ["m2", "m3"]]


def test_only_maximal_cliques_are_drawn_and_only_once():
    cliques = [["a", "b"], ["a", "b", "c"], ["c", "b", "a"], ["c"]]
    assert cd_module.maximal(cliques) == [frozenset("abc")]


def test_bars_of_one_row_never_touch():
    assert cd_module.pack([(1, 3), (3, 5), (3.5, 4)]) == [0, 1, 0]


@pytest.mark.parametrize("k", [1, 2, 3, 13, 26])
def test_labels_are_whole_and_apart(k):
    rng = np.random.default_rng(k)
    values = rng.uniform(10.2, 16.5, k) if k > 20 else rng.uniform(1, k, k)
    ranks = {f"method number {i} {'x' * (i % 9)}": v for i, v in enumerate(values)}
    names = sorted(ranks, key=ranks.get)
    figure = figures.critical_difference(ranks, [names], 6.29 if k > 20 else 1.0, alpha=0.05, n=40)
    assert len(gids(figure, "label-")) == k
    assert [gids(figure, f"label-{i}")[0].get_text() for i in (0, k - 1)] == [names[0], names[-1]]
    assert_nothing_cut(figure)
    assert_no_overlap(figure)


def test_best_is_left_and_the_axis_says_so():
    figure = figures.critical_difference(DEMSAR, [], 1.1, alpha=0.05)
    best, worst = gids(figure, "dot-0")[0].get_xdata()[0], gids(figure, "dot-3")[0].get_xdata()[0]
    assert best < worst and gids(figure, "label-0")[0].get_text() == "C4.5+m+cf"
    assert "1 = best" in gids(figure, "axis-label")[0].get_text()


def test_equal_ranks_and_no_ruler():
    figure = figures.critical_difference({"a": 1.5, "b": 1.5}, [["a", "b"]], None, alpha=0.05)
    assert not gids(figure, "cd-ruler") and len(gids(figure, "clique-")) == 1
    assert_no_overlap(figure)


@pytest.mark.parametrize(
    ("ranks", "cliques", "words"),
    [({}, [], "at least one"), ({"a": float("nan")}, [], "not a number: a"), ({"a": 1.0}, [["a", "zz"]], "zz")],
)
def test_wrong_input_is_refused(ranks, cliques, words):
    with pytest.raises(ValueError, match=words):
        figures.critical_difference(ranks, cliques, 1.0, alpha=0.05)


# looks


def test_family_colours_stay_when_families_are_added():
    first = style.family_colours(["a", "b", "a"])
    more = style.family_colours(["a", "b", "c", *map(str, range(30))])
    assert {f: more[f] for f in first} == first
    assert len(set(more.values())) == len(more)


def test_methods_of_a_family_share_colour_but_not_marker():
    look = style.looks(LONG)
    assert look["pu_hdt"].colour == look["pu_hrf"].colour != look["pu_wlr"].colour
    assert look["pu_hdt"].marker != look["pu_hrf"].marker


def test_spread_keeps_order_gap_and_bounds():
    places = style.spread([5.0, 5.0, 4.9, 0.0], 1.0, 0.0, 10.0)
    assert places[3] == 0.0
    assert places[2] < places[0] < places[1]
    assert np.diff(sorted(places)).min() >= 1.0 - 1e-9
    assert np.mean(places[:3]) == pytest.approx(np.mean([5.0, 5.0, 4.9]))
    assert style.spread([9, 9, 9], 1.0, 0.0, 1.0) == [0.0, 0.5, 1.0]  # too little room: the gap gives way


# result figures


def test_ratio_figure_draws_means_over_data_sets_with_labels_apart(scores):
    ratios = {"flip-25": 0.25, "flip-75": 0.75}
    rows = curves(scores[scores["metric"] == "auc_pr"])
    figure = figures.score_vs_ratio(rows, methods=LONG, ratios=ratios, metric_label="AUC-PR")
    expected = scores.query("metric == 'auc_pr' and method == 'pu_hdt' and scenario == 'flip-25'")["value"].mean()
    assert figure.axes[0].containers[0][0].get_ydata()[0] == pytest.approx(100 * expected)
    assert {t.get_text() for t in gids(figure, "label-")} == {m.label for m in LONG}
    assert_nothing_cut(figure)
    assert_no_overlap(figure)


def test_prior_figure_has_a_log_scale_and_a_level_line_where_nothing_changes(scores):
    told = {"prior-0.5": 0.5, "flip-25": 1.0, "prior-2": 2.0}
    plain = scores[scores["scenario"] == "flip-25"]
    frame = pd.concat([plain.assign(scenario=scenario) for scenario in told])
    frame.loc[(frame["scenario"] == "prior-2") & (frame["method"] == "pu_hdt"), "value"] /= 2
    rows = curves(frame[frame["metric"] == "auc_pr"])
    figure = figures.prior_sensitivity(rows, methods=LONG, factors=told, metric_label="AUC-PR")
    (axes,) = figure.axes
    assert axes.get_xticks().tolist() == [-1, 0, 1]
    assert [t.get_text() for t in axes.get_xticklabels()] == ["0.5", "1", "2"]
    lines = [container[0].get_ydata() for container in axes.containers]
    level = [np.ptp(y) < 1e-9 for y in lines]
    assert level == [method.name != "pu_hdt" for method in LONG]
    changed = lines[level.index(False)]
    assert changed[2] == pytest.approx(changed[1] / 2)
    assert_nothing_cut(figure)
    assert_no_overlap(figure)


def test_ratio_figure_without_values_is_refused(scores):
    with pytest.raises(ValueError, match="no values of nope"):
        figures.score_vs_ratio(curves(scores), methods=LONG, ratios={"flip-99": 0.25}, metric_label="nope")


def test_dots_leave_the_panel_of_a_scenario_that_a_data_set_lacks_empty(scores):
    part = scores[(scores["dataset"] == "ab") | (scores["scenario"] == "flip-25")]
    figure = figures.dots(
        part,
        by_dataset(part),
        "auc_pr",
        methods=LONG,
        scenarios={"flip-25": "25 %", "flip-75": "75 %"},
        datasets={"ab": "AB", "cd": "CD"},
        metric_label="AUC-PR",
        absent=[("cd", "flip-75")],
    )
    panels = {axes.get_gid(): axes for axes in figure.axes}
    assert not panels["panel-1-1"].lines
    assert not panels["panel-1-1"].texts
    assert panels["panel-1-0"].lines


def test_dots_break_headings_that_are_wider_than_their_column(scores):
    names = {"flip-25": "25 %", "flip-75": "75 % flip ratio, " + "selected by a long list of attributes" * 2}
    figure = figures.dots(
        scores,
        by_dataset(scores),
        "auc_pr",
        methods=LONG,
        scenarios=names,
        datasets={"ab": "AB"},
        metric_label="AUC-PR",
    )
    titles = {axes.get_gid(): axes.get_title() for axes in figure.axes}
    assert titles["panel-0-0"] == "25 %"
    assert "ratio,\n" in titles["panel-0-1"]


def test_dots_show_every_repeat_and_say_what_is_missing(scores):
    part = scores[~((scores["dataset"] == "cd") & (scores["method"] == "pu_wlr"))]
    figure = figures.dots(
        part,
        by_dataset(part),
        "auc_pr",
        methods=LONG,
        scenarios={"flip-25": "25 %", "flip-75": "75 %"},
        datasets={"ab": "AB", "cd": "CD"},
        metric_label="AUC-PR",
    )
    panels = {a.get_gid(): a for a in figure.axes}
    assert set(panels) == {"panel-0-0", "panel-0-1", "panel-1-0", "panel-1-1"}
    first = next(line for line in panels["panel-0-0"].lines if line.get_gid() == "repeats")
    expected = scores.query("dataset == 'ab' and scenario == 'flip-25' and method == 'pu_hdt' and metric == 'auc_pr'")
    assert np.allclose(first.get_xdata()[::3], expected["value"] * 100)
    assert [t.get_text().strip() for t in panels["panel-1-0"].texts] == ["no result"]
    assert_nothing_cut(figure)


@pytest.mark.slow
@pytest.mark.parametrize("value", [0.0, 0.5, 0.99995, 1.0])
def test_numbers_of_neighbouring_panels_keep_apart_where_all_scores_are_equal(scores, value):
    equal, datasets = scores.assign(value=value), {"ab": "AB", "cd": "CD"}
    for scenarios in (["flip-25", "flip-75"], ["flip-25", "flip-75", "flip-25 ", "flip-75 "]):
        titles = {scenario: scenario for scenario in scenarios}
        figure = figures.dots(
            equal, by_dataset(equal), "auc_pr", methods=LONG, scenarios=titles, datasets=datasets, metric_label="AUC-PR"
        )
        assert_nothing_cut(figure)
        assert_no_overlap(figure)


def test_heatmap_prints_the_ranks_best_on_top():
    ranks = pd.DataFrame({"d1": [2.0, 1.0, np.nan], "d2": [1.5, 1.5, 3.0]}, index=["pu_hdt", "pu_hrf", "pu_wlr"])
    figure = figures.rank_heatmap(ranks, methods=LONG[:3], datasets={"d1": "a very long data set name"})
    cells = {t.get_gid(): t.get_text() for t in gids(figure, "cell-")}
    assert [cells[f"cell-{i}-{j}"] for i in range(3) for j in range(2)] == ["1", "1.5", "2", "1.5", "–", "3"]
    assert [t.get_text() for t in gids(figure, "average-")] == ["1.25", "1.75", "3.00"]
    assert_nothing_cut(figure)
    assert_no_overlap(figure)


def test_heatmap_of_many_data_sets_has_no_label_over_another():
    ranks = pd.DataFrame(
        np.full((13, 30), 11.5), index=[f"m{i}" for i in range(13)], columns=[f"data_{j}" for j in range(30)]
    )
    figure = figures.rank_heatmap(ranks, methods=[DisplayMethod(name, name) for name in ranks.index], datasets={})
    assert_no_overlap(figure)
    assert_nothing_cut(figure)


def agreement_rows():
    rows = [
        ("auc_pr", "a", 0.500, 0.505, True),
        ("auc_pr", "b", 0.600, 0.800, False),
        ("auc_pr", "c", 0.700, 0.690, True),
        ("auc_pr", "d", 0.100, 0.400, None),
        ("auc_pr", "", 0.600, 0.665, False),
        ("f1_oracle", "a", 0.100, 0.100, True),
    ]
    frame = pd.DataFrame(rows, columns=["metric", "dataset", "published", "reproduced", "within"])
    return frame.assign(scenario="flip-25", method="pu_wlr", difference=frame["reproduced"] - frame["published"])


@pytest.mark.parametrize("from_csv", [False, True])
def test_agreement_marks_what_lies_outside(from_csv, tmp_path):
    rows = agreement_rows()
    if from_csv:
        rows.to_csv(tmp_path / "agreement.csv", index=False)
        rows = pd.read_csv(tmp_path / "agreement.csv")
    labels = {"pu_wlr": "PU Weighted Logistic Regression"}
    figure = figures.agreement(rows, label=lambda kind, name: labels.get(name, name))
    (outside,) = gids(figure, "outside")
    assert (list(outside.get_xdata()), list(outside.get_ydata())) == ([60.0], [80.0])
    assert [list(line.get_ydata()) for line in gids(figure, "unknown")] == [[40.0]]
    assert [a.get_title(loc="left") for a in figure.axes] == ["auc_pr: 2 of 3 within", "f1_oracle: 1 of 1 within"]
    assert [t.get_text() for t in gids(figure, "named")] == ["b, PU Weighted Logistic Regression, flip-25: +20.0"]
    assert_nothing_cut(figure)
    diagonal = gids(figure, "diagonal")[0]
    assert np.array_equal(diagonal.get_xdata(), diagonal.get_ydata())


def test_agreement_without_rows_is_refused():
    with pytest.raises(ValueError, match="no row"):
        figures.agreement(agreement_rows().iloc[:0])


def test_thresholds_draw_the_rules_that_have_values(scores):
    scores = scores[scores["scenario"] == "flip-25"]
    figure = figures.thresholds(by_dataset(scores), methods=LONG)
    drawn = {line.get_gid(): line.get_xdata() for line in gids(figure, "f1_")}
    assert set(drawn) >= {"f1_default", "f1_oracle"} and "f1_prior" not in drawn
    expected = scores.query("metric == 'f1_default' and method == 'pu_hdt'")["value"].mean()
    assert drawn["f1_default"][0] == pytest.approx(expected * 100)
    assert_nothing_cut(figure)


# the paper's two examples


def test_split_example_gives_the_four_scores_that_the_paper_prints():
    figure = split_module.split_example()
    shown = {t.get_gid(): t.get_text() for t in (*gids(figure, "gini-"), *gids(figure, "pu_hellinger-"))}
    assert shown == {
        "gini-left": "0.166",
        "gini-right": "0.169",
        "pu_hellinger-left": "0.459",
        "pu_hellinger-right": "0.707",
    }
    assert_nothing_cut(figure)
    assert_no_overlap(figure)


def test_split_example_children_add_up_to_one_parent():
    for children in split_module.SPLITS.values():
        assert sum(c.total for c in children) == split_module.PARENT.total
        assert sum(c.labeled for c in children) == split_module.PARENT.labeled
        assert all(0 <= c.labeled <= c.total for c in children)
    left, right = split_module.SPLITS["left"], split_module.SPLITS["right"]
    assert split_module.gini(left) == pytest.approx(1 / 6)  # 96/100 * 2*8*88/96^2 + 4/100 * 1/2
    assert split_module.pu_hellinger(right) == pytest.approx(2**-0.5)
    assert split_module.gini(left) < split_module.gini(right)
    assert split_module.pu_hellinger(left) < split_module.pu_hellinger(right)


class Constant:
    def __init__(self, value):
        self.value = value

    def predict_proba(self, points):
        p = np.where(points[:, 1] < 0, self.value, 0.0)
        return np.column_stack([1 - p, p])


def test_half_moons_are_the_papers_prior_and_label_frequency():
    X, y, s = moons_module.make_half_moons(moons_module.Setting())
    assert X.shape == (2000, 2) and y.sum() == 100 and s.sum() == 50
    assert not ((s == 1) & (y == 0)).any()
    again = moons_module.make_half_moons(moons_module.Setting())
    assert np.array_equal(X, again[0]) and np.array_equal(s, again[2])
    assert X[y == 1, 1].mean() < X[y == 0, 1].mean()  # positives below


def test_half_moons_draw_a_panel_for_each_model():
    figure = moons_module.half_moons(fit=lambda X, s, setting: {"CART": Constant(0.2), "PU": Constant(0.9)}, grid=20)
    assert [a.get_title(loc="left") for a in figure.axes] == ["CART", "PU"]
    shares = [t.get_text() for t in gids(figure, "shares-")]
    assert shares[0].startswith("hidden found 0%") and not shares[1].startswith("hidden found 0%")
    assert_nothing_cut(figure)


def test_half_moons_of_our_trees_favour_the_pu_criterion():
    average = moons_module.half_moons_average(draws=5)
    cart, hdt, splits, pu = (found for found, _ in average.values())
    assert splits > hdt + 0.1 and splits > cart + 0.1  # the paper's message, with one leaf rule for all
    assert pu > splits
    caption = moons_module.half_moons_caption(average=average, draws=5)
    assert f"PU-HDT, share of positives {pu:.0%}" in caption and "depth at most 6" in caption and "5%" in caption


# files


def test_files_are_the_same_twice_and_hold_no_date(tmp_path):
    for name in ("one", "two"):
        figure = figures.critical_difference(DEMSAR, [list(DEMSAR)], 1.25, alpha=0.05)
        paths = figures.save(figure, tmp_path / name / "cd.v1")
        assert [p.name for p in paths] == ["cd.v1.svg", "cd.v1.pdf", "cd.v1.png"]
    for suffix in ("svg", "pdf", "png"):
        one, two = (tmp_path / name / f"cd.v1.{suffix}" for name in ("one", "two"))
        assert one.read_bytes() == two.read_bytes() and one.stat().st_size > 1000
    ids = re.findall(r'\bid="([^"]*)"', (tmp_path / "one" / "cd.v1.svg").read_text())
    assert len(ids) == len(set(ids)) and "clique-0" in ids
    assert b"Date" not in (tmp_path / "one" / "cd.v1.pdf").read_bytes()
    assert "<dc:date>" not in (tmp_path / "one" / "cd.v1.svg").read_text()


def test_a_readers_own_settings_change_nothing():
    import matplotlib

    with matplotlib.rc_context({"font.size": 30, "axes.facecolor": "red", "text.usetex": False}):
        figure = figures.critical_difference(DEMSAR, [], 1.25, alpha=0.05)
        assert matplotlib.rcParams["font.size"] == 30
    assert_nothing_cut(figure)


def test_no_display_and_no_backend_are_needed(tmp_path):
    code = (
        "import sys; from scarce.report import figures\n"
        "figures.save(figures.critical_difference({'a': 1.0, 'b': 2.0}, [['a', 'b']], 1.5, alpha=0.05), sys.argv[1])\n"
        "assert 'matplotlib.pyplot' not in sys.modules and 'tkinter' not in sys.modules\n"
    )
    environment = {key: value for key, value in os.environ.items() if key != "DISPLAY"} | {"MPLBACKEND": "TkAgg"}
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path / "cd")], env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert sorted(p.name for p in tmp_path.iterdir()) == ["cd.pdf", "cd.png", "cd.svg"]
