"""How the cost of a data set grows with its columns: check, read with steps and coding, hash, encode.

    python benchmarks/wide.py [--rows 80] [--columns 5000 10000 20000]

CPU seconds of one run of each, and the peak of the memory of the process, which grows from line to line.
"""

from __future__ import annotations

import argparse
import resource
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))
from benchmarks.measure import table
from scarce.config.datasets import DatasetSpec
from scarce.data.availability import own_problems
from scarce.data.encode import FittedEncoder, encode_all
from scarce.data.prepare import build

HEAD = ["file", "rows x columns", "check", "read", "hash", "encode", "peak MB"]
PER_ROW = 40  # values of a row of the LIBSVM text that are not 0


def csv_text(rows: int, columns: int) -> str:
    """A CSV file of numbers."""
    X = np.random.default_rng(0).normal(size=(rows, columns)).round(3)
    lines = [",".join([*map(str, x), "ill" if i % 5 == 0 else "well"]) for i, x in enumerate(X.tolist())]
    return "\n".join([",".join([*(f"g{j}" for j in range(columns)), "class"]), *lines, ""])


def nominal_text(rows: int, columns: int) -> str:
    """A CSV file of texts, some of them missing."""
    X = np.random.default_rng(0).choice(["a", "b", "c", ""], (rows, columns))
    lines = [",".join([*x, "ill" if i % 5 == 0 else "well"]) for i, x in enumerate(X.tolist())]
    return "\n".join([",".join([*(f"g{j}" for j in range(columns)), "class"]), *lines, ""])


def svmlight_text(rows: int, columns: int) -> str:
    """LIBSVM's text."""
    random = np.random.default_rng(0)
    lines = []
    for i in range(rows):
        places = np.sort(random.choice(columns, PER_ROW, replace=False)) + 1
        places[-1] = columns  # so that the table has all columns
        values = random.random(PER_ROW)
        pairs = " ".join(f"{place}:{value:.2f}" for place, value in zip(places, values, strict=True))
        lines.append(f"{'1' if i % 5 == 0 else '-1'} {pairs}\n")
    return "".join(lines)


CSV = {"read": {"format": "csv"}, "target": "class", "positive": "ill"}
#: name -> text of a file, and its description for so many columns
FILES = {
    "csv": (csv_text, lambda d: CSV),
    "csv, all steps": (
        csv_text,
        lambda d: (
            CSV
            | {
                "steps": [
                    {"step": "rename", "names": {f"g{j}": f"h{j}" for j in range(d)}},
                    {"step": "drop_columns", "columns": [f"h{j}" for j in range(0, d, 2)]},
                    {"step": "bin"},
                ]
            }
        ),
    ),
    "csv, nominal": (
        nominal_text,
        lambda d: CSV | {"nominal": [f"g{j}" for j in range(d)], "steps": [{"step": "impute"}]},
    ),
    "svmlight": (svmlight_text, lambda d: {"read": {"format": "svmlight"}, "positive": 1}),
}


def measure(name: str, rows: int, columns: int, folder: Path) -> list[str]:
    """A line of the table."""
    text, described = FILES[name]
    path = folder / "wide.csv"
    path.write_text(text(rows, columns), encoding="utf-8")
    source = {"kind": "local", "files": [{"path": str(path)}]}
    spec = DatasetSpec.model_validate({"name": "wide", "sources": [source]} | described(columns))
    times = [time.process_time()]
    assert own_problems(spec) == []
    times.append(time.process_time())
    content = build(spec, spec.sources[0], [path])
    times.append(time.process_time())
    content.sha256()
    times.append(time.process_time())
    levels = [len(known) for known in content.categories.values()]
    for encoding in ("none", "onehot", "woe_train_observed"):
        encoder = FittedEncoder(encoding, content.categorical, levels=levels)
        encoder.fit_transform(content.X, content.y)
    encode_all(content.X, content.y, content.categorical)
    times.append(time.process_time())
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000
    return [name, f"{rows} x {columns}", *(f"{spent:.2f}" for spent in np.diff(times)), f"{peak:.0f}"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=80)
    parser.add_argument("--columns", type=int, nargs="+", default=[5_000, 10_000, 20_000])
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        measure("csv", 20, 50, Path(folder))  # imports are not counted
        lines = [measure(name, options.rows, d, Path(folder)) for name in FILES for d in options.columns]
    print(table(HEAD, lines))


if __name__ == "__main__":
    main()
