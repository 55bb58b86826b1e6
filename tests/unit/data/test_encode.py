"""Encodings against numbers worked out by hand."""

from __future__ import annotations

from math import log

import numpy as np
import pytest

from scarce.data.encode import FittedEncoder, encode_all, encoded_names

NAN = np.nan
#: Numeric, nominal, numeric: the nominal column comes out first.
X = np.array([[1.0, 0, 5], [2.0, 0, 5], [NAN, 1, 5], [3.0, NAN, 5]])
KINDS = np.array([False, True, False])
Y = np.array([1, 0, 1, 0])
#: P = 2, N = 2: level 0 has one of each, level 1 one positive, the missing level one negative.
EVIDENCE = [log((2 / 4) / (2 / 4)), log((2 / 4) / (2 / 4)), log((2 / 4) / (1 / 4)), log((1 / 4) / (2 / 4))]


def test_weight_of_evidence_on_all_rows_by_hand():
    encoded = encode_all(X, Y, KINDS)
    sd = np.sqrt(2 / 4)  # of 1, 2, 2, 3: the missing cell is the mean of the others
    evidence = [*EVIDENCE[:2], 0, 0]  # level 1 and the missing level have one row each
    expected = np.column_stack([evidence, [-1 / sd, 0, 0, 1 / sd], [0, 0, 0, 0]])
    assert encoded == pytest.approx(expected)


def test_evidence_is_smoothed_as_the_authors_did():
    """Three positives of which two have v, five negatives of which one has it: ln((3/5) / (2/7))."""
    column = np.array([0, 0, 1, 0, 1, 1, 1, 1.0])[:, None]
    y = np.array([1, 1, 1, 0, 0, 0, 0, 0])
    assert encode_all(column, y, [True])[0, 0] == pytest.approx(log((3 / 5) / (2 / 7)))
    assert encode_all(column, y, [True])[2, 0] == pytest.approx(log((2 / 5) / (5 / 7)))


def test_scaled_numbers_stay_as_they_are():
    numbers = np.array([[0.1, 7.0], [0.3, -2.0]])
    assert np.array_equal(encode_all(numbers, [0, 1], [False, False], scaled=True), numbers)


def test_no_rows_and_other_encodings():
    assert encode_all(np.zeros((0, 0)), np.zeros(0), np.zeros(0, bool)).shape == (0, 0)
    with pytest.raises(ValueError, match="'onehot' is not fitted on all rows"):
        encode_all(X, Y, KINDS, "onehot")
    with pytest.raises(ValueError, match="'woe_all_true' is not fitted on training rows"):
        FittedEncoder("woe_all_true", KINDS)


def test_evidence_of_training_rows_and_their_observed_labels():
    encoder = FittedEncoder("woe_train_observed", KINDS).fit(X, Y)
    assert encoder.transform(X)[:, 0] == pytest.approx(EVIDENCE)
    new = np.array([[NAN, 7, 6], [2.0, NAN, 5], [4.0, 1, 5]])
    out = encoder.transform(new)
    assert out[:, 0] == pytest.approx([0.0, EVIDENCE[3], EVIDENCE[2]])  # level 7 was never met
    assert out[:, 1] == pytest.approx([0.0, 0.0, 2 / np.sqrt(0.5)])
    assert out[:, 2] == pytest.approx([1.0, 0.0, 0.0])  # a constant column is centred and not divided


def test_a_level_between_those_met_counts_as_unseen():
    rows = np.array([[0.0], [2.0], [2.0], [0.0]])
    encoder = FittedEncoder("woe_train_observed", [True]).fit(rows, np.array([1, 0, 0, 1]))
    assert encoder.transform(np.array([[1.0], [NAN]])).tolist() == [[0.0], [0.0]]
    assert FittedEncoder("onehot", [True]).fit(rows, np.array([1, 0, 0, 1])).transform([[1.0]]).tolist() == [[0.0, 0.0]]


