"""How fast the tree engine is by shape, as ratios of CPU time taken in turn in one run, one thread each.

    python benchmarks/trees.py [--rounds 5] [--short] [--figure docs/img/trees.svg]

A ratio of 4 means that the peer takes four times our CPU time; beside it stand the least and the largest of the rounds.
Peers are scikit-learn's RandomForestClassifier (RF) and ExtraTreesClassifier (ET) with as many trees. They grow Gini
trees on the same observed labels, so only the column RF/gini compares equal trees. pulearn's bagging, whose base trees
are scikit-learn's, joins in where it is installed; no other library on PyPI has trees for PU data. The last column
compares one tree of depth 5 with the plain search that the tests use.

The shapes are the training parts of ortega2023, 70 % of at most 10,000 rows, with features made up, and one large set.
Where SCARCE_MIRROR names a folder with the data the real training parts follow, with 25 % of the labels hidden: the
most labeled rows, which cost us most.
"""

from __future__ import annotations

import argparse
import importlib
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from sklearn.ensemble import ExtraTreesClassifier, RandomForestClassifier
from sklearn.tree import DecisionTreeClassifier

from scarce.trees import ForestClassifier, PUHellingerForestClassifier, PUHellingerTreeClassifier, warm

sys.path.insert(0, str(Path(__file__).parents[1]))
from benchmarks.measure import Shape, data, in_turn, ratio, seconds, table
from benchmarks.real import training_sets
from tests.reference.naive_tree import NaiveTree

SHAPES = {
    "PCU": Shape(462, 37, 0.0787),
    "KDD": Shape(742, 41, 0.0197, discrete=True),
    "POK": Shape(1033, 10, 0.0115, discrete=True),
    "YEA": Shape(1038, 8, 0.0235),
    "CGO": Shape(1209, 6, 0.0399, discrete=True),
    "CKO": Shape(1554, 8, 0.05),
    "SAT": Shape(3500, 36, 0.0148),
    "CCH": Shape(3684, 42, 0.05),
    "PEN": Shape(4809, 16, 0.0227),
    "THY": Shape(5040, 21, 0.0741),
    "MAM": Shape(7000, 6, 0.0232),
    "FCO": Shape(7000, 10, 0.0096),
    "FCI": Shape(7000, 30, 0.06, discrete=True),
    "SHU, 25 % flipped": Shape(7000, 9, 0.0715, 0.75),
    "large": Shape(200_000, 10, 0.02),
}
SHORT = ("YEA", "CGO", "MAM", "SHU, 25 % flipped")
LITERAL = {"ties": "literal", "leaf": "observed", "purity_stop": False}
HEAD = ["shape", "like", "labeled", "ms a tree", "RF/exact", "RF/literal", "RF/gini", "ET/exact", "RF/predict"]
HEAD += ["pulearn/exact", "plain/tree"]


def pulearn_bagging(n_trees: int):
    """pulearn's bagging of scikit-learn's trees, or None."""
    try:
        bagging = importlib.import_module("pulearn").BaggingPuClassifier
    except ImportError:
        return None
    return bagging(DecisionTreeClassifier(max_features="sqrt"), n_estimators=n_trees, random_state=0)


def training_parts(short: bool) -> Iterator[tuple[str, str, np.ndarray, np.ndarray, float]]:
    """Shape, what it is like, features, observed labels and class prior of all that is measured."""
    for name, shape in SHAPES.items():
        if not short or name in SHORT:
            yield str(shape), name, *data(shape)
    if not short:
        for name, X, s, prior in training_sets():
            yield f"{len(X)} x {X.shape[1]}", f"{name}, real", X, s, prior


