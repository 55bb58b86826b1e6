"""Lines of a delimited text that are no rows; a Snakefile can afford to leave them out."""

from __future__ import annotations

import re

#: How people begin comments.
USUAL = ("#", "%", "//", "!")
#: The line by which Excel is told the delimiter.
_SEPARATOR = re.compile(rb'\A(?:\xef\xbb\xbf)*"?sep=[^\r\n]"?[ \t]*(?=[\r\n])', re.IGNORECASE)


def blank_comments(data: bytes, comment: str | None) -> bytes:
    """A text whose comments are blank lines, so that the others keep their numbers.

    >>> blank_comments(b"sep=;\\na;b\\n# two\\n1;2\\n", "#")
    b'\\na;b\\n\\n1;2\\n'
    """
    data = _SEPARATOR.sub(b"", data)
    if comment is None:
        return data
    return re.sub(rb"(?:\A|(?<=[\r\n]))[ \t]*" + re.escape(comment.encode()) + rb"[^\r\n]*", b"", data)
