"""PU Extra Trees against a recursive tree in exact arithmetic, node by node, and what holds for all of them."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from sklearn.base import clone

from scarce.trees import ForestClassifier, PUBaggingExtraTreesClassifier, PUExtraTreesClassifier
from scarce.trees.random_growth import as_columns
from tests.reference.naive_pu_tree import NaivePUTree

RISKS = list(product(("upu", "nnpu", "pn"), ("quadratic", "logistic")))
SCHEMES = ("two_sample", "one_sample")


def problem(seed: int):
    """Features of several kinds, labeled rows that stand in the unlabeled sample as well or not, weights, limits."""
    rng = np.random.RandomState(seed)
    n, d = rng.randint(4, 120), rng.randint(1, 7)
    X = rng.randn(n, d)
    kind = seed % 5
    if kind in (1, 2):  # many equal values; bytes
        X = np.round(X * rng.choice([0.5, 1, 4]) + (kind == 2) * 10)
    if kind == 3:
        X[:, 0] = 3.0
        X[:, -1] = rng.randint(0, 2, n)
    if kind == 4:  # equal rows
        X[rng.randint(0, n, n)] = X[rng.randint(0, n, n)]
    s = ((X[:, -1] + rng.randn(n) > 0.3) & (rng.rand(n) < 0.5)).astype(int)
    s[:2] = 0, 1
    if seed % 2:  # the labeled rows are drawn from the unlabeled sample
        X, s = np.vstack([X, X[s == 1]]), np.r_[np.zeros(n, int), np.ones(s.sum(), int)]
    weight = rng.randint(1, 4, len(s)) if seed % 3 == 0 else None
    limits = {
        "max_features": int(rng.choice([1, d, -(-(d**0.5) // 1)])),
        "max_depth": rng.choice([None, None, 3]),
        "min_samples_leaf": int(rng.choice([1, 1, 3])),
    }
    return X.astype(np.float32), s, weight, float(rng.choice([0.1, 0.25, 0.5, 0.8])), limits


def the_tree_state(seed: int) -> int:
    """The state that the only tree of a forest starts from."""
    largest = 2**31 - 1
    return np.random.RandomState(np.random.RandomState(seed).randint(largest)).randint(largest)


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize(("risk", "loss"), RISKS)
def test_trees_are_those_of_plain_recursion(risk, loss, scheme):
    inner = 0
    for seed in range(45):
        X, s, weight, prior, limits = problem(seed)
        model = PUExtraTreesClassifier(
            prior, risk=risk, loss=loss, scheme=scheme, n_estimators=1, random_state=seed, **limits
        ).fit(X, s, weight)
        unlabeled = np.flatnonzero(s == 0) if scheme == "two_sample" or risk == "pn" else np.arange(len(s))
        naive = NaivePUTree(
            risk, loss, prior, max_features=limits["max_features"], max_depth=limits["max_depth"],
            min_leaf=limits["min_samples_leaf"], state=the_tree_state(seed),
        ).fit(X, np.flatnonzero(s), unlabeled, weight)  # fmt: skip
        tree, nodes = model.trees_[0], naive.nodes
        assert tree.feature.tolist() == [node.feature for node in nodes]
        assert tree.threshold.tolist() == [node.threshold for node in nodes]
        assert tree.children_left.tolist() == [node.left for node in nodes]
        assert tree.children_right.tolist() == [node.right for node in nodes]
        assert tree.n_node_samples.tolist() == [node.rows for node in nodes]
        shares = [1.0 if node.p >= node.w else float(node.p / node.w) for node in nodes]
        np.testing.assert_allclose(tree.value, shares, atol=1e-12)
        assert (tree.value > 0.5).tolist() == [2 * node.p > node.w for node in nodes]
        np.testing.assert_allclose(tree.gain, [node.gain for node in nodes], rtol=1e-9, atol=1e-12)
        inner += (tree.feature >= 0).sum()
    assert inner > 100


def two_samples(n=400, labeled=60, seed=0, d=6):
    """Labeled rows drawn from the positives of an unlabeled sample that keeps them; true labels."""
    rng = np.random.RandomState(seed)
    X = rng.randn(n, d)
    y = X[:, 0] + 0.7 * X[:, 1] + 0.5 * rng.randn(n) > 0
    rows = rng.choice(np.flatnonzero(y), labeled, replace=False)
    return np.vstack([X, X[rows]]), np.r_[np.zeros(n, int), np.ones(labeled, int)], np.r_[y, y[rows]], rows


def same_trees(one, other, counts=True):
    for a, b in zip(one.trees_, other.trees_, strict=True):
        for name in ("feature", "threshold", "children_left", "children_right", *(["n_node_samples"] * counts)):
            np.testing.assert_array_equal(getattr(a, name), getattr(b, name), err_msg=name)
        np.testing.assert_allclose(a.value, b.value, atol=1e-12)


@pytest.mark.parametrize("rounding", [None, 2])
def test_pn_risk_with_quadratic_loss_grows_the_gini_trees_of_the_engine(rounding):
    """Where features vary in every node, or are all drawn, both engines draw alike."""
    X, s, *_ = two_samples()
    X = X if rounding is None else np.round(X * rounding)
    for most in (1, None) if rounding else (1, 2, None):
        risk = PUExtraTreesClassifier(risk="pn", max_features=most, n_estimators=5, random_state=3).fit(X, s)
        gini = ForestClassifier(
            5, splitter="random", bootstrap=False, max_features=most, ties="exact", aggregation="vote", random_state=3
        ).fit(X, s)
        same_trees(risk, gini)
        np.testing.assert_array_equal(risk.predict_proba(X), gini.predict_proba(X))
        assert risk.trees_[0].node_count > 50


def test_one_sample_is_the_same_as_passing_labeled_rows_twice():
    X, s, _, rows = two_samples()
    once = np.zeros(400, int)
    once[rows] = 1
    # a search draws features for two equal rows, and not for one row; such nodes are final but for uPU, quadratic
    for risk, loss in (("nnpu", "quadratic"), ("nnpu", "logistic"), ("upu", "logistic")):
        model = PUExtraTreesClassifier(0.5, risk=risk, loss=loss, n_estimators=4, random_state=1)
        apart = clone(model).fit(X, s)
        together = clone(model).set_params(scheme="one_sample").fit(X[:400], once)
        same_trees(apart, together, counts=False)
        np.testing.assert_allclose(apart.feature_importances_, together.feature_importances_)


@pytest.mark.parametrize(("risk", "loss"), RISKS)
def test_importances_sum_to_the_reduction_of_the_risk(risk, loss):
    """Root risk less that of all leaves, a mean over the trees, where no risk is infinite."""
    X, s, *_ = two_samples()
    prior = 0.1 if (risk, loss) == ("upu", "logistic") else 0.5  # 0.1/60 is below 1/400, so no share is above 1
    model = PUExtraTreesClassifier(prior, risk=risk, loss=loss, n_estimators=6, random_state=0).fit(X, s)
    reductions = []
    for tree in model.trees_:
        labeled, unlabeled = tree.labeled, tree.weighted_n_node_samples - tree.labeled
        p = prior * labeled / 60
        w = unlabeled / 400 if risk != "pn" else p + (1 - prior) * unlabeled / 400
        v = np.divide(p, w, out=np.full(len(p), np.inf), where=w > 0)
        inside = (v > 0) & (v < 1)
        v = np.where(inside, v, 0.5)
        values = 4 * p * (1 - p / w) if loss == "quadratic" else -w * (v * np.log(v) + (1 - v) * np.log(1 - v))
        if risk == "nnpu" or loss == "logistic":
            assert risk != "upu" or (p <= w).all()
            values = np.where(inside, values, 0.0)
        reductions.append(values[0] - values[tree.children_left < 0].sum())
        assert risk == "upu" or (values >= 0).all()
    assert model.feature_importances_.sum() == pytest.approx(np.mean(reductions), rel=1e-9)
    assert model.arrays_["importances"] is model.feature_importances_


def test_normalised_importances_divide_by_the_mass_of_the_node():
    X, s, *_ = two_samples()
    for scheme in SCHEMES:
        model = PUExtraTreesClassifier(0.5, scheme=scheme, n_estimators=3, random_state=0).fit(X, s)
        expected = np.zeros(6)
        for tree in model.trees_:
            unlabeled = tree.weighted_n_node_samples - tree.labeled * (scheme == "two_sample")
            mass = 0.5 * tree.labeled / 60 + unlabeled / (400 + 60 * (scheme == "one_sample"))
            inner = tree.feature >= 0
            np.add.at(expected, tree.feature[inner], tree.gain[inner] / mass[inner] / 3)
        np.testing.assert_allclose(model.normalised_importances_, expected)
        np.testing.assert_array_equal(model.arrays_["normalised_importances"], model.normalised_importances_)


def test_infinite_reductions_are_left_out_and_counted():
    X, s, *_ = two_samples()
    model = PUExtraTreesClassifier(0.5, risk="upu", loss="logistic", n_estimators=3, random_state=0).fit(X, s)
    infinite = sum(int(np.isinf(tree.gain).sum()) for tree in model.trees_)
    assert infinite > 0
    assert np.isfinite(model.feature_importances_).all()
    assert f" {infinite} of " in model.notes_[0]


@pytest.mark.parametrize(("risk", "loss"), RISKS)
def test_order_of_rows_changes_nothing(risk, loss):
    X, s, *_ = two_samples()
    order = np.random.RandomState(5).permutation(len(s))
    model = PUExtraTreesClassifier(0.5, risk=risk, loss=loss, n_estimators=4, random_state=2)
    same_trees(clone(model).fit(X, s), clone(model).fit(X[order], s[order]))


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("least", [0, 3])
@pytest.mark.parametrize(("risk", "loss"), RISKS)
def test_a_row_of_weight_k_is_k_equal_rows(risk, loss, least, scheme):
    X, s, *_ = two_samples()
    weight = np.random.RandomState(3).randint(least, 4, len(s))
    model = PUExtraTreesClassifier(0.5, risk=risk, loss=loss, scheme=scheme, n_estimators=4, random_state=2)
    repeated = clone(model).fit(np.repeat(X, weight, axis=0), np.repeat(s, weight))
    weighted = clone(model).fit(X, s, weight)
    same_trees(repeated, weighted, counts=False)
    for a, b in zip(repeated.trees_, weighted.trees_, strict=True):
        np.testing.assert_array_equal(a.weighted_n_node_samples, b.weighted_n_node_samples)
    same_trees(weighted, clone(model).fit(X, s, weight * 0.25))


def test_samples_of_any_size_weigh_alike():
    """Each unlabeled row twice: its sample has the same masses, and the trees are the same."""
    X, s, *_ = two_samples()
    again = np.where(s == 0, 2, 1)
    for risk, loss in RISKS[:4]:
        model = PUExtraTreesClassifier(0.5, risk=risk, loss=loss, n_estimators=4, random_state=2)
        doubled = clone(model).fit(np.repeat(X, again, axis=0), np.repeat(s, again))
        same_trees(clone(model).fit(X, s), doubled, counts=False)


def test_constant_columns_are_never_drawn():
    X, s, *_ = two_samples()
    wide = np.hstack([X, np.full((len(X), 30), 7.0)])
    model = PUExtraTreesClassifier(0.5, max_features=6, n_estimators=4, random_state=0).fit(wide, s)
    assert not model.feature_importances_[6:].any()
    # all six that vary are drawn at the root, whatever else is there
    assert len({tree.feature[0] for tree in model.trees_}) > 1
    scaled = clone(model).fit(wide[:, ::-1], s)
    assert not scaled.feature_importances_[:30].any()
    only = PUExtraTreesClassifier(0.5, n_estimators=2).fit(np.ones((6, 2)), [0, 0, 0, 0, 1, 1])
    assert only.get_n_leaves() == 2
    assert not only.feature_importances_.any()


def test_every_drawn_feature_varies_in_the_node():
    """Among 40 features the only one that varies is drawn at every node."""
    X = np.zeros((200, 40))
    X[:, 17] = np.arange(200)
    s = (X[:, 17] >= 150).astype(int)
    model = PUExtraTreesClassifier(risk="pn", max_features=1, n_estimators=10, random_state=0).fit(X, s)
    assert all((tree.feature[tree.feature >= 0] == 17).all() for tree in model.trees_)
    assert (model.predict(X) == s).all()


def test_bytes_and_floats_give_the_same_trees():
    X, s, *_ = two_samples()
    small = np.clip(np.round(X * 30 + 128), 0, 255)
    model = PUExtraTreesClassifier(0.5, n_estimators=4, random_state=0)
    bytes_, floats = clone(model).fit(small.astype(np.uint8), s), clone(model).fit(small + 1000.0, s)
    assert as_columns(small.astype(np.float32)).dtype == as_columns(small.astype(np.uint8)).dtype == np.uint8
    same_trees(bytes_, clone(model).fit(small, s))
    np.testing.assert_array_equal(
        bytes_.predict_proba(small.astype(np.uint8)), clone(model).fit(small, s).predict_proba(small)
    )
    for a, b in zip(bytes_.trees_, floats.trees_, strict=True):
        np.testing.assert_array_equal(a.feature, b.feature)
        np.testing.assert_allclose(a.threshold[a.feature >= 0], b.threshold[a.feature >= 0] - 1000)


@pytest.mark.parametrize("values", [[-1.0, 2.0], [0.0, 256.0], [0.5, 1.0]])
def test_other_numbers_stay_floats(values):
    assert as_columns(np.array([values], np.float32).T).dtype == np.float32


def test_threads_change_nothing():
    X, s, *_ = two_samples(3000, 200)
    one, two = (PUExtraTreesClassifier(0.5, n_estimators=8, random_state=0, n_jobs=jobs).fit(X, s) for jobs in (1, 2))
    same_trees(one, two)
    np.testing.assert_array_equal(one.predict_proba(X), two.predict_proba(X))


def test_votes_are_scores_and_a_tie_is_negative():
    X, s, *_ = two_samples()
    model = PUExtraTreesClassifier(0.5, n_estimators=4, max_depth=2, random_state=0).fit(X, s)
    votes = [tree.value[leaf] > 0.5 for tree, leaf in zip(model.trees_, model.apply(X).T, strict=True)]
    share = np.mean(votes, axis=0)
    np.testing.assert_array_equal(model.predict_proba(X)[:, 1], share)
    assert (share == 0.5).any()
    np.testing.assert_array_equal(model.predict(X), share > 0.5)


def test_trees_deeper_than_recursion_goes():
    """Chains: the values of each column grow by factors of 2, and a threshold cuts off the last of them."""
    X = np.kron(np.eye(12), 2.0 ** np.arange(-120, 120).reshape(-1, 1))
    s = np.arange(len(X)) % 2
    model = PUExtraTreesClassifier(risk="pn", max_features=1, n_estimators=1, random_state=0).fit(X, s)
    assert model.get_depth() > 1000
    assert (model.predict(X) == s).all()


def test_nnpu_finds_the_positives_where_labels_as_classes_do_not():
    X, s, y, _ = two_samples(3000, 200)
    pu, naive = (
        PUExtraTreesClassifier(y[:3000].mean(), random_state=0),
        PUExtraTreesClassifier(risk="pn", random_state=0),
    )
    accuracy = [(model.fit(X, s).predict(X[:3000]) == y[:3000]).mean() for model in (pu, naive)]
    assert accuracy[0] > 0.8
    assert accuracy[1] < 0.65


def test_wrong_words_for_the_number_of_features_are_told_the_right_ones():
    X, s, *_ = two_samples()
    with pytest.raises(ValueError, match="'ceil_sqrt', 'sqrt', 'log2'"):
        PUExtraTreesClassifier(0.5, max_features="all").fit(X, s)


def test_wrong_parameters_are_named():
    X, s, *_ = two_samples()
    wrong = {"risk": "pu", "loss": "hinge", "scheme": "both", "class_prior": None, "n_estimators": 0, "max_depth": 0,
             "min_samples_leaf": 0, "max_features": "all"}  # fmt: skip
    for name, value in wrong.items():
        with pytest.raises(ValueError, match=name):
            PUExtraTreesClassifier(0.5).set_params(**{name: value}).fit(X, s)


def test_a_class_prior_below_the_labeled_share_is_noted():
    X, s, *_ = two_samples()
    model = PUExtraTreesClassifier(0.05, scheme="one_sample", n_estimators=2, random_state=0)
    assert any("class_prior" in note for note in model.fit(X, s).notes_)
    assert model.set_params(scheme="two_sample").fit(X, s).notes_ == []


def test_bags_hold_all_labeled_rows_and_as_many_unlabeled_ones_as_there_are():
    X, s, *_ = two_samples()
    model = PUBaggingExtraTreesClassifier(10, random_state=0).fit(X, s)
    for tree in model.trees_:
        assert tree.labeled[0] == 60
        assert tree.weighted_n_node_samples[0] == 460
        assert tree.n_node_samples[0] < 460
    shares = [tree.value[leaf] for tree, leaf in zip(model.trees_, model.apply(X).T, strict=True)]
    np.testing.assert_allclose(model.predict_proba(X)[:, 1], np.mean(shares, axis=0))
