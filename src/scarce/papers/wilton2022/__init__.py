"""Wilton et al. (2022): decision trees and forests for positive and unlabeled learning."""
