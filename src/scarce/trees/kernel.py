"""How the kernels are compiled: IEEE arithmetic as written, no GIL, and a cache that notices every change.

Kernels allocate nothing, so their arrays need no reference counts (``_nrt=False``), which took half of the time, and
their parts are always inlined: passing a dozen arrays to a function took another quarter.

numba's cache notices a change of the file that a function stands in, but not of the files of the functions it calls. So
only entry points are cached, and the key of the cache holds a digest of all kernel modules.
"""

from __future__ import annotations

import contextlib
import hashlib
from pathlib import Path

import numba
from numba import types
from numba.core.caching import FunctionCache
from numba.extending import intrinsic

MODULES = ("kernel", "rng", "criteria", "codes", "groups", "slots", "splitter", "search", "grow")
MODULES += ("categorical", "walk", "risks", "random_growth")

COMMON = {"nogil": True, "error_model": "numpy", "_nrt": False}
# Parts are never called from Python, and an argument that is written as a number compiles a part once more for it.
part = numba.njit(forceinline=True, no_cpython_wrapper=True, no_cfunc_wrapper=True, **COMMON)


def digest() -> str:
    """A digest that changes with the source of any kernel module."""
    folder = Path(__file__).parent
    return hashlib.sha256(b"".join((folder / f"{module}.py").read_bytes() for module in MODULES)).hexdigest()


DIGEST = digest()


class Cache(FunctionCache):
    """numba's cache of a function, by the sources of all kernels. A file that cannot be read or written is ignored.

    numba itself raises if a file of the cache is damaged (after a power cut, say) or cannot be written (a full disk).
    """

    def _index_key(self, signature, codegen):
        return (*super()._index_key(signature, codegen), DIGEST)

    def load_overload(self, *arguments):
        try:
            return super().load_overload(*arguments)
        except Exception:  # unpickling a damaged file can raise anything
            with contextlib.suppress(OSError):
                self.flush()
            return None

    def save_overload(self, *arguments):
        with contextlib.suppress(OSError):
            super().save_overload(*arguments)


def entry(function):
    """A kernel that Python calls, cached where a folder for it can be written."""
    kernel = numba.njit(no_cfunc_wrapper=True, **COMMON)(function)
    with contextlib.suppress(RuntimeError):  # neither NUMBA_CACHE_DIR nor the package nor the home can be written
        kernel._cache = Cache(kernel.py_func)  # as `enable_caching` does
    return kernel


@intrinsic
def lowest_bit(typingctx, word):
    """The place of the lowest set bit of a uint64 that is not 0."""

    def generate(context, builder, signature, arguments):
        zero_is_undefined = context.get_constant(types.boolean, True)
        return builder.cttz(arguments[0], zero_is_undefined)

    return types.uint64(types.uint64), generate
