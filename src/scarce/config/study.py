"""A study: which data sets, labels, methods, repeats and options, as one typed and checked YAML file."""

from __future__ import annotations

import math
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, field_validator

from scarce.config.advice import did_you_mean
from scarce.config.block import Block, Once, Share, across, once
from scarce.config.names import Name, folder
from scarce.config.options import BUNDLES, Fidelity, Options, leaks
from scarce.errors import ConfigError


class Scenario(Block):
    """How labels are hidden; its name is a folder name."""

    name: Name
    label: str = Field(description="as tables and figures print it")
    mechanism: Literal["scar", "none"]
    flip_ratio: Share | None = None
    prior_factor: float = Field(1.0, description="the class prior that methods are told over the known one")

    @property
    def plain(self) -> str:
        """The name without the prior's factor: the same labels, and the same seeds of the methods."""
        return self.name if self.prior_factor == 1 else self.name.removesuffix(f"-prior-{self.prior_factor:g}")


def _ratio(value: float) -> float:
    if not 0 < round(value, 6) < 1:
        raise ValueError(f"{value!r} is too close to 0 or 1 to be a share of positives")
    return value


Ratio = Annotated[Share, AfterValidator(_ratio)]


class Scar(Block):
    """Selected completely at random: a share of the positives, drawn at random, is unlabeled."""

    flip_ratios: list[Ratio] = Field(
        min_length=1, description="shares of the positives whose label is hidden, in (0, 1)"
    )
    prior_factors: list[Annotated[float, Field(ge=0.01, le=100)]] = Field(
        [1.0], min_length=1, description="what the class prior that methods are told is multiplied by; 1: nothing"
    )

    def scenarios(self) -> list[Scenario]:
        # 0.30000000000000004 and 0.3 are one ratio, and so are 0.5 and .50: one path a ratio
        ratios = dict.fromkeys(round(ratio, 6) for ratio in self.flip_ratios)
        factors = dict.fromkeys(float(f"{factor:g}") for factor in self.prior_factors)
        return [self._scenario(ratio, factor) for ratio in ratios for factor in factors]

    @staticmethod
    def _scenario(ratio: float, factor: float) -> Scenario:
        name, label = f"flip-{round(100 * ratio, 4):g}", f"{100 * ratio:g} % flip ratio"
        if factor != 1:
            name, label = f"{name}-prior-{factor:g}", f"{label}, class prior x {factor:g}"
        return Scenario(name=name, label=label, mechanism="scar", flip_ratio=ratio, prior_factor=factor)


class NoneHidden(Block):
    """Nothing is hidden: training rows show their true class, as in an ordinary supervised study."""

    def scenarios(self) -> list[Scenario]:
        return [Scenario(name="all-labeled", label="all labels", mechanism="none")]


class Labeling(Block):
    """The labeling scenarios of a study, in exactly one block."""

    scar: Scar | None = None
    none: NoneHidden | None = None

    @across("scar", "none")
    def _one_block(self) -> None:
        if (self.scar is None) == (self.none is None):
            raise ValueError("needs one of the blocks scar and none")

    @property
    def block(self) -> Scar | NoneHidden:
        return self.scar or self.none


class SplitPlan(Block):
    """Which rows train, validate and test in a repeat."""

    plan: Literal["holdout", "five_by_two"] = Field(
        "holdout", description="a share of the rows tests; or two repeats share a shuffle and swap its halves"
    )
    test_size: Share = Field(0.30, description="share of the rows that test; five_by_two has halves")
    validation_size: Annotated[float, Field(ge=0, lt=1)] = Field(
        0.50, description="share of the training rows on which thresholds are chosen; 0 chooses none"
    )
    subsample: Annotated[int, Field(ge=10)] | None = Field(None, description="rows drawn first from larger data sets")

    @across("plan", "test_size", "subsample")
    def _whole_halves(self) -> None:
        given = self.test_size != type(self).model_fields["test_size"].default
        if self.plan == "five_by_two" and (self.subsample or given):
            raise ValueError("five_by_two halves all rows: it has no test_size and no subsample")


# The words say what the names must be names of; `scarce.config.checks` looks them up.
Methods = Annotated[list[Name], Once, "method of this study"]
Metric = Annotated[str, "metric to rank by"]

A_YEAR = 366 * 24 * 3600


class Limits(Block):
    """What one fit may use."""

    seconds: Annotated[float, Field(gt=0, le=A_YEAR)] | None = Field(
        None, description="a repeat that takes longer is a timeout"
    )


