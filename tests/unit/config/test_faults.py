"""What is described wrongly stops the studies that name it, and nothing else."""

from __future__ import annotations

import sys

import pytest

from scarce import cli, paths
from scarce.config.loading import load_project
from scarce.errors import ConfigError

STUDY = """
name: {name}
title: Mine
datasets: [moons, {dataset}]
labeling: {{scar: {{flip_ratios: [0.5]}}}}
methods: [{method}]
analysis: {{metrics: [auc_pr]}}
"""
DATASET = (
    "{{sources: [{{kind: {kind}, files: [{{path: data/own/mine.csv}}]}}], read: {{format: csv}}, target: k{more}}}"
)
#: name -> (file, text of the block, what is said of it)
BLOCKS = {
    "typo": (paths.DATASETS_YAML, DATASET.format(kind="local", more=", postive: p"), "typo.postive: unknown key"),
    "kind": (paths.DATASETS_YAML, DATASET.format(kind="lokal", more=", positive: p"), "kind.sources.0.kind: must be"),
    "scalar": (paths.DATASETS_YAML, "3", "scalar: must be a block of keys, got 3"),
    "empty": (paths.DATASETS_YAML, "", "empty: is empty"),
    "listed": (paths.DATASETS_YAML, "[a, b]", "listed: must be a block of keys, got a list"),
    "wrong_twice": (paths.DATASETS_YAML, "{a: 1}\nwrong_twice: {a: 2}", "wrong_twice: given twice"),
    "gone": (paths.METHODS_YAML, "{label: M, family: M, estimator: 'no_module:X'}", "there is no module 'no_module'"),
    "broken": (paths.METHODS_YAML, "{label: M, family: M, estimator: 'my_broken:X'}", "my_broken.py is no Python"),
    "lacking": (paths.METHODS_YAML, "{label: M, family: M, estimator: 'my_empty:X'}", "module my_empty has no 'X'"),
    "argument": (paths.METHODS_YAML, "{label: M, family: M, estimator: pu_wlr, params: {a: 1}}", "no argument 'a'"),
    "unlabeled": (paths.METHODS_YAML, "{family: M, estimator: pu_wlr}", "unlabeled.label: is missing"),
}


def add(file, name, text):
    with file.open("a") as handle:
        handle.write(f"\n{name}: {text}\n")


def study(name="mine", dataset="blobs", method="pu_wlr", folder=paths.STUDIES):
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}.yaml").write_text(STUDY.format(name=name, dataset=dataset, method=method))


def refused(project, name):
    with pytest.raises(ConfigError) as error:
        project.study(name)
    return error.value.lines()


def test_a_wrong_block_stops_only_studies_that_name_it(configured, monkeypatch):
    monkeypatch.syspath_prepend(configured)
    (configured / "my_broken.py").write_text("def f(:\n")
    (configured / "my_empty.py").write_text("")
    for name, (file, text, _) in BLOCKS.items():
        add(file, name, text)
        study(f"of_{name}", **{"dataset" if file == paths.DATASETS_YAML else "method": name})
    study("fine")
    files = [paths.STUDIES / f"{name}.yaml" for name in ("fine", "smoke", *(f"of_{name}" for name in BLOCKS))]
    project = load_project(files, strict=False)
    assert set(project.studies) == {"fine", "smoke"}
    for name, (file, _, said) in BLOCKS.items():
        lines = refused(project, f"of_{name}")
        assert any(said in line for line in lines), name
        assert all(f"{file}:" in line and name in line for line in lines), "and nothing of the other blocks"
        assert set(lines) <= set(project.fault_lines())
    with pytest.raises(ConfigError):
        load_project(files)


def test_a_wrong_study_stops_only_itself_and_what_extends_it(configured):
    texts = {
        "yaml": ("name: yaml\ntitle: [", "not valid YAML"),
        "listed": ("- a\n- b\n", "must be a block of keys, got a list"),
        "named": ("name: other\n", "is 'other', but the file is named.yaml"),
        "orphan": ("name: orphan\nextends: nosuch\n", "no study is named 'nosuch'"),
        "circle": ("name: circle\nextends: circle\n", "extends itself"),
        "missing": (STUDY.format(name="missing", dataset="nosuch", method="pu_wlr"), "no data set is named 'nosuch'"),
        "bytes": ("name: bytes\ntitle: \xff\n", "not UTF-8"),
    }
    for name, (text, _) in texts.items():
        (paths.STUDIES / f"{name}.yaml").write_bytes(text.encode("latin-1"))
        (paths.STUDIES / f"{name}_child.yaml").write_text(f"name: {name}_child\nextends: {name}\n")
    project = load_project(strict=False)
    assert {"smoke", "demo", "ortega2023"} <= set(project.studies)
    for name, (_, said) in texts.items():
        for one in (name, f"{name}_child"):
            assert any(said in line for line in refused(project, one)), one
    alone = load_project([paths.STUDIES / "yaml_child.yaml"], thorough=False, strict=False)
    assert any("not valid YAML" in line for line in refused(alone, "yaml_child"))


