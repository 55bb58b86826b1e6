"""A study of thousands of tiny cells: does the workflow hold them, and is each row of the results there once?

Every data set has forty rows and every method is a mean, so the workflow itself takes most of the time. Afterwards a
dry run must find nothing to do.
"""

from __future__ import annotations

import resource
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.plan import write
from scarce.files import read_csv
from tests.soak import record
from tests.soak.kills import Project

DATASETS, SCENARIOS = 10, 5


def main() -> None:
    options = record.parser(__doc__, "--jobs", 2000).parse_args()
    methods = max(3, options.jobs // (DATASETS * SCENARIOS))
    cells = methods * DATASETS * SCENARIOS
    started = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="scarce-many-") as folder:
        project = Project(Path(folder) / "many jobs")
        write(project.root, datasets=DATASETS, scenarios=SCENARIOS, methods=methods, repeats=2)
        process = project.start("many")
        said, _ = process.communicate()
        length = time.monotonic() - started
        problems = [said[-3000:]] if process.returncode else []
        if not problems:
            scores = read_csv(project.root / "results/many/scores.csv")
            keys = scores[["dataset", "scenario", "repeat", "method", "metric"]]
            runs = read_csv(project.root / "results/many/runs.csv")
            if keys.duplicated().any() or len(runs) != 2 * cells or set(runs.status) != {"ok"}:
                problems.append(f"{len(runs)} runs for {cells} cells of 2 repeats, {runs.status.unique()}")
            again = project.ask("snakemake", "--cores", "1", "many", "--dry-run")
            if "Nothing to be done" not in again:
                problems.append(f"a second run has something to do:\n{again[-2000:]}")
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    for problem in problems:
        print(problem, file=sys.stderr)
    outcome = (
        "; ".join(problem.splitlines()[0] for problem in problems)
        or f"every row there once, nothing left to do; {length / cells:.2f} s a cell, peak {peak:.0f} MB"
    )
    record.report("many jobs", f"{cells:,} cells of 2 repeats", outcome, started, record=options.record,
                  failed=bool(problems))  # fmt: skip


if __name__ == "__main__":
    main()
