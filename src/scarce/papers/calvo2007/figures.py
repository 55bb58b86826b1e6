"""The figures of the paper, as a study may name them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from scarce.report.catalogue import Drawing, figure

if TYPE_CHECKING:
    from scarce.report.results import StudyResults

ALPHA, BETA = 4.4, 13.17  # section 5.3
#: The pairs of Figure 5, panels a to f.
PAIRS = (
    ("pnb", "apnb"),
    ("pnb", "ptan"),
    ("apnb", "aptan"),
    ("pnb", "aptan"),
    ("apnb", "ptan"),
    ("ptan", "aptan"),
)

#: As in datasets.yaml.
TOPOLOGIES = {"chain": "Chain", "star": "Star", "binary_tree": "Binary tree", "two_hubs": "Two hubs"}
VARIABLES = 10


@figure
def beta_density(results: StudyResults) -> Iterator[Drawing]:
    from scarce.papers.calvo2007.drawings import beta_density

    mean, equivalent = ALPHA / (ALPHA + BETA), ALPHA / (ALPHA + BETA - 1)
    marks = {f"mean, {mean:.3f}": mean, f"PNB that is alike, {equivalent:.3f}": equivalent}
    yield Drawing(
        "beta_density",
        "What APNB and APTAN assume of the class prior",
        f"Density of the Beta distribution with alpha = {ALPHA:g} and beta = {BETA:g}, its mean, and the class prior "
        "with which PNB has the estimates of APNB before negative ones are replaced.",
        beta_density(ALPHA, BETA, marks),
    )


@figure
def tree_topologies(results: StudyResults) -> Iterator[Drawing]:
    from scarce.data.tan import parents_of
    from scarce.papers.calvo2007.drawings import topologies

    yield Drawing(
        "tree_topologies",
        "Topologies of the synthetic data",
        "Dependencies between the variables; the class, on which each of them depends as well, is left out. The paper "
        "shows its four topologies in a picture only, so these are a choice of this study.",
        topologies({title: parents_of(name, VARIABLES) for name, title in TOPOLOGIES.items()}),
    )


@figure
def problems_won(results: StudyResults) -> Iterator[Drawing]:
    from scarce.papers.calvo2007.drawings import shares_won
    from scarce.papers.calvo2007.problems import outcomes

    for metric in results.metrics:
        frame = outcomes(results.scores, metric, PAIRS, alpha=results.settings.alpha)
        if frame.empty:
            continue
        pairs = list(dict.fromkeys(zip(frame["method"], frame["other"], strict=True)))
        draws = sorted(set(frame["n"]))
        yield Drawing(
            f"problems_won_{metric}",
            f"Problems won by {results.metric_label(metric)}",
            "Share of the problems that each method wins; numbers count problems. Wilcoxon's exact signed-rank test "
            f"over {' or '.join(map(str, draws))} draws of a problem, two-sided, at {results.settings.alpha:g}, zero "
            "differences dropped.",
            shares_won(frame, pairs, results.names.methods),
        )
