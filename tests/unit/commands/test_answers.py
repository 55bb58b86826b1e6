"""Answers in JSON: keys as declared and documented, and nothing else on standard output."""

import json

import jsonschema
import pytest

from scarce import cli, paths
from scarce.commands.answers import all_answers, glossary, keys_of
from scarce.commands.table import COMMANDS
from tests.conftest import ROOT

ANSWERS = all_answers()
WORDS = {command: [*command.split()[1:], *(["smoke"] if command in ("scarce status", "scarce check") else [])]
         for command in ANSWERS}  # fmt: skip


@pytest.mark.parametrize("command", ANSWERS)
def test_the_answer_has_the_keys_that_it_declares_and_no_other(configured, monkeypatch, capsys, command):
    monkeypatch.setattr("scarce.commands.status.slurm_jobs", lambda: None)
    assert cli.main([*WORDS[command], "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    schema = ANSWERS[command].model_json_schema()
    jsonschema.validate(answer, schema)
    declared = {key for key, *_ in keys_of(ANSWERS[command])}
    assert {key for key in declared if "." not in key} == answer.keys()


@pytest.mark.slow
@pytest.mark.parametrize("command", ANSWERS)
def test_text_and_json_name_the_same_things(configured, monkeypatch, capsys, command):
    monkeypatch.setattr("scarce.commands.status.slurm_jobs", lambda: None)
    cli.main([*WORDS[command], "--json"])
    answer = json.loads(capsys.readouterr().out)
    cli.main(WORDS[command])
    text = capsys.readouterr().out
    for item in answer.get("items", answer.get("studies", [])):
        assert item["name"] in text
    for finding in answer.get("findings", []):
        assert f"{finding['level']:<6}" in text


def test_the_page_of_the_keys_is_that_of_the_code():
    assert (ROOT / "docs/json.md").read_text(encoding="utf-8").endswith(glossary())


def test_every_command_with_json_has_a_declared_answer():
    with_json = {name for name, command in COMMANDS.items() if command.json}
    assert {command.split()[1] for command in ANSWERS} == with_json


def test_faults_of_a_study_are_in_the_answer(configured, capsys):
    file = paths.STUDIES / "smoke.yaml"
    file.write_text(file.read_text().replace("repeats: 3", "repeats: 0").replace("pu_hdt, ", "pu_htd, "))
    assert cli.main(["check", "smoke", "--json"]) == 2
    out = capsys.readouterr()
    answer = json.loads(out.out)
    assert not answer["ok"]
    assert answer["studies"] == []
    assert len(answer["faults"]) == 2
    assert all(fault["where"].startswith("config/studies/smoke.yaml:") for fault in answer["faults"])
    assert "did you mean pu_hdt?" in {fault["hint"] for fault in answer["faults"]}
    assert cli.main(["check", "smoke"]) == 2
    out = capsys.readouterr()
    assert out.out == ""
    assert out.err.count("scarce: error: ") == 2


def test_status_in_json_counts_cells(configured, monkeypatch, capsys):
    monkeypatch.setattr("scarce.commands.status.slurm_jobs", lambda: None)
    cli.main(["status", "smoke", "--json"])
    answer = json.loads(capsys.readouterr().out)
    assert answer["counts"]["missing"] == len(answer["cells"]) == 20
    assert sum(answer["counts"].values()) == 20


def test_a_study_that_does_not_exist_leaves_standard_output_empty(configured, capsys):
    assert cli.main(["check", "smok", "--json"]) == 2
    out = capsys.readouterr()
    assert out.out == ""
    assert "no study is named 'smok' (did you mean smoke?)" in out.err


def test_check_lists_a_few_scenarios_and_counts_the_others(configured, capsys):
    assert cli.main(["check", "calvo2007"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) < 250
    listed = [line for line in lines if line.startswith("  scenario ")]
    (more,) = [line for line in lines if line.startswith("  and ")]
    assert len(listed) + int(more.split()[1]) == 84
