"""The page in a real browser, from a file, without a network."""

import pytest

from tests.browser.conftest import DESK, PHONE, violations

SIX_MB = 6_000_000


@pytest.mark.parametrize("width", [PHONE, DESK])
def test_the_page_fits_the_screen_and_names_stay_text(shown, small, width):
    page = shown(small, width=width)
    assert page.title() != "broken"
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.locator("img[src=x]").count() == 0


def test_a_commit_in_a_note_breaks_on_a_phone(shown, small):
    page = shown(small, width=PHONE)
    note = f"<p class='note'>{'8cb5afa7e8' * 8}</p>"
    page.evaluate("note => document.querySelector('main').insertAdjacentHTML('afterbegin', note)", note)
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [PHONE, DESK])
def test_axe_finds_nothing(shown, small, width, scheme):
    assert violations(shown(small, width=width, color_scheme=scheme)) == []


def test_the_largest_page_is_one_small_file(large):
    assert large.stat().st_size < SIX_MB
