"""What the documentation site adds to Sphinx: generated pages, links out of docs/, and formulas as MathML."""

from __future__ import annotations

from pygments.lexers.special import TextLexer

from docs.builder import pages


def setup(app):
    """Register as a Sphinx extension."""
    from docs.builder import mathml  # needs Sphinx, which tests of the other modules do without

    app.connect("source-read", pages.on_source_read)
    app.add_lexer("csv", TextLexer)
    mathml.setup(app)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
