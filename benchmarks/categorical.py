"""How fast classifiers of categories are, as ratios of CPU time taken in turn in one run, one thread each.

    python benchmarks/categorical.py [--rounds 9]

The Bayes family is compared with scikit-learn's CategoricalNB, which learns the observed label from the same codes: it
has no step for unlabeled rows and no tree. A ratio of 2 means twice its CPU time.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
from sklearn.naive_bayes import CategoricalNB
from threadpoolctl import threadpool_limits

from scarce.methods.positive_bayes import APNBClassifier, APTANClassifier, PNBClassifier, PTANClassifier

sys.path.insert(0, str(Path(__file__).parents[1]))
from benchmarks.measure import in_turn, ratio, table

ROWS, FEATURES, LEVELS = 10_000, 16, 16
BAYES_HEAD = [
    "classifier",
    "fit, ms",
    "predict, ms",
    "fit/CategoricalNB",
    "predict/CategoricalNB",
    "both/CategoricalNB",
]


def categories(rows: int, features: int, levels: int) -> tuple[np.ndarray, np.ndarray]:
    """Codes, each column drawn around the one before, and observed labels: 1 in 10 rows is labeled."""
    random = np.random.RandomState(0)
    positive = random.rand(rows) < 0.3
    steps = random.poisson(np.where(positive, 3.0, 2.0)[:, None], (rows, features))
    return steps.cumsum(1) % levels, (positive & (random.rand(rows) < 1 / 3)).astype(int)


def bayes(rows: int, features: int, levels: int, rounds: int) -> list[list[str]]:
    """The Bayes family beside CategoricalNB: a row for each classifier."""
    X, s = categories(rows, features, levels)
    domains = {"categorical": range(features), "n_levels": levels}
    models = {
        "CategoricalNB": CategoricalNB(min_categories=levels),
        "PNB": PNBClassifier(0.22, **domains),
        "APNB": APNBClassifier(**domains),
        "PTAN": PTANClassifier(0.22, **domains),
        "APTAN": APTANClassifier(**domains),
    }
    fit = in_turn({name: lambda model=model: model.fit(X, s) for name, model in models.items()}, rounds)
    predict = in_turn({name: lambda model=model: model.predict(X) for name, model in models.items()}, rounds)
    both = {name: fit[name] + predict[name] for name in models}
    return [
        [name, *(f"{1000 * np.median(times[name]):.1f}" for times in (fit, predict))]
        + [ratio(times, name, "CategoricalNB") for times in (fit, predict, both)]
        for name in models
    ]


SECTIONS: list[tuple[list[str], Callable[[int], list[list[str]]]]] = [
    (BAYES_HEAD, lambda rounds: bayes(ROWS, FEATURES, LEVELS, rounds)),
]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--rounds", type=int, default=9)
    arguments = parser.parse_args()
    with threadpool_limits(limits=1):
        print("\n\n".join(table(head, rows(arguments.rounds)) for head, rows in SECTIONS))


if __name__ == "__main__":
    main()
