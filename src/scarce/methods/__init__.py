"""Methods that learn from positive and unlabeled rows, one module a family, each a scikit-learn classifier.

All derive from `scarce.estimators.base.PUClassifier`, which describes ``fit(X, y, sample_weight=None)``.
"""
