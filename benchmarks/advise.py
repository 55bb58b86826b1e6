"""How often the intervals of `scarce advise` hold the truth, where it does not abstain: a table of docs/advise.md.

    python benchmarks/advise.py [--draws 20]

Positives and negatives are round Gaussians in five dimensions, `distance` standard deviations apart; the labels of half
of the positives are hidden at random. Class priors are those of two estimators, without the halves of rows that make
`scarce advise` abstain more often; all estimators have one interval. The method is a logistic regression of labeled
against unlabeled rows in five folds, with one threshold for all: the one that takes as many rows as the class prior
says. The truth is that of the very rows.
"""

from __future__ import annotations

import argparse
import itertools

import numpy as np

from benchmarks.class_prior import Case, sample
from scarce.analysis.findings import MethodFacts, auc_bounds, prior_bounds
from scarce.analysis.scar import SEPARATED
from scarce.prior import class_prior_interval
from scarce.prior.scores import held_out_probabilities
from scarce.scoring.without_negatives import auc_given_prior, pu_auc, unlabeled_prior

ROWS = 1000
DISTANCES = (4.0, 2.0, 1.0)
PRIORS = (0.05, 0.3)
FREQUENCY = 0.5
ESTIMATORS = ("elkan_noto", "bbe")
COVERED = ("class prior", "AUC", "recall", "precision", "F1")
HEAD = ["distance", "prior", "estimated", "AUC >= " + str(SEPARATED), *COVERED, "width of F1"]


def truth(y: np.ndarray, scores: np.ndarray, predicted: np.ndarray) -> dict[str, float]:
    """What the intervals of `COVERED` are about."""
    hits = (y & predicted).sum()
    recall, precision = hits / y.sum(), hits / max(predicted.sum(), 1)
    f1 = 2 * hits / (y.sum() + predicted.sum())
    return {
        "class prior": y.mean(),
        "AUC": float(pu_auc(y, scores)),
        "recall": recall,
        "precision": precision,
        "F1": f1,
    }


def one(draw: int, prior: float, distance: float) -> tuple[bool, bool, dict[str, bool], float]:
    """Whether the class prior is estimated, classes are apart, each interval covers; and the width of that of F1."""
    random = np.random.RandomState(draw)
    X, s = sample(Case("normal", distance, prior, ROWS), FREQUENCY, draw)
    y = np.arange(ROWS) < round(prior * ROWS)
    priors = [class_prior_interval(X, s, method, n_resamples=0, random_state=draw) for method in ESTIMATORS]
    bounds = prior_bounds(priors, None)
    scores, fold = held_out_probabilities(X, s == 1, random, needed_by="the benchmark")
    method = MethodFacts("logistic", "logistic", "", scores, fold, np.full(5, np.nan), {})
    cut = method.threshold_at(bounds.low if bounds.told is None else bounds.told)
    rows = method.rows(s, bounds, cut)
    area = pu_auc(s[None] == 1, scores[None])
    ends = {name: [float(end[0]) for end in rows.bounds(name.lower())] for name in ("recall", "precision", "F1")}
    ends |= {"class prior": [bounds.low, bounds.high], "AUC": auc_bounds(float(area[0]), s, bounds)}
    known = truth(y, scores, scores >= cut)
    covered = {name: ends[name][0] - 1e-9 <= known[name] <= ends[name][1] + 1e-9 for name in COVERED}
    apart = False
    if bounds.told is not None:
        auc = auc_given_prior(area, unlabeled_prior(bounds.told, s[None] == 1, "one_sample"))
        apart = bool(auc[0] >= SEPARATED)
    return bounds.told is not None, apart, covered, ends["F1"][1] - ends["F1"][0]


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--draws", type=int, default=20)
    draws = parser.parse_args(arguments).draws
    print(f"| {' | '.join(HEAD)} |\n|{'---|' * len(HEAD)}")
    all_covered = []
    for distance, prior in itertools.product(DISTANCES, PRIORS):
        results = [one(draw, prior, distance) for draw in range(draws)]
        estimated = [result for result in results if result[0]]
        all_covered += [result[2] for result in estimated]
        cells = [f"{distance:g}", f"{prior:g}", f"{len(estimated)} of {draws}"]
        cells += [str(sum(result[1] for result in results))]
        cells += [f"{sum(result[2][name] for result in estimated)}" for name in COVERED]
        cells += [f"{np.mean([result[3] for result in estimated]):.2f}" if estimated else ""]
        print(f"| {' | '.join(cells)} |", flush=True)
    shares = (f"{name} {np.mean([covered[name] for covered in all_covered]):.3f}" for name in COVERED)
    print(f"\nof {len(all_covered)} cases with an estimate, covered: {', '.join(shares)}")


if __name__ == "__main__":
    main()
