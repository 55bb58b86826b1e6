"""How often `scarce.prior.scar_test` rejects labels that are selected at random, and others: a table of docs/advise.md.

    python benchmarks/scar_test.py [--draws 20]

Positives and negatives are round Gaussians in five dimensions, `distance` standard deviations apart in the first. The
logit of a positive's propensity rises by `slope` for each unit of the second column, which says nothing of the class.
The test is told the true class prior times a factor. Once it takes that for the truth, once it is made given class
priors around it as `scarce advise` makes it. Prints the share of draws with p <= 0.05, the AUC that advice is
based on (see `scarce.scoring.without_negatives.auc_given_prior`), and the share of rejections among the draws in which
that is large enough for `scarce advise` to print a verdict.
"""

from __future__ import annotations

import argparse
import itertools

import numpy as np

from scarce.analysis.scar import FACTORS as AROUND
from scarce.analysis.scar import LEVEL, SEPARATED
from scarce.prior.scar_test import scar_test
from scarce.prior.scores import held_out_probabilities
from scarce.scoring.without_negatives import auc_given_prior, pu_auc, unlabeled_prior

ROWS, DIMENSIONS, LABEL_FREQUENCY = 2000, 5, 0.5
DISTANCES = (6.0, 4.0, 3.0, 2.0)
PRIORS = (0.1, 0.3)
SLOPES = (0.0, 1.0)
FACTORS = (0.8, 1.0, 1.25)
HEAD = [
    "distance",
    "prior",
    "slope",
    "told prior x",
    "rejected given it",
    "rejected given all around it",
    "mean AUC",
    "verdicts",
    "rejected of verdicts",
]


def population(random: np.random.RandomState, prior: float, distance: float, slope: float):
    """Features and observed labels."""
    y = np.arange(ROWS) < round(prior * ROWS)
    X = random.normal(size=(ROWS, DIMENSIONS))
    X[y, 0] += distance
    logit = slope * X[:, 1] + np.log(LABEL_FREQUENCY / (1 - LABEL_FREQUENCY))
    return X, y & (random.uniform(size=ROWS) < 1 / (1 + np.exp(-logit)))


def rows(prior: float, distance: float, slope: float, draws: int) -> list[list[str]]:
    """A line for each factor of the class prior."""
    given_it, given_all, areas = (np.zeros((draws, len(FACTORS))) for _ in range(3))
    for draw in range(draws):
        random = np.random.RandomState(draw)
        X, s = population(random, prior, distance, slope)
        scores, _ = held_out_probabilities(X, s, random, needed_by="the benchmark")
        area = pu_auc(s, scores)
        for at, factor in enumerate(FACTORS):
            p = [
                scar_test(X, s, around * factor * prior, scores=scores, n_draws=99, random_state=draw).p_value
                for around in AROUND
                if around * factor * prior > s.mean() + 1 / ROWS
            ]
            given_it[draw, at] = p[len(p) // 2] <= LEVEL
            given_all[draw, at] = max(p) <= LEVEL
            areas[draw, at] = auc_given_prior(area, unlabeled_prior(factor * prior, s, "one_sample"))
    lines = []
    for at, factor in enumerate(FACTORS):
        verdict = areas[:, at] >= SEPARATED
        of_verdicts = f"{given_all[verdict, at].mean():.2f}" if verdict.any() else ""
        case = [f"{one:g}" for one in (distance, prior, slope, factor)]
        means = [f"{rate[:, at].mean():.2f}" for rate in (given_it, given_all)]
        lines.append([*case, *means, f"{areas[:, at].mean():.3f}", f"{verdict.mean():.2f}", of_verdicts])
    return lines


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--draws", type=int, default=20)
    draws = parser.parse_args(arguments).draws
    print(f"| {' | '.join(HEAD)} |\n|{'---|' * len(HEAD)}")
    for prior, distance, slope in itertools.product(PRIORS, DISTANCES, SLOPES):
        for line in rows(prior, distance, slope, draws):
            print(f"| {' | '.join(line)} |", flush=True)


if __name__ == "__main__":
    main()
