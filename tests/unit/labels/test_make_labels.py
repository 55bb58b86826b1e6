"""Labels of a data set: the published order of operations, pairing over scenarios, and what tiny data give."""

from dataclasses import dataclass

import numpy as np
import pytest

from scarce.labels.make import make_labels
from scarce.labels.protocols.holdout import Holdout
from scarce.labels.protocols.transductive import Transductive
from scarce.labels.records import Scenario


@dataclass(frozen=True)
class Options:
    seeds: str = "paper"
    flip_count: str = "ceil"
    class_prior: str | float = "all_true"


Y = (np.arange(300) % 15 == 4).astype(np.int8)
TINY = np.r_[np.zeros(57, int), np.ones(3, int)]


def make(y=Y, ratio=0.5, *, factor=1, repeats=8, subsample=200, validation_size=0.5, seed=0, dataset="d", **options):
    return make_labels(
        y,
        scenario=Scenario(
            name="flip", label="Flip", labeling="scar", axes={"flip_ratio": ratio}, prior_factor=float(factor)
        ),
        split=Holdout(test_size=0.3, validation_size=float(validation_size), subsample=subsample),
        repeats=repeats,
        options=Options(**options),
        study_seed=seed,
        dataset=dataset,
    )


# Heads of the parts and all labeled rows, from an independent implementation of ortega2023's protocol
GOLDEN = {
    0: {
        "train": [280, 116, 221, 156, 256, 208],
        "test": [68, 294, 40, 281, 220, 144],
        "fit": [80, 194, 132, 299, 9, 221],
        "validation": [81, 118, 297, 296, 28, 69],
        "labeled": [19, 94, 139, 154, 229, 289],
    },
    7: {
        "train": [96, 170, 80, 33, 277, 281],
        "test": [9, 208, 146, 261, 244, 28],
        "fit": [299, 134, 131, 117, 58, 63],
        "validation": [294, 87, 286, 151, 49, 154],
        "labeled": [19, 79, 154, 244, 274, 289],
    },
}


@pytest.mark.parametrize("r", GOLDEN)
def test_paper_order_of_operations(r):
    one = make().repeat(r)
    rows = {"train": one.train, "test": one.test, "fit": one.train[one.fit], "validation": one.train[one.validation]}
    for part, ids in rows.items():
        assert ids[:6].tolist() == GOLDEN[r][part], part
    assert sorted(one.train[one.s == 1]) == sorted({*GOLDEN[r]["labeled"]} & {*one.train})
    assert [len(one.train), len(one.test), len(one.fit), len(one.validation)] == [140, 60, 70, 70]
    assert (one.class_prior, one.label_share, one.seed) == (0.065, 0.03, r)


def test_parts_are_disjoint_and_cover_the_subsample():
    for one in make():
        assert len({*one.train, *one.test}) == len(one.train) + len(one.test) == 200
        assert sorted([*one.fit, *one.validation]) == list(range(len(one.train)))


def test_without_subsample_all_rows_are_used_in_their_order():
    a, b = make(subsample=None), make(subsample=300)
    for one, other in zip(a, b, strict=True):
        assert np.array_equal(one.train, other.train)
        assert sorted([*one.train, *one.test]) == list(range(300))


def test_axes_pair_scenarios_and_nest_flips():
    low, high = make(ratio=0.25, seeds="axes", seed=5), make(ratio=0.75, seeds="axes", seed=5)
    for a, b in zip(low, high, strict=True):
        assert {*a.train, *a.test} == {*b.train, *b.test}
        # which rows train depends on the strata, and so on the flips: compare rows that train in both
        both = {*a.train} & {*b.train}
        assert {*b.train[b.s == 1]} & both < {*a.train[a.s == 1]} & both


@pytest.mark.parametrize("seeds", ["paper", "axes"])
def test_without_a_protocol_all_rows_train_with_labels_of_the_repeat(seeds):
    settings = {"scenario": Scenario(name="flip", label="Flip", labeling="scar", axes={"flip_ratio": 0.5})}
    settings |= {"repeats": 3, "options": Options(seeds, class_prior="train_true"), "study_seed": 0, "dataset": "d"}
    whole, transductive = (make_labels(Y, split=split, **settings) for split in (None, Transductive()))
    for one, other in zip(whole, transductive, strict=True):
        assert one.train.tolist() == list(range(300))
        assert one.s.tolist() == other.s.tolist()
        assert (one.s <= Y).all()
        assert (one.class_prior, one.label_share, one.seed) == (Y.mean(), one.s.mean(), other.seed)
        assert len(one.test) == len(one.fit) == len(one.validation) == 0


