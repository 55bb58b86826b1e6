"""The wrapper's rule on scores with a known optimum, and what its samples are made of."""

from itertools import pairwise

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import StratifiedKFold
from sklearn.tree import DecisionTreeClassifier

from scarce.methods.sampling import Samples, SamplingWrapper, climb, synthetic_minority

U = list(range(0, 100, 10))


def data(n=200, positives=24, d=3, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    X[:positives] += 1.2
    y = (np.arange(n) < positives).astype(int)
    order = rng.permutation(n)
    return X[order], y[order]


def samples(X, s, rows=None, *, most=5.0, seed=7, n_neighbors=5, categorical=()):
    order = np.random.RandomState(seed).permutation(len(X))
    order = order if rows is None else order[np.isin(order, rows)]
    return Samples(X, s, order, n_neighbors=n_neighbors, categorical=categorical, most=most, seed=seed)


@pytest.mark.parametrize(
    ("scores", "ties", "best_level", "n_scored"),
    [
        # rises to 30, then two failures in a row
        ([0.5, 0.6, 0.7, 0.8, 0.7, 0.6, 0.9], "larger", 30, 6),
        # one failure is forgiven, and a success starts the count anew
        ([0.5, 0.4, 0.6, 0.5, 0.7, 0.6, 0.5, 0.9], "larger", 40, 7),
        # a plateau does not deteriorate: the larger level; nor does it improve: the smaller, and it counts as failure
        ([0.5, 0.5, 0.5, 0.4, 0.5, 0.3, 0.3, 0.3], "larger", 40, 7),
        ([0.5, 0.5, 0.5, 0.9], "smaller", 0, 3),
        ([0.5, 0.5, 0.6, 0.6, 0.5, 0.9], "smaller", 20, 5),
        # nothing is better than the start
        ([0.9, 0.8, 0.7, 0.95], "larger", 0, 3),
        # ever better: the last level
        ([0.1, 0.2, 0.3, 0.4], "smaller", 30, 4),
        # equal but for rounding is equal
        ([0.5, 0.5 + 1e-15, 0.5 - 1e-15, 0.1, 0.1], "larger", 20, 5),
        ([0.5, 0.5 + 1e-15, 0.4], "smaller", 0, 3),
    ],
)
def test_the_search_stops_where_the_rule_says(scores, ties, best_level, n_scored):
    seen = []

    def score(level):
        seen.append(level)
        return scores[level // 10]

    level, best = climb(U[: len(scores)], score, patience=2, ties=ties)
    assert (level, len(seen)) == (best_level, n_scored)
    assert best == scores[level // 10]


def test_a_known_first_score_is_not_asked_for_again():
    seen = []
    assert climb([0, 100], lambda level: seen.append(level) or 0.4, patience=2, ties="smaller", first=0.5) == (0, 0.5)
    assert seen == [100]


def test_undersampled_sets_nest_and_keep_every_minority_row():
    X, s = data()
    one = samples(X, s)
    sets = [set(one.kept(u).tolist()) for u in U]
    for more, less in pairwise(sets):
        assert less < more
    assert [len(kept) for kept in sets] == [176 - round(1.76 * u) for u in U]
    for u in U:
        assert not s[list(sets[u // 10])].any()
        assert one.at(u, 0)[1].sum() == 24


def test_smote_levels_nest_and_have_the_size_that_they_say():
    X, s = data()
    one = samples(X, s)
    levels = [one.synthetic(v) for v in (0, 100, 250, 500)]
    assert [len(rows) for rows in levels] == [0, 24, 60, 120]
    for few, many in pairwise(levels):
        np.testing.assert_array_equal(few, many[: len(few)])
    X_at, s_at = one.at(50, 100)
    assert len(X_at) == len(s_at) == 24 + 88 + 24
    assert s_at[-24:].all()
    low, high = X[s == 1].min(0) - 1e-9, X[s == 1].max(0) + 1e-9
    assert ((levels[-1] >= low) & (levels[-1] <= high)).all(), "between rows of the minority"


def test_samples_of_an_inner_fold_are_made_of_its_own_training_rows():
    X, s = data()
    fold = next(StratifiedKFold(5, shuffle=True, random_state=0).split(X, s))[0]
    inner, outer = samples(X, s, fold), samples(X, s)
    assert set(inner.kept(0)) | set(inner.minority) == set(fold)
    # the order of removal is one for all folds
    assert set(inner.kept(60)) == set(inner.majority[: len(inner.kept(60))])
    assert [row for row in outer.majority if row in set(fold)] == inner.majority.tolist()
    # rows outside the fold play no part: moving them away changes nothing
    moved = X.copy()
    moved[np.setdiff1d(np.arange(len(X)), fold)] += 100.0
    np.testing.assert_array_equal(samples(moved, s, fold).synthetic(300), inner.synthetic(300))


def test_the_minority_may_be_the_negatives():
    X, s = data()
    one = samples(X, 1 - s)
    assert one.label == 0
    assert one.at(0, 100)[1].sum() == 176
    assert (one.at(0, 100)[1] == 0).sum() == 48


@pytest.mark.parametrize("rows", [2, 3, 5])
def test_with_few_minority_rows_smote_takes_all_others_as_neighbours(rows):
    X, s = data(60, rows)
    made = synthetic_minority(X, s, 1, 40, n_neighbors=5, categorical=(), seed=0)
    own = X[s == 1]
    segments = [(a, b) for i, a in enumerate(own) for j, b in enumerate(own) if i != j]
    for row in made:
        assert any(np.linalg.norm(np.cross(b - a, row - a)) < 1e-9 for a, b in segments), "on a segment of two of them"


def test_one_minority_row_is_not_sampled_and_it_is_said():
    X, s = data(50, 1)
    wrapper = SamplingWrapper(random_state=0).fit(X, s)
    assert (wrapper.undersample_, wrapper.smote_) == (0, 0)
    assert wrapper.notes_ == ["no sampling: the rarer class has a single row"]
    assert wrapper.facts_ == {"undersample_percent": 0.0, "smote_percent": 0.0}


def test_fewer_neighbours_than_asked_for_are_said():
    X, s = data(60, 4)
    assert SamplingWrapper(n_folds=2, smote=(0, 100), random_state=0).fit(X, s).notes_ == [
        "SMOTE looks at 3 neighbours instead of 5: the rarer class has 4 rows"
    ]


def test_columns_of_another_unit_have_the_same_neighbours():
    X, s = data()
    scaled = X * [1.0, 1000.0, 0.001]
    one = synthetic_minority(X, s, 1, 50, n_neighbors=5, categorical=(), seed=3)
    np.testing.assert_allclose(
        synthetic_minority(scaled, s, 1, 50, n_neighbors=5, categorical=(), seed=3), one * [1.0, 1000.0, 0.001]
    )


@pytest.mark.parametrize("categorical", [[2], [0, 1, 2]])
def test_nominal_columns_keep_their_codes(categorical):
    X, s = data()
    X[:, categorical] = np.digitize(X[:, categorical], [-0.5, 0.5])
    made = samples(X, s, categorical=categorical).synthetic(300)
    assert made.shape == (72, 3)
    assert set(np.unique(made[:, categorical])) <= {0.0, 1.0, 2.0}


def test_the_levels_are_those_that_plain_loops_find():
    """The whole rule again, step by step, with scikit-learn's tree."""
    X, s = data(240, 40)
    tree = DecisionTreeClassifier(min_samples_leaf=5)
    wrapper = SamplingWrapper(tree, random_state=11).fit(X, s)
    folds = list(StratifiedKFold(5, shuffle=True, random_state=11).split(X, s))
    drawn = [samples(X, s, train, seed=11) for train, _ in folds]

    def mean_auc(u, v):
        scores = []
        for (_, test), one in zip(folds, drawn, strict=True):
            grown = DecisionTreeClassifier(min_samples_leaf=5, random_state=11).fit(*one.at(u, v))
            scores.append(roc_auc_score(s[test], grown.predict_proba(X[test])[:, 1]))
        return np.mean(scores)

    best, u, failed = mean_auc(0, 0), 0, 0
    for level in range(10, 100, 10):
        value = mean_auc(level, 0)
        if value >= best - 1e-12:
            best, u, failed = value, level, 0
        else:
            failed += 1
        if failed == 2:
            break
    v, failed = 0, 0
    for level in range(100, 600, 100):
        value = mean_auc(u, level)
        if value > best + 1e-12:
            best, v, failed = value, level, 0
        else:
            failed += 1
        if failed == 2:
            break
    assert (wrapper.undersample_, wrapper.smote_) == (u, v)
    assert wrapper.inner_score_ == pytest.approx(best)
    assert wrapper.facts_ == {"undersample_percent": u, "smote_percent": v, "inner_auc_roc": wrapper.inner_score_}
    final = DecisionTreeClassifier(min_samples_leaf=5, random_state=11).fit(*samples(X, s, seed=11).at(u, v))
    np.testing.assert_array_equal(wrapper.predict_proba(X), final.predict_proba(X))


def test_wrappers_of_one_seed_see_the_same_samples_whatever_they_wrap(monkeypatch):
    X, s = data()
    seen = {}
    original = Samples.at

    def at(self, u, v):
        X_at, s_at = original(self, u, v)
        seen.setdefault((len(self.minority), self.minority.sum(), u, v), []).append(X_at)
        return X_at, s_at

    monkeypatch.setattr(Samples, "at", at)
    for criterion in ("hellinger", "gini"):
        SamplingWrapper({"criterion": criterion, "leaf": "laplace"}, random_state=5).fit(X, s)
    shared = [some for some in seen.values() if len(some) > 1]
    assert len(shared) > 5
    for first, *others in shared:
        for other in others:
            np.testing.assert_array_equal(first, other)


@pytest.mark.parametrize(
    "arguments", [{"undersample": [10, 20]}, {"undersample": [0, 100]}, {"smote": [0, 200, 100]}, {"smote": []}]
)
def test_levels_ascend_from_zero(arguments):
    with pytest.raises(ValueError, match="must"):
        SamplingWrapper(**arguments).fit(*data())
