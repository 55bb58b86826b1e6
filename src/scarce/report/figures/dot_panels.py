"""Every repeat of every method: a panel for each data set and scenario."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from scarce.report.results import DisplayMethod
from scarce.report.style import GRID, MUTED, WIDTH, as_methods, looks, styled, text_width

GAP = 0.22  # inches between two panels of a row


@styled
def dots(
    scores: pd.DataFrame,
    means: pd.DataFrame,
    metric: str,
    *,
    methods: Sequence[DisplayMethod | str],
    scenarios: Mapping[str, str] | Sequence[str],
    datasets: Mapping[str, str] | Sequence[str],
    metric_label: str | None = None,
    shared_axis: bool = False,
) -> Figure:
    """Single repeats (pale strokes), their mean (marker) and standard deviation (line), in percent.

    Parameters
    ----------
    scores : DataFrame
        Rows of scores.csv: dataset, scenario, repeat, method, metric, value in [0, 1]; other metrics are left alone.
    means : DataFrame
        Rows of stats/means.csv for the same runs.
    metric : str
    methods : sequence of DisplayMethod or str
        Top to bottom.
    scenarios, datasets : mapping of name to title, or sequence of names
        Columns and rows of panels.
    metric_label : str, optional
    shared_axis : bool
        One range of values for all data sets instead of one for each.

    Returns
    -------
    Figure
        A cell without values says "no result" where the dot would be.
    """
    methods, look = as_methods(methods), looks(methods)
    scenarios, datasets = _titles(scenarios), _titles(datasets)
    rows = scores[(scores["metric"] == metric) & scores["scenario"].isin(scenarios)]
    cell = ["dataset", "scenario", "method"]
    values = {key: group["value"].to_numpy() * 100 for key, group in rows.groupby(cell)}
    spreads = means[means["metric"] == metric].set_index(cell)[["mean", "sd"]] * 100
    spreads = dict(zip(spreads.index, spreads.to_numpy().tolist(), strict=True))

    label_room = 0.25 + max(text_width(m.label, 7) for m in methods)
    panel = 0.125 * len(methods) + 0.1
    gap, top, bottom = 0.42, 0.62, 0.5
    height = top + bottom + len(datasets) * panel + (len(datasets) - 1) * gap
    width = max(WIDTH, label_room + 1.4 * len(scenarios) + 0.15)
    figure = Figure(figsize=(width, height))
    column = (width - label_room - 0.15) / len(scenarios)

    for r, (dataset, title) in enumerate(datasets.items()):
        pool = list(datasets) if shared_axis else [dataset]
        limits = _limits([values[key] for key in values if key[0] in pool and key[1] in scenarios])
        y0 = height - top - panel - r * (panel + gap)
        figure.text(
            0.08 / width,
            (y0 + panel + 0.07) / height,
            title,
            fontsize=8.5,
            fontweight="bold",
            va="baseline",
            gid=f"dataset-{r}",
        )
        for c, (scenario, name) in enumerate(scenarios.items()):
            axes = figure.add_axes(
                ((label_room + c * column) / width, y0 / height, (column - GAP) / width, panel / height)
            )
            axes.set_gid(f"panel-{r}-{c}")
            keys = [(dataset, scenario, method.name) for method in methods]
            runs, numbers = [values.get(key) for key in keys], [spreads.get(key) for key in keys]
            _draw(axes, runs, numbers, [look[method.name] for method in methods], limits)
            axes.set_xlim(*limits)
            axes.set_ylim(len(methods) - 0.4, -0.6)
            axes.set_yticks(*([range(len(methods)), [m.label for m in methods]] if c == 0 else [[]]))
            axes.tick_params(axis="y", length=0, labelsize=7)
            axes.tick_params(axis="x", length=2, labelsize=7, pad=1.5)
            _ticks(axes, limits, column - GAP)
            axes.grid(axis="x")
            axes.spines["left"].set_visible(False)
            axes.set_facecolor("#fafbfc")
            if r == 0:
                axes.set_title(name, fontsize=8.5, pad=16, loc="center")
            if r == len(datasets) - 1:
                axes.set_xlabel(f"{metric_label or metric} (%)", fontsize=7.5, labelpad=2)
    return figure


def _draw(axes, runs: list, spreads: list, looks: list, limits: tuple[float, float]) -> None:
    """One panel: for each method, top to bottom, its runs, and their mean and standard deviation in percent."""
    axes.hlines(range(len(runs)), *limits, color=GRID, lw=0.4, zorder=0)
    bars = []
    for y, (values, spread, look) in enumerate(zip(runs, spreads, looks, strict=True)):
        values = np.empty(0) if values is None else values[np.isfinite(values)]
        if not len(values) or spread is None:
            axes.text(limits[0], y, " no result", fontsize=6, va="center_baseline", style="italic", color=MUTED)
            continue
        # strokes with gaps make one path, where markers would make a drawing each: a third of the size of the file
        strokes = np.repeat(values, 3), np.tile([y - 0.24, y + 0.24, np.nan], len(values))
        axes.plot(*strokes, color=look.colour, alpha=0.45, lw=0.7, solid_capstyle="butt", gid="repeats")
        mean, sd = spread
        if np.isfinite(sd):
            bars.append((y, max(mean - sd, 0), min(mean + sd, 100), look.colour))
        axes.plot([mean], [y], ls="", marker=look.marker, ms=3.8, color=look.colour, mec="white", mew=0.5, zorder=3)
    if bars:
        ys, lows, highs, colours = zip(*bars, strict=True)
        axes.hlines(ys, lows, highs, colors=colours, lw=1.3, zorder=2.5)


def _ticks(axes, limits: tuple[float, float], inches: float) -> None:
    """A few round numbers, as many as fit into a panel; one that would run into the next panel's stands within."""
    for bins in (4, 3, 2, 1):
        axes.locator_params(axis="x", nbins=bins)
        ticks = np.array([tick for tick in axes.get_xticks() if limits[0] <= tick <= limits[1]])
        rooms = [text_width(text, 7) for text in axes.xaxis.get_major_formatter().format_ticks(ticks)]
        if len(ticks) * (max(rooms, default=0.0) + 0.05) <= inches:
            break
    axes.set_xticks(ticks)
    places = (ticks - limits[0]) / (limits[1] - limits[0]) * inches
    for label, place, room in zip(axes.get_xticklabels(), places, rooms, strict=True):
        if room / 2 - min(place, inches - place) > GAP / 2 - 0.02:
            label.set_horizontalalignment("left" if place < inches / 2 else "right")


def _limits(groups: list[np.ndarray]) -> tuple[float, float]:
    values = np.concatenate(groups) if groups else np.empty(0)
    values = values[np.isfinite(values)]
    if not len(values):
        return 0.0, 100.0
    low, high = values.min(), values.max()
    room = max(0.04 * (high - low), 0.5)
    return max(low - room, -1.5), min(high + room, 101.5)


def _titles(names: Mapping[str, str] | Sequence[str]) -> dict[str, str]:
    return dict(names) if isinstance(names, Mapping) else {name: name for name in names}
