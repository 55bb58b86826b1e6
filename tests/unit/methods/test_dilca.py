"""Distances between values: the toy table of the paper by hand, loops with 50 digits, and properties."""

from __future__ import annotations

import math

import numpy as np
import pytest

from scarce.estimators import categories
from scarce.estimators.categories import pair_counts
from scarce.methods.dilca import dilca_contexts, dilca_distances
from tests.reference import naive_pulce

AGE, GENDER, PROFESSION, PRODUCT, SALES = range(5)
LEVELS = [3, 2, 4, 3, 2]
DOMAINS = [
    ["young", "adult", "senior"],
    ["M", "F"],
    ["student", "unemployed", "businessman", "retired"],
    ["mobile", "smartphone", "tablet"],
    ["center", "suburbia"],
]
#: Figure 2(a) of Ienco & Pensa (2016).
TABLE = """
    young M student mobile suburbia
    senior F retired mobile suburbia
    senior M retired mobile suburbia
    young M student smartphone suburbia
    senior F businessman smartphone center
    adult M unemployed smartphone suburbia
    adult F businessman tablet center
    young M student tablet center
    senior F retired tablet center
    senior M retired tablet center
"""
TOY = np.array([[DOMAINS[i].index(v) for i, v in enumerate(line.split())] for line in TABLE.strip().splitlines()])
WAYS = [
    {"distance": distance, "redundancy": redundancy, "unseen": unseen}
    for distance, redundancy, unseen in [
        ("euclid", "paper", "natural"),
        ("euclid", "fcbf", "max"),
        ("kl", "paper", "max"),
        ("kl", "fcbf", "natural"),
    ]
]


def tables(seed, n=None):
    """Rows of few values, so that many uncertainties and distances tie; some declared values have no row."""
    random = np.random.RandomState(seed)
    n_levels = random.randint(1, 5, random.randint(1, 6))
    X = random.randint(0, np.maximum(n_levels - random.randint(0, 2, len(n_levels)), 1), (n or 1 + seed, len(n_levels)))
    if len(n_levels) > 2:
        X[:, 1] = X[:, 0] % n_levels[1]
    return X, n_levels


def test_the_contingency_tables_of_the_toy_table():
    counts = pair_counts(TOY, LEVELS)
    first = np.cumsum([0, *LEVELS])
    blocks = [[counts[first[i] : first[i + 1], first[j] : first[j + 1]] for j in range(5)] for i in range(5)]
    np.testing.assert_array_equal(blocks[PROFESSION][PRODUCT], [[1, 1, 1], [0, 1, 0], [0, 1, 1], [2, 0, 2]])
    # Figure 2(c) of the paper contradicts its Figure 2(a); this is 2(a)
    np.testing.assert_array_equal(blocks[SALES][PRODUCT], [[0, 1, 4], [3, 2, 0]])


@pytest.mark.parametrize(
    ("attributes", "between"),
    [
        # P(product | suburbia) = 3/5, 2/5, 0 and P(product | center) = 0, 1/5, 4/5; two declared context values
        ([PRODUCT, SALES], [(1 / 25 + 1 / 25) / 2, (9 / 25 + 16 / 25) / 2, (4 / 25 + 9 / 25) / 2]),
        # P(mobile | profession) = 1/3, 0, 0, 1/2; smartphone: 1/3, 1, 1/2, 0; tablet: 1/3, 0, 1/2, 1/2
        ([PRODUCT, PROFESSION], [(1 + 1 / 4 + 1 / 4) / 4, (1 / 4) / 4, (1 + 1 / 4) / 4]),
    ],
    ids=["sales", "profession"],
)
def test_distances_of_products_by_hand(attributes, between):
    distances = dilca_distances(TOY[:, attributes], [LEVELS[i] for i in attributes])[0]
    mobile_smartphone, mobile_tablet, smartphone_tablet = map(math.sqrt, between)
    expected = [
        [0, mobile_smartphone, mobile_tablet],
        [mobile_smartphone, 0, smartphone_tablet],
        [mobile_tablet, smartphone_tablet, 0],
    ]
    np.testing.assert_allclose(distances, expected, rtol=1e-14, atol=0)


def test_a_context_of_two_attributes_by_hand():
    """Sales tells more of Product than Profession does, and both tell more of it than of each other."""
    attributes = [PRODUCT, SALES, PROFESSION]
    X, n_levels = TOY[:, attributes], [LEVELS[i] for i in attributes]
    assert dilca_contexts(X, n_levels)[0].tolist() == [1, 2]
    expected = math.sqrt((2 / 25 + 3 / 2) / 6)
    assert dilca_distances(X, n_levels)[0][0, 1] == pytest.approx(expected, rel=1e-14)


