"""Wide tables: time grows with the columns, not with their square, in every format and every step."""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np
import pytest

from scarce.config.datasets import DatasetSpec
from scarce.data.availability import own_problems
from scarce.data.encode import FittedEncoder, encode_all
from scarce.data.prepare import build

ROWS = 5


def columns(d: int, start: str = "g") -> list[str]:
    return [f"{start}{j}" for j in range(d)]


def csv_numbers(d: int) -> tuple[str, dict]:
    rows = "".join(f"{','.join(['1.5'] * d)},{label}\n" for label in ["ill"] + ["well"] * (ROWS - 1))
    steps = [
        {"step": "rename", "names": dict(zip(columns(d), columns(d, "h"), strict=True))},
        {"step": "drop_columns", "columns": columns(d, "h")[1::2]},
        {"step": "keep_columns", "columns": columns(d, "h")[::2]},
        {"step": "log", "columns": columns(d, "h")[::2]},
        {"step": "bin"},
    ]
    return ",".join([*columns(d), "class"]) + "\n" + rows, {"read": {"format": "csv"}, "steps": steps}


def csv_texts(d: int) -> tuple[str, dict]:
    rows = "".join(f"{','.join(['a', ''] * (d // 2))},{label}\n" for label in ["ill"] + ["well"] * (ROWS - 1))
    text = ",".join([*columns(d), "class"]) + "\n" + rows.replace("a", "b", 1).replace(",,", ",c,", d // 2)
    return text, {"read": {"format": "csv"}, "nominal": columns(d), "steps": [{"step": "impute"}]}


def keel(d: int) -> tuple[str, dict]:
    listed = f"@inputs {', '.join(columns(d))}\n@outputs class\n"
    header = "".join(f"@attribute {name} real\n" for name in columns(d)) + "@attribute class {ill, well}\n" + listed
    rows = "".join(f"{','.join(['1.5'] * d)},{label}\n" for label in ["ill"] + ["well"] * (ROWS - 1))
    return f"@relation r\n{header}@data\n{rows}", {"read": {"format": "keel"}}


def arff(d: int) -> tuple[str, dict]:
    header = "".join(f"@attribute {name} numeric\n" for name in columns(d)) + "@attribute class {ill, well}\n"
    rows = "".join(f"{{0 1.5, {d - 1} 2, {d} {label}}}\n" for label in ["ill"] + ["well"] * (ROWS - 1))
    return f"@relation r\n{header}@data\n{rows}", {"read": {"format": "arff"}, "numeric": columns(d)}


def svmlight(d: int) -> tuple[str, dict]:
    rows = "".join(f"{label} 1:0.5 {d}:2\n" for label in [1] + [-1] * (ROWS - 1))
    return rows, {"read": {"format": "svmlight"}, "target": None, "positive": 1}


def seconds(made: tuple[str, dict], path: Path) -> float:
    text, more = made
    path.write_text(text)
    source = {"kind": "local", "files": [{"path": str(path)}]}
    start = time.process_time()
    spec = DatasetSpec.model_validate({"name": "w", "sources": [source], "target": "class", "positive": "ill"} | more)
    assert own_problems(spec) == []
    content = build(spec, spec.sources[0], [path])
    content.sha256()
    for encoding in ("none", "onehot", "woe_train_observed"):
        FittedEncoder(encoding, content.categorical).fit_transform(content.X, content.y)
    encode_all(content.X, content.y, content.categorical)
    return time.process_time() - start


@pytest.mark.slow
@pytest.mark.parametrize("made", [csv_numbers, csv_texts, keel, arff, svmlight])
def test_time_grows_with_the_columns(made, tmp_path):
    seconds(made(200), tmp_path / "w.csv")
    small, large = (min(seconds(made(d), tmp_path / "w.csv") for _ in range(2)) for d in (800, 6_400))
    assert large < 20 * small, "8 times the columns; a search per column makes it 64 times the time"


def test_a_wide_libsvm_text_has_its_values(tmp_path):
    (tmp_path / "w.svm").write_text("1 1:0.5 60000:2\n-1 3:1\n-1 2:4 60000:1\n")
    source = {"kind": "local", "files": [{"path": "w.svm"}]}
    spec = DatasetSpec.model_validate({"name": "w", "sources": [source], "read": {"format": "svmlight"}, "positive": 1})
    X = build(spec, spec.sources[0], [tmp_path / "w.svm"]).X
    assert X.shape == (3, 60_000)
    assert X.flags.c_contiguous
    assert [X[0, 0], X[0, -1], X[1, 2], X[2, 1], X[2, -1], X.sum()] == [0.5, 2, 1, 4, 1, 8.5]
    assert np.count_nonzero(X) == 5
