"""Faults of a study that only show where its parts meet: arguments of estimators, grids, and what is inherited."""

from types import SimpleNamespace

import numpy as np
import pytest

from scarce import source_code
from scarce.config.loading import load_project
from scarce.config.placeholders import fill
from scarce.errors import ConfigError
from scarce.fitting.cell import run_repeat
from tests.unit.fitting.test_cell import Echo, cell

MODULE = """
import os
from functools import partial
try:
    from no_such_package import Optional
except ImportError:
    Optional = None
try:
    from no_such_package import conditional
except ImportError:
    def conditional():
        pass

class Needs:
    def __init__(self, depth, *, rate, n=3, flag=None):
        pass

class Anything:
    def __init__(self, **options):
        pass

class Inherits(Needs):
    pass

def function():
    pass

async def later():
    pass

NUMBER = 3
NAMES: list = ["a"]
lambda_ = lambda: None
Alias = Needs
Partial = partial(Needs, depth=3)
first, second = Needs, Anything
"""
STUDY = """name: mine
title: Mine
datasets: [moons, blobs]
labeling:
  scar: {flip_ratios: [0.5]}
methods: [mine]
"""


@pytest.fixture
def problems(configured, monkeypatch):
    """The problems of the study `mine`, given the block of method `mine` and changes of the study."""
    (configured / "my_parts.py").write_text(MODULE)
    monkeypatch.syspath_prepend(configured)
    for cached in (source_code._definition, source_code.parameters, source_code.required, source_code.class_constant):
        cached.cache_clear()

    def load(block="estimator: 'my_parts:Anything'", study="", text=STUDY):
        for file in (configured / "config/studies").iterdir():
            if file.stem != "smoke":
                file.unlink()
        methods = configured / "config/methods.yaml"
        kept = methods.read_text().partition("\nmine:")[0]
        methods.write_text(f"{kept}\nmine: {{label: M, family: F, {block}}}\n")
        (configured / "config/studies/mine.yaml").write_text(text + study)
        try:
            load_project()
        except ConfigError as error:
            return error.lines()
        return []

    return load


@pytest.mark.parametrize(
    ("block", "study", "lacking"),
    [
        ("estimator: 'my_parts:Needs'", "", "needs depth, rate"),
        ("estimator: 'my_parts:Needs', params: {depth: 3}", "", "needs rate"),
        ("estimator: 'my_parts:Needs', params: {depth: 3, rate: null}", "", None),
        ("estimator: 'my_parts:Needs', params: {depth: 3}", "method_options: {mine: {rate: 0.5}}\n", None),
        ("estimator: 'my_parts:Needs', params: {depth: 3}, grid: {rate: [0.5, 0.6]}", "", None),
        (
            "estimator: 'my_parts:Needs', params: {depth: 3}, by_dataset: {moons: {rate: 0.5}}",
            "",
            "needs rate on blobs",
        ),
        ("estimator: 'my_parts:Needs', params: {depth: $seed, rate: 1}", "", None),
        ("estimator: 'my_parts:Anything'", "", None),
        ("estimator: 'my_parts:Inherits'", "", None),  # its arguments are not looked up
        ("estimator: 'my_parts:Alias'", "", None),
    ],
)
def test_an_argument_without_default_is_given_somewhere(problems, block, study, lacking):
    lines = problems(block, study)
    assert len(lines) == (lacking is not None)
    if lacking:
        assert "mine.yaml:6: methods: " in lines[0]
        assert lacking in lines[0]


@pytest.mark.parametrize(
    ("target", "kind"),
    [
        ("function", "a function"), ("later", "a function"), ("NUMBER", "a value"), ("NAMES", "a value"),
        ("lambda_", "a value"), ("os", "a module"), ("Needs", ""), ("Alias", ""), ("Partial", ""), ("first", ""),
        ("Optional", ""), ("conditional", ""),
    ],
)  # fmt: skip
def test_a_target_is_a_class(problems, target, kind):
    lines = problems(f"estimator: 'my_parts:{target}', params: {{depth: 1, rate: 2}}")
    assert len(lines) == bool(kind)
    if kind:
        assert f"mine.estimator: my_parts:{target} is {kind}" in lines[0]


@pytest.mark.parametrize("method", ["mine", "mine-k-3"])
def test_an_argument_of_a_grid_has_no_other_value(problems, method):
    block = "estimator: 'my_parts:Anything', params: {k: 1}, grid: {k: [1, 3]}"
    assert problems(block, f"method_options: {{{method}: {{other: 5}}}}\n") == []
    (line,) = problems(block, f"method_options: {{{method}: {{k: 5}}}}\n")
    assert f"mine.yaml:7: method_options.{method}.k: the grid" in line


def test_a_study_that_extends_another_has_its_own_name(problems):
    assert problems(text="name: mine\nextends: smoke\n") == []
    lines = problems(text="title: Mine\nextends: smoke\n")
    assert len(lines) == 1
    assert "mine.yaml:1: name: is missing" in lines[0]


@pytest.mark.parametrize(
    ("study", "place"),
    [
        ("options:\n  seeds: axes\n  encoding: woe_all_true\n", "9: options.encoding: preset sound refuses"),
        ("options:\n  decision: f1_oracle\n", "8: options.decision: preset sound refuses"),
        ("split: {plan: k_fold, folds: 5}\nrepeats: 7\n", "8: repeats: split.plan k_fold"),
        ("repeats: 7\nsplit:\n  plan: five_by_two\n", "7: repeats: split.plan five_by_two"),
        ("\nsplit: {plan: k_fold, folds: 7}\n", "8: split: split.plan k_fold needs a multiple of 7 repeats, got 20"),
        ("options: {class_prior: 'estimated:tice', encoding: none}\n", "7: options.encoding: an estimated class prior"),
    ],
)
def test_what_is_refused_stands_at_its_key(problems, study, place):
    (line,) = problems(study=study)
    assert f"mine.yaml:{place}" in line


def test_what_is_inherited_and_refused_stands_in_the_file_that_states_it(problems):
    (line,) = problems(text="name: mine\nextends: smoke\nsplit: {plan: k_fold, folds: 7}\n")
    assert "smoke.yaml:" in line
    assert "repeats: split.plan k_fold needs a multiple of 7" in line


def test_no_unlabeled_row_has_no_share_of_positives():
    labels = SimpleNamespace(scheme="one_sample", class_prior=1.0, label_share=1.0, s=np.ones(5, np.int8))
    with pytest.raises(ValueError, match=r"\$unlabeled_prior: no training row is unlabeled"):
        fill({"class_prior": "$unlabeled_prior"}, SimpleNamespace(labels=labels))
    refused = cell(build=lambda _: Echo(**fill({"class_prior": "$unlabeled_prior"}, SimpleNamespace(labels=labels))))
    run = run_repeat(refused, 0)
    assert (run.status, run.message) == ("failed", "ValueError: $unlabeled_prior: no training row is unlabeled")
