"""Where the CPU time of a study goes: fits and scores by method, and everything else by stage.

    python benchmarks/overhead.py demo                                      the logs of a finished study
    python benchmarks/overhead.py --fresh demo snakemake --cores 2 demo     run it in a temporary copy of the project

The last line of a job's log states the CPU time of the job with its children; the log of a fit job also states the CPU
time that the fits and scores of each cell took, measured in the process that ran them. Snakemake and the shells that it
starts are what the command used beyond its jobs.
"""

from __future__ import annotations

import argparse
import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

import pandas as pd

from scarce import paths
from scarce.commands.init import PARTS
from scarce.config.loading import load_project
from scarce.config.study import Study

sys.path.insert(0, str(Path(__file__).parents[1]))
from benchmarks.measure import save, table

FITS = "fits and scores"
COLUMNS = ["stage", "jobs", "cpu"]
USED = re.compile(r"# used ([\d.]+) \+ ([\d.]+) CPU s, \d+ \+ \d+ MB")
FITTED = re.compile(r"# fitted \S+ (\S+): ([\d.]+) CPU s")


def lines_of(log: Path) -> list[str]:
    return log.read_text(encoding="utf-8", errors="replace").splitlines() if log.is_file() else []


def read_used(log: Path) -> float | None:
    """CPU seconds of a job with its children by the last line of its log; None if the job was killed or runs."""
    match = USED.fullmatch("".join(lines_of(log)[-1:]))
    return sum(map(float, match.groups())) if match else None


def read_fits(log: Path) -> list[tuple[str, float]]:
    """Methods (joined by ``+`` where they share their fits) and CPU seconds of each cell that a log states."""
    return [(match[1], float(match[2])) for match in map(FITTED.fullmatch, lines_of(log)) if match]


def logs(study: Study) -> dict[str, list[Path]]:
    """Logs of the jobs of a study by stage, with those of data sets that it shares with other studies."""
    logs_by_stage: dict[str, list[Path]] = {
        stage: [paths.log(stage, dataset) for dataset in study.datasets] for stage in ("fetch", "prepare")
    }
    logs_by_stage["warm"] = [paths.log("warm")]
    folder = paths.log(study.name, "x").parent
    for log in sorted(folder.rglob("*.log")):
        logs_by_stage.setdefault(log.relative_to(folder).parts[0].removesuffix(".log"), []).append(log)
    return logs_by_stage


def by_stage(stages: dict[str, list[Path]], total: float | None = None) -> pd.DataFrame:
    """Jobs and CPU seconds by stage; fits and scores have a row of their own, which the stage `fit` does not contain.

    Parameters
    ----------
    stages : dict of str to list of Path
        Logs. One that does not exist, or states no usage, does not count.
    total : float, optional
        CPU seconds of a command that ran all jobs; Snakemake gets what the jobs did not use.
    """
    rows, fitted = [], 0.0
    for stage, files in stages.items():
        used = [cpu for file in files if (cpu := read_used(file)) is not None]
        fits = sum(cpu for file in files for _, cpu in read_fits(file))
        fitted += fits
        if used:
            rows.append((stage, len(used), sum(used) - fits))
    if total is not None:
        rows.append(("snakemake", 1, total - fitted - sum(row[2] for row in rows)))
    rows.sort(key=lambda row: -row[2])
    return pd.DataFrame([(FITS, 0, fitted), *rows], columns=COLUMNS)


def by_method(fit_logs: Iterable[Path]) -> dict[str, float]:
    """CPU seconds of fits and scores by method, dearest first; methods that share their fits count as one."""
    seconds: dict[str, float] = defaultdict(float)
    for log in fit_logs:
        for methods, cpu in read_fits(log):
            seconds[methods] += cpu
    return dict(sorted(seconds.items(), key=lambda item: -item[1]))


