"""Croissant, RO-Crate and datasheets: valid for the libraries of their formats, without a network, and true."""

from __future__ import annotations

import json
import socket

import pandas as pd
import pytest

from scarce.commands import artifact
from scarce.config.loading import load_project
from scarce.report import crate, croissant
from scarce.report.croissant import FileFacts, Release
from scarce.report.datasheet import datasheet
from tests.conftest import ROOT

RELEASE = Release("0.1.0", "2026-11-29", "https://spdx.org/licenses/BSD-3-Clause", ["The scarce maintainers"])


@pytest.fixture(scope="module")
def project():
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(ROOT)
        yield load_project(strict=False)


@pytest.fixture
def offline(monkeypatch):
    def refuse(*_, **__):
        raise AssertionError("a network is asked for")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)


@pytest.fixture
def packed(tmp_path):
    """The pack of the repository and its description, as in the archive."""
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(ROOT)
        contents = artifact.pack(ROOT / "packs/smoke", RELEASE)
    for name, content in contents.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(content)
    return tmp_path / "packs/smoke.croissant.json"


def validated(path):
    mlcroissant = pytest.importorskip("mlcroissant")
    described = mlcroissant.Dataset(jsonld=path)
    issues = described.metadata.ctx.issues
    assert not issues.errors and not issues.warnings, issues.report()
    return described


@pytest.mark.slow
def test_a_packs_description_is_valid_and_loads_its_scores(packed, offline):
    described = validated(packed)
    found = pd.DataFrame(described.records("scores"))
    found.columns = found.columns.str.removeprefix("scores/")
    found = found.map(lambda cell: cell.decode() if isinstance(cell, bytes) else cell)
    expected = pd.read_csv(ROOT / "packs/smoke/results/scores.csv.gz")
    pd.testing.assert_frame_equal(found, expected, check_dtype=False)
    truth = {row["truth/dataset"].decode(): sum(row["truth/y"]) for row in described.records("truth")}
    assert truth == {"moons": 48, "blobs": 48}


@pytest.mark.slow
def test_descriptions_of_data_sets_are_valid(project, tmp_path, offline):
    """Each kind of source once; the others have the same form."""
    for name in ("car_good", "forest_cover", "fraud_car_insurance"):
        file = tmp_path / f"{name}.json"
        file.write_text(json.dumps(croissant.of_dataset(project.dataset(name), RELEASE)))
        validated(file)


def test_every_description_of_a_data_set_names_public_files_with_digests(project):
    described = {name: croissant.of_dataset(spec, RELEASE) for name, spec in project.datasets.items()}
    known = {name: one for name, one in described.items() if one}
    assert len(known) > 40
    assert not {"churn_chile", "churn_korean", "moons", "boundary"} & set(known)
    for one in known.values():
        assert all(file["contentUrl"].partition(":")[0] in ("https", "http", "pkg") for file in one["distribution"])
        assert all(len(file["sha256"]) == 64 for file in one["distribution"])
        assert {key for key in one if key.startswith("rai:")} >= {"rai:dataBiases", "rai:personalSensitiveInformation"}


def test_a_datasheet_says_what_the_catalogue_says(project):
    for name, spec in project.datasets.items():
        sheet = datasheet(spec, ["demo"])
        said = sheet.replace("\\", "")
        assert f"`{name}`" in sheet
        for issue in spec.issues:
            assert issue.split("`")[0][:30] in said, name
        assert spec.licence[:20] in said
    car = datasheet(project.dataset("car_good"), [])
    assert "69 positives (3.99 %)" in car and "2dcf089cba" in car


def test_known_issues_are_sentences(project):
    issues = [issue for spec in project.datasets.values() for issue in spec.issues]
    assert len(issues) > 10
    assert all(issue[0].isupper() or issue[0].isdigit() for issue in issues)
    assert all(issue.endswith(".") for issue in issues)


def test_a_public_file_that_its_authors_standardised_is_named_as_a_leak(project):
    public = [spec for spec in project.datasets.values() if spec.scaled and not spec.reason]
    assert {"pizza_cutter_1", "seismic"} <= {spec.name for spec in public}
    assert all(any(issue.startswith("Leak: ") for issue in spec.issues) for spec in public)


def test_a_crate_is_read_by_its_library(tmp_path, offline):
    rocrate = pytest.importorskip("rocrate.rocrate")
    files = {"Snakefile": FileFacts("0" * 64, 1), "packs/a.parquet": FileFacts("1" * 64, 2)}
    for name in files:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("x")
    (tmp_path / crate.METADATA).write_text(json.dumps(crate.crate("A crate.", files, RELEASE)))
    found = rocrate.ROCrate(tmp_path)
    assert found.name == "scarce 0.1.0" and found.mainEntity.id == "Snakefile"
    assert found.get("packs/a.parquet")["sha256"] == "1" * 64
    assert {entity.id for entity in found.data_entities} == set(files)
