"""The thin methods pass what every method must pass, scikit-learn's own checks included."""

import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

from tests.contract import method_checks as contract

OWN = [target for target in contract.ESTIMATORS if target.startswith("scarce.methods.")]


@parametrize_with_checks(
    [contract.make(target) for target in OWN], expected_failed_checks=lambda _: contract.EXPECTED_FAILURES
)
def test_scikit_learn(estimator, check):
    check(estimator)


@pytest.mark.parametrize("check", contract.CHECKS, ids=lambda check: check.__name__)
@pytest.mark.parametrize("target", OWN)
def test_positive_unlabeled(target, check):
    check(contract.make(target))


def test_excuses_are_still_needed():
    """An expected failure that passes is an excuse to strike off."""
    assert contract.sklearn_failures(contract.make(OWN[0])) == []


@pytest.mark.parametrize("target", OWN)
def test_no_unlabeled_row_is_a_clear_error(target):
    with pytest.raises(ValueError, match="no unlabeled row"):
        contract.make(target).fit([[0.0], [1.0]], [1, 1])
