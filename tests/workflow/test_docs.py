"""The guides in docs/, followed to the letter: their code and commands are read from the documents and run."""

from __future__ import annotations

import itertools
import json
import re
import shutil
import textwrap
from collections.abc import Iterator

import pytest
import yaml

from scarce import cli
from scarce.files import read_csv, read_json
from tests.conftest import ROOT
from tests.workflow.conftest import Workflow

pytestmark = pytest.mark.workflow

AFTER = {"analyse": 1, "verdicts": 1, "tables": 1, "figures": 1, "page": 1, "smoke": 1}


def parts(guide: str) -> Iterator[tuple[str | None, str]]:
    """Lines of a document, each with the language of the fence it stands in; None is running text."""
    language, indent = None, ""
    for line in (ROOT / "docs" / guide).read_text(encoding="utf-8").splitlines():
        if fence := re.fullmatch(r"( *)```(\w*)", line):
            language, indent = (fence[2], fence[1]) if language is None else (None, "")
            yield None, "```"
        else:
            yield language, line.removeprefix(indent)


def blocks(guide: str, language: str) -> list[str]:
    """Fenced code of a language in a document, in order."""
    groups = itertools.groupby(parts(guide), key=lambda part: part[0])
    return ["".join(f"{line}\n" for _, line in lines) for fence, lines in groups if fence == language]


def commands(guide: str) -> list[str]:
    """Commands in the running text of a document."""
    prose = "\n".join(line for language, line in parts(guide) if language is None and line != "```")
    return re.findall(r"`((?:scarce|snakemake|cp) [^`<]+)`", prose)


def append(workflow: Workflow, file: str, text: str) -> None:
    with (workflow.root / file).open("a", encoding="utf-8") as handle:
        handle.write(f"\n{text}")


def fits(workflow: Workflow) -> dict[str, int]:
    folder = workflow.root / "results/smoke/fits"
    return {str(file.relative_to(folder)): file.stat().st_mtime_ns for file in folder.rglob("*.npz")}


@pytest.fixture
def copy(finished, tmp_path) -> Workflow:
    """The finished study, to be changed."""
    return Workflow(tmp_path / "copy", like=finished)


def test_add_a_method(copy):
    guide = "add_a_method.md"
    code, block = blocks(guide, "python")[0], blocks(guide, "yaml")[0]
    (name,) = yaml.safe_load(block)
    run, alone = (next(c for c in commands(guide) if c.startswith(first)) for first in ("snakemake", "scarce fit"))

    (copy.root / "my_methods.py").write_text(code)
    append(copy, "config/methods.yaml", block)
    copy.edit("config/studies/smoke.yaml", "methods: [", f"methods: [{name}, ")
    assert copy.planned("smoke") == {"fit": 2, "collect": 1, **AFTER}

    before, scores = fits(copy), read_csv(copy.root / "results/smoke/scores.csv")
    copy.run(*run.split())
    after, now = fits(copy), read_csv(copy.root / "results/smoke/scores.csv")
    assert before.items() <= after.items()
    assert {file.rpartition("/")[2] for file in after.keys() - before.keys()} == {f"{name}.npz"}
    assert set(now.method) == {*scores.method, name}
    assert now[now.method != name].reset_index(drop=True).equals(scores)
    assert now[(now.method == name) & (now.metric == "auc_pr")].value.between(0, 1).all()
    assert len(read_csv(copy.root / "results/smoke/failures.csv")) == 0
    assert f"{name} repeat 0: ok" in copy.run(*alone.split()).stdout


def test_register_a_method(workflow):
    guide = "add_a_method.md"
    code, plugin = blocks(guide, "python")
    (name,) = (block := yaml.safe_load(blocks(guide, "yaml")[0]))
    (workflow.root / "my_methods.py").write_text(code)
    (workflow.root / "my_plugin.py").write_text(plugin)
    workflow.edit("config/config.yaml", "plugins: []", "plugins: [my_plugin]")
    append(workflow, "config/methods.yaml", yaml.safe_dump({name: block[name] | {"estimator": name}}))
    line = next(line for line in workflow.run("scarce", "list", "methods").stdout.splitlines() if line.startswith(name))
    assert "my_methods:LabeledNeighbours" in line
    assert "Cover & Hart 1967" in line