def row(shape: str, name: str, X, s, prior, n_trees: int, rounds: int) -> tuple[list[str], dict[str, np.ndarray]]:
    """The cells of one training set, and its times."""
    large = len(X) > 100_000
    n_trees, rounds = (max(1, n_trees // 10), min(rounds, 3)) if large else (n_trees, rounds)
    exact = PUHellingerForestClassifier(prior, n_estimators=n_trees, random_state=0)
    literal = PUHellingerForestClassifier(prior, n_estimators=n_trees, random_state=0, **LITERAL)
    gini = ForestClassifier(n_trees, random_state=0)
    forest = RandomForestClassifier(n_trees, random_state=0, n_jobs=1)
    extra = ExtraTreesClassifier(n_trees, random_state=0, n_jobs=1)
    models = {"exact": exact, "literal": literal, "gini": gini, "RF": forest, "ET": extra}
    if not large and (bagging := pulearn_bagging(n_trees)):
        models["pulearn"] = bagging
    rivals = {name: (lambda model=model: model.fit(X, s)) for name, model in models.items()}
    times = in_turn(rivals, rounds)
    predicting = in_turn({"RF": lambda: forest.predict_proba(X), "exact": lambda: exact.predict_proba(X)}, rounds)
    few = slice(0, 1000)
    s_few = s[few] | (np.arange(len(s[few])) == 0)
    tree = PUHellingerTreeClassifier(prior, max_depth=5, random_state=0, **LITERAL)
    naive = NaiveTree("pu_hellinger", inv_c=prior / s_few.mean(), purity_stop=False, max_depth=5)
    ours = np.median([seconds(lambda: tree.fit(X[few], s_few)) for _ in range(5)])
    plain = seconds(lambda: naive.fit(X[few], s_few == 1))
    return [
        shape,
        name,
        str(s.sum()),
        f"{1000 * np.median(times['exact']) / n_trees:.2f}",
        ratio(times, "RF", "exact"),
        ratio(times, "RF", "literal"),
        ratio(times, "RF", "gini"),
        ratio(times, "ET", "exact"),
        ratio(predicting, "RF", "exact"),
        ratio(times, "pulearn", "exact") if "pulearn" in times else "-",
        f"{plain / ours:.0f}",
    ], times


def draw(all_times: dict[str, dict[str, np.ndarray]], path: Path) -> None:
    """A figure of the ratios of fitting."""
    import matplotlib.pyplot as plt

    names = list(all_times)
    fig, ax = plt.subplots(figsize=(7, 0.28 * len(names) + 1.2), layout="constrained")
    marks = {
        "RF / exact": ("RF", "exact", "o"),
        "RF / literal": ("RF", "literal", "s"),
        "ET / exact": ("ET", "exact", "^"),
    }
    for label, (rival, ours, mark) in marks.items():
        medians = [np.median(all_times[name][rival] / all_times[name][ours]) for name in names]
        ax.plot(medians, range(len(names)), mark, label=label, markersize=5)
    for target in (2, 10):
        ax.axvline(target, color="0.8", linewidth=0.8, zorder=0)
    ax.set(xscale="log", xlabel="peer's CPU time over ours, fit of 100 trees (log scale)")
    ax.set_xticks([1, 2, 5, 10, 20, 50], labels=["1", "2", "5", "10", "20", "50"])
    ax.set_yticks(range(len(names)), labels=names)
    ax.invert_yaxis()
    ax.legend(frameon=False, loc="lower right")
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)
    path.parent.mkdir(parents=True, exist_ok=True)
    fig.savefig(path)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--trees", type=int, default=100)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--short", action="store_true", help="four shapes only")
    parser.add_argument("--figure", type=Path)
    arguments = parser.parse_args()
    warm()
    rows, times = [], {}
    for shape, name, *training in training_parts(arguments.short):
        cells, times[f"{shape} ({name})"] = row(shape, name, *training, arguments.trees, arguments.rounds)
        rows.append(cells)
        print("  ".join(cells), file=sys.stderr, flush=True)
    print(table(HEAD, rows))
    if arguments.figure:
        draw(times, arguments.figure)


if __name__ == "__main__":
    main()
