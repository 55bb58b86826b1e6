"""Files as people have them: read as they are meant, or refused in one line that says what to do; never in silence."""

from __future__ import annotations

import gzip
import io
import zipfile
from pathlib import Path

import numpy as np
import pytest

from scarce.config.datasets import DatasetSpec
from scarce.data.prepare import Content, build
from scarce.data.readers import READERS
from scarce.errors import DataError

KEEL = "@relation r\n@attribute a real [0,9]\n@attribute b {x,y}\n@attribute k {p,n}\n@data\n1,x,p\n2,y,n\n"
ARFF = "@relation r\n@attribute a numeric\n@attribute b {x,y}\n@attribute k {n,p}\n@data\n1,x,p\n2,y,n\n"
CSV = "a,b,k\n1,x,p\n2,y,n\n"
SVM = "1 1:0.5\n-1 2:1\n"
TEXTS = {"keel": KEEL, "arff": ARFF, "csv": CSV, "svmlight": SVM}


def table(kind: str, content: str | bytes, *, name: str = "f.txt", target="k", positive="p", **more) -> Content:
    """A file as a study reads it: reader, steps, coding."""
    Path(name).write_bytes(content.encode() if isinstance(content, str) else content)
    read = {"format": kind} | more.pop("read", {})
    if kind == "svmlight":
        target, positive = None, "1"
    source = {"kind": "local", "files": [{"path": name}]}
    spec = DatasetSpec.model_validate(
        {"name": "d", "read": read, "sources": [source], "target": target, "positive": positive} | more
    )
    return build(spec, spec.sources[0], [Path(name)])


def refused(kind: str, content: str | bytes, message: str, **more) -> None:
    with pytest.raises(DataError, match=message) as error:
        table(kind, content, **more)
    assert more.get("name", "f.txt") in error.value.where
    assert error.value.message.startswith("d: ")


def same(one: Content, other: Content) -> bool:
    return one.sha256() == other.sha256()


@pytest.mark.parametrize("kind", TEXTS)
@pytest.mark.parametrize(
    "change",
    [
        lambda text: b"\xef\xbb\xbf" + text,
        lambda text: b"\xef\xbb\xbf" * 2 + text,
        lambda text: text.replace(b"\n", b"\r\n"),
        lambda text: text.replace(b"\n", b"\r"),
        lambda text: text + b"\n  \n\n",
        lambda text: text.rstrip(b"\n"),
        lambda text: text + b"\x1a",
        lambda text: text.replace(b"\n", b" \n"),
    ],
    ids=["mark", "two marks", "CRLF", "CR", "blank lines", "no last end", "end of DOS", "blanks"],
)
def test_dresses_of_one_text(kind, change):
    assert same(table(kind, change(TEXTS[kind].encode())), table(kind, TEXTS[kind]))


@pytest.mark.parametrize("kind", ["keel", "arff", "csv"])
@pytest.mark.parametrize("encoding", ["utf-8", "latin-1", "cp1252"])
def test_encodings(kind, encoding):
    level = "caf\u00e9" if encoding == "latin-1" else "\u2018caf\u00e9\u2019"
    prepared = table(kind, TEXTS[kind].replace("x", level).encode(encoding))
    assert level in prepared.categories["b"]


def test_files_in_two_encodings_make_one_table(folder):
    for name, encoding in (("1.csv", "utf-8"), ("2.csv", "latin-1")):
        (folder / name).write_bytes("a,k\n\u00e9,p\n\u00e8,n\n".encode(encoding))
    source = {"kind": "local", "files": [{"path": "1.csv"}, {"path": "2.csv"}]}
    spec = DatasetSpec.model_validate(
        {"name": "d", "read": {"format": "csv"}, "sources": [source], "target": "k", "positive": "p"}
    )
    prepared = build(spec, spec.sources[0], [folder / "1.csv", folder / "2.csv"])
    assert prepared.categories["a"] == ["\u00e8", "\u00e9"]


def zipped(**members: str) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for member, content in members.items():
            archive.writestr(member, content)
    return out.getvalue()


