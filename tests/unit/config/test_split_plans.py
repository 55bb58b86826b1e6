"""Plans that split by a column of the data set: refused before any job where it is not declared."""

import pytest
import yaml

from scarce.config.loading import load_project
from scarce.errors import ConfigError
from scarce.labels.records import PROTOCOLS

BLOCK = {
    "sources": [{"kind": "local", "files": [{"path": "own.csv"}]}], "read": {"format": "csv"}, "target": "kind",
    "positive": "yes",
}  # fmt: skip
BY_COLUMN = [plan for plan, record in PROTOCOLS.items() if record.needs]


def project(folder, plan, **declared):
    """The configuration with a study of an own data set, split by `plan`."""
    (folder / "own.csv").write_text("who,when,a,kind\n1,1,1,yes\n2,2,2,no\n")
    datasets = folder / "config/datasets.yaml"
    datasets.write_text(datasets.read_text("utf-8") + yaml.safe_dump({"own": BLOCK | declared}), "utf-8")
    study = {
        "name": "mine", "title": "Mine", "datasets": ["own"], "labeling": {"scar": {"flip_ratios": [0.5]}},
        "split": {"plan": plan}, "methods": ["pu_hdt"],
    }  # fmt: skip
    (folder / "config/studies/mine.yaml").write_text(yaml.safe_dump(study, sort_keys=False), "utf-8")
    return load_project([folder / "config/studies/mine.yaml"])


@pytest.mark.parametrize("plan", BY_COLUMN)
def test_a_plan_needs_the_column_that_it_splits_by(configured, plan):
    key = PROTOCOLS[plan].needs
    with pytest.raises(ConfigError) as error:
        project(configured, plan, **{"group": "who", "time": "when"} | {key: None})
    (line,) = error.value.lines()
    assert f"split: split.plan {plan} splits by `{key}:`, which own does not declare" in line
    assert "mine.yaml:" in line and f"add `{key}: <column>`" in line


@pytest.mark.parametrize("plan", BY_COLUMN)
def test_with_the_column_the_study_is_fine(configured, plan):
    column = {"group": "who", "time": "when"}[PROTOCOLS[plan].needs]
    assert project(configured, plan, **{PROTOCOLS[plan].needs: column}).study("mine").split.plan == plan
