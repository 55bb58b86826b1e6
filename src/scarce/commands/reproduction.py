"""One page of Markdown on what studies found, for a repository to keep while their results stay out of it."""

from __future__ import annotations

from datetime import UTC, datetime

import pandas as pd

from scarce import paths
from scarce.config.project import Project
from scarce.config.study import Study
from scarce.errors import IncompleteError
from scarce.files import read_csv, read_json
from scarce.report.agreement_view import agreement_view
from scarce.report.reproduction import Section, to_markdown
from scarce.report.results import StudyResults
from scarce.report.tables import build_table
from scarce.stages.page import agreement_notes, facts
from scarce.stages.results import load_results, table_specs


def reproduction(project: Project, names: list[str]) -> str:
    """The page of finished studies, the first one's title on top.

    Raises
    ------
    IncompleteError
        If a study has no report yet.
    """
    for name in names:
        if not paths.report(name).is_file():
            raise IncompleteError(f"study {name} has no report yet", hint=f"snakemake --cores 2 {name}")
    manifest = read_json(paths.manifest(names[0]))
    return to_markdown(
        title=f"What {' and '.join(names)} found",
        command=f"snakemake --cores 2 {' '.join(names)} && scarce reproduction {' '.join(names)}",
        date=datetime.fromtimestamp(paths.scores(names[0]).stat().st_mtime, UTC).date().isoformat(),
        versions=manifest["versions"],
        sections=[_section(project, project.study(name)) for name in names],
    )


def _section(project: Project, study: Study) -> Section:
    results = load_results(project, study.name)
    manifest = read_json(paths.manifest(study.name))
    names = results.names()
    verdicts = paths.verdicts(study.name)
    return Section(
        title=f"{study.name}: {study.title}",
        description=study.description,
        facts=dict(facts(study, results))
        | {"Commit": str(manifest["git_commit"]), "sha256 of scores.csv": manifest["scores_sha256"]},
        tables=[build_table(spec, results.tables) for spec in table_specs(study) if spec.layout == "scenarios"],
        rebuilt=_rebuilt(results) if study.options.seeds == "paper" else None,
        agreement=agreement_view(
            results.agreement,
            results.agreement_runs,
            study.reasons,
            lambda kind, name: names[kind].get(name, name),
        ),
        verdicts=read_csv(verdicts) if verdicts.is_file() else None,
        notes=[results.counted_words(), *agreement_notes(results)] if results.published is not None else [],
    )


def _rebuilt(results: StudyResults) -> pd.DataFrame | None:
    """Averages of the authors' own runs over the data sets that are averaged here."""
    if results.author_runs is None:
        return None
    runs = results.author_runs[results.author_runs["dataset"].isin(results.counted)]
    means = runs.groupby(["scenario", "metric", "method", "dataset"])["value"].mean()
    return means.groupby(["scenario", "metric", "method"]).mean().reset_index()
