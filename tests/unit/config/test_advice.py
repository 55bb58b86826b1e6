"""What a person reads of a wrong value: its line, its key's path, what was read and what to write."""

from __future__ import annotations

from pathlib import Path

import pytest

from scarce.config.datasets import DatasetSpec
from scarce.config.study import Study
from scarce.config.switches import Config
from scarce.config.yamlfile import read_yaml, validate
from scarce.errors import ConfigError
from scarce.words import did_you_mean

STUDY = """\
name: a
title: A
datasets: [moons]
labeling:
  scar: {flip_ratios: [0.5]}
repeats: 3
methods: [pu_hdt]
split: {test_size: 0.3}
preset: sound
analysis: {metrics: [auc_pr]}
"""
DATASET = """\
name: a
title: A
sources:
  - {kind: mirror, files: [{path: a.csv}]}
read: {format: csv, header: true}
target: label
positive: "yes"
expected: {n: 60, d: 4, classes: ["yes", "no"]}
content_sha256: 2dcf089cba757df0f971e57a57d9ee13ea5d44c9921267b2881fdcb398c375fe
"""


def fault(tmp_path, model, text: str) -> str:
    file = tmp_path / "a.yaml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError) as error:
        validate(model, read_yaml(file))
    (line,) = error.value.lines()
    return line.removeprefix(f"{Path(file)}:")


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("repeats: 3", "repeats: '3'", "6: repeats: must be a whole number, got '3' (write 3)"),
        ("repeats: 3", "repeats: 3.0", "6: repeats: must be a whole number, got 3.0 (write 3)"),
        ("repeats: 3", "repeats: 1e3", "6: repeats: must be a whole number, got 1000.0 (write 1000)"),
        ("repeats: 3", "repeats: 010", "6: repeats: must be a whole number, got '010' (write 10)"),
        ("repeats: 3", "repeats: 1_000", "6: repeats: must be a whole number, got '1_000' (write 1000)"),
        ("repeats: 3", "repeats: 3.5", "6: repeats: must be a whole number, got 3.5"),
        ("repeats: 3", "repeats:", "6: repeats: is empty, must be a whole number"),
        ("repeats: 3", "repeats: [3]", "6: repeats: must be a whole number, got a list"),
        ("repeats: 3", "repeats: true", "6: repeats: must be a whole number, got true"),
        ("repeats: 3", "repeats: .nan", "6: repeats: must be a whole number, got '.nan'"),
        ("repeats: 3", "repeats: 0", "6: repeats: must be greater than or equal to 1, got 0"),
        ("[0.5]}", "[75]}", "5: labeling.scar.flip_ratios.0: must be less than 1, got 75 (75 % is 0.75)"),
        ("[0.5]}", "[25%]}", "5: labeling.scar.flip_ratios.0: must be a number, got '25%' (write 0.25)"),
        ("[0.5]}", "0.5}", "5: labeling.scar.flip_ratios: must be a list, got 0.5 (write [0.5])"),
        ("[0.5]}", "[]}", "5: labeling.scar.flip_ratios: must not be empty"),
        ("{flip_ratios: [0.5]}", "[0.5]", "5: labeling.scar: must be a block of keys, got a list (keys: flip_ratios,"),
        ("{test_size: 0.3}", "{test_size: 1}", "8: split.test_size: must be less than 1, got 1"),
        ("{test_size: 0.3}", "{test_sise: 0.3}", "8: split.test_sise: unknown key (did you mean test_size?)"),
        (
            "[moons]",
            "[Moons]",
            "datasets.0: 'Moons' is no name: small letters, digits, _ . and - are wanted (write moons)",
        ),
        (
            "[moons]",
            "[a/b]",
            "3: datasets.0: 'a/b' is no name: small letters, digits, _ . and - are wanted (write a_b)",
        ),
        ("[moons]", "[mo\u043ens]", "3: datasets.0: 'mo\u043ens' is no name: '\u043e' is CYRILLIC SMALL LETTER O"),
        ("[moons]", f"[{'a' * 101}]", "has 101 letters, choose a name of at most 100"),
        ("[moons]", "[2023]", "3: datasets.0: must be a text, got 2023 (put it in quotes)"),
        ("[moons]", "moons, blobs", "3: datasets: must be a list, got 'moons, blobs' (write [moons, blobs])"),
        ("datasets: [moons]\n", "", "1: datasets: is missing (names of data sets; `scarce list datasets`)"),
        ("preset: sound", "on_error: Raise", "must be 'record' or 'raise', got 'Raise' (did you mean raise?)"),
        ("preset: sound", "on_error: [raise]", "9: on_error: must be 'record' or 'raise', got a list"),
        ("preset: sound", "options: {class_prior: true}", "9: options.class_prior: must be all_true, train_true"),
        ("preset: sound", "options: {class_prior: [0.1]}", "or a number between 0 and 1, got [0.1]"),
        ("preset: sound", "limits: {seconds: 1e308}", "must be less than or equal to 31622400, got 1e+308"),
        ("[auc_pr]", "[auc_pr, auc_pr]", "10: analysis.metrics: names auc_pr twice"),
        ("[auc_pr]", "[auc_pr], alpha: 1e-300", "10: analysis.alpha: must be greater than or equal to"),
        ("[auc_pr]", "[auc_pr], reference: ../x", "10: analysis.reference: '../x' is no name"),
        ("preset: sound", "report: {figures: [dots, dots]}", "9: report.figures: names dots twice"),
        (
            "preset: sound",
            "report: {tables: [{name: T, title: T, layout: sizes}, {name: t, title: T, layout: sizes}]}",
            "9: report.tables: names t twice",
        ),
        (
            "preset: sound",
            "report: {tables: [{name: CON, title: T, layout: sizes}]}",
            "9: report.tables.0.name: 'CON' cannot be a folder name on every system",
        ),
    ],
)
def test_a_fault_of_a_study_says_what_to_write(tmp_path, old, new, said):
    assert old in STUDY
    assert said in fault(tmp_path, Study, STUDY.replace(old, new))


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("kind: mirror", "kind: Mirror", "4: sources.0.kind: must be mirror, url, wheel, openml, local or generated"),
        ("kind: mirror", "kind: Mirror", "got 'Mirror' (did you mean mirror?)"),
        ("kind: mirror, files", "files", "4: sources.0.kind: is missing"),
        (", files: [{path: a.csv}]", "", "4: sources.0.files: is missing"),
        (
            "{path: a.csv}",
            "{pathe: a.csv, path: a.csv}",
            "4: sources.0.files.0.pathe: unknown key (did you mean path?)",
        ),
        (
            "format: csv",
            "format: CSV",
            "5: read.format: must be keel, arff, csv, svmlight, npz, matrix, idx, texts or pictures, got 'CSV'",
        ),
        ("header: true", "header: no", "5: read.header: must be true or false, got 'no' (write false)"),
        ("header: true", "heder: true", "5: read.heder: unknown key (did you mean header?)"),
        (
            'positive: "yes"',
            "positive: maybe",
            "7: positive: the positive class 'maybe' is none of the classes expected",
        ),
        ("title: A", "title: 1.10", "2: title: must be a text, got 1.1 (put it in quotes)"),
        ("title: A", "title: null", "2: title: is empty, must be a text"),
        ("header: true", "missing: '?'", """5: read.missing: must be a list, got '?' (write ["?"])"""),
        ("header: true", "missing: -999", """5: read.missing: must be a list, got -999 (write ["-999"])"""),
        ("header: true", "missing: NA", "5: read.missing: must be a list, got 'NA' (write [NA])"),
        ("header: true", "delimiter: \\t", "5: read.delimiter: '\\\\t' is neither one character nor the word"),
        ("header: true", "delimiter: tab", 'whitespace: a tab is "\\t", in double quotes'),
    ],
)
def test_a_fault_of_a_data_set_says_what_to_write(tmp_path, old, new, said):
    assert old in DATASET
    assert said in fault(tmp_path, DatasetSpec, DATASET.replace(old, new))


def test_a_list_of_config_names_each_once(tmp_path):
    assert "1: studies: names a twice" in fault(tmp_path, Config, "studies: [a, a]\n")


def test_a_name_in_other_letters_is_near():
    assert did_you_mean("AUC_PR", ["auc_roc", "auc_pr"]) == "did you mean auc_pr?"
    assert did_you_mean("zzz", ["a"], listed=False) is None
