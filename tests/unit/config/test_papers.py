"""Papers as folders, studies that extend others, presets, grids and the other parts of a method block."""

import pytest

from scarce import papers, paths, source_code
from scarce.config.loading import load_project
from scarce.errors import ConfigError

PAPER = """\
title: A paper
citation: Somebody. A paper. 2030.
presets:
  toy_preset:
    description: as in the paper
    options: {seeds: paper, decision: f1_oracle}
    methods:
      pu_hdt: {max_depth: 2}
      toy_trees: {leaf: observed}
"""
METHODS = """\
toy_trees:
  label: Trees
  family: Toy
  estimator: tree
  params: {criterion: gini, random_state: $seed}
  by_dataset: {moons: {max_depth: 3}}
  grid: {min_samples_leaf: [1, 5]}
  encoding: none
  resources: {memory_mb: 100, seconds: 60, gpu: 0}
toy_printed: {label: Printed, family: Toy, source: published}
"""
DATASETS = """\
toy_blobs:
  title: Blobs
  sources: [{kind: generated, generator: blobs, n: 60, prior: 0.2, seed: 1}]
  target: label
  positive: positive
"""
STUDY = """\
name: toy
title: Toy
datasets: [toy_blobs, moons]
labeling: {scar: {flip_ratios: [0.5]}}
split: {test_size: 0.4, validation_size: 0.5}
repeats: 4
methods: [pu_hdt, toy_trees, toy_printed]
method_options: {pu_hdt: {leaf: observed}}
preset: toy_preset
options: {decision: f1_default}
analysis: {metrics: [auc_pr], reference: toy_paper}
"""
CHILD = """\
name: small
extends: toy
repeats: 2
"""


@pytest.fixture
def paper(configured):
    """A project with a paper of its own."""
    folder = paths.PAPERS / "toy_paper"
    (folder / "studies").mkdir(parents=True)
    (folder / "reference").mkdir()
    for name, text in {"paper": PAPER, "methods": METHODS, "datasets": DATASETS, "studies/toy": STUDY}.items():
        (folder / f"{name}.yaml").write_text(text)
    return folder


def small(text=CHILD):
    """The study `small` of config/studies."""
    file = paths.STUDIES / "small.yaml"
    file.write_text(text)
    return load_project([file]).study("small")


def lines(studies=None):
    with pytest.raises(ConfigError) as error:
        load_project(studies)
    return error.value.lines()


def edit(file, old, new):
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new, 1))


def test_every_paper_of_scarce_is_found_with_its_studies(configured):
    project = load_project()
    shipped = ["calvo2007", "cieslak2008", "ienco2016", "ortega2023", "wilton2022"]
    assert [paper.name for paper in papers.discover()] == shipped
    for paper in papers.discover():
        studies = [study for study in project.studies.values() if study.paper == paper.name]
        assert {file.stem for file in (paper.folder / "studies").glob("*.yaml")} <= {study.name for study in studies}
        assert all(study.citation for study in studies)
        assert paths.reference(paper.name) == paper.reference
        assert not studies or list(paper.reference.glob("*.csv"))


def test_a_paper_of_ones_own_is_a_folder(paper):
    project = load_project()
    study = project.study("toy")
    assert (study.paper, study.citation) == ("toy_paper", "Somebody. A paper. 2030.")
    assert project.sources["toy"] == "papers/toy_paper/studies/toy.yaml"
    assert paths.reference("toy_paper") == paper / "reference"
    assert "toy_blobs" in project.datasets


def test_author_runs_stand_with_the_paper_or_beside_the_mirror(paper, monkeypatch):
    mirror = paper.absolute().parents[1] / "mirrored" / "data"
    mirror.mkdir(parents=True)
    monkeypatch.setenv("SCARCE_MIRROR", str(mirror))
    assert load_project().author_runs("toy_paper") is None
    beside = mirror.parent / "reference" / "toy_paper" / "author_runs.csv"
    beside.parent.mkdir(parents=True)
    beside.touch()
    assert load_project().author_runs("toy_paper") == beside
    (paper / "reference" / "author_runs.csv").touch()
    assert load_project().author_runs("toy_paper") == paper / "reference" / "author_runs.csv"


def test_a_paper_is_imported_first_and_its_fault_is_said(paper, monkeypatch):
    (paper / "__init__.py").write_text("import no_such_module\n")
    (line,) = lines([])
    assert line.startswith("papers/toy_paper/__init__.py: cannot be imported: ModuleNotFoundError")


