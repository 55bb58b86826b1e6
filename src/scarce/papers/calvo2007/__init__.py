"""Calvo, Larrañaga & Lozano (2007): Bayesian classifiers from positive and unlabeled examples."""

from scarce.papers.calvo2007 import figures, judges, layouts  # noqa: F401 - importing them registers what the paper adds
