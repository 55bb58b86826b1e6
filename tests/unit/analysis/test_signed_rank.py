"""The Bayesian signed-rank test against a loop over pairs and against cases with a closed form."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scarce.analysis.signed_rank import regions, signed_rank


def naive(differences, rope, seed, draws):
    """The same draws of the weights, and a loop over all pairs of observations."""
    observed = [0.0, *differences]
    shares = np.zeros(3)
    for weights in np.random.default_rng(seed).dirichlet([0.5, *np.ones(len(differences))], draws):
        sums = [0.0, 0.0, 0.0]
        for first, w in zip(observed, weights, strict=True):
            for second, v in zip(observed, weights, strict=True):
                total = first + second
                sums[0 if total > 2 * rope else 2 if total < -2 * rope else 1] += w * v
        largest = [one == max(sums) for one in sums]
        shares += np.array(largest) / sum(largest)
    return shares / draws


@settings(max_examples=15, deadline=None)
@given(st.lists(st.integers(-40, 40), min_size=1, max_size=6), st.integers(0, 5), st.integers(0, 9))
def test_it_equals_a_loop_over_pairs(tenths, rope, seed):
    differences = [one / 128 for one in tenths]  # exact in binary, so that means meet the ends of the rope
    fast = signed_rank(differences, rope=rope / 256, seed=seed, draws=60)
    assert fast == pytest.approx(naive(differences, rope / 256, seed, 60).tolist(), abs=1e-12)


def test_one_difference_far_above_the_rope():
    """All pairs but (0, 0) lie above: better where w0^2 < 1/2, and w0 is Beta(1/2, 1), so P = 2^(-1/4)."""
    better, equal, worse = signed_rank([1.0], rope=0.01, draws=200_000)
    assert better == pytest.approx(2**-0.25, abs=0.005)  # three standard errors of 0.0008, and more
    assert (equal, worse) == (pytest.approx(1 - better), 0)


def test_one_difference_whose_mean_with_zero_lies_in_the_rope():
    """Only the pair (1, 1) lies above: better where (1 - w0)^2 > 1/2, so P = (1 - 2^(-1/2))^(1/2)."""
    better, *_ = signed_rank([0.3], rope=0.2, draws=200_000)
    assert better == pytest.approx((1 - 2**-0.5) ** 0.5, abs=0.005)


def test_no_difference_is_equal_and_signs_mirror():
    assert signed_rank([0.0, 0.0], rope=0.01) == (0, 1, 0)
    differences = [0.2, -0.01, 0.05, 0.11]
    assert signed_rank(differences, rope=0.02) == signed_rank([-one for one in differences], rope=0.02)[::-1]


def test_means_at_an_end_of_the_rope_lie_within_it():
    assert regions([0.1 + 0.2 - 0.29], rope=0.01).tolist() == [[0, 0], [0, 0]]  # 0.010000000000000009
    assert regions([0.011], rope=0.01).tolist() == [[0, 0], [0, 1]]


@pytest.mark.parametrize("differences, rope", [([], 0.01), ([np.nan], 0.01), ([0.1], -0.01)])
def test_bad_input_is_refused(differences, rope):
    with pytest.raises(ValueError):
        signed_rank(differences, rope=rope)
