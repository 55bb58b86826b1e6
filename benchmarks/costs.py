"""Measure how long a fit of each method takes, for estimates before any run: ``scarce check STUDY --estimate``.

    python benchmarks/costs.py                     writes src/scarce/commands/costs.csv
    python benchmarks/costs.py ortega2023 wider    rows of the methods of finished studies, from the logs of their jobs

Of finished studies each log states the CPU seconds of a cell, fits and scores together. A method has a row for each
class of training rows, of which the largest has less than twice as many as the smallest: the median over data sets and
scenarios of the CPU seconds of a fit on all training rows with its scores. Rows of other methods stay.

Without a study: two made-up tables of 3,000 rows and 10 columns, one of numbers and one of categories; a half of the
labels is hidden.
The means over three repeats of the CPU seconds of a fit on all training rows and of scoring the test rows, together; of
methods that share their fits, each has those of all.
A method that does not run on such data, or whose package is missing, has no row.
"""

from __future__ import annotations

import csv
import math
import os
import shutil
import statistics
import sys
import tempfile
from collections import defaultdict
from pathlib import Path

import yaml

from scarce import paths
from scarce.commands.costs import COLUMNS, RECORDED, fits_of_a_run, summed
from scarce.commands.init import PARTS
from scarce.config.loading import load_project
from scarce.files import write_rows, write_text
from scarce.fitting.ends import read_ends
from scarce.fitting.fits import SCORED
from scarce.stages.fetch import fetch
from scarce.stages.fit import fit
from scarce.stages.inputs import labels_of
from scarce.stages.label import label
from scarce.stages.prepare import prepare
from scarce.stages.warm import warm

sys.path.insert(0, str(Path(__file__).parents[1]))
from benchmarks.overhead import read_fits

ROWS, PRIOR, REPEATS = 3000, 0.1, 3
NUMBERS = {"generator": "blobs", "options": {"d": 9, "separation": 2.0, "levels": 3}}
LEVELS = {"generator": "tan", "options": {"topology": "chain", "variables": 10, "levels": [2, 3, 4]}}
TABLES = {"costs_numbers": NUMBERS, "costs_levels": LEVELS}


def described(name: str) -> dict:
    """The block of a made-up data set."""
    source = {"kind": "generated", "n": ROWS, "prior": PRIOR, "seed": 1, **TABLES[name]}
    nominal = [f"x{i}" for i in range(1, 11)] if name == "costs_levels" else []
    return {"title": name, "sources": [source], "target": "label", "positive": "positive", "nominal": nominal}


def study(name: str, methods: list[str]) -> dict:
    """A study of one made-up data set."""
    return {
        "name": name,
        "title": name,
        "datasets": [name],
        "labeling": {"scar": {"flip_ratios": [0.5]}},
        "split": {"plan": "holdout", "validation_size": 0},
        "repeats": REPEATS,
        "methods": methods,
        "limits": {"seconds": 120},
        "options": {"decision": "f1_default"},
        "analysis": {"metrics": ["auc_pr"]},
    }


def lay_out(folder: Path) -> None:
    """A copy of the project with the made-up data sets and their studies, as the working directory."""
    for part in PARTS:
        (shutil.copytree if Path(part).is_dir() else shutil.copy)(part, folder / part)
    os.chdir(folder)
    with paths.DATASETS_YAML.open("a", encoding="utf-8") as handle:
        handle.write("\n" + yaml.safe_dump({name: described(name) for name in TABLES}))
    specs = load_project(strict=False).methods
    fitted = {name: spec for name, spec in specs.items() if spec.estimator and not spec.hidden_labels}
    for name in TABLES:
        methods = [one for one, spec in fitted.items() if (spec.encoding == "none") == (name == "costs_levels")]
        (paths.STUDIES / f"{name}.yaml").write_text(yaml.safe_dump(study(name, methods)), encoding="utf-8")


def measured(name: str) -> list[tuple]:
    """A row for each method that runs on a made-up data set."""
    project = load_project([paths.study_yaml(name)])
    list(fetch(project, [name], missing=False, allow_missing=False))
    prepare(project, name, allow_unusable=False)
    label(project, name, name)
    log = paths.log(name)
    write_text(log, "")
    fit(project, name, name, log=log)
    of_study, rows = project.study(name), []
    (scenario,) = of_study.scenarios
    trained = len(labels_of(of_study, name, scenario.name).repeat(0).train)
    for methods, seconds in read_fits(log):
        sharing = methods.split("+")
        for method in sharing:
            ends = read_ends(paths.fit(name, name, scenario.name, method))
            if all(end.status in SCORED for end in ends):
                rows.append((method, trained, f"{seconds / REPEATS:.2g}"))
            else:
                print(f"no cost of {method}: {ends[0].message}")
    return sorted(rows)


def of_studies(names: list[str]) -> list[tuple]:
    """A row for each method of finished studies and each class of training rows."""
    project = load_project([paths.study_yaml(name) for name in names], strict=False)
    found: dict[tuple[str, int], list[tuple[float, float]]] = defaultdict(list)
    for study in map(project.study, names):
        with paths.result("runs", study.name).open(encoding="utf-8", newline="") as handle:
            trained = {(one.dataset, one.method): one.rows for one in summed(study.name, csv.DictReader(handle))}
        for dataset in study.datasets:
            for log in paths.log(study.name, "fit", dataset, "x").parent.glob("*.log"):
                for methods, seconds in read_fits(log):
                    for method in methods.split("+"):
                        if rows := trained.get((dataset, method)):
                            one_fit = seconds / study.repeats / fits_of_a_run(study)
                            found[method, round(math.log2(rows))].append((rows, one_fit))
    return [
        (method, round(statistics.geometric_mean(rows)), f"{statistics.median(seconds):.2g}")
        for (method, _), (rows, seconds) in sorted((key, zip(*some, strict=True)) for key, some in found.items())
    ]


def main() -> None:
    if names := sys.argv[1:]:
        rows = of_studies(names)
        with RECORDED.open(encoding="utf-8", newline="") as handle:
            kept = [tuple(one.values()) for one in csv.DictReader(handle)]
        new = {row[0] for row in rows}
        write_rows(RECORDED, COLUMNS, [*(row for row in kept if row[0] not in new), *rows])
        return
    with tempfile.TemporaryDirectory() as folder:
        target = RECORDED.absolute()
        lay_out(Path(folder))
        warm()
        write_rows(target, COLUMNS, [row for name in TABLES for row in measured(name)])
        os.chdir("/")


if __name__ == "__main__":
    main()
