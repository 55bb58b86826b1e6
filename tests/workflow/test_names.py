"""Names that share their beginnings, and signs that file names are split at: a job is of the data set that it names."""

from __future__ import annotations

import re

import pytest

pytestmark = pytest.mark.workflow

DATASETS = ["yeast1", "yeast_1", "yeast1.7", "yeast-1", "abalone-17_vs_7-8-9-10", "abalone-17", "a", "a.npz", "flip-50"]
METHODS = ["pu", "pu_bag", "pu_bag_2", "pu-bag", "m.1", "m.10", "flip-50"]
RATIOS = "[0.25, 0.50, .5, 50e-2, 0.3, 0.30000000000000004]"


def test_the_downloads_of_one_study_can_be_had_alone(workflow):
    assert workflow.planned("smoke", "--until", "fetch_dataset") == {"fetch_dataset": 2}


def test_every_job_is_planned_once_and_no_other(workflow):
    with (workflow.root / "config/datasets.yaml").open("a") as handle:
        for name in DATASETS:
            handle.write(
                f"\n{name}: {{sources: [{{kind: generated, generator: blobs, n: 60, prior: 0.3, seed: 1}}], "
                "target: label, positive: positive}\n"
            )
    with (workflow.root / "config/methods.yaml").open("a") as handle:
        for name in METHODS:
            handle.write(f"\n{name}: {{label: '{name}', family: F, estimator: pu_wlr}}\n")
    (workflow.root / "config/studies/my-study.v1.yaml").write_text(
        f"name: my-study.v1\ntitle: T\ndatasets: [{', '.join(DATASETS)}]\nmethods: [{', '.join(METHODS)}]\n"
        f"labeling: {{scar: {{flip_ratios: {RATIOS}}}}}\nrepeats: 4\n"
    )
    done = workflow.snakemake("my-study.v1", "--dry-run")
    output = done.stdout + done.stderr
    for planned in (r"Fit the methods of my-study\.v1 on (\S+)", r"Label (\S+) for my-study\.v1"):
        assert sorted(re.findall(planned, output)) == sorted(DATASETS)
    assert "note: config/studies/my-study.v1.yaml: 6 flip ratios, but some are one number: 3 scenarios" in done.stderr
