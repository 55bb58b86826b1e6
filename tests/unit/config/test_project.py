import sys
import textwrap

import pytest

from scarce import paths, registry
from scarce.config.loading import RULES, load_project
from scarce.errors import ConfigError
from tests.conftest import ROOT


def problems(*studies):
    with pytest.raises(ConfigError) as error:
        load_project(*studies)
    return error.value.lines()


def edit(path, old, new):
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


def test_the_shipped_configuration_is_fine(configured):
    project = load_project()
    assert {"smoke", "demo", "ortega2023", "template"} <= set(project.studies)
    assert len(project.study("ortega2023").datasets) == 17


def test_a_folder_that_is_no_project_is_said_once(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (said,) = problems()
    assert said.startswith(f"{tmp_path} is no project: there is no config (go to the folder that holds the Snakefile")
    assert said.endswith("`scarce init my-project` lays one out)")


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("pu_shrf,", "pu_srhf,", "methods.1: no method is named 'pu_srhf' (did you mean pu_shrf?)"),
        ("[moons, blobs]", "[moons, blob]", "datasets.1: no data set is named 'blob' (did you mean blobs?)"),
        ("[0.50, 0.75]", "[0.50, 1.2]", "labeling.scar.flip_ratios.1: must be less than 1, got 1.2"),
        ("repeats: 3", "repeats: three", "repeats: must be a whole number, got 'three'"),
        ("preset: sound", "preset: exact", "preset: no preset is named 'exact' (known: sound, "),
        ("auc_pr]", "auc_rp]", "analysis.metrics.1: no metric to rank by is named 'auc_rp' (did you mean auc_pr?)"),
        ("auc_pr]", "threshold_prior]", "analysis.metrics.1: no metric to rank by is named 'threshold_prior'"),
        ("{n_estimators: 20}", "{n_estimators: $sed}", "unknown placeholder $sed (did you mean $seed?)"),
        ("[0.50, 0.75]", "[0.50, 0.0000001]", "1e-07 is too close to 0 or 1 to be a share of positives"),
        ("{n_estimators: 20}", "{n_estimators: 20, class_prior: 0}", "class_prior: must lie between 0 and 1, got 0"),
        ("name: smoke", "name: smoky", "is 'smoky', but the file is smoke.yaml; the two must agree"),
        ("repeats: 3", "repeat: 3", "repeat: unknown key (did you mean repeats?)"),
    ],
)
def test_a_fault_of_a_study_is_one_line_with_file_and_line(configured, old, new, said):
    file = paths.study_yaml("smoke")
    edit(file, old, new)
    found = [line for line in problems([file]) if said in line]
    assert len(found) == 1
    number = next(
        i for i, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1) if new.splitlines()[0] in line
    )
    assert found[0].startswith(f"config/studies/smoke.yaml:{number}: ")


def test_a_method_may_be_a_module_of_the_projects_root(configured, monkeypatch):
    monkeypatch.setattr(sys, "path", [folder for folder in sys.path if folder])
    (configured / "methods_of_my_own.py").write_text("class Mine:\n    pass\n")
    with paths.METHODS_YAML.open("a") as handle:
        handle.write("\nmine: {label: Mine, family: Mine, estimator: 'methods_of_my_own:Mine'}\n")
    estimator = registry.find(load_project().method("mine").estimator).load()
    assert estimator is sys.modules["methods_of_my_own"].Mine
    monkeypatch.delitem(sys.modules, "methods_of_my_own")


def test_faults_of_several_files_come_together(configured):
    edit(paths.METHODS_YAML, "estimator: pu_wlr", "estimator: pu_wrl")
    edit(paths.METHODS_YAML, "class_prior: $class_prior,", "class_prior: $class_priors,")
    edit(paths.CONFIG_YAML, "[ortega2023]", "[ortega]")
    lines = problems()
    assert any("no method is registered as 'pu_wrl' (did you mean pu_wlr?)" in line for line in lines)
    assert any("unknown placeholder $class_priors" in line for line in lines)
    assert any(
        "config/config.yaml:2: studies.0: no study is named 'ortega' (did you mean ortega2023?)" in line
        for line in lines
    )


