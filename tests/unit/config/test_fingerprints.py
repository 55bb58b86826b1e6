"""Each piece of code that a fingerprint covers changes it; no other piece of code does.

`test_papers.py` does the same for settings.
"""

import pytest

from scarce import paths, source_code
from scarce.config.loading import load_project

STUDY = """\
name: mine
title: Mine
datasets: [moons, mammography]
labeling: {scar: {flip_ratios: [0.5]}}
split: {plan: holdout}
repeats: 2
methods: [pu_hdt, pu_wlr]
options: {class_prior: estimated:tice}
analysis: {metrics: [auc_pr], reference: cieslak2008}
claims:
  - {name: first, claim: It leads., judge: leads, arguments: {methods: [pu_hdt]}}
"""
CODE = {
    "fit": {"scarce.trees", "scarce.fitting.cell", "scarce.seeds", "scarce.data.encode"},
    "prior": {"scarce.prior.tice", "scarce.prior", "scarce.seeds", "scarce.data.encode"},
    "label": {"scarce.labels.labelings.scar", "scarce.labels.protocols.holdout", "scarce.labels.make"},
    "encode": {"scarce.data.encode"},
    "prepare": {"scarce.data.prepare"},
    "source": {"scarce.data.generators", "scarce.data.generators.shapes"},
    "verdicts": {"scarce.stages.verdicts", "scarce.papers.cieslak2008", "scarce.analysis.judges.order"},
} | {
    stage: {f"scarce.stages.{stage}", "scarce.papers.cieslak2008"}
    for stage in ("collect", "analyse", "tables", "figures", "page")
}  # fmt: skip


@pytest.fixture
def fingerprints(configured, monkeypatch):
    """A function that gives all fingerprints of a study, as if the code of one module had changed."""
    (paths.STUDIES / "mine.yaml").write_text(STUDY)
    project = load_project([paths.STUDIES / "mine.yaml"])
    study = project.study("mine")

    def compute(changed=""):
        monkeypatch.setattr(source_code, "code_digest", lambda *modules: f"{modules}{changed in modules}")
        return {
            "fit": project.fingerprint(study, "moons", "pu_hdt"),
            "prior": project.prior_fingerprint(study),
            "label": project.label_fingerprint(study, "flip-50"),
            "encode": project.encode_fingerprint(study),
            "prepare": project.prepare_fingerprint("moons"),
            "source": project.source_fingerprint("moons"),
        } | {
            stage: project.stage_fingerprint(study, stage)
            for stage in ("collect", "analyse", "verdicts", "tables", "figures", "page")
        }

    return compute


@pytest.mark.parametrize("module", sorted(set.union(*CODE.values())))
def test_a_change_of_code_changes_the_fingerprints_that_cover_it(fingerprints, module):
    before, after = fingerprints(), fingerprints(module)
    assert {name for name in before if before[name] != after[name]} == {n for n, code in CODE.items() if module in code}


def test_a_fit_that_reads_encoded_features_does_not_depend_on_the_encoder(fingerprints, configured):
    (paths.STUDIES / "mine.yaml").write_text(STUDY.replace("estimated:tice", "0.1, encoding: none"))
    project = load_project([paths.STUDIES / "mine.yaml"])
    study = project.study("mine")
    encoded = study.model_copy(update={"options": study.options.model_copy(update={"encoding": "woe_all_true"})})
    assert encoded.encodes_all_rows
    fingerprints("scarce.data.encode")  # from here on the encoder counts as changed
    changed = {one.encodes_all_rows: project.fingerprint(one, "moons", "pu_hdt") for one in (study, encoded)}
    fingerprints()
    same = {one.encodes_all_rows: project.fingerprint(one, "moons", "pu_hdt") for one in (study, encoded)}
    assert changed[False] != same[False]
    assert changed[True] == same[True]


@pytest.mark.parametrize(
    ("old", "new", "changed"),
    [
        ("title: Half moons", "title: Moons", []),
        ("licence: none needed", "licence: free", []),
        ("n: 600, prior", "n: 601, prior", ["source", "prepare"]),
        ("content_sha256: 7", "content_sha256: 8", ["source", "prepare"]),
        ("positive: positive", "positive: negative", ["prepare"]),
        ("expected: {n: 600", "expected: {n: 601", ["prepare"]),
    ],
)
def test_a_change_of_a_description_changes_what_depends_on_it(configured, old, new, changed):
    def compute():
        project = load_project([])
        return {"source": project.source_fingerprint("moons"), "prepare": project.prepare_fingerprint("moons")}

    before, text = compute(), paths.DATASETS_YAML.read_text()
    start = text.index("\nmoons:")
    assert old in text[start:]
    paths.DATASETS_YAML.write_text(text[:start] + text[start:].replace(old, new, 1))
    after = compute()
    assert [name for name in before if before[name] != after[name]] == changed