def test_none_leaves_columns_as_they_are_and_fills_what_is_missing_from_the_training_rows():
    train = np.array([[0.0, 5.0, NAN], [2.0, NAN, NAN], [NAN, 1.0, NAN], [0.0, 30.0, NAN]])
    encoder = FittedEncoder("none", [True, False, False]).fit(train, [1, 0, 0, 1])
    # 3 is the code after the last of the training rows, 5 the median of 5, 1, 30; 7 is a code that only new rows have
    assert encoder.transform([[NAN, NAN, 4.0], [7.0, 2.0, NAN]]).tolist() == [[3.0, 5.0, 4.0], [7.0, 2.0, 0.0]]
    assert encoder.n_features_out_ == 3
    assert np.array_equal(encoder.transform(train), [[0, 5, 0], [2, 5, 0], [3, 1, 0], [0, 30, 0]])


def test_none_puts_missing_cells_after_the_levels_of_the_column_where_these_are_known():
    train = np.array([[0.0, 1.0, NAN], [NAN, NAN, 2.0]])
    encoder = FittedEncoder("none", [True, True, False], levels=[4, 2]).fit(train, [1, 0])
    assert encoder.transform(train).tolist() == [[0.0, 1.0, 2.0], [4.0, 2.0, 2.0]]


def test_onehot():
    encoder = FittedEncoder("onehot", KINDS).fit(X, Y)
    assert encoder.n_features_out_ == 5
    assert encoder.transform(X)[:, :3].tolist() == [[0, 1, 0], [0, 1, 0], [0, 0, 1], [1, 0, 0]]
    assert encoder.transform(np.array([[1.0, 9, 5]]))[0, :3].tolist() == [0, 0, 0]


def test_nothing_is_learnt_from_rows_that_are_only_transformed():
    rows = np.array([[1.0, 0, 5], [2.0, 1, 5], [3.0, 1, 4]])
    encoder = FittedEncoder("woe_train_observed", KINDS).fit(rows, [1, 0, 0])
    alone = encoder.transform(np.array([[1e6, 5.0, 0.0], [1.0, 0.0, 5.0]]))[1]
    assert alone.tolist() == encoder.transform(rows)[0].tolist()


def test_a_column_with_no_number_at_all_becomes_zero():
    encoder = FittedEncoder("onehot", [False]).fit(np.array([[NAN], [NAN]]), [1, 0])
    assert encoder.transform(np.array([[NAN], [2.0]])).tolist() == [[0.0], [2.0]]


def test_three_codings_of_the_observed_label_and_wrong_shapes():
    one = FittedEncoder("woe_train_observed", KINDS).fit_transform(X, Y)
    assert np.array_equal(one, FittedEncoder("woe_train_observed", KINDS).fit_transform(X, 2 * Y - 1))
    with pytest.raises(ValueError, match="no labeled positive"):
        FittedEncoder("woe_train_observed", KINDS).fit(X, [0, 0, 0, 0])
    with pytest.raises(ValueError, match=r"3 columns is wanted, this has shape \(4, 2\)"):
        FittedEncoder("onehot", KINDS).fit(X[:, :2], Y)


def test_columns_of_any_size_are_standardised_alike():
    X = np.random.RandomState(0).normal(size=(50, 3))
    X[3, 1] = np.nan
    X[:, 2] = 7.0
    s, numeric = (np.arange(50) < 9).astype(int), np.zeros(3, bool)
    plain = FittedEncoder("onehot", numeric).fit_transform(X, s)
    for power in (-700, -150, 150, 700, 1000):
        sized = np.ldexp(X, power)
        assert np.array_equal(FittedEncoder("onehot", numeric).fit_transform(sized, s), plain)
        plain_tree, tree = (FittedEncoder("none", numeric).fit_transform(Z, s) for Z in (X, sized))
        assert (np.abs(tree) < 1e6).all()
        assert np.array_equal(np.argsort(tree[:, 0]), np.argsort(plain_tree[:, 0]))
        assert np.array_equal(encode_all(sized, s, numeric), encode_all(X, s, numeric))
    tiny = FittedEncoder("onehot", numeric).fit_transform(X * 1e-315, s)  # these have few bits
    np.testing.assert_allclose(tiny[:, :2], plain[:, :2], atol=1e-4)


