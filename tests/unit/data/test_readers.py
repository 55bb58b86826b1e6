"""Readers on the shapes of files that other readers stumble over."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import zipfile
from pathlib import Path

import numpy as np
import pytest

from scarce.config.datasets.reading import Csv, Keel
from scarce.data.readers import READERS, delimited
from scarce.errors import DataError


def read(kind: str, *texts: str | bytes, name: str = "f.txt", **options):
    paths = []
    for i, text in enumerate(texts):
        with open(f"{i}{name}", "wb") as handle:
            handle.write(text.encode() if isinstance(text, str) else text)
        paths.append(Path(f"{i}{name}"))
    return READERS[kind](paths, options)


# -- KEEL -----


def test_keel_headers_with_name_type_and_range_glued_together():
    table = read(
        "keel",
        "@relation   pump\n@attribute Temp integer[10,95]\n@attribute Flow real[5.0E-4,1.005]\n"
        "@attribute Mode{auto, manual,off}\n@attribute Class{positive,negative}\n@inputs Temp,Flow,Mode\n"
        "@outputs Class\n@data\n12,5.0E-4,auto,negative\n14.0,0.25,manual,negative\n90,1.005,off,positive\n",
    )
    assert table.names == ["Temp", "Flow", "Mode", "Class"]
    assert table.categorical == [False, False, True, True]
    assert table.column("Flow")[0] == 0.0005
    assert table.column("Temp")[1] == 14
    assert list(table.column("Mode")) == ["auto", "manual", "off"]
    assert table.target == "Class"


def test_keel_crlf_blank_lines_and_blanks_around_classes():
    table = read(
        "keel",
        "@relation lens\r\n@attribute x1 real [0.0, 1.0]\r\n@attribute Class {positive, negative}\r\n@data\r\n"
        "0.10,negative\r\n\r\n0.15, negative\r\n0.81, positive\r\n0.91,positive \r\n\r\n",
    )
    assert list(table.column("Class")) == ["negative", "negative", "positive", "positive"]
    assert list(table.column("x1")) == [0.10, 0.15, 0.81, 0.91]


def test_keel_without_inputs_and_outputs_takes_the_last_attribute_as_class():
    text = "@relation r\n#@inputs w\n% @outputs w\n@attribute w real [0,9]\n@attribute K {a,b}\n@data\n1,a\n2,b\n"
    assert read("keel", text).target == "K"
    assert read("keel", text.replace("@data", "@outputs w\n@data")).target == "w"


def test_keel_nominal_attributes_of_digits_stay_nominal_and_nulls_are_missing():
    header = "@relation r\n@attribute d {0, 1}\n@attribute v real [0,9]\n@attribute K {a,b}\n@data\n"
    text = header + "0,<null>,a\n1,2,b\n?,3,b\n"
    table = read("keel", text, **Keel(format="keel").model_dump())
    assert list(table.column("d")) == ["0", "1", None]
    assert np.isnan(table.column("v")[0])
    assert table.categorical == [True, False, True]


@pytest.mark.parametrize(
    ("body", "line", "message"),
    [
        ("@data\n1,a\n2\n", 5, "1 values, the header declares 2"),
        ("@data\n1,a\nx,b\n", 5, "'x' in numeric column 'v' is no number"),
        ("@data\n1,c\n", 4, "'c' is not among the declared values of 'K'"),
    ],
)
def test_keel_errors_name_file_and_line(body, line, message):
    with pytest.raises(DataError) as error:
        read("keel", "@attribute v real [0,9]\n@attribute K {a,b}\n" + body)
    assert error.value.where == f"0f.txt:{line}"
    assert message in str(error.value)


# -- ARFF -----


def test_arff_blank_before_the_brace_and_both_quotes():
    table = read(
        "arff",
        "% comment\n@RELATION 'zoo like'\n@ATTRIBUTE legs NUMERIC\n"
        "@ATTRIBUTE size { small, mid, large }\n"
        "@ATTRIBUTE 'skin type' {\"hard shell\",'soft skin','  bare'}\n"
        "@ATTRIBUTE type { mammal, 'not mammal' }\n@DATA\n"
        "4, small, \"hard shell\", 'not mammal'\n4, mid, 'soft skin', mammal\n2, large, '  bare', mammal\n",
    )
    assert table.names == ["legs", "size", "skin type", "type"]
    assert list(table.column("skin type")) == ["hard shell", "soft skin", "  bare"]
    assert list(table.column("type")) == ["not mammal", "mammal", "mammal"]
    assert table.categorical == [False, True, True, True]


def test_sparse_arff_fills_in_zeros_and_first_nominal_values():
    table = read(
        "arff",
        "@relation s\n@attribute a real\n@attribute b {X,Y,Z}\n@attribute c real\n"
        '@attribute class {normal,"rare case"}\n@data\n'
        '{0 1.5, 2 .5}\n{1 Y, 2 2}\n{0 3, 3 "rare case"}\n{}\n{1 Z, 3 "rare case"}\n{0 ?, 2 7}\n',
    )
    assert list(table.column("class")) == ["normal", "normal", "rare case", "normal", "rare case", "normal"]
    assert [table.columns[j][0] for j in range(4)] == [1.5, "X", 0.5, "normal"]
    assert [table.columns[j][3] for j in range(4)] == [0.0, "X", 0.0, "normal"]
    assert sum(np.isnan(table.column("a"))) == 1


def test_arff_quoted_question_mark_is_a_value_and_a_bare_one_is_missing():
    table = read("arff", "@relation r\n@attribute a {'?',b}\n@attribute c numeric\n@data\n'?',1\n?,?\nb,2\n")
    assert list(table.column("a")) == ["?", None, "b"]
    assert np.isnan(table.column("c")[1])


@pytest.mark.parametrize(
    ("text", "where", "message"),
    [
        ("@attribute a relational\n@data\n1\n", "0f.txt:1", "type 'relational'"),
        ("@attribute a {x\n@data\nx\n", "0f.txt:1", "not closed"),
        ("@attribute a real\n@data\n1\n1,2\n", "0f.txt:4", "2 values, the header declares 1"),
        ("@attribute a real\n@attribute b real\n@data\n{5 1}\n", "0f.txt:4", "not a column number and a value"),
        ("@attribute a {x,y}\n@data\n'x\n", "0f.txt:3", "a quote ' is not closed"),
        ("@attribute a real\n1\n", "0f.txt:2", "no line of an ARFF header"),
        ("@attribute a real\n@data\n", "0f.txt", "no rows"),
    ],
)
def test_arff_errors_name_file_and_line(text, where, message):
    with pytest.raises(DataError) as error:
        read("arff", text)
    assert error.value.where == where
    assert message in error.value.message


# -- delimited text -----


def test_csv_classes_named_na_and_none_are_classes():
    table = read("csv", "potassium,ion\n3.1,K\n4.9,NA\n3.0,None\n,K\n", target="ion")
    assert list(table.column("ion")) == ["K", "NA", "None", "K"]
    assert np.isnan(table.column("potassium")[3])


def test_csv_only_declared_markers_are_missing_and_text_columns_keep_their_text():
    table = read("csv", "a,b,k\n1,NA,x\n?,007,y\n3,True,x\n", target="k", missing=["?"], nominal=["b"])
    assert np.isnan(table.column("a")[1])
    assert list(table.column("b")) == ["NA", "007", "True"]
    assert table.categorical == [False, True, True]


def test_csv_booleans_are_texts_as_they_stand():
    assert list(read("csv", "a,k\nTRUE,1\nfalse,0\n", target="k").column("a")) == ["TRUE", "false"]


def test_csv_numbers_are_read_to_the_last_bit():
    values = ["0.1", "1e-300", "123456789.123456789", "5.0E-4", "0.30000000000000004"]
    table = read("csv", "a,k\n" + "".join(f"{value},x\n" for value in values), target="k")
    assert table.column("a").tolist() == [float(value) for value in values]


def test_csv_without_header_names_columns_and_the_class():
    assert read("csv", "1,2,0\n3,4,1\n", header=False, target="y").names == ["x1", "x2", "y"]
    assert read("csv", "0,1,2\n", header=False, target="y", target_index=0).names == ["y", "x1", "x2"]
    assert read("csv", "1,2,0\n", header=False, columns=["p", "q", "r"]).names == ["p", "q", "r"]


def test_csv_whitespace_trailing_delimiter_and_files_one_below_the_other():
    table = read("csv", "1 2  0\n 3 4 1\n", "5\t6 0", header=False, target="y", delimiter="whitespace")
    assert table.column("x1").tolist() == [1, 3, 5]
    table = read("csv", "1,2,0,\n3,4,1,\n", "5,6,1,\n", header=False, target="y")
    assert table.names == ["x1", "x2", "y"]
    assert table.column("x2").tolist() == [2, 4, 6]
    table = read("csv", "a;k\n1;x\n", "a;k\n2;y", target="k", delimiter=";")
    assert list(table.column("k")) == ["x", "y"]


def test_csv_byte_order_mark_latin_1_and_quotes():
    assert read("csv", b"\xef\xbb\xbfa,k\n1,x\n", target="k").names == ["a", "k"]
    assert list(read("csv", "a,k\n1,é\n".encode("latin-1"), target="k").column("k")) == ["é"]
    assert list(read("csv", "0.5,'-1'\n0.7,'1'\n", header=False, target="k", quote="'").column("k")) == ["-1", "1"]
    assert list(read("csv", 'a,k\n"x, y",1\n z ,0\n', target="k").column("a")) == ["x, y", "z"]


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress])
def test_csv_packed(pack):
    ending = {gzip.compress: ".gz", bz2.compress: ".bz2", lzma.compress: ".xz"}[pack]
    assert read("csv", pack(b"a,k\n1,x\n"), name=f"f.csv{ending}", target="k").n == 1


def test_csv_zipped(folder):
    with zipfile.ZipFile("f.csv.zip", "w") as archive:
        archive.writestr("../f.csv", "a,k\n1,x\n")
    assert READERS["csv"]([folder / "f.csv.zip"], {"target": "k"}).n == 1
    assert not (folder.parent / "f.csv").exists()


def test_a_file_that_is_cut_off_is_an_error():
    rows = "a,k\n" + "".join(f"{i * 7919 % 104729},x\n" for i in range(3000))
    with pytest.raises(DataError, match="cut off or damaged"):
        read("csv", gzip.compress(rows.encode())[:2000], name="f.csv.gz", target="k")
    with pytest.raises(DataError, match=r"0f.txt:3: 1 values, 2 columns"):
        read("csv", "a,k\n1,x\n2", target="k")
    with pytest.raises(DataError, match=r"0f.txt:3: 3 values, 2 columns"):
        read("csv", "a,k\n1,x\n2,y,z\n", target="k")
    with pytest.raises(DataError, match="the file is empty"):
        read("csv", "", target="k")


def test_a_text_among_many_numbers_is_an_undeclared_missing_marker():
    rows = "a,k\n" + "".join(f"{i}.5,x\n" for i in range(30)) + "unknown,y\n"
    with pytest.raises(DataError, match=r"'unknown' in row 31 .*missing: \['unknown'\]"):
        read("csv", rows, target="k")
    assert read("csv", rows, target="k", nominal=["a"]).categorical[0]
    assert np.isnan(read("csv", rows, target="k", missing=["unknown"]).column("a")[30])


def test_csv_options_that_contradict_each_other():
    with pytest.raises(ValueError, match="without a header"):
        Csv(format="csv", header=True, columns=["a"])
    with pytest.raises(ValueError, match="neither one character"):
        Csv(format="csv", delimiter="tab")


# -- matrices -----


def test_npz_and_its_refusals(folder):
    np.savez("a.npz", X=np.array([[1, 2], [3, 4]], np.int16), y=np.array([0.0, 1.0]))
    table = READERS["npz"]([folder / "a.npz"], {})
    assert table.names == ["x1", "x2", "y"]
    assert table.column("x2").tolist() == [2, 4]
    assert list(table.column("y")) == ["0", "1"]
    with pytest.raises(DataError, match="there is no array 'z'; arrays are X, y"):
        READERS["npz"]([folder / "a.npz"], {"labels": "z"})
    np.savez("b.npz", X=np.array([[{}]], dtype=object), y=np.array([1]))
    with pytest.raises(DataError, match="Python objects, which are not read"):
        READERS["npz"]([folder / "b.npz"], {})
    (folder / "c.npz").write_bytes((folder / "a.npz").read_bytes()[:100])
    with pytest.raises(DataError, match="not a whole npz"):
        READERS["npz"]([folder / "c.npz"], {})
    np.savez("d.npz", X=np.zeros((3, 2)), y=np.zeros(2))
    with pytest.raises(DataError, match="one length"):
        READERS["npz"]([folder / "d.npz"], {})


def test_svmlight():
    table = read("svmlight", "+1 1:0.5 3:2\n-1 2:1\n", n_features=4)
    assert table.names == ["x1", "x2", "x3", "x4", "y"]
    assert table.column("x3").tolist() == [2, 0]
    assert list(table.column("y")) == ["1", "-1"]
    with pytest.raises(DataError, match="not LIBSVM's format"):
        read("svmlight", "<html>no\n")


def test_svmlight_places_files_and_query_ids_are_those_of_scikit_learn():
    from sklearn.datasets import load_svmlight_files

    for texts in (["1 0:2 3:.5\n-1 2:1e3\n"], ["1 qid:3 1:2 # note\n", "\n0.5\n-1 4:nan 5:-inf\n"]):
        X, *_ = load_svmlight_files([io.BytesIO("".join(texts).encode())])
        table = read("svmlight", *texts)
        assert np.array_equal(np.column_stack(table.columns[:-1]), X.toarray(), equal_nan=True)
    with pytest.raises(DataError, match="place 5, but n_features is 4"):
        read("svmlight", "1 5:1\n", n_features=4)


def test_a_csv_of_many_rows_is_read_in_pieces(monkeypatch):
    """Columns that turn out to be texts late, trailing delimiters and marks are the same in pieces of two rows."""
    rows = ["1,7,a,x,", "2,8,b,y", "?,9,a,x", "4,?,3,y", "5.5, z ,4,x"]
    text, options = "a,b,c,k\n" + "\n".join(rows), {"target": "k", "missing": ["?"], "refuse_unmarked": False}
    whole = read("csv", text, **options)
    monkeypatch.setattr(delimited, "_BATCH", 2)
    pieces = read("csv", text, **options)
    assert np.array_equal(pieces.column("a"), [1, 2, np.nan, 4, 5.5], equal_nan=True)
    assert list(pieces.column("b")) == ["7", "8", "9", None, "z"]
    for one, other in zip(whole.columns, pieces.columns, strict=True):
        assert np.array_equal(one, other, equal_nan=one.dtype != object)


def test_matrix_takes_classes_from_the_file_after_each_file_of_numbers(folder):
    files = {"a.data": "1 2 \n3 4\n\n", "a.labels": "1\n-1\n", "b.data": "5 6.5\n", "b.labels": "-1"}
    for name, text in files.items():
        (folder / name).write_text(text)
    table = READERS["matrix"]([folder / name for name in files], {})
    assert [column.tolist() for column in table.columns] == [[1, 3, 5], [2, 4, 6.5], ["1", "-1", "-1"]]
    assert (table.names, table.target) == (["x1", "x2", "y"], "y")


@pytest.mark.parametrize(
    ("numbers", "classes", "message"),
    [
        ("1 2\n3\n", "1\n1\n", "1 values, 2 columns"),
        ("1 2\n3 1_0\n", "1\n1\n", "'1_0' is no number"),
        ("1 2\n", "1\n1\n", "one length"),
        ("\n", "\n", "is empty"),
    ],
)
def test_matrix_errors(folder, numbers, classes, message):
    paths = [folder / "a.data", folder / "a.labels"]
    for path, text in zip(paths, (numbers, classes), strict=True):
        path.write_text(text)
    with pytest.raises(DataError, match=message):
        READERS["matrix"](paths, {})
    with pytest.raises(DataError, match="no file of classes"):
        READERS["matrix"](paths[:1], {})
