"""Published against reproduced numbers."""

from __future__ import annotations

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from scarce.report.agreement_view import OUTSIDE, UNKNOWN, WITHIN, LabelOf, largest, with_status
from scarce.report.style import ALERT, CALM, GRID, INK, MUTED, WIDTH, spread, styled, text_width

_LOOKS = {
    WITHIN: {"marker": "o", "ms": 3, "mew": 0, "alpha": 0.45, "color": CALM},
    UNKNOWN: {"marker": "x", "ms": 3, "mew": 0.6, "color": MUTED},
    OUTSIDE: {"marker": "D", "ms": 3.4, "mew": 0.6, "mfc": "none", "mec": ALERT, "zorder": 3},
}


@styled
def agreement(
    rows: pd.DataFrame,
    *,
    label: LabelOf = lambda kind, name: name,
    name_largest: int = 8,
    title: str | None = None,
) -> Figure:
    """One point for each data set, method and scenario; a panel for each metric; the 45-degree line is agreement.

    Parameters
    ----------
    rows : DataFrame
        Rows of agreement.csv: fractions; averages over data sets are left out.
    label : callable
        ``label(kind, name)`` with kind method, metric or dataset.
    name_largest : int
        How many of the largest differences outside are named in each panel.
    title : str, optional

    Raises
    ------
    ValueError
        No rows.
    """
    rows = with_status(rows)
    rows = rows[~rows["average"]]
    if rows.empty:
        raise ValueError("no row has a published and a reproduced number")
    metrics = list(dict.fromkeys(rows["metric"]))
    rooms = {}
    texts = {}
    for metric in metrics:
        outside = rows[(rows["metric"] == metric) & (rows["status"] == OUTSIDE)]
        texts[metric] = [
            (row.published, row.reproduced, _name(row, label)) for row in largest(outside, name_largest).itertuples()
        ]
        rooms[metric] = 0.35 + max((text_width(text, 6.5) for *_, text in texts[metric]), default=-0.2)

    left, side, head, foot = 0.6, 2.55, 0.4, 0.5
    top = 0.3 if title else 0.0
    cell = left + side + max(0.1, *rooms.values())
    columns = max(1, int((WIDTH + 0.6) / cell))
    columns = min(columns, len(metrics))
    if columns == 1:
        side, cell = side + 0.75, cell + 0.75
    width = max(WIDTH, cell * columns)
    height = top + (head + side + foot) * -(-len(metrics) // columns)
    figure = Figure(figsize=(width, height))
    for i, metric in enumerate(metrics):
        x = left + cell * (i % columns)
        bottom = height - top - (head + side + foot) * (i // columns) - head - side
        part = rows[rows["metric"] == metric]
        axes = figure.add_axes((x / width, bottom / height, side / width, side / height))
        low = min(part["published"].min(), part["reproduced"].min())
        high = max(part["published"].max(), part["reproduced"].max())
        room = 0.04 * ((high - low) or 1.0)
        low, high = low - room, high + room
        axes.plot([low, high], [low, high], color=MUTED, lw=0.8, zorder=1, gid="diagonal")
        for status, look in _LOOKS.items():
            cells = part[part["status"] == status]
            if len(cells):
                axes.plot(cells["published"], cells["reproduced"], ls="", label=status, gid=status, **look)
        axes.set(xlim=(low, high), ylim=(low, high), xlabel="published (%)", ylabel="reproduced (%)")
        axes.grid()
        count, known = int((part["status"] == WITHIN).sum()), int((part["status"] != UNKNOWN).sum())
        axes.set_title(f"{label('metric', metric)}: {count} of {known} within", pad=8)
        unit = (high - low) / side
        places = spread([y for _, y, _ in texts[metric]], 0.13 * unit, low, high)
        for (px, py, text), y in zip(texts[metric], places, strict=True):
            axes.plot(
                [px, high + 0.08 * unit, high + 0.14 * unit],
                [py, y, y],
                color=ALERT,
                lw=0.4,
                alpha=0.6,
                clip_on=False,
                zorder=2,
            )
            axes.text(high + 0.17 * unit, y, text, fontsize=6.5, color=INK, va="center_baseline", gid="named")
    handles, names = figure.axes[0].get_legend_handles_labels()
    figure.axes[0].legend(
        handles,
        names,
        loc="upper left",
        handletextpad=0.2,
        borderaxespad=0.2,
        facecolor="white",
        frameon=True,
        framealpha=0.9,
        edgecolor=GRID,
    )
    if title:
        figure.text(0.1 / width, 1 - 0.2 / height, title, fontsize=9, fontweight="bold", va="baseline")
    return figure


def _name(row, label: LabelOf) -> str:
    dataset, method = label("dataset", row.dataset), label("method", row.method)
    return f"{dataset}, {method}, {row.scenario}: {np.round(row.difference, 1):+.1f}"
