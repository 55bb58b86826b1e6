"""The tables of the paper: F by numbers of labeled rows and class prior, means by database, problems won."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from scarce.analysis.rows import matching
from scarce.report.layouts.base import layout, tidy_frame
from scarce.report.tables import BOLD, UNDERLINED, Cell, Column, Row, Table, sentence
from scarce.words import MISSING

if TYPE_CHECKING:
    import pandas as pd

    from scarce.report.results import StudyResults

MEANS = ["dataset", "scenario", "metric", "method", "mean", "sd", "n_runs", "published"]
BY_DATABASE = ["database", "class_prior", "metric", "method", "mean", "sd", "n_problems"]


@layout("metric")
def splice_sites(spec: Any, results: StudyResults) -> Table:
    """A row a number of labeled rows and class prior, a column a set of splice sites: two methods side by side."""
    from scarce.papers.calvo2007.problems import database_of, design_of, outcomes

    first, second = spec.methods
    names = results.names
    datasets = [name for name in names.datasets if database_of(name) in ("accdon", "splice")]
    rows = matching(results.stats("means"), metric=spec.metric)
    rows = rows[rows["dataset"].isin(datasets) & rows["method"].isin([first, second])]
    means = rows.set_index(["dataset", "scenario", "method"])
    tested = outcomes(
        results.scores[results.scores["dataset"].isin(datasets)],
        spec.metric,
        [(first, second)],
        alpha=results.settings.alpha,
    ).set_index(["source", "scenario"])["outcome"]
    scenarios = sorted({scenario for _, scenario, _ in means.index}, key=design_of)
    lines = []
    for scenario in scenarios:
        labeled, _, prior = design_of(scenario)
        cells = [
            _side_by_side(means, (dataset, scenario), (first, second), tested.get((dataset, scenario), ""))
            for dataset in datasets
        ]
        lines.append(Row(f"{labeled}, {prior:g}", tuple(cells), names.scenarios.get(scenario, scenario)))
    absent = [names.titles.get(name, name) for name in datasets if name in results.unavailable]
    labels = [names.methods[name] for name in (first, second)]
    notes = [f"Published numbers alone, since the data are not public: {'; '.join(absent)}."] if absent else []
    return Table(
        name=spec.name,
        caption=sentence(spec.title),
        columns=(
            Column("Labeled, class prior", kind="name"),
            *(Column(names.datasets[name], names.titles.get(name, name)) for name in datasets),
        ),
        rows=tuple(lines),
        reading=f"{' / '.join(labels)}: mean and, in parentheses, standard deviation over draws, in percent.",
        marks=(
            (BOLD, f"{labels[1]} wins by Wilcoxon's exact signed-rank test at {results.settings.alpha:g}"),
            (UNDERLINED, f"{labels[0]} wins"),
        ),
        notes=(*notes, "The stand-ins have other rows than ACCDON and are drawn with replacement."),
        frame=rows[MEANS].reset_index(drop=True),
    )


def _side_by_side(means: pd.DataFrame, key: tuple[str, str], methods: tuple[str, str], outcome: str) -> Cell:
    """Two methods in a cell; the published numbers where there are no others."""
    rows = [means.loc[(*key, method)] if (*key, method) in means.index else None for method in methods]
    if any(row is None for row in rows):
        return Cell()
    if any(row["n_runs"] == 0 for row in rows):
        printed = [float(row["published"]) for row in rows]
        text = MISSING if any(map(math.isnan, printed)) else " / ".join(f"{100 * value:.2f}" for value in printed)
        return Cell(text, tooltip="published, not run here", sort=printed[0])
    texts = [f"{100 * row['mean']:.2f} ({100 * row['sd']:.2f})" for row in rows]
    emphasis = {"lost": BOLD, "won": UNDERLINED}.get(outcome, "")
    return Cell(" / ".join(texts), "", emphasis, tooltip=f"{rows[0]['n_runs']:.0f} draws", sort=float(rows[0]["mean"]))


@layout()
def databases(spec: Any, results: StudyResults) -> Table:
    """A row a database and class prior, a column a metric and method: means over problems."""
    from scarce.analysis.ties import settled
    from scarce.papers.calvo2007.problems import DATABASES, databases_in, design_of, draws

    methods = list(spec.methods or results.names.methods)
    parts = []
    for metric in results.metrics:
        values = draws(results.scores, metric).reindex(columns=methods)
        problems = values.groupby(level=["database", "source", "scenario"]).agg(["mean", "std"])
        priors = problems.index.get_level_values("scenario").map(lambda name: design_of(name)[2])
        means = problems.groupby([problems.index.get_level_values("database"), priors]).mean()
        sizes = problems.groupby([problems.index.get_level_values("database"), priors]).size()
        parts += [
            (database, prior, metric, method, row[(method, "mean")], row[(method, "std")], sizes[(database, prior)])
            for (database, prior), row in means.iterrows()
            for method in methods
        ]
    frame = tidy_frame(parts, BY_DATABASE)
    cells = frame.set_index(BY_DATABASE[:4]).sort_index()
    rows = []
    for database in databases_in(frame):
        for prior in sorted(set(frame.loc[frame["database"] == database, "class_prior"])):
            line = []
            for metric in results.metrics:
                numbers = cells.loc[(database, prior, metric)]
                own = numbers.assign(mean=settled(numbers["mean"]))["mean"]
                line += [_mean_cell(numbers.loc[method], own[method] == own.max()) for method in methods]
            rows.append(Row(f"{DATABASES[database][0]}, {prior:g}", tuple(line)))
    labels = results.names.methods
    columns = [
        Column(f"{results.metric_label(metric)}: {labels[method]}") for metric in results.metrics for method in methods
    ]
    return Table(
        name=spec.name,
        caption=sentence(spec.title),
        columns=(Column("Database, class prior", kind="name"), *columns),
        rows=tuple(rows),
        reading="Mean over the problems of a database ± mean of their standard deviations over draws, in percent.",
        marks=((BOLD, "largest mean of the metric in the row"),),
        frame=frame,
    )


def _mean_cell(numbers: pd.Series, best: bool) -> Cell:
    mean, sd = 100 * float(numbers["mean"]), 100 * float(numbers["sd"])
    if math.isnan(mean):
        return Cell()
    spread = "" if math.isnan(sd) else f"± {sd:.1f}"
    return Cell(f"{mean:.1f}", spread, BOLD if best else "", tooltip=f"{numbers['n_problems']:.0f} problems", sort=mean)


@layout()
def problems_won(spec: Any, results: StudyResults) -> Table:
    """A row a metric and pair of methods, a column a database: problems won, lost and undecided."""
    import pandas as pd

    from scarce.papers.calvo2007.figures import PAIRS
    from scarce.papers.calvo2007.problems import DATABASES, counted, databases_in, outcomes

    alpha = results.settings.alpha
    frame = pd.concat([outcomes(results.scores, metric, PAIRS, alpha=alpha) for metric in results.metrics])
    labels, databases, rows = results.names.methods, databases_in(frame), []
    for metric in results.metrics:
        counts = counted(matching(frame, metric=metric))
        for method, other in PAIRS:
            cells = [_won_cell(counts, (method, other, name)) for name in databases]
            pair = f"{labels.get(method, method)} against {labels.get(other, other)}"
            rows.append(Row(f"{results.metric_label(metric)}: {pair}", tuple(cells)))
    return Table(
        name=spec.name,
        caption=sentence(spec.title),
        columns=(Column("Metric and pair", kind="name"), *(Column(DATABASES[name][0]) for name in databases)),
        rows=tuple(rows),
        reading=(
            "Problems won by the first method / won by the second / undecided, by Wilcoxon's exact signed-rank test "
            f"over the draws of a problem, two-sided, at {alpha:g}."
        ),
        frame=frame,
    )


def _won_cell(counts: pd.DataFrame, key: tuple[str, str, str]) -> Cell:
    """Problems of a method, other and database: won / lost / undecided."""
    if key not in counts.index:
        return Cell()
    return Cell(" / ".join(map(str, counts.loc[key])), sort=float(counts.loc[key, "won"]))
