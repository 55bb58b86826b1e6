"""Figures: each a pure function of plain data that returns a `matplotlib.figure.Figure`."""

from scarce.report.figures.agreement import agreement
from scarce.report.figures.cd_diagram import critical_difference
from scarce.report.figures.dot_panels import dots
from scarce.report.figures.heatmap import rank_heatmap
from scarce.report.figures.ratio import prior_sensitivity, score_vs_ratio
from scarce.report.figures.regrets import regrets
from scarce.report.figures.threshold_rules import thresholds
from scarce.report.style import save

__all__ = [
    "agreement",
    "critical_difference",
    "dots",
    "prior_sensitivity",
    "rank_heatmap",
    "regrets",
    "save",
    "score_vs_ratio",
    "thresholds",
]