class Analysis(Block):
    """Statistics over the scores."""

    metrics: Annotated[list[Metric], Once] = Field(default=["f1_validation", "auc_pr", "auc_roc"], min_length=1)
    # below it the quantiles of the studentized range are not to be had
    alpha: Annotated[float, Field(ge=1e-9, lt=1)] = 0.05
    missing: Literal["drop_dataset", "worst", "refuse"] = Field(
        "drop_dataset", description="what a missing cell does to ranks"
    )
    control: str = Field("best", description="`best` average rank, or a method's name")
    exclude: dict[Annotated[str, "metric"], Annotated[list[str], Once, "method"]] = Field(
        {}, description="metric: methods left out of its tests of blocks=runs, as a paper did"
    )
    reference: Name | None = Field(None, description="folder below reference/ with the published numbers")
    reasons: dict[Annotated[str, "method of this study"], str] = Field(
        {}, description="method: why its numbers differ from the published ones, as far as is known"
    )


class Table(Block):
    """One table of the report.

    ``scenarios`` and ``datasets`` have a row a method, and a column a scenario or a data set. The others have a row a
    data set: ``ranks`` with values and ranks of methods, ``facts`` with numbers that methods state of their fits and
    their ranks, ``sizes`` with rows, features and positives.
    """

    name: Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9_.-]*$"), AfterValidator(folder)]
    title: str
    layout: Annotated[str, "layout of a table"]
    metric: Metric | None = None
    scenario: Annotated[str, "scenario of this study"] | None = None
    methods: Methods = Field([], description="ranks, facts: the methods compared with each other, by default all")
    control: Annotated[Name, "method of this study"] | None = Field(
        None, description="ranks, facts: what Holm's procedure compares with, by default the best"
    )
    cells: Literal["mean_sd_rank", "rank"] = Field("mean_sd_rank", description="ranks: what stands in a cell")
    digits: Annotated[int, Field(ge=0, le=6)] = Field(
        3, description="ranks, facts: decimals of the means; means that are equal so rounded share a rank"
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

    @across("control", "methods")
    def _among_its_methods(self) -> None:
        if self.control and self.methods and self.control not in self.methods:
            raise ValueError(f"the control {self.control} is none of the table's methods")


class Report(Block):
    """What the report shows; without tables, one a metric and one a metric and scenario are made."""

    tables: list[Table] = Field([])
    figures: Annotated[list[str], Once, "figure"] = Field(
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
    judge: Annotated[str, "judge"] = Field(description="a kind of judge; `scarce list judges`")
    arguments: dict[str, Any] = Field({}, description="what the judge asks for: methods, metrics, scenarios, ...")
    note: str = Field("", description="our reading of why, in words; numbers come from the results")


#: Keys that `laptop:` cannot replace.
FIXED = ("name", "scale", "laptop")


class Study(Block):
    """A study file."""

    name: Name
    title: str
    description: str = ""
    paper: str | None = Field(None, description="citation of the paper that the study reproduces")
    datasets: Annotated[list[Name], Once, "data set"] = Field(
        min_length=1, description="names in config/datasets.yaml; `scarce list datasets`"
    )
    labeling: Labeling = Field(description="a block, such as scar: {flip_ratios: [0.5]}")
    split: SplitPlan = SplitPlan()
    repeats: Annotated[int, Field(ge=1, le=10_000)] = 20
    seed: Annotated[int, Field(ge=0, lt=2**63)] = 0
    methods: Annotated[list[Name], Once, "method"] = Field(
        min_length=1, description="names in config/methods.yaml; `scarce list methods`"
    )
    method_options: dict[Annotated[str, "method of this study"], dict[str, Any]] = Field(
        {}, description="method: parameters that differ from methods.yaml here"
    )
    fidelity: Fidelity = "corrected"
    options: Options
    limits: Limits = Limits()
    on_error: Literal["record", "raise"] = Field(
        "record", description="a method that fails is a row, or stops the study"
    )
    scale: Literal["full", "laptop"] = "full"
    laptop: dict[str, Any] = Field({}, description="keys of this file that scale: laptop replaces")
    analysis: Analysis = Analysis()
    claims: list[Claim] = Field([], description="claims of the paper, each judged by the results")
    report: Report = Report()

    @classmethod
    def resolved(cls, value: dict[str, Any]) -> dict[str, Any]:
        """The study at its scale, with the options that its fidelity implies."""
        value = dict(value)
        if value.get("scale") == "laptop" and isinstance(value.get("laptop"), dict):
            value |= {key: replaced for key, replaced in value["laptop"].items() if key not in FIXED}
        fidelity = value.get("fidelity")
        bundle = BUNDLES.get(fidelity if isinstance(fidelity, str) else "corrected", BUNDLES["corrected"])
        chosen = value.get("options", {})
        if isinstance(chosen, dict):
            value["options"] = bundle | chosen
        return value

    @field_validator("claims")
    @classmethod
    def _named_once(cls, claims: list[Claim]) -> list[Claim]:
        once([claim.name for claim in claims])
        return claims

    @field_validator("laptop")
    @classmethod
    def _replaceable(cls, laptop: dict[str, Any]) -> dict[str, Any]:
        if fixed := [key for key in FIXED if key in laptop]:
            raise ValueError(f"{', '.join(fixed)} cannot differ on a laptop")
        return laptop

    @across("scale", "laptop")
    def _laptop_is_there(self) -> None:
        if self.scale == "laptop" and not self.laptop:
            raise ValueError("scale: laptop needs a block `laptop:` with the keys that it replaces")

    @across("split", "repeats")
    def _repeats_in_pairs(self) -> None:
        if self.split.plan == "five_by_two" and self.repeats % 2:
            raise ValueError(f"split.plan five_by_two pairs the repeats: {self.repeats} is odd")

    @across("fidelity", "options")
    def _no_leaks(self) -> None:
        if self.fidelity == "corrected" and (found := leaks(self.options)):
            said = "; ".join(f"{name} {why}" for name, why in found.items())
            raise ValueError(f"fidelity: corrected refuses options that leak: {said}")

    @across("options", "labeling")
    def _one_prior(self) -> None:
        if self.options.estimator and any(scenario.prior_factor != 1 for scenario in self.scenarios):
            raise ValueError("prior_factors say how wrong a known class prior is; with an estimated one leave them out")

    @property
    def scenarios(self) -> list[Scenario]:
        return self.labeling.block.scenarios()

    @property
    def notes(self) -> list[str]:
        """What is fine and may still be a slip: values that are one number and so make one scenario."""
        scar = self.labeling.scar
        given = (("flip ratios", scar.flip_ratios), ("prior factors", scar.prior_factors)) if scar else ()
        asked = math.prod(len(values) for _, values in given)
        if not scar or asked == len(self.scenarios):
            return []
        said = " x ".join(f"{len(values)} {what}" for what, values in given if len(values) > 1)
        names = ", ".join(scenario.name for scenario in self.scenarios)
        return [f"{said}, but some are one number: {len(self.scenarios)} scenarios ({names})"]

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
            raise ConfigError(f"study {self.name} has no scenario {name!r}", hint=f"known: {', '.join(known)}")
        return known[name]

    def check_cell(self, dataset: str, scenario: str | None = None, method: str | None = None, repeat: int = 0) -> None:
        """Raise ConfigError where the study has no such cell or repeat."""
        for what, name, known in (("data set", dataset, self.datasets), ("method", method, self.methods)):
            if name is not None and name not in known:
                raise ConfigError(f"study {self.name} has no {what} {name!r}", hint=did_you_mean(name, known))
        if scenario is not None:
            self.scenario(scenario)
        if not 0 <= repeat < self.repeats:
            raise ConfigError(f"repeat {repeat} does not exist: the study has {self.repeats}, counted from 0")


class Config(Block):
    """``config/config.yaml``: switches of the whole project."""

    studies: Annotated[list[Name], Once, "study"] = Field(description="what plain `snakemake` builds")
    mirror: str | None = Field(None, description="folder with copies of the raw data; SCARCE_MIRROR wins")
    plugins: Annotated[list[str], Once] = Field(
        [], description="Python modules of your own whose import registers methods"
    )
    code_tracking: Literal["source", "off"] = Field(
        "source", description="whether a change of a method's code reruns its fits"
    )


class MethodSpec(Block):
    """One block of ``config/methods.yaml``: a method as a study runs it."""

    name: Name
    label: str = Field(description="as tables and figures print it")
    family: str = Field(description="groups methods in figures")
    builds_on: Annotated[Name, "method"] | None = Field(None, description="the method that this one adds something to")
    estimator: str = Field(description="key of the registry, or module:Class")
    params: dict[str, Any] = Field({}, description="arguments of the estimator; values that start with $ are filled in")
    paper: dict[str, Any] = Field({}, description="arguments under fidelity: paper")
    corrected: dict[str, Any] = Field({}, description="arguments under fidelity: corrected")
    comparison: Literal[">", ">="] = Field(">", description="how a score is compared with 0.5, the prior and the grid")
    limits: Limits = Limits()
    version: Annotated[int, Field(ge=1)] = Field(1, description="raise it to have every fit of the method run again")

    def arguments(self, study: Study, given: dict[str, Any] | None = None) -> dict[str, Any]:
        """Arguments of the estimator in a study; `given` fills in the placeholders."""
        chosen = self.params | getattr(self, study.fidelity) | study.method_options.get(self.name, {})
        given = given or {}
        return {name: given.get(value, value) if isinstance(value, str) else value for name, value in chosen.items()}

    def seconds(self, study: Study) -> float | None:
        """Time that a repeat may take: the study's limit, else the method's own."""
        return study.limits.seconds or self.limits.seconds


PLACEHOLDERS = ("$class_prior", "$label_share", "$seed", "$repeat_seed", "$categorical")
