"""The page of Markdown, from made-up results."""

from __future__ import annotations

import pandas as pd

from scarce.report.agreement_view import agreement_view
from scarce.report.reproduction import Section, about_authors, markdown_page
from scarce.report.tables import BOLD, UNDERLINED, Cell, Column, Row, Table
from tests.unit.report.test_agreement_view import agreement_rows, run_rows

TABLE = Table(
    name="table_4",
    caption="Average AUC-PR. Over two data sets.",
    columns=(Column("Method", kind="name"), Column("25 %"), Column("50 %")),
    rows=(
        Row("Tree", (Cell("50.0", "± 1.0", UNDERLINED, published="49.9"), Cell("40.0", "± 2.0"))),
        Row("S|VM <b>", (Cell("45.0", "± 1.0", BOLD), Cell(tooltip="timeout"))),
    ),
    reading="Percent.",
    marks=((UNDERLINED, "best average rank"), (BOLD, "not outperformed")),
    notes=("Missing: X.",),
)


def page(**changes) -> str:
    return markdown_page("What s found", "run s", "2026-01-02", {"numpy": "2"}, [Section("s: S", **changes)])


def test_marks_of_a_table_and_its_note_are_in_the_words_of_markdown():
    text = page(tables=[(TABLE, "")])
    assert "| Tree | ***50.0 ± 1.0*** | 40.0 ± 2.0 |" in text
    assert "| S\\|VM &lt;b> | **45.0 ± 1.0** | – |" in text
    assert "Percent. Bold italic: best average rank. Bold: not outperformed. Missing: X." in text
    assert "Underlined" not in text
    assert "### Average AUC-PR\n" in text


def test_distance_from_the_authors_own_averages():
    rows = [("tree", 0.5, 0.5), ("tree", 0.4, 0.4004), ("svm", 0.45, 0.42), ("new", 0.1, None)]
    means = pd.DataFrame(rows, columns=["method", "mean", "authors"])
    text = about_authors(means, {"tree": "Tree", "svm": "SVM", "new": "New"})
    assert "differ by at most 3.0 points; by at most 0.1 for 1 of 2 methods (Tree)" in text
    assert about_authors(means.assign(authors=float("nan")), {}) == ""
    assert text in page(tables=[(TABLE, text)])


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
    text = page(agreement=agreement_view(agreement_rows(), run_rows(), {"tree": "ties"}))
    assert "**2 of 3** single numbers" in text
    assert "| tree | 1 | 2 | 50.0% | 35 of 40 | +4.0 | b, auc_pr, flip-25 | ties |" in text
    assert "| a | 35 of 40 (r = 0.900, 2) | 20 of 20 |" in text
