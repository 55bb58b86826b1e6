"""Downloading one file, and extracting one member of an archive. Only the target file is written."""

from __future__ import annotations

import contextlib
import hashlib
import tarfile
import time
import zipfile
from pathlib import Path
from typing import IO

from scarce.data import patience, unpacking
from scarce.data.readers.text import UNREADABLE
from scarce.errors import DataError

#: How often a failed download is repeated; seconds that a server may be silent (connecting, sending).
RETRIES = 2
TIMEOUT = (10, 60)
#: Asks the server not to compress on the way: x.csv.gz would arrive unpacked.
AS_IT_IS = {"Accept-Encoding": "identity"}


class DownloadFailed(Exception):
    """Why something could not be downloaded or extracted, in one line."""


class WrongHash(DownloadFailed):
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
            raise DownloadFailed(f"{self.url}: the download was given up")
        if self.file.tell() + len(piece) > unpacking.NEVER:
            raise DownloadFailed(f"{self.url} gives more than {unpacking.NEVER} bytes, which no data set has")
        self.file.write(piece)
        self.received += len(piece)

    def flush(self) -> None:
        self.file.flush()


def download(url: str, known_hash: str | None, folder: Path, name: str) -> Path:
    """Download `url` to ``folder/name``.

    Parameters
    ----------
    url : str
        An http, https, ftp or doi address.
    known_hash : str, optional
        ``sha256:...`` or ``md5:...`` of the bytes; others are not accepted.
    folder, name : Path, str

    Raises
    ------
    DownloadFailed
        With the address, and for wrong bytes with both hashes.
    """
    incoming = _Incoming(url)

    def attempts() -> Path:
        for pause in range(1, RETRIES + 1):
            with contextlib.suppress(WrongHash, OSError):  # errors of requests and of sockets are OSErrors
                return _once(url, known_hash, folder / name, incoming)
            time.sleep(pause)
        return _once(url, known_hash, folder / name, incoming)

    try:
        return patience.wait(attempts, lambda: incoming.received)
    except DownloadFailed:
        raise
    except Exception as error:
        raise DownloadFailed(f"{url}: {short(error)}") from None
    finally:
        incoming.closed = True


def _once(url: str, known_hash: str | None, path: Path, incoming: _Incoming) -> Path:
    from pooch.downloaders import HTTPDownloader, choose_downloader

    from scarce.data.sources import looks_like_html

    downloader = choose_downloader(url)
    if isinstance(downloader, HTTPDownloader):
        downloader = HTTPDownloader(timeout=TIMEOUT, headers=AS_IT_IS)
    with open(path, "wb") as incoming.file:
        downloader(url, incoming, None)
    if looks_like_html(path):
        raise DownloadFailed(f"{url} gives an HTML page, expected {known_hash or 'data'}")
    kind, _, expected = (known_hash or "").partition(":")
    if known_hash and (actual := file_hash(path, kind)) != expected:
        raise WrongHash(f"{url} has {kind} {actual}, expected {expected}")
    return path


def file_hash(path: Path, kind: str) -> str:
    """Hash of a file in hexadecimal; `kind` is a name that hashlib knows."""
    with open(path, "rb") as handle:
        return hashlib.file_digest(handle, kind).hexdigest()


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

    Raises
    ------
    DownloadFailed
        If the archive is damaged or has no such member.
    """
    packed = archive.stat().st_size  # the size that a zip states for a member may be false
    try:
        if zipfile.is_zipfile(archive):
            with zipfile.ZipFile(archive) as opened, opened.open(member) as source, open(target, "wb") as out:
                unpacking.copy(source, out, packed, archive.name)
        elif tarfile.is_tarfile(archive):
            with tarfile.open(archive) as opened:
                info = opened.getmember(member)
                if not info.isfile():
                    raise DownloadFailed(f"{member} in {archive.name} is no regular file")
                with opened.extractfile(info) as source, open(target, "wb") as out:
                    unpacking.copy(source, out, packed, archive.name)
        else:
            raise DownloadFailed(f"{archive.name} is neither a zip nor a tar")
    except KeyError:
        raise DownloadFailed(f"{archive.name} has no member {member}") from None
    except DataError as error:
        raise DownloadFailed(str(error)) from None
    except (*UNREADABLE, tarfile.TarError) as error:
        raise DownloadFailed(f"{archive.name} is damaged: {error}") from None
    return target
