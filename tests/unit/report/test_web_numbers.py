"""Sums, equal numbers and special functions of the page, against Python's."""

import math

import numpy as np
import pytest
import scipy
from scipy import special, stats

from scarce.analysis.ties import exceeds, settled
from tests.unit.report.web import call

SEED = np.random.default_rng


def wild(rng: np.random.Generator, n: int) -> np.ndarray:
    """Numbers of all sizes and both signs, many of which cancel."""
    numbers = rng.normal(size=n) * 10.0 ** rng.integers(-30, 30, n)
    return rng.permutation(np.concatenate([numbers, -numbers[: n // 2], [0.1] * 10, [1e16, 1.0, -1e16]]))


def test_sums_are_rounded_once():
    rng = SEED(0)
    lists = [wild(rng, n) for n in (0, 1, 2, 5, 50, 400)] + [rng.random(n).round(2) for n in (3, 60)]
    lists += [[1e308, 1e292, -1e308], [1.0, 2.0**-53, 2.0**-106], [1.0, 2.0**-53, -(2.0**-106)], [], [math.inf, 1.0]]
    assert call(*(("stats/ties", "fsum", [numbers]) for numbers in lists)) == [math.fsum(numbers) for numbers in lists]


def nearly_equal(rng: np.random.Generator) -> np.ndarray:
    """Numbers of which some differ by a few units in the last place, with some that are missing or infinite."""
    numbers = rng.choice([0.1, 0.3, 0.5, 2 / 3, 1e-5, 12345.678, 1e16, 1.0, 3e-7, 0.0, -0.25], 30)
    steps = rng.integers(-100, 100, 30) * (rng.random(30) < 0.7)
    numbers = numbers + steps * np.spacing(numbers)
    numbers[rng.random(30) < 0.1] = rng.choice([math.nan, math.inf, -math.inf])
    return numbers


@pytest.mark.parametrize("scale", [None, 1.0, 1e4])
def test_equal_numbers_become_the_same_double(scale):
    rng = SEED(1)
    rows = [nearly_equal(rng) for _ in range(200)]
    more = [] if scale is None else [scale]
    found = call(*(("stats/ties", "settled", [row, *more]) for row in rows))
    for row, own in zip(rows, found, strict=True):
        np.testing.assert_array_equal(own, settled(row, scale))
    assert any(len(set(row)) > len(set(own)) for row, own in zip(rows, found, strict=True))


def test_exceeds():
    pairs = [(0.31 - 0.3, 0.01), (0.0101, 0.01), (0.01, 0.01), (0.0, 0.0), (-1.0, 0.0)]
    assert call(*(("stats/ties", "exceeds", list(pair)) for pair in pairs)) == [exceeds(*pair) for pair in pairs]


def grid(name: str) -> list[tuple]:
    """Arguments of a special function, in the bulk and far out in the tails."""
    wide = [0.0, 1e-9, 1e-3, 0.1, 0.5, 1.0, 1.5, 2.0, 3.7, 7.0, 15.0, 30.0, 80.0, 200.0, 500.0, 1300.0]
    degrees = [1, 2, 3, 5, 12, 25, 50, 199]
    match name:
        case "ndtr":
            return [(z,) for z in np.linspace(-37.5, 9, 400)]
        case "chdtrc":
            return [(df, x) for df in degrees for x in wide]
        case "fdtrc":
            return [(a, b, x) for a in degrees for b in (1, 2, 5, 24, 100, 1475, 5000) for x in wide]
        case "gammaincc":
            return [(a, x) for a in (0.5, 1.0, 2.5, 30.0, 400.0) for x in (*wide, 29.9, 30.1, 31.5, 399.0, 401.5)]
        case "betainc":
            ends = [1e-8, 0.01, 0.2, 0.4, 0.5, 0.6, 0.8, 0.99]
            return [(a, b, x) for a in (0.5, 1.0, 3.0, 40.0, 737.5) for b in (0.5, 2.0, 60.0, 900.0) for x in ends]
        case "tSf":
            return [(t, df) for t in (-20.0, -1.0, *wide, 1e4) for df in (*degrees, 1000)]
        case "tIsf":
            return [(p, df) for p in (0.5, 0.4, 0.05, 0.025, 0.005, 1e-4, 1e-9) for df in (*degrees, 1000)]
        case "gammaln":
            return [(x,) for x in (0.1, 0.5, 1.0, 1.5, 2.0, 3.3, 10.0, 100.5, 2500.0)]
    raise KeyError(name)


@pytest.mark.parametrize(
    ("name", "scipys"),
    [
        ("ndtr", special.ndtr),
        ("chdtrc", special.chdtrc),
        ("fdtrc", special.fdtrc),
        ("gammaincc", special.gammaincc),
        ("betainc", special.betainc),
        ("gammaln", special.gammaln),
        ("tSf", stats.t.sf),
        ("tIsf", stats.t.isf),
    ],
)
def test_special_functions(name, scipys):
    arguments = grid(name)
    found = np.array(call(*(("stats/special", name, list(own)) for own in arguments)))
    wanted = np.array([scipys(*own) for own in arguments])
    reached = wanted >= 1e-300  # below, doubles lose digits
    near = 1e-8 if name == "fdtrc" and scipy.__version__.startswith("1.15.") else 1e-9  # it is 4e-9 off later versions
    np.testing.assert_allclose(found[reached], wanted[reached], rtol=near, atol=1e-15 if name == "gammaln" else 0)
    assert (np.abs(found[~reached]) <= 1e-300).all() or name == "gammaln"
    if name in ("ndtr", "chdtrc", "fdtrc"):
        assert wanted[reached].min() < 1e-200


def test_an_infinite_statistic_has_no_tail():
    calls = [("chdtrc", [3, math.inf]), ("fdtrc", [3, 12, math.inf]), ("tSf", [math.inf, 4]), ("ndtr", [-math.inf])]
    assert call(*(("stats/special", name, own) for name, own in calls)) == [0, 0, 0, 0]
