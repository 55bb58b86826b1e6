import io
import os
import socket
import sys

import pytest

from scarce import cli, paths
from scarce.commands.doctor import Examined, Finding
from scarce.errors import ConfigError, DataError, DataUnavailable, IncompleteError, MethodError, ScarceError
from scarce.files import write_json


def run(capsys, *argv):
    code = cli.main(list(argv))
    out = capsys.readouterr()
    return code, out.out, out.err


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (ScarceError("x"), 1),
        (ConfigError("x"), 2),
        (DataError("x"), 3),
        (DataUnavailable("x"), 3),
        (MethodError("x"), 4),
        (IncompleteError("x"), 5),
        (RuntimeError("x"), 1),
    ],
)
def test_each_kind_of_error_has_its_exit_code_and_one_line(configured, monkeypatch, capsys, error, code):
    def fail(*_):
        raise error

    monkeypatch.setattr("scarce.commands.doctor.examine", fail)
    found, _, err = run(capsys, "doctor")
    assert found == code
    assert err.splitlines()[-1].startswith("scarce: error: ")
    if isinstance(error, ScarceError):
        assert "Traceback" not in err


def test_the_log_has_the_command_and_the_traceback_and_the_terminal_one_line(configured, monkeypatch, capsys):
    def fail(*_):
        raise RuntimeError("broken\non two lines \udcff")  # a byte of a file's name that is no text

    monkeypatch.setattr("scarce.commands.doctor.examine", fail)
    monkeypatch.setattr("sys.argv", ["scarce", "doctor", "--log", "logs/a.log"])
    code, _, err = run(capsys, "doctor", "--log", "logs/a.log")
    assert code == 1
    assert err == "scarce: error: RuntimeError: broken on two lines \\udcff; the traceback is in logs/a.log\n"
    log = (configured / "logs/a.log").read_text(encoding="utf-8")
    assert log.startswith("# scarce doctor\n")
    assert "Traceback (most recent call last)" in log


@pytest.mark.parametrize(
    ("argv", "code", "said"),
    [
        (["status", "smok"], 2, "no study is named 'smok' (did you mean smoke?)"),
        (
            ["explain", "smoke", "moon", "flip-50", "pu_hdt"],
            2,
            "study smoke has no data set 'moon' (did you mean moons?)",
        ),
        (["fit", "smoke", "moons", "flip-50", "nosuch"], 2, "study smoke has no method 'nosuch'"),
        (["fit", "smoke", "yeast6", "flip-50", "pu_hdt"], 2, "study smoke has no data set 'yeast6'"),
        (["fit", "smoke", "moons", "flip-50", "pu_hdt", "--repeat", "99"], 2, "repeat 99 does not exist"),
        (["fit", "smoke", "moons", "--repeat", "0"], 2, "--repeat needs a scenario and a method"),
        (["label", "smoke", "nosuch", "flip-50"], 2, "study smoke has no data set 'nosuch'"),
        (["analyse", "smoke"], 5, "results/smoke/scores.csv is not there (snakemake --cores 2 smoke)"),
        (["tables", "smoke"], 5, "results/smoke/scores.csv is not there (snakemake --cores 2 smoke)"),
        (["figures", "smoke"], 5, "results/smoke/scores.csv is not there (snakemake --cores 2 smoke)"),
        (["page", "smoke"], 5, "results/smoke/scores.csv is not there (snakemake --cores 2 smoke)"),
        (["page"], 2, "name one study"),
        (["page", "smoke", "--all"], 2, "name one study"),
        (["fetch"], 2, "name the data sets to fetch"),
        (["explain", "smoke", "moons", "flip-51", "pu_hdt"], 2, "has no scenario 'flip-51'"),
        (["explain", "smoke", "moons", "flip-50", "hdt"], 2, "study smoke has no method 'hdt'"),
        (["explain", "smoke", "moons", "flip-50", "pu_hdt", "--repeat", "3"], 2, "repeat 3 does not exist"),
        (
            ["explain", "smoke", "moons", "flip-50", "pu_hdt"],
            5,
            "is not there (snakemake --cores 2 results/smoke/labels/moons/files.json)",
        ),
        (
            ["fit", "smoke", "moons", "flip-50", "pu_hdt"],
            5,
            "is not there (snakemake --cores 2 results/smoke/labels/moons/files.json)",
        ),
        (["check", "config/studies/none.yaml"], 2, "config/studies/none.yaml: no such file"),
        (["check", "smoek"], 2, "no study is named 'smoek' (did you mean smoke?)"),
        (["run", "smoke", "-d", "blob"], 2, "study smoke has no data set 'blob' (did you mean blobs?)"),
        (["explain", "smoke", "moons", "flip-5", "pu_hdt"], 2, "has no scenario 'flip-5' (known: flip-50, flip-75)"),
        (["fetch", "churn_korean"], 3, "churn_korean"),
        (["fetch", "nothing"], 2, "no data set is named 'nothing'"),
        (["prepare", "moons"], 3, "not fetched"),
        (["collect", "smoke"], 5, "data/prepared/moons.npz is not there"),
    ],
)
def test_what_a_person_asks_wrongly_is_answered_in_one_line(configured, monkeypatch, capsys, argv, code, said):
    monkeypatch.delenv("SCARCE_MIRROR", raising=False)
    found, _, err = run(capsys, *argv)
    assert (found, len([line for line in err.splitlines() if line.startswith("scarce: error")])) == (code, 1), err
    assert said in err


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        (["statsu", "smoke"], "'statsu' is not known (did you mean status?)"),
        (["list", "methds"], "'methds' is not known (did you mean methods?)"),
        (["run", "smoke", "--metod", "pu_hdt"], "there is no option --metod (did you mean --method?)"),
        (["run", "smoke", "--core=2"], None),  # short for --cores
        (["check", "--estimat", "--xyzzy"], "there is no option --xyzzy"),
        (["status", "smoke", "--jsn"], "there is no option --jsn (did you mean --json?)"),
        (["--verison", "status", "smoke"], "there is no option --verison (did you mean --version?)"),
    ],
)
def test_a_misspelt_command_or_option_is_answered_with_the_nearest(capsys, argv, said):
    if said is None:
        assert cli._parser().parse_args(argv).cores == 2
        return
    with pytest.raises(SystemExit) as end:
        cli._parser().parse_args(argv)
    assert end.value.code == 2
    assert said in capsys.readouterr().err


