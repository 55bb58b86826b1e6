"""Downloading one file, and taking one member out of an archive, so that nothing lands outside its folder."""

from __future__ import annotations

import logging
import tarfile
import zipfile
from pathlib import Path

from pubench.data import unpacking
from pubench.data.readers.text import UNREADABLE
from pubench.errors import DataError

#: How often a download is tried again, with growing waits; seconds that a server may be silent (connecting, sending).
RETRIES = 2
TIMEOUT = (10, 60)


class DownloadFailed(Exception):
    """Why something could not be downloaded or unpacked, in one line."""


def download(url: str, known_hash: str | None, folder: Path, name: str) -> Path:
    """Download `url` to ``folder/name``; what does not have `known_hash` (``sha256:...`` or ``md5:...``) is not kept.

    Raises
    ------
    DownloadFailed
        Naming the address, and for wrong bytes what was expected and what was found.
    """
    import pooch
    from pooch.downloaders import choose_downloader

    from pubench.data.sources import looks_like_html

    logging.getLogger("pooch").setLevel(logging.WARNING)
    pooch.get_logger().setLevel("WARNING")
    found: dict[str, str] = {}

    def fetch(address, output, store):
        inner = choose_downloader(address)
        if isinstance(inner, pooch.HTTPDownloader):
            inner = pooch.HTTPDownloader(timeout=TIMEOUT)
        inner(address, output, store)
        path = Path(getattr(output, "name", output))
        if hasattr(output, "flush"):
            output.flush()
        if looks_like_html(path):
            # Trying again would not help, so this is no ValueError, which pooch takes for a bad connection.
            raise DownloadFailed(f"{address} gives an HTML page, expected {known_hash or 'data'}")
        if known_hash is not None:
            found["hash"] = pooch.file_hash(str(path), alg=known_hash.partition(":")[0])

    store = pooch.create(
        path=folder, base_url="", registry={name: known_hash}, urls={name: url}, retry_if_failed=RETRIES
    )
    try:
        return Path(store.fetch(name, downloader=fetch))
    except DownloadFailed:
        raise
    except ValueError as error:
        if "hash" in found and known_hash is not None:
            kind, _, wanted = known_hash.partition(":")
            raise DownloadFailed(f"{url} has {kind} {found['hash']}, expected {wanted}") from None
        raise DownloadFailed(f"{url}: {short(error)}") from None
    except Exception as error:  # requests, urllib3, ftplib and sockets each have their own
        raise DownloadFailed(f"{url}: {short(error)}") from None


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
