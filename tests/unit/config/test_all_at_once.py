"""One look shows every fault: wrong names beside wrong forms, in every file; and no complaint follows from another."""

import pytest

from scarce import paths, registry
from scarce.config.loading import load_project
from scarce.errors import ConfigError

STUDY = """\
name: mine
title: Mine
datasets: [moons, blobs]
labeling: {scar: {flip_ratios: [0.5]}}
repeats: 2
methods: [pu_hdt, pu_wlr]
method_options:
  pu_wlr: {C: 2.0}
split: {test_size: 0.3}
preset: sound
analysis:
  metrics: [auc_pr]
  control: pu_hdt
  exclude: {auc_pr: [pu_wlr]}
  reasons: {pu_hdt: none}
claims:
  - name: first
    claim: PU-HDT is better
    judge: better
    arguments: {methods: [pu_hdt], over: [pu_wlr], metrics: [auc_pr], scenarios: [flip-50]}
report:
  figures: [dots]
  tables:
    - {name: t, title: T, layout: datasets, metric: auc_pr, scenario: flip-50}
"""


def faults(*changes, text=STUDY):
    """What is said of the study `mine` once parts of it are others."""
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new, 1)
    paths.study_yaml("mine").write_text(text, encoding="utf-8")
    return said([paths.study_yaml("mine")])


def said(studies=()):
    """The keys of all problems, with the beginning of what is said; and nothing is said twice."""
    try:
        load_project(studies)
    except ConfigError as error:
        lines = error.lines()
        assert len(set(lines)) == len(lines)
        return {line.partition(": ")[2] for line in lines}
    return set()


def keys(lines):
    return {line.partition(": ")[0] for line in lines}


def test_the_study_is_right(configured):
    assert faults() == set()


FORM = ("repeats: 2", "repeats: two")
#: A wrong name of each kind, and its key.
NAMES = [
    ("[moons, blobs]", "[moons, blob]", "datasets.1"),
    ("[pu_hdt, pu_wlr]\n", "[pu_hdt, pu_wlr, hdtt]\n", "methods.2"),
    ("  pu_wlr: {C", "  pu_wrl: {C", "method_options.pu_wrl"),
    ("{C: 2.0}", "{c: 2.0}", "method_options.pu_wlr.c"),
    ("metrics: [auc_pr]\n", "metrics: [auc_pr, auc_rp]\n", "analysis.metrics.1"),
    ("control: pu_hdt", "control: pu_htd", "analysis.control"),
    ("{auc_pr: [pu_wlr]}", "{auc: [pu_wlr]}", "analysis.exclude.auc"),
    ("{auc_pr: [pu_wlr]}", "{auc_pr: [pu_wrl]}", "analysis.exclude.auc_pr.0"),
    ("{pu_hdt: none}", "{pu_htd: none}", "analysis.reasons.pu_htd"),
    ("  control: pu_hdt", "  control: pu_hdt\n  reference: ortega", "analysis.reference"),
    ("judge: better", "judge: beter", "claims.0.judge"),
    ("{methods: [pu_hdt], over", "{methods: [hdt], over", "claims.0.arguments.methods.0"),
    ("over: [pu_wlr]", "ovr: [pu_wlr]", "claims.0.arguments.ovr"),
    ("scenarios: [flip-50]", "scenarios: [flip-5]", "claims.0.arguments.scenarios.0"),
    ("figures: [dots]", "figures: [dot]", "report.figures.0"),
    ("metric: auc_pr, scenario", "metric: auc_rp, scenario", "report.tables.0.metric"),
    ("scenario: flip-50", "scenario: flip-05", "report.tables.0.scenario"),
    ("layout: datasets, metric: auc_pr,", "layout: ranks, control: hdt, metric: auc_pr,", "report.tables.0.control"),
    ("name: mine", "name: other", "name"),
    ("name: mine", "name: fetch", "name"),
]


@pytest.mark.parametrize(("old", "new", "key"), NAMES)
def test_a_wrong_name_is_said_together_with_a_wrong_form(configured, old, new, key):
    assert keys(faults((old, new))) == {key}
    assert keys(faults((old, new), FORM)) == {key, "repeats"}


