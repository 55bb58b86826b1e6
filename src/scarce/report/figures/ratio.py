"""Mean score over data sets against a setting of the scenarios, labels at the end of the lines."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import pandas as pd
from matplotlib.figure import Figure

from scarce.report.results import DisplayMethod
from scarce.report.style import INK, MUTED, WIDTH, looks, panel, spread, styled, widest

GAP = 0.165  # inches between labels


def score_vs_ratio(
    curves: pd.DataFrame, *, methods: Sequence[DisplayMethod], ratios: Mapping[str, float], metric_label: str
) -> Figure:
    """One line a method; bars show the standard deviation, over repeats, of the mean over data sets.

    `curves` holds rows of stats/curves.csv for one metric, `ratios` the flip ratio of each scenario that is drawn.
    Raises ValueError where none of these has a value.
    """
    ticks = {ratio: f"{ratio:.0%}" for ratio in sorted(set(ratios.values()))}
    return _lines(curves, ratios, ticks, "labels hidden among the positives (flip ratio)", methods, metric_label)


def prior_sensitivity(
    curves: pd.DataFrame, *, methods: Sequence[DisplayMethod], factors: Mapping[str, float], metric_label: str
) -> Figure:
    """The same against the factor by which the class prior given to the method is wrong, on a log scale.

    `factors` holds the factor of each scenario that is drawn.
    """
    places = {scenario: math.log2(factor) for scenario, factor in factors.items()}
    ticks = {math.log2(factor): f"{factor:g}" for factor in sorted(factors.values())}
    return _lines(curves, places, ticks, "class prior told / true class prior", methods, metric_label)


@styled
def _lines(
    curves: pd.DataFrame,
    places: Mapping[str, float],
    ticks: Mapping[float, str],
    xlabel: str,
    methods: Sequence[DisplayMethod],
    metric_label: str,
) -> Figure:
    look = looks(methods)
    frame = curves[curves["scenario"].isin(places)]
    frame = frame.assign(x=frame["scenario"].map(dict(places))).sort_values("x", kind="stable")
    lines = [(m, frame[frame["method"] == m.name]) for m in methods if (frame["method"] == m.name).any()]
    if not lines:
        raise ValueError(f"no values of {metric_label} under {', '.join(places)}")

    label_room = 0.75 + widest([method.label for method, _ in lines], 7.5)
    left, bottom, height = 0.6, 0.5, max(3.6, GAP * len(lines) + 0.3)
    width = max(WIDTH, left + label_room + 2.5)
    figure = Figure(figsize=(width, bottom + height + 0.15))
    axes = panel(figure, left, bottom, width - left - label_room, height)

    xs = sorted({x for _, rows in lines for x in rows["x"]})
    span = (xs[-1] - xs[0]) or 0.1
    ends = []
    for i, (method, rows) in enumerate(lines):
        style, mean = look[method.name], rows["mean"] * 100
        x = rows["x"] + span * 0.035 * (i / max(len(lines) - 1, 1) - 0.5)  # side by side, so that bars stay visible
        line = {"color": style.colour, "marker": style.marker, "ls": style.dash, "lw": 1.2, "gid": f"line-{i}"}
        spreads = {"yerr": rows["sd"].fillna(0) * 100, "elinewidth": 0.8, "capsize": 0}
        axes.errorbar(x, mean, ms=4, mec="white", mew=0.4, **line, **spreads)
        ends.append((x.iloc[-1], mean.iloc[-1]))
    right = xs[-1] + span * 0.06
    axes.set(xlim=(xs[0] - span * 0.06, right), xlabel=xlabel, ylabel=f"mean {metric_label} over data sets (%)")
    axes.set_xticks(xs, [ticks[x] for x in xs])
    axes.grid(axis="y")
    low, high = axes.get_ylim()
    low, high = max(low, 0.0), min(high, 100.0)
    axes.set_ylim(low, high)

    inch = (right - xs[0] + span * 0.06) / (width - left - label_room)
    heights = spread([value for _, value in ends], GAP * (high - low) / height, low, high)
    for i, ((method, _), (x, value), y) in enumerate(zip(lines, ends, heights, strict=True)):
        elbow = [x + 0.06 * inch, right + 0.08 * inch, right + 0.25 * inch]
        leader = {"color": look[method.name].colour, "lw": 0.6, "alpha": 0.8, "clip_on": False}
        axes.plot(elbow, [value, y, y], gid=f"leader-{i}", **leader)
        for text, beside, name, size, colour in (
            (f"{value:.1f}", 0.30, "value", 7, MUTED),
            (method.label, 0.60, "label", 7.5, INK),
        ):
            style = {"fontsize": size, "color": colour, "va": "center_baseline"}
            axes.text(right + beside * inch, y, text, gid=f"{name}-{i}", **style)
    return figure
