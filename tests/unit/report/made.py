"""Results of a study from made-up scores, as the report's tests need them."""

import pandas as pd

from scarce.analysis.agreement import AGREEMENT, AGREEMENT_RUNS, NOTES, agreement, agreement_notes
from scarce.analysis.selection import selection
from scarce.analysis.statistics import analyse
from scarce.analysis.table_ranks import TABLE_RANKS, TABLE_TESTS
from scarce.report.results import StudyResults
from scarce.result_files import columns_of

RUNS = ["dataset", "scenario", "repeat", "method", "status", "message"]


def study_results(scores, settings, names, *, published=None, author_runs=None, runs=None, frames=(), **more):
    """A study as `analyse` leaves it; `frames` replaces files."""
    made = {f"stats/{name}": frame for name, frame in analyse(scores, settings, published, author_runs).items()}
    made["stats/selection"] = selection(scores, settings)
    made["stats/table_ranks"] = pd.DataFrame(columns=TABLE_RANKS)
    made["stats/table_tests"] = pd.DataFrame(columns=TABLE_TESTS)
    made |= {"agreement": pd.DataFrame(columns=AGREEMENT), "agreement_runs": pd.DataFrame(columns=AGREEMENT_RUNS)}
    made["agreement_notes"] = pd.DataFrame(columns=NOTES)
    made["importances"] = pd.DataFrame(columns=columns_of("importances"))
    if published is not None and len(scores):
        made["agreement"], made["agreement_runs"] = agreement(scores, published, author_runs)
        made["agreement_notes"] = agreement_notes(made["agreement"], published, author_runs)
    made |= {"scores": scores, "runs": pd.DataFrame(columns=RUNS) if runs is None else runs}
    return StudyResults(frames=made | dict(frames), settings=settings, names=names, **more)
