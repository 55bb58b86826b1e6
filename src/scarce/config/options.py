"""Named options of an experiment, and the two bundles of them: what a paper's authors ran, and what is sound.

Each option can be set alone in a study; `fidelity` only chooses where the others start. Options that let a method or a
choice see test rows, or true labels of rows that methods learn from, are leaks: they exist to reproduce a paper, and
`corrected` refuses them. Two options of `corrected` still ask for more than a user of PU data has, so that a comparison
is not blurred by other estimates: they are an experiment's oracles, and every report says so.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field

from scarce.config.block import Block, across
from scarce.prior import find_estimator

Fidelity = Literal["paper", "corrected"]
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
    """The options of the protocol (those of a method stand with the method, in ``config/methods.yaml``)."""

    decision: Literal["f1_default", "f1_prior", "f1_validation", "f1_observed", "f1_oracle"] = Field(
        description="the F1 that the tables show; its threshold also decides precision, recall and accuracy"
    )
    threshold_search: Literal["grid", "sweep"] = Field(
        description="candidate thresholds: 100 from 0.01 to 0.99, or every distinct score"
    )
    encoding: Literal["woe_all_true", "woe_train_observed", "onehot", "none"] = Field(
        description="nominal columns: weight of evidence on all true labels, on the observed training labels, "
        "one-hot, or none: codes as they are, and numbers unscaled, for methods that read nominal columns"
    )
    class_prior: Annotated[str | float, BeforeValidator(_prior)] = Field(
        description="the class prior that methods are given: share of true positives in all or in the training rows, "
        "estimated:<method> from the training rows as methods see them, or a number"
    )
    seeds: Literal["paper", "axes"] = Field(
        description="the repeat's number seeds everything, or seeds come from named axes"
    )
    flip_count: Literal["ceil", "round", "floor"] = Field(description="how ratio x positives becomes a whole number")
    blocks: Literal["runs", "datasets"] = Field(description="what the tables' marks count as independent blocks")
    alternative: Literal["one-sided", "two-sided"] = Field(description="side of the tests behind the tables' marks")
    holm: Literal["no_stop", "step_down"] = Field(
        description="whether Holm's procedure stops at the first hypothesis it keeps"
    )

    @across("class_prior", "encoding")
    def _numbers_for_an_estimate(self) -> None:
        if self.estimator and self.encoding == "none":
            raise ValueError("an estimated class prior needs nominal columns as numbers: another encoding than none")

    @property
    def estimator(self) -> str | None:
        """The estimator of the class prior, where it is estimated."""
        prior = self.class_prior
        return prior.removeprefix(ESTIMATED) if isinstance(prior, str) and prior.startswith(ESTIMATED) else None


BUNDLES: dict[str, dict] = {
    "paper": {
        "decision": "f1_oracle",
        "threshold_search": "grid",
        "encoding": "woe_all_true",
        "class_prior": "all_true",
        "seeds": "paper",
        "flip_count": "ceil",
        "blocks": "runs",
        "alternative": "one-sided",
        "holm": "no_stop",
    },
    "corrected": {
        "decision": "f1_validation",
        "threshold_search": "sweep",
        "encoding": "woe_train_observed",
        "class_prior": "train_true",
        "seeds": "axes",
        "flip_count": "ceil",
        "blocks": "datasets",
        "alternative": "two-sided",
        "holm": "step_down",
    },
}

LEAKS: dict[tuple[str, object], str] = {
    ("decision", "f1_oracle"): "chooses the threshold on the test rows",
    ("encoding", "woe_all_true"): "encodes with the true labels of all rows",
    ("class_prior", "all_true"): "counts the true labels of test rows",
}


def leaks(options: Options) -> dict[str, str]:
    """The options that leak, each with what it uses."""
    chosen = options.model_dump()
    return {name: why for (name, value), why in LEAKS.items() if chosen[name] == value}


ORACLES: dict[tuple[str, object], str] = {
    (
        "decision",
        "f1_validation",
    ): "chooses the threshold by the true labels of validation rows (f1_observed does without)",
    ("class_prior", "train_true"): "tells methods the true share of positives among the training rows",
}


def oracles(options: Options) -> dict[str, str]:
    """The options that are an experiment's oracles, each with what it uses."""
    chosen = options.model_dump()
    return {name: why for (name, value), why in ORACLES.items() if chosen[name] == value}
