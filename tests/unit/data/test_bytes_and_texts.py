"""IDX images and pictures, which stay bytes, and texts as averages of word vectors."""

from __future__ import annotations

import gzip
import io
import struct
import tarfile

import numpy as np
import pytest

from scarce.data.encode import FittedEncoder
from scarce.data.prepare import prepare_dataset
from scarce.data.readers import READERS
from scarce.data.sources import fetch_dataset
from scarce.data.store import load_features_only, load_prepared
from scarce.errors import DataError
from tests.unit.data.toy import described

IMAGES = np.random.default_rng(0).integers(0, 256, (7, 2, 3)).astype(np.uint8)
DIGITS = np.array([0, 1, 2, 2, 1, 0, 1], np.uint8)


def idx(array: np.ndarray) -> bytes:
    return b"\0\0\x08" + bytes([array.ndim]) + struct.pack(f">{array.ndim}I", *array.shape) + array.tobytes()


def written(folder) -> list:
    """Five rows in one pair of files, packed, and two in another."""
    contents = {"a-images.gz": gzip.compress(idx(IMAGES[:5])), "a-labels": idx(DIGITS[:5])}
    contents |= {"b-images": idx(IMAGES[5:]), "b-labels": idx(DIGITS[5:])}
    for name, content in contents.items():
        (folder / name).write_bytes(content)
    return [folder / name for name in contents]


def images_prepared(folder, **more):
    files = [{"path": path.name} for path in written(folder)]
    spec = described({"kind": "local", "files": files}, read={"format": "idx"}, target=None, positive=[0, 2], **more)
    fetch_dataset(spec)
    return prepare_dataset(spec)


def test_idx_images_are_rows_of_bytes_with_a_shape_and_a_test_part(folder):
    description = images_prepared(folder, test_files=["b-images", "b-labels"])
    data = load_prepared("toy")
    assert data.X.dtype == np.uint8
    assert np.array_equal(data.X, IMAGES.reshape(7, 6))
    assert data.y.tolist() == [1, 0, 1, 1, 0, 1, 0]
    assert description["shape"] == [2, 3]
    assert data.test_part.tolist() == [False] * 5 + [True] * 2


def test_a_test_part_of_another_shape_is_refused(folder):
    shapes = {"a": (4, 2, 3), "b": (2, 3, 2)}
    for name, shape in shapes.items():
        (folder / f"{name}-images").write_bytes(idx(np.zeros(shape, np.uint8)))
        (folder / f"{name}-labels").write_bytes(idx(np.arange(shape[0], dtype=np.uint8) % 2))
    files = [{"path": f"{name}-{what}"} for name in shapes for what in ("images", "labels")]
    tests = ["b-images", "b-labels"]
    source = {"kind": "local", "files": files}
    spec = described(source, read={"format": "idx"}, target=None, positive=[1], test_files=tests)
    fetch_dataset(spec)
    with pytest.raises(DataError, match=r"rows are of shape \(3, 2\), those of a-images of \(2, 3\)"):
        prepare_dataset(spec)


def test_a_choice_of_columns_has_no_shape(folder):
    steps = [{"step": "keep_columns", "columns": ["x6", "x5", "x4", "x3", "x2", "x1"]}]
    assert "shape" not in images_prepared(folder, steps=steps)


def test_bytes_and_numbers_of_equal_value_are_the_same_table(folder):
    """Steps that compute make numbers of bytes; the content hash does not depend on the type."""
    gone = {"step": "set_missing", "column": "x1", "values": [int(IMAGES[0, 0, 0])]}
    left = images_prepared(folder, steps=[gone | {"step": "drop_rows"}])["content_sha256"]
    assert load_features_only("toy").X.dtype == np.uint8
    dropped = [gone, {"step": "drop_rows", "column": "x1", "values": [""]}]
    assert images_prepared(folder, steps=dropped)["content_sha256"] == left
    assert load_features_only("toy").X.dtype == np.float64
    images_prepared(folder, steps=[gone])
    assert np.isnan(load_features_only("toy").X[0, 0])


