"""What every method must do, whatever it learns: checks to run over a table of estimators.

`ESTIMATORS` gives small constructor arguments; `EXPECTED_FAILURES` the checks of scikit-learn that a method of
positive-unlabeled data cannot pass, each with its reason.
"""

from __future__ import annotations

import importlib

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.utils.estimator_checks import check_estimator

# class as module:name -> constructor arguments that make it fast
ESTIMATORS: dict[str, dict] = {
    "scarce.methods.weighted_logistic:PUWeightedLogisticRegression": {},
    "scarce.methods.bagging:PUBaggingClassifier": {"n_estimators": 7, "random_state": 0},
    "scarce.methods.boosted_risks:BoostedRiskClassifier": {"class_prior": 0.5, "n_estimators": 7},
    "scarce.methods.rank_pruning:RankPruningClassifier": {"random_state": 0},
    "scarce.methods.elkan_noto:ElkanNotoClassifier": {"random_state": 0},
    "scarce.methods.spy_em:SpyEMClassifier": {"random_state": 0},
    "scarce.methods.sampling:SamplingWrapper": {"n_folds": 2, "random_state": 0},
    "scarce.methods.adasyn:ADASYNRandomForestClassifier": {"n_estimators": 7, "random_state": 0},
}

ONLY_TWO_CODES = (
    "fits the classes 1 and 2 (or names); observed labels are 1 and 0, -1 or False, and all else is an error"
)

# name of a scikit-learn check -> why a PU method cannot pass it
EXPECTED_FAILURES: dict[str, str] = {
    "check_fit_score_takes_y": "fit takes s, the observed label: y is the true label throughout",
    "check_estimators_dtypes": ONLY_TWO_CODES,
    "check_classifier_data_not_an_array": ONLY_TWO_CODES,
    "check_classifiers_classes": ONLY_TWO_CODES,
    "check_fit2d_1feature": ONLY_TWO_CODES,
}


def make(target: str, **arguments):
    """A new estimator of the table, with further arguments."""
    module, _, name = target.partition(":")
    return getattr(importlib.import_module(module), name)(**ESTIMATORS.get(target, {}) | arguments)


def pu_data(n: int = 120, labeled: int = 12, seed: int = 0, n_features: int = 4):
    """Two overlapping Gaussian groups; X, s and new rows."""
    random = np.random.RandomState(seed)
    positives = 2 * labeled
    X = random.normal(size=(n, n_features))
    X[:positives] += 1.5
    s = np.zeros(n, int)
    s[:labeled] = 1
    order = random.permutation(n)
    return X[order], s[order], random.normal(size=(40, n_features)) + 0.5


def check_fit_gives_itself(estimator):
    X, s, _ = pu_data()
    assert estimator.fit(X, s) is estimator
    assert len(estimator.classes_) == 2
    assert estimator.classes_[1] == 1
    assert estimator.n_features_in_ == X.shape[1]
    assert all(isinstance(note, str) for note in getattr(estimator, "notes_", []))
    assert hasattr(estimator, getattr(estimator, "score_function", "predict_proba"))


def check_scores(estimator):
    X, s, new = pu_data()
    for rows in (new, X, new[:1]):
        scores = estimator.fit(X, s).predict_proba(rows)
        assert scores.shape == (len(rows), 2)
        assert np.isfinite(scores).all()
        assert scores.min() >= 0
        assert scores.max() <= 1
        np.testing.assert_allclose(scores.sum(1), 1)
    assert set(estimator.predict(new)) <= set(estimator.classes_)


def check_learns(estimator):
    X, s, _ = pu_data(400, 60)
    score = estimator.fit(X, s).predict_proba(np.array([np.full(4, 2.0), np.full(4, -1.0)]))[:, 1]
    assert score[0] > score[1]


def check_label_codings(estimator):
    X, s, new = pu_data()
    codings = [s, np.where(s, 1, -1), s.astype(bool), s.astype(float), s.astype(np.int8), s.tolist()]
    codings += [s.astype(object), s.astype(bool).astype(object)]
    first, *others = (clone(estimator).fit(X, coding).predict_proba(new) for coding in codings)
    for scores in others:
        np.testing.assert_array_equal(scores, first)
    for coding in codings:  # so that scikit-learn's scorers compare like with like
        fitted = clone(estimator).fit(X, coding)
        assert set(fitted.predict(X)) <= set(np.asarray(coding)[:]) | set(fitted.classes_)
        assert set(np.asarray(coding)) == set(fitted.classes_)


