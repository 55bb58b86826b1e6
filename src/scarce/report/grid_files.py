"""A grid as files: CSV (numbers), LaTeX (needs only booktabs) and an HTML fragment."""

from __future__ import annotations

import os
from pathlib import Path

from scarce.report.grids import Grid, GridCell
from scarce.report.latex import Tex, escape
from scarce.report.table_files import html_templates, latex_templates, tex_label, write_forms


def write_grid(grid: Grid, folder: str | os.PathLike) -> list[Path]:
    """Write ``<name>.csv``, ``<name>.tex`` and ``<name>.html`` into `folder`."""
    return write_forms(grid.name, folder, grid.frame, to_latex(grid), to_html(grid))


def to_html(grid: Grid) -> str:
    """HTML fragment: a ``figure`` with the table and its notes; everything is escaped."""
    return html_templates().get_template("grid.html.j2").render(grid=grid)


def to_latex(grid: Grid) -> str:
    """LaTeX of a table float; the preamble needs ``\\usepackage{booktabs}`` and nothing else."""

    def body(cell: GridCell) -> Tex:
        text = escape(cell.text)
        return Tex(rf"\textbf{{{text}}}" if cell.bold and grid.layout == "ranks" else text)

    lines = [(row.label, [body(cell) for cell in row.cells]) for row in grid.rows]
    ours = [row for row in grid.footer if any(cell.text for cell in row.cells)]
    footer = [(row.label, [body(cell) for cell in row.cells]) for row in ours]
    width = len(grid.columns) * max(len(cell.text) for row in grid.rows for cell in row.cells)
    return latex_templates().get_template("grid.tex.j2").render(
        grid=grid,
        rows=lines,
        footer=footer,
        alignment=Tex("r" * (len(grid.columns) - 1)),
        size=Tex(r"\small" if width <= 75 else r"\scriptsize"),
        label=tex_label(grid.name),
    )  # fmt: skip
