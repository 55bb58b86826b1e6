"""Completion, by shells for real."""

import argparse
import os
import pty
import select
import shutil
import subprocess
import time

import pytest

from scarce.commands.completion import NAMES, blocks, completion
from scarce.config.loading import load_project
from tests.conftest import ROOT
from tests.workflow.conftest import BIN

ASK = {
    "bash": r"""
eval "$(scarce completion bash)"
COMP_LINE="$1"
COMP_POINT=${#1}
_python_argcomplete scarce
printf '%s\n' "${COMPREPLY[@]% }"
""",
    "fish": "source (scarce completion fish | psub); complete -C $argv[1]",
}
#: What is typed -> all that is offered for the last word.
LINES = {
    "scarce st": ["status"],
    "scarce status smo": ["smoke"],
    "scarce run smoke --rep": ["--repeats"],
    "scarce run smoke -m ": ["pu_hdt", "pu_shrf", "pu_bagging", "pu_wlr", "adasyn_rf"],
    "scarce run smoke --dataset ": ["moons", "blobs"],
    "scarce run demo -m pu_h": ["pu_hdt", "pu_hrf"],  # of the study that it extends
    "scarce run demo -d sat": ["satellite"],
    "scarce run config/studies/smoke.yaml -m adasyn": ["adasyn_rf"],
    "scarce check calvo2007_f": ["calvo2007_full"],
    "scarce explain smoke ": ["moons", "blobs"],
    "scarce explain smoke moons flip-50 pu_b": ["pu_bagging"],
    "scarce refit smoke blobs ada": ["adasyn_rf"],
    "scarce compare sar_": ["sar_em"],
    "scarce list da": ["datasets"],
}


def ask(*words):
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    offered = [line.split("\t")[0] for line in done.stdout.splitlines()]
    # options are offered beside names
    return [word for word in offered if not word.startswith("-")] or offered, done.stderr


@pytest.fixture(autouse=True)
def _with_scarce(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", BIN, prepend=os.pathsep)
    monkeypatch.setenv("HOME", str(tmp_path))


def needs(shell):
    return pytest.mark.skipif(not shutil.which(shell), reason=f"no {shell}")


@needs("bash")
@pytest.mark.parametrize("line", [*LINES, "scarce status nothing-is-named-so"])
def test_bash_completes(configured, line):
    offered, said = ask("bash", "-c", ASK["bash"], "bash", line)
    assert offered == LINES.get(line, [""]), said


@needs("bash")
def test_the_control_is_a_method_of_the_pack(configured):
    line = f"scarce compare naive --against {ROOT}/packs/smoke --control "
    offered, said = ask("bash", "-c", ASK["bash"], "bash", line)
    assert sorted(offered) == sorted(LINES["scarce run smoke -m "]), said


@needs("fish")
@pytest.mark.parametrize("line", ["scarce st", "scarce run smoke -m ", "scarce run demo -d sat"])
def test_fish_completes(configured, line):
    offered, said = ask("fish", "-c", ASK["fish"], line)
    assert sorted(offered) == sorted(LINES[line]), said


@needs("zsh")
@pytest.mark.parametrize("line", ["scarce st", "scarce run smoke -m pu_s", "scarce run demo -d sat"])
def test_zsh_completes(configured, line):
    completed = {"scarce st": "status", "scarce run smoke -m pu_s": "pu_shrf"}.get(line) or LINES[line][0]
    process, terminal = pty.fork()
    if not process:
        os.execlp("zsh", "zsh", "-f", "-i")
    try:
        os.write(terminal, b"autoload -Uz compinit && compinit -u; eval \"$(scarce completion zsh)\"; print rea''dy\n")
        until(terminal, "ready")
        os.write(terminal, f"{line}\t".encode())
        until(terminal, completed)
    finally:
        os.close(terminal)
        os.waitpid(process, 0)


def until(terminal, word):
    """Read what a shell writes until it has written a word."""
    said, deadline = "", time.monotonic() + 300
    while word not in said:
        assert time.monotonic() < deadline, said
        if select.select([terminal], [], [], 1)[0]:
            said += os.read(terminal, 10_000).decode(errors="replace")


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_each_shell_gets_lines_for_scarce(shell):
    assert "scarce" in completion(shell)


def test_the_names_are_those_of_the_configuration(configured):
    project, nothing = load_project(), argparse.Namespace()
    assert NAMES["STUDY"](nothing) == list(project.studies)
    assert NAMES["DATASET"](nothing) == list(project.datasets)
    assert {spec.variant_of or name for name, spec in project.methods.items()} == set(NAMES["METHOD"](nothing))


def test_the_names_of_each_study_are_those_that_it_has(configured):
    project = load_project()
    for name, study in project.studies.items():
        given = argparse.Namespace(study=name)
        assert NAMES["DATASET"](given) == study.datasets
        assert NAMES["METHOD"](given) == list(
            dict.fromkeys(project.methods[method].variant_of or method for method in study.methods)
        )


@pytest.mark.parametrize("text", ["", "- a", "methods: 3", "extends: wrong", "methods: [a", "extends: [a]"])
def test_a_study_that_cannot_be_read_offers_all_names(configured, text):
    (configured / "config/studies/wrong.yaml").write_text(text)
    assert NAMES["METHOD"](argparse.Namespace(study="wrong")) == NAMES["METHOD"](argparse.Namespace())


def test_outside_a_project_no_name_is_offered(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert blocks(tmp_path / "nothing.yaml") == []
