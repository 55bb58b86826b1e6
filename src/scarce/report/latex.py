"""Any text as LaTeX that compiles without further packages.

Letters for which pdflatex has no glyph stay themselves, for lualatex and xelatex with a font that has them. Definitions
before the text let pdflatex print their code points, such as [U+041B], unless the document sets these letters up.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence

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
    "\N{SUPERSCRIPT MINUS}": "^-",
    "\N{SUBSCRIPT MINUS}": "_-",
    "\N{SINGLE LEFT-POINTING ANGLE QUOTATION MARK}": r"\langle",
    "\N{SINGLE RIGHT-POINTING ANGLE QUOTATION MARK}": r"\rangle",
    "\N{LEFT-POINTING DOUBLE ANGLE QUOTATION MARK}": r"\ll",
    "\N{RIGHT-POINTING DOUBLE ANGLE QUOTATION MARK}": r"\gg",
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


for _digit in range(10):
    _word = unicodedata.name(str(_digit)).removeprefix("DIGIT ")
    _MATHS[unicodedata.lookup(f"SUBSCRIPT {_word}")] = f"_{_digit}"
    _MATHS[unicodedata.lookup(f"SUPERSCRIPT {_word}")] = f"^{_digit}"

#: Letters for which pdflatex knows a command that the encoding T1 has and its first one, OT1, has not.
_ONLY_T1 = {"Đ": "DJ", "đ": "dj", "Ð": "DH", "ð": "dh", "Þ": "TH", "þ": "th", "Ŋ": "NG", "ŋ": "ng"}
_ONLY_T1 |= {"\N{DOUBLE LOW-9 QUOTATION MARK}": "quotedblbase", "\N{SINGLE LOW-9 QUOTATION MARK}": "quotesinglbase"}
_OGONEK = "\N{COMBINING OGONEK}"
#: A character with the combining ones that follow it.
_CLUSTER = re.compile("(?s).[\u0300-\u036f]*")


def escape(text: object) -> str:
    r"""Text, composed (NFC), as LaTeX; a letter for which pdflatex has no glyph stays itself.

    A bracket or star at the beginning is no argument of the line break before it.

    >>> escape("ADASYN & RF: 5 % of x_1")
    'ADASYN \\& RF: 5 \\% of x\\_1'
    """
    escaped = "".join(map(_cluster, _CLUSTER.findall(unicodedata.normalize("NFC", str(text)))))
    return "{}" + escaped if escaped.lstrip().startswith(("[", "*")) else escaped


def escape_apart(texts: Sequence[str]) -> list[str]:
    """Names as LaTeX, different for different names: of those that would be equal, all but ASCII as code points."""
    escaped = {text: escape(text) for text in texts}
    counts = Counter(escaped.values())
    return [_exact(text) if counts[escaped[text]] > 1 else escaped[text] for text in texts]


def caption(text: str) -> str:
    """The command for a caption; a list of tables, which stands before the definitions, gets code points."""
    escaped = escape(text)
    return rf"\caption[{{{_exact(text)}}}]{{{escaped}}}" if without_glyph([escaped]) else rf"\caption{{{escaped}}}"


def _exact(text: str) -> str:
    return escape("".join(letter if letter.isascii() else f"[{_code_point(letter)}]" for letter in text))


def without_glyph(texts: Iterable[str]) -> list[str]:
    """The letters of texts in LaTeX for which pdflatex has no glyph, in order."""
    return sorted({letter for text in texts for letter in text if not letter.isascii()})


def definitions(letters: Iterable[str]) -> list[str]:
    """Lines that let pdflatex print code points in place of letters, unless the document sets these up."""
    lines = []
    for letter in letters:
        code = f"[{_code_point(letter)}]"
        if _OGONEK in unicodedata.normalize("NFD", letter):
            lines.append(rf"\ProvideTextCommandDefault{{\k}}[1]{{#1[{_code_point(_OGONEK)}]}}")
        elif letter in _ONLY_T1:
            lines.append(rf"\ProvideTextCommandDefault{{\{_ONLY_T1[letter]}}}{{{code}}}")
        else:
            name = rf"\csname u8:\detokenize{{{letter}}}\endcsname"
            lines.append(rf"\expandafter\providecommand{name}{{{code}}}")
    return (
        [
            f"% Letters without a glyph in pdflatex's fonts: {' '.join(letters)}",
            "% lualatex and xelatex print them in a font that has them.",
            r"\ifdefined\Umathchar\else",
            *dict.fromkeys(lines),
            r"\fi",
        ]
        if lines
        else []
    )


def _code_point(letter: str) -> str:
    return f"U+{ord(letter):04X}"


def _cluster(cluster: str) -> str:
    """A character and the combining ones that follow it."""
    base, *marks = unicodedata.normalize("NFD", cluster)
    if len(marks) == 1 and marks[0] in _ACCENTS and base.isascii() and base.isalpha():
        return f"\\{_ACCENTS[marks[0]]}{{{base}}}"
    return "".join(map(_character, cluster))


def _character(character: str) -> str:
    if character in _CHARACTERS:
        return _CHARACTERS[character]
    if character in _MATHS:
        return f"${_MATHS[character]}$"
    if character.isspace():
        return " "
    if unicodedata.category(character) == "Cc":
        return ""
    plain = unicodedata.normalize("NFKD", character)
    return character if character.isascii() or not plain.isascii() else "".join(map(_character, plain))
