"""Formulas as MathML, which browsers draw themselves: no script and no font is loaded from anywhere."""

from __future__ import annotations

import re

from docutils import nodes
from docutils.utils.math import MathError
from docutils.utils.math.latex2mathml import tex2mathml
from sphinx.util import logging

#: Commands that the converter lacks, each with one that it has.
SAME = {r"\\dots\b": r"\\ldots", r"\\[Bb]ig[lr]?\b": "", r"\\frac(\d)(\d)": r"\\frac{\1}{\2}"}

logger = logging.getLogger(__name__)


def converted(tex: str, *, as_block: bool, place: object = None) -> str:
    """A formula as MathML; what cannot be converted is a warning, and is shown as it is written."""
    for command, same in SAME.items():
        tex = re.sub(command, same, tex)
    try:
        return tex2mathml(tex.strip(), as_block=as_block)
    except MathError as error:
        logger.warning("formula %r: %s", tex, error, location=place)
        return f"<code>{tex}</code>"


def _inline(self, node) -> None:
    self.body.append(converted(node.astext(), as_block=False, place=node))
    raise nodes.SkipNode


def _block(self, node) -> None:
    self.body.append(f'<div class="math">{converted(node.astext(), as_block=True, place=node)}</div>')
    raise nodes.SkipNode


def setup(app) -> None:
    """Register the renderer."""
    app.add_html_math_renderer("mathml", (_inline, None), (_block, None))
