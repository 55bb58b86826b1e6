"""Atomic writing: a file is either whole and under its own name, or not there."""

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
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import IO, Any

from scarce.errors import DataError

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None

#: What the system says where a file cannot grow.
FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
#: Seconds for which a temporary file is taken for one that a process has made and not yet locked.
YOUNG = 2.0


@contextlib.contextmanager
def atomic(path: str | os.PathLike, mode: str = "wb") -> Iterator[IO]:
    """Open a temporary file beside `path`; on success flush it to disk and rename it, on failure remove it.

    What processes that were killed left of `path` is removed. An error of the system (a full disk, a read-only folder)
    names `path`.
    """
    path = Path(path)
    text = {} if "b" in mode else {"encoding": "utf-8", "newline": ""}
    handle = None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        sweep(path.parent.glob(f".{glob.escape(path.name)}.*.part"))
        handle = tempfile.NamedTemporaryFile(  # noqa: SIM115 - it outlives the block, closed, to be renamed
            mode, dir=path.parent, prefix=f".{path.name}.", suffix=".part", delete=False, **text
        )
        with handle:
            with contextlib.suppress(OSError):  # a file system without locks
                _hold(handle.fileno())
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
    """A temporary folder in `folder`; those of `prefix` that killed processes left there are removed."""
    folder = Path(folder)
    sweep(folder.glob(f"{glob.escape(prefix)}*"))
    with tempfile.TemporaryDirectory(prefix=prefix, dir=folder) as made:
        held = None
        with contextlib.suppress(OSError):  # not every system opens folders
            held = os.open(made, os.O_RDONLY)
            _hold(held)
        try:
            yield Path(made)
        finally:
            if held is not None:
                os.close(held)


def sweep(leftovers: Iterable[Path]) -> None:
    """Remove temporary files and folders that no living process holds.

    Where the system cannot tell, they stay. One that is seconds old may be about to be held, and stays as well.
    """
    for path in leftovers:
        with contextlib.suppress(OSError):
            if fcntl is None or time.time() - path.stat().st_mtime < YOUNG:
                continue
            held = os.open(path, os.O_RDONLY)
            try:
                _hold(held)
                shutil.rmtree(path) if path.is_dir() else path.unlink()
            finally:
                os.close(held)


def disk_fault(error: BaseException | None) -> OSError | None:
    """The error, among one and those that it arose from, by which the disk here took no more; None if there is none."""
    while error is not None:
        if isinstance(error, OSError) and error.errno in FULL:
            return error
        error = error.__cause__ or error.__context__
    return None


def _hold(descriptor: int, *, wait: bool = False) -> None:
    """Lock an open file or folder as long as it is open, and this process lives.

    Where another process holds it, wait for that one, or raise OSError.
    """
    if fcntl is not None:
        fcntl.flock(descriptor, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def writable(folder: str | os.PathLike) -> bool:
    """Whether something can be written into a folder, or the folder be made where it is not there yet.

    A link that leads nowhere is there, and nothing can be written to it.
    """
    folder = Path(folder).absolute()
    return os.access(next(place for place in (folder, *folder.parents) if os.path.lexists(place)), os.W_OK | os.X_OK)


def closed(folder: str | os.PathLike) -> list[Path]:
    """Where nothing can be written, of a folder and of those right inside it: another user may have made some."""
    folder = Path(folder)
    return [place for place in (folder, *sorted(folder.glob("*/"))) if not writable(place)]


@contextlib.contextmanager
def held(path: str | os.PathLike) -> Iterator[None]:
    """Wait until no other process holds `path`, and hold it; the system lets go of it when this process ends.

    For work that two processes must not do at a time: one that a killed workflow left behind, and the one that does its
    work again. Where the system or its disk has no such locks, nothing is held.
    """
    path = Path(path)
    handle = None
    with contextlib.suppress(OSError):
        while fcntl is not None and handle is None:
            path.parent.mkdir(parents=True, exist_ok=True)
            handle = open(path, "ab")  # noqa: SIM115 - closed when the work is done
            _hold(handle.fileno(), wait=True)
            if not path.exists() or not os.path.samestat(os.fstat(handle.fileno()), path.stat()):
                handle.close()  # who held it before has removed it
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
    """Read HTML or SVG that `write_text` wrote, which ends with the tag `end`.

    Raises
    ------
    DataError
        If the file is damaged; inside a page half a table would swallow what follows.
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
    write_text(path, json.dumps(value, indent=2, sort_keys=True, ensure_ascii=False, allow_nan=False) + "\n")


def read_json(path: str | os.PathLike) -> Any:
    """Read a JSON file that `write_json` wrote.

    Raises
    ------
    DataError
        If the file is damaged.
    """
    try:
        return json.loads(Path(path).read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as error:
        raise damaged(path, error) from None


def damaged(path: str | os.PathLike, error: Exception) -> DataError:
    """What is said of a file that cannot be what this package wrote."""
    what = " ".join(str(error).split())[:60] or type(error).__name__
    return DataError(f"the file is damaged ({what})", where=str(path), hint="delete it and run again")


def write_npz(path: str | os.PathLike, **arrays: Any) -> None:
    """Write arrays (no Python objects) as a compressed npz, atomically."""
    import numpy as np

    arrays = {name: np.asarray(array) for name, array in arrays.items()}
    for name, array in arrays.items():
        if array.dtype.hasobject:
            raise TypeError(f"{path}: array {name!r} holds Python objects; an npz here holds plain arrays only")
    with atomic(path) as handle:
        np.savez_compressed(handle, **arrays)


def read_npz(path: str | os.PathLike, *names: str) -> dict[str, Any]:
    """Read the arrays `names` (all of them by default) of an npz; pickles are refused.

    Raises
    ------
    DataError
        If the file is damaged.
    """
    import numpy as np

    try:
        with np.load(path, allow_pickle=False) as archive:
            return {name: archive[name] for name in names or archive.files}
    except OSError:
        raise
    except Exception as error:  # zipfile, zlib and the parser of array headers raise many kinds
        raise damaged(path, error) from None


def write_csv(path: str | os.PathLike, frame: Any) -> None:
    """Write a DataFrame as a tidy CSV: UTF-8, ``\\n``, shortest floats that read back the same, no index."""
    with atomic(path, "w") as handle:
        frame.to_csv(handle, index=False, lineterminator="\n")


def write_rows(path: str | os.PathLike, columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    """Write rows of text, integers and floats as `write_csv` would write a DataFrame of them; NaN is an empty cell."""
    with atomic(path, "w") as handle:
        writer = csv.writer(handle, lineterminator="\n")
        writer.writerow(columns)
        writer.writerows(["" if cell != cell else cell for cell in row] for row in rows)  # only NaN differs from itself


def read_csv(path: str | os.PathLike, **options: Any) -> Any:
    """Read a CSV that `write_csv` wrote: floats to the last bit (pandas from 3.1 on), only empty cells are missing."""
    import pandas as pd

    try:
        return pd.read_csv(path, keep_default_na=False, na_values=[""], **options)
    except ValueError as error:  # pandas' own and those of a wrong encoding are ValueErrors
        raise damaged(path, error) from None


def sha256(path: str | os.PathLike) -> str:
    """Hexadecimal SHA-256 of a file."""
    with open(path, "rb") as handle:
        return hashlib.file_digest(handle, "sha256").hexdigest()
