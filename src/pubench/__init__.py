"""pubench: reproducible comparisons of classifiers that learn from positive and unlabeled data under class imbalance."""

__version__ = "0.1.0"