@pytest.mark.parametrize(
    ("settings", "key"),
    [("{blob: {C: 2.0}}", "blob"), ("{blobs: {C: 2.0}, moons: {c: 2.0}}", "moons.c"), ("{blobs: 2.0}", "blobs")],
)
def test_a_wrong_name_under_by_dataset_has_its_place(configured, settings, key):
    assert keys(faults(("{C: 2.0}", f"{{by_dataset: {settings}}}"))) == {f"method_options.pu_wlr.by_dataset.{key}"}


def test_every_wrong_name_at_once(configured):
    apart = [NAMES[place] for place in (0, 2, 4, 5, 7, 8, 11, 13, 14, 16, 17)]
    lines = faults(FORM, *((old, new) for old, new, _ in apart))
    assert keys(lines) == {"repeats", *(key for *_, key in apart)}


@pytest.mark.parametrize(
    ("changes", "key"),
    [
        # what is no name at all is not looked up as well
        ([("[moons, blobs]", "[Moons, blobs]")], "datasets.0"),
        ([("[moons, blobs]", "[3, blobs]")], "datasets.0"),
        ([("[moons, blobs]", "moons")], "datasets"),
        ([("name: mine", "name: Mine")], "name"),
        ([("figures: [dots]", "figures: [dots, dots]")], "report.figures"),
        ([("name: mine", "name: [mine]")], "name"),
        ([("control: pu_hdt", "control: {pu_hdt: 1}")], "analysis.control"),
        ([("control: pu_hdt", "control: pu_hdt\n  reference: [x]")], "analysis.reference"),
        # where the study's own methods or scenarios are not known, their names are not missed elsewhere
        ([("[pu_hdt, pu_wlr]\n", "[pu_hdt, PU_WLR]\n")], "methods.1"),
        ([("[pu_hdt, pu_wlr]\n", "[pu_hdt, pu_wrl]\n")], "methods.1"),
        ([("methods: [pu_hdt, pu_wlr]\n", "")], "methods"),
        ([("methods: [pu_hdt, pu_wlr]\n", "methods: pu_hdt\n")], "methods"),
        ([("[0.5]", "[5]")], "labeling.scar.flip_ratios.0"),
        ([("labeling: {scar: {flip_ratios: [0.5]}}\n", "")], "labeling"),
        ([("  pu_wlr: {C: 2.0}", "  pu_wlr: 2")], "method_options.pu_wlr"),
        ([("{auc_pr: [pu_wlr]}", "[pu_wlr]")], "analysis.exclude"),
        ([("judge: better", "judge: 3")], "claims.0.judge"),
        ([("    arguments: {", "    arguments: [{"), ("[flip-50]}\nr", "[flip-50]}]\nr")], "claims.0.arguments"),
        # nor is a value missed or taken for wrong that is not read for another reason
        ([("repeats: 2", "repeats: 2\nrepeats: 3")], "repeats"),
        ([("repeats: 2", "repeats: !!int '2'")], "repeats"),
        ([("repeats: 2", "repeats: !!python/object:os.system 2")], "repeats"),
        ([("test_size: 0.3", "test_size: 1e999")], "split.test_size"),
        ([("split: {test_size: 0.3}", "split: &s {test_size: 0.3}\nlimits: {<<: *s}")], "limits.<<"),
    ],
)  # fmt: skip
def test_one_fault_is_one_line(configured, changes, key):
    assert keys(faults(*changes)) == {key}


#: Keys that are right each and wrong together: what is changed, and what is said.
TOGETHER = [
    ("preset: sound", "preset: sound\noptions: {encoding: woe_all_true}", "options.encoding: preset sound refuses"),
    ("{flip_ratios: [0.5]}", "{flip_ratios: [0.5]}, none: {}", "labeling: needs one of the blocks"),
    ("test_size: 0.3", "plan: five_by_two, test_size: 0.2", "split.test_size: unknown key"),
    (
        "layout: datasets, ",
        "layout: ranks, control: pu_hdt, methods: [pu_wlr], ",
        "report.tables.0: the control pu_hdt",
    ),
    ("scenario: flip-50}", "facts: [depth]}", "report.tables.0: layout"),
    ("over: [pu_wlr], metrics", "over: [pu_hdt], metrics", "claims.0.arguments: pu_hdt cannot be compared with itself"),
    ("over: [pu_wlr], metrics", "metrics", "claims.0.arguments: needs `over` or `tied`"),
]


