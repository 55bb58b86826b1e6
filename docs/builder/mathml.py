"""Formulas as MathML, which browsers draw themselves: no script and no font is loaded from anywhere."""

from __future__ import annotations

import re

from docutils import nodes
from docutils.utils.math import MathError
from docutils.utils.math.latex2mathml import tex2mathml
from sphinx.util import logging

#: Commands that the converter lacks, each with one that it has.
SAME = {r"\\dots\b": r"\\ldots", r"\\[Bb]ig[lr]?\b": "", r"\\frac(\d)(\d)": r"\\frac{\1}{\2}"}
#: What the converter makes, and the same with the spaces of print: bars are fences, a function stands off an argument.
SPACED = {
    r"<mo[^>]*>([|‖])</mo>": r'<mo lspace="0" rspace="0" stretchy="false">\1</mo>',
    r"(&ApplyFunction;</mo>)(?=\s*<(?:mi|mn|mfrac|msub)>)": r'\1<mspace width="0.17em"></mspace>',
}

logger = logging.getLogger(__name__)


def converted(tex: str, *, as_block: bool, place: object = None) -> str:
    """A formula as MathML; what cannot be converted is a warning, and is shown as it is written."""
    for command, same in SAME.items():
        tex = re.sub(command, same, tex)
    try:
        made = tex2mathml(tex.strip(), as_block=as_block)
    except MathError as error:
        logger.warning("formula %r: %s", tex, error, location=place)
        return f"<code>{tex}</code>"
    for pattern, spaced in SPACED.items():
        made = re.sub(pattern, spaced, made)
    return made


def _inline(self, node) -> None:
    self.body.append(converted(node.astext(), as_block=False, place=node))
    raise nodes.SkipNode


def _block(self, node) -> None:
    self.body.append(f'<div class="math">{converted(node.astext(), as_block=True, place=node)}</div>')
    raise nodes.SkipNode


def setup(app) -> None:
    """Register the renderer."""
    app.add_html_math_renderer("mathml", (_inline, None), (_block, None))