def test_a_plugin_registers_methods(configured):
    (configured / "my_plugin.py").write_text(
        textwrap.dedent(
            """
            from scarce.registry import register
            register("mine", "my_plugin:Mine", source="me")
            class Mine: ...
            """
        )
    )
    edit(paths.CONFIG_YAML, "plugins: []", "plugins: [my_plugin]")
    with paths.METHODS_YAML.open("a") as handle:
        handle.write("\nmine: {label: Mine, family: Mine, estimator: mine}\n")
    assert load_project().method("mine").label == "Mine"


def test_a_plugin_that_cannot_be_imported_is_said_with_its_line(configured):
    edit(paths.CONFIG_YAML, "plugins: []", "plugins: [no_such_plugin]")
    assert any(
        "plugins: cannot be imported: ModuleNotFoundError: No module named 'no_such_plugin'" in line
        for line in problems()
    )


def test_a_plugin_that_ends_the_process_is_said_and_ends_nothing(configured):
    (configured / "my_script.py").write_text("import sys\nsys.exit(0)\n")
    edit(paths.CONFIG_YAML, "plugins: []", "plugins: [my_script]")
    assert any("plugins: cannot be imported: SystemExit: 0" in line for line in problems())


def test_an_estimator_of_ones_own_needs_no_registry(configured):
    (configured / "my_package").mkdir()
    (configured / "my_package" / "mine.py").write_text("class Mine:\n    def __init__(self, depth=1): ...\n")
    (configured / "my_package" / "__init__.py").write_text("")
    with paths.METHODS_YAML.open("a") as handle:
        handle.write("\nmine: {label: Mine, family: Mine, estimator: 'my_package.mine:Mine'}\n")
    assert load_project().method("mine").estimator == "my_package.mine:Mine"


def test_fingerprints_follow_what_they_should(configured):
    study = load_project().study("smoke")

    def prints():
        project = load_project()
        return {m: project.fingerprint(project.study("smoke"), "moons", m) for m in study.methods}

    before = prints()
    edit(paths.METHODS_YAML, "label: PU-SHRF", "label: PU-SHRF forest")
    assert prints() == before, "a label is not a setting"
    edit(paths.study_yaml("smoke"), "pu_shrf: {n_estimators: 20}", "pu_shrf: {n_estimators: 21}")
    after = prints()
    assert {m for m in before if after[m] != before[m]} == {"pu_shrf"}
    edit(paths.METHODS_YAML, "  estimator: pu_wlr", "  estimator: pu_wlr\n  version: 2")
    assert {m for m in before if prints()[m] != after[m]} == {"pu_wlr"}


def own(configured, positive="yes", target="label", path="data/own/mine.csv", more="", rows="1,yes\n2,no\n", head=""):
    (configured / "data/own").mkdir(parents=True, exist_ok=True)
    (configured / "data/own/mine.csv").write_text(head + "a,label\n" + rows)
    with paths.DATASETS_YAML.open("a") as handle:
        handle.write(
            f"\nmine:\n  title: Mine\n  sources:\n    - {{kind: local, files: [{{path: {path}}}]}}\n"
            f"  read: {{format: csv}}\n  target: {target}\n  positive: '{positive}'\n{more}"
        )


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"rows": "1,1.0\n2,0.0\n", "positive": "1"},
        {"target": "y", "more": "  steps: [{step: rename, names: {label: y, a: b}}]\n  numeric: [b]\n"},
        {"more": "  steps: [{step: keep_columns, columns: [a]}, {step: log, columns: [a]}]\n  nominal: [a]\n"},
        {"more": "  steps: [{step: relabel, classes: {1: p, 2: n}}]\n", "positive": "p", "rows": "1,1\n2,2\n"},
        {"head": "\n \n"},
        {"head": "sep=,\n"},
    ],
)
def test_ones_own_file_is_fine(configured, changes):
    own(configured, **changes)
    assert "mine" in load_project([]).datasets


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"positive": "yess"}, "mine.positive: no row of data/own/mine.csv has label 'yess' (classes: no, yes)"),
        ({"target": "lable"}, "mine.target: data/own/mine.csv has no column 'lable' (columns: a, label)"),
        ({"path": "data/own/mien.csv"}, "mine.sources: no such file: data/own/mien.csv"),
        ({"more": "  substitute_for: mine\n"}, "mine.substitute_for: a data set cannot stand in for itself"),
        ({"more": "  nominal: [b]\n"}, "mine.nominal: data/own/mine.csv has no column 'b' (columns: a, label)"),
        ({"more": "  numeric: [A]\n"}, "mine.numeric: data/own/mine.csv has no column 'A'"),
        ({"more": "  steps: [{step: log, columns: [b]}]\n"}, "mine.steps.0: data/own/mine.csv has no column 'b'"),
        (
            {"more": "  steps: [{step: drop_columns, columns: [a]}, {step: set_missing, column: a, values: [0]}]\n"},
            "mine.steps.1: what the steps leave of data/own/mine.csv has no column 'a' (columns: label)",
        ),
        (
            {"more": "  steps: [{step: rename, names: {a: b}}]\n  nominal: [a]\n"},
            "mine.nominal: what the steps leave of data/own/mine.csv has no column 'a' (columns: b, label)",
        ),
    ],
)
def test_a_fault_with_ones_own_file_is_said_before_any_job(configured, changes, said):
    own(configured, **changes)
    (line,) = problems([])
    assert said in line
    assert line.startswith("config/datasets.yaml:")