@pytest.mark.parametrize(("old", "new", "said"), TOGETHER)
def test_keys_that_are_wrong_together_are_said_beside_others(configured, old, new, said):
    (line,) = faults((old, new))
    assert line.startswith(said)
    lines = faults(
        (old, new), ("title: T,", "title: T, digits: 9,"), ("title: Mine", "title: 3"), ("[moons,", "[moon,"),
        ("[flip-50]}", "[flip-50], need: al}"),
    )  # fmt: skip
    assert line in lines
    assert keys(lines - {line}) == {"report.tables.0.digits", "title", "datasets.0", "claims.0.arguments.need"}


def test_all_that_is_wrong_together_at_once(configured):
    apart = [one for one in TOGETHER[:-1] if "plan" not in one[1]]
    lines = faults(*((old, new) for old, new, _ in apart), ("title: Mine", "titel: Mine"))
    wanted = [said for _, _, said in apart]
    assert sum(line.startswith(tuple(wanted)) for line in lines) == len(wanted)
    assert {"title", "titel"} < keys(lines)


@pytest.mark.parametrize(
    ("changes", "key"),
    [
        ([("preset: sound", "preset: sond\noptions: {encoding: woe_all_true}")], "preset"),
        ([("test_size: 0.3", "plan: five_by_2, test_size: 0.2")], "split.plan"),
        ([("repeats: 2", "repeats: three"), ("test_size: 0.3", "plan: five_by_two")], "repeats"),
        ([("layout: datasets", "layout: dataset")], "report.tables.0.layout"),
    ],
)
def test_keys_are_not_held_against_one_that_is_wrong(configured, changes, key):
    assert keys(faults(*changes)) == {key}


def test_faults_of_writing_hide_no_others(configured):
    """Keys given twice, tags, merge keys and numbers too large are said with the rest of the file."""
    lines = faults(
        ("title: Mine", "title: Mine\ntitle: Mine too"),
        ("split: {test_size: 0.3}", "split: !!map {test_size: 1.5}"),
        ("{C: 2.0}", "{C: 1e999}"),
        ("[moons, blobs]", "[moons, blob]"),
        ("preset: sound", "preset: sond"),
    )
    assert keys(lines) == {"title", "split", "split.test_size", "method_options.pu_wlr.C", "datasets.1", "preset"}


DATASET = """
mine:
  title: Mine
  sources: [{kind: local, files: [{path: mine.csv}]}]
  read: {format: csv}
  target: label
  positive: "yes"
"""
METHOD = """
mine: {label: Mine, family: F, builds_on: pu_wlr, estimator: pu_wlr, params: {C: 1.0}}
"""


def described(path, block, *changes):
    for old, new in changes:
        assert old in block, old
        block = block.replace(old, new, 1)
    with path.open("a", encoding="utf-8") as handle:
        handle.write(block)


def test_all_faults_of_a_data_set(configured):
    (configured / "mine.csv").write_text("a,b,label\n1,2,yes\n3,4,no\n")
    described(
        paths.DATASETS_YAML, DATASET,
        ("  title: Mine", "  titel: Mine\n  substitute_for: yeast_6\n  name: mine"),
        ("target: label", "target: lable"),
        ('positive: "yes"', 'positive: "yes"\n  nominal: [c, a, d]\n  expected: {n: 0, d: 2}'),
    )  # fmt: skip
    lines = said()
    assert keys(lines) == {
        "mine.titel", "mine.name", "mine.substitute_for", "mine.target", "mine.nominal", "mine.expected.n"
    }  # fmt: skip
    assert sum(line.startswith("mine.nominal") for line in lines) == 2


