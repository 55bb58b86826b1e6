"""Nothing is hidden: an ordinary supervised study."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scarce.labels.records import LabelingSettings, Scenario, labeling

if TYPE_CHECKING:
    from scarce.labels.sample import Draw, Population, Sample


class NoneHidden(LabelingSettings):
    """Training rows show their true class."""

    def scenarios(self) -> list[Scenario]:
        return [Scenario(name="all-labeled", label="all labels", labeling="none")]


@labeling("none", NoneHidden)
def observe(population: Population, scenario: Scenario, draw: Draw) -> Sample:
    """The true labels as observed labels; no other stage has to know that they are the true ones."""
    return population.sample(population.y.astype("int8"))