@pytest.mark.parametrize(
    ("file", "old", "new", "where"),
    [
        ("paper", "toy_preset:", "sound:", "paper.yaml:4: presets.sound"),
        ("paper", "toy_preset:", "ortega2023:", "paper.yaml:4: presets.ortega2023"),
        ("paper", "seeds: paper", "seed: paper", "paper.yaml:6: presets.toy_preset.options.seed"),
        ("paper", "pu_hdt: {", "pu_htd: {", "paper.yaml:8: presets.toy_preset.methods.pu_htd"),
        ("paper", "max_depth", "max_dept", "paper.yaml:8: presets.toy_preset.methods.pu_hdt.max_dept"),
        ("methods", "toy_printed:", "pu_hdt:", "methods.yaml:10: pu_hdt"),
        ("methods", "source: published", "source: printed", "methods.yaml:10: toy_printed.source"),
        ("methods", ", source: published", "", "methods.yaml:10: toy_printed: a fitted method needs an estimator"),
        ("methods", "min_samples_leaf", "min_leaf", "methods.yaml:7: toy_trees.grid.min_leaf"),
        ("methods", "moons: {max_depth", "mons: {max_depth", "methods.yaml:6: toy_trees.by_dataset.mons"),
        ("methods", "{max_depth: 3}", "{max_dept: 3}", "methods.yaml:6: toy_trees.by_dataset.moons.max_dept"),
        ("methods", "seconds: 60", "seconds: 0", "methods.yaml:9: toy_trees.resources.seconds"),
        ("methods", "encoding: none", "encoding: woe_all_true", "methods.yaml:8: toy_trees.encoding"),
        ("datasets", "toy_blobs:", "moons:", "datasets.yaml:1: moons"),
        ("studies/toy", "preset: toy_preset", "preset: toy", "studies/toy.yaml:9: preset"),
        ("studies/toy", "reference: toy_paper", "reference: toy", "studies/toy.yaml:11: analysis.reference"),
        ("studies/toy", "title: Toy", "title: Toy\npaper: toy_paper", "studies/toy.yaml:3: paper"),
    ],
)
def test_a_fault_of_a_paper_has_its_place(paper, file, old, new, where):
    edit(paper / f"{file}.yaml", old, new)
    found = lines()
    assert any(line.startswith(f"papers/toy_paper/{where}") for line in found), found


def test_two_studies_cannot_have_one_name(paper):
    (paths.STUDIES / "toy.yaml").write_text(STUDY)
    assert any(line.startswith("papers/toy_paper/studies/toy.yaml: a study of this name") for line in lines())


def test_arguments_are_those_of_block_data_set_preset_and_study(paper):
    project = load_project()
    study = project.study("toy")
    assert study.options.seeds == "paper"
    assert study.options.decision == "f1_default", "the study's own options win"
    assert study.options.encoding == "woe_train_observed", "the others are those of sound"
    of_tree = project.arguments(study, "moons", "pu_hdt")
    assert of_tree == project.method("pu_hdt").params | {"max_depth": 2, "leaf": "observed"}
    first = {"criterion": "gini", "random_state": "$seed", "leaf": "observed", "min_samples_leaf": 1}
    assert project.arguments(study, "toy_blobs", "toy_trees-min_samples_leaf-1") == first
    assert project.arguments(study, "moons", "toy_trees-min_samples_leaf-1") == first | {"max_depth": 3}
    assert project.encoding(study, "pu_hdt") == "woe_train_observed"
    assert project.encoding(study, "toy_trees-min_samples_leaf-5") == "none"
    assert project.seconds(study, "toy_trees-min_samples_leaf-5") == 60


def test_a_grid_is_a_variant_for_each_value_and_a_published_method_is_never_fitted(paper):
    project = load_project()
    variants = ["toy_trees-min_samples_leaf-1", "toy_trees-min_samples_leaf-5"]
    study = project.study("toy")
    assert study.methods == ["pu_hdt", *variants, "toy_printed"]
    assert study.fitted_methods == ["pu_hdt", *variants]
    assert project.method(variants[1]).label == "Trees (min_samples_leaf 5)"
    assert project.method(variants[1]).variant_of == "toy_trees"
    with pytest.raises(ConfigError, match="no method 'toy_printed'"):
        study.check_cell("moons", "flip-50", "toy_printed")


def test_a_study_takes_from_another_what_it_does_not_give(paper):
    study, parent = small(), load_project().study("toy")
    assert study.repeats == 2
    assert (study.datasets, study.methods, study.options, study.paper, study.citation) == (
        parent.datasets, parent.methods, parent.options, parent.paper, parent.citation
    )  # fmt: skip
    assert study.analysis.reference == "toy_paper"


