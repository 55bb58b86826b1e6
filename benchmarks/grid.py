"""What a study's grid costs by method: CPU seconds of fitting and scoring, what jobs need around it, peaks of memory.

    python benchmarks/grid.py [--study demo] [--sample 1] [--scenarios flip-50] [--figure docs/img/grid.svg]

A job's CPU time is in the last line of its log: its worker's is that of all repeats (two fits each, and their scores)
and of importing the method once, which is measured here and counted as *around*. Where the logs of a study do not say
it, the first repeats of every cell that has labels are run here, and the table says so. Costs are means over data sets,
times all runs of the study's grid: as many data sets as it counts, however many could be had. runs.csv adds what the
runs recorded: wall seconds of the fit on all training rows and of scoring the test rows, and peaks of memory.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Collection
from pathlib import Path

import numpy as np
import pandas as pd

from scarce import paths, registry
from scarce.config.loading import load_project
from scarce.config.project import Project
from scarce.config.study import Study
from scarce.data.availability import unavailable
from scarce.fitting.cell import run_repeat
from scarce.fitting.worker import run_each
from scarce.stages.cell import load_cell
from scarce.stages.results import counted, read
from scarce.trees import warm
from scarce.usage import read_usage

sys.path.insert(0, str(Path(__file__).parents[1]))
from benchmarks.measure import save, table
from benchmarks.starts import start

STUDIES = ("ortega2023", "demo", "smoke")
COLUMNS = ["dataset", "scenario", "method", "runs", "fits", "around", "peak"]


def cells(study: Study) -> list[tuple[str, str, str]]:
    """(data set, scenario, method) of what there is."""
    there = [name for name in study.datasets if not unavailable(name)]
    return [(d, s.name, m) for d in there for s in study.scenarios for m in study.methods]


def from_logs(project: Project, study: Study) -> pd.DataFrame | None:
    """CPU seconds of a study's jobs as their logs have them, or None where one has not."""
    used = {cell: read_usage(paths.log(study.name, "fit", *cell)) for cell in cells(study)}
    if not all(used.values()):
        return None
    warm()
    estimators = {method: project.method(method).estimator for method in study.methods}
    loads = {key: start(key) for key in set(estimators.values()) & set(registry.METHODS)}
    loading = {key: one.fitted - one.inherited for key, one in loads.items()}
    rows = []
    for cell, job in used.items():
        # a worker imports the method, and loads its kernels, once for all repeats
        once = min(job.children_cpu, loading.get(estimators[cell[2]], 0.0))
        rows.append((*cell, study.repeats, job.children_cpu - once, job.cpu + once, max(job.peak, job.children_peak)))
    return pd.DataFrame(rows, columns=COLUMNS)


def from_sample(project: Project, study: Study, repeats: int, scenarios: Collection[str]) -> pd.DataFrame:
    """The first repeats of every cell of some scenarios, run here with all imported and every kernel loaded."""
    warm()
    for method in study.methods:
        registry.find(project.method(method).estimator).load()
    rows = []
    for cell in cells(study):
        if cell[1] not in scenarios or not paths.labels(study.name, *cell[:2]).is_file():
            continue
        loaded, _ = load_cell(project, study, *cell)

        def measured(repeat: int, loaded=loaded) -> tuple[float, float]:
            before = time.process_time()
            run = run_repeat(loaded, repeat)
            return time.process_time() - before, run.peak_memory_mb

        pending = [one.repeat for one in loaded.labels if not one.skipped][:repeats]
        found = [value for _, status, value in run_each(measured, pending) if status == "done"]
        if found:
            cpu, peaks = np.array(found).T
            rows.append((*cell, len(found), cpu.sum(), np.nan, peaks.max()))
            print("  ".join(map(str, rows[-1])), file=sys.stderr, flush=True)
    return pd.DataFrame(rows, columns=COLUMNS)


def by_method(cells: pd.DataFrame, runs: int, jobs: int) -> pd.DataFrame:
    """What all runs of the grid cost by method, from some or all of its cells.

    Parameters
    ----------
    cells : DataFrame
        dataset, scenario, method, runs measured, CPU seconds of their fits and scores, CPU seconds of the job around
        them (NaN: not known), peak memory in MiB.
    runs, jobs : int
        Of one method in the whole grid.

    Returns
    -------
    DataFrame
        Indexed by method, dearest first: measured runs, fits and around in CPU seconds, peak. Data sets count alike.
    """
    cells = cells.assign(a_run=cells.fits / cells.runs)
    by_dataset = cells.groupby(["method", "dataset"])[["a_run", "around"]].mean()
    means = by_dataset.groupby("method").mean()
    sums = cells.groupby("method").agg(measured=("runs", "sum"), peak=("peak", "max"))
    found = sums.assign(fits=means.a_run * runs, around=means.around * jobs)
    return found.sort_values("fits", ascending=False)


