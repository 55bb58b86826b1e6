"""docs/add_a_protocol.md, followed to the letter."""

import re
import sys
from unittest import mock

import numpy as np
import pytest
import yaml

from scarce.config.loading import load_project
from scarce.labels.make import make_labels
from scarce.labels.records import LABELINGS, PROTOCOLS
from tests.conftest import ROOT

Y = (np.arange(200) % 5 == 0).astype(np.int8)


@pytest.fixture
def guided(configured, monkeypatch):
    """The study `smoke` with the blocks of the guide, whose modules are plugins of the project."""
    guide = (ROOT / "docs/add_a_protocol.md").read_text("utf-8")
    code, blocks = (re.findall(rf"```{language}\n(.*?)```", guide, re.DOTALL) for language in ("python", "yaml"))
    names = [f"guide_{place}" for place in range(len(code))]
    for name, text in zip(names, code, strict=True):
        (configured / f"{name}.py").write_text(text, "utf-8")
    config = configured / "config/config.yaml"
    config.write_text(yaml.safe_dump(yaml.safe_load(config.read_text("utf-8")) | {"plugins": names}), "utf-8")
    study = configured / "config/studies/smoke.yaml"
    changes = {key: value for block in blocks for key, value in yaml.safe_load(block).items()}
    study.write_text(yaml.safe_dump(yaml.safe_load(study.read_text("utf-8")) | changes), "utf-8")
    with mock.patch.dict(LABELINGS), mock.patch.dict(PROTOCOLS):
        yield load_project().study("smoke")
    for name in names:
        sys.modules.pop(name, None)


def test_the_guide_adds_a_labeling_and_a_protocol(guided):
    assert [scenario.name for scenario in guided.scenarios] == ["labeled-30", "labeled-50"]
    few, many = (
        make_labels(
            Y, scenario=scenario, split=guided.split, repeats=guided.repeats, options=guided.options, study_seed=0,
            dataset="d",
        )
        for scenario in guided.scenarios
    )  # fmt: skip
    assert len(few) == 10
    for a, b in zip(few, many, strict=True):
        assert [*a.test] == [*b.test] == list(range(160, 200))
        assert {*a.train[a.s == 1]} < {*b.train[b.s == 1]}
        assert (a.s.sum(), b.s.sum()) == (round(0.3 * 32), 16)
