"""What is doubtful of a prepared table: columns of row numbers, classes or codes; copies of tables."""

from __future__ import annotations

import hashlib
import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set

import numpy as np

from scarce.data.cells import is_code, numbers_as_levels, remedy
from scarce.data.dates import look_like_dates
from scarce.data.names import some
from scarce.errors import DataError

#: A nominal column is taken for an identifier if it has at least so many texts, and this share of them differ.
FEWEST_IDENTIFIERS, SHARE_OF_IDENTIFIERS = 20, 0.9
#: A column of fewer values is not taken for one that numbers the rows.
FEWEST_NUMBERED = 10
#: A column of whole numbers that is named like an identifier is taken for one if this share of its values differ.
SHARE_OF_DISTINCT = 0.9
#: The words of a column's name: runs of letters or digits, each capital after a small letter begins another.
_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
_OF_IDENTIFIERS = {"idx", "index", "identifier", "ids", "no", "nr", "num", "number", "serial", "key", "unnamed"}
#: A column tells the classes only if a column without any information does so with less than this probability.
CHANCE = 0.01
#: Columns that a warning of several names.
MOST_COLUMNS = 12
#: Cells that are hashed at a time.
CELLS = 1 << 20


def of_cells(texts: Mapping[str, np.ndarray]) -> list[str]:
    """Sentences about cells that are not as declared; `texts` has what is doubtful of each cell, or None, by column."""
    doubtful = {name: [text for text in cells if text is not None] for name, cells in texts.items()}
    doubtful = {name: sentences for name, sentences in doubtful.items() if sentences}
    warnings = []
    for name, (first, *others) in list(doubtful.items())[:MOST_COLUMNS]:
        more = f"; {others[0]}" if len(others) == 1 else f", and so are {len(others)} more cells" if others else ""
        warnings.append(f"column {name!r}: {first}{more}; the values are kept")
    if len(doubtful) > MOST_COLUMNS:
        warnings.append(f"{len(doubtful) - MOST_COLUMNS} more columns hold values that are not as declared")
    return warnings


def of_levels(name: str, counts: Counter[str]) -> list[str]:
    """Sentences about a nominal column that is not declared as one; `counts` has the number of cells of each text.

    Raises
    ------
    DataError
        If (nearly) each of its texts is another one.
    """
    n, remedies = counts.total(), ["leave it out by a step `drop_columns`", "list it under `nominal:`"]
    if dated := look_like_dates(counts):
        remedies.insert(0, f'state their form (`dates: {{{name}: "%Y-%m-%d"}}`)')
    if n >= FEWEST_IDENTIFIERS and len(counts) >= SHARE_OF_IDENTIFIERS * n:
        rows = "each row" if len(counts) == n else "nearly each row"
        raise DataError(
            f"column {name!r} has another text in {rows}, such as {min(counts)!r}: it tells "
            "rows apart and says nothing of others",
            hint=", or ".join(remedies),
        )
    if dated:
        return [f"column {name!r} is nominal and holds dates such as {min(counts)!r} ({', or '.join(remedies)})"]
    finding = numbers_as_levels(counts)
    if finding and finding.usual:  # another text among numbers was accepted by the reader
        return [f"column {name!r} is nominal and {finding.says} ({remedy([finding])})"]
    return []


def of_columns(
    names: Sequence[str], X: np.ndarray, y: np.ndarray, place: np.ndarray, n_files: int, undeclared: Set[str]
) -> list[str]:
    """Sentences about columns that tell the class of each row; `undeclared` ones may number rows or hold codes."""
    telling_names = telling(names, X, y)
    warnings = []
    for at, how in numberings(names, X, place, n_files):
        name = names[at]
        if name in undeclared:
            by_class = ", and it tells the class of every row" if name in telling_names else ""
            warnings.append(
                f"column {name!r} {how}{by_class}; leave it out by a step `drop_columns`, or list it under `numeric:` "
                "if it measures something"
            )
            telling_names = [other for other in telling_names if other != name]
    if telling_names:
        columns = some([repr(name) for name in telling_names], MOST_COLUMNS)
        alone = "this column alone tells" if len(telling_names) == 1 else "each of these columns alone tells"
        warnings.append(f"{alone} the class of every row: {columns}; is it known before the class is?")
    codes = {name: missing_code(X[:, at]) for at, name in enumerate(names) if name in undeclared}
    coded = [f"{name!r} ({value:g})" for name, value in codes.items() if value is not None]
    if coded:
        warnings.append(
            f"a number far from all others may mean that nothing was measured: {some(coded, MOST_COLUMNS)}; a step "
            "`set_missing` makes such cells missing, and `numeric:` keeps them as numbers"
        )
    return warnings


