"""Rule `verdicts`: what became of the claims of a study."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from scarce import paths
from scarce.config.project import Project
from scarce.config.study import Study
from scarce.files import write_csv
from scarce.stages.results import read, references, scenario_labels, settings

if TYPE_CHECKING:
    from scarce.analysis.evidence import Case


def verdicts(project: Project, name: str) -> None:
    """Judge the claims of a study: verdicts.csv, and the numbers behind them in evidence.csv."""
    from scarce.analysis.verdicts import judge_all

    study = project.study(name)
    others = {other: case_of(project, project.study(other)) for other in study.other_studies}
    claims = [(claim, claim.arguments) for claim in study.claims]
    frame, evidence = judge_all(replace(case_of(project, study), others=others), claims)
    write_csv(paths.result("verdicts", name), frame)
    write_csv(paths.result("evidence", name), evidence)


def case_of(project: Project, study: Study) -> Case:
    """What the claims of a study are judged on."""
    from scarce.analysis.evidence import Case
    from scarce.scoring.observed_metrics import ALL_METRICS

    published, author_runs = references(project, study)
    return Case(
        scores=read(paths.result("scores", study.name), study),
        settings=settings(project, study),
        labels={
            "method": {method: project.method(method).label for method in study.methods},
            "metric": {metric.name: metric.label for metric in ALL_METRICS.values()},
            "scenario": scenario_labels(study),
        },
        published=published,
        author_runs=author_runs,
        importances=read(paths.result("importances", study.name), study),
    )
