"""The paper's figures: a Beta density, topologies of trees, and shares of problems won (calvo2007, Figs. 1, 3, 5)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from scarce.papers.calvo2007.problems import DATABASES, OUTCOMES, counted, databases_in
from scarce.report.style import ALERT, CALM, GRID, INK, MUTED, WIDTH, panel, readable, styled, widest

SHADES = {"won": CALM, "lost": ALERT, "undecided": GRID}


@styled
def beta_density(alpha: float, beta: float, marks: Mapping[str, float]) -> Figure:
    """The density of Beta(alpha, beta) over [0, 1], with a vertical line at each of the `marks` (label to place)."""
    from scipy.stats import beta as distribution

    figure = Figure(figsize=(WIDTH / 2, 2.3))
    axes = panel(figure, 0.5, 0.45, WIDTH / 2 - 0.6, 1.6)
    places = np.linspace(0, 1, 501)
    density = distribution.pdf(places, alpha, beta)
    axes.fill_between(places, density, color=CALM, alpha=0.15, lw=0)
    axes.plot(places, density, color=CALM, lw=1.3)
    for (label, place), dash in zip(marks.items(), [(0, ()), (0, (3, 2)), (0, (1, 1))], strict=False):
        axes.axvline(place, color=MUTED, lw=0.8, ls=dash, label=label)
    axes.legend(loc="upper right")
    axes.set(xlim=(0, 1), ylim=(0, None), xlabel="class prior", ylabel="density")
    return figure


@styled
def topologies(trees: Mapping[str, Sequence[int]]) -> Figure:
    """Trees as nodes and arrows from parent to child, a panel each.

    `trees` maps a title to the parent of each variable, -1 for the root.
    """
    side, height = WIDTH / len(trees), 2.5
    figure = Figure(figsize=(WIDTH, height + 0.3))
    for place, (title, parents) in enumerate(trees.items()):
        axes = panel(figure, place * side + 0.05, 0.0, side - 0.1, height)
        _tree(axes, list(parents))
        axes.set_title(title, loc="center")
    return figure


def _tree(axes: Axes, parents: Sequence[int]) -> None:
    points = tree_places(parents)
    for child, parent in enumerate(parents):
        if parent >= 0:
            arrow = {"arrowstyle": "-|>", "color": MUTED, "lw": 0.8, "shrinkA": 5, "shrinkB": 5, "mutation_scale": 6}
            axes.annotate("", points[child], points[parent], arrowprops=arrow)
    axes.scatter(*points.T, s=90, color="white", edgecolor=CALM, lw=1, zorder=3)
    for node, point in enumerate(points):
        axes.text(*point, str(node + 1), ha="center", va="center", fontsize=6, color=INK, zorder=4)
    axes.set(xlim=(-0.12, 1.12), ylim=(-0.05, 1.05))
    axes.axis("off")


def tree_places(parents: Sequence[int]) -> np.ndarray:
    """Points in the unit square of the nodes of a tree: parents above their children, leaves side by side.

    `parents` has the parent of each node, -1 for the root; parents may have larger numbers than their children.
    """
    children: dict[int, list[int]] = {}
    for node, parent in enumerate(parents):
        children.setdefault(parent, []).append(node)
    across, depth = np.zeros(len(parents)), np.zeros(len(parents), int)
    leaves = iter(range(len(parents)))

    def place(node: int, level: int) -> float:
        depth[node] = level
        below = [place(child, level + 1) for child in children.get(node, ())]
        across[node] = np.mean(below) if below else next(leaves)
        return across[node]

    for root in children[-1]:
        place(root, 0)
    span, levels = np.ptp(across), depth.max()
    x = (across - across.min()) / span if span else np.full(len(parents), 0.5)
    return np.column_stack([x, 1 - depth / levels if levels else np.full(len(parents), 0.5)])


@styled
def shares_won(frame: pd.DataFrame, pairs: Sequence[tuple[str, str]], labels: Mapping[str, str]) -> Figure:
    """Stacked bars of problems won by the first method, by the second, and by none: a panel a pair, a bar a database.

    `frame` is what `scarce.papers.calvo2007.problems.outcomes` returns, `labels` maps methods to labels.
    """
    counts, names = counted(frame), databases_in(frame)
    totals = frame.groupby(["method", "other", "database"]).size()
    left, gap, top, columns = 0.15 + widest([DATABASES[name][0] for name in names], 7.5), 0.3, 0.55, 2
    across = (WIDTH - left - gap - 0.25) / columns
    bar, between = 0.2, 0.5
    side = bar * len(names)
    rows = -(-len(pairs) // columns)
    figure = Figure(figsize=(WIDTH, top + rows * (side + between)))
    height = figure.get_size_inches()[1]
    for place, (method, other) in enumerate(pairs):
        row, column = divmod(place, columns)
        bottom = height - top - row * (side + between) - side
        axes = panel(figure, left + column * (across + gap), bottom, across, side, gid=f"pair-{method}-{other}")
        for y, name in enumerate(names):
            start = 0.0
            total = totals.get((method, other, name), 0)
            for outcome in OUTCOMES if total else ():
                number = counts.loc[(method, other, name), outcome]
                width = 100 * number / total
                axes.barh(y, width, left=start, height=0.78, color=SHADES[outcome], gid=f"{outcome}-{name}")
                if width * across / 100 > widest([str(number)], 6.5) + 0.04:
                    colour = readable(axes.patches[-1].get_facecolor())
                    axes.text(start + width / 2, y, str(number), ha="center", va="center", fontsize=6.5, color=colour)
                start += width
        axes.set(xlim=(0, 100), ylim=(len(names) - 0.5, -0.5))
        axes.set_yticks(range(len(names)), [DATABASES[name][0] for name in names] if column == 0 else [""] * len(names))
        axes.tick_params(axis="y", length=0)
        axes.set_xticks([0, 50, 100], ["0", "50", "100 %"], fontsize=6.5)
        axes.spines["left"].set_visible(False)
        axes.set_title(f"{labels[method]} against {labels[other]}", fontsize=8)
    words = {"won": "first wins", "lost": "second wins", "undecided": "no difference"}
    patches = [axes.barh(0, 0, color=SHADES[outcome], label=word) for outcome, word in words.items()]
    figure.legend(handles=patches, loc="upper right", ncols=3, bbox_to_anchor=(1, 1), fontsize=7.5)
    return figure
