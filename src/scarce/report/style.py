"""How every figure of the report looks: one palette, one set of sizes, one way to write files.

Figures are `matplotlib.figure.Figure` objects that never pass through pyplot, so neither a display nor a
backend setting plays a part, and a reader's own matplotlibrc does not either.
"""

from __future__ import annotations

import atexit
import colorsys
import functools
import tempfile
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import matplotlib
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.font_manager import FontEntry, FontProperties, fontManager
from matplotlib.textpath import TextPath

from scarce import files
from scarce.report.results import DisplayMethod

WIDTH = 7.0  # inches: the text width of an A4 page
INK, MUTED, GRID, PAPER = "#1f2430", "#5b6270", "#e3e6ea", "#ffffff"
ALERT, CALM = "#D55E00", "#0072B2"
LABELED, HIDDEN, NEGATIVE = "#0072B2", "#E69F00", "#9aa1ac"

# Okabe and Ito (2008), in an order that keeps neighbours apart for colour-blind readers; yellow is too pale for lines.
PALETTE = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#4d4d4d")
MARKERS = ("o", "s", "^", "D", "v", "P", "X")
DASHES = ((0, ()), (0, (5, 1.5)), (0, (1.5, 1.5)), (0, (5, 1.5, 1.5, 1.5)))

FONT = "DejaVu Sans"  # shipped with matplotlib, so the same on every machine
_RC = {
    "font.size": 8.0,
    "axes.titlesize": 9.0,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.labelsize": 8.0,
    "xtick.labelsize": 7.5,
    "ytick.labelsize": 7.5,
    "legend.fontsize": 7.5,
    "legend.frameon": False,
    "text.color": INK,
    "text.parse_math": False,  # a method called "a$b$" is a name, not a formula
    "axes.labelcolor": INK,
    "axes.titlecolor": INK,
    "axes.edgecolor": MUTED,
    "xtick.color": MUTED,
    "ytick.color": MUTED,
    "xtick.labelcolor": INK,
    "ytick.labelcolor": INK,
    "axes.linewidth": 0.6,
    "xtick.major.width": 0.6,
    "ytick.major.width": 0.6,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "grid.color": GRID,
    "grid.linewidth": 0.6,
    "figure.facecolor": PAPER,
    "savefig.facecolor": PAPER,
    "savefig.dpi": 160,
    "svg.fonttype": "path",  # letters as shapes: a reader's fonts cannot move or cut a label
    "svg.hashsalt": "scarce",
    "svg.id": None,
    "pdf.fonttype": 42,
}


@dataclass(frozen=True)
class Look:
    """Colour, marker and dash pattern of a method."""

    colour: str
    marker: str
    dash: tuple


def family_colours(families: Iterable[str]) -> dict[str, str]:
    """Colour of each family, by first appearance: a family added at the end changes no other colour."""
    return {family: _colour(place) for place, family in enumerate(dict.fromkeys(families))}


def _colour(index: int) -> str:
    """Past the palette, hues follow the golden ratio, so any number of families gets distinct colours."""
    if index < len(PALETTE):
        return PALETTE[index]
    hue = (0.13 + 0.6180339887498949 * index) % 1.0
    return matplotlib.colors.to_hex(colorsys.hls_to_rgb(hue, 0.38, 0.55))


def looks(methods: Iterable[DisplayMethod]) -> dict[str, Look]:
    """Look of each method by name: the family gives the colour, the place in the family marker and dash."""
    methods = list(methods)
    colours, seen, result = family_colours(m.family for m in methods), {}, {}
    for method in methods:
        place = seen[method.family] = seen.get(method.family, -1) + 1
        result[method.name] = Look(colours[method.family], MARKERS[place % len(MARKERS)], DASHES[place % len(DASHES)])
    return result


def styled(draw: Callable[..., Figure]) -> Callable[..., Figure]:
    """Draw under the style of this module and under no other."""

    @functools.wraps(draw)
    def wrapper(*args, **kwargs):
        with context():
            return draw(*args, **kwargs)

    return wrapper


def context():
    """matplotlib's defaults and, over them, the settings of this module."""
    settings = {key: value for key, value in matplotlib.rcParamsDefault.items() if not key.startswith("backend")}
    return matplotlib.rc_context({**settings, **_RC, "font.family": [_small_font(), FONT]})


