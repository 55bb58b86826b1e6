"""What holds for every protocol with every labeling, those that a paper would bring included."""

from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scarce.labels.labelings.case_control import CaseControl
from scarce.labels.labelings.none import NoneHidden
from scarce.labels.labelings.scar import Scar
from scarce.labels.labelings.share_of_positives import ShareOfPositives
from scarce.labels.labelings.two_sample import TwoSample
from scarce.labels.make import make_labels
from scarce.labels.protocols.five_by_two import FiveByTwo
from scarce.labels.protocols.given import Given
from scarce.labels.protocols.holdout import Holdout
from scarce.labels.protocols.k_fold import KFold
from scarce.labels.protocols.transductive import Transductive
from scarce.labels.records import PROTOCOLS
from tests.unit.labels import toys


def case_control(labeled, unlabeled):
    design = {"labeled": [labeled], "unlabeled": [unlabeled], "class_priors": [0.2]}
    return CaseControl.model_validate({"designs": [design]})


KEEPING = [Scar(flip_ratios=[0.5]), NoneHidden(), ShareOfPositives(shares=[0.5]), toys.Selected()]
DRAWING = [
    case_control(6, 20),
    case_control(60, 90),
    TwoSample(labeled=6),
    Scar(flip_ratios=[0.5], scheme="two_sample"),
]
SPLITS = [Holdout(), Holdout(subsample=150), FiveByTwo(), KFold(folds=5), Transductive(), Given(validation_size=0)]
COMBINATIONS = [
    (labeling, split)
    for split in SPLITS
    for labeling in (KEEPING if isinstance(split, Holdout) else KEEPING + DRAWING)
    if (labeling, split) != (NoneHidden(), Transductive())
]


@pytest.fixture(autouse=True)
def registries():
    with toys.registered():
        yield


def data(n=200, seed=0):
    random = np.random.RandomState(seed)
    y = random.permutation((np.arange(n) % 5 == 0).astype(np.int8))
    return y, random.normal(size=(n, 2)), random.permutation(np.arange(n) % 4 == 0).astype(int)


def make(labeling, split, *, seed=0, repeats=10, seeds="axes", scenario=0, prior="train_true", data=data()):  # noqa: B008
    y, X, groups = data
    options = SimpleNamespace(seeds=seeds, flip_count="ceil", class_prior=prior)
    return make_labels(
        y, scenario=labeling.scenarios()[scenario], split=split, repeats=repeats, options=options, study_seed=seed,
        dataset="d", X=X, test_part=groups,
    )  # fmt: skip


def name_of(value):
    return type(value).__name__


@pytest.mark.parametrize(("labeling", "split"), COMBINATIONS, ids=name_of)
@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(seed=st.integers(0, 2**31), seeds=st.sampled_from(["axes", "paper"]))
def test_parts_are_valid_and_labels_are_those_of_the_rows(labeling, split, seed, seeds):
    sample = data(seed=seed % 7)
    y = sample[0]
    for one in make(labeling, split, seed=seed, seeds=seeds, repeats=5, data=sample):
        assert not one.skipped
        assert y[one.train[one.s == 1]].all(), "a labeled row is a positive"
        assert {*one.train, *one.test} <= {*range(len(y))}
        if split.plan == "transductive":
            assert {*one.test} == {*one.train[one.s == 0]}
        else:
            assert not {*one.train} & {*one.test}
        if getattr(split, "validation_size", 0):
            assert sorted([*one.fit, *one.validation]) == list(range(len(one.train)))
        else:
            assert len(one.fit) == len(one.validation) == 0
        assert one.scheme == ("two_sample" if labeling in DRAWING else "one_sample")
        counted = one.train[one.s == 0] if one.scheme == "two_sample" else one.train
        assert one.class_prior == y[counted].mean()
        assert one.label_share == one.s.mean()
        assert len(one.propensity) == (len(one.train) if isinstance(labeling, toys.Selected) else 0)


@pytest.mark.parametrize(("labeling", "split"), COMBINATIONS, ids=name_of)
def test_repeats_are_reproducible_and_their_number_changes_none(labeling, split):
    for one, other in zip(make(labeling, split), make(labeling, split, repeats=20), strict=False):
        np.testing.assert_array_equal(one.train, other.train)
        np.testing.assert_array_equal(one.s, other.s)
        np.testing.assert_array_equal(one.test, other.test)
    seeded = make(labeling, split, seed=1)
    assert any(
        not np.array_equal(one.train, other.train) or not np.array_equal(one.s, other.s)
        for one, other in zip(make(labeling, split), seeded, strict=True)
    ) or (split.plan, labeling) == ("given", NoneHidden())


