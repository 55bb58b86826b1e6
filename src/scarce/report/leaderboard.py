"""The first panel of a study as a small table: what stands in place of the leaderboard where no script runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scarce.report.tables import Cell, Column, Row, Table
from scarce.words import MISSING, number, percent

if TYPE_CHECKING:
    from scarce.report.results import StudyResults


def leaderboard(results: StudyResults) -> Table | None:
    """Average rank, mean and wins of each method in the first metric and scenario that are ranked; None without."""
    panels = ((*panel, results.panel("ranks", *panel, "datasets")) for panel in results.panels())
    metric, scenario, ranks = next((panel for panel in panels if len(panel[-1])), (None, None, None))
    if metric is None:
        return None
    rows = [
        Row(
            results.names.of("method", row.method),
            (
                Cell(f"{row.average_rank:.2f}", sort=row.average_rank),
                Cell(percent(row.mean), sort=row.mean),
                Cell(str(row.wins), sort=row.wins),
            ),
        )
        for row in ranks.itertuples()
    ]
    means = results.averages(metric, scenario)["mean"]
    for method in results.settings.oracles:
        if method in means.index:
            mean = Cell(percent(means[method]), sort=means[method])
            rows.append(Row(results.names.of("method", method), (Cell(MISSING), mean, Cell(MISSING))))
    if (share := baseline(results, metric, scenario)) is not None:
        rows.append(Row("Random order (prevalence)", (Cell(MISSING), Cell(percent(share), sort=share), Cell(MISSING))))
    n = number(int(ranks["n_blocks"].iloc[0]), "data set")
    label = f"{results.metric_label(metric)}, {results.names.scenarios[scenario]}"
    return Table(
        "leaderboard",
        f"{label}. N = {n}.",
        (Column("Method", kind="name"), Column("Average rank"), Column("Mean, %"), Column("Wins")),
        tuple(rows),
        reading="Repeats are averaged first. A win is a data set on which no method is better. What uses hidden labels "
        "has no rank.",
    )


def baseline(results: StudyResults, metric: str, scenario: str) -> float | None:
    """Mean, over the data sets of a panel, of what scores that say nothing reach; None where that is no news."""
    from scarce.scoring.observed_metrics import ALL_METRICS

    if not (results.truth_known and ALL_METRICS[metric].baseline):
        return None
    sizes = [results.sizes.get(name) for name in results.block_ranks(metric, scenario).index]
    shares = [positives / n for n, _, positives in filter(None, sizes)]
    return sum(shares) / len(shares) if shares else None
