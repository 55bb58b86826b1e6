"""How fast PU Extra Trees are, as ratios of CPU time taken in turn in one run, one thread each.

    SCARCE_MIRROR=<folder> python benchmarks/extra_trees.py [--trees 100] [--rounds 3] [--labeled 1000]

A ratio of 4 means that the peer takes four times our CPU time; beside it stand the least and the largest of the rounds.
Peers are scikit-learn's ExtraTreesClassifier (ET) and RandomForestClassifier (RF) with as many trees on the same rows,
in which labeled rows stand twice. They grow Gini trees of the observed labels, as ``pn`` does; the PU risks grow other
trees, whose sizes stand beside the times. Memory is the most that a fit of ten trees allocates, the caller's features
not counted, as a multiple of these features.

The shapes are 6,000 x 20 made-up floats, of which the labeled rows stand there twice, and the training images of MNIST
(even digits are positive) as bytes and as floats, where SCARCE_MIRROR names a folder that has them.
"""

from __future__ import annotations

import argparse
import gzip
import os
import sys
import tracemalloc
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from sklearn.datasets import make_classification
from sklearn.ensemble import ExtraTreesClassifier, RandomForestClassifier

from scarce.trees import PUExtraTreesClassifier, warm

sys.path.insert(0, str(Path(__file__).parents[1]))
from benchmarks.measure import in_turn, ratio, table

HEAD = ["shape", "features", "risk", "nodes a tree", "ms a tree", "ET/ours", "RF/ours", "ET/predict", "memory"]
RISKS = ("nnpu", "upu", "pn")


def two_samples(X: np.ndarray, y: np.ndarray, labeled: int) -> tuple[np.ndarray, np.ndarray, float]:
    """The rows and some of the positives once more as labeled ones, observed labels, class prior."""
    rows = np.random.RandomState(0).choice(np.flatnonzero(y), labeled, replace=False)
    return np.vstack([X, X[rows]]), np.repeat([0, 1], [len(X), labeled]), float(y.mean())


def idx(path: Path) -> np.ndarray:
    """The array of bytes in a compressed IDX file."""
    content = gzip.decompress(path.read_bytes())
    sizes = np.frombuffer(content, ">i4", count=content[3], offset=4)
    return np.frombuffer(content, np.uint8, offset=4 + 4 * len(sizes)).reshape(sizes)


def training_sets(labeled: int) -> Iterator[tuple[str, np.ndarray, np.ndarray, float]]:
    """Name, features, observed labels and class prior of all that is measured."""
    yield "made up", *two_samples(*make_classification(6000, 20, n_informative=8, random_state=0), labeled)
    folder = Path(os.environ.get("SCARCE_MIRROR", "")) / "mnist"
    images = folder / "train-images-idx3-ubyte.gz"
    if not images.exists():
        return
    X, s, prior = two_samples(
        idx(images).reshape(-1, 784), idx(folder / "train-labels-idx1-ubyte.gz") % 2 == 0, labeled
    )
    yield "MNIST, bytes", X, s, prior
    yield "MNIST, floats", X.astype(np.float32) / np.float32(255), s, prior


def memory(model, X: np.ndarray, s: np.ndarray) -> float:
    """The most that a fit allocates, over the memory of the features."""
    tracemalloc.start()
    model.fit(X, s)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak / X.nbytes


def rows(name: str, X, s, prior: float, n_trees: int, rounds: int) -> Iterator[list[str]]:
    """The cells of one training set, a row for each risk."""
    ours = {risk: PUExtraTreesClassifier(prior, risk=risk, n_estimators=n_trees, random_state=0) for risk in RISKS}
    ours["pn"].set_params(class_prior=None)
    peers = {"ET": ExtraTreesClassifier(n_trees, random_state=0), "RF": RandomForestClassifier(n_trees, random_state=0)}
    if X.shape[1] > 100:  # it would take most of the time
        del peers["RF"]
    times = in_turn({key: (lambda model=model: model.fit(X, s)) for key, model in (ours | peers).items()}, rounds)
    new = X[:10_000]
    predicting = in_turn(
        {key: (lambda model=model: model.predict_proba(new)) for key, model in (ours | peers).items()}, rounds
    )
    for risk, model in ours.items():
        few = PUExtraTreesClassifier(**model.get_params() | {"n_estimators": 10})
        yield [
            f"{len(X)} x {X.shape[1]}",
            name,
            risk,
            f"{model.facts_['nodes_per_tree']:.0f}",
            f"{1000 * np.median(times[risk]) / n_trees:.1f}",
            ratio(times, "ET", risk),
            ratio(times, "RF", risk) if "RF" in times else "-",
            ratio(predicting, "ET", risk),
            f"{memory(few, X, s):.2f}",
        ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--trees", type=int, default=100)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--labeled", type=int, default=1000)
    arguments = parser.parse_args()
    warm()
    cells = []
    for name, *training in training_sets(arguments.labeled):
        for line in rows(name, *training, arguments.trees, arguments.rounds):
            cells.append(line)
            print("  ".join(line), file=sys.stderr, flush=True)
    print(table(HEAD, cells))


if __name__ == "__main__":
    main()
