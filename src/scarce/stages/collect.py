"""Rule `collect`: metrics of every run, as tidy CSV files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from scarce import paths
from scarce.config.project import Project
from scarce.config.study import Study
from scarce.files import write_json, write_rows
from scarce.result_files import columns_of
from scarce.stages.cell import StudyCell
from scarce.stages.inputs import description, existing, labels_of, true_labels

if TYPE_CHECKING:
    from scarce.scoring.collect import CellResult


#: Version of a library in fits of earlier versions of scarce.
NOT_RECORDED = "not recorded"


def collect(project: Project, name: str) -> str:
    """Score every run; write its scores and what it left behind as CSV, manifest.json and datapackage.json.

    Returns a warning where fits were made with several versions of a library, or "".
    """
    from scarce.stages.describe import datapackage, manifest, mixed_versions

    study = project.study(name)
    parts: dict[str, dict] = {}
    fitted: dict[str, Counter] = {}
    rows = scored(study, cells(project, study, parts, fitted))
    write_tables(study, rows)
    described = manifest(project, study, statuses(rows), parts, counts_by_version(fitted))
    write_json(paths.result("manifest", name), described)
    write_json(paths.result("datapackage", name), datapackage(study))
    return mixed_versions(described)


def scored(study: Study, cells: Iterable[CellResult]) -> dict[str, list[tuple]]:
    """Rows of the tables of runs of some cells, with the metrics and settings of a study, by name of the table."""
    from scarce.scoring.collect import collect as score
    from scarce.scoring.observed_metrics import ALL_METRICS

    return score(
        cells,
        study=study.name,
        decision=study.options.decision,
        search=study.options.threshold_search,
        metrics=[ALL_METRICS[metric] for metric in study.saved_metrics],
        prior_interval=study.analysis.class_prior_interval,
        at_k=study.analysis.at_k,
        costs=study.analysis.costs and study.analysis.costs.pair,
    )


def write_tables(study: Study, rows: Mapping[str, Iterable[Sequence]]) -> None:
    """Write the tables of runs that `scored` gives."""
    for table, of_table in rows.items():
        write_rows(paths.result(table, study.name), columns_of(table), of_table)


def statuses(rows: Mapping[str, Iterable[Sequence]]) -> list[str]:
    """The status of every run, by the rows of `scored`."""
    place = columns_of("runs").index("status")
    return [row[place] for row in rows["runs"]]


def counts_by_version(fitted: Mapping[str, Counter]) -> dict[str, dict[str, int]]:
    """What `cells` counts, as manifest.json has it."""
    return {library: dict(counts) for library, counts in fitted.items()}


def cells(
    project: Project,
    study: Study,
    parts: dict[str, dict],
    fitted: dict[str, Counter],
    methods: Collection[str] | None = None,
) -> Iterator[CellResult]:
    """The cells of a study, by default of all its fitted methods.

    Fills `parts` with what manifest.json says of the parts of each data set and scenario, and `fitted` with the number
    of cells that each version of a library has fitted.
    """
    from scarce.data.encode import encoded_names
    from scarce.fitting.fits import SCORED, read_runs, read_versions
    from scarce.labels.records import PROTOCOLS
    from scarce.scoring.collect import CellResult, Repeat
    from scarce.stages.describe import parts_of

    for dataset in study.datasets:
        y, about = true_labels(study, dataset), description(study, dataset)
        for scenario in study.scenarios_of(dataset):
            labels = labels_of(study, dataset, scenario.name)
            transductive = PROTOCOLS[study.split.plan].transductive
            parts.setdefault(dataset, {})[scenario.name] = parts_of(labels, transductive=transductive)
            shared = [Repeat.of(one, y, truth_known=study.truth_known) for one in labels]
            for method in study.fitted_methods if methods is None else methods:
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
