"""The figures that a study may name, each one record; drawing code is imported when a figure is drawn.

A record turns the results of a study into drawings: one for each metric, or metric and scenario, or one alone; none
where there is nothing to draw.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

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
FIGURES: dict[str, Draw] = {}


def _record(draw: Draw) -> Draw:
    FIGURES[draw.__name__] = draw
    return draw


def _about(results: StudyResults, metric: str, scenario: str) -> str:
    """What a caption says of all that is missing from the blocks of a panel."""
    return " ".join(filter(None, [results.counted_words(), results.missing_words(metric, scenario)]))


@_record
def split_example(results: StudyResults) -> Iterator[Drawing]:
    from scarce.report.figures import split_example, split_example_caption

    title = "Gini impurity and PU Hellinger distance prefer different splits"
    yield Drawing("split_example", title, split_example_caption(), split_example())


@_record
def half_moons(results: StudyResults) -> Iterator[Drawing]:
    from scarce.report.figures import half_moons, half_moons_average, half_moons_caption

    caption = half_moons_caption(average=half_moons_average())
    yield Drawing("half_moons", "Decision surfaces on half-moons", caption, half_moons())


@_record
def isometrics(results: StudyResults) -> Iterator[Drawing]:
    from scarce.report.figures import CRITERIA, isometrics

    for name, (title, _) in CRITERIA.items():
        yield Drawing(
            f"isometrics_{name}",
            f"{title}: contours of equal value",
            "Splits that send a share of the positives (true positive rate) and of the negatives (false positive rate) "
            "to one side, joined where the criterion values them alike; ten steps up to the largest value. "
            + ("It does not depend on the skew." if name == "hellinger" else "Titles give the skew."),
            isometrics(name, (1,) if name == "hellinger" else (1, 10)),
        )


@_record
def value_surfaces(results: StudyResults) -> Iterator[Drawing]:
    from scarce.report.figures import value_surfaces

    caption = (
        "All values of a split, on one scale of height: DKM flattens with the skew, the Hellinger distance does not."
    )
    yield Drawing("value_surfaces", "Hellinger distance and DKM as surfaces", caption, value_surfaces())


@_record
def change(results: StudyResults) -> Iterator[Drawing]:
    from scarce.report.figures import change, percent_change

    for metric, scenario in results.panels():
        blocks = results.blocks(metric, scenario)
        changes = None if blocks is None else percent_change(blocks.values, results.bases)
        if changes is None or changes.empty:
            continue
        without = [results.labels.titles[name] for name in blocks.values.index if name not in changes.index]
        reason = f"No change in percent, as a method has no result or a mean of 0: {', '.join(without)}. "
        yield Drawing(
            f"change_{metric}_{scenario}",
            f"{results.metric_label(metric)}, {results.scenario_label(scenario)}: change against the method built on",
            "Percent of the mean of the method without the addition. Numbers rank the methods on a data set, 1 for the "
            "largest gain. " + (reason if without else "") + _about(results, metric, scenario),
            change(
                changes,
                methods=results.methods,
                datasets=results.labels.titles,
                ylabel=f"Change of {results.metric_label(metric)} (%)",
            ),
        )


@_record
def critical_difference(results: StudyResults) -> Iterator[Drawing]:
    from scarce.analysis.tests import cliques
    from scarce.report.figures import critical_difference

    for metric, scenario in results.panels():
        ranks = results.average_ranks(metric, scenario)
        found = results.critical_difference(metric, scenario)
        if ranks is None or found is None:
            continue
        cd, n = found
        yield Drawing(
            f"critical_difference_{metric}_{scenario}",
            f"Critical differences: {results.metric_label(metric)}, {results.scenario_label(scenario)}",
            f"Average ranks over {n} data sets (1 is best). A bar joins methods that Nemenyi's test cannot tell apart "
            f"at {results.settings.alpha:g}; the ruler is the critical difference, {cd:.2f}. "
            + _about(results, metric, scenario),
            critical_difference(
                ranks.to_dict(), cliques(ranks, cd), cd, alpha=results.settings.alpha, methods=results.methods, n=n
            ),
        )


@_record
def dots(results: StudyResults) -> Iterator[Drawing]:
    from scarce.report.figures import dots

    for metric in results.metrics:
        yield Drawing(
            f"dots_{metric}",
            f"{results.metric_label(metric)} by data set",
            "Single repeats (pale strokes), their mean (marker) and standard deviation (line), in percent. "
            f"{results.counted_words()}",
            dots(
                results.scores,
                metric,
                methods=results.methods,
                scenarios=results.labels.scenarios,
                datasets={name: results.labels.titles[name] for name in results.present},
                metric_label=results.metric_label(metric),
            ),
        )


@_record
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
            f"hides more positives. {results.counted_words()}",
            score_vs_ratio(
                results.counted_scores(),
                metric,
                methods=results.methods,
                ratios=results.ratios,
                metric_label=results.metric_label(metric),
            ),
        )


@_record
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
                f"{results.counted_words()}",
                prior_sensitivity(
                    results.counted_scores(),
                    metric,
                    methods=results.methods,
                    factors=factors,
                    metric_label=results.metric_label(metric),
                ),
            )


@_record
def rank_heatmap(results: StudyResults) -> Iterator[Drawing]:
    from scarce.analysis.ranks import rank_blocks
    from scarce.report.figures import rank_heatmap

    for metric, scenario in results.panels():
        blocks = results.blocks(metric, scenario)
        if blocks is None or blocks.values.empty:
            continue
        ranks = rank_blocks(blocks.values, blocks.higher_is_better)
        yield Drawing(
            f"rank_heatmap_{metric}_{scenario}",
            f"Ranks: {results.metric_label(metric)}, {results.scenario_label(scenario)}",
            "Rank of each method on each data set, repeats averaged first; 1 is best. "
            + _about(results, metric, scenario),
            rank_heatmap(ranks.T, methods=results.methods, datasets=results.labels.datasets),
        )


@_record
def thresholds(results: StudyResults) -> Iterator[Drawing]:
    from scarce.report.figures import thresholds
    from scarce.report.figures.threshold_rules import RULES

    if not results.has_values(RULES, results.labels.scenarios):
        return
    yield Drawing(
        "thresholds",
        "The same scores under five threshold rules",
        "Mean F1 over data sets and flip ratios by who chose the threshold. Only the rule differs: the fits are the "
        f"same. {results.counted_words()}",
        thresholds(results.counted_scores(), methods=results.methods),
    )


@_record
def agreement(results: StudyResults) -> Iterator[Drawing]:
    from scarce.report.cells import judged
    from scarce.report.figures import agreement

    if judged(results.agreement)["average"].all():  # there are averages alone, or nothing
        return
    labels = results.labels
    yield Drawing(
        "agreement",
        "Published and reproduced numbers",
        "One point for each data set, method and scenario; on the line both are equal. Outside: further apart than two "
        "standard errors and half the last printed digit.",
        agreement(
            results.agreement,
            metric_labels={metric: results.metric_label(metric) for metric in results.metrics},
            method_labels=labels.methods,
            dataset_labels=labels.datasets,
        ),
    )
