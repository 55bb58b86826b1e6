"""KEEL's .dat files, as they are found in the wild.

Headers glue name, type and range together (``integer[73,119]``, ``class{van,saab}``), values have stray blanks, lines
end in CRLF, blank lines stand anywhere, @inputs and @outputs may be absent. Nominal attributes are nominal even where
their values are digits.
"""

from __future__ import annotations

import re
from pathlib import Path

from pubench.data.readers.text import finish, read_lines
from pubench.data.tables import Table
from pubench.errors import DataError

_ATTRIBUTE = re.compile(
    r"""@attribute\s+ (?P<name> '[^']*' | "[^"]*" | [^\s{\[]+ ) \s* (?P<type> real | integer | \{.*\} )""",
    re.IGNORECASE | re.VERBOSE,
)


def read_keel(paths: list[Path], options: dict) -> Table:
    """Read one KEEL file.

    Parameters
    ----------
    paths : list of Path
        One path.
    options : dict
        ``missing``: texts of a missing cell; ``target``: class column, else @outputs, else the last attribute.

    Raises
    ------
    DataError
        With file and line, where the header or a row cannot be read.
    """
    (path,) = paths
    missing = set(options.get("missing", ["?", "<null>"]))
    names: list[str] = []
    levels: list[list[str] | None] = []
    outputs: list[str] = []
    rows: list[list[str | None]] = []
    lines: list[int] = []
    in_data = False
    for number, line in enumerate(read_lines(path), start=1):
        line = line.strip()
        where = f"{path.name}:{number}"
        if not line or (line.startswith(("%", "#")) and not in_data):
            continue
        if not in_data:
            word = line.split(maxsplit=1)[0].lower()
            if word == "@data":
                in_data = True
            elif word.startswith("@attribute"):
                name, values = _attribute(line, where)
                names.append(name)
                levels.append(values)
            elif word in ("@output", "@outputs"):
                outputs = [name.strip() for name in line.split(maxsplit=1)[-1].split(",")]
            elif not line.startswith("@"):
                raise DataError(f"a header line must begin with @, this is {line[:40]!r}", where=where)
            continue
        cells = [cell.strip() for cell in line.split(",")]
        if len(cells) != len(names):
            raise DataError(f"{len(cells)} values, the header declares {len(names)} attributes", where=where)
        rows.append([None if cell in missing else cell for cell in cells])
        lines.append(number)
    if not rows:
        raise DataError("no rows" if in_data else "there is no @data line", where=path.name)
    columns = [finish(path, name, [row[i] for row in rows], lines, levels[i]) for i, name in enumerate(names)]
    target = outputs[-1] if outputs and outputs[-1] in names else names[-1]
    return Table(names, columns, [values is not None for values in levels], target)


def _attribute(line: str, where: str) -> tuple[str, list[str] | None]:
    match = _ATTRIBUTE.match(line)
    if match is None:
        raise DataError(f"this attribute is neither real, integer nor a list in braces: {line[:60]!r}", where=where)
    name = match["name"].strip("'\"")
    if not match["type"].startswith("{"):
        return name, None
    return name, [value.strip() for value in match["type"][1:-1].split(",")]