@pytest.mark.parametrize("kind", TEXTS)
def test_packed_as_it_is_packed_in_the_wild(kind):
    text, half = TEXTS[kind], len(TEXTS[kind]) // 2
    packed = gzip.compress(text.encode())
    cases = {
        "f.GZ": packed,
        "1.gz": packed + b"\0" * 100,
        "2.gz": gzip.compress(text[:half].encode()) + gzip.compress(text[half:].encode()),
        "3.Zip": zipped(**{"a.csv": text, "__MACOSX/._a.csv": "junk", "sub/.DS_Store": "junk"}),
    }
    for name, content in cases.items():
        assert same(table(kind, content, name=name), table(kind, text)), name


@pytest.mark.parametrize("kind", TEXTS)
@pytest.mark.parametrize(
    ("content", "name", "message"),
    [
        (b"", "f.txt", "is empty"),
        (b" \n\r\n\t\n", "f.txt", "is empty"),
        (gzip.compress(b""), "f.gz", "is empty"),
        (gzip.compress(b"a"), "f.txt", "a gzip file, no text .*end in .gz"),
        (gzip.compress(b"1,2\n") + b"garbage", "f.gz", "damaged"),
        (zipped(a="1") + b"\0", "f.csv", "a zip file, no text .*Excel"),
        (zipped(a="1", b="2"), "f.zip", "holds 2 files, one is wanted: a, b"),
        (zipped(), "f.zip", "holds 0 files"),
        (b"PAR1\x00\x15", "f.txt", "a Parquet file"),
        ("a,k\n".encode("utf-16"), "f.txt", "save it as UTF-8"),
    ],
    ids=[
        "empty",
        "blank",
        "empty gz",
        "gz as txt",
        "cut gz",
        "zip as csv",
        "zip of two",
        "zip of none",
        "parquet",
        "utf-16",
    ],
)
def test_what_is_no_such_text(kind, content, name, message):
    refused(kind, content, message, name=name)


@pytest.mark.parametrize("kind", [*TEXTS, "npz"])
def test_a_folder_or_nothing_where_a_file_should_be(kind, folder):
    from scarce.data.readers import READERS

    (folder / "f").mkdir()
    with pytest.raises(DataError, match="a folder, a file is wanted"):
        READERS[kind]([folder / "f"], {"target": "k"})
    with pytest.raises(DataError, match="is not there"):
        READERS[kind]([folder / "g"], {"target": "k"})


# -- columns -----


@pytest.mark.parametrize(
    "mark",
    [
        "<null>",
        "#N/A",
        "#DIV/0!",
        "1.#IND",
        "-nan",
        "-nan(ind)",
        "(null)",
        "unknown",
        "Missing",
        "*",
        "--",
        "nil",
        "\u221e",
        "-\u221e",
        "'?'",
    ],
)
def test_a_marker_beside_a_few_numbers_is_not_a_level(mark):
    refused("csv", f"a,k\n1,p\n{mark},n\n2,n\n", "add `missing: ")
    for cell in (mark, f" {mark} ", f'"{mark}"'):
        prepared = table("csv", f"a,k\n1,p\n{cell},n\n2,n\n", read={"missing": [mark]})
        assert np.isnan(prepared.X[1, 0])


@pytest.mark.parametrize("cell", ["-999", "-999 ", " -999 ", '"-999 "', "-999.0 "])
@pytest.mark.parametrize("beside", ["1.5", "9" * 30, "NA "])
def test_a_number_that_is_a_mark_is_missing_however_it_stands(cell, beside):
    prepared = table("csv", f"a,k\n{beside},p\n{cell},n\n2,n\n", read={"missing": ["-999", "NA"]})
    assert np.isnan(prepared.X[1, 0])
    assert np.isnan(prepared.X[:, 0]).sum() == 1 + (beside == "NA ")
    assert not prepared.categorical[0]


def test_names_or_units_in_the_first_row_are_no_level():
    refused("csv", "a,b,k\nkg,x,p\n1,x,p\n2.5,y,n\n", "holds numbers below 'kg' in its first row")
    refused("csv", "a,b,k\n1,x,p\n2,y,n\n", "below 'a' in its first row", read={"header": False})
    refused("csv", "a,b,k\n1,x,p\nkg,x,p\n2.5,y,n\n", r"column 'a' holds numbers, but 'kg' in row 2 \(add `missing")
    assert table("csv", "a,b,k\nkg,x,p\n1,x,p\n2.5,y,n\n", nominal=["a"]).categorical[0]