def stage_table(costs: pd.DataFrame) -> str:
    """The stages, and the share of everything that is not a fit or its scores."""
    whole = costs.cpu.sum()
    rows = [
        [one.stage, str(one.jobs or ""), f"{one.cpu:.1f}", f"{100 * one.cpu / whole:.1f} %"]
        for one in costs.itertuples()
    ]
    rest = whole - costs.cpu[costs.stage == FITS].sum()
    rows.append(["all but fits and scores", "", f"{rest:.1f}", f"{100 * rest / whole:.1f} %"])
    return table(["stage", "jobs", "CPU s", "share"], [*rows, ["all", "", f"{whole:.1f}", "100 %"]])


def method_table(seconds: dict[str, float], runs: pd.DataFrame) -> str:
    """CPU time by method, and the wall times and peaks that runs.csv records."""
    whole = sum(seconds.values()) or 1.0
    rows = []
    for methods, cpu in seconds.items():
        own = runs[runs.method.isin(methods.split("+"))]
        rows.append(
            [
                methods,
                f"{cpu:.1f}",
                f"{100 * cpu / whole:.0f} %",
                f"{1000 * cpu / max(1, len(own)):.0f}",
                f"{own.fit_seconds.sum():.1f}",
                f"{own.predict_seconds.sum():.1f}",
                f"{own.peak_memory_mb.max():.0f}",
            ]
        )
    head = ["method", "fits and scores, CPU s", "share", "ms a run", "fit, wall s", "score, wall s", "peak, MB"]
    return table(head, rows)


def draw(seconds: dict[str, float], runs: pd.DataFrame, path: Path) -> None:
    """CPU time and memory by method, side by side."""
    import matplotlib.pyplot as plt

    names = list(seconds)
    peaks = [runs[runs.method.isin(name.split("+"))].peak_memory_mb.max() for name in names]
    fig, (left, right) = plt.subplots(
        1, 2, figsize=(8, 0.3 * len(names) + 1.2), layout="constrained", sharey=True, width_ratios=(2, 1)
    )
    left.plot(list(seconds.values()), names, "o", markersize=5)
    left.set(xscale="log", xlabel="CPU seconds of fitting and scoring (log scale)")
    left.xaxis.set_major_formatter("{x:,g}")
    left.invert_yaxis()
    right.barh(names, peaks, height=0.6, color="C0")
    right.set(xlabel="peak memory, MB")
    save(fig, path)


def run(command: list[str]) -> float:
    """Run a command; returns the CPU seconds that it and all that it started used."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, stdout=sys.stderr)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main(argv: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--project", type=Path, default=Path(), help="folder of config/ and results/")
    parser.add_argument("--figure", type=Path)
    parser.add_argument("--fresh", action="store_true", help="run the command in a temporary copy without results")
    parser.add_argument("study")
    parser.add_argument("command", nargs=argparse.REMAINDER)
    arguments = parser.parse_args(argv)
    figure = arguments.figure and arguments.figure.absolute()
    os.chdir(arguments.project)
    with tempfile.TemporaryDirectory() as folder:
        if arguments.fresh:
            for part in PARTS:
                if Path(part).exists():
                    (shutil.copytree if Path(part).is_dir() else shutil.copy)(part, Path(folder) / part)
            os.chdir(folder)
        report(parser, arguments.study, arguments.command, figure)
        os.chdir("/")


def report(parser: argparse.ArgumentParser, name: str, command: list[str], figure: Path | None) -> None:
    """Run the command, if there is one, and print the tables of a study."""
    study = load_project([paths.study_yaml(name)]).study(name)
    total = run(command) if command else None
    stages = logs(study)
    if not any(map(read_used, stages.get("fit", []))):
        parser.error(f"{study.name} has no logs of fit jobs here: run `snakemake --cores 2 {study.name}` first")
    print(stage_table(by_stage(stages, total)))
    runs, seconds = pd.read_csv(paths.result("runs", study.name)), by_method(stages["fit"])
    print()
    print(method_table(seconds, runs))
    if figure:
        draw(seconds, runs, figure)


if __name__ == "__main__":
    main()
