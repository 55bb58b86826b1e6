"""BBE and DEDPUL against naive forms of their central steps."""

import numpy as np
import pytest

from scarce.prior.bbe import bbe
from scarce.prior.dedpul import MOST_DIFFERENT, STEP, density_ratio, share_of_positives
from scarce.prior.scores import held_out_probabilities, rank_in_fold


def test_bbe_takes_the_threshold_with_the_smallest_limit():
    rng = np.random.RandomState(0)
    y = np.arange(500) < 100
    X, s = rng.normal(size=(500, 3)) + 2 * y[:, None], y & (rng.rand(500) < 0.5)
    scores = rank_in_fold(*held_out_probabilities(X, s, np.random.RandomState(1), needed_by="bbe"))
    limits = {}
    for t in scores[s]:
        labeled, unlabeled = np.mean(scores[s] >= t), np.mean(scores[~s] >= t)
        error = np.sqrt(np.log(40) / (2 * s.sum())) + np.sqrt(np.log(40) / (2 * (~s).sum()))
        limits[unlabeled / labeled + 1.01 * error / labeled] = unlabeled / labeled
    share = limits[min(limits)]
    assert bbe(X, s, random_state=np.random.RandomState(1)) == pytest.approx(s.mean() + (1 - s.mean()) * share)


def naive_share(ratio):
    """Ivanov's two ways to a share, with posteriors made anew for every share."""
    share = 1.0
    for _ in range(1000):
        before, share = share, np.mean([min(share * r, 1) for r in ratio])
        if abs(before - share) < 1e-5 or max(share * ratio) < 1:
            break
    shares = np.arange(STEP, 1, STEP)
    excess = np.array([a - np.minimum(a * ratio, 1).mean() for a in shares])
    if share > STEP and (excess < 0).sum() > 1:
        return share
    bends = [
        (excess[i + 1] - 2 * excess[i] + excess[i - 1], -i)
        for i in range(1, len(shares) - 1)
        if excess[i] < MOST_DIFFERENT
    ]
    return max(share, shares[-max(bends)[1]]) if bends else share


@pytest.mark.parametrize("scale", [0.5, 1.0, 1.3])
@pytest.mark.parametrize("seed", range(3))
def test_the_share_is_the_naive_one(scale, seed):
    ratio = scale * np.random.RandomState(seed).exponential(size=80)
    assert share_of_positives(ratio) == pytest.approx(naive_share(ratio), abs=2 * STEP)


def test_a_ratio_of_two_values_gives_the_share_that_parts_them():
    """A fifth of the unlabeled rows lies where all are positive, with five times the density."""
    assert share_of_positives(np.repeat([5.0, 0.0], [20, 80])) == pytest.approx(0.2, abs=0.01)


def test_the_ratio_rises_in_the_upper_part_and_is_capped():
    rng = np.random.RandomState(0)
    ratio = density_ratio(rng.normal(4, 1, 50), rng.normal(0, 1, 500), 0.1, 0.05)
    assert ratio.shape == (500,)
    assert 0 <= ratio.min() <= ratio.max() <= 50
