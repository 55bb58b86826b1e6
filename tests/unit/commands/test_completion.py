"""Completion, by a shell for real."""

import os
import shutil
import subprocess

import pytest

from scarce.commands.completion import NAMES, blocks, completion
from scarce.config.loading import load_project
from tests.workflow.conftest import BIN

ASK = r"""
eval "$(scarce completion bash)"
COMP_LINE="$1"
COMP_POINT=${#1}
_python_argcomplete scarce
printf '%s\n' "${COMPREPLY[@]% }"
"""


@pytest.mark.skipif(not shutil.which("bash"), reason="no bash")
@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("scarce st", ["status"]),
        ("scarce status smo", ["smoke"]),
        ("scarce run smoke --rep", ["--repeats"]),
        ("scarce run smoke -m pu_s", ["pu_shrf"]),
        ("scarce run smoke --dataset moo", ["moons"]),
        ("scarce check calvo2007_f", ["calvo2007_full"]),
        ("scarce explain smoke blo", ["blobs"]),
        ("scarce list da", ["datasets"]),
        ("scarce status nothing-is-named-so", [""]),
    ],
)
def test_bash_completes(configured, monkeypatch, line, offered):
    monkeypatch.setenv("PATH", BIN, prepend=os.pathsep)
    done = subprocess.run(["bash", "-c", ASK, "bash", line], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == offered, done.stderr


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_each_shell_gets_lines_for_scarce(shell):
    assert "scarce" in completion(shell)


def test_the_names_are_those_of_the_configuration(configured):
    project = load_project()
    assert NAMES["STUDY"]() == list(project.studies)
    assert NAMES["DATASET"]() == list(project.datasets)
    assert {spec.variant_of or name for name, spec in project.methods.items()} == set(NAMES["METHOD"]())


def test_outside_a_project_no_name_is_offered(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert blocks(tmp_path / "nothing.yaml") == []