def test_a_wrong_positive_class_of_a_shipped_data_set_is_said_before_any_job(configured):
    edit(paths.DATASETS_YAML, "positive: positive", "positive: positve")
    (line,) = problems([])
    assert "the positive class 'positve' is none of the classes expected: negative, positive" in line
    number = next(i for i, text in enumerate(paths.DATASETS_YAML.read_text().splitlines(), 1) if "positve" in text)
    assert line.startswith("config/datasets.yaml:"), number


def test_words_and_checks_of_a_data_set_fetch_nothing_again(configured):
    before = load_project([]).source_fingerprint("yeast6")
    edit(paths.DATASETS_YAML, "title: Yeast 6", "title: Yeast six")
    assert load_project([]).source_fingerprint("yeast6") == before
    edit(paths.DATASETS_YAML, "  target: Class\n", "  target: Class\n  note: something\n")
    assert load_project([]).source_fingerprint("yeast6") == before


@pytest.mark.parametrize(
    ("file", "old", "new", "said"),
    [
        (
            paths.METHODS_YAML,
            "estimator: pu_wlr",
            "estimator: 'nomodule:X'",
            "pu_wlr.estimator: there is no module 'nomodule'",
        ),
        (
            paths.METHODS_YAML,
            "max_depth: 5, ties",
            "max_dept: 5, ties",
            "takes no argument 'max_dept' (did you mean max_depth?)",
        ),
        (paths.study_yaml("smoke"), "{n_estimators: 20}", "{n_estimatorz: 20}", "takes no argument 'n_estimatorz'"),
        (paths.study_yaml("smoke"), "[moons, blobs]", "[moons, moons]", "datasets: names moons twice"),
        (paths.CONFIG_YAML, "mirror: null", "mirror: /no/such/folder", "mirror: no folder /no/such/folder"),
    ],
)
def test_what_could_only_fail_later_is_said_first(configured, file, old, new, said):
    edit(file, old, new)
    found = [line for line in problems([paths.study_yaml("smoke")]) if said in line]
    assert len(found) == 1
    assert found[0].startswith(f"{file}:")


def test_what_editors_and_systems_leave_beside_studies_is_no_study(configured):
    (paths.STUDIES / ".#smoke.yaml").symlink_to("somebody@somewhere.123")
    (paths.STUDIES / "._smoke.yaml").write_bytes(b"\0\5\26\7Mac OS X")
    (paths.STUDIES / ".smoke.yml").write_text("")
    assert "smoke" in load_project().studies


def test_a_module_that_is_no_python_is_said_with_the_method_that_names_it(configured):
    (configured / "my_broken.py").write_text("def f(:\n")
    edit(paths.METHODS_YAML, "estimator: pu_wlr", "estimator: 'my_broken:X'")
    (said,) = problems([paths.study_yaml("smoke")])
    assert "pu_wlr.estimator: my_broken.py is no Python: invalid syntax (line 1) (correct that file)" in said


