"""Problems of calvo2007 through the whole workflow, on two small tree models."""

from __future__ import annotations

import textwrap

import pytest

from scarce.files import read_csv

pytestmark = [pytest.mark.workflow, pytest.mark.slow]

DATASETS = """
tan_star_{n}:
  title: "Star {n}"
  sources:
    - {{kind: generated, generator: tan, n: 3000, prior: 0.4, seed: {n}, options: {{topology: star, variables: 6}}}}
  target: label
  positive: positive
"""
STUDY = """
name: few
extends: calvo2007
title: Few
datasets: [tan_star_8, tan_star_9]
labeling:
  case_control:
    designs: [{labeled: [50], unlabeled: [500, 1000], class_priors: [0.3]}]
repeats: 5
"""


def test_models_of_a_topology_make_problems(workflow):
    file = workflow.root / "config/datasets.yaml"
    file.write_text(file.read_text(encoding="utf-8") + "".join(DATASETS.format(n=n) for n in (8, 9)), encoding="utf-8")
    (workflow.root / "config/studies/few.yaml").write_text(textwrap.dedent(STUDY), encoding="utf-8")
    workflow.snakemake("few")

    results = workflow.root / "results/few"
    runs = read_csv(results / "runs.csv")
    assert set(runs.status) == {"ok"}
    assert set(runs.class_prior) == {0.3}
    assert set(runs.n_hidden) == {150, 300}
    problems = read_csv(results / "tables/table_3.csv")
    assert set(problems.source) == {"star"}
    assert set(problems.n) == {10}, "five draws from each of two models"
    scores = read_csv(results / "scores.csv")
    means = scores[scores.metric == "f1_default"].groupby(["scenario", "method"]).value.mean()
    for row in problems[problems.metric == "f1_default"].itertuples():
        assert row.difference == pytest.approx(means[row.scenario, row.method] - means[row.scenario, row.other])
    verdicts = read_csv(results / "verdicts.csv").set_index("claim").verdict
    assert verdicts["trees_on_tree_data"] in ("held", "partly", "not held")
    assert verdicts["ptan_acceptors"] == "untested"
    assert (workflow.root / "figures/few/problems_won_accuracy.svg").is_file()
