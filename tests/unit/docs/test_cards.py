"""Cards of methods: each method has one, made of its records and of docs/methods.md."""

from __future__ import annotations

from collections import Counter

import pytest
import yaml

from docs.builder import cards, pages
from scarce.registry import METHODS
from tests.conftest import ROOT

KEYS = [key for section in cards.sections() for key in section.keys]


def test_every_method_of_the_catalogue_has_one_card():
    blocks = yaml.safe_load((ROOT / "config/methods.yaml").read_text(encoding="utf-8"))
    named = {name for name, block in blocks.items() if "grid" not in block}  # a grid repeats another block's method
    assert named <= set(KEYS)
    assert max(Counter(KEYS).values()) == 1


def test_every_registered_method_has_a_card():
    assert {cards.estimator_of(key) for key in KEYS} == set(METHODS)


@pytest.mark.parametrize("section", cards.sections(), ids=lambda section: section.name)
def test_a_card_says_when_to_take_the_method_and_how_it_works(section):
    page = cards.pages()[section.name]
    assert section.text.startswith("**When.** ")
    assert page.startswith(f"# {section.title}\n\n**When.** ")
    for key in map(cards.estimator_of, section.keys):
        assert METHODS[key].source in page
        assert METHODS[key].target.replace(":", ".") in page
    assert section.text.partition("\n\n")[2].partition("\n\n#")[0] in page


def test_a_card_names_the_extra_and_what_the_method_is_told():
    made = cards.pages()
    assert '`pip install "scarce[neural]"`' in made["upu_mlp"]
    assert "`pip install scarce`" in made["pu_hrf"]
    assert "| is told | `$class_prior` |" in made["pu_hrf"]
    assert "nothing beside rows" in made["spy_em"]


def test_the_page_of_methods_keeps_what_is_no_card():
    text = (ROOT / cards.SOURCE).read_text(encoding="utf-8")
    short = cards.without_cards(text)
    assert all(f"generated/cards/{section.name}\n" in short for section in cards.sections())
    assert not any(f"### {section.heading}\n" in short for section in cards.sections())
    kept = [
        line
        for line in text.splitlines()
        if line.startswith("#") and not any(s.heading in line for s in cards.sections())
    ]
    assert [line for line in short.splitlines() if line.startswith("#")] == kept
    assert "### Scores of margins" in kept


@pytest.mark.parametrize(
    ("origin", "page", "link", "made"),
    [
        ("README.md", "docs/generated/project/readme.md", "[a](docs/advise.md#b)", "[a](../../advise.md#b)"),
        ("README.md", "docs/index.md", "[a](docs/advise.md)", "[a](advise.md)"),
        ("docs/cluster.md", "docs/cluster.md", "[a](../README.md#b)", "[a](generated/project/readme.md#b)"),
        ("README.md", "docs/generated/project/readme.md", "[a](LICENSE)", "a"),
        ("docs/faq.md", "docs/faq.md", "[a](#b) and [c](https://d.org/e)", "[a](#b) and [c](https://d.org/e)"),
        ("docs/faq.md", "docs/faq.md", "![a](img/b.png)", "![a](img/b.png)"),
        ("docs/faq.md", "docs/faq.md", "```\n[a](LICENSE)\n```", "```\n[a](LICENSE)\n```"),
        ("docs/methods.md", "docs/generated/cards/pu_hrf.md", "[a](#criteria)", "[a](../../methods.md#criteria)"),
        ("docs/faq.md", "docs/faq.md", "[a](methods.md#hdt-hdt)", "[a](generated/cards/hdt.md)"),
    ],
)  # fmt: skip
def test_links_lead_where_the_pages_are(origin, page, link, made):
    assert pages.relinked(link, origin, page) == made
