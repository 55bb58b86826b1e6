"""How runs end whose data are not complete, and what `status` counts then."""

from __future__ import annotations

from pathlib import Path

import pytest

from scarce import cli, paths
from scarce.commands import outcome, records
from scarce.commands.init import init
from scarce.config.loading import load_project
from scarce.errors import ConfigError, ScarceError
from scarce.files import write_json, write_text
from scarce.fitting.fits import write_runs
from scarce.stages.cell import StudyCell


@pytest.fixture
def project(configured):
    return load_project([paths.study_yaml(name) for name in ("smoke", "ortega2023")], strict=False)


@pytest.mark.parametrize(
    ("words", "names"),
    [
        ("--cores 2 smoke", {"smoke"}),
        ("--cores 2", {"ortega2023"}),
        ("all -j4", {"ortega2023"}),
        ("fetch", {"ortega2023"}),
        ("results/smoke/report.html figures/ortega2023", {"smoke", "ortega2023"}),
        ("--target-jobs fit:study=smoke,dataset=moons,group=cells --cores 1", {"smoke"}),
        ("data/prepared/moons.npz", set()),
        ("warm", set()),
        ("-s /home/smoke/Snakefile -d /home/smoke", {"ortega2023"}),
    ],
)
def test_studies_that_a_command_line_asks_for(project, words, names):
    assert outcome.requested(project, words.split()) == names


def unavailable(name, reason="there is no file"):
    write_json(paths.provenance(name), {"status": "unavailable", "reason": reason})


def with_scores(name):
    write_text(paths.result("scores", name), "dataset\n")


def test_results_that_lack_data_end_with_5_but_not_those_without_optional_data(project, capsys):
    outcome.finish(project, ["smoke"])  # no results, so that nothing is incomplete
    with_scores("smoke")
    with_scores("ortega2023")
    unavailable("churn_korean")
    outcome.finish(project, ["smoke", "ortega2023"])
    assert outcome.mark_of_incomplete(project, project.study("smoke")) == ""
    unavailable("blobs")
    marks = {outcome.mark_of_incomplete(project, project.study("smoke")) for _ in range(3)}
    assert len(marks) == 3, "the page is made again by each run"
    outcome.finish(project, ["ortega2023"])
    outcome.finish(project, ["fetch"])
    capsys.readouterr()
    with pytest.raises(SystemExit) as end:
        outcome.finish(project, ["smoke"])
    assert end.value.code == 5
    err = capsys.readouterr().err
    assert "smoke lacks blobs: there is no file" in err
    assert "N = 1 of 2 data sets" in err


def test_optional_data_that_are_there_and_wrong_make_results_incomplete(project):
    write_json(paths.prepared_json("churn_korean"), {"status": "unusable", "reason": "gives n 5, expected 2221"})
    assert outcome.left_out(project, project.study("ortega2023")) == {"churn_korean": "gives n 5, expected 2221"}


def test_a_run_that_leaves_files_out_is_a_fault(project, capsys):
    report = str(paths.result("report", "smoke"))
    with pytest.raises(SystemExit) as end:
        outcome.finish(project, ["smoke"], [report])
    assert end.value.code == 1
    assert report in capsys.readouterr().err


def test_results_of_other_settings_are_said_at_the_end(project, monkeypatch, capsys):
    with_scores("smoke")
    monkeypatch.setattr("scarce.commands.status.outdated_cells", lambda project, study: 3)
    outcome.finish(project, ["smoke"])  # collected just now, and compared there
    monkeypatch.setattr(outcome, "STARTED", outcome.STARTED + 3600)
    with pytest.raises(SystemExit):
        outcome.finish(project, ["smoke"])
    assert "the results of smoke are outdated: 3 cells" in capsys.readouterr().err


def test_a_wrong_study_that_is_asked_for_is_refused_and_another_is_a_warning(configured, capsys):
    (paths.STUDIES / "wrong.yaml").write_text("name: wrong\n")
    project = load_project([paths.STUDIES / "wrong.yaml", paths.study_yaml("smoke")], strict=False)
    outcome.refuse_faulty(project, ["smoke"])
    assert "scarce: warning: left out: config/studies/wrong.yaml:1: title: is missing" in capsys.readouterr().err
    for words in (["wrong"], ["results/wrong/scores.csv"]):
        with pytest.raises(ConfigError):
            outcome.refuse_faulty(project, words)


def fitted(project):
    """Files of all cells of `smoke`, without runs, and what they were made from."""
    study = project.study("smoke")
    for dataset in study.datasets:
        write_text(paths.prepared(dataset), dataset)
        for scenario in study.scenarios_of(dataset):
            write_text(paths.labels("smoke", dataset, scenario.name), scenario.name)
            for method in study.fitted_methods:
                cell = StudyCell(project, study, dataset, scenario.name, method)
                write_runs(cell.file, [], *cell.identity)
    return study


def test_status_counts_cells_without_data_apart_and_ends_with_5(project, capsys):
    fitted(project)
    assert cli.main(["status", "smoke"]) == 0
    assert "smoke: 20 done of 20 cells" in capsys.readouterr().out
    unavailable("blobs", "lost")
    assert cli.main(["status", "smoke"]) == 5
    out = capsys.readouterr().out
    assert "smoke: 10 done, 10 without data of 20 cells" in out
    assert "without blobs: lost" in out


def test_status_notices_labels_that_were_deleted(project, capsys):
    fitted(project)
    file = paths.labels("smoke", "moons", "flip-50")
    file.unlink()
    assert cli.main(["status", "smoke"]) == 0
    assert f"deleted: {file} (snakemake --cores 2 smoke makes them again)" in capsys.readouterr().out


def test_records_of_one_study_that_are_lost_are_noticed_beside_those_of_another(configured):
    for name in ("one", "two"):
        write_text(paths.result("report", name), "page")
    assert "for one, two: it cannot tell" in records.lost()
    write_text(records.METADATA / "cmVzdWx0cy9vbmUvcmVwb3J0Lmh0bWw=", "{}")
    assert "for two: it cannot tell" in records.lost()
    write_text(records.METADATA / "cmVzdWx0cy90d28vcmVwb3J0Lmh0bWw=", "{}")
    assert records.lost() is None
    write_text(paths.fits_index("two", "moons", "cells"), "{}")
    assert "for two: it cannot tell" in records.lost()


@pytest.mark.parametrize("folder", ["/proc/x", "/dev/null/x", "a" * 300])
def test_a_project_where_no_folder_can_be_made_is_one_line(tmp_path, monkeypatch, folder):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ScarceError, match="cannot be made"):
        init(Path(folder))