def test_a_terminal_that_cannot_show_a_letter_shows_its_number(configured, monkeypatch):
    file = configured / "config/studies/smoke.yaml"
    file.write_text(file.read_text().replace('title: "Smoke', 'title: "Größe'), encoding="utf-8")
    terminal = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    monkeypatch.setattr(sys, "stdout", terminal)
    assert cli.main(["list", "studies"]) == 0
    terminal.flush()
    assert rb"Gr\xf6\xdfe" in terminal.buffer.getvalue()


def test_check_says_what_a_study_comes_to(configured, capsys):
    code, out, _ = run(capsys, "check", "config/studies/demo.yaml")
    assert code == 0
    assert "5 data sets x 3 scenarios x 13 methods x 20 repeats = 3900 runs" in out
    assert "scenario flip-25: " in out
    assert "uses hidden labels: decision = f1_oracle chooses the threshold on the test rows" in out


def test_status_of_a_study_that_has_not_run(configured, capsys):
    code, out, _ = run(capsys, "status", "smoke")
    assert code == 0
    assert "20 missing of 20 cells" in out
    assert f"as seen on this host ({socket.gethostname()})" in out


def test_doctor_names_folders_that_cannot_be_written(configured, monkeypatch, capsys):
    (configured / "results").mkdir()
    monkeypatch.setattr("scarce.files.writable", lambda folder: str(folder) != "results")
    code, out, _ = run(capsys, "doctor")
    assert code == 1
    assert "fix   nothing can be written to results: give yourself the right" in out


@pytest.mark.parametrize(
    ("found", "code"),
    [
        ([("queue", "note")], 0),
        ([("queue", "note"), ("lock", "fix")], 1),
        ([("configuration", "fix"), ("data", "fix"), ("disk", "fix")], 2),
        ([("configuration", "ok"), ("data", "fix")], 3),
    ],
)
def test_doctor_ends_with_the_code_of_the_first_fix(found, code):
    findings = [Finding(level=level, about=about, text="what to do") for about, level in found]
    assert Examined(findings=findings).exit_code == code


def test_doctor_wraps_long_lines_on_a_terminal_alone(monkeypatch):
    long = Examined(
        findings=[Finding(level="fix", about="lock", text="a word, then " * 9 + "/a/path-of-one-piece" * 5)]
    )
    assert "\n" not in long.text()
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    monkeypatch.setenv("COLUMNS", "50")
    first, *others = long.text().splitlines()
    assert first.startswith("fix   a word, ")
    assert all(line.startswith("      ") for line in others)
    assert all(len(line) <= 50 or "/a/path" in line for line in others)
    assert " ".join(long.text().split()) == " ".join(f"fix {long.findings[0].text}".split()), "nothing is cut"


def test_doctor_gives_snakemake_another_cache_where_the_home_cannot_be_written(configured, monkeypatch, capsys):
    assert "its cache" not in run(capsys, "doctor")[1]
    monkeypatch.setattr("scarce.files.writable", lambda folder: "cache" not in str(folder).lower())
    out = run(capsys, "doctor")[1]
    assert "fix   Snakemake cannot write to its cache " in out
    assert "`export XDG_CACHE_HOME=$PWD/.snakemake` gives it another place" in out


def test_doctor_names_what_could_not_be_had_and_a_wrong_mirror(configured, monkeypatch, capsys):
    monkeypatch.setenv("SCARCE_MIRROR", str(configured / "nowhere"))
    write_json(paths.provenance("shuttle"), {"status": "unavailable", "reason": "the host does not answer"})
    code, out, _ = run(capsys, "doctor")
    assert code == 3
    assert "is not a folder: correct SCARCE_MIRROR" in out
    assert "shuttle could not be had: the host does not answer; try again with `scarce fetch --missing`" in out


@pytest.mark.parametrize("number", sorted(cli.SYSTEM))
def test_what_the_system_refuses_is_one_line_with_the_file_and_what_to_do(configured, monkeypatch, capsys, number):
    def fail(*_):
        raise OSError(number, os.strerror(number), "results/a.npz")

    monkeypatch.setattr("scarce.commands.doctor.examine", fail)
    code, _, err = run(capsys, "doctor")
    assert code == 1
    (line,) = err.splitlines()
    assert line == f"scarce: error: results/a.npz: {os.strerror(number)} ({cli.SYSTEM[number]})"


def test_other_errors_of_the_system_keep_their_traceback(configured, monkeypatch, capsys):
    monkeypatch.setattr("scarce.commands.doctor.examine", lambda: os.stat("nowhere"))
    code, _, err = run(capsys, "doctor")
    assert code == 1
    assert "Traceback" in err
    assert err.splitlines()[-1].startswith("scarce: error: FileNotFoundError: ")


def test_a_log_that_cannot_be_written_stops_nothing(configured, capsys):
    (configured / "logs").write_text("a file where the folder should be")
    code, out, err = run(capsys, "list", "metrics", "--log", "logs/a.log")
    assert code == 0
    assert "auc_pr" in out
    assert err.startswith("scarce: no log in logs/a.log: ")
