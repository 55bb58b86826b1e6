"""Every file that a study leaves in ``results/<study>``, declared once: path, rule, content and columns.

Outputs of rules, downloads of the page, datapackage.json, the checks of what is read back and the glossary of
docs/results.md follow from `RESULT_FILES` and `COLUMNS`. ``python -m scarce.result_files`` prints the glossary.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import PurePosixPath


@dataclass(frozen=True)
class Column:
    """A column of result files; it means the same in all of them.

    Parameters
    ----------
    name : str
    type : {"string", "integer", "number", "boolean"}
        As in a Frictionless schema.
    description : str
    reads_empty : bool
        Whether an empty cell is read back as "", a name like others, and not as a missing value.
    """

    name: str
    type: str
    description: str
    reads_empty: bool = False


@dataclass(frozen=True)
class ResultFile:
    """One result file.

    Parameters
    ----------
    path : str
        Below ``results/<study>``.
    rule : str
        The rule that writes it.
    title : str
        What it holds; of a table, what a row is.
    columns : tuple of str
        Names in `COLUMNS`; empty where the file is no table.
    """

    path: str
    rule: str
    title: str
    columns: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """File name without suffix; unique."""
        return PurePosixPath(self.path).stem


COLUMNS = {
    column.name: column
    for column in (
        Column("dataset", "string", "name of the data set; empty: the average over data sets", True),
        Column("scenario", "string", "how labels are hidden, e.g. flip-50: half of the positives", True),
        Column("repeat", "integer", "repeat of the split, counted from 0"),
        Column("method", "string", "name of the method, see `scarce list methods`", True),
        Column("metric", "string", "name of the metric, see `scarce list metrics`", True),
        Column("value", "number", "the value; empty where it is undefined, with the reason in the run's message"),
        Column(
            "status",
            "string",
            "ok, degenerate (the same score for every test row; metrics are kept), failed, timeout, skipped (the repeat "
            "has no possible split) or not_installed (the method needs a package that is not installed)",
        ),
        Column("message", "string", "warnings, fallbacks of the method, and why a value is undefined"),
        Column("fit_seconds", "number", "wall seconds of the fit on all training rows"),
        Column("predict_seconds", "number", "wall seconds of scoring the test rows"),
        Column("peak_memory_mb", "number", "peak resident memory of the process that ran the repeat, in MiB"),
        Column("n_train", "integer", "training rows"),
        Column("n_labeled", "integer", "labeled positives among the training rows"),
        Column("n_hidden", "integer", "positives among the training rows whose label is hidden"),
        Column("class_prior", "number", "class prior that the method received, in (0, 1)"),
        Column("threshold", "number", "threshold of the study's decision"),
        Column("seed", "integer", "the repeat's seed for splits and flips"),
        Column("fingerprint", "string", "digest of what the fit depends on: arguments, version and code of the method"),
        Column("command", "string", "command that repeats the run alone"),
        Column("fact", "string", "name of a number that the fitted method reports, e.g. a setting that it chose"),
        Column(
            "blocks", "string", "what counts as an independent block: datasets (repeats averaged first) or runs", True
        ),
        Column("alternative", "string", "two-sided or one-sided"),
        Column("test", "string", "name of the test"),
        Column("statistic", "number", "value of the test statistic"),
        Column("df1", "number", "degrees of freedom"),
        Column("df2", "number", "degrees of freedom of the denominator"),
        Column("p", "number", "unadjusted p-value"),
        Column("p_adjusted", "number", "p-value adjusted for the family of comparisons"),
        Column("significant", "boolean", "whether the hypothesis of equal performance is rejected at alpha"),
        Column("alpha", "number", "level of the test"),
        Column("control", "string", "the method compared with; of a Nemenyi pair, the first"),
        Column("average_rank", "number", "average rank over blocks; 1 is best, ties share their mean rank"),
        Column("mean", "number", "mean over blocks"),
        Column("sd", "number", "mean over data sets of the standard deviation over repeats (ddof 1)"),
        Column("wins", "integer", "blocks in which no method is better"),
        Column("n_blocks", "integer", "number of blocks"),
        Column("k", "integer", "number of methods"),
        Column("n", "integer", "number of blocks; in agreement.csv, of runs"),
        Column("q", "number", "studentized range quantile over the square root of 2"),
        Column(
            "critical_difference", "number", "smallest difference of average ranks that Nemenyi's test calls significant"
        ),
        Column("published", "number", "as printed in the paper, as a fraction"),
        Column("reproduced", "number", "mean over the runs of this study"),
        Column("difference", "number", "reproduced - published"),
        Column(
            "standard_error", "number", "of the difference: sqrt((sd_reproduced^2 + sd_published^2) / n)"
        ),
        Column("within", "boolean", "absolute difference <= 2 standard errors + half the last printed digit"),
        Column("n_runs", "integer", "runs that both sides have"),
        Column("n_equal", "integer", "runs equal to 1e-6"),
        Column("correlation", "number", "Pearson correlation over the runs"),
        Column("largest_difference", "number", "largest absolute difference of a run"),
        Column(
            "note", "string", "what is missing, left out or not tested, and why; of a verdict, why it may be so", True
        ),
        Column("claim", "string", "name of the claim in the study's file"),
        Column("text", "string", "what the paper says, in other words"),
        Column("where", "string", "where the paper says it", True),
        Column("judge", "string", "kind of judge, see `scarce list judges`"),
        Column("verdict", "string", "held, partly, not held, or untested"),
        Column("reading", "string", "what the numbers say, a line for each sentence"),
        Column("other", "string", "the method compared with", True),
        Column("quantity", "string", "what the value is, e.g. average_rank, p_adjusted, difference"),
    )
}  # fmt: skip

_RUN = ("dataset", "scenario", "repeat", "method")
_CELL = ("scenario", "metric", "dataset", "method")
_PANEL = ("scenario", "metric", "blocks")
_RUN_ROW = (
    *_RUN, "status", "message", "fit_seconds", "predict_seconds", "peak_memory_mb", "n_train", "n_labeled", "n_hidden",
    "class_prior", "threshold", "seed", "fingerprint",
)  # fmt: skip

RESULT_FILES = {
    file.name: file
    for file in (
        ResultFile("scores.csv", "collect", "one metric of one run", (*_RUN, "metric", "value")),
        ResultFile("runs.csv", "collect", "one run", _RUN_ROW),
        ResultFile("failures.csv", "collect", "one run whose status is not ok", (*_RUN_ROW, "command")),
        ResultFile("facts.csv", "collect", "one number that a fitted method reports", (*_RUN, "fact", "value")),
        ResultFile("manifest.json", "collect", "what the results were made from"),
        ResultFile("datapackage.json", "collect", "all columns, described for programs"),
        ResultFile(
            "stats/ranks.csv", "analyse", "one method in one panel",
            (*_PANEL, "method", "average_rank", "mean", "sd", "wins", "n_blocks"),
        ),
        ResultFile(
            "stats/omnibus.csv", "analyse", "one test that all methods perform alike",
            (*_PANEL, "test", "statistic", "df1", "df2", "p"),
        ),
        ResultFile(
            "stats/posthoc.csv", "analyse", "one comparison of two methods",
            (*_PANEL, "alternative", "test", "control", "method", "statistic", "p", "p_adjusted", "significant", "alpha"),
        ),
        ResultFile(
            "stats/critical_difference.csv", "analyse", "the critical difference of one panel",
            (*_PANEL, "k", "n", "alpha", "q", "critical_difference"),
        ),
        ResultFile(
            "stats/notes.csv", "analyse", "one thing that is missing, left out or not tested",
            (*_PANEL, "dataset", "method", "note"),
        ),
        ResultFile(
            "agreement.csv", "analyse", "one published number beside the reproduced one",
            (*_CELL, "published", "reproduced", "sd", "n", "difference", "standard_error", "within"),
        ),
        ResultFile(
            "agreement_runs.csv", "analyse", "one cell whose single runs the authors stored",
            (*_CELL, "n_runs", "n_equal", "correlation", "largest_difference"),
        ),
        ResultFile("agreement_notes.csv", "analyse", "one remark on the comparison", (*_CELL, "note")),
        ResultFile(
            "verdicts.csv", "verdicts", "one claim of the paper",
            ("claim", "text", "where", "judge", "verdict", "reading", "note"),
        ),
        ResultFile(
            "evidence.csv", "verdicts", "one number behind a verdict",
            ("claim", *_PANEL, "dataset", "method", "other", "quantity", "value"),
        ),
        ResultFile("report.html", "page", "the report, one file that needs no other"),
    )
}  # fmt: skip


def columns_of(name: str) -> list[str]:
    """Column names of a result file, in order; a KeyError where `name` is none in `RESULT_FILES`."""
    return list(RESULT_FILES[name].columns)


def glossary() -> str:
    """Files and columns as the two Markdown tables of docs/results.md."""
    tables = [file for file in RESULT_FILES.values() if file.columns]
    files = [f"| {file.path} | {file.title} | {', '.join(file.columns)} |" for file in tables]
    columns = [f"| {column.name} | {column.type} | {column.description} |" for column in COLUMNS.values()]
    head = ["| file | one row | columns |", "|---|---|---|"]
    return "\n".join([*head, *files, "", "| column | type | meaning |", "|---|---|---|", *columns, ""])


if __name__ == "__main__":
    print(glossary(), end="")
