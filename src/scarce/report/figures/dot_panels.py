"""Every repeat of every method: a panel for each data set and scenario."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from scarce.report.results import DisplayMethod
from scarce.report.style import GRID, MUTED, WIDTH, looks, panel, styled, text_width, widest

GAP = 0.22  # inches between two panels of a row


@styled
def dots(
    scores: pd.DataFrame,
    means: pd.DataFrame,
    metric: str,
    *,
    methods: Sequence[DisplayMethod],
    scenarios: Mapping[str, str],
    datasets: Mapping[str, str],
    metric_label: str,
    absent: Collection[tuple[str, str]] = (),
) -> Figure:
    """Single repeats (pale strokes), their mean (marker) and standard deviation (line), in percent.

    `scores` are rows of scores.csv, `means` the rows of stats/means.csv for the same runs; rows of other metrics are
    left out. Methods stand top to bottom in each panel; `scenarios` (name to title) are the columns of panels and
    `datasets` the rows. A cell without values says "no result" where the dot would be; the panels of
    `absent` data sets and scenarios, which the study does not have, are empty.
    """
    look = [looks(methods)[method.name] for method in methods]
    rows = scores[(scores["metric"] == metric) & scores["scenario"].isin(scenarios)]
    cell = ["dataset", "scenario", "method"]
    values = {key: group["value"].to_numpy() * 100 for key, group in rows.groupby(cell)}
    spreads = means[means["metric"] == metric].set_index(cell)[["mean", "sd"]] * 100
    spreads = dict(zip(spreads.index, spreads.to_numpy().tolist(), strict=True))

    left = 0.25 + widest([m.label for m in methods], 7)
    side = 0.125 * len(methods) + 0.1
    gap, top, bottom = 0.42, 0.62, 0.5
    width = max(WIDTH, left + 1.4 * len(scenarios) + 0.15)
    height = top + bottom + len(datasets) * side + (len(datasets) - 1) * gap
    figure = Figure(figsize=(width, height))
    column = (width - left - 0.15) / len(scenarios)

    for r, (dataset, title) in enumerate(datasets.items()):
        limits = _limits([runs for (name, *_), runs in values.items() if name == dataset])
        ticks = _ticks(limits, column - GAP)
        y0 = height - top - side - r * (side + gap)
        place, style = (0.08 / width, (y0 + side + 0.07) / height), {"fontsize": 8.5, "fontweight": "bold"}
        figure.text(*place, title, va="baseline", gid=f"dataset-{r}", **style)
        for c, (scenario, name) in enumerate(scenarios.items()):
            axes = panel(figure, left + c * column, y0, column - GAP, side, gid=f"panel-{r}-{c}", facecolor="#fafbfc")
            keys = [(dataset, scenario, method.name) for method in methods]
            if (dataset, scenario) not in absent:
                _draw(axes, [values.get(key) for key in keys], [spreads.get(key) for key in keys], look, limits)
            axes.set(xlim=limits, ylim=(len(methods) - 0.4, -0.6))
            axes.set_yticks(*([range(len(methods)), [m.label for m in methods]] if c == 0 else [[]]))
            axes.tick_params(axis="y", length=0, labelsize=7)
            axes.tick_params(axis="x", length=2, labelsize=7, pad=1.5)
            axes.set_xticks(list(ticks), [text for text, _ in ticks.values()])
            for tick, (_, alignment) in zip(axes.get_xticklabels(), ticks.values(), strict=True):
                tick.set_horizontalalignment(alignment)
            axes.grid(axis="x")
            axes.spines["left"].set_visible(False)
            if r == 0:
                fits = widest([name], 8.5, "bold") < column - GAP
                axes.set_title(name if fits else name.replace(", ", ",\n"), fontsize=8.5, pad=16, loc="center")
            if r == len(datasets) - 1:
                axes.set_xlabel(f"{metric_label} (%)", fontsize=7.5, labelpad=2)
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
            bars.append((y, max(mean - sd, min(mean, 0)), min(mean + sd, max(mean, 100)), look.colour))
        axes.plot([mean], [y], ls="", marker=look.marker, ms=3.8, color=look.colour, mec="white", mew=0.5, zorder=3)
    if bars:
        ys, lows, highs, colours = zip(*bars, strict=True)
        axes.hlines(ys, lows, highs, colors=colours, lw=1.3, zorder=2.5)


def _ticks(limits: tuple[float, float], inches: float) -> dict[float, tuple[str, str]]:
    """A few round numbers, as many as fit into a panel, each with its text and its alignment.

    One that would run into the next panel's stands within its own panel.
    """
    low, high = limits
    for bins in (4, 3, 2, 1):
        places = MaxNLocator(bins, steps=[1, 2, 2.5, 5, 10]).tick_values(low, high).round(9)
        places = [place for place in places.tolist() if low <= place <= high]
        digits = max((len(f"{place:g}".partition(".")[2]) for place in places), default=0)
        texts = [f"{place:.{digits}f}" for place in places]
        if len(places) * (widest(texts, 7) + 0.05) <= inches:
            break
    ticks = {}
    for place, text in zip(places, texts, strict=True):
        beside = (place - low) / (high - low) * inches
        outside = text_width(text, 7) / 2 - min(beside, inches - beside) > GAP / 2 - 0.02
        ticks[place] = text, ("left" if beside < inches / 2 else "right") if outside else "center"
    return ticks


def _limits(groups: list[np.ndarray]) -> tuple[float, float]:
    values = np.concatenate(groups) if groups else np.empty(0)
    values = values[np.isfinite(values)]
    if not len(values):
        return 0.0, 100.0
    low, high = values.min(), values.max()
    room = max(0.04 * (high - low), 0.5)
    return max(low - room, min(low, 0.0) - 1.5), min(high + room, max(high, 100.0) + 1.5)
