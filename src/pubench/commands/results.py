"""The stages after the fits: collect, analyse, tables, figures, page. No model is fitted here, whatever is asked of it."""

from __future__ import annotations

from collections.abc import Iterator

from pubench import paths
from pubench.commands.data import unavailable
from pubench.errors import IncompleteError
from pubench.files import read_csv, read_json, read_npz, write_csv, write_json
from pubench.project import Project
from pubench.study import Study


def collect(project: Project, name: str) -> None:
    """Score every run and write scores.csv, runs.csv, failures.csv, manifest.json and datapackage.json."""
    from pubench.commands.describe import datapackage, manifest
    from pubench.evaluate.collect import collect as score

    study = project.study(name)
    scores, runs, failures = score(
        _cells(project, study), study=name, decision=study.options.decision, search=study.options.threshold_search
    )
    write_csv(paths.scores(name), scores)
    write_csv(paths.runs(name), runs)
    write_csv(paths.failures(name), failures)
    write_json(paths.manifest(name), manifest(project, study, runs))
    write_json(paths.datapackage(name), datapackage(study))


def _cells(project: Project, study: Study) -> Iterator:
    from pubench.evaluate.collect import CellResult
    from pubench.evaluate.fits import read_runs
    from pubench.labels import Labels

    for dataset in study.datasets:
        y = read_npz(paths.prepared(dataset), "y")["y"]
        for scenario in study.scenarios:
            labels = Labels.load(paths.labels(study.name, dataset, scenario.name))
            for method in study.methods:
                file = paths.fit(study.name, dataset, scenario.name, method)
                if not file.is_file():
                    raise IncompleteError(f"{file} is not there", hint=f"snakemake --cores 2 {study.name}")
                runs, fingerprint = read_runs(file)
                strict = project.method(method).comparison == ">"
                yield CellResult(dataset, scenario.name, method, runs, fingerprint, labels, y, strict)


def analyse(project: Project, name: str) -> None:
    """Ranks, tests, and agreement with the published numbers."""
    from pubench.analysis import agreement as compare
    from pubench.analysis.reference import author_runs, published
    from pubench.analysis.statistics import analyse as statistics

    study = project.study(name)
    scores = read_csv(paths.scores(name))
    for part, frame in statistics(scores, settings(project, study)).items():
        write_csv(paths.stats(name, part), frame)
    reference = study.analysis.reference
    numbers = published(reference) if reference else None
    theirs = author_runs(reference) if reference and study.options.seeds == "paper" else None
    agreement, agreement_runs = compare.agreement(scores, numbers, theirs)
    write_csv(paths.agreement(name), agreement)
    write_csv(paths.agreement_runs(name), agreement_runs)


def settings(project: Project, study: Study):
    """What the study asks of its analysis."""
    from pubench.analysis.statistics import AnalysisSettings
    from pubench.evaluate.metrics import METRICS

    return AnalysisSettings(
        metrics=study.analysis.metrics,
        alpha=study.analysis.alpha,
        missing=study.analysis.missing,
        control=study.analysis.control,
        exclude=study.analysis.exclude,
        blocks=study.options.blocks,
        alternative=study.options.alternative,
        holm=study.options.holm,
        methods=study.methods,
        datasets=counted(project, study),
        lower_is_better=frozenset(metric.name for metric in METRICS.values() if metric.direction == "min"),
    )


def counted(project: Project, study: Study) -> list[str]:
    """The data sets that averages, ranks and tests count: all but the stand-ins for others of the same study."""
    return [name for name in study.datasets if project.dataset(name).substitute_for not in study.datasets]
