import ast
import subprocess
import sys

import pytest

from scarce import source_code


def test_digest_does_not_depend_on_the_order_of_keys():
    assert source_code.digest({"a": 1, "b": [1, 2]}) == source_code.digest({"b": [1, 2], "a": 1})
    assert source_code.digest({"a": 1}) != source_code.digest({"a": 2})


def digest_of(tmp_path, monkeypatch, **sources):
    for name, text in sources.items():
        (tmp_path / f"{name}.py").write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    source_code.code_digest.cache_clear()
    source_code.module_code.cache_clear()
    import importlib

    importlib.invalidate_caches()
    return source_code.code_digest("plug_a")


def test_comments_and_docstrings_do_not_count_but_code_does(tmp_path, monkeypatch):
    plain = digest_of(tmp_path, monkeypatch, plug_a="def f():\n    return 1\n")
    told = digest_of(tmp_path, monkeypatch, plug_a='"""Says."""\n# why\ndef f():\n    """Does."""\n    return 1\n')
    changed = digest_of(tmp_path, monkeypatch, plug_a="def f():\n    return 2\n")
    assert plain == told
    assert plain != changed


def test_a_module_beside_a_users_module_counts_and_an_installed_one_does_not(tmp_path, monkeypatch):
    code = "import numpy, json\nimport plug_h\nfrom scarce.methods import base\n"
    first = digest_of(tmp_path, monkeypatch, plug_a=code, plug_h="FACTOR = 1\n")
    assert first == digest_of(tmp_path, monkeypatch, plug_h="FACTOR = 1  # why\n")
    assert first != digest_of(tmp_path, monkeypatch, plug_h="FACTOR = 2\n")
    assert [top for top in ("plug_h", "numpy", "json", "nowhere") if source_code._own(top)] == ["plug_h"]
    assert source_code._counts("scarce", "plug_a")
    assert not source_code._counts("plug_h", "scarce")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"class Mine: ...\ndef f(:\n", "plug_s.py is no Python: invalid syntax (line 2)"),
        (b"class Mine: ...\0\n", "plug_s.py is no Python: source code string cannot contain null bytes"),
        (b"# \xe9\nclass Mine: ...\n", ""),
        (b"# -*- coding: latin-1 -*-\n# \xe9\nclass Mine: ...\n", ""),
        (b"\xef\xbb\xbfclass Mine: ...\n", ""),
    ],
)
def test_a_users_module_that_is_no_python_is_said_and_has_a_digest(tmp_path, monkeypatch, content, said):
    first = digest_of(tmp_path, monkeypatch, plug_a="import plug_s\n", plug_s="")
    (tmp_path / "plug_s.py").write_bytes(content)
    found = source_code.unreadable("plug_s:Mine")
    assert found.startswith(said) if said else found == ""
    assert source_code.lacking("plug_s:Mine") is None
    assert digest_of(tmp_path, monkeypatch) != first


def closure(module):
    seen, todo = set(), [module]
    while todo:
        name = todo.pop()
        path = source_code._source(name)
        if name in seen or path is None:
            continue
        seen.add(name)
        todo += source_code._imports(ast.parse(path.read_text()), name, package=path.name == "__init__.py")
    return seen


def test_a_tree_method_depends_on_the_kernels_and_bagging_does_not():
    """The closure of imports is followed: change the trees, and only what grows trees runs again."""

    assert any(name.startswith("scarce.trees.") for name in closure("scarce.trees"))
    assert not any(name.startswith("scarce.trees") for name in closure("scarce.methods.bagging"))
    assert "scarce.estimators.observed" in closure("scarce.methods.bagging")
    assert not closure("scarce.labels") & source_code.PLUMBING


def test_reading_the_configuration_imports_nothing_heavy():
    code = (
        "import sys; from scarce.config.loading import load_project; p = load_project();"
        "[p.fingerprint(s, d, m) for s in p.studies.values() for d in s.datasets for m in s.fitted_methods];"
        "heavy = ('numpy', 'pandas', 'sklearn', 'numba', 'xgboost', 'torch', 'scipy', 'matplotlib');"
        "print([m for m in heavy if m in sys.modules])"
    )
    from tests.conftest import ROOT

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize("stage", ["collect", "analyse", "verdicts", "tables", "figures", "page"])
def test_the_code_of_a_stage_is_more_than_its_module(stage):
    modules = closure(f"scarce.stages.{stage}")
    assert any(not name.startswith("scarce.stages") for name in modules)
    assert not any(name.startswith("scarce.config") for name in modules), "settings are hashed by value"


def test_of_an_installed_package_the_version_counts_and_no_source_is_read(monkeypatch):
    """Reading all of scikit-learn takes a Snakefile from a second to a minute."""
    monkeypatch.setattr(source_code, "_imports", lambda *_, **__: pytest.fail("a source was read"))
    source_code.code_digest.cache_clear()
    source_code.module_code.cache_clear()
    before = source_code.code_digest("sklearn.svm")
    monkeypatch.setattr(source_code.importlib.metadata, "version", lambda name: "0.0")
    source_code.code_digest.cache_clear()
    source_code.module_code.cache_clear()
    assert source_code.code_digest("sklearn.svm") != before


@pytest.mark.parametrize(
    ("target", "known"),
    [
        ("scarce.trees:TreeClassifier", True),
        ("sklearn.linear_model:LogisticRegression", True),
        ("sklearn.linear_model:Nothing", False),
        ("os.path:join", True),
        ("no_such_module:Thing", True),
    ],
)
def test_only_what_surely_is_not_there_is_lacking(target, known):
    assert (source_code.lacking(target) is None) is known


def test_arguments_come_with_their_defaults(tmp_path, monkeypatch):
    (tmp_path / "plug_b.py").write_text("from plug_c import Thing as Other\n")
    (tmp_path / "plug_c.py").write_text("class Thing:\n    def __init__(self, a, b=3, *, c=None, d='x'): ...\n")
    monkeypatch.syspath_prepend(tmp_path)
    assert source_code.parameters("plug_b:Other") == {"a": None, "b": 3, "c": None, "d": "x"}
