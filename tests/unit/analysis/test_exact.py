"""Exact p-values against enumeration of all arrangements and all signs."""

import itertools

import numpy as np
import pandas as pd
import pytest
from scipy.stats import rankdata, wilcoxon

from scarce.analysis import exact, tests
from scarce.analysis.exact import exact_p, signed_rank
from scarce.analysis.ranks import rank_blocks


def enumerated(ranks):
    """Share of all arrangements of ranks within blocks whose sum of squared rank sums is at least as large."""
    blocks = [list(itertools.permutations(row)) for row in ranks.to_numpy()]
    own = (ranks.to_numpy().sum(axis=0) ** 2).sum()
    sums = [(np.sum(arrangement, axis=0) ** 2).sum() for arrangement in itertools.product(*blocks)]
    return np.mean(np.array(sums) >= own)


@pytest.mark.parametrize("digits", [1, 8])
@pytest.mark.parametrize(("n", "k"), [(2, 3), (4, 3), (5, 3), (2, 4), (3, 4), (2, 5)])
def test_exact_p_is_the_share_of_arrangements(n, k, digits):
    ranks = rank_blocks(pd.DataFrame(np.round(np.random.RandomState(n * k).rand(n, k), digits)))
    assert exact_p(ranks) == pytest.approx(enumerated(ranks), rel=1e-12)
    for test in (tests.friedman, tests.friedman_tie_corrected, tests.iman_davenport):
        assert test(ranks).p_exact == exact_p(ranks)
        assert test(ranks).decisive == exact_p(ranks)


def test_exact_p_of_published_tables():
    """Friedman's statistic with k = 3, N = 4: chi2 of 6.5 and 8; k = 4, N = 3: 6.6 (Siegel, 1956, Table N)."""
    assert exact_p(pd.DataFrame([[1, 2, 3]] * 3 + [[2, 1, 3]])) == pytest.approx(0.042, abs=5e-4)
    assert exact_p(pd.DataFrame([[1, 2, 3]] * 4)) == pytest.approx(0.0046, abs=5e-5)
    ranks = pd.DataFrame([[1, 2, 3, 4], [1, 2, 3, 4], [1, 4, 2, 3]])
    assert tests.friedman(ranks).statistic == pytest.approx(6.6)
    assert exact_p(ranks) == pytest.approx(0.075, abs=5e-4)


def test_order_of_blocks_and_methods_changes_no_bit():
    ranks = rank_blocks(pd.DataFrame(np.round(np.random.RandomState(0).rand(9, 4), 1)))
    for seed in range(3):
        moved = ranks.sample(frac=1, random_state=seed).sample(frac=1, axis=1, random_state=seed)
        exact._null_distribution.cache_clear()
        assert exact_p(moved) == exact_p(ranks)


@pytest.mark.parametrize(("n", "k", "feasible"), [(15, 4, True), (40, 3, True), (7, 7, False), (15, 13, False)])
def test_what_takes_too_long_is_left_to_the_approximation(n, k, feasible):
    ranks = rank_blocks(pd.DataFrame(np.random.RandomState(0).rand(n, k)))
    result = tests.iman_davenport(ranks)
    assert (result.p_exact is not None) == feasible
    assert result.kind == ("exact" if feasible else "approximate")
    assert result.decisive == (result.p_exact if feasible else result.p)


def test_all_ties_are_certain():
    assert exact_p(pd.DataFrame(np.full((5, 8), 4.5))) == 1


def by_signs(differences, zeros):
    """Share of all signs of the differences that are not zero whose rank sums differ by at least as much."""
    differences = np.asarray(differences, float)
    if zeros == "drop":
        differences = differences[differences != 0]
    moved = differences != 0
    ranks = rankdata(np.abs(differences))[moved]
    own = abs(ranks @ np.sign(differences[moved]))
    signs = np.array(list(itertools.product([-1, 1], repeat=int(moved.sum()))))
    return np.mean(np.abs(signs @ ranks) >= own) if moved.any() else 1.0


@pytest.mark.parametrize("zeros", ["split", "drop"])
@pytest.mark.parametrize("seed", range(8))
def test_signed_rank_is_the_share_of_signs_with_ties_and_zeros(seed, zeros):
    differences = np.random.RandomState(seed).randint(-3, 5, 10) / 10
    result = signed_rank(differences, zeros=zeros)
    assert result.p == pytest.approx(by_signs(differences, zeros), rel=1e-12)
    assert result.kind == "exact"
    assert signed_rank(-differences, zeros=zeros) == (result.p, -result.side, "exact")
    assert signed_rank(differences[::-1], zeros=zeros) == result


@pytest.mark.parametrize("n", [1, 2, 7, 30, 100])
def test_signed_rank_is_scipys_exact_test_without_ties(n):
    differences = np.random.RandomState(n).normal(0.3, 1, n)
    assert signed_rank(differences).p == pytest.approx(wilcoxon(differences, method="exact").pvalue, rel=1e-9)


def test_signed_rank_of_many_differences_is_approximate_and_says_so():
    differences = np.random.RandomState(0).randint(-9, 11, exact.EXACT_DIFFERENCES + 100) / 10
    result = signed_rank(differences)
    expected = wilcoxon(differences, zero_method="zsplit", method="asymptotic").pvalue
    assert result.kind == "approximate"
    assert result.p == pytest.approx(expected, rel=0.01)


def test_magnitudes_that_are_equal_in_exact_arithmetic_tie():
    """0.3 - 0.2 and 0.2 - 0.1 are one magnitude; what is left of numbers that cancel is zero."""
    differences = [0.3 - 0.2, -(0.2 - 0.1), 0.1 + 0.2 - 0.3, 0.4]
    assert signed_rank(differences) == signed_rank([0.1, -0.1, 0.0, 0.4])
    assert signed_rank([0.1 + 0.2 - 0.3]) == (1.0, 0, "exact")
    large = [300.3 - 300.2, -(300.2 - 300.1), 5.0]
    assert signed_rank(large, scale=300) == signed_rank([0.1, -0.1, 5.0])
