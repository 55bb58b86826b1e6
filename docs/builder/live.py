"""Pages that scarce itself writes, made while the site is built: results of a pack, and advice on a CSV file."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[2]
LIVE = ROOT / "docs/generated/live/live"


def scarce(*arguments: str, folder: Path) -> str:
    """Run a command of scarce in a folder and return what it prints."""
    done = subprocess.run(
        [sys.executable, "-m", "scarce", *arguments], cwd=folder, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise RuntimeError(f"scarce {' '.join(arguments)} ended with {done.returncode}: {done.stderr.strip()}")
    return done.stdout


def example_data(folder: Path) -> Path:
    """The CSV file of the tutorial, made by the tutorial's own code."""
    code = re.search(r"```python\n(.*?)```", (ROOT / "docs/tutorial.md").read_text(encoding="utf-8"), re.DOTALL)[1]
    subprocess.run([sys.executable, "-c", code], cwd=folder, check=True)
    return folder / "claims.csv"


def results(folder: Path, live: Path) -> None:
    """The results page of the pack `smoke`, unpacked into a new project, with the files that it links to."""
    scarce("init", "project", folder=folder)
    scarce("unpack", str(ROOT / "packs/smoke"), folder=folder / "project")
    for part in ("results/smoke", "figures/smoke"):
        ignored = shutil.ignore_patterns("fits", "labels", "*.npz")
        shutil.copytree(folder / "project" / part, live / part, ignore=ignored)


def advice(folder: Path, live: Path) -> None:
    """The advice on the tutorial's CSV file, and the files that it links to."""
    scarce("advise", str(example_data(folder)), "--label", "reported", folder=folder)
    for name in ("advise.html", "advise.json", "ranked.csv"):
        shutil.copyfile(folder / "advise-claims" / name, live / name)


def make() -> None:
    """Write the live pages where they are not there yet; `make docs` removes them first."""
    for name, build in {"results": results, "advise": advice}.items():
        if not (LIVE / name).exists():
            with tempfile.TemporaryDirectory() as folder:
                live = Path(folder) / "live"
                live.mkdir()
                build(Path(folder), live)
                shutil.copytree(live, LIVE / name)