@pytest.mark.parametrize("written", ["1", "1.0", "1.00", 1])
@pytest.mark.parametrize("in_file", ["1", "1.0", "1.00", "+1", "+1.0"])
def test_a_class_that_is_a_whole_number_may_be_written_as_in_the_file(written, in_file):
    text = f"a,k\n1,{in_file}\n2,0\n"
    assert table("csv", text, positive=written).y.tolist() == [1, 0]
    expected = {"n": 2, "d": 1, "classes": [written, "0.0"]}
    assert table("csv", text, positive=written, expected=expected).y.tolist() == [1, 0]


@pytest.mark.parametrize(
    "number",
    [
        "1,5",
        "1.000,5",
        "1 000",
        "1'000",
        "1_000",
        "$5",
        "5 \u20ac",
        "5%",
        "0x1F",
        "1d5",
        "\u22125",
        "\uff11",
        "\u0663",
        "'5'",
    ],
)
def test_one_number_in_another_notation_among_plain_ones(number):
    refused("csv", f'a,k\n1,p\n"{number}",n\n2,n\n', "holds numbers such as")
    assert table("csv", f'a,k\n1,p\n"{number}",n\n2,n\n', nominal=["a"]).categorical[0]


@pytest.mark.parametrize("kind", ["keel", "arff", "csv"])
@pytest.mark.parametrize("value", ["inf", "-Infinity", "1e400", "-1e999", "9" * 400])
def test_infinite_values_name_the_row_and_a_step_that_helps(kind, value):
    text = TEXTS[kind].replace("\n2,", f"\n{value},")
    refused(kind, text, r"column 'a' has infinite values: 1, the first in row 2 \({step: set_missing, column: a, ")
    prepared = table(kind, text, steps=[{"step": "set_missing", "column": "a", "values": [np.inf, -np.inf]}])
    assert np.isnan(prepared.X[1, 0])


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("csv", "a,name,k\n" + "".join(f"{i},id{i},{'pn'[i % 2]}\n" for i in range(30))),
        ("csv", "a,name,k\n" + "".join(f"{i},2020-01-{i + 1:02},{'pn'[i % 2]}\n" for i in range(30))),
        ("arff", "@attribute a real\n@attribute name string\n@attribute k {p,n}\n@data\n"
         + "".join(f"{i},'id {i}',{'pn'[i % 2]}\n" for i in range(30))),
        ("arff", "@attribute a real\n@attribute name date 'yyyy-MM-dd'\n@attribute k {p,n}\n@data\n"
         + "".join(f"{i},'2020-01-{i + 1:02}',{'pn'[i % 2]}\n" for i in range(30))),
    ],
)  # fmt: skip
def test_identifiers_and_dates_are_no_features_unless_one_says_so(kind, text):
    refused(kind, text, "column 'name' has another text in each row")
    assert table(kind, text, steps=[{"step": "drop_columns", "columns": ["name"]}]).names == ["a"]
    assert len(table(kind, text, nominal=["name"]).categories["name"]) == 30


def test_an_identifier_that_two_rows_share_or_one_lacks_is_one():
    for other in ("frog8", ""):
        rows = [f"frog{i},{'p' if i % 3 else 'n'}" for i in range(30)]
        text = "\n".join(["a,k", *rows]).replace("frog7,", f"{other},") + "\n"
        refused("csv", text, "another text in (nearly )?each row, such as 'frog0'")
        assert table("csv", text, nominal=["a"]).names == ["a"]
    half = "".join(f"frog{i // 2},{'p' if i % 3 else 'n'}\n" for i in range(60))
    assert table("csv", "a,k\n" + half).names == ["a"]


