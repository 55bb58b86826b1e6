"""How much may come out of a packed file: enough for real data, not for a bomb."""

from __future__ import annotations

from typing import IO

from scarce.errors import DataError

#: Bytes that any file may unpack to; and beyond the first number only if the packed file is not a hundredth of it.
ALWAYS, NEVER, RATIO = 500_000_000, 8_000_000_000, 100
#: Values that a matrix may have (4 GB as float64), and columns that a table may.
LARGEST_MATRIX, WIDEST = 500_000_000, 1_000_000
_PIECE = 1 << 22


def check_size(unpacked: int, packed: int, where: str) -> None:
    """Raise DataError where `packed` bytes that unpack to `unpacked` bytes are no data but a bomb."""
    if unpacked > NEVER or (unpacked > ALWAYS and unpacked > RATIO * packed):
        raise DataError(
            f"{packed} bytes unpack to {unpacked} or more, which no data set does: it is not read", where=where
        )


def check_matrix(shape: tuple[int, ...], where: str, packed: int | None = None) -> None:
    """Raise DataError where an array of this shape would not fit into memory, or is too much for `packed` bytes.

    A sparse matrix is no bomb however few bytes it comes from: for one, `packed` is left out.
    """
    values = 1
    for length in shape:
        values *= int(length)
    if values > LARGEST_MATRIX:
        raise DataError(
            f"an array of shape {shape} is too large: at most {LARGEST_MATRIX} values are read", where=where
        )
    if len(shape) > 1 and shape[1] > WIDEST:
        raise DataError(f"an array of {shape[1]} columns is too wide: at most {WIDEST} are read", where=where)
    if packed is not None:
        check_size(8 * values, packed, where)  # as float64, which all numbers become


def copy(source: IO[bytes], target: IO[bytes], packed: int, where: str) -> None:
    """Copy an unpacking stream piece by piece; DataError as soon as it is too much."""
    done = 0
    while piece := source.read(_PIECE):
        done += len(piece)
        check_size(done, packed, where)
        target.write(piece)
