"""What the readers of text files share: opening, quoting, numbers with the line they stand on."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import zipfile
import zlib
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from pubench.data import unpacking
from pubench.data.tables import number
from pubench.errors import DataError


def read_bytes(path: Path) -> bytes:
    """Content of a file, unpacked if it ends in .gz, .bz2, .xz or .zip (a zip must hold one file).

    Raises
    ------
    DataError
        If it is not there, or cut off, or not what its ending says, or unpacks to more than data do.
    """
    opened = {".gz": gzip.open, ".bz2": bz2.open, ".xz": lzma.open}
    try:
        if path.suffix == ".zip":
            with zipfile.ZipFile(path) as archive:
                members = [member for member in archive.infolist() if not member.is_dir()]
                if len(members) != 1:
                    raise DataError(f"the zip holds {len(members)} files, one is wanted", where=path.name)
                with archive.open(members[0]) as handle:
                    return _unpacked(handle, path)
        with opened.get(path.suffix, open)(path, "rb") as handle:
            return _unpacked(handle, path) if path.suffix in opened else handle.read()
    except FileNotFoundError:
        raise DataError("the file is not there", where=str(path)) from None
    except UNREADABLE as error:
        raise DataError(f"the file is cut off or damaged: {error}", where=path.name, hint="fetch it again") from None


#: What unpacking a damaged, encrypted or foreign archive raises.
UNREADABLE = (
    EOFError,
    OSError,
    lzma.LZMAError,
    zipfile.BadZipFile,
    zlib.error,
    RuntimeError,  # encrypted; NotImplementedError, a method of compression that Python lacks, is one too
    MemoryError,
    OverflowError,
    ValueError,
)


def _unpacked(handle: io.BufferedIOBase, path: Path) -> bytes:
    out = io.BytesIO()
    unpacking.copy(handle, out, path.stat().st_size, path.name)
    return out.getvalue()


def read_text(path: Path) -> bytes:
    """Bytes of a text file, as `read_bytes`, without the end mark of DOS.

    Raises
    ------
    DataError
        If it is no text, or text in an encoding that is not read.
    """
    data = read_bytes(path)
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise DataError("the file is UTF-16 text", where=path.name, hint="save it as UTF-8")
    if b"\0" in data:
        raise DataError("the file holds NUL bytes: it is no text, or none in UTF-8", where=path.name)
    return data.rstrip(b"\x1a")


def encoding_of(data: bytes) -> str:
    """UTF-8 (with or without a byte order mark) where the bytes are, else Latin-1, which takes any byte."""
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return "latin-1"
    return "utf-8-sig"


def read_lines(path: Path) -> list[str]:
    """Lines of a text file without their ends, whatever those are."""
    data = read_text(path)
    return data.decode(encoding_of(data)).replace("\r\n", "\n").replace("\r", "\n").split("\n")


def split_quoted(text: str, where: str, separator: str = ",") -> list[tuple[str, bool]]:
    """Split at `separator`, or at blanks if it is one, outside quotes.

    Returns
    -------
    list of (str, bool)
        Each value, and whether it was quoted. Blanks around it are gone, blanks inside quotes are kept.
    """
    out: list[tuple[str, bool]] = []
    value, quoted, quote, i = "", False, "", 0
    while i < len(text):
        char = text[i]
        if quote:
            if char == "\\" and i + 1 < len(text):
                value, i = value + text[i + 1], i + 1
            elif char == quote:
                quote = ""
            else:
                value += char
        elif char in "'\"" and not value.strip():
            value, quoted, quote = "", True, char
        elif char == separator or (separator == " " and char == "\t"):
            if separator != " " or value or quoted:
                out.append((value if quoted else value.strip(), quoted))
            value, quoted = "", False
        elif not (quoted and char.isspace()):
            value += char
        i += 1
    if quote:
        raise DataError(f"a quote {quote} is not closed", where=where)
    if separator != " " or value.strip() or quoted:
        out.append((value if quoted else value.strip(), quoted))
    return out


def finish(
    path: Path, name: str, cells: Sequence[str | None], lines: Sequence[int], levels: list[str] | None
) -> np.ndarray:
    """A column of texts as float64 (`levels` None) or as objects, whose values are among `levels` if any are listed."""
    if levels is not None:
        known = set(levels)
        for cell, line in zip(cells, lines, strict=True):
            if known and cell is not None and cell not in known:
                raise DataError(
                    f"{cell!r} is not among the declared values of {name!r}: {', '.join(levels[:12])}",
                    where=f"{path.name}:{line}",
                )
        return np.array([*cells, None], dtype=object)[:-1]
    out = np.empty(len(cells))
    for i, (cell, line) in enumerate(zip(cells, lines, strict=True)):
        try:
            out[i] = np.nan if cell is None else number(cell)
        except ValueError:
            raise DataError(f"{cell!r} in numeric column {name!r} is no number", where=f"{path.name}:{line}") from None
    return out