def test_a_column_that_a_step_drops_may_hold_anything():
    drop = [{"step": "drop_columns", "columns": ["junk"]}]
    for junk in ("1,5", "?", "5%"):
        assert table("csv", f'a,junk,k\n1,2,p\n3,"{junk}",n\n', steps=drop).names == ["a"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a;b;k\n1;x;p\n", r"all names are one: .*add `delimiter: ';'`"),
        ("a\tk\n1\tp\n", r"add `delimiter: '\\t'`"),
        ("a,k\n1,0.5,p\n2,0.7,n\n", r"3 values, 2 columns \(does a column of row names"),
        (",a,k\n0,1,p\n1,2,n\n", "column 1 has no name"),
        ("a,k\n1,p\na,k\n2,n\n", "names of the columns stand here again"),
        ('a,k\n"a\\"b",p\n2,n\n', "cannot be read"),
        ('a,k\n1,p\n"2,n\n', "cannot be read"),
        ("a,a,k\n1,2,p\n", "'a' stands twice"),
        ("a,k\n", "there is no row"),
        ("k\np\nn\n", "no column beside the class column"),
        ("# of 2020\na,k\n1,p\n2,n\n", r"2 values, 1 columns .*add `comment: '#'`"),
        ("a,k\n1,p\n% and\n2,n\n", r"1 values, 2 columns .*add `comment: '%'`"),
        ("a,k\n1,p\n#3,n\n2,n\n", "numbers such as '#3'"),
    ],
)
def test_csv_shapes(text, message):
    refused("csv", text, message)


@pytest.mark.parametrize("end", ["\n", "\r", "\r\n"])
def test_comments_and_the_line_that_tells_excel_the_delimiter_are_no_rows(end):
    plain = table("csv", "a;k\n1;p\n2;n\n", read={"delimiter": ";"})
    text = "sep=;\n# of 2020\na;k\n1;p\n  # 3;n\n2;n\n#".replace("\n", end)
    assert same(table("csv", text, read={"delimiter": ";", "comment": "#"}), plain)
    refused("csv", text + end + "x;p", "'x'", read={"delimiter": ";", "comment": "#"}, numeric=["a"])


@pytest.mark.parametrize("row", ['p "u v" 2', "p\t'u' \t 2  ", '"p"   x"y 2'])
def test_quotes_between_blanks_are_quotes(row):
    content = table("csv", f"k a b\n{row}\nn w 3\n", read={"delimiter": "whitespace"})
    assert content.names == ["a", "b"]
    assert content.X[:, 1].tolist() == [2, 3]


@pytest.mark.parametrize("row", ['p "u v"', 'p "u 2', "p u\u00a0v", 'p "u"2 3'])
def test_a_short_row_between_blanks_is_not_filled_up(row):
    refused("csv", f"k a b\n{row}\nn w 3\n", "2 values, 3 columns|cannot be read", read={"delimiter": "whitespace"})


@pytest.mark.parametrize(("kind", "text"), [("arff", ARFF), ("keel", KEEL), ("csv", CSV), ("svmlight", SVM)])
def test_a_training_and_a_test_file_make_one_table(kind, text):
    Path("train.txt").write_text(text)
    Path("test.txt").write_text(text)
    files = [{"path": "train.txt"}, {"path": "test.txt"}]
    fields = {"name": "d", "read": {"format": kind}, "sources": [{"kind": "local", "files": files}]}
    fields |= {"target": None, "positive": "1"} if kind == "svmlight" else {"target": "k", "positive": "p"}
    spec = DatasetSpec.model_validate(fields)
    both, one = (
        build(spec, spec.sources[0], [Path("train.txt"), Path("test.txt")]),
        build(spec, spec.sources[0], [Path("train.txt")]),
    )
    assert both.names == one.names
    assert both.X.tolist() == [*one.X.tolist()] * 2
    assert both.y.tolist() == [*one.y.tolist()] * 2


@pytest.mark.parametrize(
    ("old", "new"), [(" a ", " c "), ("a numeric", "a {1,2}"), ("@attribute b {x,y}\n", "@attribute b numeric\n")]
)
def test_files_of_other_columns_are_not_one_table(old, new):
    Path("train.arff").write_text(ARFF)
    Path("test.arff").write_text(ARFF.replace(old, new, 1).replace("x,p", "1,p").replace("y,n", "2,n"))
    with pytest.raises(DataError, match=r"its columns differ from those of train.arff|not among the declared") as error:
        READERS["arff"]([Path("train.arff"), Path("test.arff")], {})
    assert "test.arff" in error.value.where


# -- classes -----


