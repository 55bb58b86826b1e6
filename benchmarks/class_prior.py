"""How well the class prior is estimated, on populations whose prior is known: the tables of docs/class_prior.md.

    python benchmarks/class_prior.py [--draws 4] [--jobs 1] [--first-seed 10000] [--methods tice km2 ...]

Prints one table with a row for each case, and one with a row for each method. Labels of positives are hidden at random:
a quarter of the positives is labeled in every second draw, half of them in the others. No two draws have a seed in
common. All methods see the same draws; km2 sees the first two of each case.
"""

from __future__ import annotations

import argparse
import itertools
import time
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from scarce.prior import ESTIMATORS, PriorInterval, class_prior_interval

FREQUENCIES = (0.25, 0.5)
#: of the draws, methods that take seconds see so many
DRAWS = {"km2": 2}


class Case(NamedTuple):
    population: str
    distance: float
    prior: float
    rows: int

    @property
    def positives(self) -> int:
        """Two at least."""
        return max(2, round(self.rows * self.prior))


def cases() -> Iterator[Case]:
    for distance, prior, rows in itertools.product((4, 2, 1), (0.01, 0.02, 0.05, 0.1, 0.2, 0.3), (500, 2000)):
        yield Case("normal", distance, prior, rows)
    for population, prior in itertools.product(("gamma", "uniform", "nominal"), (0.02, 0.1, 0.3)):
        yield Case(population, 2, prior, 2000)


def sample(case: Case, frequency: float, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Features and observed labels, with the very shares that are asked for.

    ``normal``: five columns of variance 1; the classes' means are `distance` apart in the first (4: 2.3 % of each class
    is on the wrong side, 2: 16 %, 1: 31 %). ``gamma``: eight columns of shape 2, of which positives stretch two by
    1 + distance. ``uniform``: three columns on [0, 1], of which positives shift one by distance / 4. ``nominal``: six
    columns of four levels as indicators, of which positives reverse the levels' shares.
    """
    rng = np.random.RandomState(seed)
    n, distance, positives = case.rows, case.distance, case.positives
    y = np.arange(n) < positives
    if case.population == "normal":
        X = rng.normal(size=(n, 5))
        X[y, 0] += distance
    elif case.population == "gamma":
        X = rng.gamma(2.0, size=(n, 8))
        X[y, :2] *= 1 + distance
    elif case.population == "uniform":
        X = rng.uniform(size=(n, 3))
        X[y, 0] += distance / 4
    else:
        shares = np.array([0.4, 0.3, 0.2, 0.1])
        codes = np.where(y[:, None], rng.choice(4, (n, 6), p=shares[::-1]), rng.choice(4, (n, 6), p=shares))
        X = (codes[:, :, None] == np.arange(4)).reshape(n, -1).astype(float)
    s = np.zeros(n, int)
    s[rng.choice(positives, max(2, round(positives * frequency)), replace=False)] = 1
    return X, s


class Result(NamedTuple):
    """One interval, the prior that it should cover, and the CPU seconds that it took."""

    prior: float
    interval: PriorInterval
    seconds: float

    @property
    def kept(self) -> bool:
        """Whether the method does not abstain."""
        return not self.interval.abstains

    @property
    def covers(self) -> bool:
        return self.interval.low <= self.prior + 1e-9 and self.prior <= self.interval.high + 1e-9

    @property
    def within_two(self) -> bool:
        return 0.5 <= self.interval.estimate / self.prior <= 2


def results(case: Case, methods: list[str], seeds: Sequence[int]) -> dict[str, list[Result]]:
    """The intervals of each method on the draws of a case, one a seed."""
    found: dict[str, list[Result]] = {method: [] for method in methods}
    for draw, seed in enumerate(seeds):
        X, s = sample(case, FREQUENCIES[draw % 2], seed)
        for method in methods:
            if draw < DRAWS.get(method, len(seeds)):
                start = time.process_time()
                interval = class_prior_interval(X, s, method, random_state=seed)
                found[method].append(Result(case.positives / case.rows, interval, time.process_time() - start))
    return found


def share(which: list[bool]) -> str:
    return f"{sum(which)}/{len(which)}"


def cell(found: list[Result]) -> str:
    """Median estimate, how many estimates are kept, and how many intervals of these cover the prior."""
    kept = [one for one in found if one.kept]
    middle = np.median([one.interval.estimate for one in found])
    covered = share([one.covers for one in kept]) if kept else "-"
    return f"{middle:.3f}; {share([one.kept for one in found])}; {covered}"


def summary(method: str, found: list[Result]) -> str:
    kept = [one for one in found if one.kept]
    cells = [
        method,
        f"{np.median([one.interval.estimate / one.prior for one in found]):.2f}",
        share([one.within_two for one in found]),
        share([one.kept for one in found]),
        f"{np.median([one.interval.estimate / one.prior for one in kept]):.2f}" if kept else "-",
        share([one.within_two for one in kept]),
        share([one.covers for one in kept]),
        share([one.covers for one in found]),
        f"{np.mean([one.seconds for one in found]):.1f}",
    ]
    return "| " + " | ".join(cells) + " |"


HEADS = [
    "estimator", "estimate / prior", "within a factor of 2", "kept", "of kept: estimate / prior",
    "of kept: within a factor of 2", "of kept: covered", "of all: covered", "CPU s an interval",
]  # fmt: skip


def main(arguments: list[str] | None = None) -> None:
    from joblib import Parallel, delayed

    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--draws", type=int, default=4)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--first-seed", type=int, default=10000)
    parser.add_argument("--methods", nargs="+", choices=list(ESTIMATORS), default=list(ESTIMATORS))
    options = parser.parse_args(arguments)
    methods, everything = options.methods, list(cases())
    first, draws = options.first_seed, options.draws
    tasks = (
        delayed(results)(case, methods, range(first + i * draws, first + (i + 1) * draws))
        for i, case in enumerate(everything)
    )
    everywhere: dict[str, list[Result]] = {method: [] for method in methods}
    print("| population | distance | prior | rows | " + " | ".join(methods) + " |\n|" + "---|" * (4 + len(methods)))
    for case, found in zip(everything, Parallel(options.jobs, return_as="generator")(tasks), strict=True):
        print(f"| {' | '.join(map(str, case))} | {' | '.join(map(cell, found.values()))} |", flush=True)
        for method, own in found.items():
            everywhere[method] += own
    print("\n| " + " | ".join(HEADS) + " |\n|" + "---|" * len(HEADS))
    print("\n".join(summary(method, found) for method, found in everywhere.items()))


if __name__ == "__main__":
    main()
