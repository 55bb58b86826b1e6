"""Any text as LaTeX that pdflatex compiles without further packages."""

from __future__ import annotations

import unicodedata

_ACCENTS = {
    "\N{COMBINING GRAVE ACCENT}": "`",
    "\N{COMBINING ACUTE ACCENT}": "'",
    "\N{COMBINING CIRCUMFLEX ACCENT}": "^",
    "\N{COMBINING TILDE}": "~",
    "\N{COMBINING MACRON}": "=",
    "\N{COMBINING BREVE}": "u",
    "\N{COMBINING DOT ABOVE}": ".",
    "\N{COMBINING DIAERESIS}": '"',
    "\N{COMBINING RING ABOVE}": "r",
    "\N{COMBINING DOUBLE ACUTE ACCENT}": "H",
    "\N{COMBINING CARON}": "v",
    "\N{COMBINING CEDILLA}": "c",
    "\N{COMBINING DOT BELOW}": "d",
}

_CHARACTERS = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "%": r"\%",
    "#": r"\#",
    "_": r"\_",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': "''",  # a straight one needs the T1 encoding
    "\N{NO-BREAK SPACE}": "~",
    "\N{NARROW NO-BREAK SPACE}": r"\,",
    "\N{EN DASH}": "--",
    "\N{EM DASH}": "---",
    "\N{HORIZONTAL ELLIPSIS}": r"\dots{}",
    "\N{LEFT SINGLE QUOTATION MARK}": "`",
    "\N{RIGHT SINGLE QUOTATION MARK}": "'",
    "\N{LEFT DOUBLE QUOTATION MARK}": "``",
    "\N{RIGHT DOUBLE QUOTATION MARK}": "''",
    "\N{LATIN SMALL LETTER SHARP S}": r"\ss{}",
    "\N{LATIN SMALL LETTER AE}": r"\ae{}",
    "\N{LATIN CAPITAL LETTER AE}": r"\AE{}",
    "\N{LATIN SMALL LIGATURE OE}": r"\oe{}",
    "\N{LATIN CAPITAL LIGATURE OE}": r"\OE{}",
    "\N{LATIN SMALL LETTER O WITH STROKE}": r"\o{}",
    "\N{LATIN CAPITAL LETTER O WITH STROKE}": r"\O{}",
    "\N{LATIN SMALL LETTER L WITH STROKE}": r"\l{}",
    "\N{LATIN CAPITAL LETTER L WITH STROKE}": r"\L{}",
    "\N{LATIN SMALL LETTER DOTLESS I}": r"\i{}",
    "\N{SECTION SIGN}": r"\S{}",
    "\N{DAGGER}": r"\dag{}",
}

_MATHS = {
    "\N{PLUS-MINUS SIGN}": r"\pm",
    "\N{MINUS SIGN}": "-",
    "\N{MULTIPLICATION SIGN}": r"\times",
    "\N{MIDDLE DOT}": r"\cdot",
    "\N{LESS-THAN OR EQUAL TO}": r"\leq",
    "\N{GREATER-THAN OR EQUAL TO}": r"\geq",
    "\N{NOT EQUAL TO}": r"\neq",
    "\N{ALMOST EQUAL TO}": r"\approx",
    "\N{INFINITY}": r"\infty",
    "\N{RIGHTWARDS ARROW}": r"\rightarrow",
    "\N{DEGREE SIGN}": r"^{\circ}",
    "\N{SUPERSCRIPT TWO}": "^2",
    "\N{CHECK MARK}": r"\surd",
    "\N{MICRO SIGN}": r"\mu",
}
_GREEK = [
    "alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota", "kappa", "lambda", "mu", "nu", "xi",
    "pi", "rho", "sigma", "tau", "upsilon", "phi", "chi", "psi", "omega",
]  # fmt: skip
_OWN_CAPITAL = {"gamma", "delta", "theta", "lambda", "xi", "pi", "sigma", "upsilon", "phi", "psi", "omega"}
for _name in _GREEK:
    _letter = "LAMDA" if _name == "lambda" else _name.upper()  # as Unicode spells it
    _MATHS[unicodedata.lookup(f"GREEK SMALL LETTER {_letter}")] = f"\\{_name}"
    if _name in _OWN_CAPITAL:
        _MATHS[unicodedata.lookup(f"GREEK CAPITAL LETTER {_letter}")] = f"\\{_name.capitalize()}"


def escape(text: object) -> str:
    r"""Text as LaTeX; a character that plain pdflatex has no glyph for becomes a question mark.

    A bracket or star at the beginning is no argument of the line break before it.

    >>> escape("ADASYN & RF: 5 % of x_1")
    'ADASYN \\& RF: 5 \\% of x\\_1'
    """
    escaped = "".join(map(_character, str(text)))
    return "{}" + escaped if escaped.lstrip().startswith(("[", "*")) else escaped


def _character(character: str) -> str:
    if character in _CHARACTERS:
        return _CHARACTERS[character]
    if character in _MATHS:
        return f"${_MATHS[character]}$"
    if character.isspace():
        return " "
    if " " <= character <= "~":
        return character
    base, *marks = unicodedata.normalize("NFD", character)
    if len(marks) == 1 and marks[0] in _ACCENTS and base.isascii() and base.isalpha():
        return f"\\{_ACCENTS[marks[0]]}{{{base}}}"
    plain = unicodedata.normalize("NFKD", character)
    return "".join(map(_character, plain)) if plain != character and plain.isascii() else "?"
