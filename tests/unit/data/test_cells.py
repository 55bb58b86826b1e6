"""What texts say: numbers in other notations, marks of missing cells, classes that mean that there is no label."""

from __future__ import annotations

import json
import re
import subprocess
import sys

import numpy as np
import pytest

from scarce.config.datasets import DatasetSpec
from scarce.data.availability import about_classes, classes_in_words, own_problems
from scarce.data.cells import as_number, is_mark, is_plain, numbers_as_levels, without_label
from scarce.data.prepare import Content, build
from scarce.data.sources import fetch_dataset
from scarce.errors import DataError
from scarce.stages.prepare import prepare


def table(folder, content, kind="csv", name="f.txt", read=None, **more) -> Content:
    """A file as a study reads it."""
    if callable(content):
        content(folder / name)
    else:
        (folder / name).write_text(content, encoding="utf-8")
    fields = {"name": "d", "read": {"format": kind} | (read or {}), "target": "k", "positive": "p"} | more
    fields["sources"] = [{"kind": "local", "files": [{"path": name}]}]
    spec = DatasetSpec.model_validate(fields)
    return build(spec, spec.sources[0], [folder / name])


def column(folder, cells, **more) -> Content:
    """A CSV of one feature with these cells, twice, and classes p and n."""
    rows = "".join(f'"{cell}";{"pn"[i % 2]}\n' for i, cell in enumerate([*cells, *cells]))
    return table(folder, f"a;k\n{rows}", read={"delimiter": ";"} | more.pop("read", {}), **more)


# -- numbers -----

NUMBERS = [
    "1,5", "1.000,5", "1 000", "1'000", "1\u2019000", "1_000", "1.234.567", "1,23,456", "12,34,567.89",
    "1.234,50 \u20ac", "$5", "-$5", "5 \u20ac", "\u20ac 5", "EUR 5", "US$ 5", "R$ 5", "Rs. 500", "CHF 5.-",
    "500 \u20ac", "\u00a31m", "5%", "2,5 %", "5\u2030", "(500)", "($1,234.50)", "500-", "\u22125", "- 5", "+5,0",
    "<0.1", ">5", "\u2265 5", "~5", "ca. 5", "5\u00b10.2", "5 +/- 0.2", "1/2", "1 1/2", "\u00bd", "1\u00bd", "12:30",
    "1:02:03.5", "1:30 pm", "2h 30min", "5 feet 3 inches", "20k", "1.5M", "3 Mio.", "5 kg", "5kg", "5 KG",
    "5 m\u00b2", "5 mg/dl", "10 km/h", "15 \u00b0C", "15\u00b0", "7 years", "1 day", "0x1F", "1d5", "1,5E+03",
    "1.2\u00d710^3", "5*", "[5]", "'5", "#3", "\uff11", "\u0663", "5\u202f000,00 kr",
]  # fmt: skip
NO_NUMBERS = [
    "1-2", "10-14", "1.2.3", "192.168.0.1", "2020-01-01", "1/2/2020", "3/4/5", "2 to 4", "16 to 17", "over 65", "T1",
    "A1", "new", "x", "e5", "", "kg", "$", "1,2,3", "0<=X<200", "1..2", "3 a 2 b",
]  # fmt: skip


@pytest.mark.parametrize("text", NUMBERS)
def test_a_number_in_another_notation_is_no_level(folder, text):
    assert not is_plain(text)
    assert as_number(text).sure
    with pytest.raises(DataError, match=r"column 'a' holds numbers such as .* \(write them as plain decimals") as error:
        column(folder, [text, "4", "5", "6"])
    assert repr(text) in str(error.value)
    with pytest.raises(DataError, match=r"holds numbers such as .*, and '#NV' in row 4 .*add `missing: \['#NV'\]`"):
        column(folder, [text, "4", "5", "#NV"])
    assert column(folder, [text, "4", "5"], nominal=["a"]).categorical[0]


@pytest.mark.parametrize("text", NO_NUMBERS)
def test_a_level_with_digits_is_no_number(text):
    assert as_number(text) is None