@pytest.mark.parametrize("encoding", ["onehot", "woe_train_observed", "none"])
@pytest.mark.parametrize("power", [-1000, -150, 0, 150])
def test_numbers_far_beyond_those_of_training_rows_fit_32_bits_and_keep_their_side(encoding, power):
    X = np.ldexp(np.random.RandomState(0).normal(size=(50, 2)), power)
    encoder = FittedEncoder(encoding, [False, False]).fit(X, np.arange(50) < 9)
    trained = encoder.transform(X)
    far = encoder.transform(np.array([[1e300, -1e300], [np.finfo(float).max, -np.finfo(float).max], [NAN, 0.0]]))
    assert np.isfinite(far.astype(np.float32)).all()
    assert np.isfinite(far**2).all()
    assert (far[:2, 0] > trained[:, 0].max()).all()
    assert (far[:2, 1] < trained[:, 1].min()).all()


@pytest.mark.parametrize("encoding", ["none", "woe_train_observed", "onehot", "woe_all_true"])
def test_names_are_those_of_the_encoded_columns(encoding):
    rng = np.random.RandomState(0)
    X, s = rng.randint(0, 3, (60, 4)).astype(float), rng.randint(0, 2, 60)
    categorical = np.array([False, True, False, True])
    names = encoded_names(["a", "b", "c", "d"], {"b", "d"}, encoding)
    if encoding == "onehot":
        assert names == []
        assert encoded_names(["a", "c"], set(), encoding) == ["a", "c"]
        return
    both = encode_all(X, s, categorical) if encoding == "woe_all_true" else None
    encoded = FittedEncoder(encoding, categorical).fit_transform(X, s) if both is None else both
    for name, column in zip(names, encoded.T, strict=True):
        own = X[:, "abcd".index(name)]
        assert len({*zip(own, column, strict=True)}) == 3, "each value of a column has one code"


# -- numbers that 32 bits merge, under the encoding "none" ------------------------------------------------------------


def kept(X, *more):
    """Encoded columns, and the number of different values of each in 32 bits."""
    s = np.arange(len(X)) % 2
    encoder = FittedEncoder("none", np.zeros(X.shape[1], bool)).fit(X, s)
    Z = encoder.transform(X)
    return Z, [len(np.unique(z[~np.isnan(z)].astype(np.float32))) for z in Z.T], *(encoder.transform(x) for x in more)


@pytest.mark.parametrize("start", [1.7e9, -1.7e9, 1.7e12, 2.0**40, 20_240_101_000_000.0])
@pytest.mark.parametrize("unit", [1.0, 60.0, 0.25])
def test_numbers_far_from_zero_stay_apart(start, unit):
    column = start + unit * np.random.default_rng(0).permutation(500)
    new = start + unit * np.array([[600.5], [-3.0]])
    Z, (different,), later = kept(column[:, None], new)
    assert different == 500
    assert np.array_equal(np.argsort(Z[:, 0]), np.argsort(column)), "the order is kept"
    assert np.array_equal(np.diff(Z[:, 0]), np.diff(column)), "and the distances"
    assert np.array_equal(later - Z[0], new - column[0]), "of new rows as well"


def test_a_missing_time_is_the_median_of_the_others():
    column = np.append(1.7e9 + np.arange(101.0), np.nan)
    Z, _ = kept(column[:, None])
    assert Z[-1, 0] == Z[50, 0]


@pytest.mark.parametrize(
    "column",
    [
        np.arange(1990.0, 2020.0),
        np.linspace(1000, 1060, 200).round(2),
        1e5 + np.arange(100.0),
        np.full(50, 1.7e9 + 1),
        np.linspace(-1, 1, 300),
        np.array([0.0, 2.0**60]),
        np.full(20, np.nan),
    ],
)
def test_numbers_that_32_bits_keep_apart_keep_every_bit(column):
    known = np.where(np.isnan(column), 0, column)
    assert np.array_equal(kept(column[:, None])[0][:, 0], known)


def test_what_32_bits_merge_nevertheless_is_said():
    random = np.random.default_rng(0)
    X = np.column_stack([random.normal(size=400), 1e12 * random.integers(0, 2, 400) + random.permutation(400)])
    with pytest.warns(UserWarning, match="column 2: 32 bits") as caught:
        kept(X)
    assert len(caught) == 1
