"""Two repeats share a shuffle and swap its halves; nothing is hidden."""

from types import SimpleNamespace

import numpy as np
import pytest

from scarce.labels.labelings.none import NoneHidden
from scarce.labels.labelings.scar import Scar
from scarce.labels.make import make_labels
from scarce.labels.protocols.five_by_two import FiveByTwo

Y = (np.arange(301) % 14 == 3).astype(np.int8)
OPTIONS = SimpleNamespace(seeds="axes", flip_count="ceil", class_prior="train_true")


def make(y=Y, repeats=10, dataset="d", labeling=NoneHidden(), **options):  # noqa: B008
    (scenario,) = labeling.scenarios()
    return make_labels(
        y,
        scenario=scenario,
        split=FiveByTwo(validation_size=0.0),
        repeats=repeats,
        options=SimpleNamespace(**vars(OPTIONS) | options),
        study_seed=0,
        dataset=dataset,
    )


@pytest.mark.parametrize("seeds", ["axes", "paper"])
def test_halves_are_swapped_within_a_pair_and_drawn_anew_between_pairs(seeds):
    made = make(seeds=seeds)
    halves = set()
    for r in range(0, 10, 2):
        one, two = made.repeat(r), made.repeat(r + 1)
        assert one.train.tolist() == two.test.tolist()
        assert one.test.tolist() == two.train.tolist()
        assert sorted([*one.train, *one.test]) == list(range(len(Y)))
        halves.add(tuple(sorted(one.train)))
    assert len(halves) == 5


def test_halves_are_stratified():
    for one in make():
        assert abs(Y[one.train].sum() - Y[one.test].sum()) <= 1
        assert abs(len(one.train) - len(one.test)) <= 1


def test_every_label_is_observed_and_no_threshold_is_chosen():
    for one in make():
        np.testing.assert_array_equal(one.s, Y[one.train])
        assert not len(one.fit)
        assert not len(one.validation)
        assert one.note == one.skipped == ""
        assert one.class_prior == one.label_share == Y[one.train].mean()


def test_fewer_repeats_are_the_first_ones():
    for few, many in zip(make(repeats=4), make(), strict=False):
        np.testing.assert_array_equal(few.train, many.train)
        assert few.seed == many.seed


def test_one_positive_cannot_be_halved():
    made = make(np.eye(1, 40, 7, dtype=np.int8)[0], repeats=2)
    assert all("single row" in one.skipped or "no positive" in one.skipped for one in made)


def test_hidden_labels_leave_the_halves_as_they_are():
    for hidden, shown in zip(make(labeling=Scar(flip_ratios=[0.5])), make(), strict=True):
        np.testing.assert_array_equal(hidden.train, shown.train)
        np.testing.assert_array_equal(hidden.test, shown.test)
        assert hidden.s.sum() == Y[hidden.train].sum() // 2
