"""Files that must agree, documents that must name what exists, and which room may import which."""

from __future__ import annotations

import argparse
import ast
import dataclasses
import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path

import numpy as np
import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from sklearn.metrics import roc_auc_score

import scarce
from scarce import cli
from scarce.analysis.judges import JUDGES
from scarce.analysis.statistics import COLUMNS
from scarce.analysis.verdicts import CLAIM_EVIDENCE, VERDICTS
from scarce.labels import Labels
from scarce.scoring.collect import FAILURE_COLUMNS, RUN_COLUMNS, SCORE_COLUMNS
from tests.conftest import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
DOCUMENTS = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
#: Package and build of conda-forge -> pip's name; conda-forge makes no package py-xgboost-cpu after 2.1.
CONDA_NAMES = {
    ("py-xgboost", "cpu*"): "xgboost-cpu",
    ("pytorch-cpu", ""): "torch",
    ("python-build", ""): "build",
    ("playwright-python", ""): "playwright",
}


def text(path: str | Path) -> str:
    return (ROOT / path).read_text(encoding="utf-8")


def bounds(requirements) -> dict[str, str]:
    """Canonical name to version bound; an extra that includes another names this package, which has no bound."""
    named = map(Requirement, requirements)
    return {canonicalize_name(r.name): str(r.specifier) for r in named if r.name != PROJECT["name"]}


def conda_sections() -> dict[str, dict[str, str]]:
    """Bounds of environment.yml by section; comments `# extra <name>` start or continue one, under pip's names."""
    sections, name = {"runtime": []}, "runtime"
    for line in text("environment.yml").partition("dependencies:")[2].splitlines():
        if extra := re.match(r"\s*# extra (\w+)", line):
            name = extra[1]
            sections.setdefault(name, [])
        elif line.strip().startswith("- ") and line.strip() != "- pip:":  # what only pip has stands under it
            package, bound, build = re.fullmatch(
                r"- ([\w.-]+?)((?:[<>]=?[\w.]+,?)*)(?:=([\w*]+))?(?:\s+#.*)?", line.strip()
            ).groups()
            sections[name].append(CONDA_NAMES.get((package, build or ""), package) + bound)
    return {section: bounds(requirements) for section, requirements in sections.items()}


# -- packages ---------------------------------------------------------------------------------------------------------


def test_the_conda_environment_asks_for_what_the_package_asks_for():
    runtime = {"python": PROJECT["requires-python"], "pip": "", **bounds(PROJECT["dependencies"])}
    extras = {name: bounds(requirements) for name, requirements in PROJECT["optional-dependencies"].items()}
    assert conda_sections() == {"runtime": runtime, **extras}
    environment = yaml.safe_load(text("environment.yml"))
    assert environment["name"] == "scarce"
    assert sum(isinstance(entry, dict) for entry in environment["dependencies"]) == 1, "conda reads one `pip:` alone"


def test_the_lock_file_pins_what_is_needed_within_its_bounds():
    lines = [line for line in text("requirements.lock").splitlines() if line and not line.startswith("#")]
    assert all(re.fullmatch(r"[A-Za-z0-9._-]+==[\w.]+", line) for line in lines)
    pinned = {canonicalize_name(name): version for name, version in (line.split("==") for line in lines)}
    assert len(pinned) == len(lines), "a package is pinned twice"
    extras = PROJECT["optional-dependencies"]
    for requirement in map(Requirement, PROJECT["dependencies"] + [one for extra in extras.values() for one in extra]):
        if requirement.name == PROJECT["name"]:
            continue
        version = pinned.get(canonicalize_name(requirement.name))
        assert version, f"{requirement.name} is not pinned"
        assert requirement.specifier.contains(version), f"{requirement} is pinned at {version}"
    assert pinned["torch"] == "2.13.0"


