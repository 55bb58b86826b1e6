"""How a method's declared levels meet missing cells under the encoding none."""

import numpy as np

from scarce.data import store
from scarce.methods.positive_bayes import PNBClassifier
from scarce.stages import inputs


def test_missing_cells_are_a_level_that_no_other_cell_has(monkeypatch):
    X = np.array([[0, 0.5, 0], [np.nan, np.nan, 1], [1, 2.5, 1], [2, 0.0, 0]])
    categories = {"a": ["p", "q", "r"], "c": ["no", "yes"]}
    features = store.Features(X, ["a", "b", "c"], np.array([True, False, True]), categories, {})
    monkeypatch.setattr(store, "load_features_only", lambda name: features)
    inputs.nominal.cache_clear()
    places, levels, shape = inputs.nominal("toy")
    inputs.nominal.cache_clear()
    assert (places, levels, shape) == ([0, 2], [4, 2], (3,))
    monkeypatch.setattr(inputs, "_features_file", lambda *_: None)
    X, encoder = inputs.load_features(None, "toy", "none")
    rows, s = [0, 1, 2], np.array([1, 0, 0])  # no training row has the level 2 of the first column
    encoded = encoder().fit(X[rows], s)
    assert encoded.transform(X[[1, 3]])[:, [0, 2]].tolist() == [[3, 1], [2, 0]]
    fitted = PNBClassifier(0.3, categorical=places, n_levels=levels).fit(encoded.transform(X[rows]), s)
    assert fitted.n_levels_.tolist() == [4, 10, 2]
