"""The glue between files and pure functions: what is counted, compared and kept apart."""

import pytest

from scarce import paths
from scarce.config.loading import load_project
from scarce.config.study import Study
from scarce.errors import DataError
from scarce.files import sha256, write_json, write_text
from scarce.stages import results


@pytest.fixture
def project(configured):
    return load_project()


def test_stand_ins_enter_no_average(project):
    study = project.study("ortega2023")
    counted = results.counted(project, study)
    assert len(counted) == 15
    assert not {"wa_churn", "mlc_churn"} & set(counted)
    alone = Study.model_validate(study.model_dump(exclude={"options"}) | {"datasets": ["wa_churn", "yeast6"]})
    assert results.counted(project, alone) == ["wa_churn", "yeast6"], "without the other it stands in for nothing"


def test_settings_say_what_the_study_says(project):
    paper = results.settings(project, project.study("ortega2023"))
    assert (paper.blocks, paper.alternative, paper.holm) == ("runs", "one-sided", "no_stop")
    sound = results.settings(project, project.study("ortega2023_corrected"))
    assert (sound.blocks, sound.alternative, sound.holm) == ("datasets", "two-sided", "step_down")
    assert sound.methods == project.study("ortega2023_corrected").methods


def test_tables_by_default_cover_every_metric_and_scenario(project):
    names = [table.name for table in results.table_specs(project.study("smoke"))]
    assert names == [
        "f1_validation", "f1_validation_flip-50", "f1_validation_flip-75", "auc_pr", "auc_pr_flip-50", "auc_pr_flip-75",
    ]  # fmt: skip


def test_names_of_digits_stay_names(project, configured):
    study = project.study("smoke")
    file = configured / "a.csv"
    file.write_text(
        "dataset,scenario,repeat,method,metric,value\n007,flip-50,0,2023,auc_pr,0.5\n,flip-50,0,None,auc_pr,\n"
    )
    frame = results.read(file, study)
    assert frame.dataset.tolist() == ["007", ""]
    assert frame.method.tolist() == ["2023", "None"]
    assert frame.value.isna().tolist() == [False, True]


ROWS = "dataset,scenario,repeat,method,metric,value\nmoons,flip-50,0,pu_hdt,auc_pr,0.25\n"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("\ufeff" + ROWS.replace("\n", "\r\n"), ""),
        (ROWS.replace(",value", ",value,remarks").replace("0.25", "0.25,mine"), ""),
        (ROWS.splitlines(keepends=True)[0], ""),
        (ROWS.replace(",", ";"), "has no column dataset"),
        (ROWS.replace("0.25", "'0,25'").replace("'", '"'), "column value holds text where numbers belong"),
    ],
)
def test_a_csv_that_another_program_saved_is_read_or_refused_by_its_name(project, text, said):
    study = project.study("smoke")
    write_text(paths.result("scores", "smoke"), text)
    if said:
        with pytest.raises(DataError, match=rf"scores\.csv: {said}; another program has changed it \(delete it"):
            results.read(paths.result("scores", "smoke"), study)
    else:
        assert results.read(paths.result("scores", "smoke"), study).value.tolist() in ([0.25], [])


def test_scores_that_were_changed_after_they_were_collected_are_said(project):
    study = project.study("smoke")
    assert results.changed(study) == ""
    write_text(paths.result("scores", "smoke"), ROWS)
    write_json(paths.result("manifest", "smoke"), {"scores_sha256": sha256(paths.result("scores", "smoke"))})
    assert results.changed(study) == ""
    write_text(paths.result("scores", "smoke"), ROWS.replace("0.25", "0.75"))
    assert results.changed(study).startswith("results/smoke/scores.csv was changed after it was collected")


def test_a_table_counts_once(project):
    study = Study.model_validate(
        project.study("smoke").model_dump(exclude={"options"}) | {"datasets": ["moons", "blobs", "yeast6"]}
    )
    assert results.counted(project, study) == ["moons", "blobs", "yeast6"], "nothing was collected yet"
    write_json(paths.result("manifest", "smoke"), {"repeated": {"blobs": "moons"}})
    assert results.counted(project, study) == ["moons", "yeast6"]
    assert results.order_of_datasets(project, study) == ["moons", "yeast6", "blobs"]
    assert results.settings(project, study).datasets == ["moons", "yeast6"]


def test_a_stand_in_for_a_copy_makes_it_no_copy(project):
    """What a stand-in, which does not count, has in common with another data set takes nothing from that."""
    study = project.study("ortega2023")
    write_json(paths.result("manifest", "ortega2023"), {"repeated": {"yeast6": "wa_churn"}})
    assert "yeast6" in results.counted(project, study)
