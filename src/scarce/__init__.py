"""scarce: reproducible comparisons of classifiers that learn from imbalanced positive and unlabeled data."""

__version__ = "0.1.0"
