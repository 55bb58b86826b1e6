"""A share of the positives is labeled, drawn at random; what a small share labels, a larger one labels as well.

References
----------
Ienco & Pensa (2016). Positive and unlabeled learning in categorical data (30, 40 and 50 % of the positives).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from pydantic import Field

from scarce.config.block import Once, Share
from scarce.labels.labelings.scar import flip_count
from scarce.labels.records import Impossible, LabelingSettings, Scenario, labeling

if TYPE_CHECKING:
    from scarce.labels.sample import Draw, Population, Sample


class ShareOfPositives(LabelingSettings):
    """A share of the positives, drawn at random, is labeled."""

    shares: Annotated[list[Share], Once] = Field(
        min_length=1, description="shares of the positives that are labeled, in (0, 1); a scenario each"
    )

    def scenarios(self) -> list[Scenario]:
        return [
            Scenario(
                name=f"labeled-{100 * share:g}",
                label=f"{100 * share:g} % of the positives labeled",
                labeling="share_of_positives",
                axes={"label_frequency": share},
            )
            for share in self.shares
        ]


@labeling("share_of_positives", ShareOfPositives)
def observe(population: Population, scenario: Scenario, draw: Draw) -> Sample:
    """All rows; of T positives, the first floor(share T + 1/2) of one permutation are labeled."""
    import numpy as np

    positives = np.flatnonzero(population.y)
    labeled = flip_count(len(positives), scenario.axes["label_frequency"], "round")
    if not labeled:
        raise Impossible(f"no labeled positive: {scenario.label}, and there are {len(positives)}")
    s = np.zeros(len(population), np.int8)
    s[np.random.RandomState(draw.seed("labeled")).permutation(positives)[:labeled]] = 1
    return population.sample(s)
