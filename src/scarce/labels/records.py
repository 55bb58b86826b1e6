"""Registries of labelings and protocols.

A *labeling* hides labels: it says which scenarios a study has and draws the observed labels of one repeat. A
*protocol* says in which order labels are hidden and rows are split. Both are records in a registry; the code that all
studies share knows neither by name. ``docs/add_a_protocol.md`` shows how to add one. Nothing heavy is imported here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeVar

from pydantic import Field, SerializeAsAny

from scarce.config.block import Block
from scarce.config.choice import pick, settings
from scarce.config.names import Name
from scarce.errors import ConfigError
from scarce.estimators.schemes import Scheme

if TYPE_CHECKING:
    from scarce.labels.sample import Draw, Parts, Population, Sample

ValidationSize = Annotated[
    float,
    Field(ge=0, lt=1, description="share of the training rows on which thresholds are chosen; 0 chooses none"),
]
Record = TypeVar("Record", "Labeling", "Protocol")


class Impossible(ValueError):
    """The rows do not allow what is asked, e.g. too few positives; the repeat is skipped with this reason."""


class Scenario(Block):
    """One way of hiding labels in a study; its name is a folder name."""

    name: Name
    label: str = Field(description="as tables and figures print it")
    labeling: str = Field(description="name of the labeling that hides the labels")
    scheme: Scheme = Field("one_sample", description="what labeled and unlabeled training rows are samples of")
    axes: dict[str, float] = Field({}, description="numbers that figures plot against, e.g. flip_ratio")
    settings: dict[str, Any] = Field({}, description="whatever else the labeling reads")
    prior_factor: float = Field(1.0, description="class prior that methods are given over the known one")
    datasets: tuple[Name, ...] | None = Field(None, description="data sets that have it; None: all of the study")

    @property
    def plain(self) -> str:
        """The name without the prior's factor: the same labels, and the same seeds of the methods."""
        return self.name if self.prior_factor == 1 else self.name.removesuffix(f"-prior-{self.prior_factor:g}")


class LabelingSettings(Block):
    """Base of a labeling's settings: the block below its name in ``labeling:``."""

    def scenarios(self) -> list[Scenario]:
        """The scenarios of a study with these settings, in order."""
        raise NotImplementedError

    @cached_property
    def fixed_scenarios(self) -> tuple[Scenario, ...]:
        """The same, made once: a study asks for them for each of its data sets."""
        return tuple(self.scenarios())

    def notes(self) -> list[str]:
        """Settings that are valid and may still be a slip."""
        return []

    @property
    def draws_rows(self) -> bool:
        """Whether a sample may leave rows out or have them twice.

        A protocol that hides labels before it splits cannot use such a labeling.
        """
        return False

    @property
    def selects(self) -> bool:
        """Whether labels depend on the features, so that they are not selected completely at random (SCAR)."""
        return False


class SplitSettings(Block):
    """Base of a protocol's settings: the block ``split:``.

    A subclass declares ``plan: Literal["its_name"] = "its_name"``, and no setting that its protocol does not have.
    """

    plan: str

    @property
    def repeats_multiple_of(self) -> int:
        """Repeats that belong together; the number of repeats must be a multiple of it."""
        return 1

    @property
    def chooses_thresholds(self) -> bool:
        """Whether repeats have validation rows, which choose a threshold."""
        return getattr(self, "validation_size", 0) > 0


@dataclass(frozen=True)
class Labeling:
    """A labeling.

    Parameters
    ----------
    name : str
        Its key in ``labeling:``.
    settings : subclass of LabelingSettings
    observe : callable
        ``observe(population, scenario, draw)`` gives a `Sample`: positions into the population, and the observed
        label of each. It raises `Impossible` where the population does not allow it.
    needs_features : bool
        Whether ``observe`` reads the features of the population (labels that are not missing at random do).
    truth_known : bool
        Whether the class column of the data sets holds true labels. Otherwise nothing that reads true labels is
        allowed, and the column is scored as observed labels.
    defaults : mapping of blocks to keys and values
        Defaults of other blocks of a study with this labeling, e.g. ``{"options": {"decision": "f1_observed"}}``.
    """

    name: str
    settings: type[LabelingSettings]
    observe: Callable[[Population, Scenario, Draw], Sample]
    needs_features: bool = False
    truth_known: bool = True
    defaults: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)

    @property
    def module(self) -> str:
        """The module whose code decides the labels."""
        return self.observe.__module__


