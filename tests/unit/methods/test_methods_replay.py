"""Runs on yeast6 equal those that the authors of ortega2023 stored: labels and methods, end to end."""

import os
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from sklearn.metrics import average_precision_score
from sklearn.preprocessing import StandardScaler

from pubench.labels import make_labels
from pubench.methods.adasyn import ADASYNRandomForestClassifier
from pubench.methods.bagging import PUBaggingClassifier
from pubench.methods.weighted_logistic import PUWeightedLogisticRegression
from pubench.study import Scenario, SplitPlan

METHODS = {
    "pu_bagging": lambda seed: PUBaggingClassifier(aggregate="vote", random_state=seed),
    "adasyn_rf": lambda seed: ADASYNRandomForestClassifier(random_state=seed),
    "pu_wlr": lambda _: PUWeightedLogisticRegression(max_iter=100),
}

# AUC-PR of repeat 0 in the authors' results, by flip ratio
STORED = [
    ("pu_bagging", 0.25, 0.488430964, 1e-6),
    ("pu_bagging", 0.50, 0.290345972, 1e-6),
    ("pu_bagging", 0.75, 0.438249595, 1e-6),
    ("adasyn_rf", 0.25, 0.410963766, 1e-6),
    ("adasyn_rf", 0.50, 0.459479950, 1e-6),
    ("adasyn_rf", 0.75, 0.432593626, 1e-6),
    ("pu_wlr", 0.25, 0.519106863, 0.01),  # lbfgs of another release
    ("pu_wlr", 0.50, 0.215756756, 0.01),
    ("pu_wlr", 0.75, 0.585909704, 0.01),
]


@dataclass(frozen=True)
class Paper:
    seeds: str = "paper"
    flip_count: str = "ceil"
    strata: str = "hidden"
    class_prior: str = "all_true"


@pytest.fixture(scope="module")
def yeast6():
    text = (Path(os.environ["PUBENCH_MIRROR"]) / "yeast6" / "yeast6.dat").read_text()
    rows = [line.split(",") for line in text.split("@data", 1)[1].split("\n") if line.strip()]
    X = StandardScaler().fit_transform(np.array([row[:-1] for row in rows], float))
    return X, np.array([row[-1].strip() == "positive" for row in rows], int)


@pytest.mark.mirror
@pytest.mark.parametrize(("method", "ratio", "stored", "tolerance"), STORED)
def test_run_equals_the_authors(yeast6, method, ratio, stored, tolerance):
    X, y = yeast6
    one = make_labels(
        y,
        scenario=Scenario(name="flip", flip_ratio=ratio),
        split=SplitPlan(subsample=10000),
        repeats=1,
        options=Paper(),
        study_seed=0,
        dataset="yeast6",
    ).repeat(0)
    model = METHODS[method](one.seed).fit(X[one.train], one.s[one.train])
    assert average_precision_score(y[one.test], model.predict_proba(X[one.test])[:, 1]) == pytest.approx(
        stored, abs=tolerance
    )
