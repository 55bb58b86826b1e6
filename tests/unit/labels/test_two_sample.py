"""Two samples with P inside U, and data sets that have a test part of their own."""

from types import SimpleNamespace

import numpy as np
import pytest

from scarce.labels.labelings.two_sample import TwoSample
from scarce.labels.make import make_labels
from scarce.labels.protocols.given import Given

Y = np.random.RandomState(0).permutation(np.repeat([1, 0], [60, 140]))
PART = np.arange(200) >= 150


def make(labeled=20, groups=PART, prior="train_true", y=Y, repeats=4, seeds="axes", size=0.0, resample_p=True, **plan):
    (scenario,) = TwoSample(labeled=labeled, resample_p=resample_p).scenarios()
    options = SimpleNamespace(seeds=seeds, flip_count="ceil", class_prior=prior)
    return make_labels(
        y, scenario=scenario, split=Given(validation_size=size, **plan), repeats=repeats, options=options,
        study_seed=0, dataset="d", test_part=groups,
    )  # fmt: skip


def case(one):
    return {*one.train[one.s == 1].tolist()}


@pytest.mark.parametrize("seeds", ["axes", "paper"])
def test_labeled_rows_are_distinct_positives_and_all_training_rows_are_unlabeled(seeds):
    labels = make(seeds=seeds)
    for one in labels:
        assert one.test.tolist() == np.flatnonzero(PART).tolist()
        assert sorted(one.train[one.s == 0]) == np.flatnonzero(~PART).tolist()
        assert len(case(one)) == one.s.sum() == 20
        assert Y[[*case(one)]].all()
        assert one.scheme == "two_sample"
    assert len({frozenset(case(one)) for one in labels}) == 4


@pytest.mark.parametrize("prior", ["train_true", "all_true"])
def test_the_class_prior_is_the_share_of_positives_among_unlabeled_positions(prior):
    """All training rows are unlabeled, so it is that of the training rows, each counted once."""
    for one in make(prior=prior):
        assert one.class_prior == Y[~PART].mean() != Y[one.train].mean()
        assert one.label_share == 20 / 170


@pytest.mark.parametrize("seeds", ["axes", "paper"])
def test_p_can_be_the_same_in_all_repeats(seeds):
    for groups in (PART, None):
        labels = make(resample_p=False, groups=groups, seeds=seeds)
        assert len({frozenset(case(one)) for one in labels}) == 1
        assert len({tuple(one.train) for one in labels}) == 1
        assert len({one.seed for one in labels}) == 4, "methods still get a seed a repeat"


def test_fewer_positives_than_asked_for_skip_the_repeat():
    assert all("60 labeled positives" in one.skipped for one in make(labeled=60))


def test_validation_rows_that_fit_as_well_are_noted():
    for one in make(size=0.5):
        both = np.isin(one.train[one.validation], one.train[one.fit]).sum()
        assert both
        assert one.note == f"{both} of {len(one.validation)} validation rows fit as well"


@pytest.mark.parametrize("seeds", ["axes", "paper"])
def test_data_sets_without_a_test_part_are_split_once(seeds):
    labels = make(groups=None, seeds=seeds)
    assert len({tuple(one.test) for one in labels}) == 1
    assert len(labels[0].test) == 40
    assert Y[labels[0].test].sum() == 12
    assert len({tuple(one.test) for one in make(groups=None, seeds=seeds, resample=True)}) == 4
    assert len({tuple(one.test) for one in make(resample=True)}) == 1, "a test part of its own stays"
    assert len(make(groups=None, test_size=0.5)[0].test) == 100


def test_a_test_part_without_a_positive_is_said():
    assert {one.skipped for one in make(groups=Y == 0)} == {"no positive among the test rows"}
