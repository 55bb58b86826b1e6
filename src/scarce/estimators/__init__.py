"""Shared by all estimators: reading of observed labels, features and weights, prediction, and checks of parameters.

Every estimator has ``fit(X, y, sample_weight=None)``, where y holds observed labels, and ``predict_proba``. The rooms
`scarce.trees`, `scarce.methods` and `scarce.prior` use this one.
"""
