"""Two splits of one node, one that Gini prefers and one that the PU Hellinger distance prefers (ortega2023, Fig. 1).

The paper prints four scores and no counts. The counts below were found by search: among parents of up to 120 examples,
with every number of labeled and estimated positives, 100 / 10 / 20 is the only parent from which two splits give the
four printed scores, where Gini reads the observed labels, PU Hellinger the counts of Eq. (3), and scores are cut (not
rounded) to three decimals, as the paper's evidently are (rounded, two of them would read 0.167 and 0.460). Two splits
give the left tree's scores; the one taken has most of both classes in one child, as section 3.1 describes it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import FancyBboxPatch

from scarce.report.style import CALM, GRID, INK, MUTED, WIDTH, canvas, styled


@dataclass(frozen=True)
class Node:
    """What a node counts: examples and, among them, labeled positives."""

    total: int
    labeled: int


PARENT = Node(100, 10)
CLASS_PRIOR = 0.2
SPLITS = {"left": (Node(96, 8), Node(4, 2)), "right": (Node(65, 10), Node(35, 0))}


def estimate(node: Node, parent: Node = PARENT, class_prior: float = CLASS_PRIOR) -> tuple[float, float]:
    """Estimated positives and negatives of a node (ortega2023, Eq. 3)."""
    label_frequency = parent.labeled / (class_prior * parent.total)
    positives = min(node.labeled / label_frequency, node.total)
    return positives, node.total - positives


def gini(children: tuple[Node, Node]) -> float:
    """Gini impurity 1 - sum p^2 of the observed labels, averaged over the children by size; lower is better."""
    total = sum(child.total for child in children)
    shares = [(child.total / total, child.labeled / child.total) for child in children]
    return sum(weight * (1 - p**2 - (1 - p) ** 2) for weight, p in shares)


def pu_hellinger(children: tuple[Node, Node], parent: Node = PARENT, class_prior: float = CLASS_PRIOR) -> float:
    """Hellinger distance of the estimated counts (ortega2023, Eq. 1 with Eq. 3, root taken); higher is better."""
    counts = [estimate(child, parent, class_prior) for child in children]
    positives, negatives = (sum(column) for column in zip(*counts, strict=True))
    return math.sqrt(sum((math.sqrt(n / negatives) - math.sqrt(p / positives)) ** 2 for p, n in counts))


def printed(score: float) -> str:
    """Three decimals, cut as in the paper, not rounded."""
    return f"{math.floor(score * 1000 + 1e-9) / 1000:.3f}"


def split_example_caption() -> str:
    """Caption with the counts and the exact scores."""
    exact = "; ".join(
        f"{side} tree: Gini impurity {gini(children):.4f}, PU Hellinger distance {pu_hellinger(children):.4f}"
        for side, children in SPLITS.items()
    )
    return (
        f"Two splits of one node of {PARENT.total} examples with {PARENT.labeled} labeled positives and class prior "
        f"{CLASS_PRIOR:g} (so about {estimate(PARENT)[0]:.0f} positives). Gini impurity of the observed labels (lower "
        "is better) prefers the left tree, which leaves most of both classes in one child; the PU Hellinger distance "
        "of the estimated counts (higher is better) prefers the right tree, which puts all positives into one child. "
        f"{exact}; the figure cuts them to three decimals, as the paper does. "
        "The counts are ours: the paper prints the scores only."
    )


@styled
def split_example() -> Figure:
    """Both trees as node boxes with their counts; the better score of each kind is marked.

    Scores carry the gid ``<score>-<side>``, e.g. ``gini-left``.
    """
    height = 3.15
    figure, axes = canvas(WIDTH, height)
    for middle, side, other in ((WIDTH * 0.25, "left", "right"), (WIDTH * 0.75, "right", "left")):
        children, others = SPLITS[side], SPLITS[other]
        axes.text(middle, height - 0.2, f"{side.capitalize()} tree", ha="center", fontsize=9, fontweight="bold")
        _box(axes, middle, 2.3, PARENT)
        for x, child in zip((middle - 0.85, middle + 0.85), children, strict=True):
            axes.plot([middle, x], [1.97, 1.58], color=MUTED, lw=1, zorder=1)
            _box(axes, x, 1.25, child)
        for y, name, score, sign, words in (
            (0.55, "gini", gini, -1, "Gini impurity (lower is better)"),
            (0.27, "pu_hellinger", pu_hellinger, 1, "PU Hellinger (higher is better)"),
        ):
            value = score(children)
            better = sign * value > sign * score(others)
            style = {"fontweight": "bold", "color": CALM} if better else {"color": INK}
            axes.text(middle + 0.72, y, words, ha="right", va="baseline", fontsize=8)
            axes.text(middle + 0.82, y, printed(value), va="baseline", fontsize=9, gid=f"{name}-{side}", **style)
            if better:
                axes.text(middle + 1.25, y, "better", va="baseline", fontsize=7.5, color=CALM)
    axes.plot([WIDTH / 2] * 2, [0.2, height - 0.15], color=GRID, lw=1)
    return figure


def _box(axes: Axes, x: float, y: float, node: Node) -> None:
    width, height = 1.5, 0.66
    left, bottom = x - width / 2, y - height / 2
    shape = {"boxstyle": "round,pad=0,rounding_size=0.06", "fc": "white", "ec": MUTED, "lw": 0.9}
    axes.add_patch(FancyBboxPatch((left, bottom), width, height, **shape))
    positives, negatives = estimate(node)
    for above, text, style in (
        (0.17, f"{node.total} examples", {"fontsize": 8, "fontweight": "bold"}),
        (-0.02, f"{node.labeled} labeled, {node.total - node.labeled} unlabeled", {"fontsize": 7.5}),
        (-0.20, f"est. {positives:.0f} pos., {negatives:.0f} neg.", {"fontsize": 7.5, "color": MUTED}),
    ):
        axes.text(x, y + above, text, ha="center", va="center", **style)
    # the share of estimated positives, as a thin bar along the lower edge
    start, length, share = left + 0.06, width - 0.12, positives / node.total
    for end, colour in ((length, GRID), (share * length, CALM)):
        if end:
            axes.plot([start, start + end], [bottom + 0.035] * 2, color=colour, lw=2.2, solid_capstyle="butt")
