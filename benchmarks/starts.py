"""What starting costs: CPU seconds of a process that imports and builds a method, and of a whole job with a small run.

    python benchmarks/starts.py [--rounds 5] [--methods pu_bagging ...] [--figure docs/img/starts.svg]

The first two columns are seconds beyond `import sklearn.base`, which every method needs, of a process that imports and
builds a registered method, and then fits it for the first time and scores (200 rows). A job is `scarce fit` on 600
made-up rows and one repeat, all in: interpreter, configuration, imports, labels, forked worker, two small fits, files.
Processes run in turn; what stands in the table are medians. Kernels are compiled before anything is timed.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from shutil import copytree
from typing import NamedTuple

import numpy as np
import yaml

from scarce import paths, registry, source_code
from scarce.trees import warm
from scarce.usage import read_usage

sys.path.insert(0, str(Path(__file__).parents[1]))
from benchmarks.measure import save, table

ROOT = Path(__file__).parents[1]

BASE = """
import json, sys, time, sklearn.base
print(json.dumps({"built": time.process_time(), "modules": list(sys.modules)}))
"""
START = """
import json, sys, time
import numpy as np
from scarce import registry
inherited = time.process_time()
model = registry.METHODS[sys.argv[1]].load()(**json.loads(sys.argv[2]))
built, modules = time.process_time(), list(sys.modules)
X, s = np.random.RandomState(0).normal(size=(200, 3)), (np.arange(200) % 10 == 0).astype(int)
getattr(model.fit(X, s), model.score_function if hasattr(model, "score_function") else "predict_proba")(X)
print(json.dumps({"inherited": inherited, "built": built, "fitted": time.process_time(), "modules": modules}))
"""
STUDY = """
name: starts
title: One small run of each method
datasets: [moons]
labeling: {{scar: {{flip_ratios: [0.50]}}}}
split: {{plan: holdout, test_size: 0.30, validation_size: 0.50}}
repeats: 1
methods: [{methods}]
preset: sound
"""
JOB = ("starts", "moons", "flip-50")
BUDGET = 1500 / (13 * 15 * 3)  # CPU seconds of starts that a job of ortega2023 may take


class Start(NamedTuple):
    """CPU seconds of a process until it has what workers inherit from their job, until a method is built, and until it
    is fitted and has scored; the modules of a method that is built."""

    inherited: float
    built: float
    fitted: float
    modules: list[str]


def start(method: str | None) -> Start:
    """A new process with a registered method, or with `sklearn.base` alone."""
    if method is None:
        said = json.loads(_python("-c", BASE))
        return Start(0.0, said["built"], said["built"], said["modules"])
    entry = registry.METHODS[method]
    given = {"n_estimators": 2, "class_prior": 0.2}  # the fit itself is to be small
    if entry.assumption == "none":
        del given["class_prior"]
    known = source_code.parameters(entry.target) or ()
    given = {name: value for name, value in given.items() if name in known}
    return Start(**json.loads(_python("-c", START, method, json.dumps(given))))


def _python(*arguments: str, cwd: Path | None = None) -> str:
    done = subprocess.run([sys.executable, *arguments], cwd=cwd, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"{' '.join(arguments[-3:])} ended with {done.returncode}:\n{done.stderr}")
    return done.stdout


def packages(modules: Iterable[str], base: Iterable[str], least: int = 20) -> str:
    """The packages of which many more modules are imported than `base` has, with their number."""
    more = Counter(name.partition(".")[0] for name in set(modules) - set(base))
    return ", ".join(f"{name} {count}" for name, count in more.most_common() if count >= least)


def configured(estimators: Iterable[str]) -> dict[str, str]:
    """The first method of config/methods.yaml that is of an estimator, where there is one."""
    methods = yaml.safe_load((ROOT / paths.METHODS_YAML).read_text(encoding="utf-8"))
    first = {spec["estimator"]: name for name, spec in reversed(methods.items())}
    return {estimator: first[estimator] for estimator in estimators if estimator in first}


def prepare(root: Path, methods: Iterable[str]) -> None:
    """A project whose one study has nothing left to do but to fit."""
    copytree(ROOT / paths.CONFIG, root / paths.CONFIG)
    (root / paths.study_yaml("starts")).write_text(STUDY.format(methods=", ".join(methods)), encoding="utf-8")
    for command in ("fetch moons", "prepare moons", "label starts moons flip-50"):
        _python("-m", "scarce", *command.split(), cwd=root)


def job(root: Path, method: str) -> tuple[float, float]:
    """CPU seconds of a whole job: of its process, and of the worker that it forks."""
    log = paths.log("starts", "fit", method)
    _python("-m", "scarce", "fit", *JOB, method, "--log", str(log), cwd=root)
    used = read_usage(root / log)
    return used.cpu, used.children_cpu


def measure(methods: list[str], rounds: int) -> tuple[dict[str | None, list[Start]], dict[str, np.ndarray]]:
    """Starts of the methods and, under None, of `sklearn.base`; jobs of those that are configured, (round, part)."""
    warm()
    named = configured(methods)
    starts: dict[str | None, list[Start]] = {method: [] for method in (None, *methods)}
    jobs: dict[str, list[tuple[float, float]]] = {method: [] for method in named}
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "project"
        prepare(root, named.values())
        for _ in range(rounds):
            for method in starts:
                starts[method].append(start(method))
                if method in named:
                    jobs[method].append(job(root, named[method]))
            print(".", end="", file=sys.stderr, flush=True)
    return starts, {method: np.array(times) for method, times in jobs.items()}


def row(method: str, starts: list[Start], base: list[Start], jobs: np.ndarray | None) -> list[str]:
    """The cells of one method."""
    since = np.median([one.built for one in base])
    cells = [f"{np.median([getattr(one, part) for one in starts]) - since:.2f}" for part in ("built", "fitted")]
    if jobs is None:
        cells += ["-", "-"]
    else:
        totals = jobs.sum(1)
        cells += [
            f"{np.median(jobs[:, 0]):.2f}",
            f"{np.median(totals):.2f} ({totals.min():.2f}-{totals.max():.2f})",
        ]
    return [method, *cells, packages(starts[0].modules, base[0].modules)]


def draw(starts: dict[str | None, list[Start]], jobs: dict[str, np.ndarray], path: Path) -> None:
    """Bars of a whole job by method, and what of it every process with scikit-learn needs."""
    import matplotlib.pyplot as plt

    names = sorted(jobs, key=lambda method: -np.median(jobs[method].sum(1)))
    base = np.median([one.built for one in starts[None]])
    fig, ax = plt.subplots(figsize=(7, 0.3 * len(names) + 1.2), layout="constrained")
    ax.barh(names, [np.median(jobs[name].sum(1)) for name in names], color="C0", height=0.6, label="a whole job")
    ax.axvline(base, color="0.3", linewidth=1, linestyle="--", label="import sklearn.base")
    ax.axvline(BUDGET, color="C3", linewidth=1, label="budget")
    ax.set(xlabel="CPU seconds of `scarce fit`, one repeat on 600 rows")
    ax.legend(frameon=False, loc="lower left", bbox_to_anchor=(0, 1), ncols=3)
    save(fig, path)


def main(argv: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--methods", nargs="+", choices=list(registry.METHODS), default=list(registry.METHODS))
    parser.add_argument("--figure", type=Path)
    arguments = parser.parse_args(argv)
    starts, jobs = measure(arguments.methods, arguments.rounds)
    rows = [row(method, starts[method], starts[None], jobs.get(method)) for method in arguments.methods]
    head = ["estimator", "built, CPU s", "fitted once", "job, around its worker", "job, all in"]
    print(table([*head, "modules beyond sklearn.base"], rows))
    base = np.median([one.built for one in starts[None]])
    print(f"\n`import sklearn.base`: {base:.2f} CPU s; a job of ortega2023 may take {BUDGET:.2f}")
    if arguments.figure:
        draw(starts, jobs, arguments.figure)


if __name__ == "__main__":
    main()
