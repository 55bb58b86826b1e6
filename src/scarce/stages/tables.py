"""Rule `tables`: every table of the report as CSV, LaTeX and HTML."""

from __future__ import annotations

from scarce import paths
from scarce.config.project import Project
from scarce.stages.results import load_results, table_specs


def tables(project: Project, name: str) -> None:
    """Write every table of a study."""
    from scarce.report.layouts import build_table
    from scarce.report.render import write_table

    results = load_results(project, name)
    for spec in table_specs(project.study(name)):
        write_table(build_table(spec, results), paths.tables(name))
