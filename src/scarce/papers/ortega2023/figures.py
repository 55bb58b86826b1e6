"""The figures that illustrate the paper: two splits of one node, and decision surfaces on half moons."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from scarce.report.catalogue import Drawing, figure

if TYPE_CHECKING:
    from scarce.report.results import StudyResults


@figure
def split_example(results: StudyResults) -> Iterator[Drawing]:
    from scarce.papers.ortega2023.splits import split_example, split_example_caption

    title = "Gini impurity and PU Hellinger distance prefer different splits"
    yield Drawing("split_example", title, split_example_caption(), split_example())


@figure
def half_moons(results: StudyResults) -> Iterator[Drawing]:
    from scarce.papers.ortega2023.moons import half_moons, half_moons_average, half_moons_caption

    caption = half_moons_caption(average=half_moons_average())
    yield Drawing("half_moons", "Decision surfaces on half-moons", caption, half_moons())
