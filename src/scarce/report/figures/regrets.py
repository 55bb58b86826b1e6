"""What is lost by each way to choose among methods: means and intervals over data sets."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd
from matplotlib.figure import Figure

from scarce.analysis.rows import matching
from scarce.report.style import MARKERS, MUTED, PALETTE, WIDTH, panel, styled, widest


@styled
def regrets(
    rows: pd.DataFrame,
    *,
    ways: Mapping[str, str],
    metrics: Mapping[str, str],
    rarities: Mapping[str, str],
    scenarios: Mapping[str, str],
) -> Figure:
    """One panel a metric (columns) and rarity (rows), one line a way to choose, one marker a scenario; in percent.

    `rows` are averages of stats/selection.csv for one group of candidates. The mappings are from name to label, in the
    order of drawing; a rarity without rows is left out. The panels of a column share their scale.
    """
    rarities = {name: label for name, label in rarities.items() if (rows["rarity"] == name).any()}
    left, top, bottom, gap, between = 0.15 + widest(ways.values(), 7), 0.75, 0.45, 0.14, 0.42
    side = 0.19 * len(ways) + 0.1
    width = max(WIDTH, left + 1.15 * len(metrics) + 0.1)
    column = (width - left - 0.1) / len(metrics)
    height = top + bottom + len(rarities) * side + (len(rarities) - 1) * between
    figure = Figure(figsize=(width, height))
    handles = []
    for c, (metric, label) in enumerate(metrics.items()):
        of_metric = matching(rows, metric=metric)
        ends = of_metric[["regret", "low", "high"]].to_numpy(float) * 100
        low, high = _limits(ends)
        for r, (rarity, words) in enumerate(rarities.items()):
            y0 = height - top - side - r * (side + between)
            axes = panel(figure, left + c * column, y0, column - gap, side, gid=f"panel-{r}-{c}", facecolor="#fafbfc")
            axes.axvline(0, color=MUTED, lw=0.7, zorder=1)
            handles = [
                _draw(axes, matching(of_metric, rarity=rarity, scenario=name), ways, place)
                for place, name in _places(scenarios).items()
            ]
            axes.set(xlim=(low, high), ylim=(len(ways) - 0.4, -0.6))
            axes.set_yticks(range(len(ways)), list(ways.values()) if c == 0 else [""] * len(ways))
            axes.tick_params(axis="y", length=0, labelsize=7)
            axes.tick_params(axis="x", length=2, labelsize=7, pad=1.5)
            axes.locator_params(axis="x", nbins=4)
            axes.grid(axis="both", lw=0.4)
            axes.spines["left"].set_visible(False)
            if r == 0:
                axes.set_title(label, fontsize=8.5, pad=16, loc="center")
            if c == 0:
                place = 0.08 / width, (y0 + side + 0.07) / height
                figure.text(*place, words, va="baseline", fontsize=8.5, fontweight="bold", gid=f"rarity-{r}")
            if r == len(rarities) - 1:
                axes.set_xlabel("lost (points)", fontsize=7.5, labelpad=2)
    style = {"loc": "upper right", "ncols": len(scenarios), "handletextpad": 0.3, "columnspacing": 1.2}
    figure.legend(handles, list(scenarios.values()), bbox_to_anchor=(1 - 0.1 / width, 1 - 0.05 / height), **style)
    return figure


def _places(scenarios: Mapping[str, str]) -> dict[tuple[int, float], str]:
    """Number of each scenario and how far its marks stand from the middle of a line."""
    step = 0.5 / max(len(scenarios), 1)
    return {(i, (i - (len(scenarios) - 1) / 2) * step): name for i, name in enumerate(scenarios)}


def _draw(axes, rows: pd.DataFrame, ways: Mapping[str, str], place: tuple[int, float]):
    """Means and intervals of one scenario; the handle of its legend."""
    number, shift = place
    rows = rows.set_index("by").reindex(list(ways))
    ys = [y + shift for y in range(len(ways))]
    colour = PALETTE[number % len(PALETTE)]
    axes.hlines(ys, rows["low"] * 100, rows["high"] * 100, colors=colour, lw=1.1, zorder=2, gid=f"interval-{number}")
    marks = {"ls": "", "ms": 3.6, "mec": "white", "mew": 0.4, "marker": MARKERS[number % len(MARKERS)]}
    return axes.plot(rows["regret"] * 100, ys, color=colour, zorder=3, gid=f"regret-{number}", **marks)[0]


def _limits(ends) -> tuple[float, float]:
    """From a little below the least to a little above the largest, 0 included."""
    values = [*ends[ends == ends].tolist(), 0.0]
    room = max(0.05 * (max(values) - min(values)), 0.1)
    return min(values) - room, max(values) + room