def test_kullback_leibler_by_hand():
    """P(a | x) of two values: 3/4 and 1/4 for one context value, 0 and 1 for the other."""
    X = [[0, 0]] * 3 + [[1, 0]] + [[1, 1]] * 2
    e = 1e-6
    first, second = ((3 + e) / (4 + 2 * e), (1 + e) / (4 + 2 * e)), (e / (2 + 2 * e), (2 + e) / (2 + 2 * e))
    expected = sum((p - q) * math.log(p / q) for p, q in (first, second)) / 2
    distances = dilca_distances(X, [2, 2], distance="kl")
    assert distances[0][0, 1] == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("redundancy", ["paper", "fcbf"])
@pytest.mark.parametrize("seed", range(25))
def test_contexts_are_those_of_loops(seed, redundancy):
    X, n_levels = tables(seed)
    expected = [naive_pulce.context(X.tolist(), len(n_levels), y, redundancy) for y in range(len(n_levels))]
    assert [context.tolist() for context in dilca_contexts(X, n_levels, redundancy=redundancy)] == expected


@pytest.mark.parametrize("redundancy", ["paper", "fcbf"])
def test_contexts_of_the_toy_table_are_those_of_loops(redundancy):
    expected = [naive_pulce.context(TOY.tolist(), 5, y, redundancy) for y in range(5)]
    assert [context.tolist() for context in dilca_contexts(TOY, LEVELS, redundancy=redundancy)] == expected


@pytest.mark.parametrize("how", WAYS, ids=lambda how: "-".join(how.values()))
@pytest.mark.parametrize("seed", range(1, 20, 3))
def test_distances_are_those_of_loops(seed, how):
    X, n_levels = tables(seed)
    for own, naive in zip(
        dilca_distances(X, n_levels, **how), naive_pulce.distances(X.tolist(), n_levels.tolist(), **how), strict=True
    ):
        np.testing.assert_allclose(own, np.array(naive, float), rtol=1e-9 if how["distance"] == "kl" else 1e-13, atol=0)


def test_redundant_attributes_by_hand():
    """The rules differ where an attribute tells as much of a kept one as of the target."""

    def first_context(X, n_levels, **how):
        return dilca_contexts(X, n_levels, **how)[0].tolist()

    repeated = [[0, 0, 0], [0, 0, 0], [1, 1, 1], [1, 1, 1], [2, 1, 1]]  # SU(1, 2) = 1, more than of the first
    assert first_context(repeated, [3, 2, 2]) == first_context(repeated, [3, 2, 2], redundancy="fcbf") == [1]
    copies = [[0, 0, 0], [1, 1, 1], [1, 1, 1]]  # SU is 1 for all pairs
    assert first_context(copies, [2, 2, 2]) == [1, 2]
    assert first_context(copies, [2, 2, 2], redundancy="fcbf") == [1]


@pytest.mark.parametrize("how", WAYS, ids=lambda how: "-".join(how.values()))
@pytest.mark.parametrize("seed", range(6, 12))
def test_symmetric_zero_on_the_diagonal_and_in_range(seed, how):
    X, n_levels = tables(seed, 40)
    for matrix, levels in zip(dilca_distances(X, n_levels, **how), n_levels, strict=True):
        assert matrix.shape == (levels, levels)
        np.testing.assert_array_equal(matrix, matrix.T)
        np.testing.assert_array_equal(matrix.diagonal(), 0)
        assert matrix.min() >= 0
        if how["distance"] == "euclid":
            assert matrix.max() <= 1


@pytest.mark.parametrize("how", WAYS, ids=lambda how: "-".join(how.values()))
@pytest.mark.parametrize("seed", range(6, 12))
def test_permuting_levels_permutes_the_matrices_and_permuting_rows_changes_nothing(seed, how):
    X, n_levels = tables(seed, 40)
    random = np.random.RandomState(seed)
    orders = [random.permutation(levels) for levels in n_levels]
    renamed = np.column_stack([order[column] for order, column in zip(orders, X.T, strict=True)])
    before, after = dilca_distances(X, n_levels, **how), dilca_distances(renamed, n_levels, **how)
    for one, other, order in zip(before, after, orders, strict=True):
        np.testing.assert_allclose(other[np.ix_(order, order)], one, rtol=1e-13, atol=0)
    for one, other in zip(before, dilca_distances(random.permutation(X), n_levels, **how), strict=True):
        np.testing.assert_array_equal(one, other)


