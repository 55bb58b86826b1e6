"""The study `smoke` again and again, killed at a random moment each time, and continued until it is done.

A kill takes Snakemake alone, one of its jobs, or all processes at once, as kill -9 or a lost machine would; now and
then the newest file is cut as well, as a lost machine's disk may leave it. Then: nothing finished is redone (a fit that
was there stays as it was), nothing half-written is read, and scores.csv is byte-equal to that of an undisturbed run.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from tests.soak import record

ROOT = Path(__file__).parents[2]
PARTS = ("Snakefile", "workflow", "config", "profiles")


class Project:
    """A working copy, in a folder with blanks and letters beyond ASCII."""

    def __init__(self, root: Path):
        self.root = root
        root.mkdir(parents=True)
        for part in PARTS:
            copy = shutil.copytree if (ROOT / part).is_dir() else shutil.copy
            copy(ROOT / part, root / part)
        self.environment = {name: value for name, value in os.environ.items() if name != "SCARCE_MIRROR"}
        self.started: list[subprocess.Popen] = []
        atexit.register(self.stop)
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that the line above takes hold
        self.environment["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"

    def start(self, *arguments: str, cores: int = 2, **environment: str) -> subprocess.Popen:
        """Snakemake in a process group of its own."""
        process = subprocess.Popen(
            ["snakemake", "--cores", str(cores), *arguments], cwd=self.root, env=self.environment | environment,
            start_new_session=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        )  # fmt: skip
        self.started = [process]
        return process

    def stop(self) -> None:
        """End what still runs of the last start, when the trial is ended itself."""
        for process in self.started:
            if process.poll() is None:
                for target in (*children(process.pid), process.pid):
                    with contextlib.suppress(ProcessLookupError):
                        os.kill(target, signal.SIGKILL)

    def ask(self, *command: str) -> str:
        done = subprocess.run(command, cwd=self.root, env=self.environment, capture_output=True, text=True)
        return done.stdout + done.stderr

    def fits(self) -> dict[Path, tuple[int, int]]:
        """Every fit that is there: when it was written, and its inode."""
        files = self.root.glob("results/smoke/fits/*/*/*.npz")
        return {file: ((now := file.stat()).st_mtime_ns, now.st_ino) for file in files}

    def finish(self) -> tuple[int, bool]:
        """Run until nothing is left to do, as a user would; the exit code, and whether a lock had to be opened."""
        locked = False
        process = self.start("smoke")
        said, _ = process.communicate()
        if process.returncode and "LockException" in said:
            locked = True
            if "snakemake --unlock" not in self.ask("scarce", "doctor"):
                raise AssertionError(f"doctor does not explain the lock:\n{said}")
            self.ask("snakemake", "--unlock")
            process = self.start("smoke")
            said, _ = process.communicate()
        if process.returncode:
            print(said, file=sys.stderr)
        return process.returncode, locked

    def clear(self) -> None:
        for part in ("results", "figures", "data", "logs", ".snakemake"):
            shutil.rmtree(self.root / part, ignore_errors=True)


def children(parent: int) -> list[int]:
    """All processes below a process (Linux)."""
    below: dict[int, list[int]] = {}
    for entry in Path("/proc").glob("[0-9]*/stat"):
        try:
            words = entry.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        below.setdefault(int(words[1]), []).append(int(entry.parent.name))
    descendants, todo = [], [parent]
    while todo:
        todo += below.get(todo[0], [])
        descendants.append(todo.pop(0))
    return descendants[1:]


def inside(root: Path) -> list[int]:
    """All processes whose working directory is the project (Linux), whoever their parent is by now."""
    processes = []
    for entry in Path("/proc").glob("[0-9]*/cwd"):
        with contextlib.suppress(OSError):
            if entry.readlink() == root:
                processes.append(int(entry.parent.name))
    return processes


def kill(process: subprocess.Popen, root: Path, how: str, random_: random.Random) -> None:
    """kill -9 of what `how` names; with Snakemake or one job alone, the other processes are left to end by themselves.

    What was started while the list of processes was made is on no list: at the end the folder is looked through until
    no process is in it, so that none of them meets the next run.
    """
    jobs = children(process.pid)
    if how == "job" and jobs:
        targets = [random_.choice(jobs)]
    elif how == "snakemake":
        targets = [process.pid]
    else:
        targets = [process.pid, *jobs]
    for target in targets:
        try:
            os.kill(target, signal.SIGKILL)
        except ProcessLookupError:
            continue
    process.communicate() if how == "job" else process.wait()
    deadline = time.monotonic() + 300
    while left := inside(root):
        if time.monotonic() > deadline:
            raise AssertionError(f"processes that were left to end by themselves do not: {left}")
        for target in left if how == "all" else ():
            with contextlib.suppress(ProcessLookupError):
                os.kill(target, signal.SIGKILL)
        time.sleep(0.1)
    process.stdout.close()


def cut_newest(root: Path, random_: random.Random) -> Path | None:
    """Cut the newest temporary or checkpoint file, whose bytes may not have reached the disk."""
    files = [*root.rglob("*.part"), *root.glob("results/smoke/checkpoints/**/*.jsonl")]
    if not files:
        return None
    newest = max(files, key=lambda file: file.stat().st_mtime_ns)
    content = newest.read_bytes()
    newest.write_bytes(content[: random_.randrange(len(content) + 1)])
    return newest


def main() -> None:
    parser = record.parser(__doc__, "--kills", 100)
    parser.add_argument("--minutes", type=float, default=float("inf"), help="begin no run after so long")
    options = parser.parse_args()
    random_, started, counts = random.Random(options.seed), time.monotonic(), Counter()
    with tempfile.TemporaryDirectory(prefix="scarce-kills-") as folder:
        project = Project(Path(folder).resolve() / "a b's Größe")
        project.ask("scarce", "warm")  # which runs after the first do not wait for
        begun = time.monotonic()
        print("an undisturbed run ...", file=sys.stderr, flush=True)
        if project.finish()[0]:
            raise SystemExit("the undisturbed run fails")
        length, wanted = time.monotonic() - begun, (project.root / "results/smoke/scores.csv").read_bytes()
        kernels = (project.root / "data/kernels.json").read_bytes()
        for number in range(options.kills):
            if time.monotonic() - started > 60 * options.minutes:
                break
            counts["runs"] += 1
            project.clear()
            (project.root / "data").mkdir()
            if random_.random() < 0.5:  # the others compile them: kills while they do have consequences of their own
                (project.root / "data/kernels.json").write_bytes(kernels)
            how = random_.choice(["all", "all", "snakemake", "job"])
            process = project.start("smoke")
            time.sleep(random_.uniform(1, length))
            if process.poll() is not None:
                process.communicate()
                how = "too late"
                counts["kills that came too late"] += 1
            else:
                kill(process, project.root, how, random_)
                counts[f"killed: {how}"] += 1
            if how == "all" and random_.random() < 0.5 and cut_newest(project.root, random_):
                counts["files cut"] += 1
            before = project.fits()
            code, locked = project.finish()
            counts["locks explained and opened"] += locked
            same = code == 0 and (project.root / "results/smoke/scores.csv").read_bytes() == wanted
            after = project.fits()
            # a fit job keeps every valid file, whether or not Snakemake knows of it
            redone = sum(after.get(file) != when for file, when in before.items())
            counts["fits kept"] += len(before) - redone
            counts["fits redone"] += redone
            counts["unequal"] += not same
            if not same:  # what shows the cause outlives the trial
                left = Path(tempfile.mkdtemp(prefix=f"scarce-unequal-{number + 1}-"))
                shutil.copytree(project.root / "results", left / "results")
                print(f"kept in {left}", file=sys.stderr)
            print(f"{number + 1}: {how}, {len(before)} fits kept, {redone} redone, {'equal' if same else 'UNEQUAL'}",
                  file=sys.stderr, flush=True)  # fmt: skip
    failed = bool(counts["unequal"])
    killed = ", ".join(f"{count} {what.removeprefix('killed: ')}" for what, count in counts.items() if "killed" in what)
    late = counts["kills that came too late"]
    load = f"{counts['runs']} runs, killed: {killed}; {late} too late; {counts['files cut']} files cut"
    equal, redone = counts["runs"] - counts["unequal"], counts["fits redone"]
    outcome = (
        f"{equal} scores.csv byte-equal, {counts['locks explained and opened']} stale locks explained, "
        f"{counts['fits kept']:,} finished fits kept, {redone} made again"
    )
    record.report("kills", load, outcome, started, record=options.record, failed=failed)


if __name__ == "__main__":
    main()
