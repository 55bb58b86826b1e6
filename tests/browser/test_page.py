"""The page in a real browser, from a file, without a network."""

import pytest

from tests.browser.conftest import DESK, PHONE, violations

SIX_MB = 6_000_000


def resize(page, width):
    """Give the page a width, and wait until its charts have it too."""
    page.set_viewport_size({"width": width, "height": 900})
    page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")


def test_the_page_fits_the_screen_and_names_stay_text(shown, small):
    page = shown(small)
    assert page.title() != "broken"
    assert page.locator("img[src=x]").count() == 0
    assert page.evaluate("document.documentElement.scrollWidth") <= DESK
    resize(page, PHONE)
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE
    note = f"<p class='note'>{'8cb5afa7e8' * 8}</p>"
    page.evaluate("note => document.querySelector('main').insertAdjacentHTML('afterbegin', note)", note)
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(shown, small, scheme):
    page = shown(small, width=PHONE, color_scheme=scheme)
    assert violations(page) == []
    resize(page, DESK)
    assert violations(page) == []


def test_the_largest_page_is_one_small_file(large):
    assert large.stat().st_size < SIX_MB
