"""A model from a finished study, and its predictions elsewhere: the commands as a user types them."""

from __future__ import annotations

import joblib
import numpy as np
import pytest

from scarce.data.frames import frame_of
from scarce.data.store import load_features_only
from scarce.files import read_csv, read_json

pytestmark = pytest.mark.workflow


def test_refit_then_predict(finished, tmp_path, monkeypatch):
    kept = tmp_path / "kept/blobs.joblib"
    done = finished.run("scarce", "refit", "smoke", "blobs", "pu_shrf", "--scenario", "flip-50", "-o", str(kept))
    assert "labels are drawn on all rows" in done.stderr
    monkeypatch.chdir(finished.root)
    frame = frame_of(load_features_only("blobs"))
    model, about = joblib.load(kept), read_json(kept.with_suffix(".json"))
    frame.to_csv(tmp_path / "new.csv", index=False)

    monkeypatch.setattr(finished, "root", tmp_path)  # no project is there
    done = finished.run("scarce", "predict", "kept/blobs.joblib", "new.csv", "-o", "out.csv")
    assert done.stderr == ""
    predictions = read_csv(tmp_path / "out.csv")
    np.testing.assert_array_equal(predictions.score, model.predict_proba(frame)[:, 1])
    np.testing.assert_array_equal(predictions.predicted, model.predict(frame))
    assert 0 < predictions.predicted.sum() < len(frame) == about["rows"]["trained"]
