"""Two data sets with scenarios of their own through the whole workflow: what there is to run is run and counted."""

from __future__ import annotations

import re

import pytest

from scarce.files import read_csv
from tests.unit.config.test_scenarios import STUDY

pytestmark = pytest.mark.workflow

RUN = (
    STUDY.replace("[pu_hdt]", "[pu_wlr, elkan_noto]")
    + """\
options: {decision: f1_default}
analysis: {metrics: [auc_roc]}
report: {figures: [rank_heatmap, dots]}
"""
)
CELLS = {
    ("moons", "l10-u100-p0.1"), ("moons", "l20-u100-p0.1"), ("blobs", "l10-u100-p0.1"), ("blobs", "l10-u100-p0.3"),
}  # fmt: skip


@pytest.mark.usefixtures("stocked")
def test_each_data_set_runs_the_scenarios_that_it_has(workflow):
    (workflow.root / "config/studies/mine.yaml").write_text(RUN)
    assert "4 of 6 combinations" in workflow.run("scarce", "check", "config/studies/mine.yaml").stdout
    workflow.snakemake("mine")
    results = workflow.root / "results/mine"

    runs = read_csv(results / "runs.csv")
    assert set(zip(runs.dataset, runs.scenario, strict=True)) == CELLS
    assert len(runs) == len(CELLS) * 2 * 2
    assert set(runs.status) == {"ok"}
    assert {(file.parent.name, file.stem) for file in (results / "labels").glob("*/*.npz")} == CELLS

    notes = read_csv(results / "stats/notes.csv")
    assert not notes.note.str.contains("no results").any()
    ranks = read_csv(results / "stats/ranks.csv").set_index("scenario").n_blocks
    assert ranks["l10-u100-p0.1"].unique().tolist() == [2]
    assert ranks["l10-u100-p0.3"].unique().tolist() == [1]
    table = read_csv(results / "tables/auc_roc_l10-u100-p0.3.csv")
    assert set(table.dataset) == {"blobs"}
    page = re.sub(r"<script.*?</script>", "", (results / "report.html").read_text("utf-8"), flags=re.DOTALL)
    assert "Missing" not in page

    status = workflow.run("scarce", "status", "mine").stdout
    assert f"{len(CELLS) * 2} done of {len(CELLS) * 2} cells" in status
    assert sum(line.split()[:2] in [list(cell) for cell in CELLS] for line in status.splitlines()) == len(CELLS)
    assert workflow.planned("mine") == {}
