"""Ranks of the methods on each data set, as a table with shades."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.figure import Figure

from scarce.report.results import DisplayMethod
from scarce.report.style import CALM, MUTED, WIDTH, panel, readable, styled, widest

_SHADES = LinearSegmentedColormap.from_list("ranks", [CALM, "#7fb3d9", "#dbe9f4", "#ffffff"])


@styled
def rank_heatmap(ranks: pd.DataFrame, *, methods: Sequence[DisplayMethod], datasets: Mapping[str, str]) -> Figure:
    """Methods down, best average rank on top, data sets across; the last column is the average rank.

    `ranks` is methods x data sets, 1 for the best; cells without a number show a dash.
    """
    average = ranks.mean(axis=1)
    methods = [method for method in methods if method.name in ranks.index]
    methods = sorted(methods, key=lambda m: (np.isnan(average[m.name]), average[m.name]))
    labels = [str(datasets.get(name, name)) for name in ranks.columns]
    values = ranks.loc[[m.name for m in methods]].to_numpy(dtype=float)

    longest = widest(labels, 7.5)
    turned = longest > 0.33
    left = 0.2 + widest([m.label for m in methods], 7.5)
    head = 0.15 + (longest if turned else 0.14)
    cell = 0.2
    last = 1.6  # width of the column of means, in cells
    width, height = max(WIDTH, left + 0.3 * (len(labels) + 2)), cell * len(methods)
    figure = Figure(figsize=(width, head + height + 0.12))
    axes = panel(figure, left, 0.12, width - left - 0.1, height)
    worst = max(np.nanmax(values, initial=1.0), 2.0)
    # a mesh rather than an image, so that the vector files stay sharp
    axes.pcolormesh(values, cmap=_SHADES, vmin=1, vmax=worst, edgecolors="white", linewidth=0.6)
    middle = {"ha": "center", "va": "center_baseline"}
    shades = _SHADES((values - 1) / (worst - 1))
    shades[np.isnan(values)] = 1.0
    for (i, j), value in np.ndenumerate(values):
        style = {"color": readable(tuple(shades[i, j])), "fontweight": "bold" if value == 1 else "normal"}
        axes.text(j + 0.5, i + 0.5, _rank(value), gid=f"cell-{i}-{j}", fontsize=7, **middle, **style)
    for i, mean in enumerate(average[[m.name for m in methods]]):
        text, x = "–" if np.isnan(mean) else f"{mean:.2f}", len(labels) + last / 2
        axes.text(x, i + 0.5, text, gid=f"average-{i}", fontsize=7.5, fontweight="bold", **middle)
    axes.set(xlim=(0, len(labels) + last), ylim=(len(methods), 0))
    axes.set_yticks(np.arange(len(methods)) + 0.5, [m.label for m in methods])
    places = [*(np.arange(len(labels)) + 0.5), len(labels) + last / 2]
    axes.set_xticks(places, [*labels, "mean"], rotation=90 if turned else 0)
    axes.xaxis.tick_top()
    axes.tick_params(length=0, pad=3)
    axes.spines[:].set_visible(False)
    axes.axvline(len(labels), color=MUTED, lw=0.8)
    return figure


def _rank(value: float) -> str:
    if np.isnan(value):
        return "–"
    return f"{value:.0f}" if value == round(value) else f"{value:.1f}"