@pytest.mark.parametrize("labeling", [*KEEPING, *DRAWING], ids=name_of)
@pytest.mark.parametrize("split", [FiveByTwo(), KFold(folds=2), KFold(folds=5)], ids=name_of)
def test_each_row_tests_once_in_a_group_of_repeats(labeling, split):
    labels, size = make(labeling, split), split.repeats_multiple_of
    for first in range(0, len(labels), size):
        tested = np.concatenate([one.test for one in labels[first : first + size]])
        assert sorted(tested) == list(range(200))


@pytest.mark.parametrize("split", [*SPLITS[:4]], ids=name_of)
@pytest.mark.parametrize("labeling", KEEPING, ids=name_of)
def test_classes_keep_their_proportion(labeling, split):
    y = data()[0]
    for one in make(labeling, split):
        # at most one row of each of the three strata moves a part away from its share
        for rows in (one.train, one.test, one.train[one.fit], one.train[one.validation]):
            assert abs(y[rows].sum() - 0.2 * len(rows)) <= 2


@pytest.mark.parametrize("split", [FiveByTwo(), KFold(), Transductive(), Given()], ids=name_of)
@pytest.mark.parametrize(
    "labeling", [Scar(flip_ratios=[0.75, 0.5, 0.25]), ShareOfPositives(shares=[0.25, 0.5, 0.75])], ids=name_of
)
def test_labeled_sets_are_nested_over_scenarios(labeling, split):
    few, some, many = (make(labeling, split, scenario=place) for place in range(3))
    for a, b, c in zip(few, some, many, strict=True):
        assert {*a.train[a.s == 1]} < {*b.train[b.s == 1]} < {*c.train[c.s == 1]}


@pytest.mark.parametrize(("labeling", "split"), COMBINATIONS, ids=name_of)
def test_features_move_no_label_unless_the_labeling_reads_them(labeling, split):
    """Only true labels, and groups where the protocol reads them, decide; rows are known by their position alone."""
    y, X, groups = data()
    plain, changed = make(labeling, split), make(labeling, split, data=(y, X[::-1], groups))
    same = all(
        np.array_equal(a.train, b.train) and np.array_equal(a.s, b.s) for a, b in zip(plain, changed, strict=True)
    )
    assert same is not isinstance(labeling, toys.Selected)


@pytest.mark.parametrize("split", [FiveByTwo(), KFold()], ids=name_of)
def test_rows_added_for_other_rows_of_their_class_change_only_their_names(split):
    """Exchange two rows of one class: nothing a protocol reads has changed."""
    y, X, groups = data()
    first, second = np.flatnonzero(y == 1)[:2]
    order = np.arange(len(y))
    order[[first, second]] = order[[second, first]]
    for one, other in zip(
        make(KEEPING[0], split), make(KEEPING[0], split, data=(y[order], X[order], groups[order])), strict=True
    ):
        np.testing.assert_array_equal(one.train, other.train)
        np.testing.assert_array_equal(one.s, other.s)


def test_a_row_trains_twice_with_both_labels_where_positives_are_inside_the_unlabeled():
    y = data()[0]
    for one in make(TwoSample(labeled=6), Given(validation_size=0)):
        twice = one.train[one.s == 1]
        assert {*twice} <= {*one.train[one.s == 0]}
        assert one.class_prior == y[one.train[6:]].mean() > one.s.mean()


def test_a_draw_with_replacement_repeats_rows():
    for one in make(DRAWING[1], Given(validation_size=0)):
        assert len(one.train) == 150 > len({*one.train})
        assert one.class_prior == 0.2


def test_a_sample_that_repeats_rows_is_never_split_into_training_and_test():
    assert TwoSample(labeled=30).draws_rows
    assert PROTOCOLS["holdout"].hides_first
    with pytest.raises(ValueError, match="both the training and the test part"):
        make(TwoSample(labeled=30), Holdout())


def test_without_a_hidden_label_nothing_tests():
    assert {one.skipped for one in make(NoneHidden(), Transductive())} == {
        "no positive among the unlabeled rows, which test"
    }


def test_too_few_rows_skip_the_repeat_with_the_reason():
    y, X, groups = data(20)
    y[:] = np.arange(20) == 3
    for one in make(KEEPING[0], Given(validation_size=0), data=(y, X, groups)):
        assert "positive" in one.skipped
        assert len(one.train) == 0
