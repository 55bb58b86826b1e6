"""The positive Bayes classifiers: equal to the formulas in loops, and with the properties that these have."""

from itertools import combinations

import numpy as np
import pytest
from scipy.special import expit
from sklearn.base import clone

from scarce.methods.positive_bayes import APNBClassifier, APTANClassifier, PNBClassifier, PTANClassifier
from scarce.methods.tan import maximum_spanning_tree
from tests.reference.naive_positive_bayes import Naive

LEVELS = [3, 2, 4, 2, 3]
ALL = {
    "pnb": PNBClassifier(0.3),
    "ptan": PTANClassifier(0.3),
    "ptan, clipped": PTANClassifier(0.3, clip_cmi=True),
    "ptan, exact": PTANClassifier(0.6, exact_parent=True),
    "apnb": APNBClassifier(),
    "apnb, laplace": APNBClassifier(6.0, 9.0, neg_fill="laplace"),
    "aptan": APTANClassifier(),
    "aptan, laplace": APTANClassifier(neg_fill="laplace", clip_cmi=True),
    "aptan, printed": APTANClassifier(eq7="printed"),
}
EVERY = pytest.mark.parametrize("name", ALL)


def data(n=60, levels=LEVELS, seed=0):
    """Rows whose columns depend on each other, and observed labels."""
    random = np.random.RandomState(seed)
    hidden = random.randint(0, 4, n)
    noise = random.randint(0, 5, (n, len(levels)))
    X = (np.where(random.rand(n, len(levels)) < 0.6, hidden[:, None], noise) + np.arange(len(levels))) % levels
    return X, (hidden + random.randint(0, 2, n) > 3).astype(int)


def declared(estimator, levels=LEVELS):
    return clone(estimator).set_params(categorical=np.arange(len(levels)), n_levels=levels)


def naive(estimator, X, s, levels=LEVELS):
    options = {
        key: value for key, value in estimator.get_params().items() if key in ("clip_cmi", "exact_parent", "eq7")
    }
    averaged = isinstance(estimator, APNBClassifier)
    options |= {"averaged": (estimator.alpha, estimator.beta, estimator.neg_fill)} if averaged else {}
    options |= {} if averaged else {"prior": estimator.class_prior}
    return Naive(X.tolist(), s.tolist(), levels, **options)


def edges(tree):
    return {frozenset((i, int(parent))) for i, parent in enumerate(tree) if parent >= 0}


@EVERY
@pytest.mark.parametrize("seed", range(3))
def test_tables_trees_and_scores_are_those_of_the_formulas(name, seed):
    X, s = data(seed=seed)
    fitted, loops = declared(ALL[name]).fit(X, s), naive(ALL[name], X, s)
    if "tan" in name:
        weights = np.zeros((5, 5))
        for i, k in combinations(range(5), 2):
            weights[i, k] = weights[k, i] = loops.weight(i, k)
        assert fitted.tree_.tolist() == maximum_spanning_tree(weights).tolist()
    else:
        assert fitted.tree_.tolist() == [-1] * 5
    for i, parent in enumerate(fitted.tree_):
        expected = loops.single(i) if parent < 0 else loops.given(i, parent)
        np.testing.assert_allclose(np.exp(fitted.feature_log_prob_[i]), expected, rtol=1e-9)
    odds = [loops.log_odds(row, fitted.tree_) for row in X[:20].tolist()]
    np.testing.assert_allclose(fitted.decision_function(X[:20]), odds, atol=1e-9)
    np.testing.assert_allclose(fitted.predict_proba(X[:20])[:, 1], expit(odds), atol=4e-7)
    assert fitted.predict(X[:20]).tolist() == [int(value > 0) for value in odds]


@EVERY
@pytest.mark.parametrize("prior", [1e-9, 0.5, 1 - 1e-9])
def test_every_table_sums_to_one_and_scores_stay_finite(name, prior):
    X, s = data(40, [3, 2, 4, 9, 1], seed=1)
    X[:, 3] %= 4  # five of the nine levels have no row
    estimator = declared(ALL[name], [3, 2, 4, 9, 1])
    if "a" in name[:1]:
        estimator.set_params(alpha=1 / prior, beta=1 / (1 - prior) + 1e-6)
    else:
        estimator.set_params(class_prior=prior)
    fitted = estimator.fit(X, s)
    for table in fitted.feature_log_prob_:
        np.testing.assert_allclose(np.exp(table).sum(-1), 1, rtol=1e-12)
    np.testing.assert_allclose(np.exp(fitted.class_log_prior_).sum(), 1)
    assert np.isfinite(fitted.decision_function(X)).all()


