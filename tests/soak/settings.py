"""Configuration under bad input: study, data set and method files, bent at random, are fine or refused line by line.

Whatever the file, nothing but a configuration error may come out, every line of it with file and line.
"""

from __future__ import annotations

import os
import re
import shutil
import tempfile
import time
from collections import Counter
from pathlib import Path

from scarce import paths
from scarce.config.loading import load_project
from scarce.errors import ConfigError
from tests.soak import record

ROOT = Path(__file__).parents[2]
WORDS = [
    "no", "yes", "off", "True", "null", "~", "010", "007", "2023_01", "1e-3", "1e5", "1e400", "0x1F", "1:30",
    ".nan", ".inf", "-.inf", "0.5", "0", "1", "-1", "1.5", "2", "20", "99999999999", "''", "\"\"", "[]", "{}",
    "[[]]", "[{}]", "{a: 1}", "{a: {b: [1]}}", "[1, 1]", "[moons, moons]", "moons", "pu_hdt", "sound", "ortega2023",
    "flip-50", "auc_pr", "$seed", "$sed", "con", "aux", "../x", "a/b", "A", "é", "'=1+1'", "'<b>'",
    "!!python/name:os.system", "!!str", "&a", "*a", "|", ">", "%", "@", "`", "?", "-", ":", "#", "\t", "",
]  # fmt: skip
KEYS = [
    "name", "title", "datasets", "labeling", "scar", "flip_ratios", "split", "plan", "test_size", "validation_size",
    "repeats", "seed", "methods", "method_options", "options", "decision", "class_prior", "limits",
    "seconds", "analysis", "metrics", "alpha", "control", "exclude", "report", "tables", "preset", "extends",
    "layout", "scenario", "sources", "kind", "files", "path", "url", "sha256", "read", "format", "target",
    "positive", "nominal", "steps", "step", "expected", "estimator", "params", "label", "family", "comparison",
    "version", "repeat", "sede", "<<", "1",
]  # fmt: skip
LOCATED = re.compile(r"\S+\.yaml(:\d+)?: .+")


def bend(text: str, edits: list[tuple[str, float, int, int]]) -> str:
    """Do some edits of a text, line by line and word by word."""
    lines = text.split("\n")
    for how, where, one, two in edits:
        at = int(where * len(lines))
        line = lines[at] if at < len(lines) else ""
        key, colon, value = line.partition(":")
        if how == "value":
            lines[at : at + 1] = [f"{key}{colon} {WORDS[one % len(WORDS)]}"]
        elif how == "key":
            indent = key[: len(key) - len(key.lstrip())]
            lines[at : at + 1] = [f"{indent}{KEYS[one % len(KEYS)]}{colon}{value}"]
        elif how == "word":
            words = re.findall(r"[\w.$-]+", line)
            if words:
                lines[at] = line.replace(words[two % len(words)], WORDS[one % len(WORDS)], 1)
        elif how == "delete":
            del lines[at : at + 1 + two % 3]
        elif how == "copy":
            lines[at:at] = lines[at : at + 1 + two % 3]
        elif how == "indent":
            lines[at : at + 1] = [" " * (two % 5) + line.lstrip() if one % 2 else " " + line]
        elif how == "character":
            place = two % (len(line) + 1)
            lines[at : at + 1] = [line[:place] + "\0\t'\"[]{}:,#&*!|>%@`é\u2028"[one % 20] + line[place:]]
        elif how == "cut":
            lines = lines[:at]
    return "\n".join(lines)


def main() -> None:
    from hypothesis import HealthCheck, Phase, given, settings
    from hypothesis import seed as seeded
    from hypothesis import strategies as st

    options = record.parser(__doc__, "--inputs", 20_000).parse_args()
    started, counts, failed = time.monotonic(), Counter(), False
    edit = st.tuples(
        st.sampled_from(["value", "key", "word", "delete", "copy", "indent", "character", "cut"]),
        st.floats(0, 1, exclude_max=True),
        st.integers(0, 10_000),
        st.integers(0, 10_000),
    )
    home = Path.cwd()
    with tempfile.TemporaryDirectory(prefix="scarce-fuzz-") as folder:
        os.chdir(folder)
        shutil.copytree(ROOT / "config", "config")
        small = _without_most_data_sets(paths.DATASETS_YAML)
        paths.DATASETS_YAML.write_text(small)
        targets = {
            paths.study_yaml("smoke"): paths.study_yaml("smoke").read_text(),
            paths.DATASETS_YAML: small,
            paths.METHODS_YAML: paths.METHODS_YAML.read_text(),
            paths.CONFIG_YAML: "studies: [smoke]\nmirror: null\nplugins: []\ncode_tracking: source\n",
        }
        for file in paths.STUDIES.glob("*.yaml"):
            if file.stem != "smoke":
                file.unlink()
        paths.CONFIG_YAML.write_text(targets[paths.CONFIG_YAML])
        chosen = [paths.study_yaml("smoke")]  # those of the papers need the data sets that are left out
        load_project(chosen)
        before = sorted(Path().rglob("*"))

        @seeded(options.seed)
        @settings(max_examples=options.inputs, deadline=None, database=None, phases=[Phase.generate, Phase.shrink],
                  suppress_health_check=list(HealthCheck))  # fmt: skip
        @given(st.sampled_from(list(targets)), st.lists(edit, min_size=1, max_size=4))
        def run(file, edits):
            file.write_bytes(bend(targets[file], edits).encode())
            try:
                project = load_project(chosen)
                counts["fine"] += 1
                for study in project.studies.values():
                    assert study.scenarios
                    for method in study.fitted_methods:
                        project.fingerprint(study, study.datasets[0], method)
            except ConfigError as error:
                counts["refused"] += 1
                lines = error.lines()
                assert lines
                for line in lines:
                    assert "\n" not in line
                    assert LOCATED.match(line), line
            finally:
                file.write_text(targets[file])
            assert sorted(Path().rglob("*")) == before, "a file was written"

        try:
            run()
        except Exception:
            import traceback

            traceback.print_exc()
            failed = True
        os.chdir(home)
    otherwise = "ONE" if failed else "none"
    outcome = f"{counts['fine']:,} fine, {counts['refused']:,} refused line by line, {otherwise} otherwise"
    load = f"{sum(counts.values()):,} bent files of 4 kinds"
    record.report("settings", load, outcome, started, record=options.record, failed=failed)


def _without_most_data_sets(file: Path) -> str:
    """The data sets that `smoke` uses and two more, so that reading them is fast."""
    blocks = re.split(r"^(?=[a-z0-9])", file.read_text(), flags=re.MULTILINE)
    kept = [block for block in blocks if re.match(r"(moons|blobs|yeast6|abalone9_18):", block)]
    return "".join(kept)


if __name__ == "__main__":
    main()