def test_bytes_are_not_copied_by_the_encoding_none_and_have_its_values():
    X, s = IMAGES.reshape(7, 6), np.array([1, 0, 0, 0, 1, 0, 0])
    for encoding in ("none", "onehot", "woe_train_observed"):
        encoders = [FittedEncoder(encoding, np.zeros(6, bool)) for _ in range(2)]
        small, large = (e.fit(x, s).transform(x) for e, x in zip(encoders, (X, X.astype(float)), strict=True))
        assert np.array_equal(small, large)
        assert (small is X) == (encoding == "none")
        assert encoders[0].n_features_out_ == encoders[1].n_features_out_


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a-labels", b"no idx", "not an IDX file of unsigned bytes"),
        ("a-labels", b"\0\0\x0d\1" + struct.pack(">I", 1) + b"1234", "not an IDX file of unsigned bytes"),
        ("a-labels", idx(DIGITS[:5])[:-1], "4 values do not fill an array of shape"),
        ("a-labels", idx(DIGITS[:4]), "one length"),
        ("b-images", idx(DIGITS[5:]), "two axes or more"),
        ("b-images", idx(IMAGES[5:].swapaxes(1, 2)), r"rows are of shape \(3, 2\), those of a-images.gz of \(2, 3\)"),
        ("b-images", idx(IMAGES[:0]), "0 values do not fill"),
        ("b-images", b"\0\0\x08\xff" + struct.pack(">255I", *[1] * 255) + b"1", "an array of 1 to 32 axes"),
        ("b-images", b"\0\0\x08\x03" + struct.pack(">3I", 1, 1001, 1000) + bytes(1_001_000), "too wide"),
    ],
)
def test_idx_errors(folder, name, content, message):
    paths = written(folder)
    (folder / name).write_bytes(content)
    with pytest.raises(DataError, match=message):
        READERS["idx"](paths, {})
    with pytest.raises(DataError, match="no file of classes"):
        READERS["idx"](paths[:3], {})


# -- texts -----

TEXTS = {
    "set-test/b/1": "Beta, beta! gamma",
    "set-train/a/7": "alpha ALPHA beta unknown x",
    "set-train/a/8": "nothing known",
    "set-train/b/9": "caf\xe9",
}
WORDS = {"alpha": [1, 0], "beta": [0, 2], "gamma": [4, 4], "caf\xe9": [0.5, -0.5], "x": [100, 100]}
TEXT_OPTIONS = {"words": "words", "vectors": "vectors", "test_folder": "set-test"}


def packed(path, contents: dict[str, bytes]):
    with tarfile.open(path, "w:xz") as archive:
        for name, content in contents.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    return path


def texts_written(folder, words: str | None = None) -> list:
    packed(folder / "t.tar.xz", {name: text.encode("latin-1") for name, text in TEXTS.items()})
    words = np.frombuffer((words or "\n".join(WORDS)).encode(), np.uint8)
    np.savez(folder / "v.npz", words=words, vectors=np.array([*WORDS.values()], np.float16))
    return [folder / "t.tar.xz", folder / "v.npz"]


def test_texts_are_averages_over_the_words_that_have_a_vector(folder):
    table = READERS["texts"](texts_written(folder), TEXT_OPTIONS)
    assert np.column_stack(table.columns[:2]).tolist() == [[4 / 3, 8 / 3], [2 / 3, 2 / 3], [0, 0], [0.5, -0.5]]
    assert table.column("y").tolist() == ["b", "a", "a", "b"]
    assert table.test.tolist() == [True, False, False, False]
    assert READERS["texts"](texts_written(folder), TEXT_OPTIONS | {"test_folder": None}).test is None


def test_texts_errors(folder):
    paths = texts_written(folder)
    with pytest.raises(DataError, match="no file is in a folder 'other'"):
        READERS["texts"](paths, TEXT_OPTIONS | {"test_folder": "other"})
    with pytest.raises(DataError, match="a tar of texts, then"):
        READERS["texts"](paths[1:], TEXT_OPTIONS)
    with pytest.raises(DataError, match="no array 'vocabulary'"):
        READERS["texts"](paths, TEXT_OPTIONS | {"words": "vocabulary"})
    with pytest.raises(DataError, match="2 distinct words, 5 vectors"):
        READERS["texts"](texts_written(folder, words="alpha\nbeta"), TEXT_OPTIONS)
    paths = texts_written(folder)
    np.savez(paths[1], words=np.frombuffer(b"caf\xe9", np.uint8), vectors=np.ones((1, 2)))
    with pytest.raises(DataError, match="not in UTF-8"):
        READERS["texts"](paths, TEXT_OPTIONS)
    paths = texts_written(folder)
    paths[0].write_bytes(paths[1].read_bytes())
    with pytest.raises(DataError, match="cut off or damaged"):
        READERS["texts"](paths, TEXT_OPTIONS)


def test_words_may_end_as_on_windows(folder):
    plain, same = (READERS["texts"](texts_written(folder, end.join(WORDS)), TEXT_OPTIONS) for end in ("\n", "\r\n"))
    assert np.array_equal(plain.columns[:2], same.columns[:2])


