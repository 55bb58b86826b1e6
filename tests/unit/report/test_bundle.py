"""The committed script of the page is what its sources give, and names the licences of what is in it."""

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
WEB = ROOT / "web"
BUNDLE = ROOT / "src/scarce/report/templates/page.bundle.js"


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the bundle and LICENSES.md, built from the sources."""
    if not shutil.which("npm"):
        pytest.skip("needs node and npm")
    web, folder = WEB, tmp_path_factory.mktemp("built")
    if not (WEB / "node_modules").is_dir():
        web = folder / "web"
        shutil.copytree(WEB, web)
        installed = subprocess.run(["npm", "ci"], cwd=web, capture_output=True, text=True)
        if installed.returncode:
            pytest.skip(f"needs web/node_modules, or a registry of npm: {installed.stderr.strip()[-200:]}")
    made = subprocess.run(["node", "build.mjs", str(folder)], cwd=web, capture_output=True, text=True)
    assert made.returncode == 0, made.stderr
    return folder


@pytest.mark.slow
def test_the_committed_script_is_what_the_sources_give(built: Path) -> None:
    assert (built / "page.bundle.js").read_bytes() == BUNDLE.read_bytes(), "run `make web` and commit its output"


@pytest.mark.slow
def test_the_committed_licences_are_those_of_the_bundled_packages(built: Path) -> None:
    assert (built / "LICENSES.md").read_bytes() == (WEB / "LICENSES.md").read_bytes()


def test_every_package_is_named_in_the_head_of_the_script_and_is_locked_at_its_version() -> None:
    head = BUNDLE.read_text("utf-8").split("*/", 1)[0]
    named = re.findall(r"^- (\S+ \S+): Copyright", (WEB / "LICENSES.md").read_text("utf-8"), re.MULTILINE)
    locked = json.loads((WEB / "package-lock.json").read_text("utf-8"))["packages"]
    versions = {
        f"{path.removeprefix('node_modules/')} {package['version']}" for path, package in locked.items() if path
    }
    assert any(name.startswith("@observablehq/plot ") for name in named)
    assert set(named) <= versions
    assert [name for name in named if f"\n{name}: Copyright" not in head] == []


def test_the_script_can_stand_in_a_page_with_a_policy() -> None:
    script = BUNDLE.read_text("utf-8")
    assert not re.search(r"</script|<!--|\beval\(|\bnew Function\b", script, re.IGNORECASE)


def test_the_lock_file_names_no_host() -> None:
    assert "resolved" not in (WEB / "package-lock.json").read_text("utf-8")
