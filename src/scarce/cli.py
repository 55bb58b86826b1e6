"""The command line: one line for what is wrong, an exit code, and the traceback in the log.

Exit codes: 0 fine, 2 configuration, 3 data, 4 a method failed where ``on_error: raise``, 5 results incomplete,
1 anything else.
"""

from __future__ import annotations

import argparse
import contextlib
import errno
import importlib
import os
import sys
import traceback
from collections.abc import Callable
from pathlib import Path

from scarce import __version__
from scarce.errors import ScarceError
from scarce.usage import usage
from scarce.words import one_line

THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMEXPR_NUM_THREADS", "NUMBA_NUM_THREADS")
_GO_ON = "then run the same command again: what is finished is kept"
_RIGHTS = f"give yourself the right to write there; {_GO_ON}"
#: What the system can refuse, and what to do about it.
SYSTEM = {
    errno.ENOSPC: f"free some space; {_GO_ON}",
    errno.EDQUOT: f"free some space; {_GO_ON}",
    errno.EFBIG: f"raise the limit of file sizes; {_GO_ON}",
    errno.EROFS: _RIGHTS,
    errno.EACCES: _RIGHTS,
    errno.EPERM: _RIGHTS,
    errno.EIO: f"the disk may be failing; {_GO_ON}",
    errno.ENOTDIR: "a file stands where a folder is wanted: move it away",
    errno.EEXIST: "a file, or a link that leads nowhere, stands where a folder is wanted: move it or mend it",
    errno.EISDIR: "a folder stands where a file is wanted: move it away",
    errno.ENAMETOOLONG: "put the project into a folder with a shorter path",
}


def main(argv: list[str] | None = None) -> int:
    """Run a command and return its exit code."""
    options = _parser().parse_args(argv)
    # one process is one core, whatever the shell says: the workflow runs as many processes as there are cores, and last
    # bits of sums depend on how many threads share them
    os.environ |= dict.fromkeys(THREADS, "1") | {"NUMBA_DISABLE_JIT": "0"}  # uncompiled, the kernels are no functions
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):  # a terminal without é shows its number instead
            stream.reconfigure(errors="backslashreplace")
    with _log(options.log):
        try:
            return options.run(options) or 0
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
            if options.log:
                where = f"; the traceback is in {options.log}"
            else:
                traceback.print_exc()
                where = ""
            print(f"scarce: error: {type(error).__name__}: {one_line(error)}{where}", file=sys.stderr)
            return 1


@contextlib.contextmanager
def _log(path: Path | None):
    """Send what goes to standard error to `path` as well; its first line says how to run the command again, its last
    what the command used."""
    if path is None:
        yield
        return
    words = sys.argv[1:]
    if "--log" in words:
        del words[words.index("--log") : words.index("--log") + 2]
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"# scarce {' '.join(words)}\n", encoding="utf-8", errors="backslashreplace")
    except OSError as error:  # what is wrong with the disk is said by the command itself, if it meets it
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
        _write(path, str(usage()))


