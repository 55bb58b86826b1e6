"""Ranks of the methods on each data set, as a table with shades."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.figure import Figure

from scarce.report.results import DisplayMethod
from scarce.report.style import CALM, MUTED, WIDTH, as_methods, readable, styled, text_width

_SHADES = LinearSegmentedColormap.from_list("ranks", [CALM, "#7fb3d9", "#dbe9f4", "#ffffff"])


@styled
def rank_heatmap(
    ranks: pd.DataFrame,
    *,
    methods: Sequence[DisplayMethod | str],
    datasets: Mapping[str, str] | None = None,
    title: str | None = None,
    sort: bool = True,
) -> Figure:
    """Methods down, data sets across, rank in each cell; last column the average rank.

    Parameters
    ----------
    ranks : DataFrame
        Index method names, columns data set names, values ranks (1 = best, ties share the mean). NaN cells show a dash.
    methods : sequence of DisplayMethod or str
    datasets : mapping of name to short label, optional
    title : str, optional
    sort : bool
        Best average rank on top, otherwise the order of `methods`.
    """
    methods = [m for m in as_methods(methods) if m.name in ranks.index]
    average = ranks.mean(axis=1)
    if sort:
        methods = sorted(methods, key=lambda m: (np.isnan(average[m.name]), average[m.name]))
    columns = list(ranks.columns)
    labels = [str((datasets or {}).get(name, name)) for name in columns]
    values = ranks.loc[[m.name for m in methods], columns].to_numpy(dtype=float)

    turned = max(text_width(text, 7.5) for text in labels) > 0.33
    left = 0.2 + max(text_width(m.label, 7.5) for m in methods)
    head = 0.15 + (max(text_width(text, 7.5) for text in labels) if turned else 0.14) + (0.3 if title else 0)
    cell = 0.2
    width = max(WIDTH, left + 0.3 * (len(columns) + 2))
    last = 1.6  # width of the column of means, in cells
    height = head + cell * len(methods) + 0.12
    figure = Figure(figsize=(width, height))
    axes = figure.add_axes((left / width, 0.12 / height, (width - left - 0.1) / width, cell * len(methods) / height))
    worst = max(np.nanmax(values, initial=1.0), 2.0)
    # a mesh rather than an image, so that the vector files stay sharp
    axes.pcolormesh(values, cmap=_SHADES, vmin=1, vmax=worst, edgecolors="white", linewidth=0.6)
    for i, method in enumerate(methods):
        for j in range(len(columns)):
            value = values[i, j]
            shade = _SHADES((value - 1) / (worst - 1)) if np.isfinite(value) else (1.0, 1.0, 1.0, 1.0)
            axes.text(
                j + 0.5, i + 0.5, _rank(value), gid=f"cell-{i}-{j}", ha="center", va="center_baseline", fontsize=7,
                color=readable(shade), fontweight="bold" if value == 1 else "normal",
            )  # fmt: skip
        mean = average[method.name]
        axes.text(
            len(columns) + last / 2, i + 0.5, "–" if np.isnan(mean) else f"{mean:.2f}", gid=f"average-{i}", ha="center",
            va="center_baseline", fontsize=7.5, fontweight="bold",
        )  # fmt: skip
    axes.set_ylim(len(methods), 0)
    axes.set_xlim(0, len(columns) + last)
    axes.set_yticks(np.arange(len(methods)) + 0.5, [m.label for m in methods])
    axes.set_xticks(
        [*(np.arange(len(columns)) + 0.5), len(columns) + last / 2], [*labels, "mean"], rotation=90 if turned else 0
    )
    axes.xaxis.tick_top()
    axes.tick_params(length=0, pad=3)
    for spine in axes.spines.values():
        spine.set_visible(False)
    axes.axvline(len(columns), color=MUTED, lw=0.8)
    if title:
        figure.text(0.1 / width, 1 - 0.2 / height, title, fontsize=9, fontweight="bold", va="baseline")
    return figure


def _rank(value: float) -> str:
    if np.isnan(value):
        return "–"
    return f"{value:.0f}" if value == round(value) else f"{value:.1f}"