@pytest.mark.parametrize(
    ("other", "positive"),
    [("Yes", "yes"), ("YES ", "yes"), ("01", "1"), ("1e0", "1"), ("1.00", "1.0"), ("cafe\u0301", "caf\u00e9"),
     ("a  b", "a b"), (">50K.", ">50K"), ("'yes'", "yes"), ("y\u200bes", "yes"), ("yes\ufeff", "yes")],
)  # fmt: skip
def test_a_class_spelt_in_two_ways_is_not_half_negative(other, positive):
    text = f"a,k\n1,{positive}\n2,{other}\n3,no\n"
    if other == "1.00":  # whole numbers are one class however they are written
        assert table("csv", text, positive="1").y.tolist() == [1, 1, 0]
        return
    if other == "YES ":
        other = "YES"
    refused("csv", text, "differ in spelling alone", positive=positive)
    assert table("csv", text, positive=[positive, other]).y.tolist() == [1, 1, 0]


@pytest.mark.parametrize("name", ["NA", "None", "null", "nan", "NaN", "true", "True", "1", "?", "-", "inf"])
def test_a_positive_class_of_any_name(name):
    for positive, read in ((name, {}), ([name], {"missing": [name]})):
        prepared = table("csv", f"a,k\n1,{name}\n2,n\n3,n\n", positive=positive, read=read)
        assert prepared.y.tolist() == [1, 0, 0]


@pytest.mark.parametrize(
    ("kind", "text", "read"),
    [
        ("csv", "a,k\n1,\n2,n\n3,p\n", {}),
        ("csv", "a,k\n1,?\n2,n\n3,p\n", {"missing": ["?"]}),
        ("csv", "a,k\n1, NA \n2,n\n3,p\n", {"missing": ["NA"]}),
        ("keel", KEEL.replace("1,x,p", "1,x,?\n3,x,p"), {}),
        ("keel", KEEL.replace("1,x,p", "1,x,<null>\n3,x,p"), {}),
        ("arff", ARFF.replace("1,x,p", "1,x,?\n3,x,p"), {}),
    ],
)
def test_a_missing_class_is_none_and_its_row_can_be_left_out(kind, text, read):
    refused(kind, text, "row 1 has no class in column 'k' .*drop_rows", read=read)
    step = {"step": "drop_rows", "column": "k", "values": [""]}
    assert sorted(table(kind, text, read=read, steps=[step]).y) == [0, 1]


def test_bytes_that_are_no_utf_8_stay_different_classes(folder):
    np.savez("f.npz", X=np.zeros((3, 1)), y=np.array([b"\xe9", b"\xe8", b"n"]))
    prepared = table("npz", (folder / "f.npz").read_bytes(), name="f.npz", target=None, positive="\u00e9")
    assert prepared.y.tolist() == [1, 0, 0]


# -- KEEL and ARFF -----


def test_keel_leaves_out_what_is_neither_input_nor_the_class():
    header = "@attribute a real\n@attribute id real\n@attribute m {u,v}\n@attribute k {p,n}\n"
    rows = "@data\n1,7,u,p\n2,8,v,n\n"
    assert table("keel", f"{header}@inputs a\n@outputs k\n{rows}").names == ["a"]
    assert table("keel", f"@inputs a, m\n{header}@output k\n{rows}").names == ["a", "m"]
    assert table("keel", f"{header}@outputs m, k\n{rows}").names == ["a", "id"]
    assert table("keel", f"{header}@inputs a, k\n@outputs m\n{rows}", target="k").names == ["a"]
    refused("keel", f"{header}@inputs a\n@outputs Class\n{rows}", "'Class' is listed here and is no attribute")


def test_keel_quotes_comments_and_types():
    text = "@attribute a numeric\n@attribute b {'x, 1',%y}\n@attribute k {p,n}\n@data\n"
    assert table("keel", text + "% note\n1,'x, 1',p\n# note\n2,%y,n\n").categories == {"b": ["%y", "x, 1"]}
    first = "@attribute b {%x,y}\n@attribute k {p,n}\n@data\n%x,p\ny,n\n% x,p\n"
    assert len(table("keel", first).y) == 2  # a declared value is none of the comments


