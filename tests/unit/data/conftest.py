"""A working directory of its own for each test, and no mirror."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("SCARCE_MIRROR", raising=False)
    return tmp_path
