"""The main job's protocol through the whole workflow, held against the authors' stored runs."""

from __future__ import annotations

import os
import textwrap

import pytest

from scarce.files import read_csv

pytestmark = [pytest.mark.workflow, pytest.mark.mirror]

METRICS = ["auc_pr", "auc_roc", "f1_default", "f1_prior", "f1_oracle"]


def test_paper_runs_equal_the_authors(workflow, authors_runs):
    """Nominal and numeric data, trees and bagging, every stored metric, run by run; a private set is missing."""
    (workflow.root / "config/studies/few.yaml").write_text(
        textwrap.dedent(
            """
            name: few
            title: Few
            datasets: [car_good, yeast6, churn_korean]
            labeling: {scar: {flip_ratios: [0.5]}}
            repeats: 3
            methods: [pu_hdt, hdt, pu_bagging]
            preset: ortega2023
            analysis: {metrics: [f1_oracle, auc_pr], reference: ortega2023}
            report: {figures: [agreement]}
            """
        )
    )
    mirror = f"mirror: {os.environ['SCARCE_MIRROR']}"
    workflow.edit("config/config.yaml", "mirror: null", mirror)
    workflow.snakemake("few")
    scores = read_csv(workflow.root / "results/few/scores.csv")
    values = scores[scores.metric.isin(METRICS)].set_index(["dataset", "scenario", "repeat", "method", "metric"]).value
    authors = authors_runs.set_index(values.index.names).value.reindex(values.index)
    assert len(values) == 2 * 3 * 3 * len(METRICS)
    assert (values - authors).abs().max() < 1e-6
    runs = read_csv(workflow.root / "results/few/agreement_runs.csv")
    assert (runs.n_equal == runs.n_runs).all()
    assert set(scores.dataset) == {"car_good", "yeast6"}
    assert "Churn Korean" in workflow.read("results/few/report.html").decode()
    assert "N = 2 of 3 data sets" in workflow.read("results/few/report.html").decode()
