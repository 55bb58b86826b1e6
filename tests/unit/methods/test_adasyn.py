"""ADASYN with a forest: oversampling is used, its failure is recorded, and only training rows take part."""

import numpy as np
import pytest
from imblearn.over_sampling import ADASYN
from sklearn.ensemble import RandomForestClassifier
from sklearn.metrics import average_precision_score
from threadpoolctl import threadpool_limits

from scarce.methods.adasyn import ADASYNRandomForestClassifier


def data(distance, n=200, labeled=20):
    random = np.random.RandomState(0)
    X = random.normal(size=(n, 2))
    X[:labeled] += distance
    return X, (np.arange(n) < labeled).astype(int)


def test_oversampling_gives_the_forest_more_rows():
    X, s = data(1.0)
    model = ADASYNRandomForestClassifier(10, random_state=0).fit(X, s)
    assert (model.fallback_, model.notes_) == (None, [])
    assert model.n_resampled_ > len(X) + 100
    plain = RandomForestClassifier(10, random_state=0).fit(X, s)
    assert not np.array_equal(model.predict_proba(X), plain.predict_proba(X))


def test_classes_far_apart_fall_back_to_the_plain_forest():
    X, s = data(1000.0)
    model = ADASYNRandomForestClassifier(10, random_state=0).fit(X, s)
    assert "no oversampling, ADASYN failed" in model.fallback_
    assert model.notes_ == [model.fallback_]
    assert model.n_resampled_ == len(X)
    plain = RandomForestClassifier(10, random_state=0).fit(X, s)
    np.testing.assert_array_equal(model.predict_proba(X)[:, 1], plain.predict_proba(X)[:, 1])
    assert average_precision_score(s, model.predict_proba(X)[:, 1]) == 1.0


def test_too_few_labeled_rows_for_the_neighbours_fall_back():
    X, s = data(1.0, labeled=2)
    model = ADASYNRandomForestClassifier(10, random_state=0).fit(X, s)
    assert model.fallback_
    model.fit(*data(1.0))
    assert (model.fallback_, model.notes_) == (None, [])


def test_generator_gives_one_seed_to_both_parts():
    X, s = data(1.0)
    one, two = (
        ADASYNRandomForestClassifier(5, random_state=np.random.RandomState(4)).fit(X, s).predict_proba(X) for _ in "ab"
    )
    np.testing.assert_array_equal(one, two)
    seed = int(np.random.RandomState(4).randint(2**31 - 1))
    np.testing.assert_array_equal(one, ADASYNRandomForestClassifier(5, random_state=seed).fit(X, s).predict_proba(X))


@pytest.mark.parametrize("seed", range(6))
def test_the_forest_is_that_of_scikit_learn(seed):
    """Continuous, rounded and duplicated features; synthetic rows make many of the labels 1."""
    random = np.random.RandomState(seed)
    X = random.normal(size=(400, 2 + seed))
    X[:, 0] = np.round(X[:, 0], 1)
    X[:, 1] = random.randint(0, 3, 400)
    s = (X[:, 0] + random.normal(size=400) > 1.8).astype(int)
    model = ADASYNRandomForestClassifier(20, random_state=seed).fit(X, s)
    assert model.fallback_ is None
    resampled = ADASYN(random_state=seed).fit_resample(X, s)
    plain = RandomForestClassifier(20, random_state=seed).fit(*resampled)
    np.testing.assert_array_equal(model.predict_proba(X)[:, 1], plain.predict_proba(X)[:, 1])


def test_threads_decide_no_tie_among_neighbours():
    random = np.random.RandomState(0)
    X = random.randint(0, 2, (3000, 18)).astype(float)  # more than 15 features: distances are computed, not looked up
    s = (random.random_sample(3000) < 0.03 + 0.05 * (X.sum(axis=1) > 10)).astype(int)
    scores = []
    for threads in (1, 2):
        with threadpool_limits(limits=threads, user_api="openmp"):
            scores.append(ADASYNRandomForestClassifier(5, random_state=0).fit(X, s).predict_proba(X))
    np.testing.assert_array_equal(*scores)
