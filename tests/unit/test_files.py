import os
import stat

import numpy as np
import pandas as pd
import pytest

from pubench import files


def test_a_failed_write_leaves_the_old_file_and_nothing_else(tmp_path):
    target = tmp_path / "deep" / "a.txt"
    files.write_text(target, "old")
    with pytest.raises(RuntimeError), files.atomic(target, "w") as handle:
        handle.write("half")
        raise RuntimeError
    assert target.read_text() == "old"
    assert os.listdir(target.parent) == ["a.txt"]


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


def test_npz_holds_no_python_objects_and_the_same_arrays_give_the_same_bytes(tmp_path):
    with pytest.raises(TypeError, match="holds Python objects"):
        files.write_npz(tmp_path / "a.npz", x=np.array([{}], object))
    for name in "bc":
        files.write_npz(tmp_path / f"{name}.npz", x=np.arange(3), y=np.array("text"))
    assert (tmp_path / "b.npz").read_bytes() == (tmp_path / "c.npz").read_bytes()
    assert files.read_npz(tmp_path / "b.npz", "x").keys() == {"x"}
