"""Rule `tables`: every table of the report as CSV, LaTeX and HTML."""

from __future__ import annotations

from scarce import paths
from scarce.config.project import Project
from scarce.stages.results import load_results, table_specs


def tables(project: Project, name: str) -> None:
    """Every table as CSV, LaTeX and HTML."""
    from scarce.report.grid_files import write_grid
    from scarce.report.grids import build_grid
    from scarce.report.table_files import write_table
    from scarce.report.tables import build_table

    results = load_results(project, name)
    for spec in table_specs(project.study(name)):
        if spec.layout in ("scenarios", "datasets"):
            write_table(build_table(spec, results.tables), paths.tables(name))
        else:
            write_grid(build_grid(spec, results), paths.tables(name))
