"""What the machine does to fits: processes that it ends for want of memory, and the kernels that decide last bits."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

GROUPS = Path("/proc/self/cgroup")
MOUNT = Path("/sys/fs/cgroup")
#: What to do about a lack of memory.
MORE_MEMORY = (
    "run the same command again: finished repeats are kept, and with `retries` a job asks for more mem_mb each time; "
    "or raise memory_mb of the method's `resources`"
)


def memory_kills() -> int:
    """Number of processes of this process's control group that the system has ended for want of memory (Linux).

    Zero where the system does not tell.
    """
    for file in _memory_events():
        with suppress(OSError, KeyError, ValueError):
            return int(dict(line.split() for line in file.read_text().splitlines())["oom_kill"])
    return 0


def _memory_events() -> Iterator[Path]:
    """Where the system may count these kills: for version 1 of control groups, then for version 2.

    In a container the listed path may be that of the host, while the container's own group is mounted as the root.
    """
    with suppress(OSError, ValueError):
        for line in GROUPS.read_text().splitlines():
            _, controllers, group = line.split(":", 2)
            if "memory" in controllers.split(","):
                folder, name = MOUNT / "memory", "memory.oom_control"
            elif not controllers:
                folder, name = MOUNT, "memory.events"
            else:
                continue
            yield folder / group.lstrip("/") / name
            yield folder / name


@functools.cache
def kernels() -> dict[str, str]:
    """Kernels that linear algebra and numpy have chosen for this CPU, by library, e.g. ``openblas-kernel: Haswell``.

    Kernels of other CPUs add in another order, so the last bits of sums may differ.
    """
    import numpy as np
    import scipy.linalg  # noqa: F401 - loads a library of its own
    from threadpoolctl import threadpool_info

    chosen: dict[str, set[str]] = {}
    for library in threadpool_info():
        if library["user_api"] == "blas" and library.get("architecture"):
            chosen.setdefault(f"{library['internal_api']}-kernel", set()).add(library["architecture"])
    extensions = np.show_config(mode="dicts")["SIMD Extensions"]
    chosen["numpy-simd"] = {*[*extensions.get("baseline", []), *extensions.get("found", [])][-1:]}
    return {name: "+".join(sorted(kinds)) for name, kinds in sorted(chosen.items()) if kinds}
