"""Errors that all methods of `scarce.methods` share."""

import pytest

from tests.unit.estimators.test_scikit_learn_checks import ESTIMATORS

METHODS = [estimator for estimator in ESTIMATORS if type(estimator).__module__.startswith("scarce.methods.")]


@pytest.mark.parametrize("estimator", METHODS, ids=lambda estimator: type(estimator).__name__)
def test_no_unlabeled_row_is_a_clear_error(estimator):
    with pytest.raises(ValueError, match="no unlabeled row"):
        estimator.fit([[0.0], [1.0]], [1, 1])
