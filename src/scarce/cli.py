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
from typing import Any

from scarce import __version__, extras
from scarce.commands.table import COMMANDS
from scarce.errors import ScarceError
from scarce.words import did_you_mean, one_line

HIDDEN = argparse.SUPPRESS
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
    parser = _parser()
    if "_ARGCOMPLETE" in os.environ:  # a shell asks what a word could become
        from scarce.commands.completion import complete

        complete(parser)
    options = parser.parse_args(argv)
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


class _Parser(argparse.ArgumentParser):
    """A parser that suggests the command, option or choice that a misspelt word is nearest to."""

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        if action.choices is not None and value not in action.choices:
            hint = did_you_mean(value, action.choices)
            raise argparse.ArgumentError(action, f"{value!r} is not known ({hint})")

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Each command refuses an option that it does not have itself, as it knows those that it has."""
        found, unknown = super().parse_known_args(args, namespace)
        if wrong := [word for word in unknown if word.startswith("-")]:
            known = [word for action in self._actions for word in action.option_strings if action.help is not HIDDEN]
            hint = did_you_mean(wrong[0].partition("=")[0], known)
            self.error(f"there is no option {wrong[0]} ({hint})")
        return found, unknown


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
        if command.json:
            sub.add_argument("--json", action="store_true", help="the answer as JSON, see docs/json.md")
        sub.add_argument("--log", type=Path, help=HIDDEN)
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
    if command.json and options.json:
        print(result.as_json())
    elif module.startswith("commands."):
        print(str(result).rstrip("\n"))
    elif isinstance(result, str) and result:
        print(f"scarce: warning: {result}", file=sys.stderr)
    else:
        for line in result or ():
            print(line, file=sys.stderr)
    return getattr(result, "exit_code", 0)


def _project(studies: str, values: list) -> Any:
    """The project without what is described wrongly, which stops only the studies that name it.

    Names of studies among `values` become their files where the command takes files.
    """
    from scarce import paths
    from scarce.config.loading import load_project
    from scarce.config.study_files import study_file

    if studies == "study":
        file = paths.study_yaml(values[0])
        return load_project([file] if file.is_file() else None, thorough=not file.is_file(), strict=False)
    if studies == "files":
        values[0] = list(map(study_file, values[0]))
    named = values[0] if studies == "files" else None
    return load_project([] if studies == "none" else named or None, strict=False)


if __name__ == "__main__":
    sys.exit(main())
