"""ADASYN with a forest: oversampling is used, its failure is recorded, and only training rows take part."""

import numpy as np
import pytest
from imblearn.over_sampling import ADASYN
from sklearn.ensemble import RandomForestClassifier
from sklearn.metrics import average_precision_score
from threadpoolctl import threadpool_limits

from scarce.methods.adasyn import ADASYNRandomForestClassifier

FOUR_LABELED = """
-1.1788,-1.1482 0.6695,-2.2939 -0.1434,-2.2561 1.1010,0.2029 1.3563,-0.5042 0.3982,-0.2859 -0.7383,0.1453
-1.2572,-0.3547 0.6966,0.0575 -0.4103,2.1895 0.0582,-0.5868 0.1596,-0.5228 -0.3851,-0.3502 2.0253,0.0226
0.1756,0.6742 2.0169,-0.2237 -0.6239,2.4746 -1.4596,-0.3672 0.6669,2.2836 -0.9499,-2.4277 0.6616,-0.5217
-0.3875,0.4613 0.2237,0.2910 -0.4311,1.2893 1.5050,0.0320 -0.4519,0.7333 0.4778,-1.0404 -0.4602,1.0492
-0.0963,-0.3288 0.2125,-0.0335 -0.0025,-1.9306 1.7493,0.1994 -0.8766,0.9795 0.3089,0.0176 1.0480,2.2609
0.5536,1.5851 2.1573,-1.0209 -0.5232,0.7763 -1.7080,-0.2672 1.2929,1.0432 0.5795,-1.8953 2.3509,0.5509
0.7671,0.4948 -1.7162,-1.4349 -1.2166,1.9181 -0.8310,-0.2422 0.8472,1.3425 1.3004,1.1607 0.2430,-0.8833
1.0999,1.1608
"""


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


@pytest.mark.parametrize("labeled", [2, 3, 4, 5, 6])
def test_few_labeled_rows_lower_the_neighbours_with_a_note(labeled):
    X, s = data(1.0, labeled=labeled)
    model = ADASYNRandomForestClassifier(10, random_state=0).fit(X, s)
    expected = ADASYN(n_neighbors=min(5, labeled - 1), random_state=0).fit_resample(X, s)
    assert (model.fallback_, model.n_resampled_) == (None, len(expected[1]))
    assert model.n_resampled_ > 300
    few = [f"ADASYN looks at {labeled - 1} neighbours instead of 5: the rarer class has {labeled} rows"]
    assert model.notes_ == (few if labeled < 6 else [])
    plain = RandomForestClassifier(10, random_state=0).fit(*expected)
    np.testing.assert_array_equal(model.predict_proba(X)[:, 1], plain.predict_proba(X)[:, 1])
    model.fit(*data(1.0))
    assert (model.fallback_, model.notes_) == (None, [])


def test_the_authors_leave_the_neighbours_and_fall_back():
    X, s = data(1.0, labeled=4)
    model = ADASYNRandomForestClassifier(10, lower_neighbors=False, random_state=0).fit(X, s)
    assert "n_neighbors" in model.fallback_
    assert model.notes_ == [model.fallback_]
    assert model.n_resampled_ == len(X)


def test_few_unlabeled_rows_lower_the_neighbours_as_well():
    X, s = data(1.0, labeled=196)
    model = ADASYNRandomForestClassifier(10, random_state=0).fit(X, s)
    assert "3 neighbours instead of 5" in model.notes_[0]
    assert model.n_resampled_ > 300


def test_the_case_of_four_labeled_rows():
    """Its 50 rows become 92."""
    X = np.loadtxt(FOUR_LABELED.split(), delimiter=",")
    model = ADASYNRandomForestClassifier(random_state=0).fit(X, np.arange(50) >= 46)
    assert (model.n_resampled_, model.fallback_) == (92, None)


@pytest.mark.parametrize("labeled", [1, 199])
def test_a_single_row_falls_back(labeled):
    X, s = data(1.0, labeled=labeled)
    model = ADASYNRandomForestClassifier(10, random_state=0).fit(X, s)
    assert "the rarer class has a single row" in model.fallback_
    assert model.notes_ == [model.fallback_]
    assert model.n_resampled_ == len(X)
    plain = RandomForestClassifier(10, random_state=0).fit(X, s)
    np.testing.assert_array_equal(model.predict_proba(X)[:, 1], plain.predict_proba(X)[:, 1])


@pytest.mark.parametrize("n_neighbors", [0, -1, "five"])
def test_what_is_no_number_of_neighbours_is_said(n_neighbors):
    model = ADASYNRandomForestClassifier(10, n_neighbors=n_neighbors, random_state=0).fit(*data(1.0, labeled=3))
    assert "n_neighbors" in model.fallback_


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
