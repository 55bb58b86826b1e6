"""Packs: the results of a study as one folder that travels, and back. docs/packs.md gives the format."""

from __future__ import annotations

import os
import shutil
from collections.abc import Container, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from scarce import paths
from scarce.commands import records
from scarce.config.project import Project
from scarce.config.study import Study
from scarce.data.availability import missing
from scarce.errors import ConfigError, IncompleteError
from scarce.files import read_json, read_npz, scratch, write_json, write_npz
from scarce.fitting.fits import read_versions, write_runs
from scarce.labels.file import Labels
from scarce.result_files import RESULT_FILES
from scarce.scoring.collect import CellResult
from scarce.stages import pack_files as files
from scarce.stages import unpacked
from scarce.stages.cell import all_cells, resource_groups
from scarce.stages.collect import cells, scored
from scarce.stages.describe import settings_of
from scarce.stages.index import write_index
from scarce.stages.inputs import existing, true_labels
from scarce.stages.results import changed
from scarce.words import listed, number

#: Scores are kept as float32 where that moves no metric of any run by more.
TOLERANCE = 1e-6
#: Result files that are made again from the others when a pack is unpacked.
MADE_AGAIN = ("report",)


def pack(project: Project, study: str | None = None, *, check: Path | None = None, output: Path | None = None) -> str:
    """Write the results of a finished study as a pack, or check one.

    Raises
    ------
    ConfigError
        If neither or both are asked for, or the results of the study come from a pack.
    IncompleteError
        If the study is not finished, or its fits or scores are not those of the code and configuration of now.
    DataError
        If a pack that is checked lacks, changed or added a file.
    """
    if (study is None) == (check is None):
        raise ConfigError("name a study to pack, or --check and a pack", hint="scarce pack demo")
    if check is not None:
        about = files.read_index(check)
        return f"{check}: complete: {number(len(about['files']), 'file')}, {unpacked.words(about)}"
    folder = output or paths.PACKS / study
    if folder.exists() and not (folder / files.INDEX).is_file():
        raise ConfigError(f"{folder} is there and is no pack", hint="name another folder with --output")
    folder.parent.mkdir(parents=True, exist_ok=True)
    with scratch(folder.parent, f".{folder.name}.") as work:
        made = work / "pack"
        about = write(project, project.study(study), made)
        if folder.exists():
            shutil.rmtree(folder)
        os.replace(made, folder)
    size = sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())
    kept = about["precision"].values()
    single, whole = (sum(one[f"{kind}_runs"] for one in kept) for kind in ("float32", "float64"))
    change = max((one["largest_change"] for one in kept), default=0.0)
    return (
        f"{folder}: {size / 1e6:.2f} MB; scores of {number(single, 'run')} as float32, which changes no metric by more "
        f"than {change:.1e}, and of {number(whole, 'run')} as float64"
    )


def write(project: Project, study: Study, folder: Path) -> dict[str, Any]:
    """Write the pack of a study into a folder; returns what pack.json says. See `pack`."""
    if unpacked.pack_of(study.name):
        raise ConfigError(f"the results of {study.name} come from a pack", hint="copy that pack")
    for name in RESULT_FILES:
        existing(paths.result(name, study.name), study.name)
    if doubt := changed(study):
        raise IncompleteError(doubt)
    manifest = read_json(paths.result("manifest", study.name))
    found = list(cells(project, study, {}, {}))
    changes, precision = changes_by_float32(study, found), {}
    for method in study.fitted_methods:
        of_method = {run: change for run, change in changes.items() if run[-1] == method}
        single = {run: change for run, change in of_method.items() if change <= TOLERANCE}
        packed = {(c.dataset, c.scenario): _packed(study, c, single) for c in found if c.method == method}
        files.write_scores(folder, method, packed)
        precision[method] = {
            "float32_runs": len(single),
            "float64_runs": len(of_method) - len(single),
            "largest_change": max(single.values(), default=0.0),
        }
    files.write_labels(folder, {pair: _labels(study, *pair) for pair in study.pairs})
    files.write_truth(folder, {name: true_labels(study, name) for name in study.datasets if not missing(name)})
    for file in RESULT_FILES.values():
        if file.name not in MADE_AGAIN:
            files.write_result(folder, file.path, paths.result(file.name, study.name).read_bytes())
    fingerprints: dict[str, dict[str, str]] = {}
    for cell in found:
        fingerprints.setdefault(cell.dataset, {})[cell.method] = cell.fingerprint
    about = {
        "name": study.name,
        "study": settings_of(study),
        "made_by": {"git_commit": manifest["git_commit"], "platform": manifest["platform"], **manifest["versions"]},
        "fitted_with": manifest["fitted_with"],
        "fingerprints": fingerprints,
        "precision": precision,
        **{key: manifest[key] for key in ("datasets", "repeated", "methods")},
        "descriptions": {name: read_json(paths.prepared_json(name)) for name in study.datasets},
    }
    files.write_index(folder, about)
    return about


def _packed(study: Study, cell: CellResult, single: Container[tuple]) -> files.PackedCell:
    """The runs of a cell, of which those of `single` have scores rounded to float32."""
    runs = [
        files.as_float32(run) if (cell.dataset, cell.scenario, run.repeat, cell.method) in single else run
        for run in cell.runs
    ]
    return files.PackedCell(runs, read_versions(paths.fit(study.name, cell.dataset, cell.scenario, cell.method)))