@pytest.mark.parametrize(
    "levels",
    [
        ["1", "low", "high"],
        ["2 to 4", "5 to 9", "10 to 20"],
        ["10-14", "15-19", "20-24", "25-29"],
        ["<30", ">30"],
        ["<30", ">30", "NO"],
        ["<0", "0<=X<200", ">=200", "no checking"],
        ["2 years", "3 years", "new", "more than 7"],
        ["none", "1", "2 to 4", "more than 4"],
        ["1 vehicle", "2 vehicles", "3 to 4", "5 to 8", "more than 8"],
        ["2WD", "4WD"],
        ["2D", "3D"],
        ["1a", "1b", "2a", "2b"],
        ["T1", "T2", "T3"],
        ["A1", "A2", "B1"],
        ["A", "2", "3", "4", "5", "J", "Q", "K"],
        ["red", "blue", "NA"],
        ["yes", "no", "?"],
        ["2020-01", "2020-02", "2020-03"],
        ["1.2.3", "1.2.4", "2.0.0"],
        ["+", "-"],
        ["1", "x"],
    ],
)
def test_true_levels_stay(folder, levels):
    content = column(folder, levels)
    assert content.categories["a"] == sorted(levels)
    assert content.warnings == []


MARKS = [
    "ND", "n.d.", "N.A", "N/A", "---", "\u2013", "no data", "No_Data", "#NV", "#N/A", "#VALUE", "#VALUE!", "#WERT!",
    "#DIV/0!", "k.A.", "k. A.", "s/d", "N/D", "not available", "Not Applicable", "<NA>", "(null)", "[none]", "?",
    "??", "...", "***", "unbekannt", "keine Angabe", "sin datos", "inconnu", "\u672a\u77e5",
    "\u043d\u0435\u0442 \u0434\u0430\u043d\u043d\u044b\u0445", "tbd", "error", "\u2014", "\uff1f", "\u200bNA",
]  # fmt: skip


@pytest.mark.parametrize("mark", [*MARKS, "kaputt", "n.b.", "5more", "above", "\u00e9", "zzz"])
def test_one_text_beside_nothing_but_numbers_is_a_mark(folder, mark):
    with pytest.raises(DataError, match=r"column 'a' holds numbers, but .* in row 2 \(add `missing:") as error:
        column(folder, ["1", mark, "2"])
    assert repr(mark) in str(error.value)
    content = column(folder, ["1", mark, "2"], read={"missing": [mark]})
    assert np.isnan(content.X[1, 0])
    assert column(folder, ["1", mark, "2"], nominal=["a"]).categorical[0]


@pytest.mark.parametrize("mark", MARKS)
def test_marks_are_known(mark):
    assert is_mark(mark)


def test_several_marks_and_columns_stand_in_one_message(folder):
    text = "a,b,c,d,k\n1,5,0.5,x,p\nND,---,<0.1,y,n\nN.A,6,0.7,x,p\n2,7,0.9,y,n\n"
    with pytest.raises(DataError) as error:
        table(folder, text)
    for part in ("'a' holds numbers, but 'ND' in row 2", "'b' holds numbers, but '---' in row 2", "'<0.1' in row 2"):
        assert part in error.value.message
    assert "missing: ['ND', 'N.A', '---']" in error.value.hint
    assert "'d'" not in str(error.value)


def test_what_may_be_meant_is_a_warning(folder):
    units = column(folder, ["1 foo", "2 foo", "3 foo", "4 foo"])
    assert units.categories["a"] == ["1 foo", "2 foo", "3 foo", "4 foo"]
    assert units.warnings == [
        "column 'a' is nominal and holds numbers such as '1 foo' "
        "(write them as plain decimals, or list the column under `nominal:`)"
    ]
    header = "@relation r\n@attribute a {'0,5','1,0','1,5'}\n@attribute b {1,2,5more}\n@attribute k {p,n}\n@data\n"
    declared = table(folder, header + "'0,5',1,p\n'1,0',2,n\n'1,5',5more,n\n", "arff")
    assert declared.categorical.tolist() == [True, True]
    assert [text.split(" is ")[0] for text in declared.warnings] == ["column 'a'"]
    assert table(folder, header + "'0,5',1,p\n'1,0',2,n\n", "arff", nominal=["a"]).warnings == []


def test_the_time_grows_with_the_number_of_texts():
    import time

    def seconds(n: int) -> float:
        start = time.process_time()
        numbers_as_levels({f"name{i}": 1 for i in range(n)})
        return time.process_time() - start

    seconds(100)
    assert seconds(20_000) < 40 * max(seconds(2_000), 0.005)


