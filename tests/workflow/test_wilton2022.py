"""Trees of two samples and an oracle through the whole workflow, beside networks that may not be installed."""

from __future__ import annotations

import importlib.util
import textwrap

import pytest

from scarce.files import read_csv

pytestmark = [pytest.mark.workflow, pytest.mark.slow]

STUDY = """
name: few
extends: wilton2022
title: Few
datasets: [moons, blobs]
labeling:
  two_sample: {labeled: 30, unlabeled: training, resample_p: false}
repeats: 2
methods: [pu_et, pu_et_upu_quadratic, supervised_et, naive_puet, pu_bagging_et, mlp_upu, mlp_nnpu, self_pu]
method_options:
  mlp_upu: &short {epochs: 2, batch_size: 100}
  mlp_nnpu: *short
analysis: {reasons: null}
claims:
  - name: nnpu_over_upu
    claim: The non-negative risk wins.
    judge: ahead
    arguments: {methods: [pu_et], over: [pu_et_upu_quadratic]}
  - name: networks
    claim: Networks win.
    judge: ahead
    arguments: {methods: [mlp_nnpu], over: [pu_et]}
  - name: importances
    claim: Importances agree.
    judge: importances_agree
    arguments: {methods: [pu_et, supervised_et]}
report:
  tables:
    - {name: table_6, title: Accuracy, layout: beside_published, metric: accuracy}
  figures: [importance_bars, importance_maps]
"""


@pytest.mark.usefixtures("stocked")
def test_importances_verdicts_and_methods_that_are_not_installed(workflow):
    (workflow.root / "config/studies/few.yaml").write_text(textwrap.dedent(STUDY), encoding="utf-8")
    workflow.snakemake("few")

    results = workflow.root / "results/few"
    runs = read_csv(results / "runs.csv")
    networks = runs.method.isin(["mlp_upu", "mlp_nnpu"])
    assert set(runs[~networks].status) <= {"ok", "degenerate"}, "naive trees may give all rows one score"
    trees = runs[runs.method == "pu_et"].set_index(["dataset", "repeat"])
    assert (trees.n_labeled == 30).all()
    installed = importlib.util.find_spec("torch") is not None
    assert set(runs[networks].status) == {"ok" if installed else "not_installed"}
    if not installed:
        assert runs[networks].message.str.contains('pip install "scarce[neural]"', regex=False).all()
        assert 'pip install "scarce[neural]"' in (results / "report.html").read_text(encoding="utf-8").replace(
            "&#34;", '"'
        ).replace("&quot;", '"')

    importances = read_csv(results / "importances.csv")
    assert set(importances.method) == {"pu_et", "pu_et_upu_quadratic", "supervised_et", "naive_puet"}
    assert (importances.groupby(["dataset", "repeat", "method"]).importance.sum() != 0).all()
    verdicts = read_csv(results / "verdicts.csv").set_index("claim").verdict
    assert verdicts["nnpu_over_upu"] in ("held", "partly", "not held")
    assert (verdicts["networks"] == "untested") != installed
    assert verdicts["importances"] in ("held", "partly", "not held")
    assert (workflow.root / "figures/few/importance_bars_moons.svg").is_file()
    assert len(read_csv(results / "tables/table_6.csv")) == 2 * 8
