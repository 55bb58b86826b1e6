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
}
COMBINATIONS = [
    pytest.param(name, plan, split, id=f"{name}-{plan}-{place}")
    for name, record in LABELINGS.items()
    for plan in PROTOCOLS
    if not (record.draws_rows and PROTOCOLS[plan].hides_first)
    and not (PROTOCOLS[plan].transductive and not record.truth_known)
    for place, split in enumerate(PLANS[plan])
]


def test_every_plan_and_every_labeling_is_here():
    assert (set(LABELED), set(PLANS), set(PROMISES)) == (set(LABELINGS), set(PROTOCOLS), set(PROTOCOLS))


@st.composite
def populations(draw):
    """True labels of 12 to 60 rows in any order, and test parts of their own or none."""
    n = draw(st.integers(12, 60))
    y = np.zeros(n, np.int8)
    y[: draw(st.integers(1, n))] = 1
    random = np.random.RandomState(draw(st.integers(0, 2**31)))
    groups = (random.random_sample(n) < 0.3).astype(int) if draw(st.booleans()) else None
    return random.permutation(y), groups


@pytest.mark.parametrize(("name", "plan", "split"), COMBINATIONS)
@settings(max_examples=12, deadline=None)
@given(population=populations(), seed=st.integers(0, 2**31), seeds=st.sampled_from(["axes", "paper"]))
def test_a_plan_keeps_its_promise(name, plan, split, population, seed, seeds):
    y, groups = population
    chosen = read_split({"plan": plan} | split)
    size = chosen.repeats_multiple_of
    options = SimpleNamespace(seeds=seeds, flip_count="ceil", class_prior="train_true")
    for scenario in read_labeling({name: LABELED[name]})[name].scenarios():
        labels = make_labels(
            y, scenario=scenario, split=chosen, repeats=2 * size, options=options, study_seed=seed, dataset="d",
            X=np.arange(2.0 * len(y)).reshape(-1, 2), groups=groups,
        )  # fmt: skip
        for first in range(0, len(labels), size):
            together = [one for one in labels[first : first + size] if not one.skipped]
            for one in together:
                _parts_of_a_repeat(one, y, chosen)
            PROMISES[plan](together, y, groups, chosen, complete=len(together) == size)
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


def _holdout(repeats, y, groups, chosen, *, complete):
    n = min(chosen.subsample or len(y), len(y))
    for one in repeats:
        assert len({*one.train, *one.test}) == len(one.train) + len(one.test) == n
        assert len(one.test) == math.ceil(chosen.test_size * n)
        # a subsample rounds once, and each of the three strata at most once
        assert abs(y[one.test].sum() - y.mean() * len(one.test)) <= 3


def _each_row_tests_once(repeats, y, groups, chosen, *, complete):
    tested = np.concatenate([one.test for one in repeats] or [[]])
    assert len({*tested}) == len(tested)
    assert not complete or len(tested) == len(y)
    if repeats:
        assert _spread([len(one.test) for one in repeats]) <= 1
        assert _spread([y[one.test].sum() for one in repeats]) <= 1
        assert _spread([(1 - y[one.test]).sum() for one in repeats]) <= 1


def _given(repeats, y, groups, chosen, *, complete):
    for one in repeats:
        if groups is not None:
            assert sorted(one.test) == np.flatnonzero(groups).tolist()
        else:
            assert len(one.test) == math.ceil(chosen.test_size * len(y))
            assert abs(y[one.test].sum() - y.mean() * len(one.test)) <= 1


def _transductive(repeats, y, groups, chosen, *, complete):
    for one in repeats:
        assert Counter(one.test.tolist()) == Counter(one.train[one.s == 0].tolist())


PROMISES = {
    "holdout": _holdout,
    "five_by_two": _each_row_tests_once,
    "k_fold": _each_row_tests_once,
    "given": _given,
    "transductive": _transductive,
}
