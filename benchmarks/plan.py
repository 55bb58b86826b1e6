"""How long Snakemake takes to plan a large study: a dry run of a project with generated data sets.

    python benchmarks/plan.py --datasets 100 --methods 20 --repeats 10      60,000 fits

The study has three scenarios. A second project, with a tenth of the data sets, shows whether the cost grows faster than
the study; both are planned in one run.
"""

from __future__ import annotations

import argparse
import contextlib
import shutil
import sys
import tempfile
import time
from pathlib import Path

from scarce.commands.init import PARTS, source

sys.path.insert(0, str(Path(__file__).parents[1]))
from benchmarks.measure import table
from benchmarks.overhead import run

METHOD = '''
import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin

class Mean(ClassifierMixin, BaseEstimator):
    """Closeness to the mean of the labeled rows, in a power."""
    def __init__(self, power=1):
        self.power = power
    def fit(self, X, s):
        self.mean_ = X[s == 1].mean(axis=0)
        return self
    def predict_proba(self, X):
        p = 1 / (1 + ((X - self.mean_) ** 2).sum(axis=1) ** self.power)
        return np.stack([1 - p, p], axis=1)
'''


def write(root: Path, *, datasets: int, scenarios: int, methods: int, repeats: int) -> None:
    """Add a study `many`, with data sets of forty rows and means as methods; take away those of config/studies."""
    (root / "my_methods.py").write_text(METHOD)
    with (root / "config/datasets.yaml").open("a") as handle:
        handle.writelines(
            f"\ntiny{i}: {{title: Tiny {i}, sources: "
            f"[{{kind: generated, generator: blobs, n: 40, prior: 0.4, seed: {i}}}], "
            "target: label, positive: positive, expected: {n: 40, d: 4, positives: 16}}\n"
            for i in range(datasets)
        )
    with (root / "config/methods.yaml").open("a") as handle:
        handle.writelines(
            f"\nmean{i}: {{label: Mean {i}, family: Means, estimator: 'my_methods:Mean', "
            f"params: {{power: {1 + i / 8}}}}}\n"
            for i in range(methods)
        )
    (root / "config/config.yaml").write_text("studies: [many]\nmirror: null\nplugins: []\ncode_tracking: source\n")
    for file in (root / "config/studies").glob("*.yaml"):
        file.unlink()
    ratios = ", ".join(f"{0.2 + 0.1 * i:.1f}" for i in range(scenarios))
    (root / "config/studies/many.yaml").write_text(
        f"name: many\ntitle: Many tiny cells\ndatasets: [{', '.join(f'tiny{i}' for i in range(datasets))}]\n"
        f"labeling: {{scar: {{flip_ratios: [{ratios}]}}}}\nrepeats: {repeats}\n"
        f"methods: [{', '.join(f'mean{i}' for i in range(methods))}]\n"
        "analysis: {metrics: [auc_pr]}\nreport: {figures: [critical_difference]}\n"
    )


def plan(datasets: int, methods: int, repeats: int) -> list[str]:
    """Plan a study in a project of its own: its fits, and the CPU and wall seconds of the plan."""
    scenarios = 3
    with tempfile.TemporaryDirectory(prefix="scarce-plan-") as folder:
        root = Path(folder)
        for part in PARTS:
            (shutil.copytree if (source() / part).is_dir() else shutil.copy)(source() / part, root / part)
        write(root, datasets=datasets, scenarios=scenarios, methods=methods, repeats=repeats)
        command = [sys.executable, "-m", "snakemake", "--cores", "2", "many", "--dry-run", "--quiet", "all"]
        start = time.perf_counter()
        with contextlib.chdir(root):
            cpu = run(command)
        length = time.perf_counter() - start
    return [f"{datasets * scenarios * methods * repeats:,}", f"{cpu:.1f}", f"{length:.1f}"]


def main(argv: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--datasets", type=int, default=100)
    parser.add_argument("--methods", type=int, default=20)
    parser.add_argument("--repeats", type=int, default=10)
    given = parser.parse_args(argv)
    sizes = dict.fromkeys((max(1, given.datasets // 10), given.datasets))
    rows = [plan(datasets, given.methods, given.repeats) for datasets in sizes]
    print(table(["fits", "CPU s", "wall s"], rows))


if __name__ == "__main__":
    main()