@dataclass(frozen=True)
class Protocol:
    """A protocol.

    Parameters
    ----------
    name : str
        Its name in ``split.plan``.
    settings : subclass of SplitSettings
    split : callable
        ``split(population, settings, observe, draw)`` gives the `Parts` of one repeat. ``observe(population)`` hides
        the labels of a population (of all rows, or of a part of them) and gives a `Sample`. It raises `Impossible`
        where the rows do not allow it.
    hides_first : bool
        Whether labels are hidden before rows are split.
    transductive : bool
        Whether unlabeled training rows test; a study with such a protocol can have no method that sees true labels.
    needs : {"", "group", "time"}
        What a data set must declare for it: the key of the column by which rows are split.
    """

    name: str
    settings: type[SplitSettings]
    split: Callable[[Population, Any, Callable[[Population], Sample], Draw], Parts]
    hides_first: bool = False
    transductive: bool = False
    needs: Literal["", "group", "time"] = ""

    @property
    def module(self) -> str:
        """The module whose code decides the parts."""
        return self.split.__module__


LABELINGS: dict[str, Labeling] = {}
PROTOCOLS: dict[str, Protocol] = {}


def labeling(name: str, settings: type[LabelingSettings], **properties: Any) -> Callable:
    """Register a function as the ``observe`` of a labeling; `properties` as in `Labeling`."""

    def register(observe: Callable) -> Callable:
        _add(LABELINGS, Labeling(name, settings, observe, **properties))
        return observe

    return register


def protocol(settings: type[SplitSettings], **properties: Any) -> Callable:
    """Register a function as the ``split`` of the protocol that `settings` name; `properties` as in `Protocol`."""

    def register(split: Callable) -> Callable:
        _add(PROTOCOLS, Protocol(settings.model_fields["plan"].default, settings, split, **properties))
        return split

    return register


def _add(registry: dict[str, Record], record: Record) -> None:
    known = registry.get(record.name)
    if known and known.module != record.module:  # a module that is imported again replaces its own record
        kind = type(record).__name__.lower()
        raise ConfigError(f"{kind} {record.name} is registered twice: by {known.module} and {record.module}")
    registry[record.name] = record


#: Field types of a study's blocks. Subclasses of the settings keep their keys in `model_dump`.
LabelingField = dict[str, SerializeAsAny[LabelingSettings]]
SplitField = SerializeAsAny[SplitSettings]


def read_labeling(value: Any, context: Any = None) -> LabelingField:
    """The block ``labeling:`` as ``{name: settings}``; `context` holds known names, see `scarce.config.block.known`.

    Raises
    ------
    ValueError
        If it is not exactly one block of a registered labeling, or two scenarios have one name, which is that of a
        folder; a ValidationError where settings are wrong.
    """
    if not isinstance(value, dict) or len(value) != 1:
        raise ValueError(f"needs one of the blocks {', '.join(LABELINGS)}")
    ((name, block),) = value.items()
    chosen = settings(pick("labeling", name, LABELINGS, name).settings, block, name, context=context)
    names = [scenario.name for scenario in chosen.fixed_scenarios]
    if twice := [one for one in dict.fromkeys(names) if names.count(one) > 1]:
        raise ValueError(f"two scenarios are named {', '.join(twice)}: their numbers are too close to each other")
    return {name: chosen}


def read_split(value: Any) -> SplitSettings:
    """The block ``split:`` as the settings of the protocol that its ``plan`` names; without one, of holdout.

    Raises
    ------
    ValidationError
        If there is no such protocol, or a setting is wrong.
    """
    plan = value.get("plan", "holdout") if isinstance(value, dict) else getattr(value, "plan", "holdout")
    return settings(pick("protocol", plan, PROTOCOLS, "plan").settings, value)