def test_without_clipping_apnb_has_the_likelihoods_of_pnb_at_another_prior():
    # seed and size such that no estimate is clipped: 1 in 4 of many rows is positive, the columns differ a little
    random = np.random.RandomState(0)
    positive = random.rand(20_000) < 0.25
    X = (random.rand(20_000, 3, 1) > np.where(positive[:, None, None], [0.3, 0.7], [0.4, 0.75])).sum(2)
    s = (positive & (random.rand(20_000) < 0.3)).astype(int)
    averaged = declared(APNBClassifier(), [3, 3, 3]).fit(X, s)
    prior = 4.4 / (4.4 + 13.17 - 1)
    assert round(prior, 4) == 0.2655
    plain = declared(PNBClassifier(prior), [3, 3, 3]).fit(X, s)
    negatives = (1 - prior) * (s == 0).sum()
    for one, other in zip(averaged.feature_log_prob_, plain.feature_log_prob_, strict=True):
        np.testing.assert_allclose(one[1], other[1])
        before_laplace = (np.exp(other[0]) * (3 + negatives) - 1) / negatives
        assert before_laplace.min() > 0
        np.testing.assert_allclose(np.exp(one[0]), before_laplace, rtol=1e-9)


@pytest.mark.parametrize(("tree", "plain"), [("ptan", "pnb"), ("aptan", "apnb")])
def test_with_one_attribute_there_is_no_tree(tree, plain):
    X, s = data(levels=[4])
    one, other = (declared(ALL[name], [4]).fit(X, s) for name in (tree, plain))
    assert one.tree_.tolist() == [-1]
    np.testing.assert_array_equal(one.feature_log_prob_[0], other.feature_log_prob_[0])
    np.testing.assert_array_equal(one.predict_proba(X), other.predict_proba(X))


def all_spanning_trees(m):
    """Edges of each spanning tree of m attributes: all sets of m - 1 edges that reach every attribute."""
    for chosen in combinations(list(combinations(range(m), 2)), m - 1):
        reached = {0}
        for _ in range(m):
            reached |= {end for edge in chosen for end in edge if reached & set(edge)}
        if len(reached) == m:
            yield chosen


@pytest.mark.parametrize("m", [2, 3, 4, 5, 6])
@pytest.mark.parametrize("values", [1000, 3])
def test_no_spanning_tree_has_a_larger_sum(m, values):
    random = np.random.RandomState(m)
    trees = list(all_spanning_trees(m))
    assert len(trees) == m ** (m - 2)
    for _ in range(4):
        weights = np.triu(random.randint(-values, values, (m, m)), 1).astype(float)
        weights += weights.T
        parents = maximum_spanning_tree(weights)
        assert (parents < 0).tolist() == [True] + [False] * (m - 1)
        assert edges(parents) in [{frozenset(edge) for edge in tree} for tree in trees]
        assert sum(weights[i, parents[i]] for i in range(1, m)) == max(
            sum(weights[edge] for edge in tree) for tree in trees
        )


def test_of_equal_edges_the_lowest_indices_are_taken_whatever_rounding_says():
    assert maximum_spanning_tree(np.ones((5, 5))).tolist() == [-1, 0, 0, 0, 0]
    weights = np.full((4, 4), 0.3)
    weights[0, 3] = weights[3, 0] = 0.1 + 0.2  # larger by rounding
    weights[1, 2] = weights[2, 1] = 0.3 + 1e-16
    assert maximum_spanning_tree(weights).tolist() == [-1, 0, 0, 0]
    # 2 is reached first and from it both others; 1 is then as near to 3 as 2 is
    weights = np.array([[0, 1, 5, 1], [1, 0, 2, 3], [5, 2, 0, 3], [1, 3, 3, 0.0]])
    assert maximum_spanning_tree(weights).tolist() == [-1, 3, 0, 2]
    weights[1, 2] = weights[2, 1] = 4.0
    assert maximum_spanning_tree(weights).tolist() == [-1, 2, 0, 1], "of parents 1 and 2 the lower"


@pytest.mark.parametrize("name", ["ptan", "aptan"])
@pytest.mark.parametrize("related", [True, False])
def test_equal_columns_tie_though_their_levels_have_other_codes(name, related):
    X, s = data(20_000)
    if not related:  # weights are near 0
        X = np.random.RandomState(1).randint(0, LEVELS, X.shape)
    copy = np.array([2, 0, 1])[X[:, [0]]]
    levels = [4, 3, 3, 2]
    trees = [declared(ALL[name], levels).fit(np.hstack([X[:, [2]], pair, X[:, [3]]]), s).tree_.tolist()
             for pair in (np.hstack([X[:, [0]], copy]), np.hstack([copy, X[:, [0]]]))]  # fmt: skip
    assert trees[0] == trees[1]


