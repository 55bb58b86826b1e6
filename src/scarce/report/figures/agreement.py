"""Published against reproduced numbers."""

from __future__ import annotations

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from scarce.report.agreement_view import OUTSIDE, UNKNOWN, WITHIN, LabelOf, largest, with_status
from scarce.report.style import ALERT, CALM, GRID, INK, MUTED, WIDTH, panel, spread, styled, widest

NAMED = 8  # of the largest differences outside, in each panel
_LOOKS = {
    WITHIN: {"marker": "o", "ms": 3, "mew": 0, "alpha": 0.45, "color": CALM},
    UNKNOWN: {"marker": "x", "ms": 3, "mew": 0.6, "color": MUTED},
    OUTSIDE: {"marker": "D", "ms": 3.4, "mew": 0.6, "mfc": "none", "mec": ALERT, "zorder": 3},
}


@styled
def agreement(rows: pd.DataFrame, *, label: LabelOf = lambda kind, name: name) -> Figure:
    """One point for each data set, method and scenario; a panel for each metric; the 45-degree line is agreement.

    `rows` are those of agreement.csv; averages over data sets are left out. ``label(kind, name)`` has kind method,
    metric or dataset. Raises ValueError where there are no rows.
    """
    rows = with_status(rows)
    rows = rows[~rows["average"]]
    if rows.empty:
        raise ValueError("no row has a published and a reproduced number")
    parts = dict(list(rows.groupby("metric", sort=False)))
    named = {metric: largest(part[part["status"] == OUTSIDE], NAMED) for metric, part in parts.items()}
    texts = {metric: [_name(row, label) for row in part.itertuples()] for metric, part in named.items()}
    rooms = [0.35 + widest(lines, 6.5) if lines else 0.15 for lines in texts.values()]

    left, side, head, foot = 0.6, 2.55, 0.4, 0.5
    cell = left + side + max(rooms)
    columns = min(max(1, int((WIDTH + 0.6) / cell)), len(parts))
    if columns == 1:
        side, cell = side + 0.75, cell + 0.75
    row = head + side + foot
    figure = Figure(figsize=(max(WIDTH, cell * columns), row * -(-len(parts) // columns)))
    for place, (metric, part) in enumerate(parts.items()):
        bottom = figure.get_figheight() - row * (place // columns) - head - side
        axes = panel(figure, left + cell * (place % columns), bottom, side, side)
        unit = _points(axes, part) / side
        count, known = int((part["status"] == WITHIN).sum()), int((part["status"] != UNKNOWN).sum())
        axes.set_title(f"{label('metric', metric)}: {count} of {known} within", pad=8)
        low, high = axes.get_ylim()
        heights = spread(named[metric]["reproduced"].tolist(), 0.13 * unit, low, high)
        for point, text, y in zip(named[metric].itertuples(), texts[metric], heights, strict=True):
            xs, ys = [point.published, high + 0.08 * unit, high + 0.14 * unit], [point.reproduced, y, y]
            axes.plot(xs, ys, color=ALERT, lw=0.4, alpha=0.6, clip_on=False, zorder=2)
            axes.text(high + 0.17 * unit, y, text, fontsize=6.5, color=INK, va="center_baseline", gid="named")
    box = {"facecolor": "white", "frameon": True, "framealpha": 0.9, "edgecolor": GRID}
    figure.axes[0].legend(loc="upper left", handletextpad=0.2, borderaxespad=0.2, **box)
    return figure


def _points(axes: Axes, part: pd.DataFrame) -> float:
    """Draw the points of one metric on square axes; the range of the axes."""
    numbers = part[["published", "reproduced"]].to_numpy()
    low, high = numbers.min(), numbers.max()
    room = 0.04 * ((high - low) or 1.0)
    low, high = low - room, high + room
    axes.plot([low, high], [low, high], color=MUTED, lw=0.8, zorder=1, gid="diagonal")
    for status, look in _LOOKS.items():
        cells = part[part["status"] == status]
        if len(cells):
            axes.plot(cells["published"], cells["reproduced"], ls="", label=status, gid=status, **look)
    axes.set(xlim=(low, high), ylim=(low, high), xlabel="published (%)", ylabel="reproduced (%)")
    axes.grid()
    return high - low


def _name(row, label: LabelOf) -> str:
    dataset, method = label("dataset", row.dataset), label("method", row.method)
    return f"{dataset}, {method}, {row.scenario}: {np.round(row.difference, 1):+.1f}"
