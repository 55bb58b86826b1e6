"""The class column is the observed label: real PU data, of which nobody knows the true labels."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pydantic import Field

from scarce.estimators.schemes import WORDS, Scheme
from scarce.labels.records import Impossible, LabelingSettings, Scenario, labeling

if TYPE_CHECKING:
    from scarce.labels.sample import Draw, Population, Sample


class Observed(LabelingSettings):
    """The positive class of a data set means labeled, its other rows are unlabeled."""

    scheme: Scheme = Field(
        "one_sample",
        description="one_sample: some positives of one sample are labeled. two_sample: labeled positives were "
        "collected apart, and the unlabeled rows alone are a sample of the population",
    )

    def scenarios(self) -> list[Scenario]:
        label = f"observed labels, {WORDS[self.scheme]}"
        return [Scenario(name="observed", label=label, labeling="observed", scheme=self.scheme)]


@labeling(
    "observed",
    Observed,
    truth_known=False,
    defaults={"options": {"decision": "f1_observed"}, "analysis": {"metrics": ["pu_auc_test", "pu_lee_liu_test"]}},
)
def observe(population: Population, scenario: Scenario, draw: Draw) -> Sample:
    """All rows as they are labeled."""
    s, prior = population.y.astype("int8"), draw.options.class_prior
    if scenario.scheme == "one_sample" and not isinstance(prior, str) and prior < s.mean():
        raise Impossible(f"class prior {prior:g} is below the share of labeled rows, {s.mean():.4g}, all positives")
    return population.sample(s)
