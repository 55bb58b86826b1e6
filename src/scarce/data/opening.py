"""Opening and unpacking a file. Imports no NumPy: the configuration looks into files as well."""

from __future__ import annotations

import bz2
import contextlib
import gzip
import io
import lzma
import tarfile
import zipfile
from pathlib import Path

from scarce.data import unpacking
from scarce.data.names import some
from scarce.errors import DataError

#: First bytes of files that are no text: kind, and what to do. If a text can begin so, a NUL byte must follow.
_KINDS = {
    b"\x1f\x8b": ("a gzip file", "let its name end in .gz"),
    b"BZh": ("a bzip2 file", "let its name end in .bz2"),
    b"\xfd7zXZ\0": ("an xz file", "let its name end in .xz"),
    b"PK\x03\x04": ("a zip file", "let its name end in .zip; save an Excel workbook as CSV"),
    b"7z\xbc\xaf\x27\x1c": ("a 7z archive", "unpack it, and give the path of the file inside"),
    b"Rar!\x1a\x07": ("a rar archive", "unpack it, and give the path of the file inside"),
    b"\x28\xb5\x2f\xfd": ("a Zstandard file", "unpack it"),
    b"\x04\x22\x4d\x18": ("an LZ4 file", "unpack it"),
    b"\x1f\x9d": ("a file packed by compress", "unpack it"),
    b"\xd0\xcf\x11\xe0": ("an old Excel workbook", "save it as CSV"),
    b"PAR1": ("a Parquet file", "save it as CSV"),
    b"\x89HDF": ("an HDF5 file", "save it as CSV"),
    b"MATLAB 5.0": ("a MATLAB file", "save it as CSV or npz"),
    b"\x93NUMPY": ("a NumPy array", "save features and labels as npz"),
    b"SQLite format 3": ("an SQLite database", "save the table as CSV"),
    b"%PDF-": ("a PDF", "save the table as CSV"),
}
_INSIDE = "unpack it, and give the path of the file inside; a `kind: url` source can name it by `member:`"


def read_bytes(path: Path) -> bytes:
    """Content of a file, unpacked if its name ends in .gz, .bz2, .xz (.tgz, .tbz2, .txz) or .zip (one file in it)."""
    check_file(path)
    openers = {".gz": gzip.open, ".bz2": bz2.open, ".xz": lzma.open}
    openers |= {".tgz": gzip.open, ".tbz2": bz2.open, ".txz": lzma.open}
    ending = path.suffix.lower()
    try:
        if ending == ".zip":
            content = _only_member(path)
        else:
            with openers.get(ending, open)(path, "rb") as handle:
                content = _unpacked(handle, path) if ending in openers else handle.read()
    except unpacking.UNREADABLE as error:
        hint = (
            "unpack it with its password, and give the file inside" if "encrypted" in str(error) else "fetch it again"
        )
        with contextlib.suppress(OSError), open(path, "rb") as handle:
            if (kind := _kind(handle.read(1 << 16))) and ending[-2:] not in kind[1]:  # .tgz is .gz
                hint = f"it looks like {kind[0]}: {kind[1]}"
        raise DataError(f"the file is cut off or damaged: {error}", where=path.name, hint=hint) from None
    if ending in (*openers, ".zip") and (inner := _kind(content)):
        raise DataError(f"{inner[0]} is packed in it", where=path.name, hint=_INSIDE)
    return content


def _only_member(path: Path) -> bytes:
    """Content of the only file in a zip."""
    with zipfile.ZipFile(path) as archive:
        members = [member for member in archive.infolist() if not member.is_dir() and not _from_macos(member)]
        if len(members) != 1:
            names = some([member.filename for member in members], 5)
            words = f"the zip holds {len(members)} files, one is wanted: {names}"
            raise DataError(words, where=path.name, hint=_INSIDE)
        with archive.open(members[0]) as handle:
            return _unpacked(handle, path)


def _kind(data: bytes) -> tuple[str, str] | None:
    """What a file is by its first bytes, and what to do; None for a text or an unknown kind."""
    for start, kind in _KINDS.items():
        if data.startswith(start) and (not start.isascii() or not start.decode().isprintable() or b"\0" in data):
            return kind
    return None


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


#: The end-of-file mark of DOS, and the byte order mark of UTF-8, which some programs write twice.
_END, _MARK = b"\x1a", b"\xef\xbb\xbf"


def read_text(path: Path) -> bytes:
    """Bytes of a text file (not UTF-16), without byte order marks and the end-of-file mark; an empty one is refused."""
    data = read_bytes(path)
    if kind := _kind(data):
        raise DataError(f"the file is {kind[0]}, no text", where=path.name, hint=kind[1])
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise DataError("the file is UTF-16 text", where=path.name, hint="save it as UTF-8")
    if b"\0" in data and tarfile.is_tarfile(io.BytesIO(data)):
        raise DataError("it is a tar of files, no text", where=path.name, hint=_INSIDE)
    if b"\0" in data:
        raise DataError("the file holds NUL bytes: it is no text, or none in UTF-8", where=path.name)
    while data.startswith(_MARK):
        data = data[len(_MARK) :]
    data = data.rstrip(_END)
    if not data.strip():
        raise DataError("the file is empty", where=path.name)
    return data
