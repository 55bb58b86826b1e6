"""SVG files of matplotlib as elements of the page."""

from __future__ import annotations

import re
from html import escape

SCALE = 1.8  # CSS pixels for a point of the figure: print sizes are small on a screen


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
