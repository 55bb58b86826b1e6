"""Wilton et al. (2022): decision trees and forests for positive and unlabeled learning."""

from scarce.papers.wilton2022 import figures, judges, layouts  # noqa: F401 - importing them registers what the paper adds
