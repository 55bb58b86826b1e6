"""Splitting criteria over ROC space: contours of equal value, and the values as surfaces (cieslak2008, Figs. 1 to 5).

A binary split of a node sends a share tpr of its positives and a share fpr of its negatives to one side. With c
negatives for a positive the node's share of positives is a = 1/(1 + c), and each criterion is a function of (fpr, tpr,
c): the decrease of an impurity i, ``i(a) - sum_j w_j i(p_j)`` over the two sides, or the Hellinger distance, which has
no c.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from scarce.report.style import CALM, GRID, INK, MUTED, WIDTH, panel, styled

Criterion = Callable[[np.ndarray, np.ndarray, float], np.ndarray]


def _entropy(p: np.ndarray) -> np.ndarray:
    q = 1.0 - p
    return -sum(x * np.log2(np.where(x > 0, x, 1.0)) for x in (p, q))


def _decrease(impurity: Callable[[np.ndarray], np.ndarray]) -> Criterion:
    def criterion(fpr, tpr, c: float) -> np.ndarray:
        fpr, tpr = np.asarray(fpr, float), np.asarray(tpr, float)
        a = 1.0 / (1.0 + c)
        value = impurity(np.asarray(a))
        for positives, negatives in ((a * tpr, (1 - a) * fpr), (a * (1 - tpr), (1 - a) * (1 - fpr))):
            weight = positives + negatives
            value = value - weight * impurity(positives / np.where(weight > 0, weight, 1.0))
        return np.maximum(value, 0.0)

    return criterion


def hellinger(fpr, tpr, c: float = 1.0) -> np.ndarray:
    """Hellinger distance of a split; `c` plays no part (cieslak2008, section 2.1)."""
    fpr, tpr = np.asarray(fpr, float), np.asarray(tpr, float)
    return np.sqrt((np.sqrt(tpr) - np.sqrt(fpr)) ** 2 + (np.sqrt(1 - tpr) - np.sqrt(1 - fpr)) ** 2)


#: Title and function of each criterion; entropy in bits, Gini's impurity 2pq, DKM's 2 sqrt(pq) as the paper has it.
CRITERIA: Mapping[str, tuple[str, Criterion]] = {
    "information_gain": ("Information gain", _decrease(_entropy)),
    "dkm": ("DKM", _decrease(lambda p: 2.0 * np.sqrt(p * (1.0 - p)))),
    "gini": ("Gini", _decrease(lambda p: 2.0 * p * (1.0 - p))),
    "hellinger": ("Hellinger distance", hellinger),
}


def grid(n: int = 201) -> tuple[np.ndarray, np.ndarray]:
    """fpr and tpr of an n x n grid over ROC space, tpr down the first axis."""
    steps = np.linspace(0.0, 1.0, n)
    return np.meshgrid(steps, steps)


@styled
def isometrics(name: str, skews: Sequence[float] = (1, 10)) -> Figure:
    """Contours of the criterion `name`, a panel for each skew (negatives for a positive)."""
    side = 2.6
    width = max(len(skews) * (side + 0.75) + 0.2, WIDTH / 2)
    figure = Figure(figsize=(width, side + 0.8))
    for place, c in enumerate(skews):
        axes = panel(figure, 0.6 + place * (side + 0.75), 0.5, side, side)
        _contours(axes, CRITERIA[name][1], c)
        axes.set_title(f"(+ : −) = (1 : {c:g})" if name != "hellinger" else "any (+ : −)")
    return figure


def _contours(axes: Axes, criterion: Criterion, c: float) -> None:
    fpr, tpr = grid()
    values = criterion(fpr, tpr, c)
    # levels as shares of the largest value: under skew every value shrinks, and the shapes are what is compared
    top = values.max()
    lines = axes.contour(fpr, tpr, values, levels=top * np.arange(0.1, 1.0, 0.1), colors=CALM, linewidths=0.9)
    # labels stand on the falling diagonal, along which values grow from the middle to the corners
    down = np.linspace(0.5, 0.0, 201)
    places = np.interp(lines.levels[:5:2], criterion(down, 1 - down, c), down)
    at = [point for x in places for point in ((x, 1 - x), (1 - x, x))]
    axes.clabel(lines, fontsize=6.5, fmt=lambda value: f"{value:.2g}", colors=INK, manual=at)
    axes.plot([0, 1], [0, 1], color=MUTED, lw=0.7, ls=(0, (2, 2)))
    steps = np.linspace(0, 1, 6)
    axes.set(xticks=steps, yticks=steps, xlabel="false positive rate", ylabel="true positive rate")
    axes.set(xlim=(0, 1), ylim=(0, 1))


@styled
def value_surfaces(skews: Sequence[float] = (1, 10, 100)) -> Figure:
    """The Hellinger distance, and DKM at each skew, as surfaces on one scale of height."""
    panels = [("Hellinger distance, any (+ : −)", hellinger, 1.0)]
    panels += [(f"DKM, (+ : −) = (1 : {c:g})", CRITERIA["dkm"][1], c) for c in skews]
    rows = (len(panels) + 1) // 2
    figure = Figure(figsize=(WIDTH, 2.9 * rows))
    fpr, tpr = grid(21)
    for place, (title, criterion, c) in enumerate(panels):
        axes = figure.add_subplot(rows, 2, place + 1, projection="3d")
        values = criterion(fpr, tpr, c)
        shades = {"cmap": "viridis", "vmin": 0, "vmax": np.sqrt(2), "lw": 0.1, "edgecolor": GRID}
        axes.plot_surface(fpr, tpr, values, rstride=1, cstride=1, **shades)
        axes.set(zlim=(0, np.sqrt(2)), xlabel="fpr", ylabel="tpr")
        axes.set_title(f"{title}; at most {values.max():.2f}", fontsize=8)
        axes.tick_params(labelsize=6.5, pad=0)
        axes.view_init(elev=28, azim=-60)
    figure.subplots_adjust(left=0.02, right=0.94, bottom=0.04, top=0.95, wspace=0.08, hspace=0.12)
    return figure