MINE = """
mine:
  title: Mine
  sources: [{kind: generated, generator: blobs, n: 60, prior: 0.2, seed: 1}]
  target: label
  positive: positive
"""
OWN = "\nmine: {label: Mine, family: F, estimator: pu_wlr}\n"


@pytest.mark.parametrize(
    ("file", "old", "new", "said"),
    [
        (
            paths.DATASETS_YAML,
            "  title: Mine",
            "  name: other",
            "mine.name: unknown key (the key of the block is its name)",
        ),
        (paths.DATASETS_YAML, "mine:", "Mine:", "Mine: 'Mine' is no name"),
        (
            paths.DATASETS_YAML,
            "  title: Mine",
            "  substitute_for: yeast_6",
            "no data set is named 'yeast_6' (did you mean yeast6?)",
        ),
        (
            paths.DATASETS_YAML,
            "  title: Mine",
            "  expected: {n: 60, d: 4, positives: 60}",
            "mine.expected.positives: 60 of 60 rows",
        ),
        (paths.DATASETS_YAML, "n: 60", "n: 99999999999", "mine.sources.0.n: n x 4 columns is more than"),
        (paths.DATASETS_YAML, "seed: 1", "seed: 4294967296", "mine.sources.0.seed: must be less than 4294967296"),
        (
            paths.METHODS_YAML,
            "estimator: pu_wlr",
            "estimator: PU_WLR",
            "no method is registered as 'PU_WLR' (did you mean pu_wlr?)",
        ),
        (paths.METHODS_YAML, "estimator: pu_wlr", "estimator: '../x:Y'", "no method is registered as '../x:Y'"),
        (
            paths.METHODS_YAML,
            "estimator: pu_wlr",
            "estimator: 'scarce.trees:TreeClasifier'",
            "module scarce.trees has no 'TreeClasifier' (did you mean TreeClassifier?)",
        ),
        (
            paths.METHODS_YAML,
            "estimator: pu_wlr",
            "estimator: 'sklearn.svm:LinarSVC'",
            "module sklearn.svm has no 'LinarSVC' (did you mean LinearSVC?)",
        ),
        (
            paths.METHODS_YAML,
            "pu_wlr}",
            "pu_wlr, params: {max_iter: many}}",
            "mine.params.max_iter: must be a number, got 'many'",
        ),
        (paths.METHODS_YAML, "pu_wlr}", "pu_wlr, params: {scores: [no]}}", "mine.params.scores: 'no' is a text here"),
        (
            paths.METHODS_YAML,
            "pu_wlr}",
            "pu_wlr, params: {scores: {a: $seed}}}",
            "$seed is filled in only as an argument",
        ),
    ],
)
def test_a_block_of_ones_own_is_held_against_the_others(configured, file, old, new, said):
    for block_file, block in ((paths.DATASETS_YAML, MINE), (paths.METHODS_YAML, OWN)):
        assert old in block or block_file != file
        with block_file.open("a") as handle:
            handle.write(block.replace(old, new) if block_file == file else block)
    (line,) = problems([])
    assert said in line
    assert line.startswith(f"{file}:")


def test_a_file_that_describes_nothing_is_one_line(configured):
    paths.DATASETS_YAML.write_text("")
    assert problems() == ["config/datasets.yaml:1: describes nothing"]


def test_a_study_cannot_be_named_as_a_rule(configured):
    text = paths.study_yaml("smoke").read_text()
    paths.study_yaml("fetch").write_text(text.replace("name: smoke", "name: fetch"))
    assert any("'fetch' is a rule of the workflow" in line for line in problems())


def test_every_rule_is_known_to_be_one():
    found = {
        line.split()[1].rstrip(":")
        for file in [ROOT / "Snakefile", ROOT / "workflow/Snakefile", *(ROOT / "workflow/rules").glob("*.smk")]
        for line in file.read_text().splitlines()
        if line.startswith("rule ")
    }
    assert found == RULES
