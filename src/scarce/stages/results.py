"""What the stages after `collect` read: the CSV files of a study, checked, and what the study asks of them."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING

from scarce import paths
from scarce.config.metric_settings import stated
from scarce.config.project import Project
from scarce.config.study import Study
from scarce.config.study import Table as TableSpec
from scarce.errors import DataError
from scarce.estimators.schemes import WORDS
from scarce.files import read_csv, read_json, sha256
from scarce.result_files import COLUMNS, READS_EMPTY, RESULT_FILES
from scarce.stages.inputs import description, existing
from scarce.stages.unpacked import missing
from scarce.words import listed

if TYPE_CHECKING:
    from pandas import DataFrame

    from scarce.analysis.statistics import AnalysisSettings
    from scarce.report.results import StudyResults


def read(file: Path, study: Study) -> DataFrame:
    """A CSV of the study's results; names are text even where they are digits, and an empty one is a name too.

    Raises
    ------
    DataError
        If another program has changed it: a column is missing, or a column of numbers holds text.
    """
    text = [column.name for column in COLUMNS.values() if column.type == "string"]
    frame = read_csv(existing(file, study.name), dtype=dict.fromkeys(text, str))
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
        what = f"has no column {lacking[0]}" if lacking else f"column {texts[0]} holds text where numbers belong"
        raise DataError(f"{what}; another program has changed it", where=str(file), hint="delete it and run again")


def changed(study: Study) -> str:
    """A warning where scores.csv differs from what was collected, else ""."""
    scores, manifest = paths.result("scores", study.name), paths.result("manifest", study.name)
    if not (scores.is_file() and manifest.is_file()) or sha256(scores) == read_json(manifest)["scores_sha256"]:
        return ""
    return (
        f"{scores} was changed after it was collected, and what follows is computed from the changed file; to restore "
        "it, delete it and run again"
    )


def settings(project: Project, study: Study) -> AnalysisSettings:
    """What the study asks of its analysis."""
    from scarce.analysis.statistics import AnalysisSettings
    from scarce.scoring.observed_metrics import ALL_METRICS

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
        oracles=[name for name in study.fitted_methods if project.method(name).hidden_labels],
        datasets=counted(project, study),
        lower_is_better=frozenset(metric.name for metric in ALL_METRICS.values() if metric.direction == "min"),
        limited={s.name: s.datasets for s in study.scenarios if s.datasets is not None},
        selection=study.analysis.selection,
        prevalence=_prevalence(study) if study.analysis.selection else {},
        tabulated=[spec.metric for spec in study.report.tables if spec.layout in ("scenarios", "datasets")],
    )


def parts(study: Study) -> dict[str, dict[str, dict]]:
    """What manifest.json says of the parts of each data set and scenario, see `scarce.stages.describe.parts_of`."""
    return read_json(existing(paths.result("manifest", study.name), study.name)).get("parts", {})


def ratios(study: Study) -> dict[tuple[str, str, str], tuple[float, str]]:
    """Rows that score over rows that train, by data set, scenario and rows; see `scarce.analysis.one_dataset.pairs`."""
    found = {}
    for dataset, scenarios in parts(study).items():
        for scenario, part in scenarios.items():
            for rows, training in (("test", "train"), ("validation", "fit")):
                note, ratio = "", part[rows] / part[training] if part[training] else math.nan
                if rows == "test" and part["test_trains"]:
                    note = "no interval: rows that test also train"
                elif rows == "test" and part["same_test"]:
                    note = "no interval: all repeats test the same rows, and say nothing of others"
                found[dataset, scenario, rows] = math.nan if note else ratio, note
    return found


def counted(project: Project, study: Study) -> list[str]:
    """The data sets that averages, ranks and tests count.

    All but the stand-ins for others of the same study, and those that hold the same table as another that counts.
    """
    names = [name for name in study.datasets if project.dataset(name).substitute_for not in study.datasets]
    return [name for name in names if copies(study).get(name) not in names]


def copies(study: Study) -> dict[str, str]:
    """Data sets that held the same table as an earlier one of the study when it was collected, with its name."""
    manifest = paths.result("manifest", study.name)
    return read_json(manifest).get("repeated", {}) if manifest.is_file() else {}


def order_of_datasets(project: Project, study: Study) -> list[str]:
    """All data sets of the study, those that do not count last."""
    first = counted(project, study)
    return [*first, *(name for name in study.datasets if name not in first)]


def scenario_labels(study: Study) -> dict[str, str]:
    """How a reader knows the scenarios."""
    return {s.name: s.label for s in study.scenarios}


def references(project: Project, study: Study) -> tuple[DataFrame | None, DataFrame | None]:
    """The published numbers and the authors' single runs, where there are any."""
    from scarce.analysis.reference import held_against

    reference = study.analysis.reference
    if not reference:
        return None, None
    return held_against(reference, project.author_runs(reference), study.datasets)


