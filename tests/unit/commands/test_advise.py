"""`scarce advise`: what it refuses, in one line and before anything is written, and what it says of a small file."""

import json
import re

import numpy as np
import pandas as pd
import pytest

from scarce.cli import main
from scarce.prior import PriorInterval


def table(n=400, seed=0):
    random = np.random.RandomState(seed)
    y = random.uniform(size=n) < 0.3
    columns = pd.DataFrame(random.normal(size=(n, 3)) + 4 * y[:, None], columns=list("abc"))
    columns["kind"] = random.choice(["u", "v"], n)
    return columns.assign(reported=np.where(y & (random.uniform(size=n) < 0.6), "yes", "no"))


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(frame, folder, *options):
    frame.to_csv(folder / "d.csv", index=False)
    return main(["advise", "d.csv", "--label", "reported", *options])


CASES = {
    "no file": (lambda f: f, ["--out", "x"], "no file"),
    "no column": (lambda f: f.rename(columns={"reported": "label"}), [], "no column 'reported'"),
    "nothing to drop": (lambda f: f, ["--drop", "z"], "correct --drop"),
    "one value": (lambda f: f.assign(reported="yes"), [], "every row is labeled alike"),
    "three values": (lambda f: f.assign(reported=np.arange(len(f)) % 3), [], "has 3 values"),
    "unclear": (lambda f: f.assign(reported=np.where(f.reported == "yes", "red", "blue")), [], "--positive VALUE"),
    "not there": (lambda f: f, ["--positive", "maybe"], "correct --positive"),
    "empty cells": (lambda f: f.assign(reported=np.where(f.reported == "yes", "1", "")), [], "is empty in"),
    "few labels": (lambda f: f.assign(reported=["yes"] * 19 + ["no"] * (len(f) - 19)), [], "19 labeled rows in 400"),
    "few unlabeled": (lambda f: f.assign(reported=["no"] * 9 + ["yes"] * (len(f) - 9)), [], "9 unlabeled rows"),
    "impossible prior": (lambda f: f, ["--class-prior", "0.01"], "share of labeled rows"),
    "prior backwards": (lambda f: f, ["--class-prior", "0.9", "0.5"], "the smaller and the larger"),
    "identifier": (lambda f: f.assign(id=np.arange(len(f))), [], "--drop id"),
    "leak": (lambda f: f.assign(paid=(f.reported == "yes") + 0), [], "alone tells"),
    "texts": (lambda f: f.assign(who=[f"p{i}" for i in range(len(f))]), [], "'who'"),
}


@pytest.mark.parametrize("case", CASES)
def test_what_cannot_be_advised_on_is_one_line(case, folder, capsys):
    change, options, says = CASES[case]
    if case == "no file":
        code = main(["advise", "nowhere.csv", "--label", "reported", *options])
    else:
        code = run(change(table()), folder, *options)
    lines = capsys.readouterr().err.strip().splitlines()
    assert code in (2, 3)
    assert len(lines) == 1, lines
    assert says in lines[0]
    assert sorted(path.name for path in folder.iterdir()) in ([], ["d.csv"]), "nothing is left behind"


def test_a_folder_that_is_there_stays(folder, capsys):
    (folder / "advise-d").mkdir()
    (folder / "advise-d/kept").write_text("mine", encoding="utf-8")
    assert run(table(), folder) != 0
    assert "not empty" in capsys.readouterr().err
    assert (folder / "advise-d/kept").is_file()


def estimates(abstains):
    def interval(X, s, method, **settings):
        return PriorInterval(method, 0.3, float(s.mean()), 0.4, 0.9, abstains)

    return interval


@pytest.mark.slow
@pytest.mark.parametrize("abstains", ["", "rare positives"])
def test_a_small_file(folder, capsys, monkeypatch, abstains):
    monkeypatch.setattr("scarce.prior.class_prior_interval", estimates(abstains))
    frame = table()
    assert run(frame, folder, "--lanes", "1") == 0, capsys.readouterr().err
    said = capsys.readouterr()
    assert said.err.count("estimates the class prior, fits methods") == 1
    assert "\r" not in said.err
    lines = said.out.splitlines()
    assert len(lines) == 6
    assert all("[" in line for line in lines[:5] if re.search(r"(?<![A-Za-z])\d", line)), "no number stands alone"
    made = folder / "advise-d"
    rows = pd.read_csv(made / "ranked.csv")
    assert len(rows) == len(frame)
    assert rows.score.is_monotonic_decreasing
    assert sorted(rows.row) == list(range(1, len(frame) + 1))
    assert (frame.reported.iloc[rows.row - 1].to_numpy() == np.where(rows.observed == "labeled", "yes", "no")).all()
    said = json.loads((made / "advise.json").read_text(encoding="utf-8"))
    assert len(said["lines"]) == 5
    methods = {row["Method"] for row in said["sections"]["methods"]["tables"]["methods"]}
    assert ("PU-SHRF" in methods) == (not abstains)
    page = (made / "advise.html").read_text(encoding="utf-8")
    assert "<script" not in page
    assert "not identifiable" in page if abstains else "not identifiable" not in page
    assert all(number["assumes"] for number in numbers(said))
    assert (made / "Snakefile").is_file()
    monkeypatch.chdir(made)
    assert main(["check", "config/studies/own_d.yaml"]) == 0, capsys.readouterr().err


def numbers(part):
    """Every number in the JSON with what it assumes."""
    if isinstance(part, dict) and "value" in part:
        yield part
    elif isinstance(part, dict | list):
        for one in part.values() if isinstance(part, dict) else part:
            yield from numbers(one)
