import contextlib
import errno
import multiprocessing
import os
import resource
import stat
import subprocess
import sys
import threading

import numpy as np
import pandas as pd
import pytest

from scarce import files
from scarce.errors import DataError


def test_a_failed_write_leaves_the_old_file_and_nothing_else(tmp_path):
    target = tmp_path / "deep" / "a.txt"
    files.write_text(target, "old")
    with pytest.raises(RuntimeError), files.atomic(target, "w") as handle:
        handle.write("half")
        raise RuntimeError
    assert target.read_text() == "old"
    assert os.listdir(target.parent) == ["a.txt"]


def test_a_locked_file_is_waited_for_and_removed(tmp_path):
    """As between two processes: the second starts when the first is done, and a process that ends releases its lock."""
    lock, order = tmp_path / "deep" / "a.lock", []

    def second():
        with files.held(lock):
            order.append("second")

    with files.held(lock):
        waiting = threading.Thread(target=second)
        waiting.start()
        waiting.join(0.2)
        order.append("first")
    waiting.join()
    assert order == ["first", "second"]
    assert os.listdir(lock.parent) == []

    def ended():
        with files.held(lock):
            os._exit(9)

    process = multiprocessing.get_context("fork").Process(target=ended)
    process.start()
    process.join()
    with files.held(lock):
        assert lock.exists()


@pytest.mark.parametrize("allowed", [True, False])
def test_a_missing_folder_is_writable_if_its_nearest_parent_is(tmp_path, monkeypatch, allowed):
    checked = []
    monkeypatch.setattr(os, "access", lambda path, mode: checked.append(path) or allowed)
    assert files.writable(tmp_path / "not" / "there") is allowed
    assert checked == [tmp_path]


def test_a_subfolder_of_another_user_is_not_writable(tmp_path, monkeypatch):
    for name in ("log", "iocache"):
        (tmp_path / name).mkdir()
    (tmp_path / "file").write_text("")
    monkeypatch.setattr(os, "access", lambda path, mode: path.name != "iocache")
    assert files.closed(tmp_path) == [tmp_path / "iocache"]
    assert files.closed(tmp_path / "iocache" / "not there") == [tmp_path / "iocache" / "not there"]


def test_a_broken_link_is_not_writable(tmp_path):
    (tmp_path / "data").symlink_to(tmp_path / "a disk that is not there")
    assert not files.writable(tmp_path / "data")
    assert not files.writable(tmp_path / "data" / "raw")


def test_work_goes_on_where_no_lock_can_be_had(tmp_path):
    (tmp_path / "file").write_text("")
    with files.held(tmp_path / "file" / "a.lock"):
        assert os.listdir(tmp_path) == ["file"]


def test_a_written_file_has_ordinary_permissions(tmp_path):
    files.write_text(tmp_path / "a", "x")
    (tmp_path / "b").write_text("x")
    assert stat.S_IMODE((tmp_path / "a").stat().st_mode) == stat.S_IMODE((tmp_path / "b").stat().st_mode)


def test_floats_and_names_survive_a_csv(tmp_path):
    frame = pd.DataFrame({"name": ["None", "NA", "null"], "value": [0.1 + 0.2, 0.9999999999999999, np.nan]})
    files.write_csv(tmp_path / "a.csv", frame)
    back = files.read_csv(tmp_path / "a.csv")
    assert list(back.name) == ["None", "NA", "null"]
    assert back.value.equals(frame.value)
    assert b"\r" not in (tmp_path / "a.csv").read_bytes()


def test_rows_are_written_as_a_frame_of_them(tmp_path):
    rows = [("=a,b", 1, 0.1 + 0.2), ('say "no"', 2, np.nan), ("two\nlines", 3, 1e-300), ("", 4, 1e22)]
    files.write_rows(tmp_path / "rows.csv", ["name", "n", "value"], rows)
    files.write_csv(tmp_path / "frame.csv", pd.DataFrame(rows, columns=["name", "n", "value"]))
    assert (tmp_path / "rows.csv").read_bytes() == (tmp_path / "frame.csv").read_bytes()


def test_npz_holds_no_python_objects_and_the_same_arrays_give_the_same_bytes(tmp_path):
    with pytest.raises(TypeError, match="holds Python objects"):
        files.write_npz(tmp_path / "a.npz", x=np.array([{}], object))
    for name in "bc":
        files.write_npz(tmp_path / f"{name}.npz", x=np.arange(3), y=np.array("text"))
    assert (tmp_path / "b.npz").read_bytes() == (tmp_path / "c.npz").read_bytes()
    assert files.read_npz(tmp_path / "b.npz", "x").keys() == {"x"}


