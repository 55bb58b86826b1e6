"""A valid small input for every reader, and words that a fuzzer may put into it."""

from __future__ import annotations

import gzip
import io
import zipfile

import numpy as np

X, Y = np.arange(12.0).reshape(6, 2), np.array([0, 1, 0, 1, 0, 0])

KEEL = b"""@relation  pump
@attribute Temp integer[10,95]
@attribute Flow real [5.0E-4, 1.005]
@attribute Mode{auto, manual,off}
@attribute Class {positive, negative}
@inputs Temp, Flow, Mode
@outputs Class
@data
12,5.0E-4,auto, negative
14.0,<null>,manual,negative
90,1.005,off,positive
"""
ARFF = b"""% a comment
@RELATION 'zoo like'
@ATTRIBUTE legs NUMERIC
@ATTRIBUTE 'skin type' {"hard shell",'soft skin','  bare'}
@ATTRIBUTE type { mammal, 'not mammal' }
@DATA
4, "hard shell", 'not mammal'
?, 'soft skin', mammal
{0 2, 2 'not mammal'}
{}
"""
CSV = b"""a,b c,"d ""e",kind
1,x,2.5e-3,yes
,"y, z",-7,no
3,NA,0,None
"""
SVMLIGHT = b"+1 1:0.5 3:2 # so\n-1 2:1\n-1 1:3 2:-4e-3\n"


def _npz() -> bytes:
    out = io.BytesIO()
    np.savez_compressed(out, X=X, y=Y)
    return out.getvalue()


def _zip() -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("f.csv", CSV)
    return out.getvalue()


_KIND = {"target": "kind", "positive": "yes"}
_BLANKS = {"target": "k", "positive": 1, "read": {"delimiter": "whitespace", "header": False}}
#: (format, ending, content, what the description says)
INPUTS: list[tuple[str, str, bytes, dict]] = [
    ("keel", ".dat", KEEL, {"positive": "positive"}),
    ("arff", ".arff", ARFF, {"target": "type", "positive": "mammal"}),
    ("csv", ".csv", CSV, _KIND),
    ("csv", ".csv", CSV.replace(b",", b";"), _KIND | {"read": {"delimiter": ";"}}),
    ("csv", ".data", b"1 2 0\n 3\t4 1\n5 6 0\n", _BLANKS),
    ("csv", ".csv.gz", gzip.compress(CSV, mtime=0), _KIND),
    ("csv", ".csv.zip", _zip(), _KIND),
    ("svmlight", ".txt", SVMLIGHT, {"positive": 1}),
    ("npz", ".npz", _npz(), {"positive": 1}),
]  # fmt: skip

WORDS = [
    *(  # what a cell or a header may hold
        b"nan", b"inf", b"-inf", b"1e400", b"1_000", b"0x1F", b"?", b"<null>", b"NA", b"None", b"null", b"true", b"1,5",
        b"2023_01", b"''", b'"', b"'", b"{}", b"{", b"}", b"[", b"]", b",", b";", b":", b"%", b"#", b"@", b"@data",
        b"@attribute", b"@inputs", b"@relation", b"\\", b"\\'", b"real", b"integer", b"string", b"date", b"<!DOCTYPE",
        b"<html>", b"=1+1", b"../", b"\xc2\xb2", b"\xd9\xa1", b"\xe9", b"9" * 400, b"a" * 140_000,
    ),
    *(  # ends of lines, marks of encodings, sizes, signatures
        b"\n", b"\r\n", b"\r", b"\t", b" ", b"\0", b"\x1a", b"\xff\xfe", b"\xef\xbb\xbf", b"\0\0\0\0", b"\xff" * 4,
        b"\x7f\xff\xff\xff", b"\x80", b"PK\x01\x02", b"PK\x03\x04", b"\x93NUMPY",
    ),
]  # fmt: skip
