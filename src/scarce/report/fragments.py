"""Foreign markup on its way into the page: tables that another module wrote, and SVG files of matplotlib."""

from __future__ import annotations

import re
from html import escape
from html.parser import HTMLParser

_TAGS = frozenset(
    [
        *("table", "caption", "colgroup", "col", "thead", "tbody", "tfoot", "tr", "th", "td"),
        *("figure", "figcaption", "ul", "li", "p", "br", "abbr", "b", "strong", "i", "em", "sup", "sub", "small"),
        *("span", "code"),
    ]
)
_ATTRIBUTES = frozenset(
    ["class", "id", "scope", "colspan", "rowspan", "span", "title", "lang", "dir", "headers", "abbr"]
)
SCALE = 1.8  # CSS pixels for a point of the figure: print sizes are small on a screen


class _Checker(HTMLParser):
    def handle_starttag(self, tag, attrs):
        if tag not in _TAGS:
            raise ValueError(f"a table fragment may not hold <{tag}>")
        for name, _ in attrs:
            if name not in _ATTRIBUTES and not name.startswith(("data-", "aria-")):
                raise ValueError(f"a table fragment may not hold the attribute {name!r} (on <{tag}>)")

    def handle_decl(self, decl):
        raise ValueError("a table fragment may not hold a declaration or a comment")

    # what is a comment to this parser need not be one to a browser
    handle_comment = handle_pi = unknown_decl = handle_decl


def inline_table(fragment: str, label: str) -> str:
    """A table fragment as an element of the page: without ids, each table in a box of its own that scrolls.

    Raises
    ------
    ValueError
        Any other tag or attribute: scripts, event handlers, styles, links.
    """
    checker = _Checker(convert_charrefs=True)
    checker.feed(fragment)
    checker.close()
    text = re.sub(r"(<[a-z]+\b[^<>]*?)\sid=(\"[^\"]*\"|'[^']*'|[^\s>]+)", r"\1", fragment)
    text = re.sub(r"<table\b([^>]*)>", lambda found: _open(found.group(1), label), text)
    return text.replace("</table>", "</table></div>")


def _open(attributes: str, label: str) -> str:
    attributes = re.sub(r'\sclass="([^"]*)"', r' class="results \1"', attributes)
    if " class=" not in attributes:
        attributes += ' class="results"'
    return f'<div class="scroll" role="region" aria-label="{escape(label)}" tabindex="0"><table{attributes}>'


def inline_svg(svg: str, prefix: str, label: str) -> str:
    """An SVG file of matplotlib as an element for an HTML page.

    The prolog, the metadata and ids that nothing refers to go, the size gives way to the view box, the other ids get
    `prefix`, so that several figures can live in one page, and `label` names the figure to a screen reader.

    Raises
    ------
    ValueError
        `svg` holds no svg element, a script, or a reference to something outside.
    """
    start = svg.find("<svg")
    if start < 0:
        raise ValueError("not an SVG file: no svg element")
    text = svg[start:]
    text = re.sub(r"<metadata>.*?</metadata>", "", text, flags=re.S)
    text = re.sub(r"<!--.*?-->", "", text, flags=re.S)
    text = re.sub(r"<style\b.*?</style>", "", text, flags=re.S)  # would apply to the whole page; see page.css
    head, rest = text[: text.index(">") + 1], text[text.index(">") + 1 :]
    box = re.search(r'viewBox="[-\d. ]+"', head)
    width = re.search(r'width="([\d.]+)pt"', head)
    size = f' style="max-width:{float(width.group(1)) * SCALE:.0f}px"' if width else ""
    rest = rest.replace("xlink:href=", "href=")
    referred = set(re.findall(r'(?:\bhref="#|url\(#)([^")]+)', rest))
    rest = re.sub(r'\sid="([^"]*)"', lambda m: f' id="{prefix}-{m.group(1)}"' if m.group(1) in referred else "", rest)
    rest = re.sub(r'\bhref="#', f'href="#{prefix}-', rest)
    rest = rest.replace("url(#", f"url(#{prefix}-")
    rest = re.sub(r"\s*\n\s*", "\n", rest)
    # a hundredth of a point is enough on a screen, and half the size
    rest = re.sub(r'\sd="[^"]*"', lambda path: re.sub(r"-?\d+\.\d{3,}", _hundredths, path.group()), rest)
    if re.search(r"<(script|foreignObject|iframe)\b|\son\w+=|javascript:", rest, flags=re.I):
        raise ValueError("the SVG file holds a script")
    for target in re.findall(r'\bhref="([^"]*)"', rest):
        if not target.startswith(("#", "data:image/")):
            raise ValueError(f"the SVG file refers to something outside: {target[:60]}")
    return f'<svg {box.group(0) if box else ""}{size} role="img" aria-label="{escape(label)}">{rest.strip()}'


def _hundredths(number: re.Match[str]) -> str:
    return f"{float(number.group()):.2f}".rstrip("0").rstrip(".")
