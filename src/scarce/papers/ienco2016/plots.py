"""Drawings of the paper's Figures 3 to 5: F against the number of neighbours and against the shift of the threshold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from scarce.report.style import DASHES, INK, MARKERS, MUTED, PALETTE, WIDTH, panel, styled


@dataclass(frozen=True)
class Curve:
    """A line of a panel: its label, the values by x, and published values by x."""

    label: str
    values: Mapping[float, float]
    published: Mapping[float, float]
    colour: int = 0
    dash: int = 0


@styled
def panels(curves: Mapping[str, Sequence[Curve]], *, xlabel: str, ylabel: str, percent: bool = False) -> Figure:
    """A panel for each title; the curves of a panel share the looks of those with the same place in other panels.

    Published values are crosses. With `percent` the x axis is in percent. The legend stands below the panels.
    """
    n = len(curves)
    across = 1 if n == 1 else 3
    down = -(-n // across)
    width, height = (WIDTH - 0.25) / across, 2.6 if n == 1 else 1.75
    first = next(iter(curves.values()))
    crosses = any(curve.published for lines in curves.values() for curve in lines)
    ncols = 3 if len(first) > 4 else 4
    foot = 0.45 + 0.18 * (-(-(len(first) + crosses) // ncols))
    figure = Figure(figsize=(WIDTH, foot + down * (height + 0.42)))
    drawn = []
    for place, (title, lines) in enumerate(curves.items()):
        row, column = divmod(place, across)
        left, bottom = 0.7 + column * width, foot + (down - 1 - row) * (height + 0.42) + 0.18
        axes = panel(figure, left, bottom, width - 0.6, height - 0.05)
        drawn.append(axes)
        _draw(axes, lines, place)
        axes.set_title(title)
        axes.grid(axis="y")
        xs = sorted({x for curve in lines for x in curve.values})
        shown = xs if not percent or across == 1 else xs[::2]
        axes.set_xticks(shown, [_percent(x) if percent else f"{x:g}" for x in shown])
    figure.legend(*drawn[0].get_legend_handles_labels(), loc="lower center", ncols=ncols, handlelength=3.2)
    figure.text(0.5, (foot - 0.2) / figure.get_figheight(), xlabel, ha="center", fontsize=8)
    figure.text(0.08 / WIDTH, 0.55, ylabel, rotation=90, va="center", fontsize=8)
    return figure


def _percent(share: float) -> str:
    return f"{100 * share:+g}".replace("-", "−") if share else "0"


def _draw(axes: Axes, lines: Sequence[Curve], place: int) -> None:
    for i, curve in enumerate(lines):
        style = {"color": PALETTE[curve.colour], "marker": MARKERS[curve.colour], "ls": DASHES[curve.dash], "ms": 3.5}
        axes.plot(*_points(curve.values), lw=1.2, label=curve.label, gid=f"curve-{place}-{i}", **style)
    for i, curve in enumerate(lines):
        if curve.published:
            cross = {"ls": "", "marker": "x", "ms": 5, "mew": 1.2, "color": PALETTE[curve.colour]}
            axes.plot(*_points(curve.published), gid=f"published-{place}-{i}", **cross)
    if place == 0 and any(curve.published for curve in lines):
        axes.plot([], [], ls="", marker="x", color=MUTED, label="published")
    axes.tick_params(colors=INK)


def _points(values: Mapping[float, float]) -> tuple[list[float], list[float]]:
    xs = sorted(values)
    return xs, [values[x] for x in xs]
