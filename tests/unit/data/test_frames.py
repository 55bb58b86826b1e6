"""The encoder of DataFrames: columns by name, levels, missing cells, bytes, and what it refuses."""

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone

from scarce.data.encode import FittedEncoder
from scarce.data.frames import TableEncoder

COLUMNS = {"size": None, "colour": ["1", "blue", "red"]}
FRAME = pd.DataFrame({"colour": ["red", None, 1.0, "blue", "1.0"], "size": [1.0, 2.0, np.nan, 4.0, 5.0]})
MATRIX = np.array([[1, 2], [2, np.nan], [np.nan, 0], [4, 1], [5, 0.0]])
S = np.array([1, 0, 0, 1, 0])


@pytest.mark.parametrize("encoding", ["woe_train_observed", "onehot", "none"])
def test_it_encodes_as_the_encoder_of_studies(encoding):
    expected = FittedEncoder(encoding, [False, True], levels=[3]).fit_transform(MATRIX, S)
    encoder = clone(TableEncoder(COLUMNS, encoding)).fit(FRAME, S)
    np.testing.assert_array_equal(encoder.transform(FRAME), expected)
    np.testing.assert_array_equal(encoder.transform(FRAME.astype({"colour": "str"}).mask(FRAME.isna())), expected)
    shuffled = FRAME[["size", "colour"]].assign(other="x").iloc[::-1]
    np.testing.assert_array_equal(encoder.transform(shuffled), expected[::-1])


@pytest.mark.parametrize("encoding, code", [("woe_train_observed", [0]), ("onehot", [0, 0, 0, 0]), ("none", [3])])
def test_a_level_that_is_not_listed(encoding, code):
    encoder = TableEncoder(COLUMNS, encoding).fit(FRAME, S)
    encoded = encoder.transform(pd.DataFrame({"size": [1.0], "colour": ["green"]}))[0]
    assert (encoded[1:] if encoding == "none" else encoded[:-1]).tolist() == code


def test_bytes_stay_bytes():
    frame = pd.DataFrame({"a": [0, 255], "b": [7, 8]}, dtype=float)
    encoder = TableEncoder({"b": None, "a": None}, "none", as_bytes=True).fit(frame, [0, 1])
    assert encoder.transform(frame).dtype == np.uint8
    np.testing.assert_array_equal(encoder.transform(frame), [[7, 0], [8, 255]])
    for wrong in (-1, 256, 0.5, np.nan):
        with pytest.raises(ValueError, match="0 to 255"):
            encoder.transform(frame.assign(a=wrong))


@pytest.mark.parametrize(
    "frame, words",
    [
        (FRAME.to_numpy(), "DataFrame"),
        (FRAME.drop(columns="size"), "'size'"),
        (pd.concat([FRAME, FRAME[["size"]]], axis=1), "'size'"),
        (FRAME.assign(size="big"), "'size' must hold numbers"),
    ],
)
def test_other_tables_are_refused(frame, words):
    encoder = TableEncoder(COLUMNS, "onehot").fit(FRAME, S)
    with pytest.raises(ValueError, match=words):
        encoder.transform(frame)
