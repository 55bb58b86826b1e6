"""The study `smoke` with boosted risks added, again and again, each time otherwise: scores.csv has the same bytes.

Each run starts from nothing, with 1, 2 or 4 cores, the fits of some data sets made first, drawn at random, another
number of threads, time zone, language and hash seed. In every second run data sets, methods and scenarios stand in the
study first that are taken away again before the end.
"""

from __future__ import annotations

import random
import subprocess
import tempfile
import time
from collections import Counter
from pathlib import Path

from tests.soak import record
from tests.soak.kills import Project

SCORES = "results/smoke/scores.csv"
ZONES = ["UTC", "Pacific/Kiritimati", "America/St_Johns", "Asia/Kathmandu"]


def languages() -> list[str]:
    """Those that this machine has, the ones with a decimal comma and a dotless i first."""
    known = subprocess.run(["locale", "-a"], capture_output=True, text=True).stdout.split()
    return [*[name for name in known if name.startswith(("de_", "tr_", "fr_"))][:3], "C", "C.UTF-8"]


def circumstances(random_: random.Random) -> dict[str, str]:
    threads = random_.choice(["1", "2", "3"])
    names = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMBA_NUM_THREADS")
    return dict.fromkeys(names, threads) | {
        "TZ": random_.choice(ZONES),
        "LC_ALL": random_.choice(languages()),
        "PYTHONHASHSEED": str(random_.randrange(2**32)),
    }


def run(project: Project, *targets: str, cores: int = 2, **environment: str) -> None:
    process = project.start(*targets, cores=cores, **environment)
    said, _ = process.communicate()
    if process.returncode:
        raise SystemExit(f"a run fails:\n{said[-3000:]}")


def main() -> None:
    options = record.parser(__doc__, "--runs", 20).parse_args()
    random_, started, counts = random.Random(options.seed), time.monotonic(), Counter()
    with tempfile.TemporaryDirectory(prefix="scarce-same-") as folder:
        project = Project(Path(folder).resolve() / "a b's Größe")
        study = project.root / "config/studies/smoke.yaml"
        plain = study.read_text().replace("methods: [", "methods: [upu, nnpu, imb_nnpu, ", 1)
        more = plain.replace("[0.50,", "[0.25, 0.50,", 1).replace("methods: [", "methods: [elkan_noto, hdt, ", 1)
        datasets = project.root / "config/datasets.yaml"
        block = datasets.read_text().partition("\nblobs:")[2].partition("\n\n")[0]
        with datasets.open("a") as handle:
            handle.write(f"\nanother:{block}\n")
        more = more.replace("[moons,", "[another, moons,", 1)
        study.write_text(plain)
        run(project, SCORES)
        wanted = (project.root / SCORES).read_bytes()
        fits = sorted(str(file.relative_to(project.root)) for file in project.root.glob("results/smoke/fits/*/*.json"))
        for number in range(options.runs):
            project.clear()
            about, cores = circumstances(random_), random_.choice([1, 2, 4])
            counts[f"{cores} cores"] += 1
            run(project, *random_.sample(fits, random_.randint(1, len(fits))), cores=cores, **about)
            if number % 2:
                study.write_text(more)
                run(project, SCORES, cores=cores, **about)
                study.write_text(plain)
                counts["grown and cut back"] += 1
            run(project, SCORES, cores=cores, **about)
            same = (project.root / SCORES).read_bytes() == wanted
            counts["unequal"] += not same
            print(f"{number + 1}: {cores} cores, {about}: {'equal' if same else 'UNEQUAL'}", flush=True)
    load = f"{options.runs} runs with {', '.join(sorted(name for name in counts if 'cores' in name))}"
    load += f"; {counts['grown and cut back']} grown and cut back"
    outcome = f"{options.runs - counts['unequal']} scores.csv byte-equal, XGBoost included"
    record.report("determinism", load, outcome, started, record=options.record, failed=bool(counts["unequal"]))


if __name__ == "__main__":
    main()
