"""A browser for pages that stand alone: whatever a page logs as an error, or loads, fails the test."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.browser.studies import EVIL, page_of, study
from tests.conftest import BROWSER

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

PHONE, DESK = 390, 1300
#: Milliseconds that a busy machine may take for what a reader waits for.
PATIENCE = 120_000
#: Ends once the page has drawn its views; given a fragment, once it has followed it.
SETTLED = """async fragment => {
    while (!window.scarce) await new Promise(next => setTimeout(next, 10));
    if (typeof fragment === "string") {
        const followed = new Promise(done => addEventListener("popstate", () => setTimeout(done), {once: true}));
        location.hash = fragment;
        await followed;
    }
    await scarce.settled;
}"""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    here = Path(__file__).parent
    for item in items:
        if item.path.is_relative_to(here):
            item.add_marker(pytest.mark.browser)
            item.add_marker(pytest.mark.slow)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    playwright = pytest.importorskip("playwright.sync_api", reason="needs the extra browser")
    if not BROWSER:
        pytest.skip("needs chromium")
    with playwright.sync_playwright() as started:
        chromium = started.chromium.launch(executable_path=BROWSER, args=["--no-sandbox", "--disable-gpu"])
        yield chromium
        chromium.close()


@pytest.fixture
def shown(browser: Browser) -> Iterator[Callable[..., Page]]:
    """Opens a file at a width and a fragment (``#view=two``), and waits until its views are drawn.

    Other arguments are those of a browser context.
    """
    contexts, problems = [], []

    def show(path: Path, fragment: str = "", width: int = DESK, **options: Any) -> Page:
        context = browser.new_context(viewport={"width": width, "height": 900}, offline=True, **options)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        page.on("console", lambda line: problems.append(line.text) if line.type in ("error", "warning") else None)
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.on("request", lambda request: _note_load(request.url, path, problems))
        page.goto(path.as_uri() + fragment)
        page.evaluate(SETTLED)
        return page

    yield show
    for context in contexts:
        context.close()
    assert problems == []


def _note_load(url: str, path: Path, problems: list[str]) -> None:
    if not url.startswith(("data:", "blob:", path.as_uri())):
        problems.append(f"loads {url}")


@pytest.fixture(scope="session")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of a study with names that would be markup, and with runs that failed."""
    path = tmp_path_factory.mktemp("small") / "report.html"
    path.write_text(page_of(small_study(), title=f"A study {EVIL}"), encoding="utf-8")
    return path


def small_study():
    """Its results."""
    return study(6, 9, 4, hostile=EVIL, gaps=0.02, missing="worst")


@pytest.fixture(scope="session")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of 26 methods on 60 data sets in 3 scenarios, with 20 repeats."""
    path = tmp_path_factory.mktemp("large") / "report.html"
    path.write_text(page_of(study(26, 60, 20)), encoding="utf-8")
    return path


def violations(page: Page) -> list[str]:
    """What axe finds wrong with the page, one line a rule."""
    from axe_playwright_python.sync_playwright import Axe

    found = Axe().run(page).response["violations"]
    return [f"{rule['id']}: {rule['help']}: {rule['nodes'][0]['html'][:150]}" for rule in found]
