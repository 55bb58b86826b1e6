"""Rule `analyse`: every statistic of the report, and agreement with the published numbers."""

from __future__ import annotations

from scarce import paths
from scarce.config.project import Project
from scarce.data.availability import same_table
from scarce.files import write_csv
from scarce.stages.results import (
    changed,
    copies,
    order_of_datasets,
    ratios,
    read,
    references,
    settings,
    table_specs,
)


def analyse(project: Project, name: str) -> list[str]:
    """Write ``stats/`` and the files of agreement; returns a line for each doubt about data and scores."""
    from pandas import DataFrame

    from scarce.analysis import agreement as compare
    from scarce.analysis.one_dataset import pairs
    from scarce.analysis.reference import printed
    from scarce.analysis.selection import selection
    from scarce.analysis.separated import in_words, separated
    from scarce.analysis.statistics import analyse as statistics
    from scarce.analysis.table_ranks import table_ranks
    from scarce.scoring.observed_metrics import ALL_METRICS

    study = project.study(name)
    analysis = settings(project, study)
    scores = read(paths.result("scores", name), study)
    published, author_runs = references(project, study)
    paired = author_runs if study.options.seeds == "paper" else None  # else no run here has its twin there
    for part, frame in statistics(scores, analysis, published, author_runs).items():
        write_csv(
            paths.result(part, name), frame if paired is not None or part != "means" else frame.assign(authors=None)
        )
    of_validation = frozenset(name for name, metric in ALL_METRICS.items() if metric.rows == "validation")
    write_csv(paths.result("pairs", name), pairs(scores, analysis, ratios(study), of_validation))
    write_csv(paths.result("selection", name), selection(scores, analysis))
    numbers = {what: printed(study.analysis.reference, what) for what in ("ranks", "facts")}
    ranks, tests = table_ranks(
        [spec for spec in table_specs(study) if spec.layout in ("ranks", "facts")],
        scores,
        read(paths.result("facts", name), study),
        analysis,
        order_of_datasets(project, study),
        numbers | {"published": published},
    )
    write_csv(paths.result("table_ranks", name), ranks)
    write_csv(paths.result("table_tests", name), tests)
    agreement, agreement_runs = compare.agreement(scores, published, author_runs)
    write_csv(paths.result("agreement", name), agreement)
    write_csv(paths.result("agreement_runs", name), agreement_runs if paired is not None else agreement_runs.iloc[:0])
    notes = DataFrame(columns=compare.NOTES)
    if published is not None:
        notes = compare.agreement_notes(agreement, published, author_runs)
    write_csv(paths.result("agreement_notes", name), notes)
    doubts = [*filter(None, [changed(study)]), *same_table(copies(study))]
    doubts += [f"{dataset}: {in_words(scenarios)}" for dataset, scenarios in separated(scores).items()]
    return [f"scarce: warning: {text}" for text in doubts]
