"""Rule `collect`: metrics of every run, as tidy CSV files."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from scarce import paths
from scarce.config.project import Project
from scarce.config.study import Study
from scarce.errors import IncompleteError
from scarce.files import read_json, write_json, write_rows
from scarce.result_files import columns_of
from scarce.stages.cell import StudyCell
from scarce.stages.inputs import existing, labels_of, true_labels

if TYPE_CHECKING:
    from scarce.scoring.collect import CellResult


def collect(project: Project, name: str) -> None:
    """Score every run; write its scores and what it left behind as CSV, manifest.json and datapackage.json."""
    from scarce.scoring.collect import collect as score
    from scarce.scoring.observed_metrics import ALL_METRICS
    from scarce.stages.describe import datapackage, manifest

    study = project.study(name)
    options = study.options
    parts: dict[str, dict] = {}
    rows = score(
        _cells(project, study, parts),
        study=name,
        decision=options.decision,
        search=options.threshold_search,
        metrics=[ALL_METRICS[metric] for metric in study.saved_metrics],
        prior_interval=study.analysis.class_prior_interval,
    )
    for table in rows:
        write_rows(paths.result(table, name), columns_of(table), rows[table])
    statuses = [row[columns_of("runs").index("status")] for row in rows["runs"]]
    write_json(paths.result("manifest", name), manifest(project, study, statuses, parts))
    write_json(paths.result("datapackage", name), datapackage(study))


def _cells(project: Project, study: Study, parts: dict[str, dict]) -> Iterator[CellResult]:
    """The cells of a study; fills `parts` with what manifest.json says of the parts of each data set and scenario."""
    from scarce.data.encode import encoded_names
    from scarce.fitting.fits import read_runs
    from scarce.labels.records import PROTOCOLS
    from scarce.scoring.collect import CellResult, Repeat
    from scarce.stages.describe import parts_of

    for dataset in study.datasets:
        y, about = true_labels(dataset), read_json(existing(paths.prepared_json(dataset)))
        for scenario in study.scenarios_of(dataset):
            labels = labels_of(study, dataset, scenario.name)
            transductive = PROTOCOLS[study.split.plan].transductive
            parts.setdefault(dataset, {})[scenario.name] = parts_of(labels, transductive=transductive)
            shared = [Repeat.of(one, y, truth_known=study.truth_known) for one in labels]
            for method in study.fitted_methods:
                cell = StudyCell(project, study, dataset, scenario.name, method)
                seen = cell.seen(labels)
                repeats = shared if seen is labels else [Repeat.of(one, y, oracle=True) for one in seen]
                runs, fingerprint, inputs = read_runs(existing(cell.file, study.name))
                if inputs != cell.identity[1]:
                    raise _outdated(cell.file, "from other labels or features", study)
                if fingerprint != cell.identity[0]:
                    raise _outdated(cell.file, "with other arguments or other code", study)
                strict = project.method(method).comparison == ">"
                names = encoded_names(about.get("names", ()), about.get("categories", ()), cell.encoding)
                yield CellResult(dataset, scenario.name, method, runs, fingerprint, repeats, strict, names)


def _outdated(file: Path, how: str, study: Study) -> IncompleteError:
    """The error of a fit that Snakemake would fit again by itself, unless its records (``.snakemake``) are lost."""
    again = f"snakemake --cores 2 {study.name}"
    return IncompleteError(f"{file} was made {how}", hint=f"{again}; should that not make it again: {again} --forceall")
