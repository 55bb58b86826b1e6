"""A labels file: what it gives back, what it does not hold, and which contents are refused."""

import numpy as np
import pytest

from scarce.labels.file import PADDED, PLAIN, Labels, RepeatLabels
from scarce.labels.sample import Parts, Population, Sample

ROWS = np.array([4, 7, 4, 1], np.int32)


def one(repeat=0, **changes):
    parts = {
        "train": ROWS,  # row 4 twice: in the labeled and in the unlabeled sample
        "s": np.array([1, 0, 0, 0], np.int8),
        "fit": np.array([0, 1], np.int32),
        "validation": np.array([2], np.int32),
        "test": np.array([7, 4, 1], np.int32),
        "propensity": np.array([0.5, 0.25, 0.5, 1]),
        "scheme": "two_sample",
        "note": "a note",
    }
    return RepeatLabels(repeat, 0.25, 0.125, 11, **parts | changes)


LABELS = Labels([one(), RepeatLabels(1, np.nan, np.nan, 12, skipped="a reason"), one(2, propensity=np.empty(0))])


def same(a, b):
    return all(
        getattr(a, name).dtype == getattr(b, name).dtype and np.array_equal(getattr(a, name), getattr(b, name))
        for name in PADDED
        if len(getattr(a, name))
    ) and all(getattr(a, name) == getattr(b, name) or a.skipped for name in PLAIN)


def test_the_file_gives_back_what_was_saved(tmp_path):
    LABELS.save(tmp_path / "a.npz")
    loaded = Labels.load(tmp_path / "a.npz")
    assert len(loaded) == 3
    assert all(same(a, b) for a, b in zip(LABELS, loaded, strict=True))
    assert loaded[1].skipped == "a reason"
    assert len(loaded[1].train) == 0
    assert loaded[0].s[loaded[0].validation].tolist() == [0]
    assert loaded[0].train[loaded[0].validation].tolist() == [4]
    loaded.save(tmp_path / "b.npz")
    assert (tmp_path / "a.npz").read_bytes() == (tmp_path / "b.npz").read_bytes()


Y = np.array([0, 1, 0, 0, 1, 0, 0, 0], np.int8)


def test_an_oracle_sees_the_unlabeled_sample_with_its_true_labels():
    oracle = LABELS.with_true_labels(Y)[0]
    assert (oracle.train.tolist(), oracle.s.tolist(), oracle.scheme) == ([7, 4, 1], [0, 1, 1], "one_sample")
    assert oracle.train[oracle.fit].tolist() == [7]
    assert oracle.train[oracle.validation].tolist() == [4]
    assert oracle.class_prior == oracle.label_share == pytest.approx(2 / 3)
    assert same(LABELS.with_true_labels(Y)[1], LABELS[1]), "a skipped repeat stays"


def test_an_oracle_sees_one_sample_whole():
    oracle = one(scheme="one_sample").with_true_labels(Y)
    assert (oracle.train.tolist(), oracle.s.tolist()) == (ROWS.tolist(), [1, 0, 1, 1])
    assert oracle.validation.tolist() == [2]
    assert len(one(fit=np.array([0]), scheme="two_sample").with_true_labels(Y).validation) == 0


def test_the_file_holds_no_true_labels(tmp_path):
    LABELS.save(tmp_path / "a.npz")
    with np.load(tmp_path / "a.npz") as archive:
        assert {*archive.files} == {*PADDED, *PLAIN} - {"scheme"} | {"setting"}


def test_no_repeats_make_a_file(tmp_path):
    Labels([]).save(tmp_path / "a.npz")
    assert len(Labels.load(tmp_path / "a.npz")) == 0


@pytest.mark.parametrize(
    ("changes", "match"),
    [
        ({"s": np.array([1, 0, 0])}, "4 rows but 3 observed labels"),
        ({"s": np.array([1, 0, 0, 2])}, "0 or 1"),
        ({"s": np.array([1, 0, 0, -1])}, "0 or 1"),
        ({"fit": np.array([0, 4])}, "positions into 4 training rows"),
        ({"validation": np.array([-1])}, "positions into 4 training rows"),
        ({"validation": np.array([1])}, "named twice"),
        ({"fit": np.array([0, 0])}, "named twice"),
        ({"validation": np.empty(0, int)}, "both"),
        ({"train": np.array([4, 7, -1, 1])}, "negative"),
        ({"test": np.array([-1])}, "negative"),
        ({"scheme": "three_sample"}, "scheme"),
        ({"propensity": np.array([0.5, 0.5])}, "4 rows but 2 propensities"),
        ({"propensity": np.array([0.5, 0.5, 0.5, 1.5])}, "propensities"),
        ({"propensity": np.array([0.5, 0.5, 0.5, np.nan])}, "propensities"),
    ],
)
def test_arrays_that_do_not_fit_together_are_refused(changes, match):
    with pytest.raises(ValueError, match=match):
        one(**changes)


@pytest.mark.parametrize("prior", [0.0, -0.1, 1.1])
def test_a_class_prior_outside_its_range_is_refused(prior):
    with pytest.raises(ValueError, match="class_prior"):
        RepeatLabels(0, prior, 0.1, 0)


def test_repeats_are_numbered_in_order():
    with pytest.raises(ValueError, match="numbered"):
        Labels([one(1)])


def test_test_rows_train_only_where_they_are_unlabeled_and_the_protocol_says_so():
    train = Sample(ROWS, np.array([0, 1, 0, 0], np.int8))
    with pytest.raises(ValueError, match="both"):
        Parts(train, np.array([9, 1]))
    with pytest.raises(ValueError, match="unlabeled"):
        Parts(train, np.array([4, 7]), transductive=True)
    assert len(Parts(train, np.array([4, 1]), transductive=True).test) == 2


def test_a_sample_keeps_its_labels_where_rows_get_other_names():
    population = Population(np.array([1, 1, 0, 0]), test_part=np.array([0, 1, 0, 1])).take(np.array([3, 1, 0]))
    assert population.y.tolist() == [0, 1, 1]
    assert population.test_part.tolist() == [1, 1, 0]
    assert population.X is None
    sample = population.sample(np.array([1, 0], np.int8), np.array([2, 1]), propensity=np.array([0.3, 0.4]))
    renamed = sample.within(np.array([3, 1, 0])).take(np.array([1]))
    assert (renamed.rows.tolist(), renamed.s.tolist(), renamed.propensity.tolist()) == ([1], [0], [0.4])
