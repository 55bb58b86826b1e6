"""The stages after the fits: collect, analyse, tables, figures, page. No model is fitted here."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from pubench import paths
from pubench.commands.data import missing
from pubench.commands.fitting import digest_of_inputs, labels_of, there
from pubench.errors import DataError, IncompleteError
from pubench.files import read_csv, read_json, sha256, write_csv, write_json
from pubench.project import Project
from pubench.study import Study, Table

if TYPE_CHECKING:
    from pandas import DataFrame


def collect(project: Project, name: str) -> None:
    """Score every run and write scores, runs, failures and facts as CSV, manifest.json and datapackage.json."""
    from pubench.commands.describe import datapackage, manifest
    from pubench.evaluate.collect import collect as score

    study = project.study(name)
    scores, runs, failures, facts = score(
        _cells(project, study), study=name, decision=study.options.decision, search=study.options.threshold_search
    )
    write_csv(paths.scores(name), scores)
    write_csv(paths.runs(name), runs)
    write_csv(paths.failures(name), failures)
    write_csv(paths.facts(name), facts)
    write_json(paths.manifest(name), manifest(project, study, runs))
    write_json(paths.datapackage(name), datapackage(study))


def _cells(project: Project, study: Study) -> Iterator:
    from pubench.data.store import load_prepared
    from pubench.evaluate.collect import CellResult
    from pubench.evaluate.fits import read_runs

    for dataset in study.datasets:
        y = load_prepared(dataset).y
        for scenario in study.scenarios:
            labels = labels_of(study, dataset, scenario.name)
            for method in study.methods:
                file = there(paths.fit(study.name, dataset, scenario.name, method), study.name)
                runs, fingerprint, inputs = read_runs(file)
                if inputs != digest_of_inputs(study, dataset, scenario.name):
                    raise _outdated(file, "from other labels or features", study)
                if fingerprint != project.fingerprint(study, method):
                    raise _outdated(file, "with other arguments or other code", study)
                strict = project.method(method).comparison == ">"
                yield CellResult(dataset, scenario.name, method, runs, fingerprint, labels, y, strict)


def _outdated(file: Path, how: str, study: Study) -> IncompleteError:
    """What Snakemake mends by itself, unless its records (``.snakemake``) are lost."""
    again = f"snakemake --cores 2 {study.name}"
    return IncompleteError(f"{file} was made {how}", hint=f"{again}; should that not make it again: {again} --forceall")


def analyse(project: Project, name: str) -> str:
    """Ranks, tests, and agreement with the published numbers; returns what is doubtful of the scores, or ""."""
    from pandas import DataFrame

    from pubench.analysis import agreement as compare
    from pubench.analysis.statistics import analyse as statistics

    study = project.study(name)
    scores = read(paths.scores(name), study)
    for part, frame in statistics(scores, settings(project, study)).items():
        write_csv(paths.stats(name, part), frame)
    numbers, theirs = references(project, study)
    agreement, agreement_runs = compare.agreement(scores, numbers, theirs)
    if study.options.seeds != "paper":  # then no run here has its twin there
        agreement_runs = agreement_runs.iloc[:0]
    write_csv(paths.agreement(name), agreement)
    write_csv(paths.agreement_runs(name), agreement_runs)
    notes = compare.agreement_notes(agreement, numbers, theirs) if numbers is not None else None
    write_csv(paths.agreement_notes(name), DataFrame(columns=compare.NOTES) if notes is None else notes)
    return changed(study)


def read(file: Path, study: Study) -> DataFrame:
    """A CSV of the study's results; names are text even where they are digits, and an empty one is a name too.

    Raises
    ------
    DataError
        If another program has made it another table: columns that are lacking, numbers that are none.
    """
    names = (
        "dataset",
        "scenario",
        "method",
        "metric",
        "fact",
        "message",
        "note",
        "status",
        "command",
        "fingerprint",
        "control",
        "blocks",
        "other",
        "claim",
        "where",
    )
    frame = read_csv(there(file, study.name), dtype=dict.fromkeys(names, str))
    _check(frame, file, study)
    may_be_empty = ("dataset", "scenario", "method", "metric", "note", "blocks", "other", "where")
    empty = [column for column in may_be_empty if column in frame]
    return frame.assign(**{column: frame[column].fillna("") for column in empty})


def _check(frame: DataFrame, file: Path, study: Study) -> None:
    from pandas.api.types import is_numeric_dtype

    from pubench.commands.describe import columns, field

    folder = paths.results(study.name)
    wanted = columns().get(file.relative_to(folder).as_posix(), ()) if file.is_relative_to(folder) else ()
    lacking = [name for name in wanted if name not in frame]
    texts = [
        name
        for name in wanted
        if name in frame and field(name)["type"] in ("number", "integer") and not is_numeric_dtype(frame[name])
    ]
    if lacking or (texts and len(frame)):
        what = f"has no column {lacking[0]}" if lacking else f"column {texts[0]} holds what is no number"
        raise DataError(f"{what}; another program has changed it", where=str(file), hint="delete it and run again")


def changed(study: Study) -> str:
    """What is to be said where scores.csv is not as it was collected, or ""."""
    scores, manifest = paths.scores(study.name), paths.manifest(study.name)
    if not (scores.is_file() and manifest.is_file()) or sha256(scores) == read_json(manifest)["scores_sha256"]:
        return ""
    return (
        f"{scores} was changed after it was collected, and what follows is made from the changed file; delete it and "
        "run again to have it back"
    )


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


def scenario_labels(study: Study) -> dict[str, str]:
    """How a reader knows the scenarios."""
    return {s.name: s.label for s in study.scenarios}


def references(project: Project, study: Study) -> tuple[DataFrame | None, DataFrame | None]:
    """The published numbers and the authors' single runs, where there are any."""
    from pubench.analysis.reference import author_runs, published

    reference = study.analysis.reference
    if not reference:
        return None, None
    return published(reference), author_runs(reference, project.author_runs(reference))


