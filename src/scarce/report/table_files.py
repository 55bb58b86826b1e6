"""A table as files: CSV (numbers), LaTeX (needs only booktabs) and an HTML fragment."""

from __future__ import annotations

import functools
import math
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scarce import files
from scarce.report.latex import Tex, escape
from scarce.report.table_notes import BEST, NOT_OUTPERFORMED
from scarce.report.tables import Cell, TableView, Verdict
from scarce.words import MISSING, p_value, percent

if TYPE_CHECKING:
    import jinja2
    import pandas as pd

TEMPLATES = Path(__file__).parent / "templates"


def mean_and_sd(cell: Cell, layout: str) -> str:
    """What stands in a cell: the mean, and its spread in the layout "scenarios"."""
    if layout != "scenarios" or math.isnan(cell.sd):
        return percent(cell.mean)
    return f"{percent(cell.mean)} ± {percent(cell.sd)}"


def verdict_title(verdict: Verdict) -> str:
    """The test in full, or why there was none."""
    if math.isnan(verdict.p):
        return verdict.reason
    statistic = "∞" if math.isinf(verdict.statistic) else f"{verdict.statistic:.2f}"
    return f"F({verdict.df1}, {verdict.df2}) = {statistic}, {p_value(verdict.p)}"


def to_latex(view: TableView) -> str:
    """LaTeX of a table float; the preamble needs ``\\usepackage{booktabs}`` and nothing else."""

    def body(cell: Cell) -> Tex:
        text = escape(mean_and_sd(cell, view.layout))
        if cell.mark == BEST and view.layout == "scenarios":
            return Tex(rf"\underline{{\textbf{{{text}}}}}")
        return Tex(rf"\textbf{{{text}}}") if cell.mark in (BEST, NOT_OUTPERFORMED) else Tex(text)

    def test(verdict: Verdict) -> Tex:
        return Tex(escape(MISSING) if math.isnan(verdict.p) else f"${p_value(verdict.p)}$")

    width = len(view.columns) * (2 if view.layout == "scenarios" else 1)
    return latex_templates().get_template("table.tex.j2").render(
        view=view,
        rows=[(label, [body(cell) for cell in view.cells[method]]) for method, label in view.methods.items()],
        tests=[test(verdict) for verdict in view.tests],
        alignment=Tex("r" * len(view.columns)),
        size=Tex(r"\small" if width <= 8 else r"\footnotesize" if width <= 10 else r"\scriptsize"),
        gap=Tex("6pt" if width <= 8 else "3pt" if width <= 16 else "2pt"),
        label=tex_label(view.name),
    )  # fmt: skip


def to_html(view: TableView) -> str:
    """HTML fragment: a ``figure`` with the table and its notes; everything is escaped.

    Classes: ``results-table`` and the layout; cells are ``value``, with ``best``, ``not-outperformed`` or ``missing``,
    and hold ``mean``, ``sd``, ``published``. Cells carry ``data-sort``, ``data-published``,
    ``data-difference`` (fractions).
    """
    return html_templates().get_template("table.html.j2").render(view=view)


def cell_title(cell: Cell, layout: str) -> str:
    """What a reader sees when pointing at a cell."""
    if math.isnan(cell.mean):
        parts = [cell.reason]
    else:
        sets = f"{cell.n_datasets} data sets, " if layout == "scenarios" else ""
        parts = [f"{percent(cell.mean)} ± {percent(cell.sd)} ({sets}{cell.n_runs} runs)"]
    if not math.isnan(cell.published):
        difference = "" if math.isnan(cell.difference) else f", difference {percent(cell.difference, sign=True)}"
        parts.append(f"published {percent(cell.published)}{difference}")
    return "; ".join([*parts, *filter(None, [cell.remark])])


def tex_label(name: str) -> Tex:
    """A table's name as LaTeX refers to it."""
    return Tex("".join(c if c.isalnum() or c in "-_" else "-" for c in name))


def write_table(view: TableView, folder: str | os.PathLike) -> list[Path]:
    """Write ``<name>.csv``, ``<name>.tex`` and ``<name>.html`` into `folder`."""
    return write_forms(view.name, folder, view.frame(), to_latex(view), to_html(view))


def write_forms(name: str, folder: str | os.PathLike, frame: pd.DataFrame, latex: str, html: str) -> list[Path]:
    """Write the three forms of a table."""
    paths = [Path(folder) / f"{name}.{ending}" for ending in ("csv", "tex", "html")]
    files.write_csv(paths[0], frame)
    files.write_text(paths[1], latex)
    files.write_text(paths[2], html)
    return paths


def _number(value: float) -> str:
    return "" if math.isnan(value) else repr(float(value))


def _classes(cell: Cell) -> str:
    names = ["value"]
    if math.isnan(cell.mean):
        names.append("missing")
    if cell.mark:
        names.append(cell.mark.replace("_", "-"))
    return " ".join(names)


@functools.cache
def latex_templates() -> jinja2.Environment:
    """Jinja with signs that LaTeX does not use; whatever is printed is escaped unless it is LaTeX already."""
    return _environment(
        block_start_string="<%",
        block_end_string="%>",
        variable_start_string="<<",
        variable_end_string=">>",
        comment_start_string="<#",
        comment_end_string="#>",
        finalize=escape,
        autoescape=False,
    )


@functools.cache
def html_templates() -> jinja2.Environment:
    environment = _environment(autoescape=True)
    environment.filters |= {
        "percent": percent,
        "number": _number,
        "classes": _classes,
        "cell_title": cell_title,
        "verdict_title": verdict_title,
        "p_value": p_value,
        "missing": math.isnan,
    }
    return environment


def _environment(**options: Any) -> jinja2.Environment:
    import jinja2

    return jinja2.Environment(
        loader=jinja2.FileSystemLoader(TEMPLATES),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        **options,
    )
