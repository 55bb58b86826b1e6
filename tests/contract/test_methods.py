"""Every method of config/methods.yaml and of the papers, as each preset runs it, does what every method must do."""

from __future__ import annotations

import pytest

from scarce import registry
from scarce.config.methods import MethodSpec
from scarce.config.yamlfile import read_yaml
from tests.conftest import ROOT
from tests.contract.method_checks import CHECKS

FILES = [ROOT / "config/methods.yaml", *(ROOT / "src/scarce/papers").glob("*/methods.yaml")]
METHODS = {name: block for file in FILES for name, block in read_yaml(file).value.items()}
#: Arguments that each preset gives methods in place of those in their blocks.
PRESETS = {"sound": {}} | {
    name: preset.get("methods", {})
    for file in (ROOT / "src/scarce/papers").glob("*/paper.yaml")
    for name, preset in read_yaml(file).value.get("presets", {}).items()
}
FILLED = {
    "$class_prior": 0.2,
    "$label_share": 0.1,
    "$unlabeled_prior": 0.15,
    "$seed": 3,
    "$repeat_seed": 3,
    "$categorical": [],
    "$levels": [],
    "$shape": [2],
}
SMALL = {"n_estimators": 7, "n_folds": 2, "undersample": (0, 50), "smote": (0, 200)}
AS_CODED = "scores by a scale that depends on the scored rows and can exceed 1, as the authors' code does"
BY_ASSOCIATION = "learns distances from the association of attributes within a class, of which this data has none"
#: By name of a block and preset, or for all blocks of an estimator.
EXCUSED = {
    ("pulce", "check_learns"): BY_ASSOCIATION,
    ("elkan_noto", "ortega2023", "check_scores_do_not_depend_on_the_batch"): AS_CODED,
    ("elkan_noto", "ortega2023", "check_scores"): AS_CODED,
    ("elkan_noto", "ortega2023", "check_log_probabilities"): AS_CODED,
}


def build(name: str, preset: str):
    spec = MethodSpec.model_validate({"name": name} | METHODS[name])
    arguments = spec.params | PRESETS[preset].get(name, {})
    arguments = {key: FILLED.get(value, value) if isinstance(value, str) else value for key, value in arguments.items()}
    estimator = registry.find(spec.estimator).load()(**arguments)
    return estimator.set_params(**{key: value for key, value in SMALL.items() if key in estimator.get_params()})


#: Each method once for each set of arguments.
VARIANTS = [
    (name, preset) for preset, methods in PRESETS.items() for name in (METHODS if preset == "sound" else methods)
]


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
@pytest.mark.parametrize(("name", "preset"), VARIANTS)
def test_method(name, preset, check):
    for key in ((name, preset), (METHODS[name]["estimator"],)):
        if reason := EXCUSED.get((*key, check.__name__)):
            pytest.skip(reason)
    check(build(name, preset))


@pytest.mark.parametrize("name", METHODS)
def test_a_method_says_where_it_comes_from(name):
    entry = registry.find(METHODS[name]["estimator"])
    assert entry.source
    assert entry.assumption in ("SCAR", "SAR", "none")
    assert entry.load().__doc__