@pytest.mark.parametrize("other", [{"seed": 6}, {"dataset": "e"}])
def test_axes_change_with_study_seed_and_data_set(other):
    base = {"seeds": "axes", "seed": 5, "dataset": "d"}
    assert not np.array_equal(make(**base)[0].train, make(**base | other)[0].train)
    assert np.array_equal(make(**base, repeats=2)[1].train, make(**base)[1].train)


def test_class_prior_options():
    train_true = make(class_prior="train_true").repeat(0)
    assert train_true.class_prior == Y[train_true.train].mean()
    assert train_true.label_share == train_true.s.mean()
    assert make(class_prior=0.2).repeat(0).class_prior == 0.2


def test_prior_counts_labeled_rows_among_all_rows():
    """1000 rows, 100 positives, 25 labeled: 0.1, not 75/975."""
    one = make((np.arange(1000) % 10 == 0).astype(int), 0.75, subsample=None, repeats=1).repeat(0)
    assert (one.class_prior, one.label_share) == (0.1, 0.025)


@pytest.mark.parametrize("seeds", ["paper", "axes"])
@pytest.mark.parametrize("rule", ["ceil", "round", "floor"])
@pytest.mark.parametrize("ratio", [0.25, 0.5, 0.75])
def test_three_positives(ratio, rule, seeds):
    usable = 0
    for one in make(TINY, ratio, repeats=20, subsample=None, flip_count=rule, seeds=seeds):
        if one.skipped:
            assert len(one.train) == len(one.test) == len(one.validation) == 0
            assert np.isnan(one.class_prior)
            continue
        usable += 1
        assert one.s.any()
        assert TINY[one.test].any()
        if len(one.validation):
            assert one.s[one.fit].any()
            assert TINY[one.train[one.validation]].any()
        else:
            assert "no validation rows: " in one.note
    assert usable > 0 or (rule, ratio) == ("ceil", 0.75)


def test_reasons_of_skipped_repeats():
    assert {one.skipped for one in make(TINY, 0.75, subsample=None)} == {
        "no labeled positive is left: hiding 75% of 3 positives (ceil) hides 3"
    }
    assert {one.skipped for one in make(np.zeros(50, int))} == {"the data set has no positive row"}
    assert "no labeled positive among the training rows" in {
        one.skipped for one in make(TINY, 0.5, subsample=None, repeats=20)
    }


def test_coarser_strata_are_noted():
    note = make(TINY, 0.25, subsample=None).repeat(0).note
    assert "training/test split by true class only: a stratum has a single row" in note


def test_no_validation_where_the_plan_asks_for_none():
    one = make(validation_size=0).repeat(0)
    assert (len(one.fit), len(one.validation), one.note) == (0, 0, "")


def test_labels_other_than_0_and_1_are_refused():
    with pytest.raises(ValueError, match="0 or 1"):
        make(np.array([1, 2] * 50))


def test_a_factor_multiplies_the_prior_that_is_told_and_nothing_else():
    plain, double = make(class_prior="train_true")[1], make(class_prior="train_true", factor=2)[1]
    assert double.class_prior == pytest.approx(2 * plain.class_prior)
    for part in ("train", "test", "fit", "validation", "s", "label_share", "seed"):
        assert np.array_equal(getattr(plain, part), getattr(double, part)), part
    assert make(class_prior=0.2, factor=0.5).repeat(0).class_prior == 0.1


def test_a_prior_that_is_told_leaves_a_negative():
    assert make(class_prior=0.4, factor=10)[0].class_prior == 1 - 1 / 140


def test_an_estimated_prior_is_left_to_a_later_stage():
    made, known = make(class_prior="estimated:tice"), make(class_prior="train_true")
    assert np.isnan([one.class_prior for one in made]).all()
    assert [one.label_share for one in made] == [one.label_share for one in known]
    failed = np.array(["", "no class prior: why"] + [""] * 6)
    told = made.with_priors(np.linspace(0.1, 0.8, 8), failed, np.array(["why not"] + [""] * 7))
    assert told.repeat(0).note == "why not"
    assert told.repeat(2).note == ""
    assert told.repeat(0).class_prior == 0.1
    assert told.repeat(1).skipped == "no class prior: why"
    assert not told.repeat(2).skipped
