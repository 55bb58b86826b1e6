"""The public API is typed: `py.typed` says so, and mypy reads it as the code of a user does."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from scarce import prior, trees
from scarce.registry import METHODS
from tests.conftest import ROOT

CHECKED = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["mypy"]["files"]


def is_checked(module: str) -> bool:
    path = Path("src", *module.split("."))
    return any(str(name) in CHECKED for name in (path.with_suffix(".py"), path / "__init__.py", path, *path.parents))


@pytest.mark.parametrize("module", sorted({one.target.partition(":")[0] for one in METHODS.values() if one.own}))
def test_every_estimator_is_among_the_checked_modules(module):
    assert is_checked(module)


def test_every_public_name_is_among_the_checked_modules():
    objects = [getattr(trees, name) for name in trees.__all__]
    assert all(is_checked(one.__module__) for one in [*objects, prior.estimate_class_prior, prior.class_prior_interval])
    assert all(is_checked(one.target.partition(":")[0]) for one in prior.ESTIMATORS.values())
    assert not is_checked("scarce.commands.init")


def mypy(*arguments: str, cache: Path) -> subprocess.CompletedProcess:
    command = [sys.executable, "-m", "mypy", "--cache-dir", cache, *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


@pytest.mark.slow
def test_signatures_are_typed_and_serve_a_user_who_checks_strictly(tmp_path):
    pytest.importorskip("mypy")
    assert (ROOT / "src/scarce/py.typed").is_file()
    done = mypy(cache=tmp_path)
    assert done.returncode == 0, done.stdout
    done = mypy("--strict", "--follow-imports=silent", "tests/typing/public_api.py", cache=tmp_path)
    assert done.returncode == 0, done.stdout
