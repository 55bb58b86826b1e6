"""The figures that a study may name, each one record; drawing code is imported when a figure is drawn.

A record's function turns the results of a study into drawings, each with its caption: one for each metric, or metric
and scenario, or one alone; none where there is nothing to draw. A paper registers its own in the same way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from scarce.errors import ConfigError

if TYPE_CHECKING:
    from scarce.report.results import StudyResults


@dataclass(frozen=True)
class Drawing:
    """A figure with the name of its files, its title and its caption."""

    stem: str
    title: str
    caption: str
    figure: Any


Draw = Callable[["StudyResults"], Iterator[Drawing]]


@dataclass(frozen=True)
class FigureKind:
    """A kind of figure: its name under ``report: figures:`` of a study, what draws it, and its view on the page.

    `view` is a view of `scarce.report.page` that shows the same, so that the figure is a file alone; or "".
    """

    name: str
    draw: Draw
    view: str = ""


FIGURES: dict[str, FigureKind] = {}


def figure(draw: Draw | None = None, *, view: str = "") -> Any:
    """Register a function as the figure of its own name; raises ConfigError if the name is taken."""
    if draw is None:
        return partial(figure, view=view)
    if draw.__name__ in FIGURES:
        raise ConfigError(f"two figures are named {draw.__name__}")
    FIGURES[draw.__name__] = FigureKind(draw.__name__, draw, view)
    return draw


def about(results: StudyResults, metric: str, scenario: str | None = None) -> str:
    """What a caption says of a metric's assumptions, of missing data sets, and of what the blocks of a panel lack."""
    missing = results.missing_words(metric, scenario) if scenario else ""
    return " ".join(filter(None, [results.assumed_words(metric), results.counted_words(), missing]))


@figure(view="leaderboard")
def critical_difference(results: StudyResults) -> Iterator[Drawing]:
    from scarce.analysis.tests import cliques
    from scarce.report.figures import critical_difference

    for metric, scenario in results.panels():
        ranks = results.average_ranks(metric, scenario)
        test = results.critical_difference(metric, scenario)
        if ranks is None or test is None:
            continue
        cd, n = test
        omnibus, alpha = results.omnibus(metric, scenario), results.settings.alpha
        withheld = omnibus.words(alpha) if omnibus and omnibus.keeps(alpha) else ""
        bars = [list(ranks.index)] if withheld else cliques(ranks, cd)
        apart = f"A bar joins methods that Nemenyi's test cannot tell apart at {alpha:g}"
        if withheld:
            apart = f"{withheld}, so no pair is told apart, and the bar joins all methods"
        yield Drawing(
            f"critical_difference_{metric}_{scenario}",
            f"Critical differences: {results.metric_label(metric)}, {results.names.scenarios[scenario]}",
            f"Average ranks over {n} data sets (1 is best). {apart}; the ruler is the critical difference of Nemenyi's "
            f"test, {cd:.2f}, an approximation for many data sets. " + about(results, metric, scenario),
            critical_difference(
                ranks.to_dict(), bars, cd, alpha=alpha, methods=results.methods, n=n, withheld=withheld
            ),
        )


@figure
def dots(results: StudyResults) -> Iterator[Drawing]:
    from scarce.report.figures import dots

    having = results.settings.among
    for metric in results.metrics:
        yield Drawing(
            f"dots_{metric}",
            f"{results.metric_label(metric)} by data set",
            "Single repeats (pale strokes), their mean (marker) and standard deviation (line), in percent. "
            + about(results, metric),
            dots(
                results.scores,
                results.stats("means"),
                metric,
                methods=results.methods,
                scenarios=results.names.scenarios,
                datasets={name: results.names.titles[name] for name in results.present},
                metric_label=results.metric_label(metric),
                absent=[(d, s) for s in results.names.scenarios for d in results.present if not having([d], s)],
            ),
        )


