"""What the stages after `collect` read: the CSV files of a study, checked, and what the study asks of them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from scarce import paths
from scarce.config.project import Project
from scarce.config.study import Study, Table
from scarce.data.availability import missing
from scarce.errors import DataError
from scarce.files import read_csv, read_json, sha256
from scarce.result_files import COLUMNS, READS_EMPTY, RESULT_FILES
from scarce.stages.inputs import there

if TYPE_CHECKING:
    from pandas import DataFrame


def read(file: Path, study: Study) -> DataFrame:
    """A CSV of the study's results; names are text even where they are digits, and an empty one is a name too.

    Raises
    ------
    DataError
        If another program has made it another table: columns that are lacking, numbers that are none.
    """
    text = [column.name for column in COLUMNS.values() if column.type == "string"]
    frame = read_csv(there(file, study.name), dtype=dict.fromkeys(text, str))
    _check(frame, file, study)
    return frame.assign(**{name: frame[name].fillna("") for name in READS_EMPTY if name in frame})


def _check(frame: DataFrame, file: Path, study: Study) -> None:
    from pandas.api.types import is_numeric_dtype

    declared = [one for name, one in RESULT_FILES.items() if paths.result(name, study.name) == file]
    columns = [COLUMNS[name] for one in declared for name in one.columns]
    numeric = [column.name for column in columns if column.type in ("number", "integer")]
    lacking = [column.name for column in columns if column.name not in frame]
    texts = [name for name in numeric if name in frame and not is_numeric_dtype(frame[name])]
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
    from scarce.analysis.statistics import AnalysisSettings
    from scarce.scoring.metrics import METRICS

    return AnalysisSettings(
        metrics=study.analysis.metrics,
        alpha=study.analysis.alpha,
        missing=study.analysis.missing,
        control=study.analysis.control,
        exclude=study.analysis.exclude,
        blocks=study.options.blocks,
        alternative=study.options.alternative,
        holm=study.options.holm,
        methods=study.fitted_methods,
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
    from scarce.analysis.reference import author_runs, published

    reference = study.analysis.reference
    if not reference:
        return None, None
    return published(reference), author_runs(reference, project.author_runs(reference))


def load_results(project: Project, name: str):
    """Read back what collect and analyse wrote."""
    from scarce.analysis.reference import printed
    from scarce.analysis.statistics import COLUMNS as STATS
    from scarce.report.results import StudyResults
    from scarce.report.style import Method
    from scarce.report.tables import Labels

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
        stats={part: read(paths.stats(name, part), study) for part in STATS},
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
        ratios={
            s.name: s.axes["flip_ratio"] for s in study.scenarios if "flip_ratio" in s.axes and s.prior_factor == 1
        },
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
    from scarce.scoring.metrics import METRICS

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
