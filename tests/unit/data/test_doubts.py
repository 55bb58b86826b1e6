"""Columns that a file declares to be no features, cells outside declared ranges, columns that number rows or tell the
class, and copies of a table.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from scarce import files, paths
from scarce.data import doubts
from scarce.data.availability import repeated, same_table
from scarce.data.prepare import build, prepare_dataset
from scarce.data.sources import fetch_dataset
from scarce.errors import DataError
from tests.unit.data.test_odd_files import table
from tests.unit.data.toy import described


def about(text: str, names: list[str]) -> None:
    """Each of the names stands in the text."""
    assert all(name in text for name in names), text


# -- what a KEEL file lists -----

PRESS = "@attribute Force real\n@attribute Speed integer\n@attribute Crack {yes,no}\n@attribute Grade {A,B}\n"
PRESS_ROWS = "@data\n1.0,2,no,A\n8.0,3,yes,B\n2.5,1,no,A\n7.5,4,yes,B\n3.0,6,no,B\n"


@pytest.mark.parametrize(
    ("listed", "target", "positive", "names"),
    [
        ("@inputs Force, Speed\n@outputs Crack, Grade\n", "Crack", "yes", ["Force", "Speed"]),
        ("@inputs Force, Speed\n@outputs Crack, Grade\n", "Grade", "A", ["Force", "Speed"]),
        ("@inputs Force, Speed\n@outputs Crack, Grade\n", None, "A", ["Force", "Speed"]),
        ("@inputs Force, Speed\n@outputs Grade, Crack\n", "Grade", "A", ["Force", "Speed"]),
        ("@inputs Force\n@outputs Grade\n", "Crack", "yes", ["Force"]),
        ("@inputs Force, Crack\n@outputs Grade\n", "Crack", "yes", ["Force"]),
        ("@outputs Crack, Grade\n", "Crack", "yes", ["Force", "Speed"]),
        ("@outputs Grade\n", "Crack", "yes", ["Force", "Speed"]),
        ("@inputs Force, Speed\n@output Crack\n@output Grade\n", "Crack", "yes", ["Force", "Speed"]),
        ("@inputs Force, Speed, Crack\n", "Crack", "yes", ["Force", "Speed"]),
    ],
)
def test_keel_outputs_are_no_features(listed, target, positive, names):
    content = table("keel", PRESS + listed + PRESS_ROWS, target=target, positive=positive)
    assert content.names == names
    left_out = {"Force", "Speed", "Crack", "Grade"} - {*names, target or "Grade"}
    assert len(content.warnings) == bool(left_out)
    about(" ".join(content.warnings), [repr(name) for name in left_out])


def test_keel_output_that_a_step_drops_is_no_fault():
    step = {"step": "drop_columns", "columns": ["Grade"]}
    text = f"{PRESS}@inputs Force, Speed\n@outputs Crack, Grade\n{PRESS_ROWS}"
    content = table("keel", text, target="Crack", positive="yes", steps=[step])
    assert content.names == ["Force", "Speed"]
    assert content.warnings == []


# -- declared ranges -----


def kiln(declared: str, *cells: str, kind="keel", **more):
    """Prepared table of one declared column and a nominal one; the cells begin in line 6."""
    rows = "".join(f"{cell},{'uv'[i % 2]},{'np'[i == 1]}\n" for i, cell in enumerate(cells))
    lists = "@attribute glaze {u,v}\n@attribute k {p,n}\n"
    return table(kind, f"@relation r\n@attribute Temp {declared}\n{lists}@data\n{rows}", **more)


@pytest.mark.parametrize("kind", ["keel", "arff"])
@pytest.mark.parametrize(
    ("declared", "cell", "outside"),
    [
        ("integer [600, 1200]", "-999", True),
        ("integer [600, 1200]", "1201", True),
        ("integer[600,1200]", "599", True),
        ("integer [600, 1200]", "600", False),
        ("integer [600, 1200]", "1200.0", False),
        ("integer [600, 1200]", "?", False),
        ("integer [600, 1200]", "700.5", True),
        ("integer", "2.7", True),
        ("INTEGER", "-3.5", True),
        ("integer", "1e3", False),
        ("integer", "-99999", False),
        ("real [1.0, 12.0]", "99.0", True),
        ("real [1.0, 12.0]", "12.01", True),
        ("real[1.0, 12.0]", "0.99", True),
        ("real [1.0, 12.0]", "12", False),
        ("real [-1e2, 1.5E+2]", "-100.5", True),
        ("real [-1e2, 1.5E+2]", "150", False),
        ("real [12.0, 1.0]", "5", False),
        ("real [12.0, 1.0]", "13", True),
        ("real [.5, 5.]", "0.4", True),
        ("real (0, 100]", "0", True),
        ("real (0, 100]", "100", False),
        ("real [-inf, 5]", "-1e9", False),
        ("real [-inf, 5]", "6", True),
        ("real [?, 5]", "6", False),
        ("real", "1e300", False),
        ("numeric [0 1]", "2", True),
    ],
)
def test_declared_range(kind, declared, cell, outside):
    """The inner cell is within every range here that is no integer's of hundreds."""
    inner = "700" if "1200" in declared else "4"
    inner = "0.5" if "0 1" in declared else inner
    content = kiln(declared, inner, inner, cell, kind=kind)
    expected = np.nan if cell == "?" else float(cell)
    assert np.array_equal(content.X[:, 0], [float(inner)] * 2 + [expected], equal_nan=True)
    assert len(content.warnings) == outside
    about(" ".join(content.warnings), ["'Temp'", cell, "f.txt:8", declared.strip()] if outside else [])


