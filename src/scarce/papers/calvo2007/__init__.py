"""Calvo, Larranaga & Lozano (2007): Bayesian classifiers from positive and unlabeled examples."""
