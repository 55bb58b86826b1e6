"""The class prior, estimated from labeled positives and unlabeled rows.

The setting is that of one sample (single training set): n rows of the same population, some of whose positives are
labeled. The prior is the share of positives among all of them, labeled ones included, and so lies between the share
of labeled rows and 1. Nothing heavy is imported before an estimate is asked for.
"""

from scarce.prior.estimators import ESTIMATORS, PriorEstimator, estimate_class_prior, find_estimator

__all__ = ["ESTIMATORS", "PriorEstimator", "estimate_class_prior", "find_estimator"]
