"""Rule `figures`: every figure of the report as SVG, PDF and PNG."""

from __future__ import annotations

import gc

from scarce import paths
from scarce.config.project import Project
from scarce.files import write_json
from scarce.stages.results import load_results


def figures(project: Project, name: str) -> None:
    """Every figure as SVG, PDF and PNG, and what the page says of each in captions.json."""
    from scarce.report.catalogue import FIGURES
    from scarce.report.style import save

    results = load_results(project, name)
    gc.freeze()  # what the imports made stays; without scanning it again and again, drawing takes a tenth less time
    captions = []
    for kind in map(FIGURES.get, project.study(name).report.figures):
        for drawing in kind.draw(results):
            save(drawing.figure, paths.figures(name) / drawing.stem)
            about = {"stem": drawing.stem, "title": drawing.title, "caption": drawing.caption}
            captions.append(about | {"view": kind.view})
    write_json(paths.captions(name), captions)
