"""How long a study will take, and how much disk: from the seconds of earlier fits, and how sure that is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from pydantic import Field

from scarce import paths
from scarce.commands.answers import Keys
from scarce.commands.costs import SOURCES, Cost, cells_of, known_costs, rows_of, test_share, weights
from scarce.commands.terminal import duration
from scarce.config.project import Project
from scarce.config.study import Study
from scarce.words import number

#: CPU seconds of all that is no fit, as docs/performance.md measures it: by data set, by study, and by 1000 runs.
BY_DATASET, BY_STUDY, BY_1000_RUNS = 7.0, 35.0, 1.0
COMPILING = 25.0
#: Bytes of a scored row in a fit's file, of a row of a repeat in a labels file, of a run and of a score in CSV files,
#: and of figures and page; of `smoke` and `demo`.
BY_SCORED_ROW, BY_LABELED_ROW, BY_RUN, BY_SCORE, BY_PAGE = 4.0, 4.0, 150, 60, 3e6
#: Rows of a data set of which nothing is known.
UNKNOWN_ROWS = 2000
#: By how much everything but the fits, and the disk, may be wrong.
OVERHEAD_FACTOR, DISK_FACTOR = 2.0, 3.0
WORDS = {
    "study": "earlier runs of this study",
    "data_set": "the same methods on the same data sets in other studies",
    "elsewhere": "the same methods on other data sets, or costs that come with scarce",
    "guess": "the median of other methods",
}


class Estimate(Keys):
    """How long a study takes from its beginning, with nothing done, and what it needs."""

    cores: int = Field(description="cores that it is for")
    seconds: float = Field(description="expected wall seconds on a machine with nothing else to do")
    low_seconds: float = Field(description="likely not less")
    high_seconds: float = Field(description="likely not more")
    fit_seconds: float = Field(description="of it, CPU seconds of fits and scores on one core")
    other_seconds: float = Field(description="of it, CPU seconds of everything else")
    cells_by_source: dict[str, int] = Field(description=f"cells by where their cost is from: {', '.join(SOURCES)}")
    bytes: float = Field(description="expected size of results and figures")

    def lines(self) -> list[str]:
        """The estimate in words: the numbers, what they are made from, and their uncertainty."""
        made = "; ".join(f"{number(count, 'cell')}: {WORDS[name]}" for name, count in self.cells_by_source.items())
        size = f"{max(1, round(self.bytes / 1e6))} MB of disk (up to {round(DISK_FACTOR)} times as much)"
        between = f"between {duration(self.low_seconds)} and {duration(self.high_seconds)}"
        return [
            f"estimate: about {duration(self.seconds)} on {number(self.cores, 'free core')} ({between}), and {size}",
            f"  fits {duration(self.fit_seconds)} and everything else {duration(self.other_seconds)} of CPU time",
            f"  from {made}",
        ]


def estimated(project: Project, study: Study, cores: int) -> Estimate:
    """The time and disk that a study needs with nothing done before."""
    costs = weights(known_costs(), cells_of(project, study))
    fits, other = sum(cost.seconds for cost in costs.values()), overhead(study, len(study.datasets))
    longest = max((cost.seconds for cost in costs.values()), default=0.0)
    low = sum(cost.seconds / SOURCES[cost.source] for cost in costs.values())
    high = sum(cost.seconds * SOURCES[cost.source] for cost in costs.values())
    by_source = Counter(cost.source for cost in costs.values())
    return Estimate(
        cores=cores,
        seconds=wall(fits, longest, cores) + other / cores,
        low_seconds=wall(low, 0.0, cores) + other / cores / OVERHEAD_FACTOR,
        high_seconds=wall(high, longest, cores) + OVERHEAD_FACTOR * other,
        fit_seconds=fits,
        other_seconds=other,
        cells_by_source={name: by_source[name] for name in SOURCES if by_source[name]},
        bytes=size(project, study),
    )


def wall(seconds: float, longest: float, cores: int) -> float:
    """Wall seconds of work that cores share, but for the longest piece."""
    return max(seconds / cores, longest)


def overhead(study: Study, datasets: int) -> float:
    """CPU seconds of all that is no fit, where so many data sets are fitted."""
    compiling = 0.0 if paths.KERNELS.is_file() else COMPILING
    return BY_DATASET * datasets + BY_STUDY + BY_1000_RUNS * study.runs / 1000 + compiling


def size(project: Project, study: Study) -> float:
    """Bytes of the results and figures of a study."""
    test = test_share(study)
    scored = test + (1 - test) * (getattr(study.split, "validation_size", 0) if study.split.chooses_thresholds else 0)
    total = BY_PAGE + study.runs * (BY_RUN + BY_SCORE * len(study.saved_metrics))
    for dataset in study.datasets:
        rows = (rows_of(project, study, dataset) or UNKNOWN_ROWS) * study.repeats * len(study.scenarios_of(dataset))
        total += rows * (BY_LABELED_ROW + scored * BY_SCORED_ROW * len(study.fitted_methods))
    return total


def left(costs: Mapping[tuple[str, ...], Cost], done: float, elapsed: float, cores: int, other: float) -> float:
    """Wall seconds that are left of a run.

    Parameters
    ----------
    costs : mapping
        What the cells that the run has to fit were expected to take.
    done : float
        Seconds of `costs` that are done.
    elapsed : float
        Wall seconds since the first cell could be fitted.
    cores : int
    other : float
        CPU seconds of what follows the fits.

    The first fits weigh little: a tenth of all expected seconds counts as done in the expected time.
    """
    total = sum(cost.seconds for cost in costs.values())
    if not total:
        return other / cores
    before = total / 10
    rate = (before / cores + elapsed) / (before + done)
    return max(0.0, total - done) * rate + other / cores