@EVERY
def test_the_order_of_rows_columns_and_levels_does_not_matter(name):
    X, s = data()
    fitted = declared(ALL[name]).fit(X, s)
    scores = fitted.decision_function(X)
    random = np.random.RandomState(0)
    rows = random.permutation(len(X))
    np.testing.assert_array_equal(declared(ALL[name]).fit(X[rows], s[rows]).decision_function(X), scores)
    codes = [random.permutation(r) for r in LEVELS]
    recoded = np.column_stack([code[column] for code, column in zip(codes, X.T, strict=True)])
    np.testing.assert_array_equal(declared(ALL[name]).fit(recoded, s).decision_function(recoded), scores)
    columns = np.append(0, 1 + random.permutation(4))  # attribute 0 stays the root
    levels = [LEVELS[i] for i in columns]
    permuted = declared(ALL[name], levels).fit(X[:, columns], s)
    np.testing.assert_array_equal(permuted.decision_function(X[:, columns]), scores)
    other_root = [3, 1, 0, 2, 4]
    turned = declared(ALL[name], [LEVELS[i] for i in other_root]).fit(X[:, other_root], s)
    there = {frozenset(other_root[i] for i in edge) for edge in edges(turned.tree_)}
    assert there == edges(fitted.tree_), "another root turns edges round"


@EVERY
@pytest.mark.parametrize("place", [0, 2, 5])
def test_a_constant_column_changes_nothing(name, place):
    X, s = data()
    scores = declared(ALL[name]).fit(X, s).decision_function(X)
    more = np.insert(X, place, 0, axis=1)
    levels = np.insert(LEVELS, place, 1).tolist()
    np.testing.assert_array_equal(declared(ALL[name], levels).fit(more, s).decision_function(more), scores)


@EVERY
def test_weights_count_rows(name):
    X, s = data()
    weight = np.random.RandomState(0).randint(0, 4, len(X))
    expected = declared(ALL[name]).fit(X.repeat(weight, 0), s.repeat(weight)).decision_function(X)
    np.testing.assert_array_equal(declared(ALL[name]).fit(X, s, weight).decision_function(X), expected)


def test_a_value_outside_its_domain_is_skipped():
    X, s = data()
    naive_bayes = declared(PNBClassifier(0.3)).fit(X, s)
    without = declared(PNBClassifier(0.3), LEVELS[1:]).fit(X[:, 1:], s).decision_function(X[:, 1:])
    for value in (-1, 3, 99, 0.5, 1e300):
        new = X.astype(float)
        new[:, 0] = value
        np.testing.assert_allclose(naive_bayes.decision_function(new), without, atol=1e-10)
    nothing = np.full((1, 5), 99)
    prior = np.log(0.3 / 0.7)
    assert naive_bayes.decision_function(nothing) == pytest.approx(prior)
    assert declared(PTANClassifier(0.3)).fit(X, s).decision_function(nothing) == pytest.approx(prior)


def test_below_a_value_outside_its_domain_tables_have_no_parent():
    X, s = data()
    fitted, loops = declared(PTANClassifier(0.3)).fit(X, s), naive(PTANClassifier(0.3), X, s)
    parent = int(np.bincount(fitted.tree_[1:]).argmax())
    tree = [-2 if i == parent else -1 if above == parent else above for i, above in enumerate(fitted.tree_.tolist())]
    expected = np.log(0.3 / 0.7)
    for i, above in enumerate(tree):
        if above == -2:
            continue
        negative, positive = loops.single(i)
        if above >= 0:
            negative, positive = (table[X[0, above]] for table in loops.given(i, above))
        expected += np.log(positive[X[0, i]] / negative[X[0, i]])
    row = X[0].copy()
    row[parent] = 77
    assert fitted.decision_function([row]) == pytest.approx(expected)


def test_a_tie_is_negative():
    # both levels are equally frequent in both classes
    X, s = np.array([[0], [1], [0], [1]]), np.array([1, 1, 0, 0])
    fitted = declared(PNBClassifier(0.5), [2]).fit(X, s)
    assert fitted.decision_function(X).tolist() == [0] * 4
    assert fitted.predict(X).tolist() == [0] * 4


