"""What the readers of text files share: opening, quoting, numbers with the line they stand on."""

from __future__ import annotations

import bz2
import contextlib
import gzip
import io
import lzma
import struct
import zipfile
import zlib
from collections.abc import Collection, Sequence
from pathlib import Path

import numpy as np

from scarce.data import unpacking
from scarce.data.tables import number, some
from scarce.errors import DataError


def read_bytes(path: Path) -> bytes:
    """Content of a file, unpacked if it ends in .gz, .bz2, .xz or .zip (a zip must hold one file).

    Raises
    ------
    DataError
        If it is not there, or cut off, or not what its ending says, or unpacks to more than data do.
    """
    check_file(path)
    opened, ending = {".gz": gzip.open, ".bz2": bz2.open, ".xz": lzma.open}, path.suffix.lower()
    try:
        if ending == ".zip":
            with zipfile.ZipFile(path) as archive:
                members = [member for member in archive.infolist() if not member.is_dir() and not _of_a_mac(member)]
                if len(members) != 1:
                    held = some([member.filename for member in members], 5)
                    raise DataError(f"the zip holds {len(members)} files, one is wanted: {held}", where=path.name)
                with archive.open(members[0]) as handle:
                    return _unpacked(handle, path)
        with opened.get(ending, open)(path, "rb") as handle:
            return _unpacked(handle, path) if ending in opened else handle.read()
    except UNREADABLE as error:
        raise DataError(f"the file is cut off or damaged: {error}", where=path.name, hint="fetch it again") from None


def check_file(path: Path) -> None:
    """Raise DataError where there is no file under a path, or a folder."""
    if path.is_dir():
        raise DataError("this is a folder, a file is wanted", where=str(path))
    if not path.exists():
        raise DataError("the file is not there", where=str(path))


def _of_a_mac(member: zipfile.ZipInfo) -> bool:
    """Whether a member of a zip is what macOS adds to it."""
    return member.filename.startswith("__MACOSX/") or member.filename.rpartition("/")[2] == ".DS_Store"


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
    IndexError,  # a member without a name
    struct.error,
)


def _unpacked(handle: io.BufferedIOBase, path: Path) -> bytes:
    out = io.BytesIO()
    unpacking.copy(handle, out, path.stat().st_size, path.name)
    return out.getvalue()


#: How packed files begin, and what to do with one whose name does not say so.
_PACKED = {
    b"\x1f\x8b": ("a gzip file", "let its name end in .gz"),
    b"BZh": ("a bzip2 file", "let its name end in .bz2"),
    b"\xfd7zXZ": ("an xz file", "let its name end in .xz"),
    b"PK\x03\x04": ("a zip file", "let its name end in .zip; save an Excel workbook as CSV"),
    b"\xd0\xcf\x11\xe0": ("an old Excel workbook", "save it as CSV"),
    b"PAR1": ("a Parquet file", "save it as CSV"),
}
#: The end mark of DOS, and the byte order marks of UTF-8, of which some programs write two.
_END, _MARK = b"\x1a", b"\xef\xbb\xbf"


def read_text(path: Path) -> bytes:
    """Bytes of a text file, as `read_bytes`, without byte order marks of UTF-8 and the end mark of DOS.

    Raises
    ------
    DataError
        If it is empty, no text, or text in an encoding that is not read.
    """
    data = read_bytes(path)
    for start, (kind, remedy) in _PACKED.items():
        if data.startswith(start) and b"\0" in data[:4096] + data[-4096:]:
            raise DataError(f"the file is {kind}, no text", where=path.name, hint=remedy)
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise DataError("the file is UTF-16 text", where=path.name, hint="save it as UTF-8")
    if b"\0" in data:
        raise DataError("the file holds NUL bytes: it is no text, or none in UTF-8", where=path.name)
    while data.startswith(_MARK):
        data = data[len(_MARK) :]
    data = data.rstrip(_END)
    if not data.strip():
        raise DataError("the file is empty", where=path.name)
    return data


def encoding_of(data: bytes) -> str:
    """UTF-8 where the bytes are, else Windows-1252, else Latin-1, which takes any byte."""
    for encoding in ("utf-8", "cp1252"):
        with contextlib.suppress(UnicodeDecodeError):
            data.decode(encoding)
            return encoding
    return "latin-1"


def read_lines(path: Path) -> list[str]:
    """Lines of a text file without their ends, whatever those are."""
    data = read_text(path)
    return data.decode(encoding_of(data)).replace("\r\n", "\n").replace("\r", "\n").split("\n")


#: What a backslash makes of the letter after it.
_ESCAPED = {"n": "\n", "r": "\r", "t": "\t"}


def split_quoted(text: str, where: str, separator: str = ",") -> list[tuple[str, bool]]:
    """Split at `separator`, or at blanks if it is one, outside quotes.

    Inside quotes a backslash and a doubled quote stand for what follows.

    Returns
    -------
    list of (str, bool)
        Each value, and whether it was quoted. Blanks around it are gone, blanks inside quotes are kept.

    Raises
    ------
    DataError
        If a quote is not closed, or something stands between its end and the separator.
    """
    out: list[tuple[str, bool]] = []
    value, quoted, quote, i = "", "", "", 0  # `quoted`: the quote that the value stands in; `quote`: that one, if open
    while i < len(text):
        char = text[i]
        if quote:
            if char == "\\" and i + 1 < len(text):
                value, i = value + _ESCAPED.get(text[i + 1], text[i + 1]), i + 1
            elif char == quote and text[i + 1 : i + 2] == quote:
                value, i = value + quote, i + 1
            elif char == quote:
                quote = ""
            else:
                value += char
        elif char in "'\"" and not value.strip() and not quoted:
            value, quoted, quote = "", char, char
        elif char == separator or (separator == " " and char == "\t"):
            if separator != " " or value or quoted:
                out.append((value if quoted else value.strip(), bool(quoted)))
            value, quoted = "", ""
        elif not quoted:
            value += char
        elif not char.isspace():
            raise DataError(f"{text[i : i + 20]!r} stands behind the end of a quoted value", where=where)
        i += 1
    if quote:
        raise DataError(f"a quote {quote} is not closed", where=where)
    if separator != " " or value.strip() or quoted:
        out.append((value if quoted else value.strip(), bool(quoted)))
    return out


def split_cells(line: str, missing: Collection[str], names: list[str], where: str) -> list[str | None]:
    """The cells of a row, None where one is missing: an unquoted text of `missing`.

    Raises
    ------
    DataError
        If there are not as many as `names`.
    """
    separator = "," if "," in line or len(names) == 1 else " "  # to Weka, blanks separate values as commas do
    if "'" in line or '"' in line:
        found = split_quoted(line, where, separator)
        cells = [None if value in missing and not quoted else value for value, quoted in found]
    else:
        parts = line.split(",") if separator == "," else line.split()
        cells = [None if (cell := part.strip()) in missing else cell for part in parts]
    if len(cells) != len(names):
        raise DataError(f"{len(cells)} values, the header declares {len(names)} attributes", where=where)
    return cells


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
            raise DataError(
                f"{cell!r} in numeric column {name!r} is no number",
                where=f"{path.name}:{line}",
                hint="a missing cell is ?" if cell == "" else None,
            ) from None
    return out
