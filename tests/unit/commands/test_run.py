"""Parts of studies, and what `scarce run` says before and after a run."""

import itertools
import os
import sys
import time

import pytest

from scarce import cli, paths
from scarce.commands import run as command
from scarce.commands.parts import restricted, write_part
from scarce.commands.progress import Cells, Line, in_words, showing
from scarce.commands.run import Watched
from scarce.commands.summary import summary
from scarce.commands.terminal import duration
from scarce.config.loading import load_project
from scarce.errors import ConfigError
from scarce.files import write_text
from scarce.fitting.fits import FittedRun, write_runs
from scarce.stages.cell import StudyCell
from scarce.stages.shared_fits import relatives, taken_over


def part_of(study, **asked):
    """The part of a study, read from its file."""
    settings = restricted(study, **asked)
    file = write_part(settings, study.name)
    return load_project([file]).study(settings["name"])


@pytest.fixture
def smoke(configured):
    project = load_project([paths.study_yaml("smoke")])
    return project, project.study("smoke")


# -- parts ------------------------------------------------------------------------------------------------------------

#: Of each labeling and preset, and with all that names methods: claims, tables, exceptions of tests, choices.
STUDIES = ["calvo2007", "ienco2016", "ortega2023", "selected_labels", "selection", "wilton2022"]


@pytest.mark.parametrize("name", STUDIES)
def test_every_study_has_parts_that_are_valid_studies(configured, name):
    whole = load_project([paths.study_yaml(name)]).study(name)
    part = part_of(whole, methods=whole.fitted_methods[-1:], datasets=whole.datasets[-1:])
    assert part.fitted_methods == whole.fitted_methods[-1:]
    assert part.datasets == whole.datasets[-1:]
    assert {one.name for one in part.scenarios} == {one.name for one in whole.scenarios_of(part.datasets[0])}
    assert part.claims == []
    assert part.analysis.reference is None


def test_a_cell_of_a_part_is_fitted_as_in_the_study(smoke):
    project, whole = smoke
    part = part_of(whole, methods=["pu_shrf"], datasets=["blobs"])
    for scenario in part.scenarios:
        assert project.label_fingerprint(part, scenario.name) == project.label_fingerprint(whole, scenario.name)
    assert project.fingerprint(part, "blobs", "pu_shrf") == project.fingerprint(whole, "blobs", "pu_shrf")
    assert part.method_options == {"pu_shrf": {"n_estimators": 20}}


def test_the_same_request_gives_the_same_part_and_another_one_another(smoke):
    _, whole = smoke
    asked = [{"methods": ["pu_hdt"]}, {"methods": ["pu_wlr"]}, {"datasets": ["moons"]}, {"repeats": 1}]
    names = [restricted(whole, **one)["name"] for one in asked]
    assert len(set(names)) == len(asked)
    assert names == [restricted(whole, **one)["name"] for one in asked]
    assert restricted(whole, methods=["pu_wlr", "pu_hdt"]) == restricted(whole, methods=["pu_hdt", "pu_wlr"])


def test_what_asks_for_everything_is_the_study_itself(smoke):
    _, whole = smoke
    assert restricted(whole) is None
    assert restricted(whole, whole.methods, whole.datasets, whole.repeats) is None


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"methods": ["pu_htd"]}, "did you mean pu_hdt"),
        ({"datasets": ["moon"]}, "did you mean moons"),
        ({"repeats": 4}, "between 1 and the 3"),
        ({"repeats": 0}, "between 1 and the 3"),
    ],
)
def test_a_part_that_the_study_does_not_have_is_refused(smoke, asked, said):
    with pytest.raises(ConfigError, match=said):
        restricted(smoke[1], **asked)


def with_inputs(study):
    for dataset, scenario in itertools.product(study.datasets, study.scenarios):
        write_text(paths.prepared(dataset), dataset)
        write_text(paths.labels(study.name, dataset, scenario.name), scenario.name)


