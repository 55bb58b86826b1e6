"""A study: which data sets, labels, methods, repeats and options, as one typed and checked YAML file."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    BeforeValidator,
    Field,
    PlainValidator,
    PrivateAttr,
    ValidationInfo,
    field_validator,
)

from scarce.analysis.judges import JUDGES
from scarce.config.advice import fault
from scarce.config.block import Block, Once, Share, across, known, once
from scarce.config.choice import pick, settings
from scarce.config.known_labels import refusals, refused_options
from scarce.config.methods import Seconds, checked_settings
from scarce.config.metric_settings import AtK, Costs, idle
from scarce.config.names import Name, folder
from scarce.config.options import Options, hidden_labels
from scarce.config.selection import Selection, expanded, metrics_of
from scarce.errors import ConfigError
from scarce.labels import records
from scarce.labels.records import LABELINGS, PROTOCOLS, Scenario
from scarce.words import did_you_mean

Methods = Annotated[list[Annotated[Name, known("method of this study")]], Once]
Metric = Annotated[str, known("metric to rank by")]


class Limits(Block):
    """What one fit may use."""

    seconds: Seconds | None = Field(None, description="a repeat that takes longer is a timeout")


class Reason(Block):
    """Why numbers of a method differ from the published ones."""

    text: str
    datasets: list[Annotated[Name, known("data set")]] = Field(
        [], description="shown only in studies with one of these data sets; by default in all"
    )


def _reason(value: Any) -> Any:
    return {"text": value} if isinstance(value, str) else value


class Analysis(Block):
    """Statistics over the scores."""

    metrics: Annotated[list[Metric], Once] = Field(default=["f1_validation", "auc_pr", "auc_roc"], min_length=1)
    # below it the quantiles of the studentized range are not to be had
    alpha: Annotated[float, Field(ge=1e-9, lt=1)] = 0.05
    class_prior_interval: Annotated[list[Share], Field(min_length=2, max_length=2)] | None = Field(
        None,
        description="smallest and largest class prior, where only these are known; bounds metrics without negatives",
    )
    at_k: AtK | None = Field(None, description="rows, or share of the rows, that metrics at k look at")
    costs: Costs | None = Field(None, description="costs of errors, which the metric `cost` counts")
    selection: Selection | None = Field(None, description="choosing among methods by metrics of validation rows")
    missing: Literal["drop_dataset", "worst", "refuse"] = Field(
        "drop_dataset", description="what a missing cell does to ranks"
    )
    control: Annotated[str, known("method of this study", "best")] = Field(
        "best", description="`best` average rank, or a method's name"
    )
    exclude: dict[Annotated[str, known("metric")], Annotated[list[Annotated[str, known("method")]], Once]] = Field(
        {}, description="metric: methods left out of its tests of blocks=runs, as a paper did"
    )
    reference: Annotated[Name, known("paper with published numbers")] | None = Field(
        None, description="paper with whose numbers the study is compared; default: none"
    )
    reasons: dict[Annotated[str, known("method of this study")], Annotated[Reason, BeforeValidator(_reason)]] = Field(
        {}, description="method: why its numbers differ from the published ones, as far as is known"
    )

    @field_validator("class_prior_interval")
    @classmethod
    def _ascending(cls, interval: list[float] | None) -> list[float] | None:
        if interval and interval[0] > interval[1]:
            raise ValueError(f"the smaller class prior stands first, got {interval}")
        return interval


class Table(Block):
    """One table of the report.

    ``scenarios`` and ``datasets`` have a row a method, and a column a scenario or a data set. The others have a row a
    data set: ``ranks`` with values and ranks of methods, ``facts`` with numbers that methods state of their fits and
    their ranks, ``sizes`` with rows, features and positives.
    """

    name: Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9_.-]*$"), AfterValidator(folder)]
    title: str
    layout: Annotated[str, known("layout of a table")]
    metric: Metric | None = None
    scenario: Annotated[str, known("scenario of this study")] | None = None
    methods: Methods = Field([], description="ranks, facts: the methods compared with each other, by default all")
    control: Annotated[Name, known("method of this study")] | None = Field(
        None, description="ranks, facts: what Holm's procedure compares with, by default the best"
    )
    cells: Literal["mean_sd_rank", "rank"] = Field("mean_sd_rank", description="ranks: what stands in a cell")
    digits: Annotated[int, Field(ge=0, le=6)] = Field(3, description="ranks, facts: decimals of the means in print")
    rank_digits: Annotated[int, Field(ge=0, le=6)] | None = Field(
        None, description="ranks, facts: rank means rounded to so many decimals, as a paper did; by default unrounded"
    )
    facts: Annotated[list[str], Once] = Field([], description="facts: which, in order")

    @across("layout", "metric", "scenario", "facts")
    def _what_the_layout_needs(self) -> None:
        from scarce.report.layouts import LAYOUTS

        layout = LAYOUTS.get(self.layout)
        for key in ("metric", "scenario", "facts") if layout else ():
            needed = key in layout.needs
            if bool(getattr(self, key)) != needed:
                raise ValueError(f"layout {self.layout} {'needs' if needed else 'has no'} {key}")

    @across("layout", "rank_digits")
    def _ranks_if_it_rounds_ranks(self) -> None:
        from scarce.report.layouts import LAYOUTS

        if self.rank_digits is not None and self.layout in LAYOUTS and not LAYOUTS[self.layout].ranks:
            raise ValueError(f"layout {self.layout} has no rank_digits: it ranks no means")

    @across("methods", "control")
    def _among_its_methods(self) -> None:
        if self.control and self.methods and self.control not in self.methods:
            raise ValueError(f"the control {self.control} is none of the table's methods")


class Report(Block):
    """What the report shows; without tables, one a metric and one a metric and scenario are made."""

    tables: list[Table] = Field([])
    figures: Annotated[list[Annotated[str, known("figure")]], Once] = Field(
        ["critical_difference", "dots", "score_vs_ratio", "rank_heatmap"]
    )

    @field_validator("tables")
    @classmethod
    def _files_of_their_own(cls, tables: list[Table]) -> list[Table]:
        once([table.name.lower() for table in tables])  # T.csv and t.csv are one file on some systems
        return tables


class Claim(Block):
    """One claim of a paper, and how it is judged."""

    name: Name
    claim: Annotated[str, Field(min_length=1, description="what the paper says, in one's own words")]
    where: str = Field("", description="where it stands in the paper")
    judge: str = Field(description="a kind of judge; `scarce list judges`")
    arguments: Any = Field({}, description="what the judge asks for: methods, metrics, scenarios, ...")
    note: str = Field("", description="our reading of why, in words; numbers come from the results")

    @field_validator("judge")
    @classmethod
    def _registered(cls, judge: str) -> str:
        return pick("judge", judge, JUDGES).name

    @field_validator("arguments")
    @classmethod
    def _of_the_judge(cls, arguments: Any, info: ValidationInfo) -> Any:
        judge = info.data.get("judge")
        return settings(JUDGES[judge].arguments, arguments, context=info.context) if judge else arguments


#: Metrics, and decisions, whose threshold is chosen on validation rows.
ON_VALIDATION_ROWS = ("f1_validation", "f1_observed")

#: Blocks that a study takes as a whole where it extends another; the others merge key by key.
WHOLE = {"labeling", "split"}


class Study(Block):
    """A study file."""

    name: Name
    title: str
    description: str = ""
    extends: Name | None = Field(None, description="study that this one starts from; it gives only what differs")
    paper: Name | None = Field(None, description="paper in whose folder the study stands; set where it is read")
    citation: str | None = Field(None, description="of the paper that the study reproduces")
    datasets: Annotated[list[Annotated[Name, known("data set")]], Field(min_length=1), Once] = Field(
        description="names of data sets; `scarce list datasets`"
    )
    labeling: Annotated[
        records.LabelingField,
        PlainValidator(lambda value, info: records.read_labeling(value, info.context)),
        Field(description="a block, such as scar: {flip_ratios: [0.5]}"),
    ]
    split: Annotated[records.SplitField, PlainValidator(records.read_split)] = Field(
        default_factory=lambda: records.read_split({})
    )
    repeats: Annotated[int, Field(ge=1, le=10_000)] = 20
    seed: Annotated[int, Field(ge=0, lt=2**63)] = 0
    methods: Annotated[list[Annotated[Name, known("method")]], Field(min_length=1), Once] = Field(
        description="names of methods; `scarce list methods`"
    )
    method_options: dict[Annotated[str, known("method of this study")], dict[str, Any]] = Field(
        {}, description="method: arguments that differ from its block here; those of some data sets under by_dataset"
    )
    preset: Annotated[str, known("preset")] = Field("sound", description="where options and arguments start")
    options: Options = Options()
    limits: Limits = Limits()
    on_error: Literal["record", "raise"] = Field(
        "record", description="a method that fails is a row, or stops the study"
    )
    analysis: Analysis = Analysis()
    claims: list[Claim] = Field([], description="claims of the paper, each judged by the results")
    report: Report = Report()
    _published: frozenset[str] = PrivateAttr(frozenset())

    @field_validator("methods")
    @classmethod
    def _grids_as_variants(cls, methods: list[str], info: ValidationInfo) -> list[str]:
        return expanded(methods, info)

    @field_validator("method_options")
    @classmethod
    def _accepted(cls, methods: dict[str, dict[str, Any]], info: ValidationInfo) -> Any:
        return checked_settings(methods, info)

    @field_validator("claims")
    @classmethod
    def _named_once(cls, claims: list[Claim]) -> list[Claim]:
        once([claim.name for claim in claims])
        return claims

    @across("split", "repeats")
    def _whole_groups_of_repeats(self) -> None:
        multiple = self.split.repeats_multiple_of
        if self.repeats % multiple:
            message = f"split.plan {self.split.plan} needs a multiple of {multiple} repeats, got {self.repeats}"
            raise fault("repeats", message)

    @across("labeling", "split")
    def _rows_are_split_once(self) -> None:
        ((name, settings),), plan = self.labeling.items(), self.split.plan
        if settings.draws_rows and PROTOCOLS[plan].hides_first:
            raise ValueError(f"labeling {name} draws rows, and split.plan {plan} needs each row once")

    @across("datasets", "labeling")
    def _each_with_the_other(self) -> None:
        if lacking := [name for name in self.datasets if not self.scenarios_of(name)]:
            raise ValueError(f"no scenario is for {', '.join(lacking)}")
        of_none = [s.name for s in self.scenarios if s.datasets is not None and not {*s.datasets} & {*self.datasets}]
        if of_none:
            raise ValueError(f"no data set of this study has the scenarios {', '.join(of_none)}")

    @across("preset", "options")
    def _sound(self) -> None:
        if self.preset == "sound" and (uses := hidden_labels(self.options, refused=True)):
            listed = "; ".join(f"{name} {use}" for name, use in uses.items())
            raise fault(f"options.{next(iter(uses))}", f"preset sound refuses these uses of hidden labels: {listed}")

    @across("labeling", "split")
    def _observed_test_rows(self) -> None:
        if not self.truth_known and PROTOCOLS[self.split.plan].transductive:
            message = (
                f"labeling {self.labeling_name} scores labeled test rows, and split.plan {self.split.plan} has none"
            )
            raise ValueError(message)

    @across("labeling", "options")
    def _options_of_the_labels(self) -> None:
        if why := refused_options(self.labeling_name, self.options, self.scenarios):
            raise fault("options", why)

    @across("labeling", "split", "options", "analysis", "claims", "report")
    def _metrics_of_the_labels(self) -> None:
        for key, why in refusals(self):
            raise fault(key, why)

    @across("labeling", "options")
    def _one_prior(self) -> None:
        if self.options.estimator and any(scenario.prior_factor != 1 for scenario in self.scenarios):
            message = "prior_factors say how wrong a known class prior is; with an estimated one leave them out"
            raise fault("options.class_prior", message)

    @property
    def labeling_name(self) -> str:
        (name,) = self.labeling
        return name

    @property
    def truth_known(self) -> bool:
        """Whether the class column of the data sets holds true labels."""
        return LABELINGS[self.labeling_name].truth_known

    @property
    def saved_metrics(self) -> list[str]:
        """Names of the metrics in scores.csv, in the order of reports."""
        from scarce.scoring.observed_metrics import collected

        named = {*self.analysis.metrics, *metrics_of(self.analysis.selection)}
        named |= {table.metric for table in self.report.tables}
        interval = self.analysis.class_prior_interval is not None
        return collected(named, truth_known=self.truth_known, interval=interval)

    @property
    def fitted_methods(self) -> list[str]:
        """The methods but for those that appear only with published numbers."""
        return [name for name in self.methods if name not in self._published]

    @property
    def reasons(self) -> dict[str, str]:
        """Why numbers of methods differ from the published ones, as far as it concerns the study's data sets."""
        return {
            method: reason.text
            for method, reason in self.analysis.reasons.items()
            if not reason.datasets or set(reason.datasets) & set(self.datasets)
        }

    @property
    def other_studies(self) -> list[str]:
        """The other studies that claims rest on."""
        return list(dict.fromkeys(name for claim in self.claims for name in claim.arguments.studies()))

    @property
    def scenarios(self) -> list[Scenario]:
        (settings,) = self.labeling.values()
        return list(settings.fixed_scenarios)

    def scenarios_of(self, dataset: str) -> list[Scenario]:
        """The scenarios that a data set has."""
        return [one for one in self.scenarios if one.datasets is None or dataset in one.datasets]

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """Names of data set and scenario of each combination that there is."""
        return [(dataset, one.name) for dataset in self.datasets for one in self.scenarios_of(dataset)]

    @property
    def runs(self) -> int:
        return len(self.pairs) * len(self.fitted_methods) * self.repeats

    @property
    def notes(self) -> list[str]:
        """What is valid and may still be a slip."""
        (settings,) = self.labeling.values()
        notes = [*settings.notes(), *idle(self.analysis, self.saved_metrics)]
        named = dict.fromkeys([self.options.decision, *self.analysis.metrics])
        if self.analysis.class_prior_interval and not any("_low_" in name for name in self.saved_metrics):
            notes.append("analysis.class_prior_interval bounds nothing: no metric is named that it bounds")
        needing = [name for name in named if name in ON_VALIDATION_ROWS or name.endswith("_validation")]
        if needing and not self.split.chooses_thresholds:
            notes.append(f"{', '.join(needing)} will be undefined: split.plan {self.split.plan} has no validation rows")
        return notes

    @property
    def encodes_all_rows(self) -> bool:
        """Whether one features file serves all repeats, since the encoding sees every row anyway."""
        return self.options.encoding == "woe_all_true"

    def scenario(self, name: str) -> Scenario:
        """A scenario by name.

        Raises
        ------
        ConfigError
            If the study has no such scenario.
        """
        known = {scenario.name: scenario for scenario in self.scenarios}
        if name not in known:
            # the names of scenarios differ in a number: the nearest one may be wrong
            hint = f"known: {', '.join(known)}" if len(known) <= 12 else did_you_mean(name, known)
            raise ConfigError(f"study {self.name} has no scenario {name!r}", hint=hint)
        return known[name]

    def check_cell(self, dataset: str, scenario: str | None = None, method: str | None = None, repeat: int = 0) -> None:
        """Raise ConfigError where the study has no such cell or repeat."""
        for what, name, names in (("data set", dataset, self.datasets), ("method", method, self.fitted_methods)):
            if name is not None and name not in names:
                raise ConfigError(f"study {self.name} has no {what} {name!r}", hint=did_you_mean(name, names))
        if scenario is not None and self.scenario(scenario) not in self.scenarios_of(dataset):
            raise ConfigError(f"study {self.name} has no scenario {scenario!r} for data set {dataset}")
        if not 0 <= repeat < self.repeats:
            raise ConfigError(f"repeat {repeat} does not exist: the study has {self.repeats}, counted from 0")
