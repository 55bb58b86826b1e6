"""Limits on what a packed file may unpack to: above any real data set, below a decompression bomb. No NumPy."""

from __future__ import annotations

import lzma
import math
import struct
import zipfile
import zlib
from typing import IO

from scarce.errors import DataError

#: Any file may unpack to ALWAYS bytes; none to more than NEVER; between them, to at most RATIO times its packed size.
ALWAYS, NEVER, RATIO = 500_000_000, 8_000_000_000, 100
#: Most values of a matrix (4 GB as float64), and most columns of a table.
LARGEST_MATRIX, WIDEST = 500_000_000, 1_000_000
_PIECE = 1 << 22
#: Errors of unpacking a damaged, encrypted or foreign archive.
UNREADABLE = (
    EOFError,
    OSError,
    lzma.LZMAError,
    zipfile.BadZipFile,
    zlib.error,
    RuntimeError,  # encrypted; and its subclass NotImplementedError: an unknown compression method
    MemoryError,
    OverflowError,
    ValueError,
    IndexError,  # a member without a name
    struct.error,
)


def check_size(unpacked: int, packed: int, where: str) -> None:
    """Raise DataError if `packed` bytes that unpack to `unpacked` bytes exceed the limits."""
    if unpacked > NEVER or (unpacked > ALWAYS and unpacked > RATIO * packed):
        raise DataError(
            f"{packed} bytes unpack to {unpacked} or more, which no data set does: it is not read", where=where
        )


def check_matrix(shape: tuple[int, ...], where: str, packed: int | None = None) -> None:
    """Raise DataError if an array is too large for memory, or for the `packed` bytes that it comes from."""
    values = math.prod(shape)
    if values > LARGEST_MATRIX:
        raise DataError(
            f"an array of shape {shape} is too large: at most {LARGEST_MATRIX} values are read", where=where
        )
    if len(shape) > 1 and shape[1] > WIDEST:
        raise DataError(f"an array of {shape[1]} columns is too wide: at most {WIDEST} are read", where=where)
    if packed is not None:
        check_size(8 * values, packed, where)  # all numbers become float64


def copy(source: IO[bytes], target: IO[bytes], packed: int, where: str) -> None:
    """Copy a stream of unpacked bytes; DataError as soon as it exceeds the limits."""
    done = 0
    while piece := source.read(_PIECE):
        done += len(piece)
        check_size(done, packed, where)
        target.write(piece)
