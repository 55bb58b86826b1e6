"""A table as files and fragments: CSV (numbers), LaTeX (needs only booktabs), HTML and Markdown."""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from html import escape as html_escape
from pathlib import Path

from scarce import files
from scarce.report.latex import caption as tex_caption
from scarce.report.latex import definitions, escape_apart, without_glyph
from scarce.report.latex import escape as tex_escape
from scarce.report.tables import BOLD, UNDERLINED, Cell, Column, Row, Table

WORDS = {UNDERLINED: "Underlined", BOLD: "Bold"}
MARKDOWN_WORDS = {UNDERLINED: "Bold italic", BOLD: "Bold"}  # Markdown cannot underline
MARKDOWN_MARKS = {UNDERLINED: "***", BOLD: "**", "": ""}
TEX_MARKS = {UNDERLINED: r"\underline{\textbf{%s}}", BOLD: r"\textbf{%s}", "": "%s"}
#: Sizes of LaTeX: command, points that a character takes about, points between columns; the first that fits is taken.
TEX_SIZES = (
    (r"\small", 4.8, 6),
    (r"\small", 4.8, 3),
    (r"\footnotesize", 4.3, 3),
    (r"\scriptsize", 3.9, 3),
    (r"\scriptsize", 3.9, 2),
)
TEX_WIDTH = 450.0  # points of a line on A4


def write_table(table: Table, folder: str | os.PathLike) -> list[Path]:
    """Write ``<name>.csv``, ``<name>.tex`` and ``<name>.html`` into `folder`."""
    paths = [Path(folder) / f"{table.name}.{ending}" for ending in ("csv", "tex", "html")]
    files.write_csv(paths[0], table.frame)
    files.write_text(paths[1], to_latex(table))
    files.write_text(paths[2], to_html(table))
    return paths


def to_latex(table: Table) -> str:
    """LaTeX of a table float; the preamble needs ``\\usepackage{booktabs}`` and nothing else."""
    footer = [row for row in table.footer if any(cell.text for cell in row.cells)]
    texts = [[column.label for column in table.columns]]
    texts += [[row.label, *(cell.whole for cell in row.cells)] for row in (*table.rows, *footer)]
    characters = sum(max(map(len, column)) for column in zip(*texts, strict=True))
    size, gap = TEX_SIZES[-1][0], TEX_SIZES[-1][2]
    for command, points, between in TEX_SIZES:
        if characters * points + 2 * between * (len(table.columns) - 1) <= TEX_WIDTH:
            size, gap = command, between
            break
    label = "".join(c if c.isalnum() or c in "-_" else "-" for c in table.name)
    names = escape_apart([row.label for row in table.rows])
    lines = [
        r"\begin{table}[htbp]", r"\centering", tex_caption(table.caption), rf"\label{{tab:{label}}}",
        r"\smallskip", size, rf"\setlength{{\tabcolsep}}{{{gap}pt}}",
        rf"\begin{{tabular}}{{@{{}}l{'r' * (len(table.columns) - 1)}@{{}}}}", r"\toprule",
        " & ".join(escape_apart([column.label for column in table.columns])) + r" \\", r"\midrule",
        *map(_tex_row, table.rows, names), *([r"\midrule"] if footer else []),
        *(_tex_row(row, tex_escape(row.label)) for row in footer),
        r"\bottomrule", r"\end{tabular}",
    ]  # fmt: skip
    if notes := table.notes_with(WORDS):
        text = "\\\\\n".join(tex_escape(note) for note in notes)
        lines += ["", r"\smallskip", r"\begin{minipage}{\linewidth}", r"\footnotesize", text, r"\end{minipage}"]
    return "\n".join([*definitions(without_glyph(lines)), *lines, r"\end{table}", ""])


def _tex_row(row: Row, name: str) -> str:
    cells = [TEX_MARKS[cell.emphasis] % tex_escape(cell.whole) for cell in row.cells]
    return " & ".join([name, *cells]) + r" \\"