@pytest.mark.parametrize("kind", ["csv", "arff", "keel"])
def test_a_whole_number_is_one_level_however_it_is_written(folder, kind):
    rows = "1,p\n1.0,n\n2,n\n1.00,n\n+2,n\n1.5,n\n1.50,n\n007,n\n-0,n\n0,n\n"
    heads = {
        "csv": "a,k\n",
        "arff": "@relation r\n@attribute a string\n@attribute k {p,n}\n@data\n",
        "keel": "@relation r\n@attribute a {1,1.0,2,1.00,+2,1.5,1.50,007,-0,0}\n@attribute k {p,n}\n@data\n",
    }
    content = table(folder, heads[kind] + rows, kind, nominal=["a"])
    assert content.categories["a"] == ["0", "007", "1", "1.5", "1.50", "2"]
    assert content.X[:, 0].tolist() == [2, 2, 5, 2, 5, 3, 4, 1, 0, 0]


def test_one_level_also_where_steps_count_levels(folder):
    text = "a,b,k\n1,0,p\n1.0,0,n\n2,0,n\n2,0,n\n1,1,n\n,2,n\n"
    content = table(folder, text, nominal=["a"], steps=[{"step": "impute"}])
    assert content.categories["a"] == ["1", "2"]
    assert content.X[:, 0].tolist() == [0, 0, 1, 1, 0, 0]


# -- classes -----


@pytest.mark.parametrize(
    ("classes", "positive", "doubtful"),
    [
        ("leak tight ? NA unknown", "leak", "? NA unknown"),
        ("leak tight \\N to-be-determined", "leak", "\\N to-be-determined"),
        ("leak tight -", "leak", "-"),
        ("leak -", "leak", "-"),
        ("leak tight \u2013", "leak", "\u2013"),
        ("leak tight nan n/a N.A. #N/A #VALUE! <NA> NULL", "leak", "nan n/a N.A. #N/A #VALUE! <NA> NULL"),
        ("leak tight None", "leak", "None"),
        ("leak unlabeled", "leak", "unlabeled"),
        ("leak tight Not_Available k.A. n.d.", "leak", "Not_Available k.A. n.d."),
        ("1 0 -1", "1", "0 -1"),
        ("1 0 -1 2", "1", "-1"),
        ("1 2 -1", "1", "-1"),
        ("1 0 9", "1", "9"),
        ("1 2 9", "2", "9"),
        ("1 2 7 8 9", "1", "7 8 9"),
        ("0 1 99", "1", "99"),
        ("0 1 999", "1", "999"),
        ("0 1 -9 -8", "1", "-9 -8"),
        ("1 -999", "1", "-999"),
        ("1 0 nan", "1", "nan"),
        ("1 0 x", "1", "x"),
        ("leak tight -1", "leak", "-1"),
        ("leak tight 9", "leak", "9"),
        ("+ - ?", "+", "?"),
        # classes that are what they seem to be
        ("K NA None", "NA", ""),
        ("crack none", "crack", ""),
        ("occupied empty", "occupied", ""),
        ("D ND", "D", ""),
        ("+ -", "+", ""),
        ("++ + - --", "++", ""),
        ("< = >", "<", ""),
        ("-1 1", "1", ""),
        ("-1 1", "-1", ""),
        ("-2 -1 0 1 2", "2", ""),
        ("0 1 2", "1", ""),
        ("1 2 3 4 5 7", "4", ""),
        ("0 1 2 3 4 5 6 7 8 9", "1", ""),
        ("1 7 9", "1", ""),
        ("4 9", "4", ""),
        ("1 2 4 5 8 9", "4", ""),
        ("1 2 3 no", "1", "no"),
        ("1 2 no", ["1", "2"], ""),
        (" ".join(map(str, range(100))), "1", ""),
        ("A B 0", "A", ""),
        ("yes no", "yes", ""),
        (">50K <=50K", ">50K", ""),
    ],
)
def test_which_classes_seem_to_mean_no_label(classes, positive, doubtful):
    positive = positive if isinstance(positive, list) else [positive]
    assert without_label(classes.split(), positive) == doubtful.split()


