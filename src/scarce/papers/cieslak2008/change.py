"""What a method changes that builds on another, in percent of the other's mean by data set (cieslak2008, Fig. 6)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from scarce.analysis.ranks import ranks_of
from scarce.analysis.ties import settled
from scarce.report.results import DisplayMethod
from scarce.report.style import ALERT, CALM, INK, MUTED, WIDTH, panel, styled, widest


def percent_change(means: pd.DataFrame, bases: Mapping[str, str]) -> pd.DataFrame:
    """``100 (value - base) / base`` of each method in `bases`.

    Both are data sets x methods. Left out are data sets in which one of the changes is no number: where the base is 0
    or, under the policy "worst", a method has no run.
    """
    pairs = {method: base for method, base in bases.items() if {method, base} <= set(means.columns)}
    changed = {method: 100.0 * (means[method] - means[base]) / means[base] for method, base in pairs.items()}
    frame = pd.DataFrame(changed, index=means.index)
    return frame[np.isfinite(frame).all(axis=1)]


@styled
def change(
    changes: pd.DataFrame, *, methods: Sequence[DisplayMethod], datasets: Mapping[str, str], ylabel: str
) -> Figure:
    """A panel a method, a bar a data set; the number at a bar is its rank among the methods, 1 for the largest gain.

    `changes` is what `percent_change` returns, `datasets` maps names to labels.
    """
    methods = [method for method in methods if method.name in changes.columns]
    values = changes[[method.name for method in methods]].to_numpy(float)
    ranks = ranks_of(-settled(values, scale=100.0))
    labels = [datasets.get(name, name) for name in changes.index]
    places = np.arange(len(labels))
    foot, side, head = 0.25 + widest(labels, 7.5), 1.15, 0.25
    height = head + side * len(methods) + foot
    figure = Figure(figsize=(WIDTH, height))
    low, high = min(values.min(), 0.0), max(values.max(), 0.0)
    room = 0.18 * (high - low or 1.0)
    for i, method in enumerate(methods):
        last = i == len(methods) - 1
        axes = panel(figure, 0.62, foot + side * (len(methods) - 1 - i), WIDTH - 0.72, side - 0.3)
        column = values[:, i]
        axes.bar(places, column, width=0.62, color=np.where(column < 0, ALERT, CALM))
        axes.axhline(0, color=MUTED, lw=0.7)
        for x, (value, rank) in enumerate(zip(column, ranks[:, i], strict=True)):
            place, va = ((0, 2), "bottom") if value >= 0 else ((0, -2), "top")
            style = {"ha": "center", "va": va, "fontsize": 6.5, "color": INK, "gid": f"rank-{method.name}-{x}"}
            axes.annotate(f"{rank:g}", (x, value), xytext=place, textcoords="offset points", **style)
        axes.set(xlim=(-0.6, len(column) - 0.4), ylim=(low - room, high + room))
        axes.set_title(f"{method.label}: mean {column.mean():+.2f} %, {int((column < 0).sum())} of {len(column)} fall")
        axes.grid(axis="y")
        axes.set_xticks(places, labels if last else [""] * len(column), rotation=90)
        axes.tick_params(axis="x", length=0)
    figure.text(0.12 / WIDTH, (foot + height - head) / 2 / height, ylabel, rotation=90, va="center", fontsize=8)
    return figure
