"""The examples in docstrings run and give what they show."""

import doctest
import importlib

import pytest

from tests.conftest import ROOT

SOURCES = ROOT / "src"
MODULES = [
    ".".join(path.relative_to(SOURCES).with_suffix("").parts).removesuffix(".__init__")
    for path in sorted(SOURCES.rglob("*.py"))
    if ">>> " in path.read_text(encoding="utf-8")
]


@pytest.mark.parametrize("module", MODULES)
def test_examples_of_a_module(module):
    result = doctest.testmod(importlib.import_module(module))
    assert result.attempted
    assert not result.failed
