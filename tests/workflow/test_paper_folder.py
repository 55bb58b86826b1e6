"""A new paper is a new folder: docs/add_a_paper.md, followed to the letter; no other file changes."""

from __future__ import annotations

import re

import numpy as np
import pytest

from scarce import papers
from scarce.files import read_csv, read_json
from scarce.labels.file import Labels
from tests.conftest import ROOT

pytestmark = pytest.mark.workflow


def files_of_the_guide() -> dict[str, str]:
    """Each fenced block of the guide that follows a line with nothing but a file name."""
    text = (ROOT / "docs/add_a_paper.md").read_text(encoding="utf-8")
    return dict(re.findall(r"^`(papers/\S+)`:\n\n```\w+\n(.*?)^```", text, re.DOTALL | re.MULTILINE))


def toy_table(n: int = 120) -> str:
    random = np.random.RandomState(0)
    positive = np.arange(n) % 4 == 0
    features = random.normal(size=(n, 2)) + 1.5 * positive[:, None]
    rows = [f"{a:.6f},{b:.6f},{'p' if p else 'n'}" for (a, b), p in zip(features, positive, strict=True)]
    return "\n".join(["a,b,class", *rows, ""])


def test_a_paper_is_a_folder(workflow):
    files = files_of_the_guide() | {"papers/toy2030/toy.csv": toy_table()}
    kinds = ("__init__", "protocol", "figures", "judges", "reference")
    assert {f"papers/toy2030/{kind}.py" for kind in kinds} <= files.keys()
    before = {file: file.read_bytes() for file in workflow.root.rglob("*") if file.is_file()}
    for name, text in files.items():
        file = workflow.root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    workflow.snakemake("toy2030")
    assert {file: file.read_bytes() for file in before} == before, "nothing outside the folder changed"

    results = workflow.root / "results/toy2030"
    runs = read_csv(results / "runs.csv")
    assert set(runs.status) == {"ok"}
    labels = Labels.load(results / "labels/toy/flip-50.npz")
    assert sorted(np.concatenate([one.test for one in labels])) == list(range(120)), "the protocol is the paper's"
    agreement = read_csv(results / "agreement.csv").set_index("method")
    assert agreement.published.to_dict() == {"toy_forest": 0.6, "pu_hdt": 0.55}
    (verdict,) = read_csv(results / "verdicts.csv").to_dict("records")
    assert (verdict["judge"], verdict["verdict"]) == ("reaches", "held")
    manifest = read_json(results / "manifest.json")
    assert manifest["preset"] == "toy2030"
    assert manifest["methods"]["toy_forest"]["arguments"]["n_estimators"] == 5
    assert (workflow.root / "figures/toy2030/mean_bars_auc_pr.svg").is_file()
    report = (results / "report.html").read_text(encoding="utf-8")
    assert "A. Author. A toy. 2030." in report
    assert "Mean over three repeats." in report

    assert workflow.planned("toy2030") == {}
    figures = workflow.planned_after("toy2030", "papers/toy2030/figures.py", "figsize=(4, 3)", "figsize=(5, 3)")
    assert {"figures", "page"} <= figures.keys()
    assert not {"fit", "label"} & figures.keys()
    protocol = workflow.planned_after("toy2030", "papers/toy2030/protocol.py", "% 3 ::", "% 2 ::")
    assert {"label", "fit"} <= protocol.keys()


def test_the_core_names_no_paper():
    shipped = papers.__file__.removesuffix("__init__.py")
    names = {paper.name for paper in papers.discover()}
    assert names
    for file in (ROOT / "src/scarce").rglob("*.py"):
        if not str(file).startswith(shipped):
            assert not [name for name in names if name in file.read_text(encoding="utf-8")], file
