"""How the figures of importances are drawn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from scarce.report.style import ALERT, CALM, WIDTH, panel, styled, widest


@styled
def importance_bars(shares: pd.DataFrame, labels: Sequence[str]) -> Figure:
    """Two horizontal bars a feature, largest on top by the first column; a column of `shares` a method."""
    shares = shares.sort_values(shares.columns[0], kind="stable")
    left, height = widest(shares.index, 7) + 0.25, 0.16 * len(shares)
    figure = Figure(figsize=(WIDTH, height + 0.65))
    axes = panel(figure, left, 0.45, WIDTH - left - 0.15, height)
    places = np.arange(len(shares))
    for column, label, colour, shift in zip(shares, labels, (CALM, ALERT), (0.2, -0.2), strict=True):
        axes.barh(places + shift, shares[column], 0.38, color=colour, label=label)
    axes.set_yticks(places, shares.index, fontsize=7)
    axes.tick_params(axis="y", length=0)
    axes.set(ylim=(-0.7, len(shares) - 0.3), xlabel="share of all importances")
    if not (shares < 0).any(axis=None):
        axes.set_xlim(0)
    axes.grid(axis="x")
    axes.legend(loc="lower right")
    return figure


@styled
def importance_maps(maps: Mapping[str, Sequence[np.ndarray]], labels: Sequence[str]) -> Figure:
    """A row of images a method, a column a data set of `maps`, each image on its own scale; five columns a line."""
    columns, head = 5, 0.25
    lines = -(-len(maps) // columns)
    left = widest(labels, 8) + 0.2
    side = min((WIDTH - left) / min(columns, len(maps)), 1.3)
    line = len(labels) * side + head
    figure = Figure(figsize=(left + side * min(columns, len(maps)), lines * line + 0.05))
    for place, (title, images) in enumerate(maps.items()):
        down, across = divmod(place, columns)
        for row, image in enumerate(images):
            bottom = (lines - down) * line - head - (row + 1) * side
            axes = panel(figure, left + across * side, bottom + 0.04, side - 0.06, side - 0.06)
            axes.imshow(image, cmap="Blues", vmin=0, vmax=max(image.max(), 0) or 1, interpolation="nearest")
            axes.set(xticks=[], yticks=[])
            axes.spines[:].set_visible(False)
            if row == 0:
                axes.set_title(title, fontsize=7, fontweight="normal", loc="center", pad=3)
            if across == 0:
                axes.set_ylabel(labels[row], fontsize=8, rotation=0, ha="right", va="center")
    return figure
