"""Case-control: a sample of labeled positives, and beside it unlabeled rows with a class prior of one's choice.

References
----------
Calvo, Larranaga & Lozano (2007). Learning Bayesian classifiers from positive and unlabeled examples.
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Annotated

from pydantic import Field

from scarce.config.block import Block, Once, Share, known
from scarce.config.names import Name
from scarce.labels.labelings.scar import flip_count
from scarce.labels.records import Impossible, LabelingSettings, Scenario, labeling

if TYPE_CHECKING:
    from scarce.labels.sample import Draw, Population, Sample

Count = Annotated[int, Field(ge=1)]


class Design(Block):
    """Sizes of the two samples and class priors; each combination is a scenario."""

    labeled: Annotated[list[Count], Once] = Field(min_length=1, description="numbers of labeled positives")
    unlabeled: Annotated[list[Count], Once] = Field(min_length=1, description="numbers of unlabeled rows")
    class_priors: Annotated[list[Share], Once] = Field(
        min_length=1, description="shares of positives among the unlabeled rows, in (0, 1)"
    )
    datasets: Annotated[list[Annotated[Name, known("data set of this study")]], Field(min_length=1), Once] | None = (
        Field(None, description="data sets that have these scenarios; by default all of the study")
    )


class CaseControl(LabelingSettings):
    """Labeled positives, and unlabeled rows with a class prior of one's choice."""

    designs: list[Design] = Field(min_length=1)

    def scenarios(self) -> list[Scenario]:
        designs: dict[tuple, list[Design]] = {}  # by combination of values; one can be of several designs
        for design in self.designs:
            for combination in itertools.product(design.labeled, design.unlabeled, design.class_priors):
                designs.setdefault(combination, []).append(design)
        return [self._scenario(*combination, _datasets(having)) for combination, having in designs.items()]

    @property
    def draws_rows(self) -> bool:
        return True

    @staticmethod
    def _scenario(labeled: int, unlabeled: int, prior: float, datasets: tuple[str, ...] | None) -> Scenario:
        return Scenario(
            name=f"l{labeled}-u{unlabeled}-p{prior:g}",
            label=f"{labeled:,} labeled, {unlabeled:,} unlabeled, class prior {prior:g}",
            labeling="case_control",
            scheme="two_sample",
            axes={"labeled": labeled, "unlabeled": unlabeled, "class_prior": prior},
            datasets=datasets,
        )


def _datasets(designs: list[Design]) -> tuple[str, ...] | None:
    """The data sets of some designs together."""
    if any(design.datasets is None for design in designs):
        return None
    return tuple(dict.fromkeys(name for design in designs for name in design.datasets))


@labeling("case_control", CaseControl)
def observe(population: Population, scenario: Scenario, draw: Draw) -> Sample:
    """Labeled positives first, then the unlabeled rows in random order: round(p Nu) positives, a half rounded up.

    Rows are drawn without replacement, and the two samples are disjoint, where there are enough rows. Otherwise only
    the draw that needs more rows is with replacement: of labeled positives, where the population has fewer positives;
    of unlabeled positives, from all positives, where it has fewer than both samples need together (a row may then
    stand in both); of negatives, where the population has fewer. The sample's note says so.

    Draws are paired over scenarios: without replacement, labeled positives are the head of one permutation, and
    unlabeled ones its tail.
    """
    import numpy as np

    labeled, unlabeled = (int(scenario.axes[key]) for key in ("labeled", "unlabeled"))
    hidden = flip_count(unlabeled, scenario.axes["class_prior"], "round")
    if not hidden:
        raise Impossible(f"no positive among the unlabeled rows: {scenario.label}")
    if hidden < unlabeled and population.y.all():
        raise Impossible("there is no negative row")
    # one stream for each draw, so that none depends on the size of another
    streams = [np.random.RandomState([draw.seed("samples"), place]) for place in range(6)]
    positives, negatives = (streams[label].permutation(np.flatnonzero(population.y == label)) for label in (1, 0))
    draws = (
        ("labeled positives", positives, labeled, labeled),
        ("unlabeled positives", positives[::-1], hidden, labeled + hidden),
        ("unlabeled negatives", negatives, unlabeled - hidden, unlabeled - hidden),
    )
    samples, notes = [], []
    for (what, rows, size, needed), random in zip(draws, streams[2:5], strict=True):
        if needed <= len(rows):
            samples.append(rows[:size])
        else:
            samples.append(rows[random.randint(len(rows), size=size)])
            notes.append(f"{size} {what} are drawn with replacement from {len(rows)}")
    rows = np.concatenate([samples[0], streams[5].permutation(np.concatenate(samples[1:]))])
    s = np.repeat(np.array([1, 0], np.int8), [labeled, unlabeled])
    return population.sample(s, rows, note="; ".join(notes))
