"""Files of a release that must agree: workflows, locks, supported Pythons, change log, workflow catalogue."""

from __future__ import annotations

import re
import tomllib

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

from tests.conftest import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
WORKFLOWS = {path.stem: path for path in (ROOT / ".github/workflows").glob("*.yml")}


def jobs(workflow: str) -> dict:
    return yaml.safe_load(WORKFLOWS[workflow].read_text(encoding="utf-8"))["jobs"]


def steps(workflow: str) -> list[dict]:
    return [step for job in jobs(workflow).values() for step in job["steps"]]


def test_every_supported_python_is_tested():
    stated = {text.rpartition(" ")[2] for text in PROJECT["classifiers"] if re.search(r":: 3\.\d+$", text)}
    assert min(stated, key=Version) == PROJECT["requires-python"].removeprefix(">=")
    assert set(jobs("release")["test"]["strategy"]["matrix"]["python"]) == stated
    assert {*jobs("ci")["test-fast"]["strategy"]["matrix"]["python"], "3.11"} == stated


@pytest.mark.parametrize("workflow", WORKFLOWS)
def test_workflows_call_targets_that_exist(workflow):
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    called = [step["run"].split()[1:] for step in steps(workflow) if step.get("run", "").startswith("make ")]
    assert called
    assert {word for words in called for word in words if "=" not in word} <= targets


def test_a_release_is_built_once_and_stores_no_secret():
    text = WORKFLOWS["release"].read_text(encoding="utf-8")
    assert "secrets." not in text and "password" not in text
    assert [
        job for job, one in jobs("release").items() if any("make artifact" in str(step) for step in one["steps"])
    ] == ["build"]
    publish = jobs("release")["publish"]
    assert publish["permissions"] == {"id-token": "write"} and publish["environment"] == "release"
    order = [jobs("release")[job].get("needs") for job in ("build", "test", "publish", "release")]
    assert order == [None, "build", "test", "publish"]


def test_the_lowest_lock_pins_the_lower_bounds():
    lines = (ROOT / "requirements-lowest.lock").read_text(encoding="utf-8").splitlines()
    pinned = dict(line.split("==") for line in lines if not line.startswith("#"))
    pinned = {canonicalize_name(name): Version(version) for name, version in pinned.items()}
    extras = PROJECT["optional-dependencies"]
    for requirement in map(Requirement, [*PROJECT["dependencies"], *extras["bench"], *extras["dev"]]):
        if requirement.name == PROJECT["name"]:
            continue
        (lower,) = (Version(bound.version) for bound in requirement.specifier if bound.operator == ">=")
        version = pinned[canonicalize_name(requirement.name)]
        assert version.release[: len(lower.release)] == lower.release, f"{requirement} is pinned at {version}"


def test_the_change_log_keeps_its_form():
    lines = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8").splitlines()
    versions = [line.removeprefix("## ") for line in lines if line.startswith("## ")]
    assert versions[0] == "Unreleased"
    assert all(re.fullmatch(r"\d+\.\d+\.\d+ - \d{4}-\d\d-\d\d", version) for version in versions[1:])
    kinds = [line.removeprefix("### ") for line in lines if line.startswith("### ")]
    assert set(kinds) <= {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"}
    assert len(kinds) == len(set(kinds)) or len(versions) > 1


def test_the_workflow_catalogue_finds_what_it_asks_for():
    usage = yaml.safe_load((ROOT / ".snakemake-workflow-catalog.yml").read_text(encoding="utf-8"))["usage"]
    assert {"mandatory-flags", "software-stack-deployment"} <= set(usage)
    readme = (ROOT / "README.md").read_text(encoding="utf-8").lower()
    assert "snakemake" in readme and "workflow" in readme
    assert 'include: "../Snakefile"' in (ROOT / "workflow/Snakefile").read_text(encoding="utf-8")
    described = (ROOT / "config/README.md").read_text(encoding="utf-8")
    keys = yaml.safe_load((ROOT / "config/config.yaml").read_text(encoding="utf-8"))
    assert all(f"| `{key}` |" in described for key in keys)