def load_results(project: Project, name: str):
    """Read back what collect and analyse wrote."""
    from pubench.analysis.reference import printed
    from pubench.analysis.statistics import COLUMNS
    from pubench.report.results import StudyResults
    from pubench.report.style import Method
    from pubench.report.tables import Labels

    study = project.study(name)
    numbers, theirs = references(project, study)
    first = counted(project, study)
    datasets = [project.dataset(d) for d in (*first, *(d for d in study.datasets if d not in first))]
    methods = [project.method(method) for method in study.methods]
    return StudyResults(
        scores=read(paths.scores(name), study),
        runs=read(paths.runs(name), study),
        failures=read(paths.failures(name), study),
        facts=read(paths.facts(name), study),
        stats={part: read(paths.stats(name, part), study) for part in COLUMNS},
        agreement=read(paths.agreement(name), study),
        agreement_runs=read(paths.agreement_runs(name), study),
        agreement_notes=read(paths.agreement_notes(name), study),
        settings=settings(project, study),
        labels=Labels(
            methods={spec.name: spec.label for spec in methods},
            datasets={spec.name: spec.code or spec.name for spec in datasets},
            scenarios=scenario_labels(study),
            titles={spec.name: spec.title for spec in datasets},
        ),
        methods=[Method(spec.name, spec.label, spec.family) for spec in methods],
        ratios={s.name: s.flip_ratio for s in study.scenarios if s.flip_ratio is not None and s.prior_factor == 1},
        factors=_factors(study),
        unavailable={d: reason for d in study.datasets if (reason := missing(d))},
        sizes=_sizes(study),
        bases={spec.name: spec.builds_on for spec in methods if spec.builds_on in study.methods},
        printed_ranks=printed(study.analysis.reference, "ranks"),
        printed_facts=printed(study.analysis.reference, "facts"),
        printed_sizes=printed(study.analysis.reference, "sizes"),
        published=numbers,
        author_runs=theirs,
    )


def _sizes(study: Study) -> dict[str, tuple[int, int, int]]:
    """Rows, features and positives of the data sets that are there."""
    described = {name: read_json(there(paths.prepared_json(name))) for name in study.datasets}
    return {name: (d["n"], d["d"], d["positives"]) for name, d in described.items() if d["status"] == "ok"}


def _factors(study: Study) -> dict[str, dict[str, float]]:
    """By plain scenario, those that differ in nothing but the factor of the class prior."""
    found: dict[str, dict[str, float]] = {}
    for s in study.scenarios:
        found.setdefault(s.plain, {})[s.name] = s.prior_factor
    return {plain: factors for plain, factors in found.items() if len(factors) > 1}


def table_specs(study: Study) -> list[Table]:
    """The tables that a study asks for; one a metric, and one a metric and scenario, where it asks for none."""
    from pubench.evaluate.metrics import METRICS

    if study.report.tables:
        return study.report.tables
    made = []
    for metric in study.analysis.metrics:
        title = f"Average {METRICS[metric].label}"
        made.append(Table(name=metric, title=title, metric=metric, layout="scenarios"))
        for s in study.scenarios:
            about = {
                "title": f"{title} at {s.label}",
                "layout": "datasets",
                "scenario": s.name,
            }
            made.append(Table(name=f"{metric}_{s.name}", metric=metric, **about))
    return made


def tables(project: Project, name: str) -> None:
    """Every table as CSV, LaTeX and HTML."""
    from pubench.report.grid_files import write_grid
    from pubench.report.grids import build_grid
    from pubench.report.table_files import write_table
    from pubench.report.tables import build_table

    results = load_results(project, name)
    for spec in table_specs(project.study(name)):
        if spec.layout in ("scenarios", "datasets"):
            write_table(build_table(spec, results.tables), paths.tables(name))
        else:
            write_grid(build_grid(spec, results), paths.tables(name))


def figures(project: Project, name: str) -> None:
    """Every figure as SVG, PDF and PNG, and what the page says of each in captions.json."""
    from pubench.report.catalogue import FIGURES
    from pubench.report.figures import save

    results = load_results(project, name)
    captions = []
    for wanted in project.study(name).report.figures:
        for drawing in FIGURES[wanted](results):
            save(drawing.figure, paths.figures(name) / drawing.stem)
            captions.append({"stem": drawing.stem, "title": drawing.title, "caption": drawing.caption})
    write_json(paths.captions(name), captions)


def page(project: Project, name: str) -> None:
    """The report: one file that needs nothing beside it."""
    from pubench.commands.paging import context
    from pubench.files import write_text
    from pubench.report.page import build_page

    study = project.study(name)
    results = load_results(project, name)
    manifest = read_json(there(paths.manifest(name), name))
    captions = read_json(there(paths.captions(name), f"{name} --forcerun figures"))
    said = context(project, study, results, manifest, captions, table_specs(study))
    if doubt := changed(study):
        said = replace(said, notes=[f"{doubt}.", *said.notes])
    judged = {"verdicts": read(paths.verdicts(name), study), "evidence": read(paths.evidence(name), study)}
    write_text(paths.report(name), build_page(replace(said, **judged)))