@pytest.mark.parametrize("content", [b"", b"{", b'{"a": 1', b"\xff\xfe{}", b"[" * 100_000, b"\0" * 50])
def test_a_damaged_json_is_a_data_error_with_a_hint(tmp_path, content):
    (tmp_path / "a.json").write_bytes(content)
    with pytest.raises(DataError, match=r"a\.json: the file is damaged .*delete it and run again"):
        files.read_json(tmp_path / "a.json")


def test_an_npz_that_is_cut_anywhere_is_a_data_error(tmp_path):
    whole = tmp_path / "a.npz"
    files.write_npz(whole, x=np.arange(100), y=np.array("text"))
    content = whole.read_bytes()
    for length in range(0, len(content), 7):
        whole.write_bytes(content[:length])
        with pytest.raises(DataError, match="the file is damaged"):
            files.read_npz(whole, "x", "y")
    for at in range(0, len(content), 5):  # a changed byte is noticed, or is outside the arrays
        whole.write_bytes(content[:at] + bytes([content[at] ^ 255]) + content[at + 1 :])
        with contextlib.suppress(DataError):
            assert np.array_equal(files.read_npz(whole, "x")["x"], np.arange(100))


@pytest.mark.parametrize("content", [b"", b"<table><tr>", b"\xff\xfe</table>"])
def test_half_a_table_is_a_data_error(tmp_path, content):
    files.write_text(tmp_path / "a.html", "<table></table>\n")
    assert files.read_markup(tmp_path / "a.html", "</table>") == "<table></table>\n"
    (tmp_path / "a.html").write_bytes(content)
    with pytest.raises(DataError, match=r"a\.html: the file is damaged"):
        files.read_markup(tmp_path / "a.html", "</table>")


@pytest.mark.parametrize("content", [b"", b"a,b\n1,2\n3,4,5\n", b"a\n\xff\xfe\n"])
def test_a_damaged_csv_is_a_data_error(tmp_path, content):
    (tmp_path / "a.csv").write_bytes(content)
    with pytest.raises(DataError, match="the file is damaged"):
        files.read_csv(tmp_path / "a.csv")


def test_a_full_disk_leaves_the_old_file_and_the_error_names_it(tmp_path, monkeypatch):
    """A limit of file sizes stands in for a full disk: the system refuses in the middle of a write."""
    target = tmp_path / "a.npz"
    files.write_npz(target, x=np.arange(3))
    before = target.read_bytes()
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, limits[1]))
    try:
        with pytest.raises(OSError, match=r"a\.npz") as error:
            files.write_npz(target, x=np.random.RandomState(0).bytes(1_000_000))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert error.value.errno == errno.EFBIG
    assert target.read_bytes() == before
    assert os.listdir(tmp_path) == ["a.npz"]


def test_an_error_names_a_file_that_stands_in_place_of_a_folder(tmp_path):
    (tmp_path / "results").write_text("")
    with pytest.raises(OSError, match=r"results/a\.txt"):
        files.write_text(tmp_path / "results" / "a.txt", "x")


LEAVE = """
import os, sys, time
from scarce import files
with files.scratch(sys.argv[1], ".fetch-") as work:
    (work / "half").write_text("x")
    with files.atomic(os.path.join(sys.argv[1], "a[1].txt"), "w") as handle:
        handle.write("half")
        handle.flush()
        print("ready", flush=True)
        time.sleep(600)
"""


def test_temporary_files_of_killed_processes_are_removed_and_those_of_living_ones_kept(tmp_path, monkeypatch):
    monkeypatch.setattr(files, "YOUNG", 0.0)

    def start() -> subprocess.Popen:
        process = subprocess.Popen([sys.executable, "-c", LEAVE, str(tmp_path)], stdout=subprocess.PIPE, text=True)
        assert process.stdout.readline() == "ready\n"
        return process

    def hidden() -> int:
        return sum(name.startswith(".") for name in os.listdir(tmp_path))

    def use() -> None:
        files.write_text(tmp_path / "a[1].txt", "whole")
        with files.scratch(tmp_path, ".fetch-"):
            pass

    killed, living = start(), None
    try:
        killed.kill()
        killed.wait()
        assert hidden() == 2
        use()
        assert os.listdir(tmp_path) == ["a[1].txt"]
        living = start()
        use()
        assert hidden() == 2
    finally:
        for process in filter(None, (killed, living)):
            process.kill()
            process.wait()
            process.stdout.close()
    monkeypatch.setattr(files, "YOUNG", 60.0)
    use()
    assert hidden() == 2, "the owner of a young file may not have locked it yet"
