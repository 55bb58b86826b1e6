"""Read and write files. Writing is atomic: a file is complete under its own name, or it does not exist."""

from __future__ import annotations

import contextlib
import csv
import errno
import glob
import hashlib
import json
import os
import shutil
import tempfile
import time
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import IO, Any

from scarce.errors import DataError

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None

#: Error codes of the system for a full disk, quota or file size limit.
FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
#: Age in seconds from which an unlocked temporary file counts as left behind: its owner may not have locked it before.
YOUNG = 2.0


@contextlib.contextmanager
def atomic(path: str | os.PathLike, mode: str = "wb") -> Iterator[IO]:
    """Open a temporary file beside `path`; on success flush it to disk and rename it, on failure remove it.

    Removes temporary files of `path` that killed processes left behind. An OSError (full disk, read-only folder) names
    `path`.
    """
    path = Path(path)
    text = {} if "b" in mode else {"encoding": "utf-8", "newline": ""}
    handle = None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        sweep(path.parent.glob(f".{glob.escape(path.name)}.*.part"))
        handle = tempfile.NamedTemporaryFile(  # noqa: SIM115 - renamed after it is closed
            mode, dir=path.parent, prefix=f".{path.name}.", suffix=".part", delete=False, **text
        )
        with handle:
            with contextlib.suppress(OSError):  # a file system without locks
                _lock(handle.fileno())
            yield handle
            handle.flush()
            os.fsync(handle.fileno())
        os.chmod(handle.name, 0o666 & ~_umask())
        os.replace(handle.name, path)
    except BaseException as error:
        if handle is not None:
            with contextlib.suppress(OSError):
                os.unlink(handle.name)
        if isinstance(error, OSError) and error.errno is not None:
            error.filename, error.filename2 = str(path), None
        raise


@contextlib.contextmanager
def scratch(folder: str | os.PathLike, prefix: str) -> Iterator[Path]:
    """Make a temporary folder in `folder`; remove those of `prefix` that killed processes left there."""
    folder = Path(folder)
    sweep(folder.glob(f"{glob.escape(prefix)}*"))
    with tempfile.TemporaryDirectory(prefix=prefix, dir=folder) as temporary, contextlib.ExitStack() as stack:
        with contextlib.suppress(OSError):  # not every system opens folders
            descriptor = os.open(temporary, os.O_RDONLY)
            stack.callback(os.close, descriptor)
            _lock(descriptor)
        yield Path(temporary)


def sweep(leftovers: Iterable[Path]) -> None:
    """Remove temporary files and folders that no living process has locked, on systems with locks.

    Skips those younger than `YOUNG`: their owner may not have locked them yet.
    """
    for path in leftovers:
        with contextlib.suppress(OSError):
            if fcntl is None or time.time() - path.stat().st_mtime < YOUNG:
                continue
            descriptor = os.open(path, os.O_RDONLY)
            try:
                _lock(descriptor)
                shutil.rmtree(path) if path.is_dir() else path.unlink()
            finally:
                os.close(descriptor)


def disk_fault(error: BaseException | None) -> OSError | None:
    """The first error of a full disk among `error` and its causes; None if there is none."""
    while error is not None:
        if isinstance(error, OSError) and error.errno in FULL:
            return error
        error = error.__cause__ or error.__context__
    return None