def test_permuting_columns_permutes_the_matrices():
    X, n_levels = np.random.RandomState(0).randint(0, 3, (50, 6)), np.full(6, 3)
    order = np.random.RandomState(1).permutation(6)
    before, after = dilca_distances(X, n_levels), dilca_distances(X[:, order], n_levels)
    for place, column in enumerate(order):
        np.testing.assert_allclose(after[place], before[column], rtol=1e-13, atol=0)


def test_a_constant_column_changes_nothing():
    X, n_levels = np.random.RandomState(0).randint(0, 3, (50, 4)), np.full(4, 3)
    more = np.column_stack([X, np.zeros(50, int)])
    *others, constant = dilca_distances(more, [*n_levels, 1])
    np.testing.assert_array_equal(constant, [[0]])
    for one, other in zip(dilca_distances(X, n_levels), others, strict=True):
        np.testing.assert_array_equal(one, other)


def test_a_constant_attribute_has_all_others_as_context():
    X = [[0, 0, 0], [0, 0, 1], [0, 1, 1]]
    assert dilca_contexts(X, [2, 2, 2])[0].tolist() == [1, 2]
    # of its declared values only 0 has rows: its share is 1 for each of four context values, that of the other 0
    assert dilca_distances(X, [2, 2, 2])[0][0, 1] == 1


def test_the_only_attribute_has_no_context():
    np.testing.assert_array_equal(dilca_distances([[0], [2], [2]], [3])[0], 1 - np.eye(3))
    assert dilca_contexts([[0], [2]], [3])[0].tolist() == []


def test_one_row():
    distances = dilca_distances([[1, 0]], [2, 3])
    assert dilca_contexts([[1, 0]], [2, 3])[0].tolist() == [1]
    # P(1 | 0) = 1 and P(0 | 0) = 0; three declared values of the context, two of which have no row
    assert distances[0][0, 1] == pytest.approx(math.sqrt(1 / 3), rel=1e-15)


@pytest.mark.parametrize("distance", ["euclid", "kl"])
def test_a_value_that_no_row_has(distance):
    X = np.array([[0, 0], [0, 1], [1, 1], [1, 1]])
    natural = dilca_distances(X, [4, 2], distance=distance)[0]
    largest = dilca_distances(X, [4, 2], distance=distance, unseen="max")[0]
    if distance == "euclid":  # P(0 | x) = 1 and 1/3, P(1 | x) = 0 and 2/3
        np.testing.assert_allclose(natural[2, :2], np.sqrt([(1 + 1 / 9) / 2, (4 / 9) / 2]), rtol=1e-14)
    assert natural[2, 3] == 0
    np.testing.assert_array_equal(largest[2:], [[1, 1, 0, 1], [1, 1, 1, 0]])
    np.testing.assert_array_equal(largest[:2, :2], natural[:2, :2])


def test_equal_counts_in_other_tables_tie():
    """12 rows, of which 6 and 6, or 6, 3 and 3: entropies of sums that round differently, and equal uncertainties."""
    random = np.random.RandomState(0)
    for _ in range(30):
        X = random.randint(0, 3, (12, 5))
        renamed = (X + random.randint(0, 3, 5)) % 3
        assert [c.tolist() for c in dilca_contexts(X, [3] * 5)] == [c.tolist() for c in dilca_contexts(renamed, [3] * 5)]


@pytest.mark.parametrize("cells", [1, 40, 1000])
def test_the_size_of_blocks_changes_nothing(monkeypatch, cells):
    X, n_levels = tables(9, 60)
    expected = dilca_distances(X, n_levels)
    monkeypatch.setattr(categories, "CELLS_AT_A_TIME", cells)
    for one, other in zip(expected, dilca_distances(X, n_levels), strict=True):
        np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize(
    ("X", "n_levels", "what"),
    [
        (np.empty((0, 2), int), [2, 2], "rows"),
        ([0, 1], [2], "rows and columns"),
        ([[0, 1]], [2], "n_levels"),
        ([[0, 1]], [2, 0], "n_levels"),
        ([[0, 0.5]], [2, 2], "whole numbers"),
        ([[0, 2]], [2, 2], "column 1"),
        ([[-1, 1]], [2, 2], "column 0"),
    ],
)
def test_codes_that_are_none_are_refused(X, n_levels, what):
    with pytest.raises(ValueError, match=what):
        dilca_distances(X, n_levels)


@pytest.mark.parametrize("argument", ["distance", "redundancy", "unseen"])
def test_arguments_are_checked(argument):
    with pytest.raises(ValueError, match=argument):
        dilca_distances([[0, 1]], [2, 2], **{argument: "other"})