def simulated(n, seed):
    """Rows of two trees over four attributes, one for each class, with their classes."""
    random = np.random.RandomState(seed)
    y = random.rand(n) < 0.4
    tables = np.random.RandomState(7).dirichlet([3.0] * 3, (2, 4, 3))
    X = np.zeros((n, 4), int)
    for i, parent in enumerate([None, 0, 1, 1]):
        above = np.zeros(n, int) if parent is None else X[:, parent]
        cumulative = tables[y.astype(int), i, above].cumsum(1)
        X[:, i] = (random.rand(n, 1) > cumulative[:, :2]).sum(1)
    return X, y


def test_with_the_class_prior_known_negatives_come_to_be_those_of_supervised_learning():
    """`exact_parent` converges to the tables of the negatives; the printed form need not, and does not here."""
    errors = {}
    for n in (1000, 100_000):
        X, y = simulated(2 * n, seed=1)
        s = y & (np.arange(2 * n) < n)  # half of the rows: all positives are labeled; those of the others are not
        kept = s | (np.arange(2 * n) >= n)
        unlabeled = kept & ~s
        for exact in (True, False):
            model = declared(PTANClassifier(y[unlabeled].mean(), exact_parent=exact), [3] * 4).fit(X[kept], s[kept])
            largest = 0.0
            for i, parent in enumerate(model.tree_):
                rows = X[unlabeled & ~y]
                if parent < 0:
                    expected = np.bincount(rows[:, i], minlength=3) / len(rows)
                else:
                    counts = np.zeros((3, 3))
                    np.add.at(counts, (rows[:, parent], rows[:, i]), 1)
                    expected = counts / counts.sum(1, keepdims=True)
                largest = max(largest, np.abs(np.exp(model.feature_log_prob_[i][0]) - expected).max())
            errors[n, exact] = largest
        assert edges(model.tree_) == {frozenset(edge) for edge in ((0, 1), (1, 2), (1, 3))}
    assert errors[100_000, True] < min(0.02, errors[1000, True])
    assert errors[100_000, False] > 0.05


def test_export_text_names_attributes_below_their_parents():
    X, s = data()
    fitted = declared(PTANClassifier(0.3)).fit(X, s)
    lines = fitted.export_text(list("abcde"), decimals=3).splitlines()
    assert lines[0] == f"class prior: {np.log(0.3 / 0.7):.3f}"
    assert lines[1].startswith("a: ")
    assert len(lines) == 2 + sum(LEVELS[parent] for parent in fitted.tree_[1:])
    child = int(np.flatnonzero(fitted.tree_ == 0)[0])
    negative, positive = fitted.feature_log_prob_[child]
    numbers = " ".join(f"{value:.3f}" for value in (positive - negative)[1])
    assert f"|   {'abcde'[child]} | a = 1: {numbers}" in lines
    assert declared(PNBClassifier(0.3)).fit(X, s).export_text().splitlines()[5].startswith("x4: ")
    with pytest.raises(ValueError, match="2 names"):
        fitted.export_text(["a", "b"])


@pytest.mark.parametrize(
    ("estimator", "name"),
    [(PNBClassifier(value), "class_prior") for value in (None, 0, 1, "a")]
    + [(PTANClassifier(0.3, clip_cmi="no"), "clip_cmi"), (PTANClassifier(0.3, exact_parent=2), "exact_parent")]
    + [(APNBClassifier(alpha=0), "alpha"), (APNBClassifier(beta=1), "beta"), (APNBClassifier(neg_fill="x"), "neg_fill")]
    + [(APTANClassifier(eq7="x"), "eq7"), (PNBClassifier(0.3, n_bins=0), "n_bins")],
)
def test_parameters_are_checked(estimator, name):
    X, s = data()
    with pytest.raises(ValueError, match=name):
        estimator.fit(X, s)


def test_a_table_of_all_rows_is_read_by_hand():
    """Two attributes: each number of PNB from the definition."""
    X = np.array([[0, 0], [0, 1], [0, 0], [1, 0], [1, 1], [1, 1], [0, 1]])
    s = np.array([1, 1, 0, 0, 0, 0, 0])
    fitted = declared(PNBClassifier(0.2), [2, 2]).fit(X, s)
    # attribute 0: positives (3/4, 1/4); 5 unlabeled rows, 2 and 3; left 2 - 0.75 and 3 - 0.25; 4 negatives
    np.testing.assert_allclose(np.exp(fitted.feature_log_prob_[0]), [[2.25 / 6, 3.75 / 6], [0.75, 0.25]])
