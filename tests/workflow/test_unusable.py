"""Data files that give no table a method could use: the study goes on with the others and says so everywhere."""

from __future__ import annotations

import html
import json

import pytest

from scarce.files import read_csv

pytestmark = pytest.mark.workflow

ROWS = "".join(f"{i % 7},{i % 5}.5,{'pn'[i % 3 > 0]}\n" for i in range(60))
#: name -> (content of the file, what else its description holds, what is said of it)
BAD = {
    "infinite": ("a,b,k\n1,1e400,n\n" + ROWS, "", "column 'b' has infinite values: 1, the first in row 1"),
    "rows": ("a,b,k\n" + ROWS, "  expected: {n: 61, d: 2}\n", "gives n 60, expected 61"),
    "ragged": ("a,b,k\n1,2,n,4\n" + ROWS, "", "ragged.csv:2: 4 values, 3 columns"),
    "tags": ("a,<b>,k\n1,?,n\n" + ROWS, "", "column '<b>' holds numbers, but '?' in its first row"),
    "void": ("", "", "void.csv: the file is empty"),
    "cut": ('a,b,k\n1,2,n\n1,"2,n\n', "", "cut.csv:4: this row cannot be read"),
    "page": ("<!DOCTYPE html>\n<html></html>\n", "", "gives an HTML page"),
    "absent": (None, "", "there is no file data/own/absent.csv"),
    "reasoned": (None, "  reason: lost in a move\n", "lost in a move; local: there is no file data/own/reasoned.csv"),
}  # fmt: skip


def test_the_others_reach_their_page(workflow):
    (workflow.root / "data/own").mkdir(parents=True)
    for name, (content, more, _) in BAD.items():
        if content is not None:
            (workflow.root / f"data/own/{name}.csv").write_text(content)
        block = f"\n{name}:\n  title: Own\n  sources: [{{kind: local, files: [{{path: data/own/{name}.csv}}]}}]\n"
        block += f"  read: {{format: csv}}\n  target: k\n  positive: p\n{more}"
        with open(workflow.root / "config/datasets.yaml", "a") as handle:
            handle.write(block)
    study = workflow.root / "config/studies/smoke.yaml"
    text = study.read_text().replace("[moons, blobs]", f"[moons, {', '.join(BAD)}]").replace("repeats: 3", "repeats: 1")
    text = text.replace("[pu_hdt, pu_shrf, pu_bagging, pu_wlr, adasyn_rf]", "[pu_wlr, pu_bagging]")
    study.write_text("".join(line for line in text.splitlines(True) if not line.startswith(("  pu_shrf", "  adasyn"))))

    with open(workflow.root / "config/datasets.yaml", "a") as handle:
        handle.write("\nunnamed: {sources: [{kind: nonsense}], postive: 1}\n")
    done = workflow.snakemake("smoke", check=False)
    assert done.returncode == 5, done.stderr
    assert "the results of smoke are incomplete: N = 1 of 10 data sets" in done.stderr
    assert "scarce: warning: left out: config/datasets.yaml:" in done.stderr, "of the block that no study names"
    results = workflow.root / "results/smoke"
    manifest = json.loads((results / "manifest.json").read_text())
    page = (results / "report.html").read_text()
    assert set(manifest["missing"]) == set(BAD)
    assert "1 of 10" in page
    for name, (_, _, said) in BAD.items():
        fetched = name not in ("page", "absent", "reasoned")
        assert (f"scarce: warning: {name} is left out of all studies: " in done.stderr) == fetched
        assert f"scarce: warning: smoke lacks {name}: " in done.stderr
        assert said in manifest["missing"][name]
        assert html.escape(said).replace("&#x27;", "&#39;") in page
        assert manifest["datasets"][name]["status"] == "unavailable"
    assert set(read_csv(results / "scores.csv").dataset) == {"moons"}
    assert set(read_csv(results / "runs.csv").status) == {"ok"}
    said = workflow.run("scarce", "status", "smoke", check=False)
    assert said.returncode == 5
    assert "smoke: 4 done, 36 without data of 40 cells" in said.stdout
    assert workflow.planned("smoke") == {"page": 1, "smoke": 1}, "no run of it ends in silence"
    assert workflow.snakemake("smoke", check=False).returncode == 5

    alone = workflow.run("scarce", "prepare", "infinite", check=False)
    assert alone.returncode == 3
    assert "column 'b' has infinite values" in alone.stderr
    assert (
        "fix   ragged is left out of all studies: ragged.csv:2" in workflow.run("scarce", "doctor", check=False).stdout
    )
    checked = workflow.run("scarce", "check", "config/studies/smoke.yaml", check=False)
    assert checked.returncode == 2
    assert "absent.sources: no such file: data/own/absent.csv" in checked.stderr

    (workflow.root / "data/own/ragged.csv").write_text("a,b,k\n" + ROWS)
    workflow.edit("config/datasets.yaml", "n: 61", "n: 60")
    planned = workflow.planned("smoke")
    assert planned["fetch_dataset"] == 1, "the file that was corrected"
    assert planned["prepare"] == 2, "and the description that was"
