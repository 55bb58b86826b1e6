"""Rule `analyse`: ranks, tests, and agreement with the published numbers."""

from __future__ import annotations

from scarce import paths
from scarce.config.project import Project
from scarce.files import write_csv
from scarce.stages.results import changed, read, references, settings


def analyse(project: Project, name: str) -> str:
    """Ranks, tests, and agreement with the published numbers; returns what is doubtful of the scores, or ""."""
    from pandas import DataFrame

    from scarce.analysis import agreement as compare
    from scarce.analysis.statistics import analyse as statistics

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