def test_the_citation_names_this_version():
    citation = yaml.safe_load(text("CITATION.cff"))
    assert {"cff-version", "message", "title", "authors", "version"} <= set(citation)
    assert citation["version"] == scarce.__version__ == PROJECT["version"]
    assert citation["license"] == PROJECT["license"]
    authors = citation["authors"] + [author for cited in citation["references"] for author in cited["authors"]]
    assert all(set(author) in ({"name"}, {"family-names", "given-names"}) for author in authors)


def test_no_committed_file_names_a_machine_or_a_package_index():
    if not (ROOT / ".git").exists():
        pytest.skip("not a git checkout: what is committed is not known")
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    # written so that this file does not name them either
    folders = "|".join(("wo" + "rk", "ro" + "ot", "tmp/" + "w"))
    hosts = "|".join(("py" + r"pi\.org", "python" + r"hosted\.org", r"anaconda" + r"\.org", "index" + "-url"))
    forbidden = re.compile(rf"(?<![\w.~>}}])/({folders})(?![\w-])|{hosts}", re.IGNORECASE)
    problems = []
    for name in filter(None, listed.split("\0")):
        path = ROOT / name
        if not path.is_file() or b"\0" in (content := path.read_bytes()):
            continue
        lines = content.decode("utf-8").splitlines()
        problems += [f"{name}:{i}: {line.strip()[:120]}" for i, line in enumerate(lines, 1) if forbidden.search(line)]
    assert not problems, "\n".join(problems)


# -- documents --------------------------------------------------------------------------------------------------------


def prose(document: Path) -> str:
    """A document without its fenced code."""
    return re.sub(r"^\s*```.*?^\s*```", "", text(document), flags=re.DOTALL | re.MULTILINE)


def commands_of_documents() -> list[str]:
    """Every `scarce ...` of the documents that stands in code."""
    lines = []
    for document in DOCUMENTS:
        fenced = re.findall(r"^\s*```[a-z]*\n(.*?)^\s*```", text(document), re.DOTALL | re.MULTILINE)
        lines += re.findall(r"`(scarce [^`]+)`", prose(document))
        lines += [line.strip().removeprefix("$ ") for block in fenced for line in block.splitlines()]
    return sorted({command.partition("#")[0].strip() for command in lines if command.startswith("scarce ")})


@pytest.mark.parametrize("command", commands_of_documents())
def test_every_command_of_the_documents_exists(command):
    _, name, *arguments = shlex.split(command)
    if name == "--version":
        return
    parser = cli._parser()
    commands = next(a for a in parser._actions if isinstance(a, argparse._SubParsersAction)).choices
    assert name in commands
    if arguments and not any("<" in word for word in arguments):
        assert parser.parse_args([name, *arguments]).command == name


def test_the_readme_names_the_commands_people_need():
    commands = " ".join(commands_of_documents())
    assert all(f"scarce {name}" in commands for name in ("list", "check", "status", "explain", "doctor", "fetch"))


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_every_link_and_file_of_the_documents_exists(document):
    content = text(document)
    links = [link.partition("#")[0] for link in re.findall(r"\]\(([^)\s]+)\)", content) if "://" not in link]
    for link in filter(None, links):
        assert (document.parent / link).exists(), f"{document.name} links to {link}"
    named = re.findall(
        r"`((?:docs|src|tests|profiles|benchmarks|workflow)/[\w./-]+|config/\w+\.yaml|\.ci/\w+)`", content
    )
    for name in named:
        assert (ROOT / name).exists(), f"{document.name} names {name}"


def test_lines_of_prose_are_short():
    """A change of a paragraph then shows as a change of a few lines; rows of tables and formulas cannot be broken."""
    lines = [(path.name, line) for path in DOCUMENTS for line in prose(path).splitlines()]
    assert not [one for one in lines if len(one[1]) > 160 and not one[1].startswith(("|", "$$"))]


