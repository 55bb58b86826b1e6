"""Rule `warm`: compile the tree kernels once, so that parallel jobs find them in the cache."""

from __future__ import annotations

from contextlib import suppress
from platform import python_version

from scarce import paths, source_code
from scarce.errors import DataError
from scarce.files import read_json, write_json
from scarce.libraries import versions


def warm() -> None:
    """Compile the tree kernels once, so that parallel jobs find them in the cache."""
    from scarce import trees

    trees.warm()
    write_json(paths.KERNELS, _compiled_from())


def current() -> bool:
    """Whether the kernels were compiled from the code, and by the versions, that are here now."""
    with suppress(OSError, DataError):
        return read_json(paths.KERNELS) == _compiled_from()
    return False


def _compiled_from() -> dict[str, str]:
    return versions(["numba"]) | {"python": python_version(), "code": source_code.code_digest("scarce.trees")}
