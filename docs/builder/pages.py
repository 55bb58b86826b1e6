"""Pages that stand outside docs/ and links between all of them.

A Markdown file of the repository links to others by their paths there, so that it can be read where it stands. In the
site some of these files are pages, others are not: a link to one of the former leads to its page, and a link to one of
the latter is its words alone.
"""

from __future__ import annotations

import os
import posixpath
import re
from pathlib import Path

from docs.builder import cards, reference

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
#: Pages that the builder writes, below docs/.
GENERATED = "generated"
#: In place of a comment, a page gets a section of a file, or the links to what scarce made while the site was built.
SECTION = re.compile(r'<!-- section "([^"]+)" of (\S+) -->')
MADE = {
    "<!-- made: advice -->": '<a href="live/advise/advise.html">Here it is, made while this site was built.</a>',
    "<!-- made: results -->": '<p><a href="live/results/results/smoke/report.html">Results of the study smoke</a> · '
    '<a href="live/advise/advise.html">Advice on the CSV file of the tutorial</a></p>',
}
LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)")


def outside() -> dict[str, str]:
    """What stands elsewhere and has a page in the site: path -> page, both from the repository's root."""
    pages = {
        name: f"docs/{GENERATED}/project/{name.lower()}" for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")
    }
    pages["docs/gallery"] = f"docs/{GENERATED}/gallery/index.rst"
    for path in sorted(ROOT.glob("src/scarce/papers/*/README.md")):
        pages[path.relative_to(ROOT).as_posix()] = f"docs/{GENERATED}/papers/{path.parent.name}.md"
    return pages


def relinked(text: str, origin: str, page: str) -> str:
    """A Markdown text of the file `origin` with the links that it needs as the page `page` (paths from the root)."""
    pages, sections = outside(), cards.anchors()

    def relink(match: re.Match) -> str:
        image, words, target = match.groups()
        if ":" in target.partition("/")[0]:
            return match[0]
        name, mark, anchor = target.partition("#")
        path = posixpath.normpath(posixpath.join(posixpath.dirname(origin), name)) if name else origin
        if path == cards.SOURCE and anchor in sections:
            path, anchor = f"docs/{GENERATED}/cards/{sections[anchor]}.md", ""
        path = pages.get(path, path)
        if not path.startswith("docs/") or path.endswith("/"):
            return words
        if path == page:
            return match[0] if not name else f"{image}[{words}](#{anchor})"
        mark = "#" if anchor else ""
        return f"{image}[{words}]({posixpath.relpath(path, posixpath.dirname(page))}{mark}{anchor})"

    return "".join(part if code else LINK.sub(relink, part) for code, part in _parts(text))


def _parts(text: str) -> list[tuple[bool, str]]:
    """Text and fenced code in turn, each with whether it is code."""
    return [
        (place % 2 == 1, part) for place, part in enumerate(re.split(r"(^ *```.*?^ *```$)", text, flags=re.M | re.S))
    ]


def on_source_read(app, docname: str, source: list[str]) -> None:
    """Sphinx's event: a page that stands in docs/ gets the links of the site, the page of methods loses its cards."""
    path = f"docs/{docname}.md"
    if docname.startswith(f"{GENERATED}/") or not (ROOT / path).exists():
        return
    if path == cards.SOURCE:
        source[0] = cards.without_cards(source[0])
    for comment, made in MADE.items():
        source[0] = source[0].replace(comment, made)
    text = relinked(source[0], path, path)
    source[0] = SECTION.sub(lambda match: relinked(_section(match[1], match[2]), match[2], path), text)


def _section(title: str, origin: str) -> str:
    """The text under a heading of level 2 of a file."""
    text = (ROOT / origin).read_text(encoding="utf-8")
    return text.partition(f"\n## {title}\n")[2].partition("\n## ")[0].strip()


def write() -> None:
    """Write every generated page; one that stays as it was keeps its time, so that Sphinx need not read it again."""
    made: dict[str, str] = {}
    for origin, page in outside().items():
        if origin.endswith(".md"):
            made[page] = relinked((ROOT / origin).read_text(encoding="utf-8"), origin, page)
    for name, text in cards.pages().items():
        page = f"docs/{GENERATED}/cards/{name}.md"
        made[page] = relinked(text, cards.SOURCE, page)
    made |= {f"docs/{GENERATED}/api/{name}": text for name, text in reference.pages().items()}
    for page, text in made.items():
        path = ROOT / page
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
    for folder in ("project", "papers", "cards", "api"):
        for path in (DOCS / GENERATED / folder).glob("*"):
            if os.path.relpath(path, ROOT) not in made:
                path.unlink()
