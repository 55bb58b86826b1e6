"""How often `scarce.prior.scar_test` rejects where labels are selected at random, and where they are not: docs/advise.md.

    python benchmarks/scar_test.py [--draws 40]

Positives and negatives are round Gaussians in five dimensions, `distance` standard deviations apart in the first. The
logit of a positive's propensity rises by `slope` for each unit of the second column, which says nothing of the class.
The test is told the true class prior times a factor. Prints the share of draws with p <= 0.05, the AUC that advice is
based on (see `scarce.scoring.without_negatives.auc_given_prior`), its standard error aside, and the same share among
the draws in which it is large enough for `scarce advise` to print a verdict.
"""

from __future__ import annotations

import argparse
import itertools

import numpy as np

from benchmarks.measure import table
from scarce.analysis.scar import SEPARATED
from scarce.prior.scar_test import scar_test
from scarce.prior.scores import held_out_probabilities
from scarce.scoring.without_negatives import auc_given_prior, pu_auc, unlabeled_prior

ROWS, DIMENSIONS, LABEL_FREQUENCY, LEVEL = 2000, 5, 0.5, 0.05
DISTANCES = (6.0, 4.0, 3.0, 2.0)
PRIORS = (0.1, 0.3)
SLOPES = (0.0, 0.5, 1.0, 2.0)
FACTORS = (0.8, 1.0, 1.25)
HEAD = ["distance", "prior", "slope", "told prior x", "rejected", "mean AUC", "verdicts", "rejected of verdicts"]


def population(random: np.random.RandomState, prior: float, distance: float, slope: float):
    """Features and observed labels."""
    y = np.arange(ROWS) < round(prior * ROWS)
    X = random.normal(size=(ROWS, DIMENSIONS))
    X[y, 0] += distance
    logit = slope * X[:, 1] + np.log(LABEL_FREQUENCY / (1 - LABEL_FREQUENCY))
    return X, y & (random.uniform(size=ROWS) < 1 / (1 + np.exp(-logit)))


def rows(prior: float, distance: float, slope: float, draws: int) -> list[list[str]]:
    """A line for each factor of the class prior."""
    rejected, areas = (np.zeros((draws, len(FACTORS))) for _ in range(2))
    for draw in range(draws):
        random = np.random.RandomState(draw)
        X, s = population(random, prior, distance, slope)
        scores, _ = held_out_probabilities(X, s, random, needed_by="the benchmark")
        for at, factor in enumerate(FACTORS):
            told = factor * prior
            p = scar_test(X, s, told, scores=scores, n_draws=199, random_state=draw).p_value
            rejected[draw, at] = p <= LEVEL
            areas[draw, at] = auc_given_prior(pu_auc(s, scores), unlabeled_prior(told, s, "one_sample"))
    lines = []
    for at, factor in enumerate(FACTORS):
        verdict = areas[:, at] >= SEPARATED
        of_verdicts = f"{rejected[verdict, at].mean():.2f}" if verdict.any() else ""
        case = [f"{one:g}" for one in (distance, prior, slope, factor)]
        means = [f"{rejected[:, at].mean():.2f}", f"{areas[:, at].mean():.3f}", f"{verdict.mean():.2f}"]
        lines.append([*case, *means, of_verdicts])
    return lines


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--draws", type=int, default=40)
    draws = parser.parse_args(arguments).draws
    lines = []
    for prior, distance, slope in itertools.product(PRIORS, DISTANCES, SLOPES):
        lines += rows(prior, distance, slope, draws)
        print(f"prior {prior:g}, distance {distance:g}, slope {slope:g} done", flush=True)
    print(table(HEAD, lines))


if __name__ == "__main__":
    main()