def check_layouts_of_features(estimator):
    X, s, new = pu_data()
    apart = np.zeros((2 * len(X), 2 * X.shape[1]))
    apart[::2, ::2] = X
    first = clone(estimator).fit(X, s).predict_proba(new)
    for rows, scored in ((np.asfortranarray(X), np.asfortranarray(new)), (apart[::2, ::2], new), (X.tolist(), new)):
        np.testing.assert_array_equal(clone(estimator).fit(rows, s).predict_proba(scored), first)


def check_wrong_labels(estimator):
    X, s, _ = pu_data()
    for wrong in (s + 1, np.where(s, 1, np.nan), np.where(s, "yes", "no"), np.where(s, 1, 2)):
        with pytest.raises(ValueError, match=r"observed label|NaN"):
            clone(estimator).fit(X, wrong)


def check_nothing_labeled(estimator):
    X, s, _ = pu_data()
    for none in (np.zeros_like(s), np.full_like(s, -1), np.zeros(len(s), bool)):
        with pytest.raises(ValueError, match="no labeled positive"):
            clone(estimator).fit(X, none)


def check_one_labeled(estimator):
    X, _, new = pu_data()
    s = np.zeros(len(X), int)
    s[7] = 1
    scores = clone(estimator).fit(X, s).predict_proba(new)
    assert scores.shape == (len(new), 2)
    assert np.isfinite(scores).all()


def check_deterministic(estimator):
    X, s, new = pu_data()
    one, two = clone(estimator).fit(X, s), clone(estimator).fit(X, s)
    np.testing.assert_array_equal(one.predict_proba(new), two.predict_proba(new))
    np.testing.assert_array_equal(one.predict_proba(new), one.fit(X, s).predict_proba(new))


def check_global_generator_untouched(estimator):
    X, s, new = pu_data()
    before = np.random.get_state()[1].copy()  # noqa: NPY002
    clone(estimator).fit(X, s).predict_proba(new)
    assert np.array_equal(before, np.random.get_state()[1])  # noqa: NPY002


def check_inputs_untouched(estimator):
    X, s, new = pu_data()
    kept = X.copy(), s.copy(), new.copy()
    for array in (X, s, new):
        array.setflags(write=False)
    clone(estimator).fit(X, s).predict_proba(new)
    for now, then in zip((X, s, new), kept, strict=True):
        np.testing.assert_array_equal(now, then)


def check_clone_and_parameters(estimator):
    X, s, _ = pu_data()
    before = estimator.get_params()
    estimator.fit(X, s)
    assert estimator.get_params() == before
    assert not hasattr(clone(estimator), "classes_")
    assert repr(clone(estimator)) == repr(estimator)


def check_unseen_values(estimator):
    X, s, _ = pu_data()
    X[:, 0] = np.round(X[:, 0])
    X[:, 1] = 3.0  # constant
    new = np.array([[99.0, 3.0, 0, 0], [-99.0, -7.0, 0, 0], [0.5, 1e6, 1e6, -1e6]])
    assert np.isfinite(clone(estimator).fit(X, s).predict_proba(new)).all()


def check_scores_do_not_depend_on_the_batch(estimator):
    X, s, new = pu_data()
    estimator.fit(X, s)
    together = estimator.predict_proba(new)[:, 1]
    alone = np.concatenate([estimator.predict_proba(row[None])[:, 1] for row in new])
    np.testing.assert_allclose(alone, together, rtol=0, atol=1e-12)


CHECKS = [
    function for name, function in sorted(globals().items()) if name.startswith("check_") and name != "check_estimator"
]


def sklearn_failures(estimator, expected: dict[str, str] = EXPECTED_FAILURES) -> list[str]:
    """Checks of scikit-learn that fail without being expected to, and expected failures that pass."""
    results = check_estimator(estimator, expected_failed_checks=expected, on_fail=None, on_skip=None)
    wrong = [f"{one['check_name']}: {one['exception']!r}" for one in results if one["status"] == "failed"]
    stale = {one["check_name"] for one in results if one["expected_to_fail"] and one["status"] == "passed"}
    return wrong + [f"{name}: expected to fail, passes" for name in sorted(stale)]
