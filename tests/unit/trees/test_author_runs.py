"""Single runs of Ortega Vazquez et al. (2023) on yeast6, as the authors stored them, to the last digit they printed."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest
from sklearn.metrics import average_precision_score
from sklearn.model_selection import StratifiedShuffleSplit
from sklearn.preprocessing import StandardScaler

from scarce.trees import PUHellingerForestClassifier, PUHellingerTreeClassifier

# average precision in the authors' result file, by (repeat, flip ratio): HDT, PU-HDT, PU-HRF, PU-SHRF
STORED = {
    (0, 0.25): (0.308731423, 0.308731423, 0.55216388, 0.50377472),
    (0, 0.50): (0.323710762, 0.323710762, 0.613660564, 0.592254973),
    (0, 0.75): (0.203518455, 0.45896861, 0.541747647, 0.537559791),
    (1, 0.25): (0.217093115, 0.356110257, 0.431521362, 0.306329919),
    (1, 0.50): (0.383649534, 0.496726457, 0.611865257, 0.610377162),
    (1, 0.75): (0.242024343, 0.128195067, 0.338038023, 0.309480081),
}
PAPER = {"ties": "literal", "leaf": "observed", "purity_stop": False}


@pytest.fixture(scope="module")
def yeast6():
    text = (Path(os.environ["SCARCE_MIRROR"]) / "yeast6" / "yeast6.dat").read_text()
    rows = [line.split(",") for line in text.split("@data")[1].split("\n") if line.strip()]
    X = StandardScaler().fit_transform(np.array([row[:-1] for row in rows], float))
    return X, np.array([row[-1].strip() == "positive" for row in rows]).astype(int)


@pytest.mark.mirror
@pytest.mark.skipif(not os.environ.get("SCARCE_MIRROR"), reason="no data mirror: set SCARCE_MIRROR")
@pytest.mark.parametrize("repeat, flip", STORED)
def test_runs_equal_the_authors(yeast6, repeat, flip):
    X, y = yeast6
    positives = np.flatnonzero(y)
    s = y.copy()
    hidden = int(np.ceil(flip * len(positives)))
    s[positives[np.random.RandomState(repeat).choice(len(positives), hidden, replace=False)]] = 0
    train, test = next(StratifiedShuffleSplit(1, test_size=0.3, random_state=repeat).split(X, y + s))
    prior, share = y.mean(), s.mean()
    models = [
        PUHellingerTreeClassifier(share, random_state=repeat, **PAPER),
        PUHellingerTreeClassifier(prior, random_state=repeat, **PAPER),
        PUHellingerForestClassifier(prior, bootstrap=True, random_state=repeat, **PAPER),
        PUHellingerForestClassifier(prior, bootstrap="stratified", random_state=repeat, **PAPER),
    ]
    got = [
        average_precision_score(y[test], model.fit(X[train], s[train]).predict_proba(X[test])[:, 1]) for model in models
    ]
    np.testing.assert_allclose(got, STORED[repeat, flip], rtol=0, atol=1e-6)
