"""Figures: each a pure function of plain data that returns a `matplotlib.figure.Figure`; `save` writes it."""

from scarce.report.figures.cd_diagram import critical_difference
from scarce.report.figures.change import change, percent_change
from scarce.report.figures.dot_panels import dots
from scarce.report.figures.heatmap import rank_heatmap
from scarce.report.figures.isometrics import CRITERIA, isometrics, value_surfaces
from scarce.report.figures.moons import half_moons, half_moons_average, half_moons_caption
from scarce.report.figures.published import agreement
from scarce.report.figures.ratio import prior_sensitivity, score_vs_ratio
from scarce.report.figures.splits import split_example, split_example_caption
from scarce.report.figures.threshold_rules import thresholds
from scarce.report.style import Method, family_colours, looks, save

__all__ = [
    "CRITERIA",
    "Method",
    "agreement",
    "change",
    "critical_difference",
    "dots",
    "family_colours",
    "half_moons",
    "half_moons_average",
    "half_moons_caption",
    "isometrics",
    "looks",
    "percent_change",
    "prior_sensitivity",
    "rank_heatmap",
    "save",
    "score_vs_ratio",
    "split_example",
    "split_example_caption",
    "thresholds",
    "value_surfaces",
]
