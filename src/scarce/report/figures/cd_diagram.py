"""Critical difference diagram (Demsar, 2006, figure 1), drawn in inches so that no label can meet another."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

from matplotlib.figure import Figure

from scarce.report.results import DisplayMethod
from scarce.report.style import CALM, INK, MUTED, WIDTH, as_methods, looks, styled, text_width
from scarce.words import number

SIZE = 8.0  # points, labels
ROW = 0.185  # inches between two labels
BAR_STEP = 0.085  # inches between two rows of bars


def maximal(cliques: Iterable[Iterable[str]]) -> list[frozenset[str]]:
    """Cliques of two or more members that are part of no other one, in the order given."""
    sets = list(dict.fromkeys(frozenset(clique) for clique in cliques))
    return [c for c in sets if len(c) > 1 and not any(c < other for other in sets)]


def pack(spans: Sequence[tuple[float, float]], room: float = 0.0) -> list[int]:
    """Row of each span, so that spans of one row do not touch: first fit from the left."""
    rows: list[float] = []
    result = [0] * len(spans)
    for i in sorted(range(len(spans)), key=lambda i: spans[i]):
        low, high = spans[i]
        row = next((r for r, end in enumerate(rows) if low > end + room), len(rows))
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
    methods: Sequence[DisplayMethod | str] | None = None,
    n: int | None = None,
    test: str = "Nemenyi",
    title: str | None = None,
) -> Figure:
    """Average ranks on a line; a bar joins methods that the test cannot tell apart.

    Parameters
    ----------
    average_ranks : mapping of str to float
        Average rank of each method, 1 = best.
    cliques : iterable of iterables of str
        Groups of methods that do not differ. Groups inside another group, and groups of one, are not drawn.
        A dot on a bar marks each member, so that a group need not be contiguous in rank.
    cd : float or None
        Critical difference, drawn as a ruler in the units of the axis; None draws none.
    alpha : float
        Level of the test, printed.
    methods : sequence of DisplayMethod or str, optional
        Labels and colours; without them names stand for labels and one colour for all.
    n : int, optional
        Number of data sets, printed.
    test : str
        Name of the test, printed.
    title : str, optional

    Returns
    -------
    Figure
        Artists carry a gid: ``axis``, ``label-<i>``, ``leader-<i>``, ``clique-<j>``, ``member-<j>``, ``cd-ruler``,
        ``cd-text``; i counts methods from the best, j drawn cliques.

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

    known = as_methods(methods or [])
    label, look = {m.name: m.label for m in known}, looks(known)
    names = sorted(average_ranks, key=lambda name: average_ranks[name])  # stable: ties keep the order given
    k, half = len(names), (len(names) + 1) // 2
    ranks = [average_ranks[name] for name in names]

    def caption(name: str) -> str:
        return label.get(name, name)

    def rank_text(name: str) -> str:
        return f"{average_ranks[name]:.2f}"

    low, high = 1, max(len(ranks), 2)
    while high - low < max(cd or 0.0, 1.0):  # room for the ruler
        low, high = (low - 1, high) if low > 1 else (low, high + 1)

    beside = 0.36  # inches that a rank takes beside its label
    left = 0.25 + beside + max(text_width(caption(name), SIZE) for name in names[:half])
    right = 0.25 + beside + max([text_width(caption(name), SIZE) for name in names[half:]], default=0.6)
    width = max(WIDTH, left + right + 2.8)  # very long labels widen the figure rather than squeeze the axis

    spans = [(min(average_ranks[m] for m in g), max(average_ranks[m] for m in g)) for g in groups]
    rows = pack(spans)
    top = 0.12 + (0.28 if title else 0.0) + 0.30 + 0.42  # title, ruler, axis with its numbers
    bars = 0.14 + BAR_STEP * (max(rows) + 1 if rows else 1)
    height = top + bars + 0.14 + ROW * half + 0.10

    figure = Figure(figsize=(width, height))
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set_xlim(0, width)
    axes.set_ylim(height, 0)  # inches from the top left corner
    axes.axis("off")

    def x(rank: float) -> float:
        return left + (rank - low) / (high - low) * (width - left - right)

    if title:
        axes.text(0.12, 0.24, title, fontsize=9, fontweight="bold", va="baseline", gid="title")

    # ruler, above the axis and in its units
    words = [f"{test}, α = {alpha:.3g}" if alpha < 0.01 else f"{test}, α = {alpha:.2f}"]
    if n is not None:
        words.append(f"{number(k, 'method')}, {number(n, 'data set')}")
    y_ruler = top - 0.55
    if cd is not None:
        axes.plot([x(low), x(low + cd)], [y_ruler, y_ruler], color=INK, lw=1.4, solid_capstyle="butt", gid="cd-ruler")
        for end in (low, low + cd):
            axes.plot([x(end)] * 2, [y_ruler - 0.05, y_ruler + 0.05], color=INK, lw=1.0, gid="cd-end")
        words.insert(0, f"CD = {cd:.3f}")
    axes.text(x(low), y_ruler - 0.09, "   ".join(words), fontsize=7.5, va="baseline", ha="left", gid="cd-text")

    # axis, best to the left
    axes.plot([x(low), x(high)], [top, top], color=INK, lw=0.9, solid_capstyle="projecting", gid="axis")
    step = max(1, math.ceil((high - low) / 14))
    for rank in range(low, high + 1):
        axes.plot([x(rank)] * 2, [top - 0.06, top], color=INK, lw=0.8, gid="tick")
        if (rank - low) % step == 0:
            axes.text(x(rank), top - 0.09, str(rank), fontsize=7.5, ha="center", va="baseline", gid="tick-label")
    axes.text(
        x(high),
        top - 0.27,
        "average rank (1 = best)",
        fontsize=7.5,
        color=MUTED,
        ha="right",
        va="baseline",
        gid="axis-label",
    )

    # methods: the better half to the left, the best on top; the others to the right, the worst on top
    first = top + bars + 0.14
    for i, name in enumerate(names):
        on_left = i < half
        y = first + ROW * (i if on_left else k - 1 - i)
        edge = left - 0.12 if on_left else width - right + 0.12
        colour = look[name].colour if name in look else CALM
        axes.plot(
            [x(ranks[i]), x(ranks[i]), edge],
            [top, y, y],
            color=colour,
            lw=0.9,
            solid_joinstyle="miter",
            gid=f"leader-{i}",
        )
        axes.plot([x(ranks[i])], [top], marker="o", ms=3.2, color=colour, gid=f"dot-{i}")
        side = -1 if on_left else 1
        style = {"va": "center_baseline", "ha": "right" if on_left else "left", "fontsize": SIZE}
        axes.text(edge + side * 0.05, y, rank_text(name), color=MUTED, gid=f"rank-{i}", **{**style, "fontsize": 7})
        axes.text(edge + side * beside, y, caption(name), gid=f"label-{i}", **style)

    for j, (group, span, row) in enumerate(zip(groups, spans, rows, strict=True)):
        y = top + 0.14 + BAR_STEP * row
        axes.plot(
            [x(span[0]) - 0.03, x(span[1]) + 0.03],
            [y, y],
            color=INK,
            lw=2.6,
            solid_capstyle="round",
            zorder=3,
            gid=f"clique-{j}",
        )
        members = sorted(average_ranks[name] for name in group)
        axes.plot(
            [x(r) for r in members],
            [y] * len(members),
            ls="",
            marker="o",
            ms=1.5,
            mew=0,
            color="white",
            zorder=4,
            gid=f"member-{j}",
        )
    if not groups and k > 1:
        axes.text(
            x(low),
            top - 0.27,  # where no leader passes
            "no bar: every pair differs",
            fontsize=7,
            color=MUTED,
            style="italic",
            va="baseline",
            gid="no-bar",
        )
    return figure