def test_by_dataset_of_method_options_wins_on_its_data_set_only(paper):
    study = small(f"{CHILD}method_options: {{pu_hdt: {{max_depth: 4, by_dataset: {{moons: {{max_depth: 9}}}}}}}}\n")
    project = load_project()
    depths = {name: project.arguments(study, name, "pu_hdt")["max_depth"] for name in ("moons", "toy_blobs")}
    assert depths == {"moons": 9, "toy_blobs": 4}
    assert project.arguments(study, "moons", "pu_hdt")["leaf"] == "observed"
    assert "by_dataset" not in project.arguments(study, "moons", "pu_hdt")


def test_blocks_merge_lists_replace_null_removes_and_the_protocol_is_taken_whole(paper):
    study = small(
        f"{CHILD}datasets: [moons]\nmethod_options: {{pu_hdt: {{max_depth: 4}}}}\nsplit: {{plan: five_by_two}}\n"
        "labeling: {none: {}}\nanalysis: {reference: null}\n"
    )
    assert study.datasets == ["moons"]
    assert study.method_options == {"pu_hdt": {"leaf": "observed", "max_depth": 4}}
    assert study.split.plan == "five_by_two", "with the test_size of the parent it would be refused"
    assert [scenario.name for scenario in study.scenarios] == ["all-labeled"]
    assert study.analysis.reference is None
    assert study.analysis.metrics == ["auc_pr"]


def test_an_inherited_fault_has_the_line_of_the_parent(paper):
    edit(paper / "studies/toy.yaml", "test_size: 0.4", "test_size: 4")
    (paths.STUDIES / "small.yaml").write_text(f"{CHILD}title: 3\n")
    found = lines([paths.STUDIES / "small.yaml"])
    assert [line.partition(": ")[0] for line in found] == [
        "config/studies/small.yaml:4", "papers/toy_paper/studies/toy.yaml:5"
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("parent", "said"), [("small", "extends itself"), ("tooy", "no study is named 'tooy' (did you mean toy?)")]
)
def test_a_study_extends_another_that_is_there(paper, parent, said):
    (paths.STUDIES / "small.yaml").write_text(CHILD.replace("extends: toy", f"extends: {parent}"))
    (line,) = lines([paths.STUDIES / "small.yaml"])
    assert line.startswith("config/studies/small.yaml:2: extends: ")
    assert said in line


def test_the_demo_shows_no_reason_for_data_sets_that_it_lacks(configured):
    project = load_project()
    assert {"pu_hrf", "pu_shrf"} <= set(project.study("ortega2023").reasons)
    assert not {"pu_hrf", "pu_shrf"} & set(project.study("demo").reasons)
    assert project.study("demo").claims == []


def test_a_job_reads_what_its_study_needs_and_gets_the_same(paper):
    (paths.STUDIES / "small.yaml").write_text(CHILD)
    whole = load_project()
    for name in ("small", "demo", "ortega2023", "cieslak2008"):
        some = load_project([paths.study_yaml(name)], thorough=False)
        study = some.study(name)
        assert study == whole.study(name)
        assert set(study.datasets) <= set(some.datasets)
        assert len(some.datasets) < len(whole.datasets)
        for method in study.fitted_methods:
            assert some.fingerprint(study, "moons", method) == whole.fingerprint(study, "moons", method)
        for stage in ("collect", "verdicts", "page"):
            assert some.stage_fingerprint(study, stage) == whole.stage_fingerprint(study, stage)


def fingerprints(project):
    study = project.study("toy")
    stages = ("collect", "analyse", "verdicts", "tables", "figures", "page")
    return (
        {f"fit {name} {data}": project.fingerprint(study, data, name) for name in study.fitted_methods
         for data in study.datasets}
        | {stage: project.stage_fingerprint(study, stage) for stage in stages}
        | {"label": project.label_fingerprint(study, "flip-50"), "encode": project.encode_fingerprint(study)}
    )  # fmt: skip


STAGES = {"collect", "analyse", "verdicts", "tables", "figures", "page"}
TREES = {f"fit toy_trees-min_samples_leaf-{n} {data}" for n in (1, 5) for data in ("moons", "toy_blobs")}
HDT = {"fit pu_hdt moons", "fit pu_hdt toy_blobs"}


