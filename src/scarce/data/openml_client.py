"""OpenML through its Python client, which gives a data set's version, state, address and md5; then its ARFF file."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from scarce.config.datasets.sources import OpenmlSource
from scarce.data import patience
from scarce.data.downloads import DownloadFailed, download, file_hash, short


def get(source: OpenmlSource, cached: Path, work: Path, warnings: list[str]) -> Path:
    """The ARFF file of a data set, with the md5 that the source or OpenML states.

    Parameters
    ----------
    source : OpenmlSource
    cached : Path
        Copy of an earlier fetch; used if its md5 is right.
    work : Path
        Folder for the download.
    warnings : list of str
        A line is added for a deactivated data set.

    Raises
    ------
    DownloadFailed
        If the version is another one, no md5 is stated, or the bytes differ from it.
    """
    where, md5 = source.where, source.md5
    cached_md5 = file_hash(cached, "md5") if cached.is_file() else None
    if md5 and cached_md5 == md5:
        return cached
    try:
        try:
            version, status, url, stated = patience.wait(lambda: _describe(source.id))  # the client has no timeout
        except Exception as error:  # the client raises its own errors, those of requests, and those of its XML parser
            raise DownloadFailed(f"{where} cannot be asked: {short(error)}") from None
        if version != source.version:
            raise DownloadFailed(f"{where}: the data set with this id is version {version}")
        if md5 and stated and stated != md5:
            raise DownloadFailed(f"{where}: its description states md5 {stated}, expected {md5}")
        md5 = md5 or stated
        if md5 is None:
            raise DownloadFailed(f"{where}: its description states no md5; give one as `md5:`")
        if status != "active":
            warnings.append(f"{where} is {status}")
        return cached if cached_md5 == md5 else download(url, f"md5:{md5}", work, cached.name)
    except DownloadFailed as error:
        if cached_md5 is None or md5 is None:
            raise
        bad = f"(the copy in {cached.as_posix()} is bad: md5 {cached_md5}, expected {md5})"
        raise DownloadFailed(f"{error} {bad}") from None


def _describe(number: int) -> tuple[int, str, str, str | None]:
    """Version, status, address of the ARFF file, and md5 of a data set."""
    # Jobs do not share the client's cache: it is not safe with several processes, and not always writable.
    with tempfile.TemporaryDirectory() as folder:
        os.environ.setdefault("OPENML_CACHE_DIR", folder)  # otherwise the import creates one in the user's home
        import openml

        openml.config.set_root_cache_directory(folder)
        about = openml.datasets.get_dataset(number, download_data=False)
        status = openml.datasets.check_datasets_active([number], raise_error_if_not_exist=False).get(number, False)
    return int(about.version), "active" if status else "deactivated", str(about.url), about.md5_checksum
