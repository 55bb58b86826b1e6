"""The command line: an error is one line and an exit code; its traceback goes into the log.

Exit codes: 0 fine, 2 configuration, 3 data, 4 a method failed where ``on_error: raise``, 5 results incomplete,
1 anything else.
"""

from __future__ import annotations

import argparse
import contextlib
import errno
import importlib
import inspect
import os
import resource
import sys
import traceback
from pathlib import Path
from typing import Any, NamedTuple

from scarce import __version__, extras
from scarce.errors import ScarceError
from scarce.words import did_you_mean, one_line

THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMEXPR_NUM_THREADS", "NUMBA_NUM_THREADS")
_GO_ON = "then run the same command again: what is finished is kept"
_RIGHTS = f"give yourself the right to write there; {_GO_ON}"
#: Error number of the system -> what to do about it.
SYSTEM = {
    errno.ENOSPC: f"free some space; {_GO_ON}",
    errno.EDQUOT: f"free some space; {_GO_ON}",
    errno.EFBIG: f"raise the limit of file sizes; {_GO_ON}",
    errno.EROFS: _RIGHTS,
    errno.EACCES: _RIGHTS,
    errno.EPERM: _RIGHTS,
    errno.EIO: f"the disk may be failing; {_GO_ON}",
    errno.ENOTDIR: "a file stands in the place of a folder: move it away",
    errno.EEXIST: "a file, or a broken link, stands in the place of a folder: move it away",
    errno.EISDIR: "a folder stands in the place of a file: move it away",
    errno.ENAMETOOLONG: "put the project into a folder with a shorter path",
}


def main(argv: list[str] | None = None) -> int:
    """Run a command and return its exit code."""
    options = _parser().parse_args(argv)
    # One thread per process: the workflow starts a process per core, and the last bits of sums depend on the number of
    # threads. Compilation is always on: uncompiled kernels are not functions.
    os.environ |= dict.fromkeys(THREADS, "1") | {"NUMBA_DISABLE_JIT": "0"}
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):  # a terminal that cannot show a letter shows its code
            stream.reconfigure(errors="backslashreplace")
    with _log(options.log):
        try:
            return _run(options)
        except ScarceError as error:
            if options.log:
                _write(options.log, traceback.format_exc())
            for line in error.lines():
                print(f"scarce: error: {line}", file=sys.stderr)
            return error.exit_code
        except BrokenPipeError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return 0
        except KeyboardInterrupt:
            print("scarce: interrupted", file=sys.stderr)
            return 130
        except Exception as error:
            if options.log:
                _write(options.log, traceback.format_exc())
            if isinstance(error, OSError) and error.errno in SYSTEM:
                place = f"{error.filename}: " if error.filename else ""
                print(f"scarce: error: {place}{error.strerror} ({SYSTEM[error.errno]})", file=sys.stderr)
                return 1
            if isinstance(error, ModuleNotFoundError) and (missing := extras.install(error.name)):
                print(f"scarce: error: {missing}", file=sys.stderr)
                return 1
            if options.log:
                where = f"; the traceback is in {options.log}"
            else:
                traceback.print_exc()
                where = ""
            print(f"scarce: error: {type(error).__name__}: {one_line(error)}{where}", file=sys.stderr)
            return 1


@contextlib.contextmanager
def _log(path: Path | None):
    """Copy standard error to `path`; the first line of that file is the command.

    The last line states CPU seconds and peak memory: those of this process, and those of the children that it waited
    for (of memory, the largest child).
    """
    if path is None:
        yield
        return
    words = sys.argv[1:]
    if "--log" in words:
        del words[words.index("--log") : words.index("--log") + 2]
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"# scarce {' '.join(words)}\n", encoding="utf-8", errors="backslashreplace")
    except OSError as error:  # the command itself reports a full or broken disk
        print(f"scarce: no log in {path}: {error.strerror}", file=sys.stderr)
        yield
        return
    terminal = sys.stderr

    class Both:
        def write(self, text: str) -> int:
            _write(path, text)
            return terminal.write(text)

        def flush(self) -> None:
            terminal.flush()

        def fileno(self) -> int:
            return terminal.fileno()

    sys.stderr = Both()
    try:
        yield
    finally:
        sys.stderr = terminal
        own, children = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
        cpu, children_cpu = (used.ru_utime + used.ru_stime for used in (own, children))
        per_mb = 1024**2 if sys.platform == "darwin" else 1024
        memory = f"{own.ru_maxrss / per_mb:.0f} + {children.ru_maxrss / per_mb:.0f} MB"
        _write(path, f"# used {cpu:.2f} + {children_cpu:.2f} CPU s, {memory}\n")


def _write(path: Path, text: str) -> None:
    with contextlib.suppress(OSError), open(path, "a", encoding="utf-8", errors="backslashreplace") as handle:
        handle.write(text)


CELL = "study dataset scenario method"
ALL_SCENARIOS = {"nargs": "?", "metavar": "SCENARIO", "help": "default: all"}
LANES = {"type": int, "default": 1, "help": "processes at a time"}
KINDS = ("datasets", "methods", "studies", "metrics", "options", "judges")


