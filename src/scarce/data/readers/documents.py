"""Texts in folders, one folder for each class, as averages of word vectors."""

from __future__ import annotations

import io
import re
import tarfile
from pathlib import Path

import numpy as np

from scarce.data.readers.arrays import arrays_of
from scarce.data.readers.text import read_bytes
from scarce.data.tables import Table, as_objects
from scarce.errors import DataError

_WORD = re.compile(r"\b\w\w+\b")


def read_texts(paths: list[Path], options: dict) -> Table:
    """Read tar files of texts, and word vectors from the last file; features x1, x2, ... and the class y.

    A text is a member ``.../<class>/<name>`` in Latin-1. Its features are the mean of the vectors of its words, with
    repetition; words are runs of two or more letters, digits and _, in small letters. Words without a vector do not
    count, and a text without any word that counts has zeros. Rows stand in the order of the members.
    """
    *archives, vectors_path = paths
    if not archives:
        raise DataError("a tar of texts, then a file of word vectors are wanted", where=vectors_path.name)
    words, vectors = arrays_of(vectors_path, [options["words"], options["vectors"]])
    if words.dtype != np.uint8 or words.ndim != 1 or vectors.ndim != 2 or vectors.dtype.kind != "f":
        raise DataError("words are wanted as bytes, one a line, and vectors as a matrix", where=vectors_path.name)
    place = {word: i for i, word in enumerate(words.tobytes().decode().split("\n"))}
    if len(place) != len(vectors):
        raise DataError(f"{len(place)} distinct words, {len(vectors)} vectors", where=vectors_path.name)
    vectors = vectors.astype(np.float64)
    rows, classes, test = [], [], []
    for path in archives:
        for folders, text in _members(path):
            places = [place[word] for word in _WORD.findall(text.lower()) if word in place]
            rows.append(vectors[places].sum(axis=0) / max(len(places), 1))
            classes.append(folders[-1])
            test.append(options["test_folder"] in folders)
    if not rows:
        raise DataError("no text is in a folder", where=archives[0].name)
    if options["test_folder"] and not any(test):
        raise DataError(f"no text is in a folder {options['test_folder']!r}", where=archives[0].name)
    target = options.get("target") or "y"
    names = [f"x{j}" for j in range(1, vectors.shape[1] + 1)]
    columns = [*np.ascontiguousarray(np.array(rows).T), as_objects(classes)]
    own_part = np.array(test) if options["test_folder"] else None
    return Table([*names, target], columns, [False] * len(names) + [True], target, test=own_part)


def _members(path: Path) -> list[tuple[tuple[str, ...], str]]:
    """Folders and text of each file in a tar, in its order."""
    try:
        with tarfile.open(fileobj=io.BytesIO(read_bytes(path))) as archive:
            members = [
                (Path(member.name).parts[:-1], archive.extractfile(member)) for member in archive if member.isfile()
            ]
            return [(folders, handle.read().decode("latin-1")) for folders, handle in members if folders]
    except tarfile.TarError as error:
        raise DataError(f"not a whole tar: {error}", where=path.name, hint="fetch it again") from None
