"""What every judge shares: its record, the arguments that say where to look, and the words of a reading."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import Field

from scarce.config.block import Block, known
from scarce.config.names import Name
from scarce.errors import ConfigError
from scarce.words import listed

if TYPE_CHECKING:
    import pandas as pd

    from scarce.analysis.evidence import Case, Panel

HELD, PARTLY, NOT_HELD, UNTESTED = "held", "partly", "not held", "untested"


@dataclass(frozen=True)
class Verdict:
    """What became of a claim; `evidence` has the columns of `scarce.analysis.evidence.EVIDENCE`."""

    verdict: str
    reading: tuple[str, ...]
    evidence: pd.DataFrame


@dataclass(frozen=True)
class Judge:
    """A kind of judge: its name in ``judge:``, what it asks (one line), its arguments and its function."""

    name: str
    question: str
    arguments: type[Where]
    decide: Callable[[Case, Any], Verdict]


JUDGES: dict[str, Judge] = {}

Metric = Annotated[str, known("metric to rank by")]
Metrics = Annotated[list[Metric], Field(min_length=1)]
Others = list[Annotated[Name, known("method of this study")]]
Methods = Annotated[Others, Field(min_length=1)]
Scenarios = Annotated[list[Annotated[Name, known("scenario of this study")]], Field(min_length=1)]
StudyName = Annotated[Name, known("study")]
Need = Literal["all", "most"]


class Where(Block):
    """Where a claim is looked at."""

    metrics: Metrics | None = Field(None, description="by default those that the study ranks by")
    scenarios: Scenarios | None = Field(None, description="by default all")

    def studies(self) -> list[str]:
        """The other studies whose scores the judge needs."""
        return []


def judge(arguments: type[Where]) -> Callable:
    """Register a function as the judge of its own name; the first line of its docstring is its question.

    Raises ConfigError if the name is taken.
    """

    def record(decide: Callable[[Case, Any], Verdict]) -> Callable[[Case, Any], Verdict]:
        if decide.__name__ in JUDGES:
            raise ConfigError(f"two judges are named {decide.__name__}")
        question = (decide.__doc__ or "").strip().partition("\n")[0]  # python -OO keeps no docstring
        JUDGES[decide.__name__] = Judge(decide.__name__, question, arguments, decide)
        return decide

    return record


class Findings:
    """What a judge collects: rows of evidence, sentences of the reading, and settings that it had to pass over."""

    def __init__(self, case: Case):
        self._case = case
        self.rows: list[tuple] = []
        self.reading: list[str] = []
        self._gaps: dict[str, dict[str, list[str]]] = {}

    def add(
        self,
        numbers: Mapping[str, float],
        *,
        scenario: str = "",
        metric: str = "",
        blocks: str = "",
        dataset: str = "",
        method: str = "",
        other: str = "",
    ) -> None:
        """Add a row of evidence for each quantity of `numbers`."""
        key = (scenario, metric, blocks, dataset, method, other)
        self.rows += [(*key, quantity, float(value)) for quantity, value in numbers.items()]

    def gap(self, metric: str, scenario: str, reason: str) -> None:
        """Note a setting that cannot be judged; the reason is half a sentence."""
        scenarios = self._gaps.setdefault(reason, {}).setdefault(metric, [])
        if scenario not in scenarios:
            scenarios.append(scenario)

    def verdict(self, *, held: bool, partly: bool) -> Verdict:
        """What became of the claim; `partly` counts only where it is not held."""
        return self._verdict(HELD if held else PARTLY if partly else NOT_HELD)

    def untested(self, reason: str = "") -> Verdict:
        """Where nothing is left to judge by; the reason is a clause."""
        self.reading += [f"Not tested: {reason}."] if reason else []
        return self._verdict(UNTESTED)

    def of_items(self, items: Sequence[bool], *, partly: Literal["some", "half", "most"] = "some") -> Verdict:
        """The verdict on single items; untested without any.

        held: all of them are true; partly: some are, or at least half of them, or more than half.
        """
        true, total = sum(items), len(items)
        enough_for_partly = {"some": true > 0, "half": 2 * true >= total, "most": 2 * true > total}[partly]
        return self.verdict(held=true == total, partly=enough_for_partly) if items else self.untested()

    def of_comparisons(self, shown: Sequence[bool], ahead: Sequence[bool], need: Need, *, by_means: bool) -> Verdict:
        """The verdict on comparisons: which are as claimed, and in which at least the mean is.

        held: all are as claimed (most, if that is the `need`); partly: all (most) of the means are, or some comparisons
        are; untested without any. `by_means` says whether the reading counts the means.
        """
        if not shown:
            return self.untested()
        if len(shown) > 1:
            means = f"; in the means, {sum(ahead)} are" if by_means else ""
            level = self._case.settings.alpha
            self.reading.append(f"{sum(shown)} of {len(shown)} comparisons are as claimed at {level:g}{means}.")
        return self.verdict(held=enough(shown, need), partly=enough(ahead, need) or any(shown))

    def _verdict(self, verdict: str) -> Verdict:
        from scarce.analysis.evidence import to_frame

        reading = (*self.reading, *self._sentences_on_gaps()) or ("There is nothing to judge by.",)
        return Verdict(verdict, reading, to_frame(self.rows))

    def _sentences_on_gaps(self) -> list[str]:
        """One for each reason, and for metrics with other scenarios."""
        sentences = []
        for reason, metrics in self._gaps.items():
            together: dict[str, list[str]] = {}
            for metric, scenarios in metrics.items():
                together.setdefault(at(self._case, scenarios), []).append(self._case.label("metric", metric))
            for where, names in together.items():
                sentences.append(f"{' '.join(filter(None, (listed(names), where)))}: not tested, {reason}.")
        return sentences


def enough(items: Sequence[bool], need: Need) -> bool:
    """Whether all items are true, or more than half of them."""
    return all(items) if need == "all" else 2 * sum(items) > len(items)


def apart(methods: Sequence[str], others: Sequence[str]) -> None:
    """Raise ValueError where a method would be compared with itself."""
    if both := sorted(set(methods) & set(others)):
        raise ValueError(f"{', '.join(both)} cannot be compared with {'itself' if len(both) == 1 else 'themselves'}")


def methods_of(case: Case, methods: Sequence[str]) -> str:
    """Labels of methods, as a list in words."""
    return listed([case.label("method", name) for name in methods])


def data_sets(counted: Sequence[int], asked: int) -> str:
    """``15 data sets``, ``13 of 15 data sets``, ``4 to 13 of 15 data sets``."""
    return f"{span(counted)} data sets" if span(counted) == str(asked) else f"{span(counted)} of {asked} data sets"


def span(sizes: Sequence[int]) -> str:
    """``3``, or ``3 to 5``."""
    low, high = min(sizes), max(sizes)
    return str(low) if low == high else f"{low} to {high}"


def by_scenario(case: Case, texts: dict[str, str]) -> str:
    """Scenarios that say the same, together: ``at 25 % and 50 %: text; at 75 %: text``."""
    together: dict[str, list[str]] = {}
    for scenario, text in texts.items():
        together.setdefault(text, []).append(scenario)
    return "; ".join(": ".join(filter(None, (at(case, where), text))) for text, where in together.items())


def at(case: Case, scenarios: Sequence[str]) -> str:
    """``at 25 % flip ratio and 50 % flip ratio``, ``everywhere``; nothing where the study has one scenario only."""
    if len(case.all_scenarios()) == 1:
        return ""
    if set(scenarios) == set(case.all_scenarios()):
        return "everywhere"
    return f"at {listed([case.label('scenario', name) for name in scenarios])}"


def head(case: Case, panels: Sequence[Panel], *, tested: bool = True) -> str:
    """What a sentence on panels of one metric and procedure is about: metric, blocks, side, and who is left out."""
    metric, kind = panels[0].metric, panels[0].procedure
    blocks = [panel.blocks for panel in panels]
    data = data_sets([b.n_datasets for b in blocks], blocks[0].n_datasets_asked)
    if kind.blocks == "runs":
        data = f"{span([len(b.values) for b in blocks])} runs on {data} as if independent"
    more = [kind.alternative] if tested else []
    if left_out := [name for name in kind.exclude.get(metric, ()) if name in case.methods]:
        more.append(f"without {methods_of(case, left_out)}")
    return f"{case.label('metric', metric)}, over {data}" + (f" ({'; '.join(more)})" if more else "")