def test_an_absent_file_stops_no_study_but_the_check_of_one_that_names_it(configured, capsys, monkeypatch):
    monkeypatch.delenv("SCARCE_MIRROR", raising=False)
    add(paths.DATASETS_YAML, "absent", DATASET.format(kind="local", more=", positive: p"))
    for words in (["list", "datasets"], ["check"], ["check", "config/studies/smoke.yaml"], ["status", "smoke"]):
        assert cli.main(words) == 0, words
    assert "absent.sources: no such file: data/own/mine.csv" in capsys.readouterr().err
    study(dataset="absent")
    assert "mine" in load_project([paths.STUDIES / "mine.yaml"], strict=False).studies
    assert cli.main(["check", "config/studies/mine.yaml"]) == cli.main(["check"]) == cli.main(["fetch", "absent"]) == 2
    assert cli.main(["fetch", "absent", "--allow-missing"]) == 0


NO_TABLES = [
    b"",
    b"\n\n",
    b"<!DOCTYPE html>\n<html><body><h1>404</h1></body></html>\n",
    b'{"message": "not found", "status": 404}\n',
    b"version 1\noid sha256:0123\nsize 12\n",
    b"Not Found\n",
    b'a,k\n1,p\n2,"n\n3,p\n',
    b"a,k\n1,p\n\0\0",
    b"PK\3\4",
]


def test_a_file_that_is_no_table_is_left_to_the_reader(configured):
    (configured / "data/own").mkdir(parents=True)
    for place, content in enumerate(NO_TABLES):
        (configured / f"data/own/bad{place}.csv").write_bytes(content)
        block = DATASET.format(kind="local", more=", positive: p").replace("mine.csv", f"bad{place}.csv")
        add(paths.DATASETS_YAML, f"bad{place}", block)
    assert {f"bad{place}" for place in range(len(NO_TABLES))} <= set(load_project([]).datasets)


def test_a_description_that_does_not_fit_its_table_stops_the_studies_that_name_it(configured):
    (configured / "data/own").mkdir(parents=True)
    (configured / "data/own/mine.csv").write_text("a;k\n1;p\n2;n\n")
    add(paths.DATASETS_YAML, "semicolons", DATASET.format(kind="local", more=", positive: p"))
    study(dataset="semicolons")
    project = load_project([paths.STUDIES / "mine.yaml", paths.study_yaml("smoke")], strict=False)
    assert any("semicolons.read" in line and "delimiter" in line for line in refused(project, "mine"))
    assert "smoke" in project.studies


def test_a_plugin_that_cannot_be_imported_stops_only_its_methods(configured):
    file = paths.CONFIG_YAML
    file.write_text(file.read_text().replace("plugins: []", "plugins: [no_such_plugin]"))
    add(paths.METHODS_YAML, "own", "{label: M, family: M, estimator: of_the_plugin}")
    study(method="own")
    for thorough in (True, False):
        files = [paths.STUDIES / "mine.yaml", paths.study_yaml("smoke")]
        project = load_project(files, thorough=thorough, strict=False)
        assert any("No module named 'no_such_plugin'" in line for line in refused(project, "mine"))
        assert "smoke" in project.studies


def test_a_paper_that_is_broken_or_has_the_name_of_another_stops_only_its_studies(configured, monkeypatch):
    monkeypatch.setattr(sys, "path", list(sys.path))
    for name in ("broken_paper", "ortega2023"):
        study(f"of_{name}", folder=paths.PAPERS / name / "studies")
    (paths.PAPERS / "broken_paper" / "__init__.py").write_text("import no_such_module\n")
    project = load_project(strict=False)
    assert {"smoke", "ortega2023"} <= set(project.studies)
    assert any("cannot be imported" in line for line in refused(project, "of_broken_paper"))
    assert any("a paper of this name stands in" in line for line in refused(project, "of_ortega2023"))
    (paths.PAPERS / "broken_paper" / "__init__.py").write_text("")
    (paths.PAPERS / "broken_paper" / "datasets.yaml").write_text("a: [\n")
    project = load_project(strict=False)
    assert "smoke" in project.studies
    assert any("not valid YAML" in line for line in refused(project, "of_broken_paper"))


def test_one_name_in_two_files_is_refused_by_every_command(configured, capsys):
    study("twin")
    study("twin", folder=paths.PAPERS / "toy_paper" / "studies")
    for words in (["status", "twin"], *(["check", str(file)] for file in paths.study_files() if file.stem == "twin")):
        assert cli.main(words) == 2, words
        assert "a study of this name stands in config/studies/twin.yaml as well" in capsys.readouterr().err
    assert cli.main(["status", "smoke"]) == cli.main(["check", "config/studies/smoke.yaml"]) == 0


def test_faults_of_the_project_itself_stop_everything(configured):
    for file, text in ((paths.CONFIG_YAML, "studies: [smoke]\nnosuch: 1\n"), (paths.DATASETS_YAML, "a: [\n")):
        before = file.read_text()
        file.write_text(text)
        with pytest.raises(ConfigError):
            load_project(strict=False)
        file.write_text(before)
