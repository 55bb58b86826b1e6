"""Files packed in another way than a reader unpacks: the error says what they are, and the hint what to do."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import tarfile
import zipfile

import pytest

from scarce.data.readers import READERS
from scarce.errors import DataError

TEXT = b"a,k\n1,x\n2,y\n"


def zipped(*members: tuple[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members:
            archive.writestr(name, content)
    return buffer.getvalue()


def tarred(mode: str = "w", **members: bytes) -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode=mode) as archive:
        for name, content in members.items():
            info = tarfile.TarInfo(name)
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
    return buffer.getvalue()


def read(path, content: bytes, form: str = "csv"):
    path.write_bytes(content)
    return READERS[form]([path], {"target": "k"})


@pytest.mark.parametrize(
    ("name", "content", "kind", "hint"),
    [
        ("t.zip", zipped(("a.zip", zipped(("a.csv", TEXT)))), "zip file is packed in it", "unpack"),
        ("t.zip", zipped(("a.csv.gz", gzip.compress(TEXT))), "gzip file is packed in it", "unpack"),
        ("t.zip", zipped(("a.csv.xz", lzma.compress(TEXT))), "xz file is packed in it", "unpack"),
        ("t.zip", zipped(("a.7z", b"7z\xbc\xaf\x27\x1c\0")), "7z archive is packed in it", "unpack"),
        ("t.csv.gz", gzip.compress(gzip.compress(TEXT)), "gzip file is packed in it", "unpack"),
        ("t.csv.gz", gzip.compress(zipped(("a.csv", TEXT))), "zip file is packed in it", "unpack"),
        ("t.zip", zipped(("a.tar", tarred(a=TEXT))), "a tar of files", "member"),
        ("t.tgz", tarred("w:gz", a=TEXT), "a tar of files", "member"),
        ("t.tar.gz", tarred("w:gz", a=TEXT), "a tar of files", "member"),
        ("t.tar.bz2", tarred("w:bz2", a=TEXT), "a tar of files", "member"),
        ("t.txz", tarred("w:xz", a=TEXT, b=TEXT), "a tar of files", "member"),
        ("t.tar", tarred(a=TEXT), "a tar of files", "member"),
        ("t.zip", zipped(("a.csv", TEXT), ("b.csv", TEXT)), "holds 2 files", "member"),
        ("t.7z", b"7z\xbc\xaf\x27\x1c\0\x04 and so on", "7z archive", "unpack"),
        ("t.rar", b"Rar!\x1a\x07\x01\0 and so on", "rar archive", "unpack"),
        ("t.csv", b"Rar!\x1a\x07\0 and so on", "rar archive", "unpack"),
        ("t.csv.zst", b"\x28\xb5\x2f\xfd\x04\0", "Zstandard", "unpack"),
        ("t.csv.lz4", b"\x04\x22\x4d\x18\x64\0", "LZ4", "unpack"),
        ("t.csv.Z", b"\x1f\x9d\x90a\0", "compress", "unpack"),
        ("t.csv", lzma.compress(TEXT), "xz file", "end in .xz"),
        ("t.csv", gzip.compress(TEXT), "gzip file", "end in .gz"),
        ("t.csv", bz2.compress(TEXT * 100) + b"\0", "bzip2 file", "end in .bz2"),
        ("t.csv", zipped(("a.csv", TEXT)), "zip file", "end in .zip"),
        ("t.csv.gz", zipped(("a.csv", TEXT)), "damaged", "looks like a zip file: let its name end in .zip"),
        ("t.zip", gzip.compress(TEXT), "damaged", "looks like a gzip file: let its name end in .gz"),
        ("t.zip", b"Rar!\x1a\x07\0 and so on", "damaged", "looks like a rar archive: unpack"),
        ("t.tgz", tarred("w:gz", a=TEXT * 999)[:-9], "damaged", "fetch it again"),
        ("t.csv", b"PAR1\x15\0", "Parquet", "CSV"),
        ("t.csv", b"\x89HDF\r\n\x1a\n\0", "HDF5", "CSV"),
        ("t.csv", b"%PDF-1.7\n\0", "PDF", "CSV"),
    ],
    ids=lambda value: value if isinstance(value, str) else "content",  # packed bytes hold the time
)
def test_what_it_is_and_what_to_do(tmp_path, name, content, kind, hint):
    with pytest.raises(DataError) as caught:
        read(tmp_path / name, content)
    assert kind in caught.value.message
    assert hint in caught.value.hint
    assert caught.value.where == name


@pytest.mark.parametrize("start", [b"BZh", b"PAR1", b"%PDF-", b"MATLAB 5.0"])
def test_a_text_may_begin_as_such_a_file(tmp_path, start):
    assert read(tmp_path / "t.csv", start + b",k\n1,x\n2,y\n").n == 2


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("t.csv.gz", gzip.compress(TEXT)),
        ("t.csv.bz2", bz2.compress(TEXT)),
        ("t.csv.xz", lzma.compress(TEXT)),
        ("t.zip", zipped(("a.csv", TEXT))),
        ("t.ZIP", zipped(("d/", b""), ("d/a.csv", TEXT), ("__MACOSX/d/._a.csv", b"x"), (".DS_Store", b"x"))),
    ],
    ids=["gzip", "bzip2", "xz", "zip", "zip of a folder"],
)
def test_one_packed_text_is_read(tmp_path, name, content):
    assert read(tmp_path / name, content).n == 2
