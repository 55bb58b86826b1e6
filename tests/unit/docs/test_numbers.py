"""The numbers of docs/which_method.md are those of the pages and files that it takes them from."""

from __future__ import annotations

import re

import pandas as pd
import pytest

from scarce.config.loading import load_project
from tests.conftest import ROOT

#: Rows of the page -> rows of the reproduction page; rows of two methods have two numbers a cell.
ROWS = {
    "PU-SHRF": ["PU-SHRF"],
    "PU-HRF": ["PU-HRF"],
    "ADASYN+RF, which knows nothing of PU data": ["ADASYN+RF"],
    "uPU (boosted)": ["uPU"],
    "PU Bagging (linear)": ["PU Bagging"],
    "Rank Pruning": ["Rank Pruning"],
    "imbalanced nnPU, nnPU (boosted)": ["imbalanced nnPU", "nnPU"],
    "PU Weighted LR": ["PU Weighted LR"],
    "Elkan-Noto": ["Elkan-Noto's Method"],
    "HDT, PU-HDT (single trees)": ["HDT", "PU-HDT"],
    "Spy-EM": ["Spy-EM"],
}
METHODS = {
    "PU ET": "pu_et",
    "PU Bagging ET": "pu_bagging_et",
    "Extra Trees (naive)": "extra_trees",
    "PU-SHRF": "pu_shrf",
    "PU Weighted LR": "pu_wlr",
    "Elkan-Noto": "elkan_noto",
}
#: From here on a data set's positives are not rare.
COMMON = 0.1


def text(path: str) -> str:
    return (ROOT / path).read_text(encoding="utf-8")


def table(page: str, after: str) -> dict[str, list[str]]:
    """The first table after some words: cells by their row's first one."""
    lines = page.partition(after)[2].splitlines()
    start = next(place for place, line in enumerate(lines) if line.startswith("|"))
    rows = []
    for line in lines[start:]:
        if not line.startswith("|"):
            break
        rows.append([cell.strip() for cell in line.strip("|").split("|")])
    return {row[0]: row[1:] for row in rows[2:]}


def test_mean_auc_pr_is_that_of_the_reproduction():
    shown = table(text("docs/which_method.md"), "**Thirteen methods, thirteen data sets**")
    found = table(text("docs/reproduction/ortega2023.md").partition("## ortega2023_corrected")[2], "### Average AUC-PR")
    assert set(shown) == set(ROWS)
    assert sorted(name for names in ROWS.values() for name in names) == sorted(found)
    for row, names in ROWS.items():
        for place, cell in enumerate(shown[row]):
            cells = [found[name][place] for name in names]
            assert re.findall(r"[\d.]+", cell) == [re.search(r"[\d.]+", one)[0] for one in cells]
            assert cell.startswith("**") == any(one.startswith("**") for one in cells)


def test_mean_ranks_are_those_of_the_results_behind_advice():
    shown = table(text("docs/which_method.md"), "**Six methods, eleven data sets**")
    results = pd.read_csv(ROOT / "src/scarce/analysis/similar_sets.csv")
    assert set(shown) == set(METHODS)
    columns = []
    for rare in (True, False):
        part = results[(results.class_prior < COMMON) == rare]
        for scenario in ("flip-50", "flip-90"):
            of_scenario = part[part.scenario == scenario]
            values = of_scenario.pivot_table(index="dataset", columns="method", values="auc_pr")
            columns.append(values.rank(axis=1, ascending=False).mean())
    for row, method in METHODS.items():
        assert [float(cell) for cell in shown[row]] == pytest.approx([one[method] for one in columns], abs=0.0501)
    leads = {column.idxmin() for column in columns}
    assert leads == {"pu_et"}, "the first advice of the page rests on this"


def test_studies_share_the_data_sets_that_the_page_says(monkeypatch):
    monkeypatch.chdir(ROOT)
    project = load_project(strict=False)
    behind = set(project.study("advise_evidence").datasets)
    rare = set(pd.read_csv(ROOT / "src/scarce/analysis/similar_sets.csv").query("class_prior < @COMMON").dataset)
    assert rare == behind & set(project.study("ortega2023").datasets)
    assert behind & set(project.study("wider").datasets) == {"segment_1"}
