"""What every registered plan promises, under every registered labeling, on small data of every shape.

A plan or a labeling that is registered and has no entry here fails: state its settings, and what it promises.
"""

import math
from collections import Counter
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scarce.labels.make import make_labels
from scarce.labels.records import LABELINGS, PROTOCOLS, read_labeling, read_split

#: Settings of each labeling that a few rows allow.
LABELED = {
    "scar": {"flip_ratios": [0.25, 0.5]},
    "sar": {
        "flip_ratios": [0.5],
        "propensities": [{"constant": {}}, {"product": {"attributes": 1}}, {"posterior": {}}],
    },
    "none": {},
    "observed": {"scheme": "one_sample"},
    "share_of_positives": {"shares": [0.5]},
    "two_sample": {"labeled": 2},
    "case_control": {"designs": [{"labeled": [3], "unlabeled": [20], "class_priors": [0.3]}]},
}
#: Settings of each plan; `PROMISES` has the check of repeats that belong together.
PLANS = {
    "holdout": [{"test_size": 0.3}, {"test_size": 0.5, "subsample": 15}],
    "five_by_two": [{}, {"validation_size": 0.0}],
    "k_fold": [{"folds": 2}, {"folds": 5, "validation_size": 0.3}],
    "given": [{"test_size": 0.25}, {"test_size": 0.25, "resample": True}],
    "transductive": [{}],
    "group_holdout": [{"test_size": 0.3}],
    "group_k_fold": [{"folds": 2}, {"folds": 4, "validation_size": 0.0}],
    "time_holdout": [{"test_size": 0.3}, {"test_size": 0.5, "origins": 3}],
}
COMBINATIONS = [
    pytest.param(name, plan, split, id=f"{name}-{plan}-{place}")
    for name, record in LABELINGS.items()
    for plan in PROTOCOLS
    if not (read_labeling({name: LABELED[name]})[name].draws_rows and PROTOCOLS[plan].hides_first)
    and not (PROTOCOLS[plan].transductive and not record.truth_known)
    for place, split in enumerate(PLANS[plan])
]


def test_every_plan_and_every_labeling_is_here():
    assert (set(LABELED), set(PLANS), set(PROMISES)) == (set(LABELINGS), set(PROTOCOLS), set(PROTOCOLS))


@st.composite
def populations(draw):
    """True labels of 12 to 60 rows in any order, test parts of their own or none, groups, and times with ties."""
    n = draw(st.integers(12, 60))
    y = np.zeros(n, np.int8)
    y[: draw(st.integers(1, n))] = 1
    random = np.random.RandomState(draw(st.integers(0, 2**31)))
    test_part = (random.random_sample(n) < 0.3).astype(int) if draw(st.booleans()) else None
    group = random.randint(draw(st.integers(1, n)), size=n)
    time = random.randint(draw(st.integers(1, 2 * n)), size=n) / 4
    return random.permutation(y), {"test_part": test_part, "group": group, "time": time}


@pytest.mark.parametrize(("name", "plan", "split"), COMBINATIONS)
@settings(max_examples=12, deadline=None)
@given(population=populations(), seed=st.integers(0, 2**31), seeds=st.sampled_from(["axes", "paper"]))
def test_a_plan_keeps_its_promise(name, plan, split, population, seed, seeds):
    y, known = population
    chosen = read_split({"plan": plan} | split)
    size = chosen.repeats_multiple_of
    options = SimpleNamespace(seeds=seeds, flip_count="ceil", class_prior="train_true")
    for scenario in read_labeling({name: LABELED[name]})[name].scenarios():
        labels = make_labels(
            y, scenario=scenario, split=chosen, repeats=2 * size, options=options, study_seed=seed, dataset="d",
            X=np.arange(2.0 * len(y)).reshape(-1, 2), **known,
        )  # fmt: skip
        for first in range(0, len(labels), size):
            together = [one for one in labels[first : first + size] if not one.skipped]
            for one in together:
                _parts_of_a_repeat(one, y, chosen)
            PROMISES[plan](together, y, known, chosen, complete=len(together) == size)
        for one in labels:
            assert bool(one.skipped) == (not len(one.train)), "a repeat has rows, or the reason why it has none"


