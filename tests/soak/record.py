"""The table of docs/reliability.md: one line a trial, replaced when the trial is run with --record."""

from __future__ import annotations

import argparse
import re
import sys
import time
from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs" / "reliability.md"


def parser(description: str | None, count: str, default: int) -> argparse.ArgumentParser:
    """Arguments that all trials have: how often, from which seed, and whether to write the line down."""
    made = argparse.ArgumentParser(description=description)
    made.add_argument(count, type=int, default=default)
    made.add_argument("--seed", type=int, default=0)
    made.add_argument("--record", action="store_true", help="write the line into docs/reliability.md")
    return made


def report(trial: str, load: str, outcome: str, started: float, *, record: bool, failed: bool) -> None:
    """Print the line of a trial, and end the process with 1 if it failed."""
    command = f"python -m tests.soak.{Path(sys.argv[0]).stem} {' '.join(sys.argv[1:])}".replace(" --record", "").strip()
    line = f"| {trial} | {load} | {outcome} | {time.monotonic() - started:,.0f} s | `{command}` |"
    print(line)
    if record:
        text, found = re.subn(rf"^\| {re.escape(trial)} \|.*$", lambda _: line, PAGE.read_text(), flags=re.MULTILINE)
        if found != 1:
            raise SystemExit(f"{PAGE} has {found} lines for {trial!r}, one is wanted")
        PAGE.write_text(text)
    sys.exit(1 if failed else 0)
