"""Ortega Vazquez, vanden Broucke & De Weerdt (2023): Hellinger distance trees and forests for PU learning."""

from scarce.papers.ortega2023 import figures, reference  # noqa: F401 - importing them registers what the paper adds
