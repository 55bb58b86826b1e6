"""OpenML through its Python client: the description says version, state and md5; the bytes are its ARFF file."""

from __future__ import annotations

import hashlib
import os
import tempfile
from pathlib import Path

from scarce.config.datasets.sources import OpenmlSource
from scarce.data import patience
from scarce.data.downloads import DownloadFailed, download, short


def get(source: OpenmlSource, cached: Path, work: Path, warnings: list[str]) -> Path:
    """The ARFF file of a data set, with the md5 that its description states.

    Parameters
    ----------
    source : OpenmlSource
    cached : Path
        Copy of an earlier fetch, used if its md5 is right.
    work : Path
        Folder for the download.
    warnings : list of str
        A deactivated data set adds a line here.

    Raises
    ------
    DownloadFailed
        If the version is another one, no md5 is stated, or the bytes differ from it.
    """
    where, md5 = source.where, source.md5
    held = _md5(cached) if cached.is_file() else None

    def bad_copy(wanted: str | None) -> str:
        if held is None or wanted is None:
            return ""
        return f" (the copy in {cached.as_posix()} is bad: md5 {held}, expected {wanted})"

    try:
        version, status, url, stated = patience.wait(lambda: _describe(source.id))  # the client waits for ever
    except Exception as error:  # the client raises its own errors, those of requests, and those of its XML parser
        if md5 is not None and held == md5:
            return cached
        raise DownloadFailed(f"{where} cannot be asked: {short(error)}{bad_copy(md5)}") from None
    if version != source.version:
        raise DownloadFailed(f"{where}: the data set with this id is version {version}")
    if md5 is not None and stated is not None and stated != md5:
        raise DownloadFailed(f"{where}: its description states md5 {stated}, expected {md5}")
    wanted = md5 or stated
    if wanted is None:
        raise DownloadFailed(f"{where}: its description states no md5; give one as `md5:`")
    if status != "active":
        warnings.append(f"{where} is {status}")
    if held == wanted:
        return cached
    try:
        return download(url, f"md5:{wanted}", work, cached.name)
    except DownloadFailed as error:
        raise DownloadFailed(f"{error}{bad_copy(wanted)}") from None


def _describe(number: int) -> tuple[int, str, str, str | None]:
    """Version, status, address of the ARFF file and md5 of a data set."""
    # A cache of its own: the client's shared one is not safe with several processes, nor always one to write to.
    with tempfile.TemporaryDirectory() as folder:
        os.environ.setdefault("OPENML_CACHE_DIR", folder)  # else the import makes one in the user's home
        import openml

        openml.config.set_root_cache_directory(folder)
        described = openml.datasets.get_dataset(number, download_data=False)
        status = openml.datasets.check_datasets_active([number], raise_error_if_not_exist=False).get(number, False)
    return int(described.version), "active" if status else "deactivated", str(described.url), described.md5_checksum


def _md5(path: Path) -> str:
    with open(path, "rb") as handle:
        return hashlib.file_digest(handle, "md5").hexdigest()
