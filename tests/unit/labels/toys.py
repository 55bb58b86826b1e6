"""Labelings and protocols of the kinds that papers need, as a paper's folder would register them.

Nothing of the shared code knows them. `registered` puts them into the registries for the time of a test.
"""

from __future__ import annotations

import contextlib
from typing import Literal
from unittest import mock

import numpy as np
from pydantic import Field

from scarce.config.block import Share
from scarce.labels.records import LABELINGS, PROTOCOLS, LabelingSettings, Scenario, SplitSettings, labeling, protocol
from scarce.labels.sample import Parts
from scarce.labels.splits import split_off


class ShareOfPositives(LabelingSettings):
    """A share of the positives is labeled: prefixes of one permutation (ienco2016)."""

    shares: list[Share]

    def scenarios(self):
        return [
            Scenario(name=f"labeled-{100 * share:g}", label=f"{share:.0%}", labeling="toy_share", axes={"share": share})
            for share in self.shares
        ]


class TwoSample(LabelingSettings):
    """Labeled rows drawn from the positives; all rows, these included, are unlabeled (wilton2022)."""

    labeled: int

    def scenarios(self):
        return [Scenario(name="two", label="two", labeling="toy_two_sample", settings=self.model_dump())]


class Selected(LabelingSettings):
    """Labels observed with a probability that grows with the first feature (SAR)."""

    def scenarios(self):
        return [Scenario(name="selected", label="selected", labeling="toy_selected")]


class KFold(SplitSettings):
    """Each fold tests once in `folds` repeats; the labels of the other folds are hidden after the split."""

    plan: Literal["toy_k_fold"] = "toy_k_fold"
    folds: int = Field(5, ge=2)

    @property
    def repeats_multiple_of(self):
        return self.folds


class GivenTest(SplitSettings):
    """The data set's own test part (group 1) tests in all repeats."""

    plan: Literal["toy_given"] = "toy_given"


def _register() -> None:
    @labeling("toy_share", ShareOfPositives)
    def share(population, scenario, draw):
        positives = np.random.RandomState(draw.seed("share")).permutation(np.flatnonzero(population.y))
        s = np.zeros(len(population), np.int8)
        s[positives[: max(1, round(scenario.axes["share"] * len(positives)))]] = 1
        return population.sample(s)

    @labeling("toy_two_sample", TwoSample, draws_rows=True)
    def two_sample(population, scenario, draw):
        n = scenario.settings["labeled"]
        labeled = np.random.RandomState(draw.seed("draw")).choice(np.flatnonzero(population.y), n, replace=False)
        s = np.repeat(np.array([1, 0], np.int8), [n, len(population)])
        return population.sample(s, np.r_[labeled, np.arange(len(population))], "two_sample")

    @labeling("toy_selected", Selected, needs_features=True)
    def selected(population, scenario, draw):
        propensity = 0.2 + 0.7 * (population.X[:, 0] > 0)
        observed = np.random.RandomState(draw.seed("selected")).random_sample(len(population)) < propensity
        s = (observed & (population.y == 1)).astype(np.int8)
        return population.sample(s, propensity=propensity)

    @protocol(KFold)
    def k_fold(population, settings, observe, draw):
        turn = draw.repeat % settings.folds
        rest, test = np.arange(len(population)), None
        for fold in range(turn + 1):  # fold after fold is split off what is left
            share, seed = 1 / (settings.folds - fold), draw.seed(f"fold {fold}", draw.repeat - turn)
            if share == 1:
                test = rest
            else:
                kept, taken = split_off(population.y[rest], share, seed)
                rest, test = rest[kept], rest[taken]
        training = np.setdiff1d(np.arange(len(population)), test)
        return Parts(observe(population.take(training)).within(training), test)

    @protocol(GivenTest)
    def given(population, settings, observe, draw):
        training, test = np.flatnonzero(population.groups == 0), np.flatnonzero(population.groups == 1)
        return Parts(observe(population.take(training)).within(training), test)


@contextlib.contextmanager
def registered():
    """The registries with the toys in them."""
    with mock.patch.dict(LABELINGS), mock.patch.dict(PROTOCOLS):
        _register()
        yield