def test_keys_of_a_data_set_that_are_wrong_together_are_said_beside_others(configured):
    (configured / "mine.csv").write_text("a,b,label\n1,2,yes\n3,4,no\n")
    source = "{kind: url, url: 'https://example.org/', read: {format: csv, columns: [a, b]}, files: [{path: x.csv}]}"
    described(
        paths.DATASETS_YAML, DATASET,
        ("title: Mine", "title: 3"),
        ("[{kind: local, files: [{path: mine.csv}]}]", f"[{source}]"),
        ('positive: "yes"', 'positive: "yes"\n  nominal: [a]\n  numeric: [a]\n  expected: {n: 2, d: 2, classes: [no]}'),
    )  # fmt: skip
    assert keys(said()) == {
        "mine.title", "mine.nominal", "mine.positive", "mine.sources.0.read.columns", "mine.sources.0.url",
        "mine.sources.0.files.0.path", "mine.sources.0.files.0.url",
    }  # fmt: skip


def test_all_faults_of_a_method(configured):
    described(
        paths.METHODS_YAML, METHOD,
        ("label: Mine", "label: 3"), ("builds_on: pu_wlr", "builds_on: wlr"), ("{C: 1.0}", "{c: 1.0, max_iter: no}"),
    )  # fmt: skip
    assert keys(said()) == {"mine.label", "mine.builds_on", "mine.params.c", "mine.params.max_iter"}
    assert keys(faults(FORM)) == {"mine.label", "mine.builds_on", "mine.params.c", "mine.params.max_iter", "repeats"}


@pytest.mark.parametrize("block", ["moons:\n", "moons: []\n", "moons: {titel: Moons}\n", "moons: no\n"])
def test_a_block_that_is_wrong_is_not_missed_where_it_is_named(configured, block):
    text = paths.DATASETS_YAML.read_text(encoding="utf-8")
    start = text.index("\nmoons:") + 1
    end = text.find("\n\n", start)
    paths.DATASETS_YAML.write_text(text[:start] + block + text[end:], encoding="utf-8")
    assert all(line.startswith("moons") for line in faults())


@pytest.mark.parametrize("broken", ["a: [1", "- a\n", "text", ""])
@pytest.mark.parametrize("path", [paths.DATASETS_YAML, paths.METHODS_YAML])
def test_a_file_of_blocks_that_cannot_be_read_hides_no_other_names(configured, path, broken):
    path.write_text(broken, encoding="utf-8")
    lines = faults(("figures: [dots]", "figures: [dot]"), FORM)
    assert len(lines) == 3
    assert {"report.figures.0", "repeats"} < keys(lines)


def test_a_block_that_is_given_twice_is_one_fault(configured):
    described(paths.DATASETS_YAML, "\nmoons: {}\n")
    last = len(paths.DATASETS_YAML.read_text().splitlines())
    assert faults() == {"moons: given twice"}
    with pytest.raises(ConfigError, match=f"config/datasets.yaml:{last}: "):
        load_project([])


def test_config_says_wrong_names_beside_wrong_forms(configured):
    paths.CONFIG_YAML.write_text("studies: [smok]\nplugin: []\nplugins: no\ncode_tracking: of\n")
    assert keys(said(None)) == {"studies.0", "plugin", "plugins", "code_tracking"}
    paths.CONFIG_YAML.write_text("studies: smoke\nmirror: /no/such/folder\nplugins: [no_such_plugin, 3]\n")
    assert keys(said(None)) == {"studies", "mirror", "plugins", "plugins.1"}


def test_methods_of_a_plugin_that_fails_are_not_missed(configured):
    text = paths.CONFIG_YAML.read_text().replace("plugins: []", "plugins: [no_such_plugin]")
    paths.CONFIG_YAML.write_text(text)
    described(paths.METHODS_YAML, METHOD, ("estimator: pu_wlr", "estimator: of_the_plugin"))
    assert "of_the_plugin" not in registry.METHODS
    assert keys(said()) == {"plugins"}
