"""What F1 a method gets with each way of choosing its threshold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pandas as pd
from matplotlib.figure import Figure

from scarce.report.results import DisplayMethod
from scarce.report.style import GRID, INK, MARKERS, PALETTE, WIDTH, as_methods, styled, text_width

RULES = {
    "f1_default": "0.5",
    "f1_prior": "class prior",
    "f1_observed": "observed labels of validation rows",
    "f1_validation": "true labels of validation rows",
    "f1_oracle": "best on the test rows",
}


@styled
def thresholds(
    means: pd.DataFrame,
    *,
    methods: Sequence[DisplayMethod | str],
    rules: Mapping[str, str] = RULES,
    scenario: str | None = None,
    title: str | None = None,
) -> Figure:
    """Mean F1 over data sets for each threshold rule, a row for each method.

    Parameters
    ----------
    means : DataFrame
        Rows of stats/means.csv for the data sets that count.
    methods : sequence of DisplayMethod or str
    rules : mapping of metric to words
        Metrics without values are left out.
    scenario : str, optional
        One scenario; all of them by default.
    title : str, optional

    Raises
    ------
    ValueError
        None of the metrics has a value.
    """
    rows = means[means["metric"].isin(rules)].dropna(subset=["mean"])
    if scenario is not None:
        rows = rows[rows["scenario"] == scenario]
    if rows.empty:
        raise ValueError(f"none of {', '.join(rules)} has a value")
    means = rows.pivot_table(index="method", columns="metric", values="mean") * 100
    methods = [m for m in as_methods(methods) if m.name in means.index]
    rules = {metric: words for metric, words in rules.items() if metric in means.columns}

    left = 0.2 + max(text_width(m.label, 7.5) for m in methods)
    legend = 0.2 * -(-len(rules) // 2)
    plot = 0.21 * len(methods) + 0.1
    top, bottom = legend + 0.15 + (0.3 if title else 0), 0.5
    height = top + plot + bottom
    width = max(WIDTH, left + 3.0)
    figure = Figure(figsize=(width, height))
    axes = figure.add_axes((left / width, bottom / height, (width - left - 0.15) / width, plot / height))
    for i, method in enumerate(methods):
        values = means.loc[method.name, list(rules)]
        axes.plot([values.min(), values.max()], [i, i], color="#c9ced6", lw=1.4, zorder=1, solid_capstyle="butt")
    for j, (metric, words) in enumerate(rules.items()):
        hollow = metric == "f1_oracle"  # what no user can do stands apart
        axes.plot(
            means.loc[[m.name for m in methods], metric],
            range(len(methods)),
            ls="",
            marker=MARKERS[j % len(MARKERS)],
            ms=5,
            mec=INK if hollow else "white",
            mew=0.9 if hollow else 0.5,
            color="white" if hollow else PALETTE[j % len(PALETTE)],
            label=words,
            gid=metric,
        )
    axes.set_yticks(range(len(methods)), [m.label for m in methods])
    axes.set_ylim(len(methods) - 0.5, -0.5)
    axes.set_xlabel("mean F1 over data sets (%)")
    axes.tick_params(axis="y", length=0)
    axes.grid(axis="x", color=GRID)
    axes.spines["left"].set_visible(False)
    figure.legend(
        loc="upper left",
        bbox_to_anchor=(0.05 / width, 1 - ((0.3 if title else 0.05) / height)),
        ncols=2,
        handletextpad=0.2,
        columnspacing=1.2,
        title=None,
        borderaxespad=0,
    )
    if title:
        figure.text(0.1 / width, 1 - 0.2 / height, title, fontsize=9, fontweight="bold", va="baseline")
    return figure