def _parts_of_a_repeat(one, y, chosen):
    """Promises of all plans."""
    assert one.s.any()
    assert y[one.train[one.s == 1]].all(), "a labeled row is positive"
    assert y[one.test].any()
    assert {*one.train, *one.test} <= {*range(len(y))}
    if chosen.chooses_thresholds and len(one.validation):
        assert sorted([*one.fit, *one.validation]) == list(range(len(one.train)))
        assert one.s[one.fit].any()
        assert y[one.train[one.validation]].any()
    else:
        assert len(one.fit) == len(one.validation) == 0
        assert not chosen.chooses_thresholds or "no validation rows" in one.note
    if not PROTOCOLS[chosen.plan].transductive:
        assert not {*one.train} & {*one.test}
        assert len({*one.test}) == len(one.test)
    if len({*one.train}) == len(one.train):
        assert not {*one.train[one.fit]} & {*one.train[one.validation]}


def _spread(counts):
    return max(counts) - min(counts)


def _holdout(repeats, y, known, chosen, *, complete):
    n = min(chosen.subsample or len(y), len(y))
    for one in repeats:
        assert len({*one.train, *one.test}) == len(one.train) + len(one.test) == n
        assert len(one.test) == math.ceil(chosen.test_size * n)
        # a subsample rounds once, and each of the three strata at most once
        assert abs(y[one.test].sum() - y.mean() * len(one.test)) <= 3


def _each_row_tests_once(repeats, y, known, chosen, *, complete):
    tested = np.concatenate([one.test for one in repeats] or [[]])
    assert len({*tested}) == len(tested)
    assert not complete or len(tested) == len(y)
    if repeats:
        assert _spread([len(one.test) for one in repeats]) <= 1
        assert _spread([y[one.test].sum() for one in repeats]) <= 1
        assert _spread([(1 - y[one.test]).sum() for one in repeats]) <= 1


def _given(repeats, y, known, chosen, *, complete):
    for one in repeats:
        if known["test_part"] is not None:
            assert sorted(one.test) == np.flatnonzero(known["test_part"]).tolist()
        else:
            assert len(one.test) == math.ceil(chosen.test_size * len(y))
            assert abs(y[one.test].sum() - y.mean() * len(one.test)) <= 1


def _transductive(repeats, y, known, chosen, *, complete):
    for one in repeats:
        assert Counter(one.test.tolist()) == Counter(one.train[one.s == 0].tolist())


def _no_group_on_both_sides(one, group):
    assert not {*group[one.train]} & {*group[one.test]}
    assert not {*group[one.train[one.fit]]} & {*group[one.train[one.validation]]}


def _group_holdout(repeats, y, known, chosen, *, complete):
    group = known["group"]
    groups = len({*group})
    for one in repeats:
        _no_group_on_both_sides(one, group)
        assert len({*group[one.test]}) == min(math.ceil(chosen.test_size * groups), groups - 1)
        assert np.flatnonzero(np.isin(group, group[one.test])).tolist() == sorted(one.test)


def _group_k_fold(repeats, y, known, chosen, *, complete):
    for one in repeats:
        _no_group_on_both_sides(one, known["group"])
    tested = [known["group"][one.test] for one in repeats]
    assert sum(len({*groups}) for groups in tested) == len({*np.concatenate([*tested, []])})
    if complete:
        assert sorted(np.concatenate([one.test for one in repeats])) == list(range(len(y)))
        assert _spread([len({*groups}) for groups in tested]) <= 1


def _time_holdout(repeats, y, known, chosen, *, complete):
    time = known["time"]
    for one in repeats:
        assert time[one.train].max() < time[one.test].min()
        assert {*np.flatnonzero((time >= time[one.test].min()) & (time <= time[one.test].max()))} == {*one.test}
        if len(one.validation):
            assert time[one.train[one.fit]].max() < time[one.train[one.validation]].min()
    tested = np.concatenate([one.test for one in repeats] or [[]])
    assert len({*tested}) == len(tested)
    if complete:
        latest = np.sort(time)[-math.ceil(chosen.test_size * len(y))]
        assert sorted(tested) == np.flatnonzero(time >= latest).tolist()


PROMISES = {
    "holdout": _holdout,
    "five_by_two": _each_row_tests_once,
    "k_fold": _each_row_tests_once,
    "given": _given,
    "transductive": _transductive,
    "group_holdout": _group_holdout,
    "group_k_fold": _group_k_fold,
    "time_holdout": _time_holdout,
}
