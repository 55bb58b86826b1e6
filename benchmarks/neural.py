"""Epochs per second of networks on PU risks: on the CPU, and on a CUDA device where there is one.

    python benchmarks/neural.py [--threads 1] [--epochs 3] [--cnn] [--record docs/performance.md]

The sizes are those of MNIST in Kiryo et al. (2017): 1,000 labeled and 60,000 unlabeled rows of 784 features in two
batches, and a perceptron 784-300x4-1. `--cnn` adds their network for CIFAR-10 on one batch of 500 rows. The times are
those of the longer of two fits less those of the shorter one, so that neither torch's start nor the copy of the rows
counts. Epochs per second are by the clock, and mean little on a busy machine, where CPU seconds still count. Values are
made up. `--record` appends the rows of the table to a file.
"""

from __future__ import annotations

import argparse
import os
import platform
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple

import numpy as np

from scarce.methods.neural import NeuralPUClassifier

sys.path.insert(0, str(Path(__file__).parents[1]))
from benchmarks.measure import table

HEAD = ["network", "rows", "batch", "device", "epochs per second", "rows per second", "CPU s per epoch"]


class Work(NamedTuple):
    """A network and the rows that it is trained on."""

    network: str
    rows: int
    shape: tuple[int, ...]
    batch_size: int


MLP = Work("mlp", 61_000, (28, 28), 30_000)
CNN = Work("cnn", 500, (32, 32, 3), 500)


def devices() -> dict[str, str]:
    """Names of devices by kind: the CPU, and a CUDA device if `nvidia-smi` answers."""
    found = {"cpu": platform.machine()}
    if shutil.which("nvidia-smi"):
        query = ["nvidia-smi", "--query-gpu=name", "--format=csv,noheader"]
        answer = subprocess.run(query, capture_output=True, text=True, check=False)
        if answer.returncode == 0 and answer.stdout.strip():
            found["cuda"] = answer.stdout.splitlines()[0]
    return found


def seconds_per_epoch(work: Work, device: str, epochs: int, threads: int) -> np.ndarray:
    """Seconds of an epoch by the clock, and of this process."""
    random = np.random.RandomState(0)
    X = random.randint(0, 256, (work.rows, int(np.prod(work.shape))), np.uint8)
    s = np.arange(work.rows) < work.rows // 61
    times = []
    for n in (1, 1, 1 + epochs):  # the first one is not counted: it imports torch and wakes the device
        model = NeuralPUClassifier(
            class_prior=0.5,
            network=work.network,
            shape=work.shape,
            scale="minmax_all",
            epochs=n,
            batch_size=work.batch_size,
            device=device,
            n_jobs=threads,
            random_state=0,
        )
        start = np.array([time.perf_counter(), time.process_time()])
        model.fit(X, s)
        times.append(np.array([time.perf_counter(), time.process_time()]) - start)
        if model.device_ != device:
            raise RuntimeError(f"torch {device} was wanted, the network was trained on {model.device_}")
    return (times[2] - times[1]) / epochs


def rows(works: list[Work], epochs: int, threads: int) -> list[list[str]]:
    """A row of the table for each network and device."""
    lines = []
    for work in works:
        for device, name in devices().items():
            clock, cpu = seconds_per_epoch(work, device, epochs, threads)
            count = f", {threads} thread{'s' * (threads > 1)}" if device == "cpu" else ""
            sizes = [work.network, f"{work.rows:,} x {np.prod(work.shape)}", f"{work.batch_size:,}"]
            speeds = [f"{1 / clock:.3g}", f"{work.rows / clock:,.0f}", f"{cpu:.2f}"]
            lines.append([*sizes, f"{device} ({name}{count})", *speeds])
    return lines


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--cnn", action="store_true")
    parser.add_argument("--record", type=Path)
    options = parser.parse_args(arguments)
    lines = rows([MLP, CNN] if options.cnn else [MLP], options.epochs, options.threads)
    print(table(HEAD, lines))
    if "cuda" not in devices():
        print("\nno CUDA device: nvidia-smi does not answer")
    print(f"load of the machine meanwhile: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    if options.record:
        with options.record.open("a", encoding="utf-8") as file:
            file.writelines("| " + " | ".join(line) + " |\n" for line in lines)


if __name__ == "__main__":
    main()