def _labels(study: Study, dataset: str, scenario: str) -> files.PackedLabels:
    priors = read_npz(paths.prior(study.name, dataset, scenario)) if study.options.estimator else None
    return files.PackedLabels(Labels.load(paths.labels(study.name, dataset, scenario)), priors)


def changes_by_float32(study: Study, found: Sequence[CellResult]) -> dict[tuple, float]:
    """The largest change of a metric of each scored run where its scores are rounded to float32.

    Runs are named by (data set, scenario, repeat, method). A value that becomes undefined, or defined, is an infinite
    change.
    """
    exact = scored(study, found)["scores"]
    rounded = (replace(cell, runs=[files.as_float32(run) for run in cell.runs]) for cell in found)
    values = {row[:-1]: row[-1] for row in scored(study, rounded)["scores"]}
    changes: dict[tuple, float] = {}
    for *key, value in exact:
        other = values.get(tuple(key), np.nan)
        undefined = np.isnan([value, other])
        change = float(np.inf if undefined.sum() == 1 else 0 if undefined.all() else abs(other - value))
        run = tuple(key[:-1])
        changes[run] = max(changes.get(run, 0.0), change)
    return changes


def unpack(project: Project, folder: Path) -> str:
    """Make the results of a pack stand as if the study had been run here, and say everywhere that they come from it.

    Raises
    ------
    DataError
        If the pack lacks, changed or added a file.
    ConfigError
        If the study has results, is not configured here, or is configured with other settings than in the pack.
    """
    about = files.read_index(folder)
    study = project.study(about["name"])
    if paths.results(study.name).exists():
        hint = f"move {paths.results(study.name)} away, or delete it"
        raise ConfigError(f"{study.name} has results", hint=hint)
    here = settings_of(study)
    if other := [key for key in {*here, *about["study"]} if here.get(key) != about["study"].get(key)]:
        hint = f"use the version of scarce and of the study that made it: {unpacked.words(about)}"
        raise ConfigError(f"study {study.name} here differs from the pack's in {listed(sorted(other))}", hint=hint)
    _restore(project, study, folder, about)
    return (
        f"{paths.results(study.name)}: as in {unpacked.words(about)}\n{paths.result('report', study.name)}: its report"
    )


def _restore(project: Project, study: Study, folder: Path, about: dict[str, Any]) -> None:
    """Write what a pack has, each file after those that it is made from, as Snakemake compares their times."""
    from scarce.stages.figures import figures
    from scarce.stages.page import page
    from scarce.stages.tables import tables

    mark = paths.pack_mark(study.name)
    mark.parent.mkdir(parents=True)
    shutil.rmtree(paths.figures(study.name), ignore_errors=True)  # Snakemake's time of the folder would stay
    shutil.copyfile(folder / files.INDEX, mark)
    made = [*restore_labels(study, folder, study.datasets), *_restore_fits(project, study, folder)]
    manifest = paths.result("manifest", study.name)
    for rule in ("collect", "analyse", "verdicts"):
        for name, file in paths.outputs_of(rule, study.name).items():
            content = files.read_result(folder, RESULT_FILES[name].path)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content)
            made.append(file)
        if rule == "collect":
            write_json(manifest, read_json(manifest) | {"pack": unpacked.words(about)})
    for stage in (tables, figures, page):
        stage(project, study.name)
    made += [paths.tables(study.name), paths.figures(study.name), paths.result("report", study.name)]
    records.forget(made)


def restore_labels(study: Study, folder: Path, datasets: list[str]) -> list[Path]:
    """Write the labels, true labels and class priors that a pack has of some data sets; returns the index files."""
    packed, truth, indexes = files.read_labels(folder), files.read_truth(folder), []
    write_npz(paths.truth(study.name), **truth)
    for dataset in datasets:
        kinds: dict[Path, list[Path]] = {paths.labels_index(study.name, dataset): []}
        for scenario in study.scenarios_of(dataset):
            of_setting = packed.get((dataset, scenario.name), files.PackedLabels(Labels([])))
            file = paths.labels(study.name, dataset, scenario.name)
            of_setting.labels.save(file)
            kinds[paths.labels_index(study.name, dataset)].append(file)
            if study.options.estimator:
                prior = paths.prior(study.name, dataset, scenario.name)
                write_npz(prior, **(of_setting.priors or dict.fromkeys(files.PRIORS, np.empty(0))))
                kinds.setdefault(paths.priors_index(study.name, dataset), []).append(prior)
        for index, listed_files in kinds.items():
            write_index(index, listed_files)
            indexes.append(index)
    return indexes


def _restore_fits(project: Project, study: Study, folder: Path) -> list[Path]:
    """Write the fits that a pack has; returns the index files."""
    of_study, indexes = all_cells(project, study), []
    for method in study.fitted_methods:
        packed = files.read_scores(folder, method)
        for cell in of_study:
            if cell.method == method:
                found = packed.get(cell.names[1:3], files.PackedCell([], {}))
                write_runs(cell.file, found.runs, *cell.identity, versions=found.versions)
    for dataset in study.datasets:
        for group, methods in resource_groups(project, study).items():
            indexes.append(paths.fits_index(study.name, dataset, group))
            write_index(indexes[-1], [c.file for c in of_study if c.dataset == dataset and c.method in methods])
    return indexes
