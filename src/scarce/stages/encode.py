"""Features encoded on all rows, for studies whose encoding does that; part of the rule `label`."""

from __future__ import annotations

from scarce import paths
from scarce.config.project import Project
from scarce.files import write_npz
from scarce.stages.index import update_index


def encode(project: Project, study_name: str, dataset: str) -> None:
    """Encode the features on all rows, for studies whose encoding does that."""
    from scarce.data.encode import encode_all
    from scarce.data.store import load_prepared

    study = project.study(study_name)
    study.check_cell(dataset)
    prepared = load_prepared(dataset)
    X = encode_all(prepared.X, prepared.y, prepared.categorical, study.options.encoding, scaled=prepared.scaled)
    write_npz(paths.features(study.name, dataset), X=X)
    update_index(paths.labels_index(study.name, dataset), paths.features(study.name, dataset))
