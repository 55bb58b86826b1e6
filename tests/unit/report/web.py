"""Calls of the page's own functions by node."""

import json
import math
import shutil
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest

WEB = Path(__file__).parents[3] / "web"
NUMBERS = {"NaN": math.nan, "Infinity": math.inf, "-Infinity": -math.inf}
NAMES = {"nan": "NaN", "inf": "Infinity", "-inf": "-Infinity"}


def call(*calls: tuple) -> list:
    """Results of functions of web/src, in one run of node; see web/test/run.mjs for the form of a call."""
    if not shutil.which("node"):
        pytest.skip("needs node")
    text = json.dumps(_plain(calls), allow_nan=False)
    run = subprocess.run(["node", WEB / "test/run.mjs"], input=text, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr[-2000:]
    return _numbers(json.loads(run.stdout))


def _plain(value: Any) -> Any:
    """Only what JSON has."""
    if isinstance(value, dict):
        return {key: _plain(one) for key, one in value.items()}
    if isinstance(value, (list, tuple, np.ndarray)):
        return [_plain(one) for one in value]
    if isinstance(value, (np.generic,)):
        value = value.item()
    return NAMES[str(value)] if isinstance(value, float) and not math.isfinite(value) else value


def _numbers(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _numbers(one) for key, one in value.items()}
    if isinstance(value, list):
        return [_numbers(one) for one in value]
    return NUMBERS.get(value, value) if isinstance(value, str) else value