@figure(view="ratio")
def score_vs_ratio(results: StudyResults) -> Iterator[Drawing]:
    from scarce.report.figures import score_vs_ratio

    if len(results.ratios) < 2:
        return
    for metric in results.metrics:
        if not results.has_values([metric], results.ratios):
            continue
        yield Drawing(
            f"score_vs_ratio_{metric}",
            f"{results.metric_label(metric)} against the flip ratio",
            "Mean over data sets; bars show the standard deviation, over repeats, of that mean. A larger flip ratio "
            "hides more positives. " + about(results, metric),
            score_vs_ratio(
                results.curves(metric),
                methods=results.methods,
                ratios=results.ratios,
                metric_label=results.metric_label(metric),
            ),
        )


@figure
def prior_sensitivity(results: StudyResults) -> Iterator[Drawing]:
    from scarce.report.figures import prior_sensitivity

    for flips, factors in results.factors.items():
        for metric in results.metrics:
            if not results.has_values([metric], factors):
                continue
            yield Drawing(
                f"prior_sensitivity_{metric}_{flips}",
                f"{results.metric_label(metric)} where the class prior is wrong, {flips}",
                "Mean over data sets; bars show the standard deviation, over repeats, of that mean. Labels, splits and "
                "seeds are the same for every factor, so a method that uses no class prior draws a level line. "
                + about(results, metric),
                prior_sensitivity(
                    results.curves(metric),
                    methods=results.methods,
                    factors=factors,
                    metric_label=results.metric_label(metric),
                ),
            )


@figure(view="leaderboard")
def rank_heatmap(results: StudyResults) -> Iterator[Drawing]:
    from scarce.report.figures import rank_heatmap

    for metric, scenario in results.panels():
        ranks = results.block_ranks(metric, scenario)
        if len(ranks) < 2:  # the ranks of one data set say no more than its means
            continue
        yield Drawing(
            f"rank_heatmap_{metric}_{scenario}",
            f"Ranks: {results.metric_label(metric)}, {results.names.scenarios[scenario]}",
            "Rank of each method on each data set, repeats averaged first; 1 is best. "
            + about(results, metric, scenario),
            rank_heatmap(ranks.T, methods=results.methods, datasets=results.names.datasets),
        )


@figure(view="rules")
def thresholds(results: StudyResults) -> Iterator[Drawing]:
    from scarce.report.figures import thresholds
    from scarce.report.figures.threshold_rules import RULES

    if not results.has_values(RULES, results.names.scenarios):
        return
    yield Drawing(
        "thresholds",
        "The same scores under five threshold rules",
        "Mean F1 over data sets and flip ratios by who chose the threshold. Only the rule differs: the fits are the "
        f"same. {results.counted_words()}",
        thresholds(results.counted_means(), methods=results.methods),
    )


@figure
def selection(results: StudyResults) -> Iterator[Drawing]:
    from scarce.report.figures import regrets

    rows, asked = results.stats("selection"), results.settings.selection
    rows = rows[(rows["dataset"] == "") & (rows["scenario"] != "")]
    for group in rows["candidates"].unique():
        averages, level = rows[rows["candidates"] == group], f"{100 * (1 - results.settings.alpha):g} %"
        yield Drawing(
            f"selection_{group}",
            f"What is lost by choosing among {group}",
            "Lost on the test rows against choosing by the true labels of the validation rows: mean over data sets and "
            f"its {level} interval (Student's t over data sets). At 0 nothing is lost. {results.counted_words()}",
            regrets(
                averages,
                ways={way: results.way_label(way) for way in averages["by"].unique()},
                metrics={metric: results.metric_label(metric) for metric in asked.judged_in},
                rarities={rarity: results.rarity_words(rarity) for rarity in ("rare", "common")},
                scenarios=results.names.scenarios,
            ),
        )


@figure
def agreement(results: StudyResults) -> Iterator[Drawing]:
    from scarce.report.agreement_view import with_status
    from scarce.report.figures import agreement

    rows = results.frames["agreement"]
    if with_status(rows)["average"].all():  # there are averages alone, or nothing
        return
    yield Drawing(
        "agreement",
        "Published and reproduced numbers",
        "One point for each data set, method and scenario; on the line both are equal. Outside: further apart than two "
        "standard errors and half the last printed digit.",
        agreement(rows, label=results.names.short),
    )
