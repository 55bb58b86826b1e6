"""The figures of the paper: splitting criteria over ROC space, and what the sampling wrapper changes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from scarce.report.catalogue import Drawing, about, figure

if TYPE_CHECKING:
    from scarce.report.results import StudyResults


@figure
def isometrics(results: StudyResults) -> Iterator[Drawing]:
    from scarce.papers.cieslak2008.isometrics import CRITERIA, isometrics

    for name, (title, _) in CRITERIA.items():
        yield Drawing(
            f"isometrics_{name}",
            f"{title}: contours of equal value",
            "Splits that send a share of the positives (true positive rate) and of the negatives (false positive rate) "
            "to one side, joined where the criterion values them alike; ten steps up to the largest value. "
            + ("It does not depend on the skew." if name == "hellinger" else "Titles give the skew."),
            isometrics(name, (1,) if name == "hellinger" else (1, 10)),
        )


@figure
def value_surfaces(results: StudyResults) -> Iterator[Drawing]:
    from scarce.papers.cieslak2008.isometrics import value_surfaces

    caption = (
        "All values of a split, on one scale of height: DKM flattens with the skew, the Hellinger distance does not."
    )
    yield Drawing("value_surfaces", "Hellinger distance and DKM as surfaces", caption, value_surfaces())


@figure
def change(results: StudyResults) -> Iterator[Drawing]:
    from scarce.papers.cieslak2008.change import change, percent_change

    for metric, scenario in results.panels():
        values = results.block_ranks(metric, scenario, "value")
        changes = percent_change(values, results.bases)
        if changes.empty:
            continue
        without = [results.names.titles[name] for name in values.index if name not in changes.index]
        reason = f"No change in percent, as a method has no result or a mean of 0: {', '.join(without)}. "
        yield Drawing(
            f"change_{metric}_{scenario}",
            f"{results.metric_label(metric)}, {results.names.scenarios[scenario]}: change against the method built on",
            "Percent of the mean of the method without the addition. Numbers rank the methods on a data set, 1 for the "
            "largest gain. " + (reason if without else "") + about(results, metric, scenario),
            change(
                changes,
                methods=results.methods,
                datasets=results.names.titles,
                ylabel=f"Change of {results.metric_label(metric)} (%)",
            ),
        )