def test_several_cells_outside_a_range_are_one_warning():
    (text,) = kiln("integer [0, 9]", "4", "10", "11", "12", "13").warnings
    about(text, ["10 in f.txt:7", "3 more cells"])
    (text,) = kiln("integer [0, 9]", "4", "10", "11", "5").warnings
    about(text, ["10 in f.txt:7", "11 in f.txt:8"])


@pytest.mark.parametrize(
    ("steps", "name"),
    [
        ([{"step": "set_missing", "column": "Temp", "values": [-999]}], ""),
        ([{"step": "drop_rows", "column": "Temp", "values": [-999]}], ""),
        ([{"step": "drop_columns", "columns": ["Temp"]}], ""),
        ([{"step": "keep_columns", "columns": ["glaze"]}], ""),
        ([{"step": "rename", "names": {"Temp": "T"}}, {"step": "set_missing", "column": "T", "values": [-999]}], ""),
        ([{"step": "rename", "names": {"Temp": "glow"}}], "glow"),
        ([{"step": "set_missing", "column": "Temp", "values": [4]}], "Temp"),
        ([{"step": "impute"}], "Temp"),
        ([{"step": "bin", "bins": 3}], "Temp"),
        ([{"step": "take_rows", "first": [3, 2, 1, 0]}], "Temp"),
    ],
)
def test_steps_that_heal_a_cell_end_its_warning(steps, name):
    content = kiln("integer [0, 9]", "4", "5", "-999", "6", steps=steps)
    warnings = [text for text in content.warnings if "nothing" not in text]  # impute has nothing to fill in
    assert len(warnings) == bool(name)
    about(" ".join(warnings), [repr(name), "-999", "f.txt:8"] if name else [])


def test_ranges_of_several_files_name_the_file():
    head = "@relation r\n@attribute a real [0, 1]\n@attribute b real [0, 1]\n@attribute k {p,n}\n@data\n"
    for name, rows in {"one.dat": "0,0,p\n1,7,n\n", "two.dat": "0,0,p\n5,1,n\n"}.items():
        Path(name).write_text(head + rows)
    listed = [{"path": "one.dat"}, {"path": "two.dat"}]
    spec = described({"kind": "local", "files": listed}, read={"format": "keel"}, target="k", positive="p")
    first, second = build(spec, spec.sources[0], [Path("one.dat"), Path("two.dat")]).warnings
    about(first, ["'a'", "5 in two.dat:7"])
    about(second, ["'b'", "7 in one.dat:7"])


