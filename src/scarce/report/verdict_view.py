"""What the report says of a paper's claims: the verdict, the reading, and the numbers as a table."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pandas as pd

from scarce.report.agreement_view import LabelOf
from scarce.report.tables import Cell, Column, Row, Table
from scarce.words import MISSING, percent

KEYS = {
    "metric": "Metric",
    "scenario": "Scenario",
    "blocks": "Blocks",
    "dataset": "Data set",
    "method": "Method",
    "other": "Against",
}
ORDER = ("held", "partly", "not held", "untested")


def _p(value: float) -> str:
    return "< 0.001" if value < 0.001 else f"{value:.3f}"


def _yes(value: float) -> str:
    return "yes" if value else "no"


def _signed(value: float) -> str:
    return percent(value, sign=True)


#: How a quantity is printed, and what its column is called; any other is printed with three digits, as it is named.
QUANTITIES: dict[str, tuple[str, Callable[[float], str]]] = {
    "average_rank": ("Average rank", "{:.2f}".format),
    "average_rank_other": ("Average rank of the other", "{:.2f}".format),
    "average_rank_first": ("Average rank", "{:.2f}".format),
    "average_rank_second": ("read again", "{:.2f}".format),
    "mean_first": ("Mean, %", percent),
    "mean_second": ("read again", percent),
    "p": ("p", _p),
    "exact": ("p is exact", _yes),
    "p_adjusted": ("p, adjusted", _p),
    "significant": ("Significant", _yes),
    "iman_davenport_f": ("F", "{:.1f}".format),
    "difference": ("Difference, points", _signed),
    "low": ("from", _signed),
    "high": ("to", _signed),
    "won": ("Won", "{:.0f}".format),
    "tied": ("Tied", "{:.0f}".format),
    "lost": ("Lost", "{:.0f}".format),
    "n": ("Data sets", "{:.0f}".format),
    "pairs": ("Pairs that differ", "{:.0f}".format),
    "kept": ("Kept", "{:.0f}".format),
    "reversed": ("Reversed", "{:.0f}".format),
    "new": ("New", "{:.0f}".format),
    "rank_correlation": ("Rank correlation", "{:.2f}".format),
    "sd_rank_difference": ("SD of the rank difference", "{:.2f}".format),
    "needed_pair": ("Data sets needed, pair", "{:.0f}".format),
    "needed_nemenyi": ("Data sets needed, Nemenyi", "{:.0f}".format),
    "published": ("Published, %", percent),
    "reproduced": ("Reproduced, %", percent),
    "within": ("Within", _yes),
}


def verdict_view(
    verdicts: pd.DataFrame | None, evidence: pd.DataFrame | None, label: LabelOf = lambda kind, name: name
) -> dict[str, Any] | None:
    """Everything that a page says of claims, from the rows of verdicts.csv and evidence.csv; None without claims.

    The keys are counts (verdict and number) and claims (name, text, where, verdict, badge, sentences, note, table).
    ``label(kind, name)`` has kind method, metric, dataset or scenario.
    """
    if verdicts is None or verdicts.empty:
        return None
    counts = verdicts["verdict"].value_counts()
    return {
        "counts": [(verdict, int(counts[verdict])) for verdict in ORDER if verdict in counts],
        "claims": [
            {
                "name": row.claim,
                "text": row.text,
                "where": row.where,
                "verdict": row.verdict,
                "badge": row.verdict.replace(" ", "-"),
                "sentences": row.reading.split("\n"),
                "note": row.note,
                "table": _table(row.claim, evidence[evidence["claim"] == row.claim], label),
            }
            for row in verdicts.itertuples()
        ],
    }


def _table(claim: str, rows: pd.DataFrame, label: LabelOf) -> Table | None:
    """The numbers behind a verdict: one line for each thing they speak of, one column for each quantity."""
    if rows.empty:
        return None
    keys = [key for key in KEYS if (rows[key] != "").any()]
    quantities = list(dict.fromkeys(rows["quantity"]))
    lines: dict[tuple, dict[str, float]] = {}
    for row in rows.to_dict("records"):
        lines.setdefault(tuple(row[key] for key in keys), {})[row["quantity"]] = row["value"]
    kinds = {key: "method" if key == "other" else key for key in keys}
    table_rows = []
    for line, values in lines.items():
        names = [label(kinds[key], name) if name else MISSING for key, name in zip(keys, line, strict=True)]
        numbers = [_number(quantity, values.get(quantity, math.nan)) for quantity in quantities]
        table_rows.append(Row(names[0], (*map(Cell, names[1:]), *numbers)))
    names = (Column(KEYS[key], kind="name") for key in keys)
    numbers = (Column(QUANTITIES.get(quantity, (quantity, None))[0]) for quantity in quantities)
    return Table(f"evidence_{claim}", "", (*names, *numbers), tuple(table_rows))


def _number(quantity: str, value: float) -> Cell:
    if math.isnan(value):
        return Cell(sort=value)
    return Cell(QUANTITIES.get(quantity, (quantity, "{:.3g}".format))[1](value), sort=float(value))
