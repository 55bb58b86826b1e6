"""Every file that a study leaves in ``results/<study>``, declared once: path, rule, content and columns.

Outputs of rules, downloads of the page, datapackage.json, the checks of what is read back and the glossary of
docs/results.md follow from `RESULT_FILES` and `COLUMNS`. ``python -m scarce.result_files`` prints the glossary.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import PurePosixPath


@dataclass(frozen=True)
class Column:
    """A column of result files; it means the same in all of them. Types are those of a Frictionless schema."""

    name: str
    type: str
    description: str


@dataclass(frozen=True)
class ResultFile:
    """One result file: its path below ``results/<study>``, the rule that writes it, and what it or each row holds.

    The `header` has names in `COLUMNS`, separated by spaces; it is "" where the file is no table.
    """

    path: str
    rule: str
    title: str
    header: str = ""

    @property
    def columns(self) -> list[str]:
        return self.header.split()

    @property
    def name(self) -> str:
        """File name without suffix; unique."""
        return PurePosixPath(self.path).stem


_COLUMNS = """
dataset             string   name of the data set; empty: the average over data sets
scenario            string   how labels are hidden, e.g. flip-50: half of the positives
repeat              integer  repeat of the split, counted from 0
method              string   name of the method, see `scarce list methods`
metric              string   name of the metric, see `scarce list metrics`
feature             string   name of a feature as prepared; x1, x2, ... where nominal columns were encoded as several
importance          number   importance of the feature, in units of the method, e.g. risk reduction
normalised_importance number importance with each split's gain divided by the weight of its node; empty without one
value               number   the value; empty where it is undefined, with the reason in the run's message
status              string   ok, degenerate (one score for all test rows), failed, timeout, skipped, not_installed
message             string   warnings, fallbacks of the method, and why a value is undefined
fit_seconds         number   wall seconds of the fit on all training rows
predict_seconds     number   wall seconds of scoring the test rows
peak_memory_mb      number   peak resident memory of the process that ran the repeat, in MiB
n_train             integer  training rows
n_labeled           integer  labeled positives among the training rows
n_hidden            integer  positives among the training rows whose label is hidden
class_prior         number   class prior that the method received, in (0, 1)
threshold           number   threshold of the study's decision
seed                integer  the repeat's seed for splits and flips
fingerprint         string   digest of what the fit depends on: arguments, version and code of the method
command             string   command that repeats the run alone
rank                number   rank within the block; 1 is best, ties share their mean rank; of an average: average rank
n_datasets          integer  data sets that are averaged
authors             number   mean of the authors' own runs, over the same data sets; empty without such runs
table               string   name of the table of the report
published_sd        number   standard deviation as printed in the paper
published_rank      number   rank as printed in the paper
published_rank_here number   the paper's own ranks, averaged over the same data sets
published_significant boolean whether the paper marks the method as different from its control
fact                string   name of a number that the fitted method reports, e.g. a setting that it chose
blocks              string   independent blocks of a test: datasets (repeats averaged first) or runs
alternative         string   two-sided or one-sided
test                string   name of the test
statistic           number   value of the test statistic
df1                 number   degrees of freedom
df2                 number   degrees of freedom of the denominator
p                   number   unadjusted p-value
p_kind              string   whether p (and p_adjusted) is exact or approximate
p_exact             number   exact p-value of the same statistic, which decides; empty where it takes too many steps
p_adjusted          number   p-value adjusted for the family of comparisons
significant         boolean  whether the hypothesis of equal performance is rejected at alpha; false if exploratory
exploratory         boolean  whether the omnibus test keeps its hypothesis at alpha, so that no pair is called different
alpha               number   level of the test
control             string   the method compared with; of a Nemenyi pair, the first
average_rank        number   average rank over blocks; 1 is best, ties share their mean rank
mean                number   mean over blocks
sd                  number   mean over data sets of the standard deviation over repeats (ddof 1)
wins                integer  blocks in which no method is better
n_blocks            integer  number of blocks
k                   integer  number of methods
n                   integer  number of blocks; in agreement.csv, of runs
q                   number   studentized range quantile over the square root of 2
critical_difference number   smallest difference of average ranks that is significant by Nemenyi's test
published           number   as printed in the paper, as a fraction
reproduced          number   mean over the runs of this study
difference          number   reproduced - published
standard_error      number   of the difference: sqrt((sd_reproduced^2 + sd_published^2) / n)
within              boolean  absolute difference <= 2 standard errors + half the last printed digit
n_runs              integer  runs that both sides have
n_equal             integer  runs equal to 1e-6
correlation         number   Pearson correlation over the runs
largest_difference  number   largest absolute difference of a run
note                string   what is missing, left out or not tested, and why; of a verdict, a possible reason
claim               string   name of the claim in the study's file
text                string   what the paper says, in other words
where               string   where the paper says it
judge               string   kind of judge, see `scarce list judges`
verdict             string   held, partly, not held, or untested
reading             string   what the numbers say, a line for each sentence
other               string   the method compared with
mean_difference     number   mean over repeats of method - other
sd_difference       number   standard deviation of these differences over repeats (ddof 1)
test_to_train       number   rows that score over rows that train, n_test/n_train
corrected_error     number   standard error of the mean difference: sqrt(1/n_runs + n_test/n_train) sd_difference
low                 number   smaller end of the interval of the mean difference, or of the regret, at level 1 - alpha
high                number   larger end of that interval
repeats_needed      integer  repeats whose interval excludes 0 if mean and sd stay; empty: no number does
candidates          string   group of methods that one is chosen of, as the study names it
rarity              string   rare (share of positives below rare_below) or common; of averages also all
by                  string   metric of validation rows that chooses; at_random; or best_elsewhere (on other data sets)
regret              number   score of the choice by true labels of the validation rows, less that of this choice
regret_to_best      number   the same against the candidate that is best on the test rows
n_no_choice         integer  runs in which the metric is undefined for all candidates; they are in no mean
n_left_out          integer  runs in which fewer than two candidates have true values; they are in no mean
n_short             integer  other runs in which a candidate has no true value, so that one of the others is chosen
quantity            string   what the value is, e.g. average_rank, p_adjusted, difference
"""
COLUMNS = {line.split()[0]: Column(*line.split(maxsplit=2)) for line in _COLUMNS.strip().splitlines()}
#: Text columns where an empty cell is a value of its own, read back as "".
READS_EMPTY = ("dataset", "scenario", "method", "metric", "blocks", "note", "where", "other")

_RUN, _CELL, _PANEL = "dataset scenario repeat method", "scenario metric dataset method", "scenario metric blocks"
_RUN_ROW = f"""{_RUN} status message fit_seconds predict_seconds peak_memory_mb
    n_train n_labeled n_hidden class_prior threshold seed fingerprint"""

RESULT_FILES = {
    file.name: file
    for file in (
        ResultFile("scores.csv", "collect", "one metric of one run", f"{_RUN} metric value"),
        ResultFile("runs.csv", "collect", "one run", _RUN_ROW),
        ResultFile("failures.csv", "collect", "one run whose status is not ok", f"{_RUN_ROW} command"),
        ResultFile("facts.csv", "collect", "one number that a fitted method reports", f"{_RUN} fact value"),
        ResultFile("importances.csv", "collect", "one feature's importances in a fitted method that has them",
                   f"{_RUN} feature importance normalised_importance"),
        ResultFile("manifest.json", "collect", "what the results were made from"),
        ResultFile("datapackage.json", "collect", "all columns, described for programs"),
        ResultFile("stats/ranks.csv", "analyse", "one method: average rank, mean, wins",
                   f"{_PANEL} method average_rank mean sd wins n_blocks"),
        ResultFile("stats/omnibus.csv", "analyse", "one test that all methods perform alike: Friedman, Iman-Davenport",
                   f"{_PANEL} test statistic df1 df2 p p_kind p_exact"),
        ResultFile("stats/posthoc.csv", "analyse", "one method with the control (Holm), or one pair (Nemenyi)",
                   f"{_PANEL} alternative test control method statistic p p_adjusted significant alpha p_kind "
                   "exploratory"),
        ResultFile("stats/critical_difference.csv", "analyse", "one panel: significant difference of ranks (Nemenyi)",
                   f"{_PANEL} k n alpha q critical_difference exploratory"),
        ResultFile("stats/notes.csv", "analyse", "one thing that is missing, left out or not tested, and why",
                   f"{_PANEL} dataset method note"),
        ResultFile("stats/block_ranks.csv", "analyse", "one method in one block: its value and its rank",
                   f"{_PANEL} dataset method value rank"),
        ResultFile("stats/means.csv", "analyse", "one cell, or an average over data sets, beside the published number",
                   f"{_CELL} mean sd n_datasets n_runs published authors"),
        ResultFile("stats/pairs.csv", "analyse", "one pair of methods, in studies and scenarios with one data set",
                   "scenario metric dataset method other n_runs mean_difference sd_difference test_to_train "
                   "corrected_error low high p p_adjusted significant alpha repeats_needed note"),
        ResultFile("stats/selection.csv", "analyse", "one way to choose among methods: what is lost by it",
                   "candidates scenario metric rarity dataset by mean regret low high regret_to_best n_datasets n_runs "
                   "n_no_choice n_left_out n_short"),
        ResultFile("stats/curves.csv", "analyse", "one method in one scenario: mean over data sets, sd of that mean",
                   "scenario metric method mean sd n_datasets"),
        ResultFile("stats/table_ranks.csv", "analyse", "one cell of a table that ranks methods of its own choice",
                   f"table {_CELL} mean sd n_runs rank published published_sd published_rank published_rank_here "
                   "p_adjusted significant published_significant note exploratory"),
        ResultFile("stats/table_tests.csv", "analyse", "one test of the ranks of such a table, or why there is none",
                   "table metric test statistic df1 df2 p n control note p_kind p_exact"),
        ResultFile("agreement.csv", "analyse", "one published number beside the reproduced one",
                   f"{_CELL} published reproduced sd n difference standard_error within"),
        ResultFile("agreement_runs.csv", "analyse", "one cell whose single runs the authors stored",
                   f"{_CELL} n_runs n_equal correlation largest_difference"),
        ResultFile("agreement_notes.csv", "analyse", "one remark on the comparison", f"{_CELL} note"),
        ResultFile("verdicts.csv", "verdicts", "one claim of the paper",
                   "claim text where judge verdict reading note"),
        ResultFile("evidence.csv", "verdicts", "one number behind a verdict",
                   f"claim {_PANEL} dataset method other quantity value"),
        ResultFile("report.html", "page", "the report, one file that needs no other"),
    )
}  # fmt: skip


def columns_of(name: str) -> list[str]:
    """Column names of a result file, in order; a KeyError where `name` is none in `RESULT_FILES`."""
    return RESULT_FILES[name].columns


def glossary() -> str:
    """Files and columns as the two Markdown tables of docs/results.md."""
    tables = [file for file in RESULT_FILES.values() if file.columns]
    files = [f"| {file.path} | {file.title} | {', '.join(file.columns)} |" for file in tables]
    columns = [f"| {column.name} | {column.type} | {column.description} |" for column in COLUMNS.values()]
    head = ["| file | one row | columns |", "|---|---|---|"]
    return "\n".join([*head, *files, "", "| column | type | meaning |", "|---|---|---|", *columns, ""])


if __name__ == "__main__":
    print(glossary(), end="")
