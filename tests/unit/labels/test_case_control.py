"""Case-control samples: exact counts, disjoint where there are enough rows, with replacement only where needed."""

from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scarce.labels.labelings.case_control import CaseControl
from scarce.labels.make import make_labels
from scarce.labels.protocols.transductive import Transductive

OPTIONS = SimpleNamespace(seeds="axes", flip_count="ceil", class_prior="train_true")


def make(y, *scenarios, seeds="axes", repeats=3):
    """Labels of scenarios (labeled, unlabeled, class prior), each evaluated on its unlabeled rows."""
    made = []
    for labeled, unlabeled, prior in scenarios:
        design = {"labeled": [labeled], "unlabeled": [unlabeled], "class_priors": [prior]}
        (scenario,) = CaseControl.model_validate({"designs": [design]}).scenarios()
        options = SimpleNamespace(**vars(OPTIONS) | {"seeds": seeds})
        made.append(
            make_labels(
                y, scenario=scenario, split=Transductive(), repeats=repeats, options=options, study_seed=0, dataset="d"
            )
        )
    return made


def rows(positives, negatives, seed=0):
    return np.random.RandomState(seed).permutation(np.repeat([1, 0], [positives, negatives]))


@settings(max_examples=60, deadline=None)
@given(
    positives=st.integers(1, 40),
    negatives=st.integers(1, 40),
    labeled=st.integers(1, 50),
    unlabeled=st.integers(1, 80),
    prior=st.floats(0.01, 0.99),
    seeds=st.sampled_from(["axes", "paper"]),
)
def test_counts_are_exact_and_rows_repeat_only_where_they_must(positives, negatives, labeled, unlabeled, prior, seeds):
    y = rows(positives, negatives)
    hidden = int(prior * unlabeled + 0.5)
    for one in make(y, (labeled, unlabeled, prior), seeds=seeds)[0]:
        if not hidden:
            assert "no positive" in one.skipped
            continue
        case, control = one.train[one.s == 1], one.train[one.s == 0]
        assert (len(case), len(control), y[control].sum()) == (labeled, unlabeled, hidden)
        assert y[case].all()
        assert one.scheme == "two_sample"
        assert one.class_prior == hidden / unlabeled
        assert one.test.tolist() == control.tolist()
        drawn = {
            "labeled positives": (case, labeled <= positives),
            "unlabeled positives": (control[y[control] == 1], labeled + hidden <= positives),
            "unlabeled negatives": (control[y[control] == 0], unlabeled - hidden <= negatives),
        }
        for what, (sample, enough) in drawn.items():
            assert (f" {what} " in one.note) is not enough
            assert len({*sample}) == len(sample) or not enough
        if labeled + hidden <= positives:
            assert not {*case} & {*control}


def test_samples_are_nested_over_sizes_and_priors():
    small, more_labeled, more_unlabeled, higher = make(
        rows(300, 900), (20, 200, 0.1), (60, 200, 0.1), (20, 400, 0.1), (20, 200, 0.4)
    )
    for a, b, c, d in zip(small, more_labeled, more_unlabeled, higher, strict=True):
        case = {*a.train[a.s == 1]}
        assert case < {*b.train[b.s == 1]}
        assert case == {*c.train[c.s == 1]} == {*d.train[d.s == 1]}
        control = {*a.train[a.s == 0]}
        assert control == {*b.train[b.s == 0]}
        assert control < {*c.train[c.s == 0]}
        assert len(control - {*d.train[d.s == 0]}) == 60, "only negatives that make room for positives"


def test_a_row_can_stand_in_both_samples_with_different_labels():
    for one in make(rows(10, 100), (8, 50, 0.5))[0]:
        both = {*one.train[one.s == 1]} & {*one.train[one.s == 0]}
        assert both
        assert one.note == "25 unlabeled positives are drawn with replacement from 10"


def test_the_order_of_unlabeled_rows_says_nothing_of_their_class():
    y = rows(500, 500)
    means = [y[one.train[one.s == 0]][:100].mean() for one in make(y, (100, 400, 0.5), repeats=30)[0]]
    assert abs(np.mean(means) - 0.5) < 0.05


@pytest.mark.parametrize("seeds", ["axes", "paper"])
def test_only_the_class_of_a_row_counts(seeds):
    """Permute the rows: the samples change their rows, and keep all that is known of them."""
    y = rows(40, 100)
    (one,) = make(y, (10, 50, 0.3), seeds=seeds)
    (other,) = make(np.random.RandomState(1).permutation(y), (10, 50, 0.3), seeds=seeds)
    for a, b in zip(one, other, strict=True):
        assert (a.class_prior, a.label_share, a.note) == (b.class_prior, b.label_share, b.note)
        np.testing.assert_array_equal(a.s, b.s)
    (again,) = make(y, (10, 50, 0.3), seeds=seeds)
    assert all(np.array_equal(a.train, b.train) for a, b in zip(one, again, strict=True))
    assert not np.array_equal(one[0].train, one[1].train)


def test_a_design_is_every_combination_of_its_values():
    designs = [
        {"labeled": [100, 1000], "unlabeled": [1000], "class_priors": [0.1, 0.5]},
        {"labeled": [100], "unlabeled": [1000], "class_priors": [0.1, 0.01]},
    ]
    scenarios = CaseControl.model_validate({"designs": designs}).scenarios()
    assert [scenario.name for scenario in scenarios] == [
        "l100-u1000-p0.1", "l100-u1000-p0.5", "l1000-u1000-p0.1", "l1000-u1000-p0.5", "l100-u1000-p0.01",
    ]  # fmt: skip
    assert scenarios[2].label == "1,000 labeled, 1,000 unlabeled, class prior 0.1"
    assert scenarios[2].axes == {"labeled": 1000, "unlabeled": 1000, "class_prior": 0.1}