def missing_code(column: np.ndarray) -> float | None:
    """The number that seems to code missing cells of a numeric column, such as -999, or None.

    It is the smallest or the largest value, stands in two rows or more, and is further from the next value than the
    others (three different ones or more) are from each other.
    """
    if column.dtype == np.uint8:
        return None  # bytes of pictures
    values, counts = np.unique(column[~np.isnan(column)], return_counts=True)
    if len(values) < 4:
        return None
    for end, next_one, other_end in ((0, 1, -1), (-1, -2, 0)):
        value = float(values[end])
        gap, spread = abs(value - values[next_one]), abs(values[next_one] - values[other_end])
        if value.is_integer() and abs(value) > 1 and is_code(int(value)) and counts[end] > 1 and gap > spread:
            return value
    return None


def numberings(names: Sequence[str], X: np.ndarray, place: np.ndarray, n_files: int = 1) -> Iterator[tuple[int, str]]:
    """Position and `numbering` of each column of `X`, of shape (n, d), that seems to number the rows."""
    first = np.argsort(place, kind="stable")[:FEWEST_NUMBERED]
    changes = np.diff(X[first].astype(np.float64), axis=0)
    breaks = np.minimum((changes <= 0).sum(axis=0), (changes >= 0).sum(axis=0))  # no comparison with NaN is true
    for at, name in enumerate(names):
        possible = breaks[at] < n_files or _named_like_identifier(name)
        if possible and (how := numbering(name, X[:, at], place, n_files)):
            yield at, how


