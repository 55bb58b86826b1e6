"""Code of a user, which `tests/unit/test_typing.py` has mypy check strictly; it is never run."""

from typing import assert_type

import numpy as np
import pandas as pd

from scarce.analysis.tests import holm
from scarce.assumed import COUNTED, Assumed, Sentence, say
from scarce.methods.bagging import PUBaggingClassifier
from scarce.methods.positive_bayes import PNBClassifier
from scarce.prior import PriorInterval, class_prior_interval, estimate_class_prior
from scarce.prior.scar_test import ScarTest, scar_test
from scarce.scoring.without_negatives import auc_given_prior, pu_auc, unlabeled_prior
from scarce.trees import ForestClassifier, PUHellingerForestClassifier, TreeClassifier, export_text

X = np.arange(24.0).reshape(12, 2)
s = np.arange(12) % 3 == 0

forest = PUHellingerForestClassifier(0.4, n_estimators=10, bootstrap="stratified", random_state=0)
assert_type(forest.fit(X, s), PUHellingerForestClassifier)
assert_type(forest.fit(X.tolist(), s.tolist(), sample_weight=[1.0] * 12).predict_proba(X), np.ndarray)
assert_type(forest.estimators_, list[TreeClassifier])
assert_type(forest.feature_importances_, np.ndarray)
assert_type(export_text(TreeClassifier("hellinger", max_depth=None).fit(X, s), ["a", "b"]), str)
assert_type(PUBaggingClassifier(C=0.5, random_state=np.random.RandomState(0)).fit(X, s).predict(X), np.ndarray)
assert_type(PNBClassifier(class_prior=0.3, categorical=[0]).fit(X, s), PNBClassifier)

assert_type(estimate_class_prior(X, s, "km2", max_rows=400), float)
assert_type(class_prior_interval(X, s, level=0.95), PriorInterval)
assert_type(scar_test(X, s, 0.4, random_state=0), ScarTest)

scores = forest.predict_proba(X)[:, 1]
assert_type(auc_given_prior(pu_auc(s, scores), unlabeled_prior(0.4, s, "one_sample")), np.ndarray)
assert_type(say("{n} rows", n=Assumed(12, [COUNTED], form="count")), Sentence)
assert_type(holm(pd.Series({"a": 1.2, "b": 1.8}), 10), pd.DataFrame)

# what must be refused
ForestClassifier(n_estimators="ten")  # type: ignore[arg-type]
unlabeled_prior(0.4, s, "three_sample")  # type: ignore[arg-type]
estimate_class_prior(X, s, method=3)  # type: ignore[arg-type]
PUHellingerForestClassifier()  # type: ignore[call-arg]
