"""The labeling `observed`: the class column is what is observed, in one sample or two."""

from types import SimpleNamespace

import numpy as np
import pytest

from scarce.labels.labelings.observed import Observed
from scarce.labels.make import make_labels
from scarce.labels.records import LABELINGS, read_split
from scarce.scoring.collect import Repeat

S = np.repeat([1, 0], [30, 170])


def labels(scheme="one_sample", prior=0.4, **split):
    (scenario,) = Observed(scheme=scheme).scenarios()
    options = SimpleNamespace(seeds="axes", class_prior=prior, flip_count="ceil")
    return make_labels(
        S, scenario=scenario, split=read_split({"plan": "holdout"} | split), repeats=3, options=options, study_seed=0,
        dataset="d",
    )  # fmt: skip


@pytest.mark.parametrize("scheme", ["one_sample", "two_sample"])
def test_the_class_column_is_the_observed_label(scheme):
    for one in labels(scheme):
        assert not one.skipped and one.scheme == scheme and one.class_prior == 0.4
        np.testing.assert_array_equal(one.s, S[one.train])
        assert S[one.test].any() and not S[one.test].all()


def test_an_estimated_prior_is_left_to_a_later_stage():
    assert all(np.isnan(one.class_prior) and not one.skipped for one in labels(prior="estimated:tice"))


def test_a_prior_below_the_share_of_labeled_rows_is_impossible_in_one_sample_only():
    assert all("below the share of labeled rows" in one.skipped for one in labels(prior=0.1))
    assert not any(one.skipped for one in labels("two_sample", prior=0.1))


@pytest.mark.parametrize("plan", [{"plan": "five_by_two"}, {"plan": "k_fold"}])
def test_it_goes_with_every_plan_whose_test_rows_are_labeled(plan):
    (scenario,) = Observed().scenarios()
    options = SimpleNamespace(seeds="axes", class_prior=0.4, flip_count="ceil")
    split = read_split(plan)
    made = make_labels(
        S, scenario=scenario, split=split, repeats=split.repeats_multiple_of, options=options, study_seed=0, dataset="d"
    )
    assert all(S[one.test].any() for one in made)


def test_nothing_that_is_scored_holds_the_column_as_the_truth():
    repeat = Repeat.of(labels()[0], S, truth_known=LABELINGS["observed"].truth_known)
    assert set(repeat.y_test) == set(repeat.y_validation) == {-1}
    assert np.isnan(repeat.about["n_hidden"]) and repeat.about["n_labeled"] == labels()[0].s.sum()
    np.testing.assert_array_equal(repeat.s_test, S[labels()[0].test])
