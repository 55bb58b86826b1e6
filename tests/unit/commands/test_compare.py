"""What `scarce compare` takes for a method."""

import pytest
from sklearn.naive_bayes import GaussianNB

from scarce import registry
from scarce.commands.compare import _meant, described
from scarce.config.loading import load_project
from scarce.errors import ConfigError


@pytest.mark.parametrize("method", ["os:path", "sklearn.metrics:f1_score"])
def test_what_is_no_class_is_refused_in_one_line(configured, method):
    with pytest.raises(ConfigError, match=f"{method} is no class"):
        described(load_project(), method)


def test_a_class_whose_name_has_no_plain_letter_gets_a_name(configured, monkeypatch):
    monkeypatch.setattr("sklearn.naive_bayes.Ä", GaussianNB, raising=False)
    spec = described(load_project(), "sklearn.naive_bayes:Ä")
    assert (spec.name, spec.label) == ("method", "Ä")


@pytest.mark.parametrize(
    ("method", "hint"),
    [
        ("RandomForestClassifier", "sklearn.ensemble:RandomForestClassifier"),
        ("RandomForestClasifier", "sklearn.ensemble:RandomForestClassifier"),
        ("LogisticRegression", "sklearn.linear_model:LogisticRegression"),
        ("pu_htd", "did you mean pu_hdt"),
        ("zzz", "module:Class"),
    ],
)
def test_a_name_that_is_not_known_gets_the_one_that_is_meant(configured, method, hint):
    with pytest.raises(ConfigError, match=f"no method is named '{method}'") as error:
        described(load_project(), method)
    assert hint in str(error.value)


def test_hints_are_classes_that_can_be_loaded(configured):
    _, _, target = _meant("HistGradientBoostingClassifier", []).rpartition(" ")
    assert registry.find(target.rstrip("?")).load().__name__ == "HistGradientBoostingClassifier"
