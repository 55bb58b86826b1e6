"""How much memory a command and all that it starts hold at most, e.g. a whole run of the workflow.

    python benchmarks/memory.py [--every 0.5] snakemake --cores 2 smoke --forceall
    python benchmarks/memory.py --pid 4711          # a run that goes on

Prints the peak of the whole and of each kind of process: resident memory, a page that n processes share counted as 1/n
(Linux's PSS; elsewhere the plain resident memory).
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import psutil

sys.path.insert(0, str(Path(__file__).parents[1]))
from benchmarks.measure import table


def held(root: psutil.Process) -> dict[int, tuple[str, float]]:
    """Kind and MiB of a process and of all below it, by id; those that end meanwhile are left out."""
    processes = {}
    for process in [root, *root.children(recursive=True)]:
        try:
            command, memory = process.cmdline(), process.memory_full_info()
            if command:  # one that has ended and is not waited for yet has none
                processes[process.pid] = kind(command), getattr(memory, "pss", memory.rss) / 1024**2
        except psutil.Error:
            continue
    return processes


def kind(command: list[str]) -> str:
    """What runs, without its arguments: the script and the command of `scarce`."""
    words = [Path(word).name for word in command]
    if words and words[0].startswith("python"):
        words = words[1:]
    return " ".join(words[: 2 if words[:1] == ["scarce"] else 1])


class Peaks:
    """The largest of what was seen, in MiB: of all processes together, and of one process by kind."""

    def __init__(self) -> None:
        self.whole = 0.0
        self.by_kind: dict[str, float] = {}

    def add(self, seen: dict[int, tuple[str, float]]) -> None:
        self.whole = max(self.whole, sum(size for _, size in seen.values()))
        for name, size in seen.values():
            self.by_kind[name] = max(self.by_kind.get(name, 0.0), size)

    def rows(self) -> list[list[str]]:
        by_size = sorted(self.by_kind.items(), key=lambda item: -item[1])
        return [["all together", f"{self.whole:.0f}"], *([name, f"{size:.0f}"] for name, size in by_size)]


def watch(process: psutil.Process, every: float) -> Peaks:
    """Look at a process and all below it until it ends."""
    peaks = Peaks()
    while True:
        try:
            peaks.add(held(process))
            process.wait(every)
        except psutil.TimeoutExpired:
            continue
        except psutil.NoSuchProcess:
            pass
        return peaks


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--every", type=float, default=0.5, help="seconds between two looks")
    parser.add_argument("--pid", type=int, help="of a process that runs already")
    parser.add_argument("command", nargs=argparse.REMAINDER)
    arguments = parser.parse_args(argv)
    if bool(arguments.command) == bool(arguments.pid):
        parser.error("a command or --pid, one of the two")
    command = arguments.command
    process = psutil.Popen(command, stdout=sys.stderr) if command else psutil.Process(arguments.pid)
    peaks, code = watch(process, arguments.every), process.wait()
    print(table(["process", "MB at most"], peaks.rows()))
    return code or 0


if __name__ == "__main__":
    sys.exit(main())