def test_add_a_study(copy):
    guide = "add_a_study.md"
    make, check, run = commands(guide)[:3]
    copy.run(*make.split())
    (mine,) = (copy.root / "config/studies").glob("mine.yaml")
    assert copy.run(*check.split(), check=False).returncode == 2  # the name is still the template's
    copy.edit("config/studies/mine.yaml", "name: template", "name: mine")
    assert f"{2 * 1 * 2 * 5} runs" in copy.run(*check.split()).stdout
    before = copy.read("results/smoke/scores.csv")
    copy.run(*run.split())
    runs = read_csv(copy.root / "results/mine/runs.csv")
    assert set(runs.status) == {"ok"}
    assert len(runs) == 2 * 1 * 2 * 5
    assert (copy.root / "results/mine/report.html").is_file()
    assert any((copy.root / "figures/mine").glob("*.svg"))
    assert copy.read("results/smoke/scores.csv") == before
    assert copy.planned("smoke") == {}

    studies = blocks(guide, "yaml")
    quick, options = next(block for block in studies if block.startswith("name: quick")), studies[-1]
    text = mine.read_text().replace("preset: sound ", "# ")
    mine.write_text(text + options)
    assert "uses hidden labels: encoding" in copy.run(*check.split()).stdout
    mine.write_text(text)
    (copy.root / "config/studies/quick.yaml").write_text(quick)
    answer = copy.run(*check.replace("mine", "quick").split()).stdout
    assert "2 data sets x 1 scenario x 2 methods x 2 repeats = 8 runs" in answer


def test_add_a_judge(copy, tmp_path):
    guide = "add_a_judge.md"
    (module,), (line,), (claims,) = (blocks(guide, language) for language in ("python", "", "yaml"))
    copy.source = tmp_path / "src"
    judges = copy.source / "scarce/analysis/judges"
    shutil.copytree(ROOT / "src/scarce", copy.source / "scarce")
    (judges / "steady.py").write_text(module, encoding="utf-8")
    (judges / "__init__.py").write_text(
        f"{(judges / '__init__.py').read_text(encoding='utf-8')}\n{line}", encoding="utf-8"
    )
    append(copy, "config/studies/smoke.yaml", claims)
    assert "steady" in copy.run("scarce", "list", "judges").stdout
    copy.run("scarce", "verdicts", "smoke")
    (verdict,) = read_csv(copy.root / "results/smoke/verdicts.csv").to_dict("records")
    assert (verdict["claim"], verdict["verdict"]) == ("steady_forest", "held")
    assert re.match(r"Repeats of PU-SHRF differ by [\d.]+ points at most\.", verdict["reading"])


def test_a_claim_of_the_guide_is_judged(copy):
    claims = next(block for block in blocks("add_a_study.md", "yaml") if block.startswith("claims:"))
    append(copy, "config/studies/smoke.yaml", claims)
    copy.run("scarce", "check", "config/studies/smoke.yaml")
    copy.run("scarce", "verdicts", "smoke")
    assert read_csv(copy.root / "results/smoke/verdicts.csv").claim.tolist() == ["forests"]


def test_add_a_metric_and_a_figure(copy, tmp_path):
    guide = "add_a_metric.md"
    function, figure, drawing = blocks(guide, "python")
    (record,) = blocks(guide, "")
    copy.source = tmp_path / "src"
    shutil.copytree(ROOT / "src/scarce", copy.source / "scarce")
    assert copy.planned("smoke") == {}, "another copy of the same code"

    def insert(file: str, before: str, text: str) -> None:
        path = copy.source / "scarce" / file
        content = path.read_text(encoding="utf-8")
        assert content.count(before) == 1
        path.write_text(content.replace(before, text + before), encoding="utf-8")

    insert("scoring/metrics.py", "def _records(", f"{function}\n\n")
    insert("scoring/metrics.py", "    ]  # fmt: skip", textwrap.indent(record, 8 * " "))
    assert copy.planned("smoke") == {"collect": 1, **AFTER}
    copy.edit("config/studies/smoke.yaml", "auc_pr]", "auc_pr, balanced_accuracy]")

    (copy.source / "scarce/report/figures/fit_times.py").write_text(figure)
    catalogue = copy.source / "scarce/report/catalogue.py"
    catalogue.write_text(f"{catalogue.read_text(encoding='utf-8')}\n\n{drawing}", encoding="utf-8")
    append(copy, "config/studies/smoke.yaml", "report: {figures: [dots, fit_times]}\n")
    assert copy.planned("smoke") == {"collect": 1, **AFTER}

    copy.snakemake("smoke")
    scores = read_csv(copy.root / "results/smoke/scores.csv").pivot_table(
        index=["dataset", "scenario", "repeat", "method"], columns="metric", values="value"
    )
    assert scores.balanced_accuracy.between(0, 1).all()
    assert (scores.balanced_accuracy >= scores.recall / 2).all()
    assert "balanced_accuracy" in set(read_csv(copy.root / "results/smoke/stats/ranks.csv").metric)
    assert (copy.root / "results/smoke/tables/balanced_accuracy.csv").is_file()
    assert {"dots_balanced_accuracy.svg", "fit_times.svg"} <= {
        file.name for file in (copy.root / "figures/smoke").iterdir()
    }
    page = copy.read("results/smoke/report.html").decode()
    assert "Time of a fit" in page
    assert "Balanced accuracy" in page

    text = catalogue.read_text(encoding="utf-8")
    catalogue.write_text(text.replace("Median over all runs.", "The median."), encoding="utf-8")
    assert copy.planned("smoke") == {"figures": 1, "page": 1, "smoke": 1}, "another caption"


