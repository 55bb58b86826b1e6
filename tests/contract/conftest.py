"""Data sets of the mirror: each is fetched and prepared once for all tests that look at it."""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Callable

import pytest

from scarce import files, paths
from scarce.config.datasets import DatasetSpec
from scarce.data.prepare import prepare_dataset
from scarce.data.sources import fetch_dataset
from scarce.data.store import Prepared, load_prepared


@pytest.fixture(scope="session")
def mirrored(shared) -> Callable[[DatasetSpec], Prepared]:
    """Gives a data set as it is stored, with its labels; the first test that asks for it prepares it."""
    folder = shared / "mirror"
    folder.mkdir(exist_ok=True)

    def prepared(spec: DatasetSpec) -> Prepared:
        with contextlib.chdir(folder), files.held(folder / f"{spec.name}.lock"):
            if not paths.prepared_json(spec.name).exists():
                assert fetch_dataset(spec, os.environ["SCARCE_MIRROR"])["source"]["kind"] in ("mirror", "generated")
                prepare_dataset(spec)
                shutil.rmtree(paths.raw(spec.name))
            data = load_prepared(spec.name)
            assert len(data.y) == len(data.X)  # labels are read from this folder, at the first access
        return data

    return prepared