@functools.cache
def _small_font() -> str:
    """Family of a copy of the font with the letters of European languages, Greek and common signs only.

    A PDF embeds the letters that it uses. To cut them out of the whole font takes longer than to draw a figure; out
    of the copy it takes a tenth of that. Letters that the copy lacks are taken from the whole font.
    """
    from fontTools import subset

    folder = tempfile.TemporaryDirectory(prefix="scarce-fonts-")
    atexit.register(folder.cleanup)
    family = f"{FONT} Small"
    letters = [*range(0x20, 0x180), *range(0x370, 0x400), *range(0x2010, 0x2050), *range(0x2190, 0x22FF), 0x2713]
    for style, weight in (("normal", 400), ("normal", 700), ("oblique", 400)):
        # kerning stays; the tables of layout features, which matplotlib does not read, go
        options = subset.Options(legacy_kern=True, layout_features=[], glyph_names=True, recommended_glyphs=True)
        options.drop_tables += ["FFTM", "PfEd"]
        whole = fontManager.findfont(FontProperties(family=[FONT], style=style, weight=weight))
        copy = Path(folder.name) / f"{style}-{weight}.ttf"
        with subset.load_font(whole, options) as font:
            subsetter = subset.Subsetter(options)
            subsetter.populate(unicodes=letters)
            subsetter.subset(font)
            font.save(copy)
        face = {"style": style, "weight": weight, "variant": "normal", "stretch": "normal", "size": "scalable"}
        fontManager.ttflist.append(FontEntry(fname=str(copy), name=family, **face))
    return family


def panel(figure: Figure, left: float, bottom: float, width: float, height: float, **settings) -> Axes:
    """Axes whose frame is given in inches from the lower left corner of the figure."""
    across, up = figure.get_size_inches()
    return figure.add_axes((left / across, bottom / up, width / across, height / up), **settings)


def canvas(width: float, height: float) -> tuple[Figure, Axes]:
    """A figure, and axes over all of it whose units are inches from the lower left corner."""
    figure = Figure(figsize=(width, height))
    axes = panel(figure, 0, 0, width, height, xlim=(0, width), ylim=(0, height))
    axes.axis("off")
    return figure, axes


def widest(texts: Iterable[str], size: float, weight: str = "normal") -> float:
    """Width of the longest of some lines of text, in inches; 0 without texts."""
    return max((text_width(text, size, weight) for text in texts), default=0.0)


def readable(background: tuple[float, ...]) -> str:
    """Ink or white, whichever has the larger contrast (WCAG) on `background`, given as RGB in [0, 1]."""

    def luminance(colour) -> float:
        linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in colour[:3]]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    ground, ink = luminance(background), luminance(matplotlib.colors.to_rgb(INK))
    return "#ffffff" if 1.05 / (ground + 0.05) > (ground + 0.05) / (ink + 0.05) else INK


@functools.cache
def text_width(text: str, size: float, weight: str = "normal") -> float:
    """Width of one line of text in inches."""
    if not text.strip():
        return 0.0
    font = FontProperties(family=[FONT], size=size, weight=weight)
    return TextPath((0, 0), text.replace("$", r"\$"), prop=font).get_extents().x1 / 72


def spread(positions: Sequence[float], gap: float, low: float, high: float) -> list[float]:
    """Positions moved as little as needed so that neighbours are `gap` apart and all lie in [low, high].

    Where the room is too small the gap shrinks to what fits. Order is kept; ties keep the order given.
    """
    count = len(positions)
    if count > 1:
        gap = min(gap, (high - low) / (count - 1))
    order = sorted(range(count), key=lambda i: positions[i])
    # Pool adjacent violators on positions with the gaps taken out: the least-squares answer.
    blocks: list[list[float]] = []
    for place, i in enumerate(order):
        blocks.append([positions[i] - place * gap, 1])
        while len(blocks) > 1 and blocks[-2][0] > blocks[-1][0]:
            (first, m), (second, n) = blocks[-2:]
            blocks[-2:] = [[(first * m + second * n) / (m + n), m + n]]
    flat = [value for value, n in blocks for _ in range(int(n))]
    top = high - (count - 1) * gap
    result = [0.0] * count
    for place, i in enumerate(order):
        result[i] = min(max(flat[place], low), max(top, low)) + place * gap
    return result


def save(figure: Figure, stem: str | Path) -> list[Path]:
    """Write `figure` as ``<stem>.svg``, ``.pdf`` and ``.png``, each atomically and without dates."""
    stem = Path(stem)
    _number_gids(figure)
    written = []
    with context():
        for suffix, metadata in (
            ("svg", {"Date": None, "Creator": None}),
            ("pdf", {"CreationDate": None, "Creator": None, "Producer": None}),
            ("png", {"Software": None}),
        ):
            path = stem.with_name(f"{stem.name}.{suffix}")
            with files.atomic(path) as handle:
                figure.savefig(handle, format=suffix, metadata=metadata)
            written.append(path)
    return written


def _number_gids(figure: Figure) -> None:
    """A gid becomes an id of the SVG file, where none may occur twice."""
    seen: dict[str, int] = {}
    for artist in figure.findobj():
        gid = artist.get_gid()
        if gid is not None:
            seen[gid] = seen.get(gid, 0) + 1
            if seen[gid] > 1:
                artist.set_gid(f"{gid}--{seen[gid]}")
