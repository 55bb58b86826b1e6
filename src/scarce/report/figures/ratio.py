"""Mean score over data sets against a setting of the scenarios, labels at the end of the lines."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import pandas as pd
from matplotlib.figure import Figure

from scarce.report.results import DisplayMethod
from scarce.report.style import INK, MUTED, WIDTH, as_methods, looks, spread, styled, text_width


@styled
def score_vs_ratio(
    curves: pd.DataFrame,
    *,
    methods: Sequence[DisplayMethod | str],
    ratios: Mapping[str, float],
    metric_label: str,
    title: str | None = None,
) -> Figure:
    """One line a method; bars show the standard deviation, over repeats, of the mean over data sets.

    Parameters
    ----------
    curves : DataFrame
        Rows of stats/curves.csv for one metric; other scenarios are left alone.
    methods : sequence of DisplayMethod or str
    ratios : mapping of scenario to flip ratio in [0, 1]
    metric_label : str
    title : str, optional

    Raises
    ------
    ValueError
        No value under any of the scenarios.
    """
    ticks = {ratio: f"{ratio:.0%}" for ratio in sorted(set(ratios.values()))}
    xlabel = "labels hidden among the positives (flip ratio)"
    return _lines(curves, ratios, ticks, xlabel, methods, metric_label, title)


@styled
def prior_sensitivity(
    curves: pd.DataFrame,
    *,
    methods: Sequence[DisplayMethod | str],
    factors: Mapping[str, float],
    metric_label: str,
    title: str | None = None,
) -> Figure:
    """One line a method against the factor by which the class prior that it is told is wrong, on a log scale.

    Parameters
    ----------
    curves : DataFrame
        Rows of stats/curves.csv for one metric; other scenarios are left alone.
    methods : sequence of DisplayMethod or str
    factors : mapping of scenario to factor, positive
    metric_label : str
    title : str, optional

    Raises
    ------
    ValueError
        No value under any of the scenarios.
    """
    places = {scenario: math.log2(factor) for scenario, factor in factors.items()}
    ticks = {math.log2(factor): f"{factor:g}" for factor in sorted(factors.values())}
    return _lines(curves, places, ticks, "class prior told / true class prior", methods, metric_label, title)


def _lines(
    curves: pd.DataFrame,
    places: Mapping[str, float],
    ticks: Mapping[float, str],
    xlabel: str,
    methods: Sequence[DisplayMethod | str],
    metric_label: str,
    title: str | None,
) -> Figure:
    methods, look = as_methods(methods), looks(methods)
    frame = curves[curves["scenario"].isin(places) & curves["method"].isin([m.name for m in methods])]
    if frame.empty:
        raise ValueError(f"no values of {metric_label} under {', '.join(places)}")
    frame = frame.assign(ratio=frame["scenario"].map(dict(places))).sort_values("ratio", kind="stable")
    drawn = [m for m in methods if (frame["method"] == m.name).any()]

    gap = 0.165  # inches between labels
    label_room = 0.75 + max(text_width(m.label, 7.5) for m in drawn)
    plot_height = max(3.6, gap * len(drawn) + 0.3)
    height, left, bottom = plot_height + 0.5 + (0.35 if title else 0.15), 0.6, 0.5
    width = max(WIDTH, left + label_room + 2.5)
    figure = Figure(figsize=(width, height))
    plot_width = width - left - label_room
    axes = figure.add_axes((left / width, bottom / height, plot_width / width, plot_height / height))

    xs = sorted(set(frame["ratio"]))
    span = (xs[-1] - xs[0]) or 0.1
    ends = {}
    for i, method in enumerate(drawn):
        rows, style = frame[frame["method"] == method.name], look[method.name]
        x = rows["ratio"] + span * 0.035 * (i / max(len(drawn) - 1, 1) - 0.5)  # side by side, so that bars stay visible
        axes.errorbar(
            x,
            rows["mean"] * 100,
            yerr=rows["sd"].fillna(0) * 100,
            color=style.colour,
            marker=style.marker,
            ms=4,
            mec="white",
            mew=0.4,
            lw=1.2,
            ls=style.dash,
            elinewidth=0.8,
            capsize=0,
            gid=f"line-{i}",
        )
        ends[method.name] = (x.iloc[-1], rows["mean"].iloc[-1] * 100)
    axes.set_xlim(xs[0] - span * 0.06, xs[-1] + span * 0.06)
    axes.set_xticks(xs, [ticks[x] for x in xs])
    axes.set_xlabel(xlabel)
    axes.set_ylabel(f"mean {metric_label} over data sets (%)")
    axes.grid(axis="y")
    low, high = axes.get_ylim()
    low, high = max(low, 0.0), min(high, 100.0)
    axes.set_ylim(low, high)

    unit = (high - low) / plot_height
    right = axes.get_xlim()[1]
    inch = (right - axes.get_xlim()[0]) / plot_width
    places = spread([ends[m.name][1] for m in drawn], gap * unit, low, high)
    for i, (method, y) in enumerate(zip(drawn, places, strict=True)):
        x, value = ends[method.name]
        colour = look[method.name].colour
        axes.plot(
            [x + 0.06 * inch, right + 0.08 * inch, right + 0.25 * inch],
            [value, y, y],
            color=colour,
            lw=0.6,
            alpha=0.8,
            clip_on=False,
            gid=f"leader-{i}",
        )
        axes.text(
            right + 0.30 * inch, y, f"{value:.1f}", fontsize=7, color=MUTED, va="center_baseline", gid=f"value-{i}"
        )
        axes.text(right + 0.60 * inch, y, method.label, fontsize=7.5, color=INK, va="center_baseline", gid=f"label-{i}")
    if title:
        figure.text(0.1 / width, 1 - 0.2 / height, title, fontsize=9, fontweight="bold", va="baseline")
    return figure
