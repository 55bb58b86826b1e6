"""The documentation site is built without a warning, has every page, and holds what the checks ask for."""

from __future__ import annotations

import re
import subprocess
import sys
import textwrap

import pytest

from docs.builder import cards, checks
from scarce.public import by_topic
from tests.conftest import ROOT
from tests.workflow.conftest import Workflow

pytestmark = [pytest.mark.workflow, pytest.mark.slow]


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    for package in ("sphinx", "myst_parser", "numpydoc", "sphinx_gallery", "furo"):
        pytest.importorskip(package, reason="needs the extra docs")
    built = tmp_path_factory.mktemp("site") / "html"
    command = [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "docs", str(built)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return built


def test_links_lead_somewhere_images_have_texts_and_nothing_is_loaded_from_a_network(site):
    assert checks.problems(site) == []


def test_every_public_name_and_method_has_its_page(site):
    names = [name for names in by_topic().values() for name in names]
    assert all(f'id="{name}"' in (site / f"generated/api/{name}.html").read_text("utf-8") for name in names)
    assert all((site / f"generated/cards/{section.name}.html").is_file() for section in cards.sections())


def test_formulas_are_drawn_by_the_browser_itself(site):
    card = (site / "generated/cards/upu.html").read_text("utf-8")
    assert card.count("<math") > 20
    assert "<code>\\" not in card


def test_the_gallery_has_the_output_of_its_scripts(site):
    scripts = sorted((ROOT / "docs/gallery").glob("plot_*.py"))
    assert len(scripts) >= 7
    for script in scripts:
        assert "sphx-glr-script-out" in (site / f"generated/gallery/{script.stem}.html").read_text("utf-8")


def test_the_live_pages_are_those_that_scarce_writes(site):
    assert "Smoke" in (site / "live/results/results/smoke/report.html").read_text("utf-8")
    assert "claims.csv" in (site / "live/advise/advise.html").read_text("utf-8")


def test_the_tutorial_to_the_letter(tmp_path):
    text = (ROOT / "docs/tutorial.md").read_text(encoding="utf-8")
    code = re.search(r"```python\n(.*?)```", text, re.DOTALL)[1]
    blocks = re.findall(r"```console\n(.*?)```", text, re.DOTALL)
    commands = [line.removeprefix("$ ") for block in blocks for line in block.splitlines() if line.startswith("$ ")]
    assert sum(command.startswith("scarce ") for command in commands) == 6
    (tmp_path / "tutorial").mkdir()
    there = Workflow(tmp_path / "tutorial")  # no project: the folder is there and empty
    there.run(sys.executable, "-c", code)
    printed = there.run("bash", "-ec", "\n".join(commands)).stdout
    quoted = textwrap.dedent(re.search(r"(?:^> .*\n)+", text, re.MULTILINE)[0].replace("> ", "")).replace("\\", "")
    assert all(sentence in printed for sentence in quoted.splitlines()[:3])
    own = there.root / "advise-claims"
    assert (own / "results/own_claims/report.html").is_file()
    assert (own / "results/own_claims_with_hist_gradient_boosting_classifier/comparison.csv").is_file()
    assert (own / "predictions.csv").read_text().startswith("row,score,predicted\n")
