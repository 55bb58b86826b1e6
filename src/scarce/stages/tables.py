"""Rule `tables`: every table of the report as CSV, LaTeX and HTML."""

from __future__ import annotations

from scarce import paths
from scarce.config.project import Project
from scarce.stages.results import load_results, table_specs


def tables(project: Project, name: str) -> str:
    """Write every table of a study; returns a warning of letters that pdflatex cannot print, or ""."""
    from scarce.report.latex import without_glyph
    from scarce.report.layouts import build_table
    from scarce.report.render import write_table

    results, letters = load_results(project, name), set()
    for spec in table_specs(project.study(name)):
        _, latex, _ = write_table(build_table(spec, results), paths.tables(name))
        letters.update(without_glyph([latex.read_text(encoding="utf-8")]))
    if not letters:
        return ""
    return (
        f"{paths.tables(name)}: pdflatex has no glyph for {' '.join(sorted(letters))} and prints code points such as "
        "[U+041B]; lualatex prints them in a font that has them"
    )
