"""A classifier with a threshold, against scikit-learn's own, and with methods that scikit-learn's refuses."""

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import FixedThresholdClassifier

from scarce.fitting.model import ThresholdClassifier, pipeline

X = np.arange(20.0)[:, None]
S = (np.arange(20) > 12).astype(int)


class Plain:
    """A method that is no scikit-learn estimator; its score is the first column."""

    def __init__(self, score_function=None):
        self.score_function = score_function

    def fit(self, X, y):
        return self

    def predict_proba(self, X):
        return np.column_stack([1 - X[:, 0] / 20, X[:, 0] / 20])

    def decision_function(self, X):
        return X[:, 0]


@pytest.mark.parametrize("threshold", [0.1, 0.5, 0.9])
def test_it_decides_as_that_of_scikit_learn(threshold):
    ours = ThresholdClassifier(LogisticRegression(), threshold, strict=False).fit(X, S)
    theirs = FixedThresholdClassifier(LogisticRegression(), threshold=threshold, pos_label=1).fit(X, S)
    np.testing.assert_array_equal(ours.predict(X), theirs.predict(X))
    np.testing.assert_array_equal(ours.predict_proba(X)[:, 1], theirs.predict_proba(X)[:, 1])


@pytest.mark.parametrize("strict, positives", [(True, 7), (False, 8)])
def test_a_score_at_the_threshold_is_positive_unless_strict(strict, positives):
    assert ThresholdClassifier(Plain("decision_function"), 12.0, strict=strict).fit(X, S).predict(X).sum() == positives


def test_only_what_ranks_is_given():
    shares, margins = (
        pipeline("passthrough", Plain(name), 0.5, strict=True).fit(X, S) for name in (None, "decision_function")
    )
    assert shares.predict_proba(X)[:, 1].tolist() == (X[:, 0] / 20).tolist() and not hasattr(
        shares, "decision_function"
    )
    assert margins.decision_function(X).tolist() == X[:, 0].tolist() and not hasattr(margins, "predict_proba")
    assert shares.classes_.tolist() == margins.classes_.tolist() == [0, 1]