# -- columns that number the rows -----

N = 40
RANDOM = np.random.RandomState(3)
SHUFFLED = RANDOM.permutation(9000)[:N] + 1000.0
GAPS = np.flatnonzero(RANDOM.random_sample(3 * N) < 0.5)[:N] + 1.0


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("Unnamed: 0", np.arange(N)),
        ("x", np.arange(1, N + 1)),
        ("x", np.arange(N)[::-1]),
        ("x", 1001.0 + np.arange(N)),
        ("x", 10.0 * np.arange(N)),
        ("x", 7 - 3.0 * np.arange(N)),
        ("x", 0.1 * np.arange(N)),
        ("x", np.round(np.linspace(0, 1, N), 3)),
        ("x", 1.6e9 + np.arange(N)),
        ("x", GAPS),
        ("x", -GAPS),
        ("x", np.where(np.arange(N) % 9 == 4, np.nan, np.arange(N))),
        ("id", SHUFFLED),
        ("patient_id", SHUFFLED),
        ("customerID", SHUFFLED),
        ("recordid", SHUFFLED),
        ("PolicyNumber", SHUFFLED),
        ("case no.", SHUFFLED),
    ],
)
def test_numbering(name, values):
    values = np.asarray(values, dtype=float)
    assert doubts.numbering(name, values, np.arange(1, N + 1))
    rows = RANDOM.permutation(N)
    assert doubts.numbering(name, values[rows], rows + 1), "whatever the order of the rows is by now"
    some = np.sort(rows[:20])
    assert doubts.numbering(name, values[some], some + 1), "also of the rows that are left"


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("x", RANDOM.normal(size=N)),
        ("x", np.sort(RANDOM.normal(size=N))),
        ("x", np.arange(N) // 2),
        ("x", np.arange(N) % 10),
        ("x", np.zeros(N)),
        ("x", np.repeat([0.0, 1.0], N // 2)),
        ("x", np.full(N, np.nan)),
        ("x", SHUFFLED),
        ("identity", SHUFFLED),
        ("uric_acid", RANDOM.normal(size=N)),
        ("no_of_visits", RANDOM.randint(0, 9, N)),
        ("body mass index", RANDOM.normal(25, 3, N)),
        ("station_id", np.arange(N) % 5),
    ],
)
def test_no_numbering(name, values):
    assert doubts.numbering(name, np.asarray(values, dtype=float), np.arange(1, N + 1)) == ""


def test_no_numbering_of_few_rows_or_bytes():
    assert doubts.numbering("x", np.arange(9.0), np.arange(9)) == ""
    assert doubts.numbering("x", np.arange(300).astype(np.uint8), np.arange(300)) == ""


def test_each_of_several_files_may_count_its_own_rows():
    values = np.concatenate([np.arange(1.0, 31.0), np.arange(1.0, 21.0)])
    assert doubts.numbering("x", values, np.arange(50), n_files=2)
    assert doubts.numbering("x", values, np.arange(50)) == ""


@pytest.mark.parametrize("kind", ["csv", "keel", "arff", "npz"])
def test_counter_in_every_format(kind):
    x = RANDOM.normal(size=N)
    classes = np.array(["n"] * 32 + ["p"] * 8)  # sorted by class
    rows = "".join(f"{i + 1},{x[i]!r},{classes[i]}\n" for i in range(N)).replace("np.float64(", "").replace(")", "")
    if kind == "npz":
        np.savez("f.txt.npz", X=np.column_stack([np.arange(1, N + 1), x]), y=classes)
        content = table("npz", Path("f.txt.npz").read_bytes(), name="f.npz", target=None)
    elif kind == "csv":
        content = table("csv", "x1,x2,k\n" + rows)
    else:
        content = table(
            kind, "@relation r\n@attribute x1 integer\n@attribute x2 real\n@attribute k {p,n}\n@data\n" + rows
        )
    (text,) = content.warnings
    about(text, ["'x1' counts the rows: 1, 2, ..., 40", "tells the class of every row", "drop_columns", "numeric"])
    assert content.names == ["x1", "x2"]


@pytest.mark.parametrize("more", [{"numeric": ["x1"]}, {"steps": [{"step": "drop_columns", "columns": ["x1"]}]}])
def test_a_counter_that_is_dropped_or_stated_to_be_a_number_is_no_doubt(more):
    text = "x1,x2,k\n" + "".join(f"{i},{i * 7 % 11},{'pn'[i * 3 % 5 > 1]}\n" for i in range(N))
    assert len(table("csv", text).warnings) == 1
    assert table("csv", text, **more).warnings == []


def test_a_counter_is_known_after_rows_were_drawn():
    text = "a,x,k\n" + "".join(f"{i},{i * 7 % 11},{'pn'[i * 3 % 5 > 1]}\n" for i in range(60))
    steps = [
        {"step": "sample_classes", "classes": {"p": 15, "n": 15}, "seed": 1},
        {"step": "rename", "names": {"a": "b"}},
    ]
    (warning,) = table("csv", text, steps=steps).warnings
    about(warning, ["'b' counts the rows"])


# -- columns that tell the class -----


def telling(column, y) -> bool:
    column = np.asarray(column, dtype=float)
    return doubts.telling(["noise", "x"], np.column_stack([RANDOM.normal(size=len(y)), column]), np.asarray(y)) == ["x"]


Y = np.array([0] * 30 + [1] * 10)


@pytest.mark.parametrize(
    ("column", "expected"),
    [
        (np.arange(40), True),
        (-np.arange(40), True),
        (Y, True),
        (1 - Y, True),
        (np.where(Y == 1, np.nan, 5), True),
        (np.where(Y == 1, 3, np.arange(40) % 3), True),
        (np.where(Y == 1, 1, np.arange(40) % 3), False),
        (np.where(np.arange(40) == 5, 1, Y), False),
        (RANDOM.normal(size=40), False),
        (RANDOM.permutation(40), False),
        (np.zeros(40), False),
        (np.full(40, np.nan), False),
    ],
)
def test_telling(column, expected):
    assert telling(column, Y) is expected
    rows = RANDOM.permutation(40)
    assert telling(np.asarray(column)[rows], Y[rows]) is expected


def test_few_rows_are_told_by_chance():
    assert not telling([1, 2, 3, 4], [0, 0, 0, 1])
    assert not telling([1, 2, 3, 4, 5, 6, 7, 8], [0, 0, 0, 0, 0, 0, 1, 1])
    assert telling(np.arange(1000), [0] * 997 + [1] * 3), "three positives at the end are no chance"


def test_noise_is_not_told():
    """Of 200 tables of noise with 20 columns, at most a few have a column that is said to tell the class."""
    random = np.random.RandomState(0)
    alarms = 0
    for _ in range(200):
        y = np.zeros(12, int)
        y[random.permutation(12)[:3]] = 1
        columns = [random.normal(size=12) if j % 2 else random.randint(0, 3, 12) for j in range(20)]
        alarms += bool(doubts.telling([f"x{j}" for j in range(20)], np.column_stack(columns), y))
    assert alarms <= 4


# -- copies -----


def prepared(name: str, text: str, **more) -> dict:
    Path(f"{name}.csv").write_text(text)
    spec = described({"kind": "local", "files": [{"path": f"{name}.csv"}]}, name=name, target="k", positive="p", **more)
    fetch_dataset(spec)
    return prepare_dataset(spec)


LOT = [f"{i * 37 % 100 / 10},{i * 53 % 7},{'uvw'[i % 3]},{'pn'[i % 4 > 0]}" for i in range(24)]


def test_copies_of_a_table_are_known():
    head = "a,b,c,k\n"
    prepared("lot", head + "\n".join(LOT))
    prepared("again", head + "\n".join(LOT))
    prepared("reversed", head + "\n".join(LOT[::-1]))
    prepared("columns", "c,k,b,a\n" + "\n".join(",".join(line.split(",")[i] for i in (2, 3, 1, 0)) for line in LOT))
    prepared("names", "d,e,f,k\n" + "\n".join(LOT))
    prepared("cell", head + "\n".join([*LOT[:-1], LOT[-1].replace("v", "u").replace("w", "v")]))
    prepared("label", head + "\n".join([*LOT[:-1], LOT[-1].replace("n", "p")]))
    prepared("fewer", head + "\n".join(LOT[:-1]))
    prepared("twice", head + "\n".join([*LOT[:-1], LOT[0]]))
    others = ["cell", "label", "fewer", "twice"]
    copies = ["again", "reversed", "columns", "names"]
    assert repeated(["lot", *copies, *others, "absent"]) == dict.fromkeys(copies, "lot")
    assert repeated([*others, "reversed", "lot"]) == {"lot": "reversed"}
    (sentence,) = same_table({"again": "lot"})
    about(sentence, ["again", "lot"])


def hashed(*columns, levels=None) -> str:
    X = np.column_stack(columns)
    return doubts.rows_sha256(X, levels or [None] * len(columns), np.array([1, 0, 0]))


def test_rows_sha256_knows_values_from_levels_and_cells_of_different_columns(monkeypatch):
    a, b = np.array([1.0, 2.0, np.nan]), np.array([2.0, 1.0, 5.0])
    assert hashed(b, a) == hashed(a, b)
    assert hashed([2.0, 2.0, np.nan], [1.0, 1.0, 5.0]) != hashed(a, b), "cells change places within a row"
    codes = hashed([0.0, 1.0, np.nan], levels=[["u", "v"]])
    assert codes == hashed([1.0, 2.0, np.nan], levels=[["t", "u", "v"]]), "codes are names"
    assert codes != hashed([0.0, 1.0, np.nan])
    assert codes != hashed([0.0, 1.0, 1.0], levels=[["u", "v"]])
    assert hashed(np.array([1, 2, 0], np.uint8)) == hashed([1.0, 2.0, -0.0])
    whole = hashed(a, b, [0.0, 1.0, np.nan], levels=[None, None, ["u", "v"]])
    monkeypatch.setattr(doubts, "CELLS", 3)
    assert hashed(a, b, [0.0, 1.0, np.nan], levels=[None, None, ["u", "v"]]) == whole, "column by column"


def test_warnings_reach_the_description_and_the_log(configured, capsys):
    from scarce.cli import main
    from scarce.config.loading import load_project

    Path("data/own").mkdir(parents=True)
    text = "id,x,k\n" + "".join(f"{1001 + i},{i * 7 % 11},{'np'[i >= 32]}\n" for i in range(N))
    Path("data/own/a.csv").write_text(text)
    block = "\n  sources: [{kind: local, files: [{path: data/own/a.csv}]}]\n  read: {format: csv}\n"
    with open("config/datasets.yaml", "a") as handle:
        for name in ("lot_a", "lot_b"):
            handle.write(f"\n{name}:{block}  target: k\n  positive: p\n")
    study = (
        "name: lots\ntitle: Lots\ndatasets: [lot_a, lot_b]\nlabeling: {scar: {flip_ratios: [0.5]}}\nmethods: [pu_hdt]\n"
    )
    Path("config/studies/lots.yaml").write_text(study)
    for spec in map(load_project([]).dataset, ("lot_a", "lot_b")):
        fetch_dataset(spec)
        prepare_dataset(spec)
        (warning,) = files.read_json(paths.prepared_json(spec.name))["warnings"]
        about(warning, ["'id'", "1001, 1002, ..., 1040"])
    assert main(["prepare", "lot_a", "--log", "prepare.log"]) == 0
    about(capsys.readouterr().err, ["warning: lot_a: column 'id' counts the rows"])
    assert "'id'" in Path("prepare.log").read_text()
    assert main(["check", "config/studies/lots.yaml"]) == 0
    about(capsys.readouterr().out, ["lot_a: warning: column 'id'", "lot_b holds the same table as lot_a"])


def test_flags_of_a_source(folder):
    """Flagged columns are no features, unless the description names them or its proof is that of a table with them."""
    text = "sample,batch,dose,grade,k\n" + "".join(
        f"{i},b{i % 2},{i * 7 % 11},{i % 3},{'pn'[i % 4 > 0]}\n" for i in range(12)
    )
    Path("f.csv").write_text(text)
    flagged = {"sample": "row identifier", "batch": "to be ignored", "k": "another class", "absent": "to be ignored"}

    def of(**more):
        spec = described({"kind": "local", "files": [{"path": "f.csv"}]}, target="k", positive="p", **more)
        return build(spec, spec.sources[0], [Path("f.csv")], flagged)

    content = of()
    assert content.names == ["dose", "grade"]
    (warning,) = content.warnings
    about(warning, ["'sample' (row identifier)", "'batch' (to be ignored)"])
    assert of(steps=[{"step": "drop_columns", "columns": ["sample"]}]).names == ["dose", "grade"]
    kept = of(nominal=["batch"])
    assert kept.names == ["batch", "dose", "grade"]
    assert any("'batch' is a feature" in text for text in kept.warnings)


def test_a_proof_of_the_whole_table_keeps_flagged_columns_and_says_so():
    from scarce.data.prepare import build_checked

    Path("f.csv").write_text("sample,dose,k\n" + "".join(f"{i},{i * 7 % 11},{'pn'[i % 4 > 0]}\n" for i in range(8)))
    flagged = {"sample": "row identifier"}

    def of(**more):
        spec = described({"kind": "local", "files": [{"path": "f.csv"}]}, target="k", positive="p", **more)
        return build_checked(spec, spec.sources[0], [Path("f.csv")], flagged)[0]

    assert of().names == ["dose"]
    spec = described({"kind": "local", "files": [{"path": "f.csv"}]}, target="k", positive="p")
    whole, part = (build(spec, spec.sources[0], [Path("f.csv")], flags) for flags in ({}, flagged))
    assert of(content_sha256=part.sha256()).names == ["dose"]
    kept = of(content_sha256=whole.sha256())
    assert kept.names == ["sample", "dose"]
    about(" ".join(kept.warnings), ["'sample' is a feature", "row identifier"])
    with pytest.raises(DataError, match=r"expected 0000.*'sample' \(row identifier\)"):
        of(content_sha256="0" * 64)


# -- numbers that code missing cells -----


@pytest.mark.parametrize(
    ("code", "others", "found"),
    [
        (-999, [0.5, 1.5, -2.0, 3.0], True),
        (9999, [10, 250, 900, 31], True),
        (9, [0, 1, 2, 3], True),
        (-999, [-3000.0, 4000.0, 1.0, 2.0], False),  # among the others
        (-999.5, [0.5, 1.5, -2.0, 3.0], False),  # no code
        (1000, [1, 2, 3, 4], False),
        (-1, [100, 200, 300, 250], False),
        (-999, [0, 1], False),  # two other values are no measurement
    ],
)
def test_codes_of_missing_cells_are_said(code, others, found):
    rows = "".join(f"{value},{'yes' if at % 7 else 'no'}\n" for at, value in enumerate([*others, code] * 5))
    content = table("csv", f"load,crack\n{rows}", target="crack", positive="yes")
    assert bool(content.warnings) == found
    about(" ".join(content.warnings), [f"'load' ({code:g})"] if found else [])
    declared = table("csv", f"load,crack\n{rows}", target="crack", positive="yes", numeric=["load"])
    assert not declared.warnings
    once = rows.replace(f"{code},", f"{others[0]},", 4)
    assert not table("csv", f"load,crack\n{once}", target="crack", positive="yes").warnings
