"""The class prior among the unlabeled rows, from that of all rows."""

from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scarce.config.placeholders import fill


def unlabeled_prior(s, class_prior, scheme="one_sample"):
    s = np.array(s)
    labels = SimpleNamespace(s=s, class_prior=class_prior, label_share=float(s.mean()), scheme=scheme)
    return fill({"prior": "$unlabeled_prior"}, SimpleNamespace(labels=labels))["prior"]


@given(labeled=st.integers(0, 50), hidden=st.integers(1, 50), negatives=st.integers(1, 50))
def test_with_one_sample_it_is_the_share_of_positives_among_the_unlabeled_rows(labeled, hidden, negatives):
    s = np.repeat([1, 0], [labeled, hidden + negatives])
    prior = (labeled + hidden) / len(s)
    assert unlabeled_prior(s, prior) == pytest.approx(hidden / (hidden + negatives))


@given(prior=st.floats(0.001, 1), labeled=st.integers(1, 30), unlabeled=st.integers(1, 30))
def test_it_is_the_class_prior_with_two_samples_and_a_probability_with_one(prior, labeled, unlabeled):
    s = np.repeat([1, 0], [labeled, unlabeled])
    assert unlabeled_prior(s, prior, "two_sample") == prior
    assert 0 < unlabeled_prior(s, prior) < 1


@pytest.mark.parametrize(("class_prior", "expected"), [(0.2, 0.5 / 8), (0.1, 0.5 / 8), (1.0, 1 - 0.5 / 8)])
def test_a_prior_that_leaves_no_class_among_the_unlabeled_rows_leaves_half_a_row(class_prior, expected):
    """Two of ten rows are labeled."""
    assert unlabeled_prior([1, 1] + [0] * 8, class_prior) == expected
