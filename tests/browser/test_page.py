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


def test_the_commit_of_a_pack_wraps_on_a_phone(shown, small):
    page = shown(small, width=PHONE)
    commit = "8cb5afa7e859495f3833cce7453294d96da5d1e8"
    page.evaluate(
        "text => { const note = document.createElement('p'); note.className = 'note'; note.textContent = text;"
        " document.querySelector('#summary').append(note) }",
        f"The fits come from the pack 'smoke', made by scarce 0.1.0 at commit {commit}, but for those of mine.",
    )
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [PHONE, DESK])
def test_axe_finds_nothing(shown, small, width, scheme):
    assert violations(shown(small, width=width, color_scheme=scheme)) == []


def test_the_largest_page_is_one_small_file(large):
    assert large.stat().st_size < SIX_MB
