"""Every command of `scarce`: its line of help, its arguments, and the function that it calls.

A command is a record here and a module in `scarce.commands` or `scarce.stages`, which is imported when it is called.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

from scarce.analysis.rope import ROPE

CELL = "study dataset scenario method"
ALL_SCENARIOS = {"nargs": "?", "metavar": "SCENARIO", "help": "default: all"}
LANES = {"type": int, "default": 1, "help": "processes at a time"}
KINDS = ("datasets", "methods", "studies", "metrics", "options", "judges")


class Command(NamedTuple):
    """A command: its line of help, its arguments, and the function that it calls.

    `required` names positional arguments; `more` has further arguments, of an option its short form first, with the
    keywords that argparse takes; their metavars say what completion offers. `call` is ``module:function`` within
    `scarce`; by default the function of the command's name in the module of `scarce.stages` of that name. The function
    gets the project, then positional arguments in order, options by name, and `log` if it has that parameter. `project`
    says which studies are read: "study", that of the first argument; "all"; "none", only data sets and methods;
    "files", those of the first argument; or "", there is no project. `json` says that the function gives a
    `scarce.commands.answers.Answer`, which the command prints as JSON where it is asked to.
    """

    help: str
    required: str = ""
    more: dict[str, dict[str, Any]] = {}  # noqa: RUF012 - never written
    project: str = "study"
    call: str = ""
    json: bool = False


COMMANDS = {
    "init": Command(
        "lay out a project in a new folder",
        "",
        {"folder": {"type": Path, "metavar": "FOLDER"}},
        "",
        "commands.init:init",
    ),
    "run": Command(
        "run a study, or a part of it, with one line of progress and a summary at the end",
        "study",
        {
            "-m --method": {"action": "append", "default": [], "metavar": "METHOD", "help": "only this; repeatable"},
            "-d --dataset": {"action": "append", "default": [], "metavar": "DATASET", "help": "only this; repeatable"},
            "--repeats": {"type": int, "metavar": "N", "help": "fewer repeats than the study has"},
            "--cores": {"type": int, "metavar": "N", "help": "default: all"},
        },
        "",
        "commands.run:run",
    ),
    "completion": Command(
        "print what makes a shell complete the words of scarce",
        "",
        {"shell": {"choices": ("bash", "zsh", "fish")}},
        "",
        "commands.completion:completion",
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
    "list": Command(
        f"list {', '.join(KINDS)}", "", {"what": {"choices": KINDS}}, "all", "commands.listing:listing", json=True
    ),
    "status": Command(
        "list done, running, failed and missing cells of a study", "study", call="commands.status:status", json=True
    ),
    "explain": Command(
        "seeds, rows, class prior, parameters and the command of one cell",
        CELL,
        {"--repeat": {"type": int, "default": 0, "help": "repeat, counted from 0 (default 0)"}},
        call="commands.explain:explain",
    ),
    "doctor": Command(
        "environment, versions, mirror, stale locks, missing data, and what to do",
        project="",
        call="commands.doctor:examine",
        json=True,
    ),
    "check": Command(
        "validate studies and all that they name, without running",
        more={
            "files": {"nargs": "*", "metavar": "STUDY", "help": "name or file of a study; default: all"},
            "--estimate": {
                "action": "store_true",
                "help": "also time and disk, and how sure they are",
            },
            "--cores": {"type": int, "metavar": "N", "help": "cores that the estimate is for; default: all"},
        },
        project="files",
        call="commands.check:check",
        json=True,
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
    "artifact": Command(
        "one reproducible archive: code, packs, datasheets, Croissant and RO-Crate descriptions, digests",
        "",
        {
            "--dist": {"type": Path, "metavar": "FOLDER", "help": "put its wheel and sdist in as well"},
            "-o --output": {"type": Path, "help": "default: dist/scarce-VERSION-artifact.tar.gz"},
        },
        "all",
        "commands.artifact:artifact",
    ),
    "compare": Command(
        "fit one method on the splits of a pack, and compare it with the pack's methods",
        "",
        {
            "method": {"metavar": "METHOD", "help": "module:Class, a method of the project, or a CSV of scores"},
            "--against": {"type": Path, "metavar": "PACK", "required": True},
            "--control": {"metavar": "METHOD", "help": "of Holm's procedure; default: as in the study"},
            "--rope": {
                "type": float,
                "default": ROPE,
                "help": "differences that are practically none (default %(default)s)",
            },
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