class Command(NamedTuple):
    """A command: its line of help, its arguments, and the function that it calls.

    `required` names positional arguments; `more` has further arguments, of an option its short form first, with the
    keywords that argparse takes. `call` is
    ``module:function`` within `scarce`; by default the function of the command's name in the module of `scarce.stages`
    of that name. The function gets the project, then positional arguments in order, options by name, and `log` if it
    has that parameter. `project` says which studies are read: "study", that of the first argument; "all"; "none", only
    data sets and methods; "files", those of the first argument; or "", there is no project.
    """

    help: str
    required: str = ""
    more: dict[str, dict[str, Any]] = {}  # noqa: RUF012 - never written
    project: str = "study"
    call: str = ""


COMMANDS = {
    "init": Command(
        "lay out a project in a new folder",
        "",
        {"folder": {"type": Path, "metavar": "FOLDER"}},
        "",
        "commands.init:init",
    ),
    "advise": Command(
        "what can be said about a CSV file of your own PU data, and which method to take",
        "",
        {
            "data": {"type": Path, "metavar": "DATA.CSV"},
            "--label": {"required": True, "metavar": "COLUMN", "help": "column that says which rows are labeled"},
            "--positive": {"metavar": "VALUE", "help": "its value that means labeled positive"},
            "--class-prior": {
                "nargs": "+",
                "type": float,
                "default": (),
                "metavar": "P",
                "help": "share of positives, or the smallest and the largest that you believe",
            },
            "--drop": {"nargs": "+", "default": (), "metavar": "COLUMN", "help": "columns to leave out"},
            "--keep": {"nargs": "+", "default": (), "metavar": "COLUMN", "help": "doubtful columns to keep"},
            "--missing": {"nargs": "+", "default": (), "metavar": "TEXT", "help": "texts that mean a missing cell"},
            "--delimiter": {"default": ",", "metavar": "CHARACTER", "help": "default: a comma"},
            "--out": {"type": Path, "metavar": "FOLDER", "help": "new folder; default: advise-<name of the file>"},
            "--seed": {"type": int, "default": 0, "help": "of folds, methods and draws (default 0)"},
            "--lanes": LANES | {"default": 2},
        },
        "",
        "commands.advise:advise",
    ),
    "list": Command(f"list {', '.join(KINDS)}", "", {"what": {"choices": KINDS}}, "all", "commands.inspect:listing"),
    "status": Command(
        "list done, running, failed and missing cells of a study", "study", call="commands.inspect:status"
    ),
    "explain": Command(
        "seeds, rows, class prior, parameters and the command of one cell",
        CELL,
        {"--repeat": {"type": int, "default": 0, "help": "repeat, counted from 0 (default 0)"}},
        call="commands.inspect:explain",
    ),
    "doctor": Command(
        "environment, versions, mirror, stale locks, missing data, and what to do",
        project="",
        call="commands.doctor:examine",
    ),
    "check": Command(
        "validate study files and all that they name, without running",
        more={"files": {"nargs": "*", "type": Path, "metavar": "STUDY.YAML", "help": "default: all of config/studies"}},
        project="files",
        call="commands.inspect:check",
    ),
    "fetch": Command(
        "get the raw files of data sets",
        more={
            "datasets": {"nargs": "*", "metavar": "DATASET"},
            "--missing": {"action": "store_true", "help": "try again those that could not be had"},
            "--allow-missing": {"action": "store_true", "help": "record a data set that cannot be had, and go on"},
        },
        project="none",
    ),
    "prepare": Command(
        "read and check the raw files of a data set",
        "dataset",
        {"--allow-unusable": {"action": "store_true", "help": "record a table that is wrong, and go on"}},
        "none",
    ),
    "label": Command("hide labels and split rows for all repeats", "study dataset", {"scenario": ALL_SCENARIOS}),
    "prior": Command(
        "estimate the class prior of all repeats", "study dataset", {"scenario": ALL_SCENARIOS, "--lanes": LANES}
    ),
    "warm": Command("compile the tree kernels before parallel jobs need them", project=""),
    "fit": Command(
        "fit methods on a data set: all, one on a scenario, or one repeat of it",
        "study dataset",
        {
            "scenario": ALL_SCENARIOS,
            "method": {"nargs": "?", "metavar": "METHOD", "help": "default: all that have no valid file"},
            "--group": {"help": "the methods that one job of the workflow fits, e.g. cells"},
            "--lanes": LANES,
            "--repeat": {"type": int, "help": "run this repeat alone, write nothing, let exceptions through"},
            "--pdb": {"action": "store_true", "help": "with --repeat: stop in the debugger where it fails"},
        },
    ),
    "collect": Command("scores.csv, runs.csv, failures.csv and manifest.json of a study", "study"),
    "analyse": Command("ranks, tests and agreement with the published numbers", "study"),
    "verdicts": Command("judge the claims of a study's paper", "study"),
    "tables": Command("tables as CSV, LaTeX and HTML", "study"),
    "figures": Command("figures as SVG, PDF and PNG", "study"),
    "page": Command(
        "report.html of a study, or results/index.html of all finished ones",
        more={
            "study": {"nargs": "?", "metavar": "STUDY"},
            "--all": {"action": "store_true", "help": "write results/index.html"},
        },
    ),
    "refit": Command(
        "fit a method of a finished study to all rows: a model to use, and a JSON that describes it",
        "study dataset method",
        {
            "--scenario": {"help": "how labels are hidden, where the study has several ways"},
            "-o --output": {"type": Path, "default": Path("model.joblib"), "help": "default: %(default)s"},
        },
        call="commands.refit:refit",
    ),
    "predict": Command(
        "score the rows of a CSV by a model",
        "",
        {
            "model": {"type": Path, "metavar": "MODEL.JOBLIB"},
            "table": {"type": Path, "metavar": "NEW.CSV"},
            "-o --output": {"type": Path, "default": Path("predictions.csv"), "help": "default: %(default)s"},
        },
        "",
        "commands.predict:predict",
    ),
    "pack": Command(
        "write the results of a finished study as one folder that travels, or check one",
        "",
        {
            "study": {"nargs": "?", "metavar": "STUDY"},
            "--check": {"type": Path, "metavar": "PACK", "help": "verify the files of a pack by their digests"},
            "-o --output": {"type": Path, "help": "default: packs/STUDY"},
        },
        "all",
        "commands.pack:pack",
    ),
    "unpack": Command(
        "make the results of a pack stand as if the study had been run here",
        "",
        {"pack": {"type": Path, "metavar": "PACK"}},
        "all",
        "commands.pack:unpack",
    ),
    "compare": Command(
        "fit one method on the splits of a pack, and compare it with the pack's methods",
        "",
        {
            "method": {"metavar": "METHOD", "help": "module:Class, a method of the project, or a CSV of scores"},
            "--against": {"type": Path, "metavar": "PACK", "required": True},
            "--control": {"metavar": "METHOD", "help": "of Holm's procedure; default: as in the study"},
            "--rope": {"type": float, "default": 0.01, "help": "differences that are practically none (default 0.01)"},
            "--lanes": LANES,
        },
        "all",
        "commands.compare:compare",
    ),
    "reproduction": Command(
        "results of finished studies as one page of Markdown",
        more={"studies": {"nargs": "+", "metavar": "STUDY"}},
        project="all",
        call="commands.reproduction:reproduction",
    ),
}


