"""Folds: each row tests once in a round, and each class is spread evenly."""

from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scarce.labels.labelings.none import NoneHidden
from scarce.labels.labelings.share_of_positives import ShareOfPositives
from scarce.labels.make import make_labels
from scarce.labels.protocols.k_fold import KFold


def make(y, folds, repeats, labeling=NoneHidden(), seeds="axes", place=0):  # noqa: B008
    options = SimpleNamespace(seeds=seeds, flip_count="ceil", class_prior="train_true")
    return make_labels(
        y, scenario=labeling.scenarios()[place], split=KFold(folds=folds, validation_size=0), repeats=repeats,
        options=options, study_seed=0, dataset="d",
    )  # fmt: skip


def rows(positives, negatives):
    return np.random.RandomState(0).permutation(np.repeat([1, 0], [positives, negatives]))


@settings(max_examples=40, deadline=None)
@given(
    folds=st.integers(2, 10),
    positives=st.integers(10, 40),
    negatives=st.integers(0, 60),
    seeds=st.sampled_from(["axes", "paper"]),
)
def test_each_row_tests_once_in_a_round_and_classes_are_spread_evenly(folds, positives, negatives, seeds):
    y = rows(positives, negatives)
    labels = make(y, folds, 2 * folds, seeds=seeds)
    rounds = [labels[:folds], labels[folds:]]
    for one_round in rounds:
        assert sorted(np.concatenate([one.test for one in one_round])) == list(range(len(y)))
        for label in (0, 1):
            counts = [(y[one.test] == label).sum() for one in one_round]
            assert max(counts) - min(counts) <= 1
        sizes = [len(one.test) for one in one_round]
        assert max(sizes) - min(sizes) <= 1
        for one in one_round:
            assert sorted([*one.train, *one.test]) == list(range(len(y)))
    assert any({*a.test} != {*b.test} for a, b in zip(*rounds, strict=True))


def test_a_fold_without_a_positive_is_skipped():
    labels = make(rows(3, 40), 5, 5)
    assert sorted(one.skipped for one in labels) == [""] * 3 + ["no positive among the test rows"] * 2


@pytest.mark.parametrize("seeds", ["axes", "paper"])
def test_labeled_rows_are_a_share_of_the_training_positives_nested_over_shares(seeds):
    y, labeling = rows(45, 100), ShareOfPositives(shares=[0.3, 0.4, 0.5])
    for scenarios in zip(*(make(y, 10, 10, labeling, seeds, place) for place in range(3)), strict=True):
        labeled = [{*one.train[one.s == 1]} for one in scenarios]
        assert labeled[0] < labeled[1] < labeled[2]
        for share, one, case in zip((0.3, 0.4, 0.5), scenarios, labeled, strict=True):
            assert len(case) == int(share * y[one.train].sum() + 0.5)
            assert y[[*case]].all()


def test_a_share_reads_decimals_as_they_are_written():
    """A half is rounded up: 0.145 of 100 is 14.5, though in binary arithmetic it is less."""
    for share, positives, labeled in ((0.3, 5, 2), (0.35, 10, 4), (0.145, 100, 15), (0.5, 1, 1)):
        one = make(rows(2 * positives, 20), 2, 2, ShareOfPositives(shares=[share]))[0]
        assert one.s.sum() == labeled


def test_a_share_without_a_row_is_skipped():
    for one in make(rows(2, 20), 2, 2, ShareOfPositives(shares=[0.3])):
        assert "no labeled positive" in one.skipped


def test_scenarios_of_shares():
    (scenario,) = ShareOfPositives(shares=[0.3]).scenarios()
    assert (scenario.name, scenario.label) == ("labeled-30", "30 % of the positives labeled")
    assert scenario.axes == {"label_frequency": 0.3}