def studies_in(page: str) -> set[str]:
    """Names in the first column of the tables of a document's studies."""
    rows = re.findall(r"^\| (`[^|]+`) \|", page, re.MULTILINE)
    return {name for row in rows for name in re.findall(r"`([\w.-]+)`", row)}


def test_the_documents_name_the_studies_that_exist():
    files = [*(ROOT / "config/studies").glob("*.yaml"), *(ROOT / "src/scarce/papers").glob("*/studies/*.yaml")]
    existing = {path.stem for path in files} - {"template"}
    assert studies_in(text("docs/studies.md")) == existing
    named = studies_in(text("README.md").partition("## The studies")[2].partition("\n## ")[0])
    assert named and named <= existing


def test_every_make_target_of_the_documents_exists():
    targets = set(re.findall(r"^([a-z-]+):", text("Makefile"), re.MULTILINE))
    named = {name for document in DOCUMENTS for name in re.findall(r"`make ([a-z-]+)`", text(document))}
    assert {"demo", "test"} <= named <= targets


def test_the_readmes_example_runs():
    block = re.search(r"```python\n(.*?)```", text("README.md"), re.DOTALL)[1]
    names: dict = {}
    exec(compile(block, "README.md", "exec"), names)
    scores, y = names["scores"], names["y"]
    assert scores.shape == y.shape
    assert np.isfinite(scores).all()
    assert 0 <= scores.min() < scores.max() <= 1
    assert scores[y].mean() > scores[~y].mean()
    assert names["auc"] == pytest.approx(roc_auc_score(y, scores), abs=0.05)
    about = " ".join(text("docs/use_a_model.md").split())
    assert f"{names['auc']:.3f} out of fold; true labels say {roc_auc_score(y, scores):.3f}" in about
    assert f"{np.mean(scores[names['s'] == 1] > 0.5):.0%}".replace("%", " %") in about


def test_the_glossary_explains_every_column_and_file():
    words = set(re.findall(r"[\w.]+", text("docs/results.md")))
    assert words.issuperset(RUN_COLUMNS + FAILURE_COLUMNS + SCORE_COLUMNS + VERDICTS + CLAIM_EVIDENCE)
    shared = {name for name, record in JUDGES.items() if record.decide.__module__.startswith("scarce.analysis.")}
    assert words.issuperset(shared)
    assert words.issuperset(f"{name}.csv" for name in COLUMNS)
    assert words.issuperset(field.name for field in dataclasses.fields(Labels))


# -- the house --------------------------------------------------------------------------------------------------------


def modules() -> dict[str, Path]:
    """Every module of the package by its dotted name; a package by its own."""
    paths = {}
    for path in sorted((ROOT / "src").rglob("*.py")):
        parts = path.relative_to(ROOT / "src").with_suffix("").parts
        paths[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return paths


MODULES = modules()


def imports(module: str, *, at_import: bool = False) -> set[str]:
    """Absolute names that a module imports, anywhere or only when it is imported itself."""
    path = MODULES[module]
    tree = ast.parse(path.read_text(encoding="utf-8"))
    base = module.split(".") if path.name == "__init__.py" else module.split(".")[:-1]
    imported: set[str] = set()

    def visit(node: ast.AST) -> None:
        if isinstance(node, ast.Import):
            imported.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            stem = ".".join(base[: len(base) + 1 - node.level]) if node.level else ""
            origin = ".".join(part for part in (stem, node.module) if part)
            names = {f"{origin}.{alias.name}" for alias in node.names}
            inner = names & set(MODULES)
            imported.update(inner | ({origin} if origin != "scarce" or inner != names else set()))
        later = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) or (
            isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)
        )
        if not (at_import and later):
            for child in ast.iter_child_nodes(node):
                visit(child)

    visit(tree)
    return {name for name in imported if name.partition(".")[0] not in sys.stdlib_module_names and name != "scarce"}


def under(name: str, rooms: tuple[str, ...]) -> bool:
    return any(name == room or name.startswith(f"{room}.") for room in rooms)


