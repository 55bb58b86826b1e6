"""The class prior, estimated from labeled positives and unlabeled rows.

All rows are one sample (single-training-set setting), and some of its positives are labeled. The prior is the share of
positives among all rows, labeled ones included. It lies between the share of labeled rows and 1. The estimators are
imported when they are first used.
"""

from scarce.prior.estimators import ESTIMATORS, PriorEstimator, estimate_class_prior, find_estimator

__all__ = ["ESTIMATORS", "PriorEstimator", "estimate_class_prior", "find_estimator"]
