"""What F1 a method gets with each way of choosing its threshold."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
from matplotlib.figure import Figure

from scarce.report.results import DisplayMethod
from scarce.report.style import GRID, INK, MARKERS, PALETTE, WIDTH, panel, styled, widest

RULES = {
    "f1_default": "0.5",
    "f1_prior": "class prior",
    "f1_observed": "observed labels of validation rows",
    "f1_validation": "true labels of validation rows",
    "f1_oracle": "best on the test rows",
}


@styled
def thresholds(means: pd.DataFrame, *, methods: Sequence[DisplayMethod]) -> Figure:
    """Mean F1 over data sets and scenarios for each threshold rule that has values, a row for each method.

    `means` holds rows of stats/means.csv for the data sets that count. Raises ValueError where no rule has a value.
    """
    rows = means[means["metric"].isin(RULES)].dropna(subset=["mean"])
    if rows.empty:
        raise ValueError(f"none of {', '.join(RULES)} has a value")
    means = rows.pivot_table(index="method", columns="metric", values="mean") * 100
    methods = [m for m in methods if m.name in means.index]
    means = means.loc[[m.name for m in methods]]
    rules = [metric for metric in RULES if metric in means]

    left, bottom = 0.2 + widest([m.label for m in methods], 7.5), 0.5
    plot, top = 0.21 * len(methods) + 0.1, 0.2 * -(-len(rules) // 2) + 0.15
    width, height = max(WIDTH, left + 3.0), top + plot + bottom
    figure = Figure(figsize=(width, height))
    axes = panel(figure, left, bottom, width - left - 0.15, plot)
    axes.hlines(range(len(methods)), means.min(axis=1), means.max(axis=1), color="#c9ced6", lw=1.4, zorder=1)
    for j, metric in enumerate(rules):
        # what no user can do stands apart
        look = {"mec": INK, "mew": 0.9, "color": "white"} if metric == "f1_oracle" else {"mec": "white", "mew": 0.5}
        look = {"color": PALETTE[j % len(PALETTE)], "marker": MARKERS[j % len(MARKERS)], **look}
        axes.plot(means[metric], range(len(methods)), ls="", ms=5, label=RULES[metric], gid=metric, **look)
    axes.set_yticks(range(len(methods)), [m.label for m in methods])
    axes.set_ylim(len(methods) - 0.5, -0.5)
    axes.set_xlabel("mean F1 over data sets (%)")
    axes.tick_params(axis="y", length=0)
    axes.grid(axis="x", color=GRID)
    axes.spines["left"].set_visible(False)
    corner = {"loc": "upper left", "bbox_to_anchor": (0.05 / width, 1 - 0.05 / height)}
    figure.legend(ncols=2, handletextpad=0.2, columnspacing=1.2, borderaxespad=0, **corner)
    return figure
