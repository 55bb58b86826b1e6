"""Texts and pictures in tar files, a folder for each class: averages of word vectors, and bytes of pixels."""

from __future__ import annotations

import io
import math
import re
import tarfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path, PurePosixPath

import numpy as np

from scarce.data import unpacking
from scarce.data.names import some
from scarce.data.opening import read_bytes
from scarce.data.readers.arrays import arrays_of
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
    try:
        listed = words.tobytes().decode().replace("\r\n", "\n").split("\n")
    except UnicodeDecodeError as error:
        raise DataError(f"the words are not in UTF-8: {error}", where=vectors_path.name) from None
    place = {word: i for i, word in enumerate(listed)}
    if len(place) != len(vectors):
        raise DataError(f"{len(place)} distinct words, {len(vectors)} vectors", where=vectors_path.name)
    vectors = vectors.astype(np.float64)
    rows, classes, test = [], [], []
    for path in archives:
        for name, content in _members(path):
            text = content.decode("latin-1").lower()
            places = [place[word] for word in _WORD.findall(text) if word in place]
            rows.append(vectors[places].sum(axis=0) / max(len(places), 1))
            classes.append(name.parts[-2])
            test.append(options["test_folder"] in name.parts[:-1])
    return _table(archives[0], rows, classes, test, options)


def read_pictures(paths: list[Path], options: dict) -> Table:
    """Read tar files of pictures of one size and mode, such as JPEG; features x1, x2, ... are bytes, the class is y.

    A picture is a member ``.../<class>/<name>``. Its features are row by row, from the left, the bytes of a pixel.
    """
    rows, shapes, modes, classes, test = [], set(), set(), [], []
    for path in paths:
        for name, content in _members(path):
            row, mode = _pixels(content, f"{path.name}:{name}")
            shapes.add(row.shape)
            modes.add(mode)
            if len(shapes) > 1:
                raise DataError(f"pictures are of different shapes: {some(sorted(shapes))}", where=path.name)
            if len(modes) > 1:
                raise DataError(f"pictures are of different modes: {some(sorted(modes))}", where=path.name)
            rows.append(row.ravel())
            classes.append(name.parts[-2])
            test.append(options["test_folder"] in name.parts[:-1])
    table = _table(paths[0], rows, classes, test, options)
    return replace(table, shape=shapes.pop())


def _pixels(content: bytes, where: str) -> tuple[np.ndarray, str]:
    """The bytes of a picture, and what they mean: a mode of Pillow, such as RGB."""
    from PIL import Image, UnidentifiedImageError

    try:
        with Image.open(io.BytesIO(content)) as picture:
            mode, n_values = picture.mode, math.prod(picture.size) * len(picture.getbands())
            unpacking.check_matrix((1, n_values), where)
            pixels = np.asarray(picture)
    except DataError:
        raise
    except UnidentifiedImageError:
        raise DataError("this is no picture", where=where) from None
    except Exception as error:  # Pillow's parsers raise many types
        raise DataError(f"a picture cannot be read: {error}", where=where) from None
    if pixels.dtype != np.uint8:
        raise DataError(f"pixels are wanted as bytes, not as {pixels.dtype}", where=where)
    if mode in ("P", "PA"):
        raise DataError("the bytes of a picture with a palette are no colours", where=where, hint="save it as RGB")
    return pixels, mode


def _table(path: Path, rows: list[np.ndarray], classes: list[str], test: list[bool], options: dict) -> Table:
    if not rows:
        raise DataError("no file is in a folder", where=path.name)
    if options["test_folder"] and not any(test):
        raise DataError(f"no file is in a folder {options['test_folder']!r}", where=path.name)
    target = options.get("target") or "y"
    columns = np.ascontiguousarray(np.array(rows).T)
    names = [f"x{j}" for j in range(1, len(columns) + 1)]
    own_part = np.array(test) if options["test_folder"] else None
    return Table(
        [*names, target], [*columns, as_objects(classes)], [False] * len(names) + [True], target, test=own_part
    )


def _members(path: Path) -> Iterator[tuple[PurePosixPath, bytes]]:
    """Name and content of each file in a folder of a tar, in its order."""
    content = read_bytes(path)
    try:
        with tarfile.open(fileobj=io.BytesIO(content), mode="r:") as archive:
            for member in archive:
                name = PurePosixPath(member.name)
                if member.isfile() and len(name.parts) > 1:
                    if not 0 <= member.size <= len(content):  # a sparse file can claim any size
                        raise tarfile.ReadError(f"{name} is of {member.size} bytes, all of it of {len(content)}")
                    yield name, archive.extractfile(member).read()
            # tarfile takes a header that it cannot read for the end
            if content[archive.offset : archive.offset + tarfile.BLOCKSIZE] != bytes(tarfile.BLOCKSIZE):
                raise tarfile.ReadError("it does not end as a tar does")
    except (tarfile.TarError, *unpacking.UNREADABLE) as error:
        raise DataError(f"not a whole tar: {error}", where=path.name, hint="fetch it again") from None
