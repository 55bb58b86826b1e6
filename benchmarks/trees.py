"""How fast the tree engine is, as ratios taken in one run: our forests against scikit-learn's, our trees against a
naive search.

    python benchmarks/trees.py [--trees 100] [--repeats 3]

Prints one row a shape. A ratio of 4 means that the peer takes four times our CPU time. Peer and forest have one
thread; scikit-learn grows Gini trees on the same observed labels, so only the column ``gini`` compares equal trees.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

import numpy as np
from sklearn.datasets import make_classification
from sklearn.ensemble import RandomForestClassifier

from pubench.trees import ForestClassifier, PUHellingerForestClassifier, PUHellingerTreeClassifier, warm

sys.path.insert(0, str(Path(__file__).parents[1]))
from tests.reference.naive_tree import NaiveTree

# rows, features, class prior, share of the positives that is labeled
SHAPES = [(2100, 21, 0.02, 0.5), (7000, 20, 0.02, 0.5), (7000, 9, 0.07, 0.75)]
LITERAL = {"ties": "literal", "leaf": "observed", "purity_stop": False}


def data(n: int, d: int, prior: float, labeled: float):
    """Features, observed labels and the class prior of a made-up set."""
    X, y = make_classification(n, d, n_informative=min(d - 2, 8), weights=[1 - prior], flip_y=0.01, random_state=0)
    positives = np.flatnonzero(y)
    s = np.zeros(n, int)
    s[np.random.RandomState(0).choice(positives, int(labeled * len(positives)), replace=False)] = 1
    return X, s, y.mean()


def seconds(work, repeats: int) -> float:
    """Least CPU time of a few runs."""
    times = []
    for _ in range(repeats):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times)


def row(shape, n_trees: int, repeats: int) -> list[str]:
    """CPU seconds of our default forest, then the peers' ratios to ours."""
    X, s, prior = data(*shape)
    exact = PUHellingerForestClassifier(prior, n_estimators=n_trees, random_state=0)
    literal = PUHellingerForestClassifier(prior, n_estimators=n_trees, random_state=0, **LITERAL)
    gini = ForestClassifier(n_trees, random_state=0)
    peer = RandomForestClassifier(n_trees, random_state=0, n_jobs=1)
    ours, as_authors, same, theirs = (seconds(lambda m=m: m.fit(X, s), repeats) for m in (exact, literal, gini, peer))
    predicting, their_predicting = (seconds(lambda m=m: m.predict_proba(X), repeats) for m in (exact, peer))
    few = slice(0, 1500)
    tree = PUHellingerTreeClassifier(prior, max_depth=5, random_state=0, **LITERAL)
    naive = NaiveTree("pu_hellinger", inv_c=prior / s[few].mean(), purity_stop=False, max_depth=5)
    tree_ratio = seconds(lambda: naive.fit(X[few], s[few] == 1), 1) / seconds(lambda: tree.fit(X[few], s[few]), repeats)
    return [
        f"{shape[0]} x {shape[1]}",
        str(s.sum()),
        f"{ours:.3f}",
        f"{theirs / ours:.1f}",
        f"{theirs / as_authors:.1f}",
        f"{theirs / same:.1f}",
        f"{their_predicting / predicting:.1f}",
        f"{tree_ratio:.0f}",
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--trees", type=int, default=100)
    parser.add_argument("--repeats", type=int, default=3)
    arguments = parser.parse_args()
    warm()
    head = ["shape", "labeled", "CPU s", "RF/exact", "RF/literal", "RF/gini", "predict", "naive/tree"]
    rows = [head] + [row(shape, arguments.trees, arguments.repeats) for shape in SHAPES]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for cells in rows:
        print("  ".join(cell.rjust(width) for cell, width in zip(cells, widths, strict=True)))


if __name__ == "__main__":
    main()