def classes_file(folder, kind: str, classes: list[str]):
    """A file of a kind with these classes in order, and the fields that describe it."""
    features = [float(i) for i in range(len(classes))]
    rows = "".join(f"{x},{name}\n" for x, name in zip(features, classes, strict=True))
    listed = ",".join(dict.fromkeys(f"'{name}'" for name in classes))
    if kind == "npz":
        X = np.array(features)[:, None]
        return lambda path: np.savez(path, X=X, y=np.array(classes)), {"name": "f.npz", "target": None}
    if kind == "numbers":
        X = np.array(features)[:, None]
        return lambda path: np.savez(path, X=X, y=np.array(classes, float)), {
            "name": "f.npz",
            "target": None,
            "kind": "npz",
        }
    head = {
        "csv": "a,k\n",
        "arff": f"@relation r\n@attribute a real\n@attribute k {{{listed}}}\n@data\n",
        "text": "@relation r\n@attribute a real\n@attribute k string\n@data\n",
        "keel": f"@relation r\n@attribute a real [0,99]\n@attribute k {{{listed}}}\n@inputs a\n@outputs k\n@data\n",
        "svmlight": "",
    }[kind]
    if kind == "svmlight":
        rows = "".join(f"{name} 1:{x}\n" for x, name in zip(features, classes, strict=True))
    if kind != "csv":
        rows = rows.replace(",?\n", ",'?'\n")  # a class of that name, no missing one
    return head + rows, {"kind": {"text": "arff"}.get(kind, kind)} | ({"target": None} if kind == "svmlight" else {})


@pytest.mark.parametrize("kind", ["csv", "arff", "text", "keel", "npz"])
@pytest.mark.parametrize("mark", ["?", "NA", "unknown", "-1"])
def test_a_class_that_means_no_label_is_no_negative(folder, kind, mark):
    classes = ["leak", "tight", mark, "tight", mark, "leak", "tight"]
    content, fields = classes_file(folder, kind, classes)
    fields["kind"] = fields.get("kind", kind)
    with pytest.raises(DataError) as error:
        table(folder, content, positive="leak", **fields)
    assert f"2 rows of '{mark}' (2)" in error.value.message
    assert "`negative:`" in error.value.hint
    target = fields.get("target", "k") or "y"
    assert f"{{step: drop_rows, column: {target}, values: {json.dumps([mark])}}}" in error.value.hint
    with pytest.raises(
        DataError, match=rf"2 rows of '{re.escape(mark)}' .*neither under `positive:` nor under `negative:`"
    ):
        table(folder, content, positive="leak", negative="tight", **fields)
    stated = table(folder, content, positive="leak", negative=["tight", mark], **fields)
    assert (len(stated.y), stated.y.sum()) == (7, 2)
    assert stated.classes == {"positive": {"leak": 2}, "negative": {"tight": 3, mark: 2}}
    dropped = [{"step": "drop_rows", "column": target, "values": [mark]}]
    left = table(folder, content, positive="leak", steps=dropped, **fields)
    assert (len(left.y), left.y.sum()) == (5, 2)


@pytest.mark.parametrize("kind", ["csv", "keel", "numbers", "svmlight"])
@pytest.mark.parametrize("mark", ["-1", "9", "99"])
def test_a_number_that_means_no_label_is_no_negative(folder, kind, mark):
    content, fields = classes_file(folder, kind, ["1", "0", mark, "0", "0", mark, "1"])
    fields["kind"] = fields.get("kind", kind)
    with pytest.raises(DataError) as error:
        table(folder, content, positive=1, **fields)
    assert f"'{mark}' (2)" in error.value.message
    stated = table(folder, content, positive=1, negative=[0, int(mark)], **fields)
    assert (len(stated.y), stated.y.sum()) == (7, 2)


def test_rows_without_a_class_are_counted(folder):
    with pytest.raises(DataError, match=r"row 2 has no class in column 'k', nor have 2 more rows .*drop_rows"):
        table(folder, "a,k\n1,p\n2,\n3,n\n4,\n5,\n")