@pytest.mark.parametrize(
    ("level", "value"),
    [(r"'it\'s'", "it's"), ("'it''s'", "it's"), ('"a ""b"""', 'a "b"'), (r"'a\tb'", "a\tb"), ("'50%'", "50%"),
     ("'x}'", "x}")],
)  # fmt: skip
def test_arff_quotes_and_escapes(level, value):
    assert value in table("arff", ARFF.replace("x", level)).categories["b"]
    sparse = ARFF.replace("{x,y}", f"{{{level},y}}").replace("1,x,p\n2,y,n\n", f"{{1 {level},2 p}}\n{{0 2,1 y}}\n")
    assert value in table("arff", sparse).categories["b"]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("1,x,p", "1,'x'y,p", "stands behind the end of a quoted value"),
        ("1,x,p", "1,x,p,{2.0}", "a row has a weight"),
        ("1,x,p", "{0 1,2 p},{2}", "a row has a weight"),
        ("a numeric\n@attribute b {x,y}", "a numeric\n@attribute b {x,\n y}", "not closed on its line"),
        ("a numeric", "a relational", "type 'relational'"),
        ("1,x,p", ",x,p", r"'' in numeric column 'a' is no number \(a missing cell is \?"),
        ("1,x,p", "1,X,p", "not among the declared values"),
        ("b {x,y}", "a numeric", "'a' stands twice"),
    ],
)
def test_arff_lines(old, new, message):
    refused("arff", ARFF.replace(old, new), message)


@pytest.mark.parametrize("separator", ["\t", " ", "  \t "])
def test_arff_rows_with_blanks_between_values(separator):
    text = ARFF.replace("x", "'x z'")
    blanks = "".join(line.replace(",", separator) + "\n" for line in ("1,'x z',p", "?,y,n"))
    assert same(table("arff", text.partition("1,")[0] + blanks), table("arff", text.replace("2,y", "?,y")))
    assert same(table("arff", ARFF.replace("1,x,p", f"1{separator}x{separator}p")), table("arff", ARFF)), (
        "without quotes"
    )


def test_arff_comment_behind_a_list_of_values():
    assert same(table("arff", ARFF.replace("{x,y}", "{x,y}  % two")), table("arff", ARFF))


def test_arff_text_left_out_of_a_sparse_row_is_no_zero():
    header = "@attribute a string\n@attribute k {n,p}\n@data\n"
    assert table("arff", header + "{0 u}\n{0 v, 1 p}\n").categories["a"] == ["u", "v"]
    refused("arff", header + "{0 u}\n{1 p}\n", "text 'a' is left out")


@pytest.mark.parametrize("line", ["1 1:1_000", "pos 1:1", "1:1 2:2", "1 1:0,5", "1 1 :0.5", "1 1:0x1"])
def test_svmlight_names_the_line(line):
    _refused_in_line_3(line)


@pytest.mark.parametrize("line", ["1 2:1 1:1", "1 1:1 1:2", "1 qid:3 2:0 2:1"])
def test_svmlight_names_the_line_whose_places_do_not_ascend(line):
    _refused_in_line_3(line, "places ascend")


def _refused_in_line_3(line, message="<class>"):
    with pytest.raises(DataError, match=f"not LIBSVM's format.* {message}") as error:
        table("svmlight", f"1 1:1 # a_b\n\n{line}\n")
    assert error.value.where == "f.txt:3"


@pytest.mark.parametrize(
    ("kind", "text", "message"),
    [
        ("svmlight", "1" * 200_000 + "_\n", "not LIBSVM's format"),
        ("svmlight", "1" + " 1:1" * 20_000 + " x\n", "not LIBSVM's format"),
        ("arff", "@attribute a {" + "}  %" * 50_000 + "'\n", "is not closed|no @data"),
        ("arff", "@attribute a {" + "'x'," * 50_000 + "\n", "is not closed"),
        ("keel", "@attribute a {" + "}" * 200_000 + "x\n", "no @data"),
    ],
)
def test_long_lines_end_in_a_word_not_in_hours(kind, text, message):
    refused(kind, text, message)


def test_a_text_in_a_step_for_a_numeric_column_is_an_error():
    with pytest.raises(DataError, match=r"step 1, drop_rows: the column is numeric, .*'unknown'"):
        table("csv", CSV, steps=[{"step": "drop_rows", "column": "a", "values": [1, "unknown"]}])
