"""Critical difference diagram (Demsar, 2006, figure 1), drawn in inches so that no label can meet another."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Iterable, Mapping, Sequence

from matplotlib.figure import Figure

from scarce.report.results import DisplayMethod
from scarce.report.style import CALM, INK, MUTED, WIDTH, canvas, looks, styled, widest
from scarce.words import number

SIZE = 8.0  # points, labels
ROW = 0.185  # inches between two labels
BAR_STEP = 0.085  # inches between two rows of bars
BESIDE = 0.36  # inches that a rank takes beside its label


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
    ranks = [average_ranks[name] for name in names]
    labels = {method.name: method.label for method in methods}
    captions = [labels.get(name, name) for name in names]
    look = looks(methods)
    k, half = len(names), (len(names) + 1) // 2

    low, high = 1, max(k, 2)
    while high - low < max(cd or 0.0, 1.0):  # room for the ruler
        low, high = (low - 1, high) if low > 1 else (low, high + 1)

    left = 0.25 + BESIDE + widest(captions[:half], SIZE)
    right = 0.25 + BESIDE + (widest(captions[half:], SIZE) or 0.6)
    width = max(WIDTH, left + right + 2.8)  # very long labels widen the figure rather than squeeze the axis

    spans = [(min(average_ranks[m] for m in g), max(average_ranks[m] for m in g)) for g in groups]
    rows = pack(spans)
    top = 0.12 + 0.30 + 0.42  # ruler, axis with its numbers
    first = top + 0.28 + BAR_STEP * (max(rows, default=0) + 1)  # the first row of labels, below the bars
    lines = textwrap.wrap(withheld, int(width * 16))
    below = first + ROW * half + (0.06 if lines else 0.0)
    height = below + ROW * len(lines) + 0.10
    figure, axes = canvas(width, height)
    axes.set_ylim(height, 0)  # inches from the top left corner

    def x(rank: float) -> float:
        return left + (rank - low) / (high - low) * (width - left - right)

    def line(xs: Sequence[float], ys: Sequence[float], gid: str, **style) -> None:
        axes.plot(xs, ys, gid=gid, **{"color": INK, **style})

    def text(x: float, y: float, words: str, gid: str, size: float = 7.5, va: str = "baseline", **style) -> None:
        axes.text(x, y, words, gid=gid, fontsize=size, va=va, **style)

    # ruler, above the axis and in its units
    words = [f"Nemenyi, α = {alpha:.3g}" if alpha < 0.01 else f"Nemenyi, α = {alpha:.2f}"]
    if n is not None:
        words.append(f"{number(k, 'method')}, {number(n, 'data set')}")
    ruler = top - 0.55
    if cd is not None:
        line([x(low), x(low + cd)], [ruler, ruler], "cd-ruler", lw=1.4, solid_capstyle="butt")
        for end in (low, low + cd):
            line([x(end)] * 2, [ruler - 0.05, ruler + 0.05], "cd-end", lw=1.0)
        words.insert(0, f"CD = {cd:.3f}")
    text(x(low), ruler - 0.09, "   ".join(words), "cd-text")

    # axis, best to the left
    line([x(low), x(high)], [top, top], "axis", lw=0.9, solid_capstyle="projecting")
    step = max(1, math.ceil((high - low) / 14))
    for rank in range(low, high + 1):
        line([x(rank)] * 2, [top - 0.06, top], "tick", lw=0.8)
        if (rank - low) % step == 0:
            text(x(rank), top - 0.09, str(rank), "tick-label", ha="center")
    text(x(high), top - 0.27, "average rank (1 = best)", "axis-label", color=MUTED, ha="right")
    if not groups and k > 1:  # beside the axis label, where no leader passes
        text(x(low), top - 0.27, "no bar: every pair differs", "no-bar", size=7, color=MUTED, style="italic")

    # methods: the better half to the left, the best on top; the others to the right, the worst on top
    for i, (name, rank) in enumerate(zip(names, ranks, strict=True)):
        y = first + ROW * (i if i < half else k - 1 - i)
        edge, side, ha = (left - 0.12, -1, "right") if i < half else (width - right + 0.12, 1, "left")
        colour = look[name].colour if name in look else CALM
        line([x(rank), x(rank), edge], [top, y, y], f"leader-{i}", color=colour, lw=0.9, solid_joinstyle="miter")
        line([x(rank)], [top], f"dot-{i}", marker="o", ms=3.2, color=colour)
        place = {"va": "center_baseline", "ha": ha}
        text(edge + side * 0.05, y, f"{rank:.2f}", f"rank-{i}", size=7, color=MUTED, **place)
        text(edge + side * BESIDE, y, captions[i], f"label-{i}", size=SIZE, **place)

    for i, words_of_line in enumerate(lines):
        text(0.1, below + ROW * i, words_of_line, "withheld", size=7, color=MUTED, style="italic")

    for j, (group, span, row) in enumerate(zip(groups, spans, rows, strict=True)):
        y = top + 0.14 + BAR_STEP * row
        ends = [x(span[0]) - 0.03, x(span[1]) + 0.03]
        line(ends, [y, y], f"clique-{j}", lw=2.6, solid_capstyle="round", zorder=3)
        members = [x(average_ranks[name]) for name in sorted(group, key=lambda name: average_ranks[name])]
        dot = {"ls": "", "marker": "o", "ms": 1.5, "mew": 0, "color": "white"}
        line(members, [y] * len(members), f"member-{j}", zorder=4, **dot)
    return figure
