"""The figures of the paper, each on both readings of F where it has scores, and its critical difference diagrams."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from scarce.report.catalogue import Drawing, figure
from scarce.words import number

if TYPE_CHECKING:
    import pandas as pd

    from scarce.report.results import StudyResults

#: Data sets of Figures 4 and 5, and the one that the paper leaves out.
UNSTABLE = ("iris_setosa_versicolor", "lymph", "audiology", "breast_cancer", "soybean", "hepatitis")
LEFT_OUT = "dermatology"


def _readings(results: StudyResults) -> list[str]:
    from scarce.papers.ienco2016.reference import READINGS

    return [metric for metric in READINGS if metric in results.metrics]


def _values(results: StudyResults, metric: str, column: str = "mean") -> pd.DataFrame:
    """Values of single data sets: methods x (dataset, scenario), of the data sets that averages count."""
    rows = results.counted_means()
    rows = rows[rows["metric"] == metric].dropna(subset=[column])
    return rows.pivot_table(index="method", columns=["dataset", "scenario"], values=column)


def _curve(values: pd.DataFrame, names: Mapping[float, str], dataset: str, scenario: str) -> dict[float, float]:
    """By x, the value of the method that `names` gives, where there is one."""
    if (dataset, scenario) not in values.columns:
        return {}
    column = values[dataset, scenario].dropna()
    return {x: float(column[name]) for x, name in names.items() if name in column.index}


def _share(results: StudyResults, scenario: str) -> str:
    return results.names.scenarios[scenario].split(" of ")[0]


@figure
def mean_f_by_k(results: StudyResults) -> Iterator[Drawing]:
    from scarce.papers.ienco2016.plots import Curve, panels
    from scarce.papers.ienco2016.variants import DISTANCES, KS, pulce

    for metric in _readings(results):
        rows = results.curves(metric).set_index(["method", "scenario"])["mean"]
        curves = []
        for colour, scenario in enumerate(results.names.scenarios):
            for dash, (distance, label) in enumerate(DISTANCES.items()):
                values = {k: float(rows[key]) for k in KS if (key := (pulce(k, distance), scenario)) in rows.index}
                if values:
                    curves.append(Curve(f"{label}, {_share(results, scenario)}", values, {}, colour, dash))
        if curves:
            yield Drawing(
                f"mean_f_by_k_{metric}",
                f"{results.metric_label(metric)} of Pulce against k (Figure 3)",
                "Mean over data sets by number of neighbours, distance between values and share of labeled positives. "
                f"{results.counted_words()}",
                panels({"": curves}, xlabel="k", ylabel=f"mean {results.metric_label(metric)}"),
            )


@figure
def f_by_k(results: StudyResults) -> Iterator[Drawing]:
    from scarce.papers.ienco2016.plots import panels
    from scarce.papers.ienco2016.variants import KS, pulce

    names = {k: pulce(k) for k in KS}
    for metric in _readings(results):
        curves = _panels(results, metric, names, UNSTABLE)
        if curves:
            yield Drawing(
                f"f_by_k_{metric}",
                f"{results.metric_label(metric)} of Pulce against k on six data sets (Figure 4)",
                "By share of labeled positives; the paper names these six data sets as the least stable. Crosses are "
                "the published numbers, which are there for k = 1, 7 and 13.",
                panels(curves, xlabel="k", ylabel=results.metric_label(metric)),
            )


@figure
def f_by_shift(results: StudyResults) -> Iterator[Drawing]:
    from scarce.papers.ienco2016.plots import panels
    from scarce.papers.ienco2016.variants import SHIFTS, shifted

    names = {shift: shifted(shift) for shift in SHIFTS}
    for metric in _readings(results):
        curves = _panels(results, metric, names, (*UNSTABLE, LEFT_OUT))
        if curves:
            yield Drawing(
                f"f_by_shift_{metric}",
                f"{results.metric_label(metric)} of Pulce with k = 1 against the threshold's shift (Figure 5)",
                "The threshold of reliable negatives is the mean distance of labeled positives, and here that mean "
                "times 1 + shift. Dermatology is not in the paper's figure. The cross is the published number, "
                "without a shift.",
                panels(curves, xlabel="shift of the threshold (%)", ylabel=results.metric_label(metric), percent=True),
            )


def _panels(results: StudyResults, metric: str, names: Mapping[float, str], datasets: tuple[str, ...]) -> dict:
    """The curves of each data set by share; none where fewer than two of the methods have results."""
    from scarce.papers.ienco2016.plots import Curve

    own, paper = _values(results, metric), _values(results, metric, "published")
    curves = {}
    for dataset in datasets:
        lines = []
        for colour, scenario in enumerate(results.names.scenarios):
            values = _curve(own, names, dataset, scenario)
            if len(values) > 1:
                printed = _curve(paper, names, dataset, scenario)
                lines.append(Curve(f"{_share(results, scenario)} labeled", values, printed, colour))
        if lines:
            curves[results.names.titles.get(dataset, dataset)] = lines
    return curves


@figure
def critical_difference_by_k(results: StudyResults) -> Iterator[Drawing]:
    from scarce.analysis.tests import cliques
    from scarce.papers.ienco2016.samples import DIGITS, compare, wide
    from scarce.papers.ienco2016.variants import BAYES, KS, pulce
    from scarce.report.figures import critical_difference

    for metric in _readings(results):
        for k in KS:
            values = wide(results.stats("means"), metric, [*BAYES, pulce(k)], datasets=results.counted)
            samples, datasets = (compare(values, blocks) for blocks in ("samples", "datasets"))
            if datasets.untestable:
                continue
            alpha = results.settings.alpha
            cd, wider = samples.critical_difference(alpha), datasets.critical_difference(alpha)
            better, _ = datasets.apart(pulce(k), alpha=alpha)
            labels = ", ".join(results.names.methods[name] for name in better) or "no other method"
            withheld = samples.withheld(alpha)
            bars = [list(samples.average.index)] if withheld else cliques(samples.average, cd)
            yield Drawing(
                f"critical_difference_{metric}_k{k}",
                f"Critical differences: {results.metric_label(metric)}, k = {k}",
                f"Average ranks over {samples.n} samples, data set x share, of values rounded to "
                f"{number(DIGITS, 'decimal')}, as the paper compares. A bar joins methods that Nemenyi's test cannot "
                f"tell apart at {alpha:g}; the ruler is the critical difference, {cd:.2f}, an approximation. "
                f"{f'{withheld}, so the bar joins all methods. ' if withheld else ''}"
                f"Samples of a data set share its rows. Over the {datasets.n} data sets the critical difference is "
                f"{wider:.2f}, and Pulce is significantly better than {labels}.",
                critical_difference(
                    samples.average.to_dict(), bars, cd, alpha=alpha, methods=results.methods, withheld=withheld
                ),
            )
