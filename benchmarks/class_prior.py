"""How well the class prior is estimated, on mixtures whose prior is known: the tables of docs/class_prior.md.

    python benchmarks/class_prior.py [--draws 15] [--methods tice km2 elkan_noto]

Positives and negatives are round Gaussians in five dimensions, `distance` standard deviations apart; the labels of the
positives are hidden at random. Prints the bias (mean estimate less the truth) and the mean absolute error over the
draws.
"""

from __future__ import annotations

import argparse
import itertools
import time

import numpy as np

from scarce.prior import ESTIMATORS, estimate_class_prior

PRIORS = (0.02, 0.10, 0.30)
ROWS = (500, 2000)
#: 4: nearly apart (2.3 % of each class on the wrong side), 2: 16 %, 1: 31 %
DISTANCES = (4.0, 2.0, 1.0)
FREQUENCIES = (0.25, 0.50)


def mixture(rng: np.random.RandomState, n: int, prior: float, distance: float, frequency: float):
    """Features and observed labels, with the very shares that are asked for."""
    positives = round(n * prior)
    X = rng.normal(size=(n, 5))
    X[:positives, 0] += distance
    s = np.zeros(n, int)
    s[rng.choice(positives, max(2, round(positives * frequency)), replace=False)] = 1
    return X, s


def errors(method: str, draws: int, *case) -> np.ndarray:
    """Estimate less truth, one a draw; every method sees the same draws."""
    _, prior, *_ = case
    estimates = [
        estimate_class_prior(*mixture(np.random.RandomState(draw), *case), method, random_state=draw)
        for draw in range(draws)
    ]
    return np.array(estimates) - prior


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--draws", type=int, default=15)
    parser.add_argument("--methods", nargs="+", choices=list(ESTIMATORS), default=list(ESTIMATORS))
    options = parser.parse_args()
    seconds = dict.fromkeys(options.methods, 0.0)
    heads = [f"{method} {what}" for method in options.methods for what in ("bias", "error")]
    print("| distance | prior | rows | label frequency | " + " | ".join(heads) + " |")
    print("|" + "---|" * (4 + len(heads)))
    for distance, prior, n, frequency in itertools.product(DISTANCES, PRIORS, ROWS, FREQUENCIES):
        cells = []
        for method in options.methods:
            start = time.process_time()
            differences = errors(method, options.draws, n, prior, distance, frequency)
            seconds[method] += time.process_time() - start
            cells += [f"{differences.mean():+.3f}", f"{np.abs(differences).mean():.3f}"]
        print(f"| {distance:g} | {prior:g} | {n} | {frequency:g} | " + " | ".join(cells) + " |", flush=True)
    runs = options.draws * len(PRIORS) * len(ROWS) * len(DISTANCES) * len(FREQUENCIES)
    costs = ", ".join(f"{method} {total / runs:.2f}" for method, total in seconds.items())
    print(f"\nCPU seconds an estimate: {costs}")


if __name__ == "__main__":
    main()
