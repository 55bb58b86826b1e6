"""The public API: everything registered or documented is in the reference, and its docstrings are whole."""

from __future__ import annotations

import importlib
import pkgutil
import re

import pytest

import scarce
from docs.builder import reference
from scarce import public
from scarce.estimators.base import PUClassifier
from scarce.prior import ESTIMATORS
from scarce.registry import METHODS
from tests.conftest import ROOT

NAMES = [name for names in public.by_topic().values() for name in names]
#: Its functions share their arguments, which the text of the module describes.
DESCRIBED_BY_THEIR_MODULE = "scarce.scoring.without_negatives."
#: Of numpydoc: no section of related names, examples or longer texts is asked for; a type may stand for many names.
NOT_ASKED = {"SA01", "EX01", "ES01", "PR04", "SS05"}
WRITTEN = [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md"), *(ROOT / "docs/gallery").glob("*.py")]
#: Rooms from which what is written for users imports public names only.
ROOMS = "estimators|methods|prior|scoring|trees"


def test_every_public_name_exists_and_is_listed_once():
    assert len(NAMES) == len(set(NAMES))
    assert all(reference.load(name) for name in NAMES)
    assert set(public.NAMED) == set(public.by_topic())


def test_every_registered_estimator_is_public():
    own = {record.target.replace(":", ".") for record in (*METHODS.values(), *ESTIMATORS.values()) if record.own}
    assert own <= set(NAMES)


def leaves(cls: type) -> list[type]:
    """The classes without a subclass of their own in this package, below a class."""
    below = [one for one in cls.__subclasses__() if one.__module__.startswith("scarce.")]
    return [leaf for one in below for leaf in leaves(one)] or [cls]


def test_every_finished_estimator_is_public():
    for room in ("trees", "methods"):
        package = importlib.import_module(f"scarce.{room}")
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            importlib.import_module(module.name)
    listed = {reference.load(name) for name in NAMES}
    finished = [cls for cls in leaves(PUClassifier) if not cls.__name__.startswith("_")]
    assert len(finished) >= 20
    assert {cls.__name__ for cls in finished if cls not in listed} == set()


@pytest.mark.parametrize("path", WRITTEN, ids=lambda path: path.name)
def test_what_documents_import_is_public(path):
    text = path.read_text(encoding="utf-8")
    imports = re.findall(rf"from (scarce\.(?:{ROOMS})[\w.]*) import ([\w, ]+)", text)
    named = {f"{module}.{name.strip()}" for module, names in imports for name in names.split(",")}
    assert named <= set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_every_public_docstring_is_whole(name):
    validate = pytest.importorskip("numpydoc.validate", reason="needs the extra docs").validate
    lenient = {"PR01", "PR07", "RT01", "RT03"} if name.startswith(DESCRIBED_BY_THEIR_MODULE) else set()
    wrong = [error for error in validate(name)["errors"] if error[0] not in NOT_ASKED | lenient]
    assert not wrong


def test_the_reference_has_a_page_for_each_name_and_leads_to_it():
    pages = reference.pages()
    assert all(f"{name}.rst" in pages for name in NAMES)
    assert all(f"   {topic}\n" in pages["index.rst"] for topic in public.NAMED)
    for topic, names in public.by_topic().items():
        assert all(f"   {name}\n" in pages[f"{topic}.rst"] for name in names)


def test_members_are_those_that_this_package_defines():
    found = reference.members(scarce.trees.TreeClassifier)
    assert {"fit", "predict", "predict_proba", "feature_importances_"} <= set(found)
    assert not {"get_params", "score", "set_fit_request"} & set(found)