def numbering(name: str, column: np.ndarray, place: np.ndarray, n_files: int = 1) -> str:
    """How a numeric column numbers the rows, or "" if it does not seem to.

    Parameters
    ----------
    name : str
    column : ndarray of shape (n,)
        NaN for a missing cell.
    place : ndarray of shape (n,)
        Number of each row in what was read; steps may have removed or moved rows.
    n_files : int
        Number of files whose rows stand one below the other; each may begin to count again.
    """
    if column.dtype == np.uint8 and len(column) > 256 * n_files:
        return ""  # bytes of pictures
    values = np.asarray(column, dtype=np.float64)
    valued = ~np.isnan(values)
    values, place = (values, place) if valued.all() else (values[valued], place[valued])
    if len(values) < FEWEST_NUMBERED * n_files or values[0] == values[-1] == values[len(values) // 2]:
        return ""
    if (np.diff(place) < 0).any():
        order = np.argsort(place, kind="stable")
        values, place = values[order], place[order]
    shown = f"{values[0]:.12g}, {values[1]:.12g}, ..., {values[-1]:.12g}"
    changes = np.diff(values)
    breaks = min(np.count_nonzero(changes <= 0), np.count_nonzero(changes >= 0))
    whole = bool((values == np.floor(values)).all())
    if breaks < n_files:
        steps = changes / np.diff(place)
        step = np.median(steps)
        line = values[0] + (values[-1] - values[0]) * (place - place[0]) / (place[-1] - place[0])
        even = np.count_nonzero(np.abs(steps - step) > 1e-6 * abs(step)) < n_files
        if even or np.abs(values - line).max() <= abs(step):
            return f"counts the rows: {shown}"
        if whole:
            return f"{'rises' if values[-1] > values[0] else 'falls'} from row to row without a repetition: {shown}"
    if whole and _named_like_identifier(name) and len(np.unique(values)) >= SHARE_OF_DISTINCT * len(values):
        return f"is named like an identifier and has another number in (nearly) each row: {shown}"
    return ""


def _named_like_identifier(name: str) -> bool:
    words = [word.lower() for word in _WORDS.findall(name)]
    return any(word in _OF_IDENTIFIERS or word.endswith("id") for word in words)


def telling(names: Sequence[str], X: np.ndarray, y: np.ndarray) -> list[str]:
    """Columns of which each alone tells the class of every row.

    The classes lie on two sides of a threshold, or no value (a missing cell is one) has rows of both. A column without
    information does that by chance in few tables only: there are C(n, positives) ways to give y to the rows, and of
    these at most 2 (threshold) or 2 ** values are told by the column.

    Parameters
    ----------
    names : sequence of str
    X : ndarray of shape (n, d)
        Numbers, or codes of levels; NaN for a missing cell.
    y : ndarray of shape (n,)
        True labels, 1 or 0.
    """
    n, positives = len(y), int(y.sum())
    if positives in (0, n):
        return []
    ways = (math.lgamma(n + 1) - math.lgamma(positives + 1) - math.lgamma(n - positives + 1)) / math.log(2)
    most = ways + math.log2(CHANCE / len(names))  # bits
    if most < 1:
        return []
    of_class = [np.flatnonzero(y == label)[:200] for label in (0, 1)]
    many = np.concatenate(of_class)
    low, high = (X[rows[:10]] for rows in of_class)
    shared = np.zeros(X.shape[1], dtype=bool)  # columns with a value of both classes, which most others have soon
    for row in low:
        shared |= (high == row).any(axis=0)
    return [
        names[at]
        for at in np.flatnonzero(~shared)
        if _pure(X[many, at], y[many]) < math.inf and _pure(X[:, at], y) <= most
    ]


def _pure(column: np.ndarray, y: np.ndarray) -> float:
    """Binary logarithm of the ways in which a column can tell the classes as simply as it does; inf if it does not."""
    low, high = column[y == 0], column[y == 1]
    if low.max() < high.min() or high.max() < low.min():  # never with NaN
        return 1.0
    values, at = np.unique(column, return_inverse=True)
    counts = np.bincount(at, minlength=len(values))
    positives = np.bincount(at, weights=y, minlength=len(values))
    return float(len(values)) if ((positives == 0) | (positives == counts)).all() else math.inf


def rows_sha256(X: np.ndarray, levels: Sequence[Sequence[str] | None], y: np.ndarray) -> str:
    """SHA-256 of the rows of a table with their labels, in any order of rows, columns and levels, without names.

    Copies of one table have equal hashes. Cells are hashed to 64 bits each; those of a column are told from those of
    others by the column's own content.

    Parameters
    ----------
    X : ndarray of shape (n, d)
        Numbers, or codes of levels; NaN for a missing cell.
    levels : sequence of d sequences of str
        The texts of a nominal column's codes; None for a numeric column.
    y : ndarray of shape (n,)
        True labels.
    """
    total = _mixed(y.astype(np.uint64))
    width = max(1, CELLS // max(1, len(X)))
    for start in range(0, X.shape[1], width):
        cells = np.array(X[:, start : start + width].T, dtype=np.float64, order="C") + 0.0  # -0.0 becomes 0.0
        missing = np.isnan(cells)
        cells[missing] = np.nan
        bits = cells.view(np.uint64)
        for at, texts in enumerate(levels[start : start + width]):
            if texts is not None:
                codes = [int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "little") for text in texts]
                bits[at] = np.array([*codes, 0], np.uint64)[np.where(missing[at], len(codes), cells[at]).astype(int)]
        bits = _mixed(bits)
        total += (bits * (_mixed(bits.sum(axis=1, keepdims=True)) | np.uint64(1))).sum(axis=0)
    return hashlib.sha256(np.sort(_mixed(total)).astype("<u8").tobytes()).hexdigest()


def _mixed(bits: np.ndarray) -> np.ndarray:
    """SplitMix64's finalizer: each bit of a number changes about half of the result's."""
    bits = bits + np.uint64(0x9E3779B97F4A7C15)
    bits = (bits ^ (bits >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    bits = (bits ^ (bits >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return bits ^ (bits >> np.uint64(31))
