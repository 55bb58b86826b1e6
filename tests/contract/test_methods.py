"""Every method of config/methods.yaml, as each fidelity runs it, does what every method must do."""

from __future__ import annotations

import pytest

from scarce import registry
from scarce.config.study import MethodSpec
from scarce.config.yamlfile import read_yaml
from tests.conftest import ROOT
from tests.contract.method_checks import CHECKS

METHODS = read_yaml(ROOT / "config/methods.yaml").value
FILLED = {"$class_prior": 0.2, "$label_share": 0.1, "$seed": 3, "$repeat_seed": 3, "$categorical": []}
SMALL = {"n_estimators": 7, "n_folds": 2}
AS_CODED = "scores by a scale that depends on the scored rows and can exceed 1, as the authors' code does"
EXCUSED = {
    ("elkan_noto", "paper", "check_scores_do_not_depend_on_the_batch"): AS_CODED,
    ("elkan_noto", "paper", "check_scores"): AS_CODED,
    ("elkan_noto", "paper", "check_log_probabilities"): AS_CODED,
}


def build(name: str, fidelity: str):
    spec = MethodSpec.model_validate({"name": name} | METHODS[name])
    arguments = spec.params | getattr(spec, fidelity)
    arguments = {key: FILLED.get(value, value) if isinstance(value, str) else value for key, value in arguments.items()}
    arguments |= {key: value for key, value in SMALL.items() if key in arguments}
    return registry.find(spec.estimator).load()(**arguments)


#: Each method once for each set of arguments.
VARIANTS = [(name, "corrected") for name in METHODS] + [
    (name, "paper") for name, block in METHODS.items() if block.get("paper") != block.get("corrected")
]


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
@pytest.mark.parametrize(("name", "fidelity"), VARIANTS)
def test_method(name, fidelity, check):
    if reason := EXCUSED.get((name, fidelity, check.__name__)):
        pytest.skip(reason)
    check(build(name, fidelity))


@pytest.mark.parametrize("name", METHODS)
def test_a_method_says_where_it_comes_from(name):
    entry = registry.find(METHODS[name]["estimator"])
    assert entry.source
    assert entry.assumption in ("SCAR", "SAR", "none")
    assert entry.load().__doc__