def test_fits_are_taken_over_where_they_are_the_same_and_not_from_a_pack(smoke):
    project, whole = smoke
    part = part_of(whole, methods=["pu_hdt"])
    with_inputs(whole)
    with_inputs(part)
    of_whole, of_part = (StudyCell(project, one, "moons", "flip-50", "pu_hdt") for one in (whole, part))
    assert not taken_over(of_part)
    write_runs(of_whole.file, [], "another", "code")
    assert not taken_over(of_part)
    write_runs(of_whole.file, [], *of_whole.identity)
    mark = paths.pack_mark("smoke")
    write_text(mark, '{"fingerprints": {}, "datasets": {}}')
    assert not taken_over(of_part), "scores of packs may be rounded"
    mark.unlink()
    assert taken_over(of_part)
    assert of_part.file.read_bytes() == of_whole.file.read_bytes()
    of_whole.file.unlink()
    assert taken_over(StudyCell(project, whole, "moons", "flip-50", "pu_hdt")), "and back"
    assert list(relatives("smoke")) == [part.name]
    assert list(relatives(part.name)) == ["smoke"]
    assert list(relatives("smok")) == []


# -- the line and the summary -----------------------------------------------------------------------------------------


def ended(cells, code=0, **more):
    keywords = {"seconds": 75, "errors": [], "warnings": [], "log": paths.log("smoke", "run")} | more
    return summary(cells, code=code, **keywords)


def test_cells_are_done_once_their_files_are_written(smoke):
    project, whole = smoke
    with_inputs(whole)
    current, outdated, fresh = (StudyCell(project, whole, "moons", "flip-50", method) for method in whole.methods[:3])
    write_runs(current.file, [FittedRun(0, "ok"), FittedRun(1, "ok"), FittedRun(2, "ok")], *current.identity)
    write_runs(outdated.file, [FittedRun(0, "ok")], "of", "before")
    cells = Cells(project, whole)
    assert (cells.done, cells.total) == (1, 20)
    first = cells.seconds_left(0.0, 1)
    cells.look()
    assert cells.done == 1
    write_runs(
        fresh.file, [FittedRun(0, "ok"), FittedRun(1, "failed", "why"), FittedRun(2, "timeout")], *fresh.identity
    )
    cells.look()
    assert (cells.done, cells.with_failures, cells.without_result) == (2, 1, 2)
    assert cells.seconds_left(0.0, 1) < first
    assert in_words(cells, "Fit", 75.0) == "smoke: 2 of 20 cells, 1 with failures, about 1 min 15 s left - Fit"
    text = ended(cells, 5)
    assert text.exit_code == 5
    assert "4 ok, 2 failed (1 took too long), 54 not available" in text
    assert "scarce fit smoke moons flip-50 pu_bagging --repeat 1 " in text
    assert "scarce explain smoke moons flip-50 pu_bagging --repeat 1 " in text


@pytest.mark.parametrize("before", [2, 4])
def test_a_cell_with_another_number_of_repeats_is_done_once_it_is_made_again(smoke, before):
    project, whole = smoke
    with_inputs(whole)
    cell = StudyCell(project, whole, "moons", "flip-50", "pu_hdt")
    write_runs(cell.file, [FittedRun(repeat, "ok") for repeat in range(before)], *cell.identity)
    cells = Cells(project, whole)
    assert (cells.done, sum(cells.statuses().values())) == (0, 0)
    write_runs(cell.file, [FittedRun(repeat, "ok") for repeat in range(3)], *cell.identity)
    write_text(paths.fits_index("smoke", "moons", "cells"), "{}")
    cells.look()
    assert "3 ok, 0 failed, 57 not available" in ended(cells)


def test_a_job_that_keeps_its_files_says_so_by_its_index(smoke):
    project, whole = smoke
    kept = StudyCell(project, whole, "moons", "flip-50", "pu_hdt")
    write_runs(kept.file, [FittedRun(0, "ok")], "made", "before")
    cells = Cells(project, whole)  # without labels nothing says whether the file is current
    assert cells.done == 0
    write_text(paths.fits_index("smoke", "moons", "cells"), "{}")
    cells.look()
    assert cells.done == 1


@pytest.mark.parametrize(
    ("code", "words"), [(0, "complete"), (5, "incomplete"), (130, "interrupted"), (1, "stopped"), (137, "stopped")]
)
def test_the_first_line_says_how_it_ended(smoke, code, words):
    write_text(paths.result("report", "smoke"), "page")
    text = ended(Cells(*smoke), code)
    assert words in text.splitlines()[0]
    assert ("report.html" in text) == (code in (0, 5))
    assert ("goes on" in text) == (code not in (0, 5))


def test_of_many_errors_a_few_are_shown(smoke):
    text = ended(Cells(*smoke), 1, errors=[f"error {i}" for i in range(20)])
    assert "error 4" in text
    assert "error 5" not in text
    assert "15 more in the log" in text


