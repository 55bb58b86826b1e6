"""The declaration of result files: complete, free of contradictions, and shown in the docs."""

import re
from pathlib import Path
from types import SimpleNamespace

from scarce import paths
from scarce.result_files import COLUMNS, READS_EMPTY, RESULT_FILES, glossary
from scarce.stages.describe import datapackage

ROOT = Path(__file__).parents[2]


def test_every_column_is_declared_and_used():
    used = {name for file in RESULT_FILES.values() for name in file.columns}
    assert used == set(COLUMNS)
    assert {column.type for column in COLUMNS.values()} <= {"string", "integer", "number", "boolean"}
    assert {COLUMNS[name].type for name in READS_EMPTY} == {"string"}


def test_names_of_files_are_unique_identifiers():
    assert all(name.isidentifier() and file.name == name for name, file in RESULT_FILES.items())
    assert len({file.path for file in RESULT_FILES.values()}) == len(RESULT_FILES)


def test_rules_are_those_of_the_workflow():
    workflow = "\n".join(file.read_text(encoding="utf-8") for file in (ROOT / "workflow/rules").glob("*.smk"))
    rules = set(re.findall(r"^rule (\w+):", workflow, re.MULTILINE))
    assert {file.rule for file in RESULT_FILES.values()} <= rules
    written = [file for rule in rules for file in paths.outputs_of(rule, "s").values()]
    assert sorted(written) == sorted(paths.result(name, "s") for name in RESULT_FILES)


def test_the_docs_show_the_glossary():
    assert (ROOT / "docs/results.md").read_text(encoding="utf-8").endswith(glossary()), (
        "replace the tables at its end by the output of python -m scarce.result_files"
    )


def test_the_datapackage_describes_every_table():
    package = datapackage(SimpleNamespace(name="s", title="A study"))
    resources = {one["path"]: one["schema"]["fields"] for one in package["resources"]}
    tables = {file.path: file.columns for file in RESULT_FILES.values() if file.columns}
    assert {path: [field["name"] for field in fields] for path, fields in resources.items()} == tables
