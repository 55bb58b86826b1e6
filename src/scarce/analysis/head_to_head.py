"""One method against each other one, with data sets as blocks: wins, Holm, Bayesian signed-rank."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np
import pandas as pd

from scarce.analysis.rows import matching
from scarce.analysis.signed_rank import signed_rank
from scarce.analysis.statistics import HOLM

COLUMNS = [
    "scenario", "metric", "method", "other", "average_rank", "average_rank_other", "n_blocks", "wins", "losses",
    "ties", "mean_difference", "p_holm", "rope", "p_better", "p_equal", "p_worse",
]  # fmt: skip


def head_to_head(
    block_ranks: pd.DataFrame,
    ranks: pd.DataFrame,
    posthoc: pd.DataFrame,
    *,
    method: str,
    lower_is_better: Collection[str],
    rope: float,
) -> pd.DataFrame:
    """A row for each scenario, metric and other method.

    Parameters
    ----------
    block_ranks, ranks, posthoc : DataFrame
        As in ``stats/``; rows whose blocks are not data sets are passed over.
    method : str
        The method that is compared.
    lower_is_better : collection of str
        Metrics whose smaller values are better.
    rope : float
        See `scarce.analysis.signed_rank.signed_rank`.

    Returns
    -------
    DataFrame
        With `COLUMNS`. A win is a data set on which `method` is better, differences are positive where it is, and
        ``p_holm`` is Holm's adjusted p-value where one of the two is the control, else NaN.
    """
    keys = ["scenario", "metric"]
    rows = []
    for panel, blocks in matching(block_ranks, blocks="datasets").groupby(keys, sort=False):
        values = blocks.pivot_table(index="dataset", columns="method", values="value")
        if method not in values:
            continue
        of_panel = {"scenario": panel[0], "metric": panel[1], "blocks": "datasets"}
        average = matching(ranks, **of_panel).set_index("method").average_rank
        tests = matching(posthoc, **of_panel)
        adjusted = _holm(tests[tests.test.isin(HOLM.values())], method)
        sign = -1 if panel[1] in lower_is_better else 1
        for other in average.sort_values(kind="stable").index.drop(method):
            difference = sign * (values[method] - values[other]).to_numpy()
            wins, losses = int((difference > 0).sum()), int((difference < 0).sum())
            counts = (len(difference), wins, losses, len(difference) - wins - losses, difference.mean())
            tested = (adjusted.get(other, np.nan), rope, *signed_rank(difference, rope=rope))
            rows.append((*panel, method, other, average[method], average[other], *counts, *tested))
    return pd.DataFrame(rows, columns=COLUMNS)


def _holm(tests: pd.DataFrame, method: str) -> dict[str, float]:
    """Adjusted p-values by the other method, where `method` is the control or is compared with it."""
    as_control, compared = tests[tests.control == method], tests[tests.method == method]
    return dict(zip(as_control.method, as_control.p_adjusted, strict=True)) | dict(
        zip(compared.control, compared.p_adjusted, strict=True)
    )
