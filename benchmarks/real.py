"""Training sets of ortega2023 as its forests get them: the public data sets with a quarter of the labels hidden."""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from scarce.config.loading import load_project
from scarce.data.encode import encode_all
from scarce.data.prepare import prepare_dataset
from scarce.data.sources import fetch_dataset, mirror_folder
from scarce.data.store import load_prepared
from scarce.labels import make_labels

ROOT = Path(__file__).parents[1]


def training_sets(scenario: str = "flip-25") -> Iterator[tuple[str, np.ndarray, np.ndarray, float]]:
    """Name, features, observed labels and class prior of the first repeat's training rows, data set by data set.

    Nothing without a mirror, that SCARCE_MIRROR names; data sets that it lacks are left out.
    """
    mirror = mirror_folder(None)
    if mirror is None:
        return
    mirror = Path(mirror).resolve()
    with contextlib.chdir(ROOT):
        project = load_project()
    study = project.study("ortega2023")
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        for name in study.datasets:
            spec = project.datasets[name]
            # nothing but the mirror: a benchmark downloads nothing
            spec = spec.model_copy(update={"sources": [s for s in spec.sources if s.kind in ("mirror", "generated")]})
            if fetch_dataset(spec, mirror)["status"] != "ok":
                continue
            prepare_dataset(spec)
            data = load_prepared(name)
            X = encode_all(data.X, data.y, data.categorical, study.options.encoding, scaled=data.scaled)
            labels = make_labels(
                data.y,
                scenario=study.scenario(scenario),
                split=study.split,
                repeats=1,
                options=study.options,
                study_seed=study.seed,
                dataset=name,
            ).repeat(0)
            yield name, X[labels.train], labels.s.astype(int), labels.class_prior
