"""The page of all finished studies: one row each, with a link to its own page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from scarce.report.page import fill


@dataclass(frozen=True)
class Finished:
    """A finished study in words.

    `page` is the path of its page from where this one is; `blocks` says what the ranks are over, `leads` which methods
    lead, `reproduction` what does not reproduce, and `missing` what failed or is not there.
    """

    name: str
    title: str
    page: str
    blocks: str
    leads: str
    reproduction: str
    missing: str


def studies_page(studies: Sequence[Finished]) -> str:
    """The page as one string of HTML."""
    return fill("studies.html", title="Finished studies", studies=studies)
