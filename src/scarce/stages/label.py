"""Rule `label`: which rows train, validate and test in each repeat, and what is observed of them."""

from __future__ import annotations

from scarce import paths
from scarce.config.project import Project


def label(project: Project, study_name: str, dataset: str, scenario: str) -> None:
    """Hide labels and split rows for all repeats; reads y, and writes none of it."""
    from scarce.data.store import load_prepared
    from scarce.labels import make_labels

    study = project.study(study_name)
    study.check_cell(dataset, scenario)
    made = make_labels(
        load_prepared(dataset).y,
        scenario=study.scenario(scenario),
        split=study.split,
        repeats=study.repeats,
        options=study.options,
        study_seed=study.seed,
        dataset=dataset,
    )
    made.save(paths.labels(study.name, dataset, scenario))