def _write(path: Path, text: str) -> None:
    with contextlib.suppress(OSError), open(path, "a", encoding="utf-8", errors="backslashreplace") as handle:
        handle.write(text)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="scarce", description="Benchmark of learning from positive and unlabeled data."
    )
    parser.add_argument("--version", action="version", version=f"scarce {__version__}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)

    def command(name: str, run: Callable, text: str, *arguments: str) -> argparse.ArgumentParser:
        sub = commands.add_parser(name, help=text, description=text)
        for argument in arguments:
            sub.add_argument(argument, metavar=argument.upper())
        sub.add_argument("--log", type=Path, help=argparse.SUPPRESS)
        sub.set_defaults(run=run)
        return sub

    cell = ("study", "dataset", "scenario", "method")
    what = command("list", _list, "what there is: data sets, methods, studies, metrics, options or judges")
    what.add_argument("what", choices=["datasets", "methods", "studies", "metrics", "options", "judges"])
    command("status", _status, "which cells of a study are done, running, failed or missing", "study")
    sub = command("explain", _explain, "seeds, rows, class prior, parameters and the command of one cell", *cell)
    sub.add_argument("--repeat", type=int, default=0, help="repeat, counted from 0 (default 0)")
    command("doctor", _doctor, "environment, versions, mirror, stale locks, missing data, and what to do")
    sub = command("check", _check, "validate study files and all that they name, without running")
    sub.add_argument("files", nargs="*", type=Path, metavar="STUDY.YAML", help="by default, all of config/studies")
    sub = command("fetch", _fetch, "get the raw files of data sets")
    sub.add_argument("datasets", nargs="*", metavar="DATASET")
    sub.add_argument("--missing", action="store_true", help="try again those that could not be had")
    sub.add_argument(
        "--allow-missing", action="store_true", help="a data set that cannot be had is noted, not an error"
    )
    sub = command("prepare", _prepare, "read and check the raw files of a data set", "dataset")
    sub.add_argument("--allow-unusable", action="store_true", help="a table that is wrong is noted, not an error")
    command("encode", _encode, "encode a data set's features on all rows", "study", "dataset")
    command("label", _label, "hide labels and split rows for all repeats", "study", "dataset", "scenario")
    command("prior", _prior, "estimate the class prior of all repeats", "study", "dataset", "scenario")
    command("warm", _warm, "compile the tree kernels before parallel jobs need them")
    sub = command("fit", _fit, "run a method on a data set and scenario, all repeats or one", *cell)
    sub.add_argument("--repeat", type=int, help="run this repeat alone, write nothing, let exceptions through")
    sub.add_argument("--pdb", action="store_true", help="with --repeat: stop in the debugger where it fails")
    command("collect", _results("collect"), "scores.csv, runs.csv, failures.csv and manifest.json of a study", "study")
    command("analyse", _results("analyse"), "ranks, tests and agreement with the published numbers", "study")
    command("verdicts", _verdicts, "what became of the claims of a study's paper", "study")
    command("tables", _results("tables"), "tables as CSV, LaTeX and HTML", "study")
    command("figures", _results("figures"), "figures as SVG, PDF and PNG", "study")
    command("page", _results("page"), "report.html", "study")
    sub = command("reproduction", _reproduction, "what finished studies found, as one page of Markdown")
    sub.add_argument("studies", nargs="+", metavar="STUDY")
    return parser


def _project(studies: list[Path] | None = None):
    from scarce.config.loading import load_project

    return load_project(studies)


def _one(study: str):
    """The project with that study alone, so that another study's fault stops nothing here."""
    from scarce import paths
    from scarce.config.loading import load_project

    file = paths.study_yaml(study)
    return load_project([file], thorough=False) if file.is_file() else _project()


def _list(options) -> None:
    from scarce.commands import inspect

    print(inspect.listing(_project(), options.what))


def _status(options) -> None:
    from scarce.commands import inspect

    print(inspect.status(_one(options.study), options.study))


def _explain(options) -> None:
    from scarce.commands import inspect

    print(inspect.explain(_one(options.study), *_cell(options), options.repeat))


def _doctor(options) -> None:
    from scarce.commands import doctor

    print(doctor.examine())


def _check(options) -> None:
    from scarce.commands import inspect

    print(inspect.check(_project(options.files or None)))


def _fetch(options) -> None:
    from scarce.stages.fetch import fetch

    for line in fetch(_project([]), options.datasets, missing=options.missing, allow_missing=options.allow_missing):
        print(line, file=sys.stderr)


def _prepare(options) -> None:
    from scarce.stages.prepare import prepare

    if reason := prepare(_project([]), options.dataset, allow_unusable=options.allow_unusable):
        print(f"scarce: warning: {options.dataset} is left out of all studies: {reason}", file=sys.stderr)


def _cell(options) -> tuple[str, str, str, str]:
    return options.study, options.dataset, options.scenario, options.method


def _encode(options) -> None:
    from scarce.stages.encode import encode

    encode(_one(options.study), options.study, options.dataset)


def _label(options) -> None:
    from scarce.stages.label import label

    label(_one(options.study), options.study, options.dataset, options.scenario)


def _prior(options) -> None:
    from scarce.stages.prior import prior

    prior(_one(options.study), options.study, options.dataset, options.scenario, log=options.log)


def _warm(options) -> None:
    from scarce.stages.warm import warm

    warm()


def _fit(options) -> None:
    from scarce.stages.fit import fit, fit_alone

    project = _one(options.study)
    if options.repeat is None:
        fit(project, *_cell(options), log=options.log)
    else:
        print(fit_alone(project, *_cell(options), options.repeat, pdb=options.pdb))


def _reproduction(options) -> None:
    from scarce.commands.reproduction import reproduction

    print(reproduction(_project(), options.studies), end="")


def _verdicts(options) -> None:
    from scarce.stages.verdicts import verdicts

    verdicts(_one(options.study), options.study)


def _results(stage: str) -> Callable:
    def run(options) -> None:
        module = importlib.import_module(f"scarce.stages.{stage}")
        if doubt := getattr(module, stage)(_one(options.study), options.study):
            print(f"scarce: warning: {doubt}", file=sys.stderr)

    return run


if __name__ == "__main__":
    sys.exit(main())
