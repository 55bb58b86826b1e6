"""A study with claims, of which one rests on another study, run by Snakemake for real."""

from __future__ import annotations

import pytest

from scarce.analysis.verdicts import CLAIM_EVIDENCE, VERDICTS
from scarce.files import read_csv
from tests.workflow.conftest import Workflow

pytestmark = pytest.mark.workflow

FEW = """
name: few
title: One method with one argument changed
datasets: [moons, blobs]
labeling: {scar: {flip_ratios: [0.50, 0.75]}}
repeats: 3
methods: [pu_hdt]
method_options: {pu_hdt: {max_depth: 1}}
preset: sound
analysis: {metrics: [auc_pr]}
"""
CLAIMS = """
claims:
  - name: forests
    claim: PU-SHRF is <better> than the tree.
    where: nowhere
    judge: better
    arguments: {methods: [pu_shrf], over: [pu_hdt]}
    note: Many trees see more than one.
  - name: depth
    claim: It does not matter how deep a tree is.
    judge: contrast
    arguments: {methods: [pu_hdt], metrics: [auc_pr], against: {study: few}}
"""


@pytest.fixture(scope="module")
def claimed(finished, tmp_path_factory) -> Workflow:
    """The finished study `smoke` with claims, built again."""
    project = Workflow(tmp_path_factory.mktemp("claims") / "run", like=finished)
    (project.root / "config/studies/few.yaml").write_text(FEW, encoding="utf-8")
    file = project.root / "config/studies/smoke.yaml"
    file.write_text(file.read_text(encoding="utf-8") + CLAIMS, encoding="utf-8")
    new = {"label": 2, "fit": 2, "collect": 1, "verdicts": 1, "page": 1, "smoke": 1}
    assert project.planned("smoke") == new, "the other study as far as its scores; of this one only the verdicts"
    project.snakemake("smoke")
    return project


def test_a_study_without_claims_has_empty_verdicts(finished):
    assert read_csv(finished.root / "results/smoke/verdicts.csv").empty
    assert b"Verdicts" not in finished.read("results/smoke/report.html")


def test_claims_are_judged(claimed):
    verdicts = read_csv(claimed.root / "results/smoke/verdicts.csv")
    assert list(verdicts.columns) == VERDICTS
    assert verdicts.claim.tolist() == ["forests", "depth"]
    assert set(verdicts.verdict) <= {"held", "partly", "not held"}
    assert "read again in few, over 2 data sets" in verdicts.reading[1]
    evidence = read_csv(claimed.root / "results/smoke/evidence.csv")
    assert list(evidence.columns) == CLAIM_EVIDENCE
    scores = {name: read_csv(claimed.root / f"results/{name}/scores.csv") for name in ("smoke", "few")}
    for quantity, study in {"mean_first": "smoke", "mean_second": "few"}.items():
        rows = scores[study].query("metric == 'auc_pr' and method == 'pu_hdt' and scenario == 'flip-50'")
        row = evidence[evidence.quantity == quantity].query("method == 'pu_hdt' and scenario == 'flip-50'")
        assert row.value.tolist() == pytest.approx([rows.value.mean()])


def test_the_page_shows_them(claimed):
    page = claimed.read("results/smoke/report.html").decode()
    assert "PU-SHRF is &lt;better&gt; than the tree." in page
    assert "Many trees see more than one." in page
    assert "<dt>verdicts.csv</dt>" in page
    assert not (claimed.root / "results/few/report.html").exists()


@pytest.mark.parametrize(
    ("file", "old", "new", "expected"),
    [
        ("smoke", "Many trees", "Hundred trees", {"verdicts": 1, "page": 1, "smoke": 1}),
        ("few", "max_depth: 1", "max_depth: 2", {"fit": 2, "collect": 1, "verdicts": 1, "page": 1, "smoke": 1}),
    ],
)
def test_what_runs_again(claimed, file, old, new, expected):
    assert claimed.planned_after("smoke", f"config/studies/{file}.yaml", old, new) == expected
