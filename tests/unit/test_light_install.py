"""The estimators, class priors, metrics and statistics without the packages of the extras."""

import shlex
import subprocess
import sys
import textwrap
import tomllib

import pytest
from packaging.requirements import Requirement

from scarce import extras
from scarce.commands.init import init, source
from scarce.errors import ScarceError
from tests.conftest import ROOT

LIGHT = ("numpy", "scipy", "pandas", "scikit-learn", "numba")
#: Distribution -> package that is imported, where the names differ.
IMPORTED = {"pyyaml": "yaml", "imbalanced-learn": "imblearn", "xgboost-cpu": "xgboost"}
BLOCKED = f"""
import importlib, pkgutil, sys

class Block:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {sorted(extras.EXTRAS)!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)

sys.meta_path.insert(0, Block())
"""


def run_blocked(code: str) -> subprocess.CompletedProcess:
    """Run Python code in a process that can import no package of an extra."""
    return subprocess.run(
        [sys.executable, "-c", BLOCKED + textwrap.dedent(code)], capture_output=True, text=True, cwd=ROOT, check=False
    )


def test_only_extras_bring_more_than_the_estimators_need():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert {Requirement(text).name for text in project["dependencies"]} == set(LIGHT)
    for extra in ("bench", "neural", "boosting"):
        for requirement in map(Requirement, project["optional-dependencies"][extra]):
            assert extras.EXTRAS[IMPORTED.get(requirement.name, requirement.name)] == extra


def test_every_public_module_can_be_imported_and_used():
    done = run_blocked(
        """
        import scarce
        from scarce import methods, prior, scoring, trees

        for room in (trees, methods, prior, scoring):
            for module in pkgutil.walk_packages(room.__path__, f"{room.__name__}."):
                importlib.import_module(module.name)

        import numpy as np
        import pandas as pd
        from scarce.analysis.ranks import average_ranks, rank_blocks
        from scarce.analysis.tests import friedman, holm, nemenyi
        from scarce.scoring.metrics import METRICS
        from scarce.scoring.ranking import Ranking, average_precision

        X, s = np.arange(80.0).reshape(-1, 1), np.repeat([0, 1], [60, 20])
        scores = trees.PUHellingerForestClassifier(0.3, n_estimators=5, random_state=0).fit(X, s).predict_proba(X)[:, 1]
        assert average_precision(Ranking(scores[None], s[None] == 1))[0] > 0.9 and "auc_pr" in METRICS
        assert 0.25 <= prior.estimate_class_prior(X, s) <= 1
        values = pd.DataFrame({"a": [1.0, 2, 3], "b": [2.0, 3, 4], "c": [3.0, 4, 5]})
        assert friedman(rank_blocks(values)).p < 0.06
        assert nemenyi(average_ranks(values), 3) is not None
        """
    )
    assert done.returncode == 0, done.stderr


def test_an_estimator_that_needs_an_extra_names_it():
    done = run_blocked(
        """
        import numpy as np
        from scarce.methods.adasyn import ADASYNRandomForestClassifier
        from scarce.methods.boosted_risks import BoostedRiskClassifier

        for estimator in (ADASYNRandomForestClassifier(), BoostedRiskClassifier("upu", class_prior=0.4)):
            try:
                estimator.fit(np.arange(20.0).reshape(-1, 1), np.arange(20) > 12)
            except ImportError as error:
                print(error)
        """
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [
        f'{package} is not installed: pip install "scarce[bench]"' for package in ("imblearn", "xgboost")
    ]


def test_without_torch_networks_name_their_extra_and_a_study_lists_them_as_not_installed(monkeypatch):
    import numpy as np

    from scarce.fitting.cell import Cell, run_repeat
    from scarce.labels.file import Labels, RepeatLabels
    from scarce.methods.neural import NeuralPUClassifier

    monkeypatch.setitem(sys.modules, "torch", None)
    X, s = np.arange(20.0).reshape(-1, 1), np.arange(20) > 12
    with pytest.raises(ModuleNotFoundError, match=r'torch is not installed: pip install "scarce\[neural\]"'):
        NeuralPUClassifier(class_prior=0.4).fit(X, s)
    rows, none = np.arange(20), np.array([], int)
    labels = RepeatLabels(
        repeat=0, train=rows, test=rows, fit=none, validation=none, s=s.astype(np.int8), class_prior=0.4,
        label_share=0.35, seed=0,
    )  # fmt: skip
    run = run_repeat(Cell(lambda _: NeuralPUClassifier(class_prior=0.4), X, Labels([labels])), 0)
    assert (run.status, run.message) == ("not_installed", 'torch is not installed: pip install "scarce[neural]"')


def test_without_lightgbm_its_trees_name_their_extra(monkeypatch):
    import numpy as np

    from scarce import source_code
    from scarce.methods import lightgbm_trees

    monkeypatch.setattr(lightgbm_trees, "lightgbm", extras._Absent(ModuleNotFoundError("no", name="lightgbm")))
    X, s = np.arange(90.0).reshape(-1, 1), np.arange(90) > 60
    with pytest.raises(ModuleNotFoundError, match=r'lightgbm is not installed: pip install "scarce\[boosting\]"'):
        lightgbm_trees.LightGBMClassifier().fit(X, s)
    assert "lightgbm" not in source_code.libraries("scarce.methods.boosting")
    assert "lightgbm" in source_code.libraries("scarce.methods.lightgbm_trees")


def test_the_command_without_the_extra_bench_says_what_to_install():
    done = run_blocked("from scarce.cli import main; sys.exit(main(['list', 'studies']))")
    assert done.returncode == 1
    assert done.stdout == ""
    (line,) = done.stderr.splitlines()
    assert line.endswith('pip install "scarce[bench]"')


def test_a_project_is_laid_out_from_the_files_of_the_checkout(tmp_path):
    assert source() == ROOT
    folder = tmp_path / "deep" / "project"
    assert str(folder) in init(folder)
    for part in ("Snakefile", "workflow", "config", "profiles"):
        files = [path for path in [ROOT / part, *(ROOT / part).rglob("*")] if path.is_file()]
        assert files
        for path in files:
            assert (folder / path.relative_to(ROOT)).read_bytes() == path.read_bytes()
    assert {"README.md", ".gitignore", "data", "results", "figures"} <= {path.name for path in folder.iterdir()}


def test_the_next_command_can_be_pasted_where_the_folder_has_blanks_and_an_apostrophe(tmp_path):
    folder = tmp_path / "O'Brien's first project"
    _, _, command = init(folder).partition("Next: ")
    assert shlex.split(command) == ["cd", str(folder), "&&", "snakemake", "--cores", "2", "smoke"]


def test_init_touches_no_folder_that_holds_something(tmp_path):
    (tmp_path / "mine").write_text("keep me")
    for folder in (tmp_path, tmp_path / "mine"):
        with pytest.raises(ScarceError, match="new"):
            init(folder)
    assert [path.name for path in tmp_path.iterdir()] == ["mine"]
    assert (tmp_path / "mine").read_text() == "keep me"
