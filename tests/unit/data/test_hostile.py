"""Files that are broken, foreign or hostile: a clear data error, nothing run, nothing written elsewhere."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import pickle
import struct
import tarfile
import zipfile
from pathlib import Path

import numpy as np
import pytest

from scarce.config.datasets.reading import Csv
from scarce.data import downloads, unpacking
from scarce.data.downloads import looks_like_html
from scarce.data.readers import READERS
from scarce.errors import DataError

ARFF = "@relation r\n@attribute a real\n@attribute b {x,y}\n@data\n"


def refused(kind: str, content: str | bytes, message: str, name: str = "f.txt", **options) -> None:
    Path(name).write_bytes(content.encode() if isinstance(content, str) else content)
    with pytest.raises(DataError, match=message) as error:
        READERS[kind]([Path(name)], options)
    assert error.value.where
    assert name in error.value.where


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("a,k\n1,x\0\n2,y\n", "NUL"),
        ("a,k\n1,x\n".encode("utf-16"), "UTF-16"),
        ("a,k\n1,x\n".encode("utf-16-le"), "NUL"),
        ("a,k\n1,x\n".encode("utf-32"), "UTF-16|NUL"),
        ('a,k\n"' + "z" * 200_000 + '",x\n', "field larger"),
        ("a,a,k\n1,2,x\n", "'a' stands twice"),
        (",a,k\n0,1,x\n", "column 1 has no name"),
        (",,k\n0,1,x\n", "column 1 has no name"),
        ("\n\n\n", "is empty"),
    ],
)
def test_text_that_is_no_table(content, message):
    refused("csv", content, message, target="k")


@pytest.mark.parametrize("content", ["0,5;x\n0,7;y\n", '"1,234";x\n"2,345,678.5";y\n', "5 %;x\n7%;y\n", "1_000;x\n"])
def test_numbers_in_other_notations_are_no_levels(content, folder):
    refused("csv", "a;k\n" + content, "column 'a' holds numbers such as", target="k", delimiter=";")
    (folder / "n.csv").write_text("a;k\n" + content)
    table = READERS["csv"]([folder / "n.csv"], {"target": "k", "delimiter": ";", "nominal": ["a"]})
    assert table.categorical[0]


@pytest.mark.parametrize("mark", ["nan", "NaN", "NA", "?", "null", "None", "N/A", "-"])
def test_a_usual_marker_beside_a_few_numbers_is_not_a_level(mark):
    refused("csv", f"a,k\n1,x\n2.5,x\n{mark},y\n", r"missing: \[", target="k")


def test_whole_numbers_of_any_length_are_numbers(folder):
    (folder / "n.csv").write_text(f"a,k\n{10**29},x\n-{10**30},y\n,y\n")
    table = READERS["csv"]([folder / "n.csv"], {"target": "k"})
    assert not table.categorical[0]
    assert table.column("a")[:2].tolist() == [1e29, -1e30]


@pytest.mark.parametrize("delimiter", ["\n", "\r", '"', "é", "a", "1", ".", "-", ""])
def test_what_cannot_separate_values(delimiter):
    with pytest.raises(ValueError, match=r"cannot separate|neither one character"):
        Csv(format="csv", delimiter=delimiter)


def test_a_zip_whose_member_has_no_name():
    plain = io.BytesIO()
    with zipfile.ZipFile(plain, "w") as archive:
        archive.writestr("f.csv", "a,k\n1,x\n")
    data = plain.getvalue()
    directory = data.index(b"PK\x01\x02")
    length = directory + 28  # of the name, in the directory: the name goes, and the directory is five bytes shorter
    data = data[:length] + b"\0\0" + data[length + 2 : directory + 46] + data[directory + 51 :]
    size = data.index(b"PK\x05\x06") + 12
    data = data[:size] + struct.pack("<L", struct.unpack("<L", data[size : size + 4])[0] - 5) + data[size + 4 :]
    assert zipfile.ZipFile(io.BytesIO(data)).infolist()[0].filename == ""
    refused("csv", data, "damaged", name="f.csv.zip", target="k")


@pytest.mark.parametrize("ending", [".gz", ".bz2", ".xz", ".zip"])
@pytest.mark.parametrize("content", [b"", b"BZh9 no such thing", b"\x1f\x8b", b"PK\x03\x04 cut", b"\xfd7zXZ"])
def test_packed_files_that_are_not(ending, content):
    refused("csv", content, "damaged|is empty", name=f"f.csv{ending}", target="k")


def test_encrypted_zip():
    plain = io.BytesIO()
    with zipfile.ZipFile(plain, "w") as archive:
        archive.writestr("f.csv", "a,k\n1,x\n")
    # bit 0 of the flags, in the local header and in the directory, says that the member is encrypted
    data = bytearray(plain.getvalue())
    data[6] |= 1
    data[data.index(b"PK\x01\x02") + 8] |= 1
    refused("csv", bytes(data), "damaged: .*encrypted", name="f.csv.zip", target="k")


@pytest.mark.parametrize("ending", [".gz", ".bz2", ".xz", ".zip"])
def test_bomb(ending, folder, monkeypatch):
    monkeypatch.setattr(unpacking, "ALWAYS", 100_000)
    text = b"a,k\n" + b"0" * 10_000_000
    pack = {".gz": gzip.compress, ".bz2": bz2.compress, ".xz": lzma.compress}.get(ending)
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("f.csv", text)
    content = pack(text) if pack else packed.getvalue()
    refused("csv", content, "which no data set does", name=f"f.csv{ending}", target="k")
    if ending == ".zip":
        with pytest.raises(DataError, match="which no data set does"):
            downloads.extract(folder / "f.csv.zip", "f.csv", folder / "out.csv")
        assert (folder / "out.csv").stat().st_size < len(text) / 2


def test_bomb_in_a_tar(folder, monkeypatch):
    monkeypatch.setattr(unpacking, "ALWAYS", 100_000)
    with tarfile.open("f.tar.xz", "w:xz") as archive:
        info = tarfile.TarInfo("f.csv")
        info.size = 10_000_000
        archive.addfile(info, io.BytesIO(b"0" * info.size))
    with pytest.raises(DataError, match="which no data set does"):
        downloads.extract(folder / "f.tar.xz", "f.csv", folder / "out.csv")


@pytest.mark.parametrize("name", ["../evil.csv", "/tmp/evil-scarce.csv", "..\\evil.csv", "a/../../evil.csv"])
def test_members_with_paths_that_lead_elsewhere_are_written_nowhere_else(folder, name):
    inside = folder / "deep" / "er"
    inside.mkdir(parents=True)
    with zipfile.ZipFile("f.zip", "w") as archive:
        archive.writestr(name, "x")
    downloads.extract(folder / "f.zip", zipfile.ZipFile("f.zip").namelist()[0], inside / "out.csv")
    with tarfile.open("f.tar", "w") as archive:
        info = tarfile.TarInfo(name)
        info.size = 1
        archive.addfile(info, io.BytesIO(b"x"))
    downloads.extract(folder / "f.tar", name, inside / "out2.csv")
    assert sorted(path.name for path in folder.rglob("*.csv")) == ["out.csv", "out2.csv"]
    assert not Path("/tmp/evil-scarce.csv").exists()


@pytest.mark.parametrize("kind", [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.FIFOTYPE, tarfile.CHRTYPE, tarfile.DIRTYPE])
def test_members_of_a_tar_that_are_no_files(folder, kind):
    with tarfile.open("f.tar", "w") as archive:
        info = tarfile.TarInfo("m")
        info.type, info.linkname = kind, "/etc/passwd"
        archive.addfile(info)
    with pytest.raises(DataError, match="no regular file"):
        downloads.extract(folder / "f.tar", "m", folder / "out")


@pytest.mark.parametrize(
    "page",
    [
        "<!DOCTYPE html>\n<html>",
        "\ufeff \n<HTML lang='en'>",
        "<!-- saved -->\n<!doctype HTML public ''>",
        "<?xml version='1.0'?>\n<!-- x --><!DOCTYPE html>",
        "<head><title>404</title>",
        "<script>location='x'</script>",
        "<!DOCTYPE  html\n SYSTEM 'about:legacy-compat'>",
        "<h1>404 Not Found</h1>",
        "<div class='error'\n id='x'>gone</div>",
        "<br/>moved",
        "<?xml version='1.0'?>\n<Error><Code>NoSuchKey</Code></Error>",
        f"<!--{'x' * 5000}-->{' ' * 5000}<p>gone",
    ],
)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_web_pages_are_known(folder, page, encoding):
    (folder / "p").write_bytes(page.encode(encoding))
    assert looks_like_html(folder / "p")


@pytest.mark.parametrize(
    "text", ["a<b,k\n1,x\n", "", "<5,>6\n1,2\n", "<?xml version='1.0'?><data/>", "<html-like,k\n", "<p,<h1\n"]
)
def test_data_are_no_web_pages(folder, text):
    (folder / "p").write_text(text)
    assert not looks_like_html(folder / "p")


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("{² 1}", "not a column number"),
        ("{0 1, 0 2}", "column number 0 stands twice"),
        ("{-1 1}", "not a column number"),
        ("{,}", "not a column number"),
        ("{99999999999999999999 1}", "not a column number"),
        ("1_000,x", "is no number"),
    ],
)
def test_arff_rows(row, message):
    refused("arff", ARFF + row + "\n", message)


def test_arff_with_a_range_glued_to_the_type(folder):
    (folder / "f.arff").write_text("@attribute a integer[0,5]\n@attribute b{x,y}\n@data\n1,x\n")
    assert READERS["arff"]([folder / "f.arff"], {}).column("a").tolist() == [1]


def test_the_end_mark_of_dos_is_no_row(folder):
    (folder / "f.dat").write_bytes(b"@attribute a real\r\n@attribute K {a,b}\r\n@data\r\n1,a\r\n\x1a")
    assert READERS["keel"]([folder / "f.dat"], {}).n == 1


# -- matrices -----


def npz(**members: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(f"{name}.npy", content)
    return out.getvalue()


def npy(array: np.ndarray) -> bytes:
    out = io.BytesIO()
    np.lib.format.write_array(out, array)
    return out.getvalue()


def header(shape: tuple, kind: str = "<f8") -> bytes:
    out = io.BytesIO()
    np.lib.format.write_array_header_1_0(out, {"descr": kind, "fortran_order": False, "shape": shape})
    return out.getvalue()


class Evil:
    def __reduce__(self):
        return open, ("executed", "w")


TWO = npy(np.zeros(2))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (npy(np.zeros(3)), "not a whole npz"),
        (pickle.dumps(Evil()), "not a whole npz|Python objects"),
        (npz(X=npy(np.array([[Evil()], [1]], dtype=object)), y=TWO), "Python objects"),
        (npz(X=npy(np.zeros((2, 1))), y=npy(np.array([Evil(), 1], dtype=object))), "Python objects"),
        (npz(X=header((10**7, 10**6)) + b"0" * 64, y=TWO), "not a whole npz"),
        (npz(X=b"\x93NUMPY\x01\x00\x10\x00{{{{{{{{{{{{{{{\n", y=TWO), "not a whole npz"),
        (npz(X=b"\x93NUMPY\x01\x00\x10\x00__import__('os')", y=TWO), "not a whole npz"),
        (npz(X=npy(np.zeros(2)), y=TWO), "one length"),
        (npz(X=npy(np.zeros((2, 1), complex)), y=TWO), "not numbers"),
        (npz(X=npy(np.zeros((2, 1))), y=npy(np.zeros(2, [("a", "i4")]))), "neither numbers nor texts"),
        (npz(X=npy(np.zeros((2, 1))), y=npy(np.zeros(2, "M8[s]"))), "neither numbers nor texts"),
        (b"", "not a whole npz"),
        (npz(X=pickle.dumps(Evil()), y=TWO), "'X' is no array"),
        (npz(X=npy(np.zeros((2, 1))), y=b"01"), "'y' is no array"),
    ],
)
def test_npz(content, message, folder):
    refused("npz", content, message, name="f.npz")
    assert not (folder / "executed").exists()


@pytest.mark.parametrize(
    ("X", "y", "message"),
    [
        (header((10**9, 0)), header((10**9,), "|S0"), "too large"),
        (header((10**8, 0)), header((10**8,), "|S0"), "which no data set does"),
        (header((2, 0)), TWO, "no values are in"),
        (npy(np.zeros((2, 1))), header((2,), "|S0"), "no values are in"),
        (npy(np.zeros((2, unpacking.WIDEST + 1), np.int8)), TWO, "too wide"),
    ],
)
def test_npz_that_says_more_than_it_holds(X, y, message):
    refused("npz", npz(X=X, y=y), message, name="f.npz")


def test_a_member_that_claims_to_be_packed_badly_is_a_bomb_nevertheless(folder, monkeypatch):
    monkeypatch.setattr(unpacking, "ALWAYS", 100_000)
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("f.csv", b"0" * 10_000_000)
    data = bytearray(packed.getvalue())
    place = data.index(b"PK\x01\x02") + 20  # the packed size, in the directory
    data[place : place + 4] = struct.pack("<L", 10_000_000)
    (folder / "f.zip").write_bytes(data)
    with pytest.raises(DataError, match=r"which no data set does|zip bomb"):  # some versions of Python notice it
        downloads.extract(folder / "f.zip", "f.csv", folder / "out.csv")


def test_npz_bomb(monkeypatch):
    monkeypatch.setattr(unpacking, "ALWAYS", 100_000)
    refused("npz", npz(X=npy(np.zeros((1000, 1000))), y=TWO), "which no data set does", name="f.npz")


def test_bytes_are_texts(folder):
    np.savez("f.npz", X=np.zeros((2, 1)), y=np.array([b"pos", b"neg"]))
    assert list(READERS["npz"]([folder / "f.npz"], {}).column("y")) == ["pos", "neg"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1 1:1 400000000000:1\n", "not LIBSVM"),
        ("1 1:1 4000000:1\n" + "-1 1:2\n" * 200, "too large"),
        ("1 99999999:1\n", "too wide"),
        ("1 -1:1\n", "not LIBSVM"),
        ("1,2 1:1\n", "not LIBSVM"),
        ("1 2:1 1:1\n", "not LIBSVM"),
    ],
)
def test_svmlight(text, message):
    refused("svmlight", text, message)
