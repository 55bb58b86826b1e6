"""Options of an experiment, and which of them use labels that a user of PU data does not have.

The defaults are those of the preset `sound`. A paper's preset sets others, and a study may set any of them on its own.
Some options use hidden labels: true labels of test rows, or of training rows that methods
see as unlabeled. They exist to reproduce a paper, and `sound` refuses them. Two of the defaults use hidden labels as
well, so that methods are compared without other estimates; every report names them.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, NamedTuple

from pydantic import BeforeValidator, Field

from scarce.config.block import Block, across
from scarce.prior import find_estimator

ESTIMATED = "estimated:"


def _prior(value: Any) -> Any:
    if isinstance(value, str) and value.startswith(ESTIMATED):
        find_estimator(value.removeprefix(ESTIMATED))
    elif not (value in ("all_true", "train_true") if isinstance(value, str) else _is_share(value)):
        raise ValueError(
            f"must be all_true, train_true, {ESTIMATED}<method> or a number between 0 and 1, got {value!r}"
        )
    return value


def _is_share(value: Any) -> bool:
    return isinstance(value, float | int) and 0 < value < 1


class Options(Block):
    """Options of the protocol. Those of a method stand with the method."""

    decision: Literal["f1_default", "f1_prior", "f1_validation", "f1_observed", "f1_oracle"] = Field(
        "f1_validation",
        description="the F1 that the tables show; its threshold also decides precision, recall and accuracy",
    )
    threshold_search: Literal["grid", "sweep"] = Field(
        "sweep", description="candidate thresholds: 100 from 0.01 to 0.99, or every distinct score"
    )
    encoding: Literal["woe_all_true", "woe_train_observed", "onehot", "none"] = Field(
        "woe_train_observed",
        description="nominal columns: weight of evidence on all true labels, on the observed training labels, "
        "one-hot, or none: codes as they are, and numbers unscaled, for methods that read nominal columns",
    )
    class_prior: Annotated[str | float, BeforeValidator(_prior)] = Field(
        "train_true",
        description="the class prior that methods are given: share of true positives in all or in the training rows, "
        "estimated:<method> from the training rows as methods see them, or a number",
    )
    seeds: Literal["paper", "axes"] = Field(
        "axes", description="the repeat's number seeds everything, or seeds come from named axes"
    )
    flip_count: Literal["ceil", "round", "floor"] = Field(
        "ceil", description="how ratio x positives becomes a whole number"
    )
    blocks: Literal["runs", "datasets"] = Field(
        "datasets", description="what the tables' marks count as independent blocks"
    )
    alternative: Literal["one-sided", "two-sided"] = Field(
        "two-sided", description="side of the tests behind the tables' marks"
    )
    holm: Literal["no_stop", "step_down"] = Field(
        "step_down", description="whether Holm's procedure stops at the first hypothesis it keeps"
    )

    @across("encoding", "class_prior")
    def _numbers_for_an_estimate(self) -> None:
        if self.estimator and self.encoding == "none":
            raise ValueError("an estimated class prior needs nominal columns as numbers: another encoding than none")

    @property
    def estimator(self) -> str | None:
        """The estimator of the class prior, where it is estimated."""
        prior = self.class_prior
        return prior.removeprefix(ESTIMATED) if isinstance(prior, str) and prior.startswith(ESTIMATED) else None


class HiddenLabels(NamedTuple):
    """How an option uses hidden labels, and whether the preset `sound` allows it."""

    use: str
    sound: bool


HIDDEN_LABELS: dict[tuple[str, str], HiddenLabels] = {
    ("decision", "f1_oracle"): HiddenLabels("chooses the threshold on the test rows", sound=False),
    ("decision", "f1_validation"): HiddenLabels(
        "chooses the threshold by the true labels of validation rows (f1_observed does without)", sound=True
    ),
    ("encoding", "woe_all_true"): HiddenLabels("encodes with the true labels of all rows", sound=False),
    ("class_prior", "all_true"): HiddenLabels("counts the true labels of test rows", sound=False),
    ("class_prior", "train_true"): HiddenLabels(
        "tells methods the true share of positives among the training rows", sound=True
    ),
}


def hidden_labels(options: Options, *, refused: bool = False) -> dict[str, str]:
    """The options that use hidden labels, each with how; `refused`: only those that the preset `sound` refuses."""
    chosen = options.model_dump()
    return {
        name: how.use
        for (name, value), how in HIDDEN_LABELS.items()
        if chosen[name] == value and not (refused and how.sound)
    }