class _Parser(argparse.ArgumentParser):
    """A parser that suggests the command or choice that a misspelt word is nearest to."""

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        if action.choices is not None and value not in action.choices:
            hint = did_you_mean(value, action.choices)
            raise argparse.ArgumentError(action, f"{value!r} is not known ({hint})")


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="scarce", description="Benchmark of learning from positive and unlabeled data.")
    parser.add_argument("--version", action="version", version=f"scarce {__version__}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", dest="command", required=True)
    for name, command in COMMANDS.items():
        sub = commands.add_parser(name, help=command.help, description=command.help)
        for word in command.required.split():
            sub.add_argument(word, metavar=word.upper())
        for word, keywords in command.more.items():
            sub.add_argument(*word.split(), **keywords)
        sub.add_argument("--log", type=Path, help=argparse.SUPPRESS)
    return parser


def _run(options: argparse.Namespace) -> int:
    """Call the function of a command; print what a person asked for, and warn of what a stage returns.

    Returns 0, or the exit code that an answer to a person has.
    """
    command = COMMANDS[options.command]
    module, _, name = (command.call or f"stages.{options.command}:{options.command}").partition(":")
    words = [*command.required.split(), *(word.split()[-1] for word in command.more)]
    values = [getattr(options, word) for word in words if not word.startswith("--")]
    flags = [word[2:].replace("-", "_") for word in words if word.startswith("--")]
    keywords = {flag: getattr(options, flag) for flag in flags}
    if command.project:
        project = _project(command.project, values)
        values = [project, *values]
    function = getattr(importlib.import_module(f"scarce.{module}"), name)
    if "log" in inspect.signature(function).parameters:
        keywords["log"] = options.log
    result = function(*values, **keywords)
    if module.startswith("commands."):
        print(result.rstrip("\n"))
    elif isinstance(result, str) and result:
        print(f"scarce: warning: {result}", file=sys.stderr)
    else:
        for line in result or ():
            print(line, file=sys.stderr)
    return getattr(result, "exit_code", 0)


def _project(studies: str, values: list) -> Any:
    """The project without what is described wrongly, which stops only the studies that name it."""
    from scarce import paths
    from scarce.config.loading import load_project

    if studies == "study":
        file = paths.study_yaml(values[0])
        return load_project([file] if file.is_file() else None, thorough=not file.is_file(), strict=False)
    return load_project({"all": None, "none": [], "files": values[0] or None}[studies], strict=False)


if __name__ == "__main__":
    sys.exit(main())
