"""Rule `collect`: metrics of every run, as tidy CSV files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

from scarce import paths
from scarce.config.project import Project
from scarce.config.study import Study
from scarce.files import read_json, write_json, write_rows
from scarce.result_files import columns_of
from scarce.stages.cell import StudyCell
from scarce.stages.inputs import existing, labels_of, true_labels

if TYPE_CHECKING:
    from scarce.scoring.collect import CellResult


#: Version of a library in fits of earlier versions of scarce.
NOT_RECORDED = "not recorded"


def collect(project: Project, name: str) -> str:
    """Score every run; write its scores and what it left behind as CSV, manifest.json and datapackage.json.

    Returns a warning where fits were made with several versions of a library, or "".
    """
    from scarce.scoring.collect import collect as score
    from scarce.scoring.observed_metrics import ALL_METRICS
    from scarce.stages.describe import datapackage, manifest, mixed_versions

    study = project.study(name)
    options = study.options
    parts: dict[str, dict] = {}
    fitted: dict[str, Counter] = {}
    rows = score(
        _cells(project, study, parts, fitted),
        study=name,
        decision=options.decision,
        search=options.threshold_search,
        metrics=[ALL_METRICS[metric] for metric in study.saved_metrics],
        prior_interval=study.analysis.class_prior_interval,
        at_k=study.analysis.at_k,
        costs=study.analysis.costs and study.analysis.costs.pair,
    )
    for table in rows:
        write_rows(paths.result(table, name), columns_of(table), rows[table])
    statuses = [row[columns_of("runs").index("status")] for row in rows["runs"]]
    versions = {library: dict(counts) for library, counts in fitted.items()}
    described = manifest(project, study, statuses, parts, versions)
    write_json(paths.result("manifest", name), described)
    write_json(paths.result("datapackage", name), datapackage(study))
    return mixed_versions(described)


def _cells(project: Project, study: Study, parts: dict[str, dict], fitted: dict[str, Counter]) -> Iterator[CellResult]:
    """The cells of a study.

    Fills `parts` with what manifest.json says of the parts of each data set and scenario, and `fitted` with the number
    of cells that each version of a library has fitted.
    """
    from scarce.data.encode import encoded_names
    from scarce.fitting.fits import SCORED, read_runs, read_versions
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
                spec, repeats = project.method(method), shared
                if spec.hidden_labels:
                    repeats = [Repeat.of(one, y, oracle=True) for one in cell.seen(labels)]
                runs, fingerprint, inputs = read_runs(existing(cell.file, study.name))
                cell.check_current(cell.file, fingerprint, inputs)
                if any(run.status in SCORED for run in runs):
                    versions = read_versions(cell.file) or dict.fromkeys(cell.versions, NOT_RECORDED)
                    for library, version in versions.items():
                        fitted.setdefault(library, Counter())[version] += 1
                names = encoded_names(about.get("names", ()), about.get("categories", ()), cell.encoding)
                strict, mismatch = spec.comparison == ">", spec.mismatch(scenario.scheme)
                yield CellResult(dataset, scenario.name, method, runs, fingerprint, repeats, strict, names, mismatch)
