"""Figures 1 and 2: importances of features as bars, and as maps of images; both from importances.csv."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from scarce.report.catalogue import Drawing, figure

if TYPE_CHECKING:
    from scarce.report.results import StudyResults

#: The forest of positive and unlabeled rows, and that of true labels: PU ET and PN ET.
COMPARED = ["pu_et", "supervised_et"]
KINDS = {
    "importance": ("Importance", "Risk reductions of a forest"),
    "normalised_importance": (
        "Normalised importance",
        "Risk reductions of a forest, each divided by the weight of its node",
    ),
}
#: Most bars of a readable chart.
MOST_BARS = 60


@figure
def importance_bars(results: StudyResults) -> Iterator[Drawing]:
    from scarce.papers.wilton2022.drawings import importance_bars
    from scarce.papers.wilton2022.importances import mean_importances, rank_correlation

    labels = results.names.methods
    for dataset in results.present:
        if dataset in results.shapes:
            continue
        for column, (title, what) in KINDS.items():
            means = mean_importances(results.frames["importances"], dataset, COMPARED, column)
            if means.shape[1] < len(COMPARED) or len(means) > MOST_BARS or not (means.sum() > 0).all():
                continue
            correlation, _ = rank_correlation(*(means[name] for name in COMPARED))
            yield Drawing(
                f"{column}_bars_{dataset}",
                f"{title}: {results.names.of('dataset', dataset)}",
                f"{what}, as shares of their sum; mean over repeats. Rank correlation of the two: {correlation:.2f}.",
                importance_bars(means / means.sum(), [labels[name] for name in COMPARED]),
            )


@figure
def importance_maps(results: StudyResults) -> Iterator[Drawing]:
    from scarce.papers.wilton2022.drawings import importance_maps
    from scarce.papers.wilton2022.importances import mean_importances

    grids = {name: shape for name, shape in results.shapes.items() if len(shape) == 2 and name in results.present}
    labels = results.names.methods
    for column, (title, what) in KINDS.items():
        maps = {}
        for dataset, shape in grids.items():
            means = mean_importances(results.frames["importances"], dataset, COMPARED, column)
            if means.shape[1] == len(COMPARED):
                maps[results.names.of("dataset", dataset)] = [
                    means[name].to_numpy().reshape(shape) for name in COMPARED
                ]
        if maps:
            yield Drawing(
                f"{column}_maps",
                f"{title} of pixels",
                f"{what}, mean over repeats; each map has its own scale from 0 (pale) to its largest value (dark).",
                importance_maps(maps, [labels[name] for name in COMPARED]),
            )
