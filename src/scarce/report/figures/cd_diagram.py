"""Critical difference diagram (Demsar, 2006, figure 1), drawn in inches so that no label can meet another."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from scarce.report.results import DisplayMethod
from scarce.report.style import CALM, INK, MUTED, WIDTH, canvas, looks, styled, widest
from scarce.words import number

SIZE = 8.0  # points, labels
ROW = 0.185  # inches between two labels
BAR_STEP = 0.085  # inches between two rows of bars
BESIDE = 0.36  # inches that a rank takes beside its label
TOP = 0.12 + 0.30 + 0.42  # inches from the top to the axis: the ruler, then the numbers of the axis


def maximal(cliques: Iterable[Iterable[str]]) -> list[frozenset[str]]:
    """Cliques of two or more members that are part of no other one, in the order given."""
    sets = list(dict.fromkeys(frozenset(clique) for clique in cliques))
    return [c for c in sets if len(c) > 1 and not any(c < other for other in sets)]


def pack(spans: Sequence[tuple[float, float]]) -> list[int]:
    """Row of each span, so that spans of one row do not touch: first fit from the left."""
    rows: list[float] = []
    result = [0] * len(spans)
    for i in sorted(range(len(spans)), key=lambda i: spans[i]):
        low, high = spans[i]
        row = next((r for r, end in enumerate(rows) if low > end), len(rows))
        rows[row : row + 1] = [high]
        result[i] = row
    return result


@styled
def critical_difference(
    average_ranks: Mapping[str, float],
    cliques: Iterable[Iterable[str]],
    cd: float | None,
    *,
    alpha: float,
    methods: Sequence[DisplayMethod] = (),
    n: int | None = None,
    withheld: str = "",
) -> Figure:
    """Average ranks on a line; a bar joins methods that Nemenyi's test at `alpha` cannot tell apart.

    Groups of `cliques` inside another group, and groups of one, are not drawn. A dot on a bar marks each member, so
    that a group need not be contiguous in rank. `cd`, the critical difference, is drawn as a ruler in the units of the
    axis (None draws none); `n`, the number of data sets, is printed. `withheld` says why no pair is told apart, and
    stands below the methods. Methods without a record in `methods` stand by their names. Artists carry a gid: ``axis``,
    ``label-<i>``, ``leader-<i>``, ``clique-<j>``, ``member-<j>``, ``cd-ruler``, ``cd-text``, ``withheld``; i counts
    methods from the best, j drawn cliques.

    Raises
    ------
    ValueError
        No method, a rank that is not a finite number, or a clique with an unknown method.
    """
    if not average_ranks:
        raise ValueError("a critical difference diagram needs at least one method")
    bad = [name for name, rank in average_ranks.items() if not math.isfinite(rank)]
    if bad:
        raise ValueError(f"average rank is not a number: {', '.join(bad)}")
    groups = maximal(cliques)
    unknown = sorted({name for group in groups for name in group} - set(average_ranks))
    if unknown:
        raise ValueError(f"clique names a method without a rank: {', '.join(unknown)}")

    names = sorted(average_ranks, key=lambda name: average_ranks[name])  # stable: ties keep the order given
    labels = {method.name: method.label for method in methods}
    captions = [labels.get(name, name) for name in names]
    k, half = len(names), (len(names) + 1) // 2

    left = 0.25 + BESIDE + widest(captions[:half], SIZE)
    right = 0.25 + BESIDE + (widest(captions[half:], SIZE) or 0.6)
    width = max(WIDTH, left + right + 2.8)  # very long labels widen the figure rather than squeeze the axis
    spans = [(min(average_ranks[m] for m in g), max(average_ranks[m] for m in g)) for g in groups]
    rows = pack(spans)
    first = TOP + 0.28 + BAR_STEP * (max(rows, default=0) + 1)  # the first row of labels, below the bars
    lines = textwrap.wrap(withheld, int(width * 16))
    below = first + ROW * half + (0.06 if lines else 0.0)
    height = below + ROW * len(lines) + 0.10
    figure, axes = canvas(width, height)
    axes.set_ylim(height, 0)  # inches from the top left corner

    diagram = _Diagram(axes, left, width - right, *_ends(k, cd))
    diagram.ruler(cd, alpha, [] if n is None else [f"{number(k, 'method')}, {number(n, 'data set')}"])
    diagram.axis(all_differ=not groups and k > 1)
    look = looks(methods)
    for i, (name, caption) in enumerate(zip(names, captions, strict=True)):
        # the better half to the left, the best on top; the others to the right, the worst on top
        y = first + ROW * (i if i < half else k - 1 - i)
        colour = look[name].colour if name in look else CALM
        diagram.method(i, average_ranks[name], caption, y, colour, on_the_left=i < half)
    for i, words in enumerate(lines):
        diagram.text(0.1, below + ROW * i, words, "withheld", size=7, color=MUTED, style="italic")
    for j, (group, span, row) in enumerate(zip(groups, spans, rows, strict=True)):
        diagram.bar(j, span, sorted(average_ranks[name] for name in group), TOP + 0.14 + BAR_STEP * row)
    return figure


def _ends(k: int, cd: float | None) -> tuple[int, int]:
    """The smallest and the largest rank of the axis, which has room for the ruler."""
    low, high = 1, max(k, 2)
    while high - low < max(cd or 0.0, 1.0):
        low, high = (low - 1, high) if low > 1 else (low, high + 1)
    return low, high


@dataclass(frozen=True)
class _Diagram:
    """The parts of a diagram; its axis runs from `left` to `right` (inches), from the rank `low` to `high`."""

    axes: Axes
    left: float
    right: float
    low: int
    high: int

    def x(self, rank: float) -> float:
        """Place of a rank."""
        return self.left + (rank - self.low) / (self.high - self.low) * (self.right - self.left)

    def line(self, xs: Sequence[float], ys: Sequence[float], gid: str, **style) -> None:
        self.axes.plot(xs, ys, gid=gid, **{"color": INK, **style})

    def text(self, x: float, y: float, words: str, gid: str, size: float = 7.5, va: str = "baseline", **style) -> None:
        self.axes.text(x, y, words, gid=gid, fontsize=size, va=va, **style)

    def ruler(self, cd: float | None, alpha: float, sizes: list[str]) -> None:
        """The critical difference, above the axis and in its units, and what it is of."""
        start, y = self.low, TOP - 0.55
        words = [f"Nemenyi, α = {alpha:.3g}" if alpha < 0.01 else f"Nemenyi, α = {alpha:.2f}", *sizes]
        if cd is not None:
            self.line([self.x(start), self.x(start + cd)], [y, y], "cd-ruler", lw=1.4, solid_capstyle="butt")
            for end in (start, start + cd):
                self.line([self.x(end)] * 2, [y - 0.05, y + 0.05], "cd-end", lw=1.0)
            words.insert(0, f"CD = {cd:.3f}")
        self.text(self.x(start), y - 0.09, "   ".join(words), "cd-text")

    def axis(self, *, all_differ: bool) -> None:
        """The axis of ranks, the best to the left."""
        low, high = self.low, self.high
        self.line([self.x(low), self.x(high)], [TOP, TOP], "axis", lw=0.9, solid_capstyle="projecting")
        step = max(1, math.ceil((high - low) / 14))
        for rank in range(low, high + 1):
            self.line([self.x(rank)] * 2, [TOP - 0.06, TOP], "tick", lw=0.8)
            if (rank - low) % step == 0:
                self.text(self.x(rank), TOP - 0.09, str(rank), "tick-label", ha="center")
        self.text(self.x(high), TOP - 0.27, "average rank (1 = best)", "axis-label", color=MUTED, ha="right")
        if all_differ:  # beside the axis label, where no leader passes
            words, style = "no bar: every pair differs", {"size": 7, "color": MUTED, "style": "italic"}
            self.text(self.x(low), TOP - 0.27, words, "no-bar", **style)

    def method(self, i: int, rank: float, caption: str, y: float, colour: str, *, on_the_left: bool) -> None:
        """A method's dot on the axis, its label beside the axis, and a leader between them."""
        edge, side, ha = (self.left - 0.12, -1, "right") if on_the_left else (self.right + 0.12, 1, "left")
        x, place = self.x(rank), {"va": "center_baseline", "ha": ha}
        self.line([x, x, edge], [TOP, y, y], f"leader-{i}", color=colour, lw=0.9, solid_joinstyle="miter")
        self.line([x], [TOP], f"dot-{i}", marker="o", ms=3.2, color=colour)
        self.text(edge + side * 0.05, y, f"{rank:.2f}", f"rank-{i}", size=7, color=MUTED, **place)
        self.text(edge + side * BESIDE, y, caption, f"label-{i}", size=SIZE, **place)

    def bar(self, j: int, span: tuple[float, float], ranks: Sequence[float], y: float) -> None:
        """The bar of a clique, with a dot for the rank of each member."""
        ends = [self.x(span[0]) - 0.03, self.x(span[1]) + 0.03]
        self.line(ends, [y, y], f"clique-{j}", lw=2.6, solid_capstyle="round", zorder=3)
        dot = {"ls": "", "marker": "o", "ms": 1.5, "mew": 0, "color": "white"}
        self.line([self.x(rank) for rank in ranks], [y] * len(ranks), f"member-{j}", zorder=4, **dot)