@pytest.mark.parametrize(
    ("file", "old", "new", "changed"),
    [
        ("methods", "criterion: gini", "criterion: entropy", TREES),
        ("methods", "estimator: tree", "estimator: forest", TREES),  # another class of the same module
        ("methods", "moons: {max_depth: 3}", "moons: {max_depth: 4}", {name for name in TREES if "moons" in name}),
        ("methods", "seconds: 60", "seconds: 61", TREES),
        ("methods", "encoding: none", "encoding: onehot", TREES),
        ("methods", "encoding: none", "encoding: none\n  version: 2", TREES),
        ("methods", "memory_mb: 100", "memory_mb: 200", set()),
        ("methods", "encoding: none", 'encoding: none\n  comparison: ">="', STAGES),
        ("methods", "label: Trees", "label: Tree", STAGES),
        ("methods", "family: Toy\n", "family: Toys\n", STAGES),
        ("methods", "family: Toy\n", "family: Toy\n  builds_on: pu_hdt\n", STAGES),
        ("datasets", "title: Blobs", "title: Blob", STAGES),
        ("paper", "max_depth: 2", "max_depth: 3", HDT),
        ("paper", "leaf: observed", "leaf: laplace", TREES),
        ("paper", "citation: Somebody", "citation: Nobody", STAGES),
        ("studies/toy", "leaf: observed", "leaf: pu", HDT | STAGES),
        ("studies/toy", "decision: f1_default", "decision: f1_prior", STAGES),
        ("studies/toy", "decision: f1_default", "decision: f1_default, blocks: runs", STAGES),
        ("studies/toy", "decision: f1_default", "decision: f1_default, seeds: axes", STAGES | {"label"}),
        ("studies/toy", "decision: f1_default", "decision: f1_default, flip_count: floor", STAGES | {"label"}),
        ("studies/toy", "decision: f1_default", "decision: f1_default, class_prior: 0.3", STAGES | {"label"}),
        ("studies/toy", "decision: f1_default", "decision: f1_default, encoding: onehot", HDT | STAGES | {"encode"}),
        ("studies/toy", "repeats: 4", "repeats: 5", STAGES | {"label"}),
        ("studies/toy", "repeats: 4", "repeats: 4\nseed: 1", STAGES | {"label"}),
        ("studies/toy", "test_size: 0.4", "test_size: 0.5", STAGES | {"label"}),
        ("studies/toy", "repeats: 4", "repeats: 4\nlimits: {seconds: 5}", HDT | TREES | STAGES),
        ("studies/toy", "title: Toy", "title: Toys", STAGES),
        ("studies/toy", "metrics: [auc_pr]", "metrics: [auc_roc]", STAGES),
    ],
)
def test_a_change_reruns_what_depends_on_it_and_nothing_else(paper, file, old, new, changed):
    before = fingerprints(load_project([paper / "studies/toy.yaml"]))
    edit(paper / f"{file}.yaml", old, new)
    after = fingerprints(load_project([paper / "studies/toy.yaml"]))
    assert {name for name in before if before[name] != after[name]} == changed


def test_an_estimated_prior_depends_on_its_estimator_encoding_seeds_and_limit(paper):
    def fingerprint(options, rest=""):
        study = small(f"{CHILD}options: {options}\n{rest}")
        return load_project([paths.STUDIES / "small.yaml"]).prior_fingerprint(study)

    base = fingerprint("{class_prior: estimated:tice}")
    others = [
        fingerprint("{class_prior: estimated:km2}"),
        fingerprint("{class_prior: estimated:tice, encoding: onehot}"),
        fingerprint("{class_prior: estimated:tice, seeds: axes}"),
        fingerprint("{class_prior: estimated:tice}", "seed: 1\n"),
        fingerprint("{class_prior: estimated:tice}", "limits: {seconds: 5}\n"),
    ]
    assert len({base, *others}) == 6


@pytest.mark.slow
def test_the_code_of_a_paper_and_of_a_stage_counts(paper, monkeypatch):
    monkeypatch.syspath_prepend(".")
    (paper / "__init__.py").write_text("")

    def prints():
        source_code.code_digest.cache_clear()
        source_code.module_code.cache_clear()
        return fingerprints(load_project([paper / "studies/toy.yaml"]))

    before = prints()
    (paper / "__init__.py").write_text("FIGURES = 1\n")
    assert {name for name, value in prints().items() if value != before[name]} == STAGES
    edit(paths.CONFIG_YAML, "code_tracking: source", "code_tracking: off")
    (paper / "__init__.py").write_text("FIGURES = 2\n")
    first = prints()
    (paper / "__init__.py").write_text("FIGURES = 3\n")
    assert prints() == first