def test_what_snakemake_says_is_heard():
    watched = Watched()
    for line in ["Job 3: Label moons for smoke", "scarce: error: a (b)\n", "    scarce: error: a (b)", "other"]:
        watched.hear(line)
    assert watched.step == "Label moons for smoke"
    assert watched.fitting_since is None
    watched.hear("Job 4: Fit the methods of smoke on moons")
    assert watched.fitting_since is not None
    assert list(watched.said["error"]) == ["a (b)"]


@pytest.mark.parametrize(
    ("code", "interrupted", "failures", "error", "expected"),
    [
        (0, False, 0, "", 0),
        (0, False, 2, "", 5),
        (5, False, 0, "", 5),
        (1, False, 2, "", 1),
        (1, False, 0, f"x ({command.AS_A_ROW})", 4),
        (2, False, 0, "", 2),
        (1, True, 0, "", 130),
    ],
)
def test_exit_codes(smoke, code, interrupted, failures, error, expected):
    class Done:
        without_result = failures

    study = smoke[1].model_copy(update={"on_error": "raise"})
    watched = Watched(code=code, interrupted=interrupted)
    watched.said["error"] |= {error: None} if error else {}
    assert command._exit_code(watched, Done(), study) == expected


def test_where_the_output_is_no_terminal_lines_are_few(capsys):
    line = Line()
    for _ in range(100):
        line.show("a line")
    line.end()
    assert capsys.readouterr().err == "a line\n"


def test_on_a_terminal_the_line_is_written_over_itself(monkeypatch, capsys):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    monkeypatch.setenv("COLUMNS", "10")
    line = Line()
    line.show("a line that is far too long")
    line.end()
    assert capsys.readouterr().err == "\r\x1b[Ka line th\r\x1b[K"


def test_cells_that_this_process_fits_are_shown_beside_it_on_a_terminal_alone(smoke, monkeypatch, capfd):
    with showing(Cells(*smoke), Line(), "Fit methods", 1):
        assert capfd.readouterr().err == ""
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    cells, said, deadline = Cells(*smoke), "", time.monotonic() + 300
    with showing(cells, Line(), "Fit methods", 1):
        while "smoke: 0 of 20 cells" not in said:
            assert time.monotonic() < deadline
            said += capfd.readouterr().err
    with pytest.raises(ChildProcessError):
        os.waitpid(-1, os.WNOHANG)


def test_a_lock_that_is_left_is_said_before_anything_runs(smoke, capsys):
    write_text(".snakemake/locks/0.output.lock", "results/x")
    assert cli.main(["run", "smoke"]) == 1
    assert "a stale lock" in (said := capsys.readouterr().err)
    assert "`snakemake --unlock`" in said


@pytest.mark.parametrize("words", [["smok"], ["smoke", "-m", "pu_htd"], ["smoke", "--cores", "0"], ["x.yaml"]])
def test_what_is_asked_wrongly_is_refused_before_anything_is_written(smoke, capsys, words):
    assert cli.main(["run", *words]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1
    assert not paths.RESULTS.exists()


def test_outside_a_project_no_study_is_looked_for(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    for word in ("run", "check"):
        assert cli.main([word, "smoke"]) == 2
        assert f"{tmp_path} is no project" in capsys.readouterr().err


def test_a_study_outside_the_project_is_copied_where_snakemake_finds_it(configured, monkeypatch, tmp_path):
    text = (paths.STUDIES / "smoke.yaml").read_text().replace("name: smoke", "name: own")
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere/own.yaml").write_text(text)
    project, study = command._chosen(str(tmp_path / "elsewhere/own.yaml"), [], [], None)
    assert paths.study_yaml("own") == paths.own_study_yaml("own")
    assert project.sources["own"] == str(paths.own_study_yaml("own"))
    assert study.name in load_project().studies
    (tmp_path / "elsewhere/smoke.yaml").write_text(text.replace("name: own", "name: smoke"))
    with pytest.raises(ConfigError, match=r"stands in config/studies/smoke\.yaml as well"):
        command._chosen(str(tmp_path / "elsewhere/smoke.yaml"), [], [], None)


def test_time_spans_have_one_or_two_units():
    assert [duration(seconds) for seconds in (0, 59.4, 60, 3599, 86_400)] == ["1 s", "59 s", "1 min", "59 min", "1 d"]