def to_html(table: Table) -> str:
    """HTML: a ``figure`` with the table, in a box that scrolls, and its notes; everything is escaped.

    Cells are of class ``bold`` or ``underlined`` where they stand out, hold ``sd`` and ``published`` beside the text,
    and carry ``data-sort`` where they sort by a number.
    """
    heads = "".join(
        f'<th scope="col"{_attribute("title", column.tooltip)}>{html_escape(column.label)}</th>'
        for column in table.columns
    )
    parts = [
        '<figure class="results-table-figure">',
        f'<div class="scroll" role="region" aria-label="{html_escape(table.caption or table.name)}" tabindex="0">',
        '<table class="results">',
        *([f"<caption>{html_escape(table.caption)}</caption>"] if table.caption else []),
        f"<thead><tr>{heads}</tr></thead>",
        *_html_rows("tbody", table.rows, table.columns),
        *_html_rows("tfoot", table.footer, table.columns),
        "</table>",
        "</div>",
    ]
    if notes := table.notes_with(WORDS):
        parts += ['<figcaption><ul class="notes">', *(f"<li>{html_escape(note)}</li>" for note in notes)]
        parts.append("</ul></figcaption>")
    return "\n".join([*parts, "</figure>", ""])


def _html_rows(part: str, rows: Sequence[Row], columns: Sequence[Column]) -> list[str]:
    lines = []
    for row in rows:
        head = f'<th scope="row"{_attribute("title", row.tooltip)}>{html_escape(row.label)}</th>'
        cells = "".join(_html_cell(cell, column) for cell, column in zip(row.cells, columns[1:], strict=True))
        lines.append(f"<tr>{head}{cells}</tr>")
    return [f"<{part}>", *lines, f"</{part}>"] if lines else []


def _html_cell(cell: Cell, column: Column) -> str:
    kind = {"number": "num", "name": "", "text": "text", "hash": "text hash"}[column.kind]
    sort = None if cell.sort is None else "" if math.isnan(cell.sort) else repr(float(cell.sort))
    text = f'<span class="mean">{html_escape(cell.text)}</span>' if cell.emphasis else html_escape(cell.text)
    if cell.spread:
        text += f' <span class="sd">{html_escape(cell.spread)}</span>'
    if cell.published:
        text += f' <span class="published" aria-label="published">{html_escape(cell.published)}</span>'
    classes = _attribute("class", " ".join(filter(None, [kind, cell.emphasis])))
    number = "" if sort is None else f' data-sort="{sort}"'
    return f"<td{classes}{_attribute('title', cell.tooltip)}{number}>{text}</td>"


def _attribute(name: str, value: str) -> str:
    return f' {name}="{html_escape(value)}"' if value else ""


def to_markdown(table: Table) -> str:
    """A Markdown table with a line of notes; published values are left out."""
    lines = [
        [markdown_cell(column.label) for column in table.columns],
        ["---", *("---:" if column.kind == "number" else "---" for column in table.columns[1:])],
    ]
    for row in (*table.rows, *table.footer):
        lines.append([markdown_cell(row.label), *map(_markdown, row.cells)])
    text = "\n".join(f"| {' | '.join(line)} |" for line in lines)
    notes = [markdown_text(note) for note in table.notes_with(MARKDOWN_WORDS)]
    return "\n\n".join(filter(None, [text, " ".join(notes)]))


def _markdown(cell: Cell) -> str:
    mark = MARKDOWN_MARKS[cell.emphasis]
    return f"{mark}{markdown_cell(cell.whole)}{mark}"


def markdown_text(text: str) -> str:
    """Text on one line, without markup of HTML."""
    return " ".join(str(text).split()).replace("<", "&lt;")


def markdown_cell(text: str) -> str:
    """Text for a cell of a Markdown table."""
    return markdown_text(text).replace("|", "\\|")
