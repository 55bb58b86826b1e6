"""The registries, and how a study's blocks `labeling` and `split` are read by them."""

import pytest

from scarce.config.loading import load_project
from scarce.config.study import Study
from scarce.config.yamlfile import read_yaml, validate
from scarce.errors import ConfigError
from scarce.labels.labelings.scar import Scar, observe
from scarce.labels.protocols.holdout import Holdout, split
from scarce.labels.records import LABELINGS, PROTOCOLS, labeling, protocol
from tests.conftest import ROOT
from tests.unit.labels import toys

SMOKE = (ROOT / "config/studies/smoke.yaml").read_text("utf-8")
LABELING, SPLIT = (next(line for line in SMOKE.splitlines() if key in line) for key in ("  scar:", "split:"))


def read(tmp_path, labels="scar: {flip_ratios: [0.50, 0.75]}", parts="{plan: holdout}", repeats=4):
    text = SMOKE.replace(LABELING, f"  {labels}").replace(SPLIT, f"split: {parts}")
    file = tmp_path / "smoke.yaml"
    file.write_text(text.replace("repeats: 3", f"repeats: {repeats}"), "utf-8")
    return validate(Study, read_yaml(file))


def problem(tmp_path, **changes):
    with pytest.raises(ConfigError) as caught:
        read(tmp_path, **changes)
    (line,) = caught.value.lines()
    return line.partition("smoke.yaml:")[2].partition(": ")[2]


def test_a_name_is_registered_once():
    def other(*_):
        pass

    with pytest.raises(ConfigError, match=r"labeling scar is registered twice: by scarce\.labels\.labelings\.scar and"):
        labeling("scar", Scar)(other)
    with pytest.raises(ConfigError, match="protocol holdout is registered twice"):
        protocol(Holdout)(other)
    assert LABELINGS["scar"].observe is observe
    assert PROTOCOLS["holdout"].split is split


def test_a_module_that_is_imported_again_replaces_its_record():
    with toys.registered(), toys.registered():
        assert LABELINGS["toy_share"].settings is toys.ShareOfPositives
    assert "toy_share" not in LABELINGS


def test_a_study_reads_blocks_of_a_record_that_was_registered_later(tmp_path):
    assert "labeling.toy_share: no labeling is named" in problem(tmp_path, labels="toy_share: {shares: [0.3, 0.5]}")
    assert problem(tmp_path, parts="{plan: toy_k_fold}").startswith("split.plan: no protocol is named 'toy_k_fold'")
    with toys.registered():
        study = read(tmp_path, "toy_share: {shares: [0.3, 0.5]}", "{plan: toy_k_fold, folds: 2}")
        assert [scenario.name for scenario in study.scenarios] == ["labeled-30", "labeled-50"]
        assert (study.split.plan, study.split.folds) == ("toy_k_fold", 2)
        assert Study.model_validate(study.model_dump()) == study
        assert study.model_dump()["labeling"] == {"toy_share": {"shares": [0.3, 0.5]}}


def test_one_more_record_changes_no_other_study(tmp_path):
    before = read(tmp_path).model_dump()
    with toys.registered():
        assert read(tmp_path).model_dump() == before


@pytest.mark.parametrize(
    ("changes", "key"),
    [
        ({"labels": "toy_share: {shares: [0.3, 1.5]}"}, "labeling.toy_share.shares.1: must be less than 1, got 1.5"),
        ({"labels": "toy_share: {}"}, "labeling.toy_share.shares: is missing"),
        ({"labels": "toy_share: {shares: [0.5], share: 0.5}"}, "labeling.toy_share.share: unknown key"),
        ({"labels": "toy_selected: {}\n  none: {}"}, "labeling: needs one of the blocks"),
        ({"labels": "toy_chare: {}"}, "labeling.toy_chare: no labeling is named 'toy_chare' (did you mean toy_share?)"),
        ({"parts": "{plan: toy_k_fold, fold: 2}"}, "split.fold: unknown key (did you mean folds?)"),
        ({"parts": "{plan: toy_k_fold, folds: 1}"}, "split.folds: must be greater than or equal to 2, got 1"),
        ({"parts": "{plan: toy_k_fold, test_size: 0.3}"}, "split.test_size: unknown key"),
        ({"parts": "{plan: toy_k_folt}"}, "split.plan: no protocol is named"),
        ({"parts": "{plan: 3}"}, "split.plan: no protocol is named"),
        ({"parts": "7"}, "split: must be a block of keys"),
        (
            {"parts": "{plan: toy_k_fold, folds: 3}"},
            "repeats: split.plan toy_k_fold needs a multiple of 3 repeats",
        ),
        (
            {"parts": "{plan: five_by_two}", "repeats": 3},
            "repeats: split.plan five_by_two needs a multiple of 2 repeats",
        ),
        (
            {"labels": "share_of_positives: {shares: [0.3, 0.30000001]}"},
            "labeling: two scenarios are named labeled-30: their numbers are too close to each other",
        ),
        ({"labels": "two_sample: {labeled: 5}"}, "labeling two_sample draws rows, and split.plan holdout"),
    ],
)
def test_faults_of_a_registered_block_stand_at_their_key(tmp_path, changes, key):
    with toys.registered():
        assert problem(tmp_path, **changes).startswith(key)


@pytest.mark.parametrize("parts", ["{plan: transductive}", "{plan: k_fold, folds: 2, validation_size: 0}"])
def test_a_threshold_without_validation_rows_is_noted(tmp_path, parts):
    study = read(tmp_path, parts=parts)
    (note,) = study.notes
    assert note.startswith("f1_validation will be undefined: split.plan")
    assert read(tmp_path, parts="{plan: k_fold, folds: 2}").notes == []


def test_the_code_of_a_record_is_a_part_of_the_fingerprint(monkeypatch, tmp_path):
    monkeypatch.chdir(ROOT)
    project = load_project()
    study = read(tmp_path)
    before = project.label_fingerprint(study, "flip-50")
    monkeypatch.setattr(
        "scarce.source_code.code_digest", lambda module: "other" if module == observe.__module__ else ""
    )
    other = project.label_fingerprint(study, "flip-50")
    monkeypatch.setattr("scarce.source_code.code_digest", lambda module: "")
    assert len({before, other, project.label_fingerprint(study, "flip-50")}) == 3
    assert project.label_fingerprint(study, "flip-50") != project.label_fingerprint(study, "flip-75")
