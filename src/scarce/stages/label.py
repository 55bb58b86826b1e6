"""Rule `label`: which rows train, validate and test in each repeat, and what is observed of them."""

from __future__ import annotations

from scarce import paths
from scarce.config.project import Project


def label(project: Project, study_name: str, dataset: str, scenario: str) -> None:
    """Hide labels and split rows for all repeats; reads y, and writes none of it."""
    from scarce.data.store import load_prepared
    from scarce.labels.make import make_labels
    from scarce.labels.records import LABELINGS

    study = project.study(study_name)
    study.check_cell(dataset, scenario)
    data, about = load_prepared(dataset), study.scenario(scenario)
    labels = make_labels(
        data.y,
        scenario=about,
        split=study.split,
        repeats=study.repeats,
        options=study.options,
        study_seed=study.seed,
        dataset=dataset,
        X=data.X if LABELINGS[about.labeling].needs_features else None,
    )
    labels.save(paths.labels(study.name, dataset, scenario))
