"""How the kernels are compiled: IEEE arithmetic as written, no GIL, and a cache that notices every change.

Kernels allocate nothing, so their arrays need no reference counts (``_nrt=False``), which took half of the time, and
their parts are always inlined: passing a dozen arrays to a function took another quarter.

numba's cache notices a change of the file that a function stands in, but not of the files of the functions it calls. So
only entry points are cached, and the key of the cache holds a digest of all kernel modules.

numba keeps the machine code of all types of CPU under one index. Two machines that write it to a shared disk at a time
can leave an entry that leads to the other's code, so the files of each type have names of their own.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
from pathlib import Path

import numba
from numba import types
from numba.core.caching import FunctionCache, IndexDataCacheFile
from numba.core.registry import cpu_target
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


@functools.cache
def cpu_type() -> str:
    """Name of the CPU that kernels are compiled for, with a digest of what it can do."""
    _, name, features = cpu_target.target_context.codegen().magic_tuple()
    return f"{name}-{hashlib.sha256(features.encode()).hexdigest()[:8]}"


class Cache(FunctionCache):
    """numba's cache of a function, by CPU type and the sources of all kernels.

    A file that cannot be read or written is ignored: numba itself raises if one is damaged (after a power cut, say) or
    cannot be written (a full disk).
    """

    def __init__(self, function):
        super().__init__(function)
        self._cache_file = IndexDataCacheFile(
            cache_path=self.cache_path,
            filename_base=f"{self._impl.filename_base}.{cpu_type()}",
            source_stamp=self._impl.locator.get_source_stamp(),
        )

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