def load_results(project: Project, name: str) -> StudyResults:
    """What collect and analyse wrote, each file read when it is needed."""
    from scarce.analysis.reference import printed
    from scarce.report.results import DisplayMethod, DisplayNames, Frames, StudyResults, marked

    study = project.study(name)
    existing(paths.result("scores", name), name)  # before anything that a study without results lacks as well
    datasets = [project.dataset(d) for d in order_of_datasets(project, study)]
    methods = [project.method(method) for method in study.methods]
    run = [spec for spec in methods if spec.name in study.fitted_methods]
    labels = {spec.name: marked(spec.label, spec.hidden_labels) for spec in methods}
    described = _described(study)
    return StudyResults(
        frames=Frames(lambda part: read(paths.results(name) / f"{part}.csv", study)),
        settings=settings(project, study),
        names=DisplayNames(
            methods={spec.name: labels[spec.name] for spec in [*run, *(spec for spec in methods if spec not in run)]},
            datasets={spec.name: spec.code or spec.name for spec in datasets},
            scenarios=scenario_labels(study),
            titles={spec.name: spec.title or spec.name for spec in datasets},
        ),
        methods=[DisplayMethod(spec.name, labels[spec.name], spec.family) for spec in run],
        published_only={spec.name for spec in methods if spec not in run},
        ratios={
            s.name: s.axes["flip_ratio"] for s in study.scenarios if "flip_ratio" in s.axes and s.prior_factor == 1
        },
        factors=_factors(study),
        repeated=copies(study),
        unavailable={d: reason for d in study.datasets if (reason := missing(name, d))},
        sizes={name: (about["n"], about["d"], about["positives"]) for name, about in described.items()},
        nominal={name: len(about["categories"]) for name, about in described.items() if "categories" in about},
        shapes={name: tuple(about["shape"]) for name, about in described.items() if "shape" in about},
        bases={spec.name: spec.builds_on for spec in run if spec.builds_on in study.methods},
        printed_sizes=printed(study.analysis.reference, "sizes"),
        assumptions=assumptions(study),
        stated=stated(study.analysis, study.saved_metrics),
        truth_known=study.truth_known,
    )


PRIORS = {
    "train_true": "the true class prior of the training rows",
    "all_true": "the true class prior of all rows",
}
"""What a class prior that is neither stated nor estimated is."""


def assumptions(study: Study) -> dict[str, str]:
    """What each metric of observed labels that the study saves assumes, with the study's own class prior and scheme."""
    from scarce.scoring.observed_metrics import ALL_METRICS, INTERVAL, PRIOR, SCAR, SCHEME

    schemes = {part["scheme"] for scenarios in parts(study).values() for part in scenarios.values()} - {""}
    prior, estimator = study.options.class_prior, study.options.estimator
    words = {
        SCAR: "labels selected completely at random (SCAR)",
        PRIOR: PRIORS.get(
            prior, f"the class prior as estimated by {estimator}" if estimator else f"the stated class prior {prior}"
        ),
        INTERVAL: "a class prior from {:g} to {:g}".format(*study.analysis.class_prior_interval or (0, 1)),
        SCHEME: listed([WORDS[scheme] for scheme in sorted(schemes)]),
    }
    saved = [ALL_METRICS[name] for name in study.saved_metrics]
    return {metric.name: listed([words[part] for part in metric.assumes]) for metric in saved if metric.assumes}


def _described(study: Study) -> dict[str, dict]:
    """What the preparation said of the data sets that are there."""
    described = {name: description(study, name) for name in study.datasets}
    return {name: about for name, about in described.items() if about["status"] == "ok"}


def _prevalence(study: Study) -> dict[str, float]:
    """Share of positives of each data set that is there."""
    return {name: about["positives"] / about["n"] for name, about in _described(study).items()}


def _factors(study: Study) -> dict[str, dict[str, float]]:
    """By plain scenario, those that differ in nothing but the factor of the class prior."""
    factors: dict[str, dict[str, float]] = {}
    for s in study.scenarios:
        factors.setdefault(s.plain, {})[s.name] = s.prior_factor
    return {plain: by_name for plain, by_name in factors.items() if len(by_name) > 1}


def table_specs(study: Study) -> list[TableSpec]:
    """The tables that a study asks for; one a metric, and one a metric and scenario, where it asks for none.

    Those of a study that judges choices among methods begin with one of what is lost by them, for each metric.
    """
    from scarce.scoring.observed_metrics import ALL_METRICS

    if study.report.tables:
        return study.report.tables
    judged_in = study.analysis.selection.judged_in if study.analysis.selection else []
    specs = [
        TableSpec(
            name=f"selection_{metric}",
            title=f"{ALL_METRICS[metric].label} lost by choosing among methods",
            metric=metric,
            layout="selection",
        )
        for metric in judged_in
    ]
    for metric in study.analysis.metrics:
        title = f"Average {ALL_METRICS[metric].label}"
        specs.append(TableSpec(name=metric, title=title, metric=metric, layout="scenarios"))
        for s in study.scenarios:
            by_dataset = {"title": f"{title} at {s.label}", "layout": "datasets", "scenario": s.name}
            specs.append(TableSpec(name=f"{metric}_{s.name}", metric=metric, **by_dataset))
    return specs