# room -> all that it may import beside the standard library
ALLOWED = {
    "scarce.trees": ("numpy", "numba", "sklearn", "scipy", "joblib", "scarce.estimators", "scarce.trees"),
    "scarce.estimators": ("numpy", "sklearn", "scarce.estimators"),
    "scarce.estimators.observed": ("numpy",),
    "scarce.seeds": ("numpy",),
    "scarce.paths": ("scarce.result_files",),
    "scarce.result_files": (),
    "scarce.errors": ("scarce.words",),
    "scarce.words": (),
}
FILES = ("scarce.files", "scarce.paths", "scarce.data", "scarce.labels", "scarce.config")
LATER = ("scarce.fitting", "scarce.scoring", "scarce.analysis", "scarce.report")
COMMANDS = ("scarce.cli", "scarce.commands", "scarce.stages")
# room -> what it must not import
FORBIDDEN = {
    "scarce.methods": (*FILES, *LATER, *COMMANDS),
    "scarce.prior": (*FILES, *LATER, *COMMANDS),
    "scarce.labels": ("scarce.data", "scarce.methods", "scarce.trees", *LATER, *COMMANDS),
    "scarce.data": ("scarce.labels", "scarce.methods", "scarce.trees", *LATER, *COMMANDS),
    "scarce.fitting": ("scarce.analysis", "scarce.report", *COMMANDS),
    "scarce.scoring": ("scarce.analysis", "scarce.report", "scarce.methods", "scarce.trees", *COMMANDS),
    "scarce.analysis": ("sklearn", "xgboost", "scarce.methods", "scarce.trees", "scarce.report", *COMMANDS),
    "scarce.report": ("xgboost", "scarce.methods", *COMMANDS),
}
HEAVY = (
    "numpy",
    "scipy",
    "pandas",
    "sklearn",
    "numba",
    "xgboost",
    "lightgbm",
    "torch",
    "imblearn",
    "matplotlib",
    "openml",
)


def test_the_walk_sees_imports_of_every_form():
    assert {"numpy", "sklearn.utils", "scarce.trees.grow", "scarce.estimators.base"} <= imports("scarce.trees.base")
    assert "scarce.scoring.observed_metrics" in imports("scarce.config.kinds")
    assert "scarce.scoring.metrics" not in imports("scarce.config.kinds", at_import=True)
    assert "scarce.labels.records" in imports("scarce.config.kinds", at_import=True)


@pytest.mark.parametrize("room", ALLOWED)
def test_a_room_imports_nothing_else(room):
    for module in (name for name in MODULES if under(name, (room,))):
        strange = {name for name in imports(module) if not under(name, ALLOWED[room])}
        assert not strange, f"{module} imports {strange}"


@pytest.mark.parametrize("room", FORBIDDEN)
def test_arrows_point_one_way(room):
    members = [name for name in MODULES if under(name, (room,))]
    assert members
    for module in members:
        strange = {name for name in imports(module) if under(name, FORBIDDEN[room])}
        assert not strange, f"{module} imports {strange}"


@pytest.mark.parametrize("start", ["scarce.config.study", "scarce.registry", "scarce.config.loading"])
def test_reading_configuration_imports_nothing_heavy(start):
    seen, todo = set(), [start]
    while todo:
        name = todo.pop()
        if name in seen:
            continue
        seen.add(name)
        assert not under(name, HEAVY), f"{start} leads to {name}"
        if name in MODULES:
            todo += imports(name, at_import=True)
            todo += [parent for parent in [name.rpartition(".")[0]] if parent != "scarce"]
    assert len(seen) > 1


def test_modules_and_the_snakefile_stay_small():
    assert len(text("Snakefile").splitlines()) < 80
    long = {
        name: lines for name, path in MODULES.items() if (lines := len(path.read_text("utf-8").splitlines())) >= 400
    }
    assert not long
