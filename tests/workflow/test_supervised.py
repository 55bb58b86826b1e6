"""A supervised study with 5x2 cross-validation through the whole workflow: nothing is special about it."""

from __future__ import annotations

import json
import os
import re
import textwrap

import numpy as np
import pytest

from scarce.files import read_csv

pytestmark = [pytest.mark.workflow, pytest.mark.mirror]

STUDY = """
name: trees
title: Trees
datasets: [boundary, fourclass, pima, svmguide1]
labeling: {none: {}}
split: {plan: five_by_two, validation_size: 0}
repeats: 2
methods: [dkm, cart, hddt, hddt_sampled]
method_options:
  hddt_sampled: {undersample: [0, 30, 60], smote: [0, 200], n_folds: 2}
preset: sound
options: {decision: f1_default, encoding: none}
analysis: {metrics: [auc_roc], control: hddt, reference: cieslak2008}
report:
  tables:
    - {name: table_1, title: Data sets, layout: sizes}
    - name: table_2
      title: AUC-ROC
      layout: ranks
      metric: auc_roc
      scenario: all-labeled
      methods: [dkm, cart, hddt]
      control: hddt
    - name: table_5
      title: Levels
      layout: facts
      facts: [undersample_percent]
      scenario: all-labeled
      methods: [hddt_sampled]
  figures: [isometrics, value_surfaces, change, critical_difference, agreement]
"""


def test_trees_without_and_with_sampling(workflow):
    (workflow.root / "config/studies/trees.yaml").write_text(textwrap.dedent(STUDY))
    workflow.edit("config/config.yaml", "mirror: null", f"mirror: {os.environ['SCARCE_MIRROR']}")
    workflow.snakemake("trees")
    results = workflow.root / "results/trees"

    scores = read_csv(results / "scores.csv")
    auc = scores[scores.metric == "auc_roc"].set_index(["dataset", "repeat", "method"]).value
    assert len(auc) == 3 * 2 * 4
    assert auc.between(0.6, 1).all()
    np.testing.assert_array_equal(auc.xs("hddt", level=2), auc.xs("dkm", level=2))  # one criterion is the other, scaled

    facts = read_csv(results / "facts.csv")
    assert set(facts.method) == {"hddt_sampled"}
    assert facts.groupby("fact").size().to_dict() == dict.fromkeys(
        ["inner_auc_roc", "smote_percent", "undersample_percent"], 3 * 2
    )
    assert set(facts[facts.fact == "undersample_percent"].value) <= {0, 30, 60}
    assert "facts.csv" in [one["path"] for one in json.loads((results / "datapackage.json").read_text())["resources"]]

    labels = np.load(results / "labels/pima/all-labeled.npz")
    assert sorted(labels["train"][0]) == sorted(labels["test"][1])
    assert set(read_csv(results / "runs.csv").status) == {"ok"}

    agreement = read_csv(results / "agreement.csv")
    assert set(agreement.dataset) == {"fourclass", "pima", "svmguide1"}
    table = read_csv(results / "tables/table_2.csv")
    hddt = table[(table.dataset == "pima") & (table.method == "hddt")].iloc[0]
    assert hddt["mean"] == auc.loc["pima", :, "hddt"].mean()
    assert (hddt.published, hddt.published_sd, hddt.published_rank) == (0.760, 0.019, 1.5)
    page = (results / "report.html").read_text(encoding="utf-8")
    assert "N = 3 of 4 data sets" in page
    assert "the authors&#39; archive" in page
    static = re.sub(r"<script.*?</script>", "", page, flags=re.DOTALL)
    assert static.count("<svg") == 4 + 1 + 1 + 1, "the leaderboard stands for the critical difference"
    assert workflow.planned("trees") == {}
