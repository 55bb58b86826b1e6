"""Cases that bit users of other tools: small inputs with the right answers, in a folder that SCARCE_CASES names.

Their kinds are tested with inputs of our own beside the code; here the files themselves are tried, whatever more of
them the folder has.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest


def folder() -> Path | None:
    """The folder of the cases, if there is one."""
    named = os.environ.get("SCARCE_CASES")
    return Path(named) if named and (Path(named) / "files").is_dir() else None


@pytest.fixture
def cases() -> Path:
    """Folder ``files`` of the cases."""
    return (folder() or pytest.skip("no cases: set SCARCE_CASES")) / "files"


@pytest.fixture
def refs(cases) -> dict:
    """Reference numbers for methods, splits and metrics."""
    return json.loads((cases / "refs" / "method_reference.json").read_text())
