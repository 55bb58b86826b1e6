"""Every method of config/methods.yaml and of the papers, as each preset runs it, does what every method must do."""

from __future__ import annotations

import importlib
import importlib.util
from types import SimpleNamespace

import numpy as np
import pytest

from scarce import papers, registry
from scarce.config.methods import MethodSpec
from scarce.config.placeholders import PLACEHOLDERS
from scarce.config.yamlfile import read_yaml
from scarce.estimators.schemes import SCHEMES
from scarce.labels.file import RepeatLabels
from tests.conftest import ROOT
from tests.contract.method_checks import CHECKS

for paper in papers.discover():
    importlib.import_module(paper.module)  # papers register placeholders
FILES = [ROOT / "config/methods.yaml", *(ROOT / "src/scarce/papers").glob("*/methods.yaml")]
FITTED = {
    name: block for file in FILES for name, block in read_yaml(file).value.items() if block.get("source") != "published"
}
#: Methods whose estimator is part of this package.
METHODS = {name: block for name, block in FITTED.items() if registry.find(block["estimator"]).own}
#: Arguments that each preset gives methods in place of those in their blocks.
PRESETS = {"sound": {}} | {
    name: preset.get("methods", {})
    for file in (ROOT / "src/scarce/papers").glob("*/paper.yaml")
    for name, preset in read_yaml(file).value.get("presets", {}).items()
}
REPEAT = SimpleNamespace(
    labels=RepeatLabels(0, 0.2, 0.1, 3, train=np.arange(10), s=(np.arange(10) == 0).astype(np.int8)),
    seed=3,
    categorical=[],
    levels=[],
    shape=[2],
)
FILLED = {name: placeholder.value(REPEAT) for name, placeholder in PLACEHOLDERS.items()}
#: Estimator -> package that not every installation has.
NEEDS = {"neural_pu": "torch"}
NEEDS |= dict.fromkeys(("lightgbm", "lightgbm_elkan_noto", "lightgbm_bagging"), "lightgbm")
SMALL = {"n_estimators": 7, "epochs": 100, "hidden": (30, 30), "n_folds": 2, "undersample": (0, 50), "smote": (0, 200)}
SMALL |= {"n_bags": 5}
SMALL |= {"propensity": 0.5}  # in place of one a row, which no check gives
AS_CODED = "scores by a scale that depends on the scored rows and can exceed 1, as the authors' code does"
BY_ASSOCIATION = "learns distances from the association of attributes within a class, of which this data has none"
DRAWS = "draws features or weights, whose number a further column changes"
FLAT = "a feature that is constant in a class is infinitely likely, as in the authors' code"
#: By name of a block and preset, or for all blocks of an estimator.
EXCUSED = {
    **{
        (estimator, "check_constant_columns_change_nothing"): DRAWS
        for estimator in (
            "pu_hellinger_forest",
            "adasyn_rf",
            "pu_extra_trees",
            "extra_trees",
            "pu_bagging_et",
            "neural_pu",
        )
    },
    ("spy_em", "ortega2023", "check_constant_columns_change_nothing"): FLAT,
    ("pulce", "check_learns"): BY_ASSOCIATION,
    ("elkan_noto", "ortega2023", "check_scores_do_not_depend_on_the_batch"): AS_CODED,
    ("elkan_noto", "ortega2023", "check_scores"): AS_CODED,
    ("elkan_noto", "ortega2023", "check_log_probabilities"): AS_CODED,
}


@pytest.mark.parametrize("name", FITTED)
def test_a_method_states_its_sample_scheme(name):
    """Of a method for both schemes, the class prior is that of the scheme, or of the unlabeled rows alone."""
    block = FITTED[name]
    assert block.get("scheme") in (*SCHEMES, "both", "none")
    values = block.get("params", {}).values()
    if block["scheme"] == "both":
        assert "$class_prior" not in values or "$scheme" in values
    else:
        assert not {"$scheme", "$unlabeled_prior"} & {one for one in values if isinstance(one, str)}
        assert block["scheme"] != "none" or "$class_prior" not in values


def missing(name: str) -> str | None:
    """The package that a method needs and that is not installed."""
    package = NEEDS.get(METHODS[name]["estimator"])
    return package if package and importlib.util.find_spec(package) is None else None


def build(name: str, preset: str, filled: dict | None = None):
    """The estimator of a method; `filled` replaces values of placeholders."""
    values = FILLED | (filled or {})
    if package := missing(name):
        pytest.skip(f"{package} is not installed")
    spec = MethodSpec.model_validate({"name": name} | METHODS[name])
    arguments = spec.params | PRESETS[preset].get(name, {})
    arguments = {key: values.get(value, value) if isinstance(value, str) else value for key, value in arguments.items()}
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
