"""Readers under bad input: valid files, bent at random, give a sound table or a data error, and nothing else.

`--atheris` (pip install atheris) lets coverage guide what is bent; without it hypothesis draws.
"""

from __future__ import annotations

import os
import resource
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import NoReturn

import numpy as np

from scarce.config.datasets import DatasetSpec
from scarce.data.prepare import build
from scarce.errors import ScarceError
from tests.soak import record
from tests.soak.seeds import INPUTS, WORDS

MEMORY = 6_000_000_000


def description(format_: str, name: str, more: dict) -> DatasetSpec:
    """How a user would describe the file."""
    read = {"format": format_} | more.get("read", {})
    rest = {key: value for key, value in more.items() if key != "read"}
    source = {"kind": "local", "files": [{"path": name}]}
    return DatasetSpec.model_validate({"name": "fuzzed", "read": read, "sources": [source]} | rest)


def one(place: int, content: bytes, counts: Counter) -> None:
    """Read one file as `prepare` does; what is neither a sound table nor a data error is raised."""
    format_, ending, _, more = INPUTS[place]
    name = f"bent{ending}"
    Path(name).write_bytes(content)
    before = set(os.listdir())
    spec = description(format_, name, more)
    try:
        found = build(spec, spec.sources[0], [Path(name)])
    except ScarceError as error:
        counts["refused"] += 1
        assert len(error.lines()) == 1
        assert error.lines()[0].strip()
    else:
        counts["read"] += 1
        n, d = found.X.shape
        assert n == len(found.y) > 0
        assert d == len(found.names) == len(found.categorical) > 0
        assert set(np.unique(found.y)) == {0, 1}
        assert not np.isinf(found.X).any()
        found.sha256()
    assert set(os.listdir()) == before, "a reader wrote a file"


def _limit_memory() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


def with_hypothesis(inputs: int, seed: int, counts: Counter) -> None:
    from hypothesis import HealthCheck, Phase, given, settings
    from hypothesis import seed as seeded
    from hypothesis import strategies as st

    edit = st.tuples(
        st.sampled_from(["insert", "delete", "copy", "cut", "replace", "flip"]),
        st.floats(0, 1),
        st.integers(0, 40),
        st.one_of(st.sampled_from(WORDS), st.binary(max_size=12)),
    )

    @seeded(seed)
    @settings(max_examples=inputs, deadline=None, database=None, phases=[Phase.generate, Phase.shrink],
              suppress_health_check=list(HealthCheck))  # fmt: skip
    @given(st.integers(0, len(INPUTS) - 1), st.lists(edit, max_size=6))
    def run(place, edits):
        content = INPUTS[place][2]
        for how, where, length, word in edits:
            at = int(where * len(content))
            part = content[at : at + length]
            content = {
                "insert": content[:at] + word + content[at:],
                "delete": content[:at] + content[at + length :],
                "copy": content[:at] + part * 3 + content[at:],
                "cut": content[:at],
                "replace": content[:at] + word + content[at + len(word) :],
                "flip": content[:at] + bytes(byte ^ (1 << length % 8) for byte in part[:1]) + content[at + 1 :],
            }[how]
        one(place, content, counts)

    run()


def with_atheris(inputs: int, seed: int, counts: Counter) -> None:
    import atheris

    atheris.instrument_all()
    corpus = Path("corpus")
    corpus.mkdir()
    for place, (_, _, content, _) in enumerate(INPUTS):
        (corpus / str(place)).write_bytes(bytes([place]) + content)

    def target(data: bytes) -> None:
        if data:
            one(data[0] % len(INPUTS), data[1:], counts)
        if sum(counts.values()) >= inputs:
            leave(counts, 0)  # the fuzzer takes an exception for a finding

    atheris.Setup([sys.argv[0], f"-seed={seed + 1}", "-max_len=200000", "-rss_limit_mb=0",
                   "-artifact_prefix=corpus/", "-timeout=600", str(corpus)], target)  # fmt: skip
    atheris.Fuzz()


def leave(counts: Counter, code: int) -> NoReturn:
    """End the child, and leave its counts behind."""
    Path("counts").write_text(f"{counts['read']} {counts['refused']}")
    os._exit(code)


def main() -> None:
    arguments = record.parser(__doc__, "--inputs", 50_000)
    arguments.add_argument("--atheris", action="store_true")
    options = arguments.parse_args()
    started, counts, how = time.monotonic(), Counter(), "atheris" if options.atheris else "hypothesis"
    trial = f"readers, {how}"
    here = Path.cwd()
    with tempfile.TemporaryDirectory(prefix="scarce-fuzz-") as folder:
        os.chdir(folder)
        # a child: a crash of a C library ends it alone, and the bent file is kept
        child = os.fork()
        if not child:
            _limit_memory()
            code = 1
            try:
                (with_atheris if options.atheris else with_hypothesis)(options.inputs, options.seed, counts)
                code = 0
            except BaseException:
                import traceback

                traceback.print_exc()
            leave(counts, code)
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        read, refused = map(int, Path("counts").read_text().split()) if Path("counts").is_file() else (0, 0)
        kept = []
        if status:
            last = max(Path().glob("bent*"), key=lambda file: file.stat().st_mtime_ns)
            kept = [here / last.name]
            kept[0].write_bytes(last.read_bytes())
        os.chdir(here)
    outcome = f"{read:,} read, {refused:,} refused with a data error, {'none' if not status else 'ONE'} otherwise"
    if kept:
        print(f"the child ended with {status}; kept:", *kept, file=sys.stderr)
    record.report(trial, f"{read + refused:,} bent files of {len(INPUTS)} kinds", outcome, started,
                  record=options.record, failed=bool(status))  # fmt: skip


if __name__ == "__main__":
    main()
