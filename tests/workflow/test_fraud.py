"""The example of fraud in docs/add_a_study.md through the whole workflow: dates, times, groups, at k, costs."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
import yaml

from scarce.files import read_csv
from scarce.scoring.top import top_of
from tests.workflow.test_docs import append, blocks

pytestmark = pytest.mark.workflow

N = 600


def payments() -> pd.DataFrame:
    """Payments of 60 customers in 200 half hours, in no order; a tenth is fraud."""
    random = np.random.RandomState(0)
    fraud = random.uniform(size=N) < 0.1
    times = pd.Timestamp("2024-01-01") + pd.to_timedelta(30 * random.randint(200, size=N), unit="min")
    return pd.DataFrame(
        {
            "customer": [f"c{number:03d}" for number in random.randint(60, size=N)],
            "paid": times.strftime("%Y-%m-%d %H:%M"),
            "amount": random.lognormal(size=N) + 2 * fraud,
            "channel": random.choice(["web", "shop"], size=N),
            "fraud": np.where(fraud, "yes", "no"),
        }
    )


def test_the_example_of_fraud(workflow):
    dataset, study = (
        next(block for block in blocks("add_a_study.md", "yaml") if key in block)
        for key in ("payments:\n", "name: fraud")
    )
    own = workflow.root / "data/own"
    own.mkdir(parents=True)
    table = payments()
    table.to_csv(own / "payments.csv", index=False)
    append(workflow, "config/datasets.yaml", dataset)
    by_group = yaml.safe_load(study) | {"name": "customers", "split": {"plan": "group_k_fold", "folds": 4}}
    for name, text in (("fraud", study), ("customers", yaml.safe_dump(by_group))):
        (workflow.root / f"config/studies/{name}.yaml").write_text(text, encoding="utf-8")
    workflow.snakemake("fraud")

    results = workflow.root / "results/fraud"
    assert set(read_csv(results / "runs.csv").status) == {"ok"}
    scores = read_csv(results / "scores.csv")
    values = scores.set_index(["method", "repeat", "metric"]).value
    assert {"precision_at_k", "recall_at_k", "cost", "mcc", "pu_precision_at_k_validation"} <= {*scores.metric}
    assert "brier" not in set(scores.metric)

    fraud, paid = (table.fraud == "yes").to_numpy(), pd.to_datetime(table.paid).to_numpy()
    with (
        np.load(results / "labels/payments/flip-50.npz") as labels,
        np.load(results / "fits/payments/flip-50/pu_wlr.npz") as fit,
    ):
        for repeat in range(4):
            train, test, scored = labels["train"][repeat], labels["test"][repeat], fit["test_scores"][repeat]
            train, test, scored = train[train >= 0], test[test >= 0], scored[np.isfinite(scored)]
            assert paid[train].max() < paid[test].min()
            top = top_of(scored[None], fraud[test][None], 0.05)
            assert values["pu_wlr", repeat, "precision_at_k"] == top.precision[0]
            threshold = values["pu_wlr", repeat, "threshold_decision"]
            wrong = (scored >= threshold) != fraud[test]
            assert values["pu_wlr", repeat, "cost"] == pytest.approx(
                np.where(fraud[test], 20, 1)[wrong].sum() / len(test)
            )
        assert labels["test"][0].tolist() == labels["test"][2].tolist() != labels["test"][1].tolist()

    with np.load(workflow.root / "data/prepared/payments.npz") as prepared:
        assert prepared["X"].shape == (N, 2)  # neither the customer nor the time
        assert len(np.unique(prepared["group"])) == table.customer.nunique()
        np.testing.assert_allclose(
            prepared["time"], (paid - np.datetime64("1970-01-01")) / np.timedelta64(1, "D"), rtol=0, atol=1e-9
        )

    workflow.run("scarce", "label", "customers", "payments")
    with np.load(workflow.root / "results/customers/labels/payments/flip-50.npz") as labels:
        for train, test in zip(labels["train"], labels["test"], strict=True):
            assert not {*table.customer[train[train >= 0]]} & {*table.customer[test[test >= 0]]}
    page = (results / "report.html").read_text(encoding="utf-8")
    assert "k is 5 % of the rows" in page and "a false negative 20" in page
