"""scikit-learn's own estimator checks, and the few that do not apply, each with its reason."""

from __future__ import annotations

from sklearn.utils.estimator_checks import parametrize_with_checks

from scarce.trees import ForestClassifier, PUHellingerForestClassifier, PUHellingerTreeClassifier, TreeClassifier

BOOTSTRAP = {
    "check_sample_weight_equivalence_on_dense_data": "a bootstrap draws rows: two equal rows are not one of weight 2",
}
OBSERVED = "fits on labels {1, 2} or words; observed labels are {1, 0}, {1, -1} or {True, False}, all else is refused"
PU = dict.fromkeys(
    [
        "check_estimators_dtypes",
        "check_sample_weights_pandas_series",
        "check_sample_weights_not_an_array",
        "check_sample_weights_shape",
        "check_sample_weights_not_overwritten",
        "check_classifier_data_not_an_array",
        "check_classifiers_classes",
        "check_fit2d_1feature",
    ],
    OBSERVED,
)
EXCLUDED = {
    TreeClassifier: {},
    ForestClassifier: BOOTSTRAP,
    PUHellingerTreeClassifier: PU,
    PUHellingerForestClassifier: {**PU, **BOOTSTRAP},
}


@parametrize_with_checks(
    [
        TreeClassifier(),
        TreeClassifier("hellinger", leaf="laplace"),
        ForestClassifier(5),
        PUHellingerTreeClassifier(0.6),
        PUHellingerForestClassifier(0.6, n_estimators=5),
    ],
    expected_failed_checks=lambda estimator: EXCLUDED[type(estimator)],
)
def test_scikit_learn_check(estimator, check):
    check(estimator)
