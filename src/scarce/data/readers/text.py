"""What the readers of text files share: opening, unpacking, quoting, and errors that name the line."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import zipfile
from collections.abc import Collection, Sequence
from pathlib import Path

import numpy as np

from scarce.data import unpacking
from scarce.data.rows import encoding_of
from scarce.data.tables import as_objects, number, some
from scarce.errors import DataError


def read_bytes(path: Path) -> bytes:
    """Content of a file, unpacked if its name ends in .gz, .bz2, .xz (.tgz, .tbz2, .txz) or .zip (one file in it)."""
    check_file(path)
    openers = {".gz": gzip.open, ".bz2": bz2.open, ".xz": lzma.open}
    openers |= {".tgz": gzip.open, ".tbz2": bz2.open, ".txz": lzma.open}
    ending = path.suffix.lower()
    try:
        if ending == ".zip":
            with zipfile.ZipFile(path) as archive:
                members = [member for member in archive.infolist() if not member.is_dir() and not _from_macos(member)]
                if len(members) != 1:
                    names = some([member.filename for member in members], 5)
                    raise DataError(f"the zip holds {len(members)} files, one is wanted: {names}", where=path.name)
                with archive.open(members[0]) as handle:
                    return _unpacked(handle, path)
        with openers.get(ending, open)(path, "rb") as handle:
            return _unpacked(handle, path) if ending in openers else handle.read()
    except unpacking.UNREADABLE as error:
        raise DataError(f"the file is cut off or damaged: {error}", where=path.name, hint="fetch it again") from None


def check_file(path: Path) -> None:
    """Raise DataError if a path is a folder, or nothing is there."""
    if path.is_dir():
        raise DataError("this is a folder, a file is wanted", where=str(path))
    if not path.exists():
        raise DataError("the file is not there", where=str(path))


def _from_macos(member: zipfile.ZipInfo) -> bool:
    """Whether a member of a zip is one that macOS adds by itself."""
    return member.filename.startswith("__MACOSX/") or member.filename.rpartition("/")[2] == ".DS_Store"


def _unpacked(handle: io.BufferedIOBase, path: Path) -> bytes:
    out = io.BytesIO()
    unpacking.copy(handle, out, path.stat().st_size, path.name)
    return out.getvalue()


#: First bytes of packed files: kind, and the hint for one whose name does not show it.
_PACKED = {
    b"\x1f\x8b": ("a gzip file", "let its name end in .gz"),
    b"BZh": ("a bzip2 file", "let its name end in .bz2"),
    b"\xfd7zXZ": ("an xz file", "let its name end in .xz"),
    b"PK\x03\x04": ("a zip file", "let its name end in .zip; save an Excel workbook as CSV"),
    b"\xd0\xcf\x11\xe0": ("an old Excel workbook", "save it as CSV"),
    b"PAR1": ("a Parquet file", "save it as CSV"),
}
#: The end-of-file mark of DOS, and the byte order mark of UTF-8, which some programs write twice.
_END, _MARK = b"\x1a", b"\xef\xbb\xbf"


def read_text(path: Path) -> bytes:
    """Bytes of a text file (not UTF-16), without byte order marks and the end-of-file mark; an empty one is refused."""
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


def read_lines(path: Path) -> list[str]:
    """Lines of a text file without line ends (LF, CRLF or CR)."""
    data = read_text(path)
    return data.decode(encoding_of(data)).replace("\r\n", "\n").replace("\r", "\n").split("\n")


#: Letters after a backslash that stand for another character.
_ESCAPED = {"n": "\n", "r": "\r", "t": "\t"}


def split_quoted(text: str, where: str, separator: str = ",") -> list[tuple[str, bool]]:
    """Values split at `separator` outside quotes, each with whether it was quoted.

    If the separator is a blank, runs of blanks and tabs separate. Inside quotes, a backslash escapes the next
    character, and a doubled quote is one quote. Blanks around a value are removed, blanks inside quotes are kept.
    """
    out: list[tuple[str, bool]] = []
    value, quoted, quote, i = "", "", "", 0  # `quoted`: the value's quote character; `quote`: the same while it is open
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
    """The cells of a row, one for each of `names`; None for a missing one, which is an unquoted text in `missing`."""
    separator = "," if "," in line or len(names) == 1 else " "  # Weka accepts blanks for commas
    if "'" in line or '"' in line:
        values = split_quoted(line, where, separator)
        cells = [None if value in missing and not quoted else value for value, quoted in values]
    else:
        parts = line.split(",") if separator == "," else line.split()
        cells = [None if (cell := part.strip()) in missing else cell for part in parts]
    if len(cells) != len(names):
        raise DataError(f"{len(cells)} values, the header declares {len(names)} attributes", where=where)
    return cells


def finish(
    path: Path, name: str, cells: Sequence[str | None], lines: Sequence[int], levels: list[str] | None
) -> np.ndarray:
    """A column of cells: float64 if `levels` is None, else objects, which must be in `levels` unless that is empty."""
    if levels is not None:
        known = set(levels)
        for cell, line in zip(cells, lines, strict=True):
            if known and cell is not None and cell not in known:
                raise DataError(
                    f"{cell!r} is not among the declared values of {name!r}: {', '.join(levels[:12])}",
                    where=f"{path.name}:{line}",
                )
        return as_objects(cells)
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
