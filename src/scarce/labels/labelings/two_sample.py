"""Two samples: labeled positives drawn from the training rows, and all training rows, these included, unlabeled.

References
----------
Wilton et al. (2022). Positive-unlabeled learning using random forests via recursive greedy risk minimization.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from pydantic import Field

from scarce.labels.records import Impossible, LabelingSettings, Scenario, labeling

if TYPE_CHECKING:
    from scarce.labels.sample import Draw, Population, Sample


class TwoSample(LabelingSettings):
    """Labeled positives drawn from the training rows, and all training rows unlabeled."""

    labeled: int = Field(ge=1, description="number of labeled positives")
    unlabeled: Literal["training"] = Field("training", description="training: all training rows, labeled ones included")
    resample_p: bool = Field(
        True, description="whether each repeat draws other positives; false: the same, where training rows are the same"
    )

    def scenarios(self) -> list[Scenario]:
        return [
            Scenario(
                name=f"labeled-{self.labeled}",
                label=f"{self.labeled:,} labeled, all training rows unlabeled",
                labeling="two_sample",
                scheme="two_sample",
                axes={"labeled": self.labeled},
                settings={"resample_p": self.resample_p},
            )
        ]

    @property
    def draws_rows(self) -> bool:
        return True


@labeling("two_sample", TwoSample)
def observe(population: Population, scenario: Scenario, draw: Draw) -> Sample:
    """Positives drawn without replacement, then all rows: a drawn row stands twice, labeled and unlabeled."""
    import numpy as np

    labeled, positives = int(scenario.axes["labeled"]), np.flatnonzero(population.y)
    if labeled > len(positives):
        raise Impossible(f"{labeled} labeled positives are wanted, and there are {len(positives)}")
    seed = draw.seed("labeled") if scenario.settings["resample_p"] else draw.seed("labeled", 0)
    rows = np.random.RandomState(seed).permutation(positives)[:labeled]
    s = np.repeat(np.array([1, 0], np.int8), [labeled, len(population)])
    return population.sample(s, np.concatenate([rows, np.arange(len(population))]))
