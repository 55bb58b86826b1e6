"""How the cost of a forest grows with rows, features, labeled rows, trees and threads.

    python benchmarks/growth.py [--rounds 3] [--figure docs/img/growth.svg]

One quantity varies at a time; the others stay at 7,000 rows, 20 features, a class prior of 2 % with half of the
positives labeled, and 100 trees. CPU milliseconds of a fit are medians over rounds taken in turn, the exponent is the
slope of the logarithms. Threads are measured by wall time, and mean something only where cores are free.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from pathlib import Path

import numpy as np

from scarce.trees import PUHellingerForestClassifier, warm

sys.path.insert(0, str(Path(__file__).parents[1]))
from benchmarks.measure import Shape, data, in_turn, save, table

BASE = Shape(7000, 20, 0.02)
LARGE = Shape(200_000, 10, 0.02)
VARIED = {
    "rows": [(n, BASE._replace(rows=n), 100) for n in (500, 1000, 2000, 4000, 8000, 16000, 32000)],
    "features": [(d, BASE._replace(features=d), 100) for d in (5, 10, 20, 40, 80, 160)],
    "share of labeled rows": [
        (share, BASE._replace(prior=2 * share), 100) for share in (0.0025, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2)
    ],
    "trees": [(k, BASE, k) for k in (10, 30, 100, 300)],
}


def forest(class_prior: float, n_trees: int, ties: str = "exact", n_jobs: int | None = None):
    return PUHellingerForestClassifier(class_prior, n_estimators=n_trees, ties=ties, random_state=0, n_jobs=n_jobs)


def costs(settings: list, rounds: int) -> dict[str, np.ndarray]:
    """Median milliseconds of a fit in both modes, at every setting."""
    rivals = {}
    for value, shape, n_trees in settings:
        X, s, prior = data(shape)
        for ties in ("exact", "literal"):
            model = forest(prior, n_trees, ties)
            rivals[ties, value] = lambda model=model, X=X, s=s: model.fit(X, s)
    times = in_turn(rivals, rounds)
    values = [value for value, *_ in settings]
    return {ties: np.array([1000 * np.median(times[ties, v]) for v in values]) for ties in ("exact", "literal")}


THREADS_HEAD = [
    "shape",
    "threads",
    "fit, wall ms",
    "times as fast",
    "CPU ms",
    "predict, wall ms",
    "times as fast",
    "CPU ms",
]


def threads(shape: Shape, counts: tuple[int, ...], rounds: int) -> list[list[str]]:
    """Wall and CPU time of a fit and of `predict_proba` on the training rows by number of threads, as rows of a table.

    On a busy machine wall times say little; that the CPU time of all threads together stays the same says that they
    would share the work where cores are free.
    """
    X, s, prior = data(shape)
    models = {k: forest(prior, 100, n_jobs=k).fit(X, s) for k in counts}
    times = {(k, part): [] for k in counts for part in ("fit", "predict")}
    for _ in range(rounds):
        for k, model in models.items():
            for part, work in (("fit", lambda m=model: m.fit(X, s)), ("predict", lambda m=model: m.predict_proba(X))):
                start = time.perf_counter(), time.process_time()
                work()
                times[k, part].append((time.perf_counter() - start[0], time.process_time() - start[1]))
    medians = {key: 1000 * np.median(values, axis=0) for key, values in times.items()}

    def cells(k: int, part: str) -> list[str]:
        wall, cpu = medians[k, part]
        return [f"{wall:.1f}", f"{medians[counts[0], part][0] / wall:.2f}", f"{cpu:.1f}"]

    return [[str(shape), str(k), *cells(k, "fit"), *cells(k, "predict")] for k in counts]


def draw(costs_by_quantity: dict[str, tuple[list, dict[str, np.ndarray]]], path: Path) -> None:
    """A panel for each quantity."""
    import matplotlib.pyplot as plt

    fig, axes = plt.subplots(2, 2, figsize=(8, 6), layout="constrained", sharey=True)
    for ax, (name, (values, times)) in zip(axes.flat, costs_by_quantity.items(), strict=True):
        for ties, mark in (("exact", "o-"), ("literal", "s--")):
            ax.plot(values, times[ties], mark, markersize=4, label=f"ties: {ties}")
        ax.set(xscale="log", yscale="log", xlabel=name)
        ax.set_xticks(values, [f"{value:,}" for value in values])
        ax.xaxis.minorticks_off()
        ax.yaxis.set_major_formatter("{x:,.0f}")
        ax.grid(axis="y", alpha=0.3)
    for ax in axes[:, 0]:
        ax.set_ylabel("CPU time of a fit, ms")
    axes[0, 0].legend(frameon=False)
    save(fig, path)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--figure", type=Path)
    arguments = parser.parse_args()
    warm()
    rows, costs_by_quantity = [], {}
    for name, settings in VARIED.items():
        values, times = [value for value, *_ in settings], costs(settings, arguments.rounds)
        costs_by_quantity[name] = values, times
        exponent = {ties: np.polyfit(np.log(values), np.log(times[ties]), 1)[0] for ties in times}
        for i, value in enumerate(values):
            rows.append([name, str(value), *(f"{times[ties][i]:.1f}" for ties in times)])
        rows.append([name, "exponent", *(f"{exponent[ties]:.2f}" for ties in times)])
    print(table(["varied", "value", "exact, ms", "literal, ms"], rows))
    print()
    print(
        table(
            THREADS_HEAD, [row for shape in (BASE, LARGE) for row in threads(shape, (1, 2), 2 * arguments.rounds + 1)]
        )
    )
    print(f"\nload of the machine meanwhile: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    if arguments.figure:
        draw(costs_by_quantity, arguments.figure)


if __name__ == "__main__":
    main()
