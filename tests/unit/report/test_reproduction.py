"""The page of Markdown, from made-up results."""

from __future__ import annotations

import pandas as pd

from scarce.report.reproduction import Section, to_markdown
from scarce.report.tables import Cell, Column, TableView

VIEW = TableView(
    name="table_4",
    layout="scenarios",
    metric="auc_pr",
    caption="Average AUC-PR. Over two data sets.",
    columns=(Column("flip-25", "", "25 %", ""), Column("flip-50", "", "50 %", "")),
    methods={"tree": "Tree", "svm": "S|VM <b>"},
    cells={
        "tree": (Cell(0.5, 0.01, 2, 40, mark="best"), Cell(0.4, 0.02, 2, 40)),
        "svm": (Cell(0.45, 0.01, 2, 40, mark="not_outperformed"), Cell(reason="timeout")),
    },
)
REBUILT = pd.DataFrame(
    [("flip-25", "auc_pr", "tree", 0.5), ("flip-50", "auc_pr", "tree", 0.4004), ("flip-25", "auc_pr", "svm", 0.42)],
    columns=["scenario", "metric", "method", "value"],
)


def page(**changes) -> str:
    return to_markdown("What s found", "run s", "2026-01-02", {"numpy": "2"}, [Section("s: S", **changes)])


def test_table_beside_the_authors_own_averages():
    text = page(tables=[VIEW], rebuilt=REBUILT)
    assert "| Tree | ***50.0 ± 1.0*** | 50.0 | 40.0 ± 2.0 | 40.0 |" in text
    assert "| S\\|VM &lt;b> | **45.0 ± 1.0** | 42.0 | – | – |" in text
    assert "differ by at most 3.0 points; by at most 0.1 for 1 of 2 methods (Tree)" in text
    assert "### Average AUC-PR\n" in text


def test_table_alone_says_nothing_of_authors():
    text = page(tables=[VIEW])
    assert "| Tree | ***50.0 ± 1.0*** | 40.0 ± 2.0 |" in text
    assert "authors" not in text


def test_head_verdicts_and_notes():
    verdicts = pd.DataFrame(
        [("a_b", "A beats B.", "section 5", "leads", "partly", "At 25 % it does.\nAt 50 % not.", "Ties.")],
        columns=["claim", "text", "where", "judge", "verdict", "reading", "note"],
    )
    text = page(facts={"Data sets": "13 of 15"}, verdicts=verdicts, notes=["a misprint"])
    assert text.startswith("# What s found\n\nMade on 2026-01-02 by `run s`; do not edit. Versions: numpy 2.")
    assert "- Data sets: 13 of 15" in text
    assert "1. **partly**: A beats B. (section 5)\n    - At 25 % it does.\n    - At 50 % not.\n    - *Ties.*" in text
    assert "- a misprint" in text


def test_agreement_by_method_and_run_by_run():
    miss = {"dataset": "B", "metric": "AUC-PR", "scenario": "25 %", "difference": -1.26}
    tree = {"method": "Tree", "within": 2, "known": 3, "n_equal": 35, "n_runs": 40, "miss": miss, "reason": "ties"}
    cells = [{"n_equal": 20, "n_runs": 20, "difference": 0.0}, {"n_equal": 15, "n_runs": 20, "difference": 1.234}, None]
    runs = {"metric": "AUC-PR", "methods": ["a", "b", "c"], "rows": [{"dataset": "B", "cells": cells}]}
    text = page(agreement={"within": 2, "known": 3, "outside": 1, "methods": [tree], "runs": runs})
    assert "**2 of 3** single numbers" in text
    assert "| Tree | 2 of 3 | 66.7 % | 35 of 40 | −1.3 | B, AUC-PR, 25 % | ties |" in text
    assert "| B | 20/20 | 15/20 (1.2) | – |" in text