def pumps(rows: int = 400, faults: int = 34) -> str:
    """The file that the guide begins: its header, its first rows, and more of their kind."""
    (start, *_) = blocks("add_a_dataset.md", "")
    modes, stations = ("auto", "manual", "off"), ("101", "102", "207")
    lines = start.splitlines()
    for i in range(len(lines), rows + 1):
        flow = "?" if i >= 24 and i % 24 == 0 else f"{0.5 + (37 * i % 100) / 200:.3f}"
        state = "fault" if i > rows - faults else "ok"
        heat = 50 + (13 * i % 200) / 10 + 6 * (state == "fault")
        lines.append(f"{heat:.1f};{flow};{modes[i % 3]};{stations[i // 2 % 3]};{state}")
    return "\n".join(lines) + "\n"


def test_add_a_dataset(copy):
    guide = "add_a_dataset.md"
    block, expected = blocks(guide, "yaml")[:2]
    (description,) = blocks(guide, "json")
    (copy.root / "data/own").mkdir(parents=True)
    (copy.root / "data/own/pumps.csv").write_text(pumps())
    append(copy, "config/datasets.yaml", block)
    fetch, prepare = (f"scarce {stage} pumps" for stage in ("fetch", "prepare"))
    assert {fetch, prepare} <= set(commands(guide))
    copy.run(*fetch.split())
    assert (copy.root / "data/raw/pumps/PROVENANCE.json").is_file()
    copy.run(*prepare.split())
    described = read_json(copy.root / "data/prepared/pumps.json")
    promised = json.loads("{" + description + "}")
    content = promised.pop("content_sha256")
    assert described.items() >= promised.items()

    # the digest in the guide is that of a file that the guide does not show
    append(copy, "config/datasets.yaml", expected.replace(content, described["content_sha256"]))
    copy.edit("config/studies/smoke.yaml", "[moons, blobs]", "[pumps, moons, blobs]")
    new = {"label": 1, "fit": 1, "collect": 1, **AFTER}
    assert copy.planned("smoke") == new
    shutil.rmtree(copy.root / "data/raw/pumps")
    for suffix in ("json", "npz"):
        (copy.root / f"data/prepared/pumps.{suffix}").unlink()
    assert copy.planned("smoke") == {"fetch_dataset": 1, "prepare": 1, **new}
    copy.snakemake("results/smoke/scores.csv")
    assert set(read_csv(copy.root / "results/smoke/scores.csv").dataset) == {"pumps", "moons", "blobs"}
    assert set(read_csv(copy.root / "results/smoke/runs.csv").status) == {"ok"}

    (copy.root / "data/own/pumps.csv").write_text(pumps().replace("68.6", "68.7", 1))
    assert copy.planned("smoke")["fetch_dataset"] == 1, "a local file that changed is read again"
    copy.run(*fetch.split())
    assert copy.run(*prepare.split(), check=False).returncode == 3, "and is not what was held fast"


@pytest.mark.parametrize(
    ("kind", "old", "new"),
    [
        ("the positive class is not stated", "  positive: fault\n", ""),
        ("the class column is not stated", "  target: state\n", ""),
        ("unknown key", "  positive: fault\n", "  positives: fault\n"),
        ("YAML reads this as bool", "  positive: fault\n", "  positive: [true]\n"),
        ("holds numbers, but", ', missing: ["?"]', ""),
        ("'broken'", "  positive: fault\n", "  positive: broken\n"),
        ("expected 35", "  positive: fault\n", "  positive: fault\n  expected: {n: 400, d: 4, positives: 35}\n"),
        ("pump.csv", "data/own/pumps.csv", "data/own/pump.csv"),
        ("'stations'", "nominal: [station]", "nominal: [stations]"),
        ("'unknown'", ";ok\n", ";unknown\n"),
    ],
)
def test_faults_of_a_dataset_are_those_of_the_guide(workflow, kind, old, new, monkeypatch, capsys):
    guide = "add_a_dataset.md"
    lines = "".join(blocks(guide, "")).splitlines()
    promised = next(line for line in lines if kind in line and "churn" not in line)
    block = blocks(guide, "yaml")[0]
    (workflow.root / "data/own").mkdir(parents=True)
    (workflow.root / "data/own/pumps.csv").write_text(pumps() if old in block else pumps().replace(old, new, 3))
    append(workflow, "config/datasets.yaml", block.replace(old, new))
    monkeypatch.chdir(workflow.root)
    code = cli.main(["fetch", "pumps"]) or cli.main(["prepare", "pumps"])
    assert code == (2 if promised.startswith("config/") else 3)
    assert re.sub(r"yaml:\d+", "yaml", promised) in re.sub(r"yaml:\d+", "yaml", capsys.readouterr().err)