def recorded(runs: pd.DataFrame) -> pd.DataFrame:
    """Wall seconds and peaks that runs.csv has, by method."""
    grouped = runs.groupby("method")
    return pd.DataFrame(
        {
            "wall_fit": grouped.fit_seconds.sum(),
            "wall_predict": grouped.predict_seconds.sum(),
            "recorded_peak": grouped.peak_memory_mb.max(),
        }
    )


def rows(costs: pd.DataFrame) -> list[list[str]]:
    """The cells of the table, and a line for the whole grid."""
    sums = costs[["runs", "fits", "around", "wall_fit", "wall_predict"]].sum(min_count=1)
    whole = pd.concat([sums, costs[["peak"]].max()])

    def line(name: str, cost: pd.Series) -> list[str]:
        numbers = [
            _short(cost.fits),
            f"{100 * cost.fits / sums.fits:.0f} %",
            _short(1000 * cost.fits / cost.runs),
            *(_short(cost[part]) for part in ("around", "wall_fit", "wall_predict", "peak")),
        ]
        return [name, *("-" if "nan" in number else number for number in numbers)]

    return [*(line(name, cost) for name, cost in costs.iterrows()), line("all", whole)]


def _short(number: float) -> str:
    return f"{number:.{0 if number >= 10 else 1}f}"


HEAD = ["method", "fits and scores, CPU s", "share", "ms a run", "around, CPU s"]
HEAD += ["recorded fit, wall s", "recorded score, wall s", "peak, MB"]


def shown(costs: pd.DataFrame) -> str:
    """The table, without the columns of which nothing is known."""
    cells = rows(costs)
    kept = [place for place in range(len(HEAD)) if any(line[place] != "-" for line in cells)]
    return table([HEAD[place] for place in kept], [[line[place] for place in kept] for line in cells])


def draw(costs: pd.DataFrame, path: Path) -> None:
    """CPU time and memory by method, side by side."""
    import matplotlib.pyplot as plt

    fig, (left, right) = plt.subplots(
        1, 2, figsize=(8, 0.3 * len(costs) + 1.2), layout="constrained", sharey=True, width_ratios=(2, 1)
    )
    left.plot(costs.fits, costs.index, "o", markersize=5, label="fitting and scoring")
    if costs.around.notna().any():
        left.plot(costs.around, costs.index, "^", markersize=5, color="0.5", label="around it")
        left.legend(frameon=False, loc="lower right")
    left.set(xscale="log", xlabel="CPU seconds of all runs (log scale)")
    left.xaxis.set_major_formatter("{x:,g}")
    left.invert_yaxis()
    right.barh(costs.index, costs.peak, height=0.6, color="C0")
    right.set(xlabel="peak memory, MB")
    save(fig, path)


def main(argv: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--study", help="by default the first of " + ", ".join(STUDIES) + " that has labels here")
    parser.add_argument("--project", type=Path, default=Path(), help="folder of config/ and results/")
    parser.add_argument("--sample", type=int, default=1, help="repeats to run where logs say nothing")
    parser.add_argument("--scenarios", nargs="+", help="of the sample; all by default")
    parser.add_argument("--figure", type=Path)
    arguments = parser.parse_args(argv)
    figure = arguments.figure and arguments.figure.absolute()
    os.chdir(arguments.project)
    name = arguments.study or next((name for name in STUDIES if (paths.results(name) / "labels").is_dir()), None)
    if name is None:
        parser.error("no study has labels here: run `snakemake --cores 2 smoke` first")
    project = load_project([paths.study_yaml(name)])
    study = project.study(name)
    jobs = len(counted(project, study)) * len(study.scenarios)
    runs = jobs * study.repeats
    found = from_logs(project, study)
    source = "logs of all jobs"
    if found is None:
        found = from_sample(project, study, arguments.sample, arguments.scenarios or [s.name for s in study.scenarios])
        source = f"a sample of {found.runs.sum()} runs"
    if found.empty:
        parser.error(f"{name} has no labels here: run `snakemake --cores 2 {name}` first")
    costs = by_method(found, runs, jobs).assign(runs=runs)
    file = paths.runs(name)
    seen = recorded(read(file, study)) if file.is_file() else pd.DataFrame()
    costs = costs.join(seen.reindex(columns=["wall_fit", "wall_predict", "recorded_peak"]))
    costs["peak"] = costs[["peak", "recorded_peak"]].max(axis=1)
    costs.index = [project.method(method).label for method in costs.index]
    print(f"{name}: {runs} runs a method in {jobs} jobs; CPU from {source} on {found.dataset.nunique()} data sets\n")
    print(shown(costs))
    if figure:
        draw(costs, figure)


if __name__ == "__main__":
    main()
