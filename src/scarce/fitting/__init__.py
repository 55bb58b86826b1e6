"""Fit methods on training rows and save the scores of validation and test rows; no true label is read here."""