def test_a_negative_class_must_be_there_and_on_one_side(folder):
    with pytest.raises(DataError, match=r"has no class 'm'; .*correct `negative:`"):
        table(folder, "a,k\n1,p\n2,n\n", negative="m")
    with pytest.raises(ValueError, match="class 'p' is listed as positive and as negative"):
        table(folder, "a,k\n1,p\n2,n\n", negative=["n", "p"])


@pytest.mark.parametrize(
    ("rows", "warned"),
    [
        ([f"{100 + 1.5 * i}" for i in range(60)], "60 classes in 60 rows, such as 101.5"),
        ([f"{i}" for i in range(60)], "60 classes in 60 rows"),
        ([f"id{i}" for i in range(60)], "60 classes in 60 rows"),
        ([f"{i % 30}.5" for i in range(600)], "30 classes in 600 rows, such as 0.5"),
        ([f"c{i % 24}" for i in range(226)], ""),
        ([f"{i % 100}" for i in range(600)], ""),
        (["a", "b", "c"], ""),
    ],
)
def test_a_class_column_with_very_many_values_is_doubted(folder, rows, warned):
    content = table(folder, "a,k\n" + "".join(f"{i % 7},{row}\n" for i, row in enumerate(rows)), positive=rows[0])
    assert [text for text in content.warnings if "class column" in text] == content.warnings
    assert [warned in text and "is this the class column?" in text for text in content.warnings] == [True] * bool(
        warned
    )


def test_thousands_of_classes_are_refused(folder):
    rows = "".join(f"{i},{i / 7}\n" for i in range(1200))
    with pytest.raises(DataError, match=r"1200 classes in 1200 rows, .*is this the class column"):
        table(folder, "a,k\n" + rows, positive="0")


def own(folder, monkeypatch, text: str, **more) -> DatasetSpec:
    monkeypatch.chdir(folder)
    (folder / "own.csv").write_text(text)
    sources = [{"kind": "local", "files": [{"path": "own.csv"}]}]
    fields = {"name": "d", "read": {"format": "csv"}, "sources": sources, "target": "k", "positive": "p"}
    return DatasetSpec.model_validate(fields | more)


def test_classes_are_shown_before_and_after_a_table_is_prepared(folder, monkeypatch):
    spec = own(folder, monkeypatch, "a,k\n1,p\n2,n\n3,m\n4,n\n")
    words = "positive: p (1); negative: n (2), m (1)"
    assert about_classes(spec) == [words]
    fetch_dataset(spec)
    (project := type("Project", (), {})()).dataset = lambda name: spec
    assert prepare(project, "d", allow_unusable=False) == [f"d: {words}"]
    (folder / "own.csv").unlink()
    assert about_classes(spec) == [words], "of the prepared table"
    assert classes_in_words({"classes": {"positive": {"p": 1}, "negative": {f"c{i}": 9 - i for i in range(9)}}}) == (
        "positive: p (1); negative: c0 (9), c1 (8), c2 (7), c3 (6), c4 (5), c5 (4) and 3 more classes"
    )


def test_a_check_says_what_is_doubtful_of_an_own_file(folder, monkeypatch):
    spec = own(folder, monkeypatch, "a,k\n1,p\n2,n\n3,?\n4,?\n")
    ((place, message, hint),) = own_problems(spec)
    assert place == ("positive",)
    assert "2 rows of '?' (2)" in message
    assert 'values: ["?"]}' in hint
    (warning,) = about_classes(spec)
    assert warning.startswith("warning: own.csv: d: column 'k' has 2 rows of '?' (2)")
    drop = [{"step": "drop_rows", "column": "k", "values": ["?"]}]
    for fine in ({"negative": ["n", "?"]}, {"steps": drop}, {"positive": ["p", "?"]}):
        assert own_problems(own(folder, monkeypatch, "a,k\n1,p\n2,n\n3,?\n4,?\n", **fine)) == []
    ((place, message, _),) = own_problems(own(folder, monkeypatch, "a,k\n1,p\n2,n\n", negative=["n", "m"]))
    assert (place, message) == (("negative",), "no row of own.csv has k 'm'")
    prices = own(folder, monkeypatch, "a,k\n" + "".join(f"{i},{i}.5\n" for i in range(60)), positive="0.5")
    assert "60 classes in 60 rows" in about_classes(prices)[1]


def test_the_module_needs_no_numpy():
    code = "import sys, scarce.data.cells; sys.exit('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0
