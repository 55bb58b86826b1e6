"""Rule `warm`: compile the tree kernels once, so that parallel jobs find them in the cache."""

from __future__ import annotations

from scarce import paths, source_code
from scarce.files import write_json


def warm() -> None:
    """Compile the tree kernels once, so that parallel jobs find them in the cache."""
    import platform

    import numba

    from scarce import trees

    trees.warm()
    write_json(
        paths.KERNELS,
        {
            "numba": numba.__version__,
            "python": platform.python_version(),
            "code": source_code.code_digest("scarce.trees"),
        },
    )
