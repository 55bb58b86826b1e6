"""How a claim of a paper is judged: every kind of judge is one record, its arguments and one pure function.

A judge turns a case (scores, settings, published numbers) and its arguments into a verdict, a reading in plain
sentences that is made from the numbers, and the numbers themselves. Nothing heavy is imported here: the records are
read where a study is checked, before any job.

Every test is made over data sets (repeats averaged first, two-sided; Demsar 2006), and beside that as the study itself
does it, where that is another way (Ortega Vazquez et al. 2023: every run a block, one-sided).
"""

from scarce.analysis.judges import (  # noqa: F401 - importing a module records it
    apart,
    better,
    contrast,
    kept,
    order,
    reproduces,
    selection,
)
from scarce.analysis.judges.base import JUDGES, Judge, Verdict

__all__ = ["JUDGES", "Judge", "Verdict"]
