"""Rank Pruning: the noise rate, what is pruned, and the whole against a plain re-implementation."""

import warnings

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold

from scarce.methods.rank_pruning import RankPruningClassifier, _kept, noise_rate
from tests.contract.method_checks import pu_data


def test_noise_rate_by_hand():
    """The mean labeled row has 0.6; of the four rows from there on two are unlabeled."""
    s = np.array([1, 1, 1, 0, 0, 0, 0])
    probability = np.array([0.8, 0.7, 0.3, 0.9, 0.6, 0.5, 0.1])
    assert noise_rate(s, probability) == 0.5


def test_noise_rate_of_equal_probabilities():
    """The mean of equal values can round above them; then no row would be left to count."""
    s, probability = np.array([1, 1, 1, 0, 0, 0]), np.full(6, 0.1)
    assert probability[s == 1].mean() > 0.1
    assert noise_rate(s, probability) == 0.5


def test_noise_rate_stays_below_one():
    assert noise_rate(np.array([1] + [0] * 100_000), np.full(100_001, 0.5)) == 0.9999


def naive(X, s, new, seed):
    """Row by row, after section 5 of the authors' protocol."""
    g, rates = {}, []
    for rest, fold in StratifiedKFold(3, shuffle=True, random_state=seed).split(X, s):
        model = LogisticRegression(C=np.inf, max_iter=1000).fit(X[rest], s[rest])
        for i, p in zip(fold, model.predict_proba(X[fold])[:, 1], strict=True):
            g[i] = p
        bound = np.mean([g[i] for i in fold if s[i] == 1])
        above = [s[i] for i in fold if g[i] >= bound]
        rates.append(above.count(0) / len(above))
    rho = np.mean(rates)
    share = np.mean(s)
    hidden = int((s == 0).sum() * rho * (share / (1 - rho)) / (1 - share))
    ranked = sorted((i for i in range(len(s)) if s[i] == 0), key=lambda i: -g[i])
    kept = [i for i in range(len(s)) if i not in ranked[:hidden]]
    weight = [1 / (1 - rho) if s[i] else 1 for i in kept]
    model = LogisticRegression(C=np.inf, max_iter=1000).fit(X[kept], s[kept], sample_weight=weight)
    return rho, hidden, model.predict_proba(new)[:, 1]


@pytest.mark.parametrize("seed", range(4))
def test_equals_a_plain_implementation(seed):
    X, s, new = pu_data(400, 50, seed)
    rho, hidden, scores = naive(X, s, new, seed)
    model = RankPruningClassifier(random_state=seed).fit(X, s)
    assert model.noise_rate_ == pytest.approx(rho)
    assert model.n_pruned_ == hidden > 0
    np.testing.assert_allclose(model.predict_proba(new)[:, 1], scores, rtol=1e-6)
    assert model.notes_ == []


def test_ten_unlabeled_rows_stay():
    """The labeled rows lie among the unlabeled ones, so that all of these would be taken for hidden positives."""
    random = np.random.RandomState(0)
    X, s = random.normal(size=(60, 2)), np.repeat([1, 0], [40, 20])
    model = RankPruningClassifier(random_state=0).fit(X, s)
    assert 0 < model.n_pruned_ <= 10


def test_no_more_than_ten_unlabeled_rows_are_never_pruned():
    random = np.random.RandomState(0)
    model = RankPruningClassifier(random_state=0).fit(random.normal(size=(50, 2)), np.repeat([1, 0], [40, 10]))
    assert model.n_pruned_ == 0


@pytest.mark.parametrize("labeled", [2, 3])
def test_fewer_labeled_rows_than_folds(labeled):
    X, _, new = pu_data()
    s = np.zeros(len(X), int)
    s[:labeled] = 1
    model = RankPruningClassifier(random_state=0).fit(X, s)
    assert np.isfinite(model.predict_proba(new)).all()
    assert 0 <= model.noise_rate_ < 1


def test_one_labeled_row_is_plain_logistic_regression():
    X, _, new = pu_data()
    s = np.zeros(len(X), int)
    s[X[:, 0].argsort()[len(X) // 2]] = 1
    model = RankPruningClassifier(scores="sigmoid").fit(X, s)
    plain = LogisticRegression(C=np.inf, max_iter=1000).fit(X, s)
    np.testing.assert_array_equal(model.predict_proba(new), plain.predict_proba(new))
    assert "too few rows for cross-validation" in model.notes_[0]


def test_separable_data_rank_beyond_certainty():
    """Unpenalised log-odds of separable rows have no bound; far rows still differ."""
    X = np.arange(-50.0, 50.0)[:, None]
    model = RankPruningClassifier(random_state=0).fit(X, (X[:, 0] >= 0).astype(int))
    assert (np.diff(model.predict_proba([[100.0], [200.0], [300.0]])[:, 1]) > 0).all()


def test_constant_columns_change_nothing():
    X, s, new = pu_data(400, 50)
    one = RankPruningClassifier(random_state=0).fit(X, s).predict_proba(new)
    two = RankPruningClassifier(random_state=0).fit(np.c_[X, np.zeros(400)], s).predict_proba(np.c_[new, np.zeros(40)])
    np.testing.assert_allclose(one, two, atol=1e-9)


def test_stopping_early_is_one_note_and_no_warning():
    X, s, _ = pu_data()
    with warnings.catch_warnings():
        warnings.simplefilter("error", ConvergenceWarning)
        model = RankPruningClassifier(max_iter=1, random_state=0).fit(X, s)
    assert model.notes_ == ["logistic regression stopped at 1 iterations before it converged"]


@pytest.mark.parametrize("wrong", [{"n_splits": 1}, {"n_splits": 2.5}, {"scores": "logit"}])
def test_wrong_arguments(wrong):
    X, s, _ = pu_data()
    with pytest.raises(ValueError, match=next(iter(wrong))):
        RankPruningClassifier(**wrong).fit(X, s)


def test_weights_are_repeated_rows_in_the_noise_rate_and_the_pruning():
    random, pruned = np.random.RandomState(0), 0
    for _ in range(20):
        s = (np.arange(80) < 20).astype(int)
        probability, weight = random.rand(80) * (0.5 + 0.5 * s), random.randint(1, 4, 80)
        rows = np.repeat(np.arange(80), weight)
        rate = noise_rate(s, probability, weight)
        assert rate == pytest.approx(noise_rate(s[rows], probability[rows]))
        kept = _kept(s, probability, rate, weight.astype(float))
        np.testing.assert_array_equal(kept[rows], _kept(s[rows], probability[rows], rate, np.ones(len(rows))))
        pruned += (~kept).sum()
    assert pruned > 50
