"""Rule `label`: which rows train, validate and test in each repeat, and what is observed of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scarce import paths
from scarce.config.project import Project
from scarce.config.study import Study
from scarce.files import write_npz
from scarce.stages.index import update_index, write_index

if TYPE_CHECKING:
    from scarce.data.store import Prepared
    from scarce.labels.file import Labels
    from scarce.labels.records import Scenario, SplitSettings


def drawn(
    study: Study, dataset: str, scenario: Scenario, data: Prepared, split: SplitSettings | None, repeats: int
) -> Labels:
    """Labels of a data set under a scenario of a study; see `scarce.labels.make.make_labels`."""
    from scarce.labels.make import make_labels
    from scarce.labels.records import LABELINGS
    from scarce.labels.sample import Columns

    return make_labels(
        data.y,
        scenario=scenario,
        split=split,
        repeats=repeats,
        options=study.options,
        study_seed=study.seed,
        dataset=dataset,
        X=data.X if LABELINGS[scenario.labeling].needs_features else None,
        test_part=data.test_part,
        group=data.group,
        time=data.time,
        columns=Columns(data.names, data.categorical, data.categories),
    )


def label(project: Project, study_name: str, dataset: str, scenario: str | None = None) -> None:
    """Hide labels and split rows for all repeats; reads y, and writes none of it.

    Without a scenario, label all scenarios of the data set and encode its features where the study encodes them on all
    rows.
    """
    from scarce.data.encode import encode_all
    from scarce.data.store import load_prepared

    study = project.study(study_name)
    study.check_cell(dataset, scenario)
    data, files = load_prepared(dataset), []
    for one in study.scenarios_of(dataset) if scenario is None else [study.scenario(scenario)]:
        files.append(paths.labels(study.name, dataset, one.name))
        drawn(study, dataset, one, data, study.split, study.repeats).save(files[-1])
    index = paths.labels_index(study.name, dataset)
    if scenario is not None:
        update_index(index, files[0])
        return
    if study.encodes_all_rows:
        X = encode_all(data.X, data.y, data.categorical, study.options.encoding, scaled=data.scaled)
        files.append(paths.features(study.name, dataset))
        write_npz(files[-1], X=X)
    write_index(index, files)
