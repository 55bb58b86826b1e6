"""From the claims of a study and its scores to the frames of verdicts.csv and evidence.csv."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pandas as pd

from scarce.analysis.evidence import Case
from scarce.analysis.judges import JUDGES
from scarce.result_files import columns_of
from scarce.words import as_cell

VERDICTS = columns_of("verdicts")
CLAIM_EVIDENCE = columns_of("evidence")


def judge_all(case: Case, claims: Iterable[tuple[Any, Any]]) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The frames of verdicts.csv, one row a claim with a line of ``reading`` for each sentence, and of evidence.csv.

    Each claim of a study comes with the arguments of its judge, see `scarce.config.claims.arguments`.
    """
    rows, numbers = [], [pd.DataFrame(columns=CLAIM_EVIDENCE)]
    for claim, arguments in claims:
        verdict = JUDGES[claim.judge].decide(case, arguments)
        reading = "\n".join(verdict.reading)
        text, where, note = map(as_cell, (claim.claim, claim.where, claim.note))
        rows.append((claim.name, text, where, claim.judge, verdict.verdict, reading, note))
        if len(verdict.evidence):
            numbers.append(verdict.evidence.assign(claim=claim.name)[CLAIM_EVIDENCE])
    # an empty frame first would decide the types of the columns
    evidence = pd.concat(numbers[1:] or numbers, ignore_index=True)
    return pd.DataFrame(rows, columns=VERDICTS), evidence
