"""A study of thousands of tiny cells: does the workflow hold them, and is each row of the results there once?

Every data set has forty rows and every method is a mean, so the workflow itself takes most of the time. Afterwards a
dry run must find nothing to do.
"""

from __future__ import annotations

import resource
import sys
import tempfile
import time
from pathlib import Path

from scarce.files import read_csv
from tests.soak import record
from tests.soak.kills import Project

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
DATASETS, SCENARIOS = 10, 5


def write(root: Path, methods: int) -> None:
    """Add a study with so many methods, and take away those of `config/studies`."""
    (root / "my_methods.py").write_text(METHOD)
    with (root / "config/datasets.yaml").open("a") as handle:
        handle.writelines(
            f"\ntiny{i}: {{title: Tiny {i}, sources: "
            f"[{{kind: generated, generator: blobs, n: 40, prior: 0.4, seed: {i}}}], "
            "target: label, positive: positive, expected: {n: 40, d: 4, positives: 16}}\n"
            for i in range(DATASETS)
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
    ratios = ", ".join(f"{0.2 + 0.1 * i:.1f}" for i in range(SCENARIOS))
    (root / "config/studies/many.yaml").write_text(
        f"name: many\ntitle: Many tiny cells\ndatasets: [{', '.join(f'tiny{i}' for i in range(DATASETS))}]\n"
        f"labeling: {{scar: {{flip_ratios: [{ratios}]}}}}\nrepeats: 2\n"
        f"methods: [{', '.join(f'mean{i}' for i in range(methods))}]\n"
        "analysis: {metrics: [auc_pr]}\nreport: {figures: [critical_difference]}\n"
    )


def main() -> None:
    options = record.parser(__doc__, "--jobs", 2000).parse_args()
    methods = max(3, options.jobs // (DATASETS * SCENARIOS))
    cells = methods * DATASETS * SCENARIOS
    started = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="scarce-many-") as folder:
        project = Project(Path(folder) / "many jobs")
        write(project.root, methods)
        process = project.start("many")
        said, _ = process.communicate()
        length = time.monotonic() - started
        problems = [said[-3000:]] if process.returncode else []
        if not problems:
            scores = read_csv(project.root / "results/many/scores.csv")
            keys = scores[["dataset", "scenario", "repeat", "method", "metric"]]
            runs = read_csv(project.root / "results/many/runs.csv")
            if keys.duplicated().any() or len(runs) != 2 * cells or set(runs.status) != {"ok"}:
                problems.append(f"{len(runs)} runs for {cells} cells of 2 repeats, {runs.status.unique()}")
            again = project.ask("snakemake", "--cores", "1", "many", "--dry-run")
            if "Nothing to be done" not in again:
                problems.append(f"a second run has something to do:\n{again[-2000:]}")
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    for problem in problems:
        print(problem, file=sys.stderr)
    outcome = (
        "; ".join(problem.splitlines()[0] for problem in problems)
        or f"every row there once, nothing left to do; {length / cells:.2f} s a cell, peak {peak:.0f} MB"
    )
    record.report("many jobs", f"{cells:,} cells of 2 repeats", outcome, started, record=options.record,
                  failed=bool(problems))  # fmt: skip


if __name__ == "__main__":
    main()
