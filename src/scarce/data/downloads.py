"""Downloading one file, and taking one member out of an archive, so that nothing lands outside its folder."""

from __future__ import annotations

import logging
import tarfile
import zipfile
from pathlib import Path
from typing import IO

from scarce.data import patience, unpacking
from scarce.data.readers.text import UNREADABLE
from scarce.errors import DataError

#: How often a download is tried again, with growing waits; seconds that a server may be silent (connecting, sending).
RETRIES = 2
TIMEOUT = (10, 60)
#: Asks for the file itself: one that is packed for the way is unpacked on arrival, and x.csv.gz would arrive as x.csv.
AS_IT_IS = {"Accept-Encoding": "identity"}


class DownloadFailed(Exception):
    """Why something could not be downloaded or unpacked, in one line."""


class _Incoming:
    """The file that a downloader writes to: what comes is counted, and none is taken that is too much or too late."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.file: IO[bytes] | None = None
        self.received = 0
        self.closed = False

    def write(self, piece: bytes) -> None:
        if self.closed:
            raise DownloadFailed(f"{self.url}: nobody waits for it any more")
        if self.file.tell() + len(piece) > unpacking.NEVER:
            raise DownloadFailed(f"{self.url} gives more than {unpacking.NEVER} bytes, which no data set has")
        self.file.write(piece)
        self.received += len(piece)

    def flush(self) -> None:
        self.file.flush()


def download(url: str, known_hash: str | None, folder: Path, name: str) -> Path:
    """Download `url` to ``folder/name``; what does not have `known_hash` (``sha256:...`` or ``md5:...``) is not kept.

    Raises
    ------
    DownloadFailed
        Naming the address, and for wrong bytes what was expected and what was found.
    """
    import pooch
    from pooch.downloaders import choose_downloader

    from scarce.data.sources import looks_like_html

    logging.getLogger("pooch").setLevel(logging.WARNING)
    pooch.get_logger().setLevel("WARNING")
    found: dict[str, str] = {}
    incoming = _Incoming(url)

    def fetch(address, output, store):
        inner = choose_downloader(address)
        if isinstance(inner, pooch.HTTPDownloader):
            inner = pooch.HTTPDownloader(timeout=TIMEOUT, headers=AS_IT_IS)
        with open(output, "wb") as incoming.file:
            inner(address, incoming, store)
        if looks_like_html(Path(output)):
            # Trying again would not help, so this is no ValueError, which pooch takes for a bad connection.
            raise DownloadFailed(f"{address} gives an HTML page, expected {known_hash or 'data'}")
        if known_hash is not None:
            found["hash"] = pooch.file_hash(str(output), alg=known_hash.partition(":")[0])

    store = pooch.create(
        path=folder, base_url="", registry={name: known_hash}, urls={name: url}, retry_if_failed=RETRIES
    )
    try:
        return Path(patience.wait(lambda: store.fetch(name, downloader=fetch), lambda: incoming.received))
    except DownloadFailed:
        raise
    except ValueError as error:
        if "hash" in found and known_hash is not None:
            kind, _, wanted = known_hash.partition(":")
            raise DownloadFailed(f"{url} has {kind} {found['hash']}, expected {wanted}") from None
        raise DownloadFailed(f"{url}: {short(error)}") from None
    except Exception as error:  # requests, urllib3, ftplib and sockets each have their own
        raise DownloadFailed(f"{url}: {short(error)}") from None
    finally:
        incoming.closed = True


def short(error: Exception) -> str:
    """The cause of a network error without the object addresses that urllib3 prints."""
    while isinstance(error.__context__, Exception) and type(error).__name__ in ("ConnectionError", "MaxRetryError"):
        error = error.__context__
    text = " ".join(str(error).split())
    text = text.rpartition(">: ")[2] or text
    return f"{type(error).__name__}: {text[:200]}"


def extract(archive: Path, member: str, target: Path) -> Path:
    """Copy the content of one member of a zip (a wheel is one) or tar to `target`.

    Only `target` is written, whatever paths the archive names; a member that is a link or a folder is refused.

    Raises
    ------
    DownloadFailed
        If the archive is damaged or has no such member.
    """
    packed = archive.stat().st_size  # what a zip says of a single member may be a lie
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
