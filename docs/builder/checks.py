"""Checks of the built site: links and anchors, texts of images, and that nothing is loaded from a network.

`python -m docs.builder.checks build/docs` prints what is wrong and ends with 1, or lists the links to other sites.
"""

from __future__ import annotations

import posixpath
import re
import sys
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

#: Elements whose address a browser loads by itself, with the attribute that holds it.
LOADED = {
    "audio": ("src",),
    "embed": ("src",),
    "iframe": ("src",),
    "image": ("href", "xlink:href"),
    "img": ("src", "srcset"),
    "input": ("src",),
    "link": ("href",),
    "object": ("data",),
    "script": ("src",),
    "source": ("src", "srcset"),
    "track": ("src",),
    "video": ("src", "poster"),
}
#: Relations of <link> that a browser loads nothing for.
IDLE = {"author", "canonical", "help", "index", "license", "next", "prev", "search"}
IN_CSS = re.compile(r"url\(\s*['\"]?([^'\")]+)|@import\s+['\"]([^'\"]+)")
FROM_ELSEWHERE = re.compile(r"^(?:https?:)?//", re.IGNORECASE)


@dataclass
class Page(HTMLParser):
    """What one page has and what it leads to."""

    anchors: set[str] = field(default_factory=set)
    links: list[str] = field(default_factory=list)
    loads: list[str] = field(default_factory=list)
    silent: list[str] = field(default_factory=list)
    _style: bool = False

    def __post_init__(self) -> None:
        super().__init__()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        have = {name: value or "" for name, value in attrs}
        self.anchors |= {have[name] for name in ("id", "name") if have.get(name)}
        self._style = tag == "style"
        if tag == "a" and have.get("href"):
            self.links.append(have["href"])
        decorates = have.get("src", "").endswith("_thumb.png")  # it stands beside the title that it leads to
        if tag == "img" and not have.get("alt", "").strip() and not decorates:
            self.silent.append(have.get("src", "")[:80])
        if tag != "link" or not IDLE & set(have.get("rel", "").split()):
            self.loads += [have[name] for name in LOADED.get(tag, ()) if have.get(name)]
        self.loads += _in_css(have.get("style", ""))

    def handle_data(self, data: str) -> None:
        if self._style:
            self.loads += _in_css(data)

    def handle_endtag(self, tag: str) -> None:
        self._style = False


def _in_css(text: str) -> list[str]:
    return [first or second for first, second in IN_CSS.findall(text)]


def read(site: Path) -> dict[str, Page]:
    """Every page of a built site by its path."""
    pages = {}
    for path in sorted(site.rglob("*.html")):
        page = pages[path.relative_to(site).as_posix()] = Page()
        page.feed(path.read_text(encoding="utf-8"))
    return pages


def problems(site: Path) -> list[str]:
    """What is wrong with a built site, a line each."""
    pages = read(site)
    found = [line for name, page in pages.items() for line in _of_page(site, pages, name, page)]
    for path in sorted(site.rglob("*.css")):
        loads = [one for one in _in_css(path.read_text(encoding="utf-8")) if FROM_ELSEWHERE.match(one)]
        found += [f"{path.relative_to(site)}: loads {one}" for one in loads]
    return found or ([] if pages else [f"{site}: no page"])


def _of_page(site: Path, pages: dict[str, Page], name: str, page: Page) -> list[str]:
    found = [f"{name}: loads {one}" for one in page.loads if FROM_ELSEWHERE.match(one)]
    found += [f"{name}: an image without a text: {one}" for one in page.silent]
    for link in dict.fromkeys(page.links + [one for one in page.loads if " " not in one]):
        parts = urlsplit(link)
        if parts.scheme or parts.netloc:
            continue
        path = unquote(parts.path)
        target = posixpath.normpath(posixpath.join(posixpath.dirname(name), path)) if path else name
        if not (site / target).is_file():
            found.append(f"{name}: {link} leads nowhere")
        elif parts.fragment and target in pages and unquote(parts.fragment) not in pages[target].anchors:
            found.append(f"{name}: {link} has no such place")
    return found


def elsewhere(site: Path) -> list[str]:
    """Links to other sites, sorted; nothing asks whether they answer."""
    return sorted({link for page in read(site).values() for link in page.links if FROM_ELSEWHERE.match(link)})


def main(arguments: list[str]) -> int:
    site = Path(arguments[0])
    wrong = problems(site)
    print(*(wrong or ["Links to other sites:", *elsewhere(site)]), sep="\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
