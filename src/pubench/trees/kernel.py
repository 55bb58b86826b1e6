"""How the kernels are compiled: IEEE arithmetic as written, no GIL, and a cache that notices every change.

numba stamps a cached function with the file it stands in, not with the files of the functions it calls. So only entry
points are cached, and their key holds a digest of all kernel modules: ``entry`` functions are made inside a factory
whose argument, the digest, they read.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

import numba

MODULES = ("rng", "criteria", "codes", "groups", "splitter", "grow", "kernel")

part = numba.njit(nogil=True, error_model="numpy")
entry = numba.njit(nogil=True, error_model="numpy", cache=True)


def digest() -> int:
    """A number that changes with the source of any kernel module."""
    here = Path(__file__).parent
    text = b"".join((here / f"{module}.py").read_bytes() for module in MODULES)
    return int.from_bytes(hashlib.sha256(text).digest()[:7], "big")
