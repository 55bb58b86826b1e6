"""What every method must do, whatever it learns: checks to run over a table of estimators."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.base import clone


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
    codings = [s, np.where(s, 1, -1), s.astype(bool), s.astype(float), s.astype(np.int8), s.tolist(), s + 1]
    codings += [s.astype(object), s.astype(bool).astype(object), np.where(s, "yes", "no")]
    expected = clone(estimator).fit(X, s).predict_proba(new)
    for coding in codings:
        fitted = clone(estimator).fit(X, coding)
        np.testing.assert_array_equal(fitted.predict_proba(new), expected)
        assert sorted(set(np.asarray(coding).tolist())) == fitted.classes_.tolist()
        assert set(fitted.predict(X)) <= set(fitted.classes_)


def check_layouts_of_features(estimator):
    X, s, new = pu_data()
    apart = np.zeros((2 * len(X), 2 * X.shape[1]))
    apart[::2, ::2] = X
    first = clone(estimator).fit(X, s).predict_proba(new)
    for rows, scored in ((np.asfortranarray(X), np.asfortranarray(new)), (apart[::2, ::2], new), (X.tolist(), new)):
        np.testing.assert_array_equal(clone(estimator).fit(rows, s).predict_proba(scored), first)


def check_wrong_labels(estimator):
    X, s, _ = pu_data()
    mixed = s.astype(object)
    mixed[0] = "a"
    for wrong in (np.where(s, 1, np.nan), s + 2 * (np.arange(len(s)) < 2), s + 0.5, mixed, s[:-1]):
        with pytest.raises(ValueError, match=r"NaN|two values|label type|no order|inconsistent"):
            clone(estimator).fit(X, wrong)


def check_weights(estimator):
    """Rows of weight 0 are left out; equal weights are none; others count, or are refused with a reason."""
    X, s, new = pu_data()
    present = np.arange(len(s)) % 5 > 0
    expected = clone(estimator).fit(X[present], s[present]).predict_proba(new)
    zeros = clone(estimator).fit(X, s, sample_weight=present.astype(float))
    np.testing.assert_allclose(zeros.predict_proba(new), expected, atol=1e-9)
    weight = np.where(np.arange(len(s)) % 3 == 0, 3.0, 1.0)
    if estimator._weights_refused:
        with pytest.raises(ValueError, match="cannot use weights that differ"):
            clone(estimator).fit(X, s, weight)
    else:
        weighted, plain = (clone(estimator).fit(X, s, w).predict_proba(new) for w in (weight, None))
        assert np.abs(weighted - plain).max() > 1e-6
    with pytest.raises(ValueError, match="no labeled positive"):
        clone(estimator).fit(X, s, 1 - s)


def check_log_probabilities(estimator):
    X, s, new = pu_data()
    fitted = clone(estimator).fit(X, s)
    np.testing.assert_allclose(np.exp(fitted.predict_log_proba(new)), fitted.predict_proba(new), atol=1e-6)


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


CONSTANTS = [0.0, 0.1, -7.0, 1e12, -1e30]


def check_constant_columns_change_nothing(estimator):
    """But for the solver's tolerance: an unpenalised constant is a second intercept."""
    X, s, new = pu_data()
    expected = clone(estimator).fit(X, s).predict_proba(new)
    for value in CONSTANTS:
        scores = _with_columns(estimator, X, s, new, [np.full(len(X), value)], [np.full(len(new), value)])
        np.testing.assert_allclose(scores, expected, rtol=0, atol=2e-3 if 0 < abs(value) < 10 else 1e-12)


def check_columns_that_vary_by_rounding_alone_are_constant(estimator):
    """Also in methods that draw features or weights: they draw the same where the column is 0."""
    X, s, new = pu_data()
    random = np.random.RandomState(1)
    noise = random.randint(0, 4, (len(X) + len(new), 6)) * np.finfo(float).eps
    columns = (1 + 2 * noise) * [1.0, 0.1, -7.0, 1e12, 1e-30, -1e30]
    columns[0, 0] = 1 + 1e-16  # which is 1
    near = _with_columns(estimator, X, s, new, columns[: len(X)].T, columns[len(X) :].T)
    zeros = np.zeros_like(columns)
    np.testing.assert_array_equal(near, _with_columns(estimator, X, s, new, zeros[: len(X)].T, zeros[len(X) :].T))


def _with_columns(estimator, X, s, new, more, more_new):
    fitted = clone(estimator).fit(np.column_stack([X, *more]), s)
    return fitted.predict_proba(np.column_stack([new, *more_new]))


def check_scores_do_not_depend_on_the_batch(estimator):
    X, s, new = pu_data()
    estimator.fit(X, s)
    together = estimator.predict_proba(new)[:, 1]
    alone = np.concatenate([estimator.predict_proba(row[None])[:, 1] for row in new])
    np.testing.assert_allclose(alone, together, rtol=0, atol=1e-12)


CHECKS = [function for name, function in sorted(globals().items()) if name.startswith("check_")]
