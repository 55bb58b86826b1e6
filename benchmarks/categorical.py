"""How fast classifiers of categories are, as ratios of CPU time taken in turn in one run, one thread each.

    python benchmarks/categorical.py [--rounds 9]

The Bayes family is compared with scikit-learn's CategoricalNB, which learns the observed label from the same codes: it
has no step for unlabeled rows and no tree. A ratio of 2 means twice its CPU time.

Pulce, on a table of the shape of nursery, is compared with loops over rows and over pairs of rows that decide the same.
All fit and then predict with five values of k. Loops over pairs of all rows would take minutes, so they run on a share
of the rows; the others run on that share too, and on all rows.
"""

from __future__ import annotations

import argparse
import itertools
import math
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
from sklearn.naive_bayes import CategoricalNB
from threadpoolctl import threadpool_limits

from scarce.methods.dilca import dilca_distances
from scarce.methods.positive_bayes import APNBClassifier, APTANClassifier, PNBClassifier, PTANClassifier
from scarce.methods.pulce import TIED, PulceClassifier

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


#: Levels of nursery's attributes, training and new rows of a tenfold cross-validation of its two largest classes, and
#: the labeled share (Ienco & Pensa 2016, table 1).
NURSERY, TRAINING, NEW, LABELED = (3, 5, 4, 4, 3, 2, 3, 3), 7727, 859, 0.2
K = (1, 3, 7, 11, 13)
#: Loops over pairs of rows run on one row in so many.
SHARE = 4
PULCE_HEAD = ["training rows", "new rows", "Pulce, ms", "loop over rows/Pulce", "loop over pairs/Pulce"]


def pulce(rounds: int) -> list[list[str]]:
    """Pulce beside loops, fit and predictions with all k together: a row for each size."""
    rivals = {"Pulce": own_pulce, "rows": by_rows}
    return [
        pulce_beside(rivals | {"pairs": by_pairs_of_rows}, TRAINING // SHARE, NEW // SHARE, rounds),
        pulce_beside(rivals, TRAINING, NEW, rounds),
    ]


def pulce_beside(rivals: dict[str, Callable], rows: int, new: int, rounds: int) -> list[str]:
    """A row of the table; raises ValueError where a rival decides otherwise."""
    table_and_new = like_nursery(rows, new)
    works = {name: partial(rival, *table_and_new) for name, rival in rivals.items()}
    decisions = {name: work() for name, work in works.items()}
    for name, decision in decisions.items():
        if not np.array_equal(decision, decisions["Pulce"]):
            raise ValueError(f"the loop over {name} decides otherwise")
    times = in_turn(works, rounds)
    ratios = [ratio(times, name, "Pulce") if name in times else "-" for name in ("rows", "pairs")]
    return [str(rows), str(new), f"{1000 * np.median(times['Pulce']):.0f}", *ratios]


def like_nursery(rows: int, new: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Codes of training rows, of which the first are labeled, their observed labels, and codes of new rows."""
    random = np.random.RandomState(0)
    s = (np.arange(rows) < LABELED * rows).astype(int)
    positive = np.concatenate([s == 1, random.rand(rows + new - s.sum()) < 0.4])[: rows + new]
    X = random.randint(0, NURSERY, (rows + new, len(NURSERY)))
    repeated = random.rand(*X[:, 1:].shape) < np.where(positive, 0.5, 0.2)[:, None]
    X[:, 1:] = np.where(repeated, X[:, :-1] % NURSERY[1:], X[:, 1:])
    return X[:rows], s, X[rows:]


def own_pulce(X: np.ndarray, s: np.ndarray, new: np.ndarray) -> np.ndarray:
    """Whether each new row is positive with each k: shape (len(K), n)."""
    model = PulceClassifier(categorical=range(len(NURSERY)), n_levels=NURSERY).fit(X, s)
    return np.array([model.set_params(k=k).predict(new) for k in K])


def by_rows(X: np.ndarray, s: np.ndarray, new: np.ndarray) -> np.ndarray:
    """As `own_pulce`, by a loop over rows, each of which looks up its distances to all rows of a class at once."""

    def squared(codes):
        return [np.square(matrix) for matrix in dilca_distances(codes, NURSERY)]

    def to_rows(row, others, squares):
        return np.sqrt(sum(square[row[i], others[:, i]] for i, square in enumerate(squares)))

    labeled, unlabeled = X[s == 1], X[s == 0]
    squares = squared(labeled)
    tau = sum(to_rows(row, labeled, squares).sum() for row in labeled) / (len(labeled) * (len(labeled) - 1))
    reliable = unlabeled[[to_rows(row, labeled, squares).mean() > tau * (1 + TIED) for row in unlabeled]]
    classes = [(reliable, squared(reliable)), (labeled, squares)]
    nearest = [[np.sort(to_rows(row, *one))[: max(K)] for one in classes] for row in new]
    return np.array([[_positive(*(distances[:k].mean() for distances in row)) for row in nearest] for k in K])


def by_pairs_of_rows(X: np.ndarray, s: np.ndarray, new: np.ndarray) -> np.ndarray:
    """As `own_pulce`, by a loop over pairs of rows in plain Python."""

    def squared(codes):
        return [np.square(matrix).tolist() for matrix in dilca_distances(codes, NURSERY)]

    def distance(one, other, squares):
        total = 0.0
        for a, b, square in zip(one, other, squares, strict=True):
            total += square[a][b]
        return math.sqrt(total)

    labeled, unlabeled, new = X[s == 1].tolist(), X[s == 0].tolist(), new.tolist()
    squares = squared(labeled)
    pairs = [distance(*pair, squares) for pair in itertools.combinations(labeled, 2)]
    threshold = sum(pairs) / len(pairs) * (1 + TIED)
    reliable = [
        row for row in unlabeled if sum(distance(row, one, squares) for one in labeled) / len(labeled) > threshold
    ]
    classes = [(reliable, squared(reliable)), (labeled, squares)]
    nearest = [
        [sorted(distance(row, other, squares) for other in others)[: max(K)] for others, squares in classes]
        for row in new
    ]
    return np.array([[_positive(*(sum(distances[:k]) / k for distances in row)) for row in nearest] for k in K])


def _positive(to_negatives: float, to_positives: float) -> int:
    return int(to_positives - to_negatives <= TIED * max(to_positives, to_negatives))


SECTIONS: list[tuple[list[str], Callable[[int], list[list[str]]]]] = [
    (BAYES_HEAD, lambda rounds: bayes(ROWS, FEATURES, LEVELS, rounds)),
    (PULCE_HEAD, pulce),
]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--rounds", type=int, default=9)
    arguments = parser.parse_args()
    with threadpool_limits(limits=1):
        print("\n\n".join(table(head, rows(arguments.rounds)) for head, rows in SECTIONS))


if __name__ == "__main__":
    main()