def plain_tar(size: bytes = b"", **sparse: str) -> bytes:
    """A tar of two files of one byte, 512 bytes a header and a file; the first may claim another size."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for name in "ab":
            member = tarfile.TarInfo(f"set-test/{name}/1")
            member.size, member.pax_headers = 1, sparse
            archive.addfile(member, io.BytesIO(b"x"))
    content = bytearray(out.getvalue())
    if size:
        content[124:136], content[148:156] = size, b" " * 8
        content[148:156] = b"%06o\0 " % sum(content[:512])
    return bytes(content)


@pytest.mark.parametrize(
    "content",
    [
        *(plain_tar()[:size] for size in (0, 100, 512, 1024, 1100, 1536)),  # 1024: all of the first file
        plain_tar()[:1024] + b"damaged" + plain_tar()[1031:],
        plain_tar(size=b"77777777777\0"),
        plain_tar(size=b"\xff" * 12),  # -1
        plain_tar(size=b"\x80" + b"\x7f" * 11),  # beyond 64 bits
        plain_tar(**{"GNU.sparse.map": "0,1", "GNU.sparse.size": "10000000000000"}),
        plain_tar(**{"GNU.sparse.map": "0,x", "GNU.sparse.size": "x"}),
    ],
)
def test_a_tar_that_is_cut_off_or_claims_odd_sizes_is_refused(folder, content):
    paths = texts_written(folder)
    paths[0] = folder / "t.tar"
    paths[0].write_bytes(plain_tar())
    assert READERS["texts"](paths, TEXT_OPTIONS).n == 2
    paths[0].write_bytes(content)
    with pytest.raises(DataError, match="not a whole tar"):
        READERS["texts"](paths, TEXT_OPTIONS)


def test_a_tgz_is_read_to_its_checksum(folder):
    paths = texts_written(folder)
    paths[0] = folder / "t.tgz"
    paths[0].write_bytes(gzip.compress(plain_tar()))
    assert READERS["texts"](paths, TEXT_OPTIONS).n == 2
    paths[0].write_bytes(gzip.compress(plain_tar())[:-8])
    with pytest.raises(DataError, match="cut off or damaged"):
        READERS["texts"](paths, TEXT_OPTIONS)


# -- pictures -----


def png(pixels: np.ndarray, mode: str | None = None, kind: str = "png") -> bytes:
    from PIL import Image

    out, picture = io.BytesIO(), Image.fromarray(pixels)
    (picture.convert(mode) if mode else picture).save(out, kind)
    return out.getvalue()


COLOURS = np.random.default_rng(0).integers(0, 256, (4, 5, 3)).astype(np.uint8)


def test_pictures_are_bytes_of_their_pixels_with_a_shape(folder):
    pixels = np.random.default_rng(0).integers(0, 256, (3, 4, 5, 3)).astype(np.uint8)
    places = ["test/cat/1.png", "train/cat/1.png", "train/dog/2.png"]
    path = packed(folder / "p.tar.xz", dict(zip(places, map(png, pixels), strict=True)))
    table = READERS["pictures"]([path], {"test_folder": "test"})
    assert np.array_equal(np.column_stack(table.columns[:-1]), pixels.reshape(3, -1))
    assert table.columns[0].dtype == np.uint8
    assert table.column("y").tolist() == ["cat", "cat", "dog"]
    assert (table.shape, table.test.tolist()) == ((4, 5, 3), [True, False, False])


@pytest.mark.parametrize(
    ("contents", "message"),
    [
        ({"a/1": png(IMAGES[0]), "a/2": png(IMAGES[0].T)}, "different shapes"),
        ({"a/1": b"no picture"}, "p.tar.xz:a/1: this is no picture"),
        ({"a/1": png(COLOURS)[:60]}, "cannot be read"),
        ({"a/1": png(COLOURS), "a/2": png(COLOURS, "YCbCr", "tiff")}, "different modes: RGB, YCbCr"),
        ({"a/1": png(COLOURS, "P")}, "palette"),
        ({"a/1": png(np.zeros((1001, 1000), np.uint8))}, "too wide"),
        ({"a/1": png(np.zeros((2, 2), np.uint16))}, "as bytes, not as"),
        ({"1": png(IMAGES[0])}, "no file is in a folder"),
    ],
)
def test_pictures_errors(folder, contents, message):
    with pytest.raises(DataError) as error:
        READERS["pictures"]([packed(folder / "p.tar.xz", contents)], {"test_folder": None})
    assert message in " ".join(error.value.lines())