def _lock(descriptor: int, *, wait: bool = False) -> None:
    """Lock an open file or folder until it is closed or this process ends.

    Where another process has the lock, wait for it, or raise OSError. Does nothing on systems without locks.
    """
    if fcntl is not None:
        fcntl.flock(descriptor, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def writable(folder: str | os.PathLike) -> bool:
    """Whether files can be created in a folder; for a missing folder, whether it can be created.

    A broken link counts as existing and not writable.
    """
    folder = Path(folder).absolute()
    nearest = next(path for path in (folder, *folder.parents) if os.path.lexists(path))
    return os.access(nearest, os.W_OK | os.X_OK)


def closed(folder: str | os.PathLike) -> list[Path]:
    """The folder and its direct subfolders that are not writable; another user may own one of them."""
    folder = Path(folder)
    return [path for path in (folder, *sorted(folder.glob("*/"))) if not writable(path)]


@contextlib.contextmanager
def held(path: str | os.PathLike) -> Iterator[None]:
    """Lock the file `path` for the time of the block, waiting while another process has the lock.

    For work that two processes must not do at the same time, e.g. a job of a killed workflow and its successor. The
    system releases the lock when the process ends. Without locks in the system or its disk, nothing is locked.
    """
    path = Path(path)
    handle = None
    with contextlib.suppress(OSError):
        while fcntl is not None and handle is None:
            path.parent.mkdir(parents=True, exist_ok=True)
            handle = open(path, "ab")  # noqa: SIM115 - closed when the work is done
            _lock(handle.fileno(), wait=True)
            if not path.exists() or not os.path.samestat(os.fstat(handle.fileno()), path.stat()):
                handle.close()  # the previous owner has removed the file
                handle = None
    try:
        yield
    finally:
        if handle is not None:
            with contextlib.suppress(OSError):
                path.unlink()
            handle.close()


def write_text(path: str | os.PathLike, text: str) -> None:
    """Write `text` as UTF-8, atomically."""
    with atomic(path, "w") as handle:
        handle.write(text)


def read_markup(path: str | os.PathLike, end: str) -> str:
    """Read HTML or SVG that `write_text` wrote; raises DataError if it does not end with the tag `end`.

    Within a page, half a table would swallow what follows it.
    """
    try:
        text = Path(path).read_text(encoding="utf-8")
        if not text.rstrip().endswith(end):
            raise ValueError(f"it does not end with {end}")
    except ValueError as error:
        raise damaged(path, error) from None
    return text


def write_json(path: str | os.PathLike, value: Any) -> None:
    """Write `value` as indented JSON with sorted keys, atomically."""
    write_text(path, json_text(value))


def json_text(value: Any) -> str:
    """What `write_json` writes."""
    return json.dumps(value, indent=2, sort_keys=True, ensure_ascii=False, allow_nan=False) + "\n"


def read_json(path: str | os.PathLike) -> Any:
    """Read a JSON file that `write_json` wrote; raises DataError if it is damaged."""
    try:
        return json.loads(Path(path).read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as error:
        raise damaged(path, error) from None


def damaged(path: str | os.PathLike, error: Exception) -> DataError:
    """The error for a file that is not as this package wrote it."""
    reason = " ".join(str(error).split())[:60] or type(error).__name__
    return DataError(f"the file is damaged ({reason})", where=str(path), hint="delete it and run again")


def write_npz(path: str | os.PathLike, **arrays: Any) -> None:
    """Write arrays (no Python objects) as a compressed npz, atomically; the same arrays give the same bytes.

    The fastest level of compression: on row numbers and scores a higher one takes several times as long and saves
    nothing.
    """
    import numpy as np

    arrays = {name: np.asarray(array) for name, array in arrays.items()}
    for name, array in arrays.items():
        if array.dtype.hasobject:
            raise TypeError(f"{path}: array {name!r} holds Python objects; only plain arrays are written")
    with atomic(path) as handle, zipfile.ZipFile(handle, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for name, array in arrays.items():
            with archive.open(f"{name}.npy", "w", force_zip64=True) as member:
                np.lib.format.write_array(member, array, allow_pickle=False)


def read_npz(path: str | os.PathLike, *names: str) -> dict[str, Any]:
    """Read the arrays `names` (default: all) of an npz without pickles; raises DataError if it is damaged."""
    import numpy as np

    try:
        with np.load(path, allow_pickle=False) as archive:
            return {name: archive[name] for name in names or archive.files}
    except OSError:
        raise
    except Exception as error:  # zipfile, zlib and the header parser raise many types
        raise damaged(path, error) from None


def write_csv(path: str | os.PathLike, frame: Any) -> None:
    """Write a DataFrame as CSV: UTF-8, ``\\n``, shortest floats that read back equal, no index."""
    write_text(path, csv_text(frame))


def csv_text(frame: Any) -> str:
    """What `write_csv` writes."""
    return frame.to_csv(index=False, lineterminator="\n")


def write_rows(path: str | os.PathLike, columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    """Write rows of text, integers and floats as `write_csv` would write a DataFrame of them; NaN is an empty cell."""
    with atomic(path, "w") as handle:
        writer = csv.writer(handle, lineterminator="\n")
        writer.writerow(columns)
        writer.writerows(["" if cell != cell else cell for cell in row] for row in rows)  # only NaN differs from itself


def read_csv(path: str | os.PathLike, **options: Any) -> Any:
    """Read a CSV that `write_csv` wrote: exact floats (pandas from 3.1 on); only empty cells are missing values."""
    import pandas as pd

    try:
        return pd.read_csv(path, keep_default_na=False, na_values=[""], **options)
    except ValueError as error:  # parser and encoding errors are ValueErrors
        raise damaged(path, error) from None


def sha256(path: str | os.PathLike) -> str:
    """Hexadecimal SHA-256 of a file."""
    return file_hash(path, "sha256")


def file_hash(path: str | os.PathLike, kind: str) -> str:
    """Hexadecimal hash of a file; `kind` is a name that hashlib knows."""
    with open(path, "rb") as handle:
        return hashlib.file_digest(handle, kind).hexdigest()
