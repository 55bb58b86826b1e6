"""What the benchmarks share: made-up PU data of a given shape, and CPU times of rivals taken in turn."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np
from sklearn.datasets import make_classification


class Shape(NamedTuple):
    """Rows and features of a training set, class prior, share of the positives that is labeled, kind of features."""

    rows: int
    features: int
    prior: float
    labeled: float = 0.5
    discrete: bool = False

    def __str__(self) -> str:
        return f"{self.rows} x {self.features}{' discrete' if self.discrete else ''}"


def data(shape: Shape) -> tuple[np.ndarray, np.ndarray, float]:
    """Features, observed labels and the class prior of a made-up set."""
    n, d = shape.rows, shape.features
    X, y = make_classification(
        n, d, n_informative=min(d - 2, 8), weights=[1 - shape.prior], flip_y=0.01, random_state=0
    )
    if shape.discrete:  # whole numbers, about ten of each
        X = np.round(2 * X)
    positives = np.flatnonzero(y)
    s = np.zeros(n, int)
    s[np.random.RandomState(0).choice(positives, max(2, int(shape.labeled * len(positives))), replace=False)] = 1
    return X, s, y.mean()


def seconds(work: Callable) -> float:
    """CPU time of one call."""
    gc.collect()
    start = time.process_time()
    work()
    return time.process_time() - start


def in_turn(rivals: dict[str, Callable], rounds: int) -> dict[str, np.ndarray]:
    """CPU seconds of every rival in every round, after one call of each that is not counted."""
    for work in rivals.values():
        work()
    times = [[seconds(work) for work in rivals.values()] for _ in range(rounds)]
    return dict(zip(rivals, np.array(times).T, strict=True))


def ratio(times: dict[str, np.ndarray], rival: str, own: str) -> str:
    """How many times our CPU time the rival takes: median over the rounds, and the extremes."""
    ratios = times[rival] / times[own]
    return f"{np.median(ratios):.1f} ({ratios.min():.1f}-{ratios.max():.1f})"


def table(head: list[str], rows: list[list[str]]) -> str:
    """A Markdown table."""
    widths = [max(map(len, column)) for column in zip(head, *rows, strict=True)]
    lines = [head, ["-" * width for width in widths], *rows]
    return "\n".join("| " + " | ".join(map(str.rjust, cells, widths)) + " |" for cells in lines)


def save(figure, path: Path) -> None:
    """Write a figure without the frame's upper and right sides."""
    for ax in figure.axes:
        ax.spines[["top", "right"]].set_visible(False)
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path)
