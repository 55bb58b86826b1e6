"""KEEL's .dat files, as they are found in the wild.

Headers glue name, type and range together (``integer[73,119]``, ``class{van,saab}``), values have stray blanks, lines
end in CRLF, blank lines and comments stand anywhere, @inputs and @outputs may be absent. Nominal attributes are nominal
even where their values are digits.
"""

from __future__ import annotations

import re
from pathlib import Path

from scarce.data.readers.text import finish, read_lines, split_cells, split_quoted
from scarce.data.tables import Table, check_names
from scarce.errors import DataError

_ATTRIBUTE = re.compile(
    r"""@attribute\s+ (?P<name> '[^']*' | "[^"]*" | [^\s{\[]+ ) \s* (?P<type> real | integer | numeric | \{.*\} )""",
    re.IGNORECASE | re.VERBOSE,
)


def read_keel(path: Path, options: dict) -> Table:
    """Read one KEEL file.

    Parameters
    ----------
    path : Path
    options : dict
        ``missing``: texts of a missing cell; ``target``: class column, else the last of @outputs, else the last
        attribute. Where @inputs or @outputs are there, other attributes than the inputs and the class are left out.

    Raises
    ------
    DataError
        With file and line, where the header or a row cannot be read.
    """
    missing = set(options.get("missing", ["?", "<null>"]))
    names: list[str] = []
    levels: list[list[str] | None] = []
    inputs: list[tuple[str, str]] = []  # and where they are listed
    outputs: list[tuple[str, str]] = []
    rows: list[list[str | None]] = []
    lines: list[int] = []
    in_data = False
    for number, line in enumerate(read_lines(path), start=1):
        line = line.strip()
        where = f"{path.name}:{number}"
        if not line or (line.startswith(("%", "#")) and not _is_a_row(line, levels, in_data)):
            continue
        if not in_data:
            word = line.split(maxsplit=1)[0].lower()
            if word == "@data":
                in_data = True
            elif word.startswith("@attribute"):
                name, values = _attribute(line, where)
                names.append(name)
                levels.append(values)
            elif word in ("@input", "@inputs", "@output", "@outputs"):
                listed = [(name, where) for name, _ in split_quoted(line[len(word) :], where)]
                (inputs if word.startswith("@i") else outputs).extend(listed)
            elif not line.startswith("@"):
                raise DataError(f"a header line must begin with @, this is {line[:40]!r}", where=where)
            continue
        rows.append(split_cells(line, missing, names, where))
        lines.append(number)
    if not rows:
        raise DataError("no rows" if in_data else "there is no @data line", where=path.name)
    check_names(names, path.name)
    columns = [finish(path, name, [row[i] for row in rows], lines, levels[i]) for i, name in enumerate(names)]
    for name, where in [*inputs, *outputs]:
        if name not in names:
            raise DataError(f"{name!r} is listed here and is no attribute", where=where)
    target = outputs[-1][0] if outputs else names[-1]
    used = {target, options.get("target"), *({name for name, _ in inputs} or {*names} - {name for name, _ in outputs})}
    table = Table(names, columns, [values is not None for values in levels], target)
    return table.select([name for name in names if name in used])


def _is_a_row(line: str, levels: list[list[str] | None], in_data: bool) -> bool:
    """Whether a line that begins like a comment is a row, whose first value begins so."""
    return in_data and bool(levels) and line.partition(",")[0].strip() in (levels[0] or ())


def _attribute(line: str, where: str) -> tuple[str, list[str] | None]:
    match = _ATTRIBUTE.match(line)
    if match is None:
        raise DataError(f"this attribute is neither real, integer nor a list in braces: {line[:60]!r}", where=where)
    name = match["name"].strip("'\"")
    if not match["type"].startswith("{"):
        return name, None
    return name, [value for value, _ in split_quoted(match["type"][1:-1], where)]
