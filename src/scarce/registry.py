"""Estimators by key; an estimator is imported only by the job that fits it."""

from __future__ import annotations

import importlib
import os
import re
import sys
from dataclasses import dataclass

from scarce.errors import ConfigError


@dataclass(frozen=True)
class Method:
    """The class of an estimator and what it assumes of the labeling.

    Parameters
    ----------
    key : str
        What ``estimator:`` in ``config/methods.yaml`` names.
    target : str
        ``module:Class``.
    assumption : str
        SCAR, SAR, or none.
    source : str
        Paper the method comes from.
    """

    key: str
    target: str
    assumption: str
    source: str

    @property
    def own(self) -> bool:
        """Whether the class is part of this package."""
        return self.target.startswith("scarce.")

    def load(self) -> type:
        """Import the estimator class."""
        module, _, name = self.target.partition(":")
        try:
            return getattr(importlib.import_module(module), name)
        except (ImportError, AttributeError) as error:
            raise ConfigError(f"method {self.key}: cannot import {self.target}: {error}") from error


METHODS: dict[str, Method] = {}
TARGET = re.compile(r"[^\W\d]\w*(\.[^\W\d]\w*)*:[^\W\d]\w*")


def register(key: str, target: str, *, assumption: str = "SCAR", source: str = "") -> None:
    """Add a method.

    Parameters
    ----------
    key : str
        What ``estimator:`` in ``config/methods.yaml`` names.
    target : str
        ``module:Class`` of a scikit-learn style classifier whose ``fit(X, s)`` takes observed labels.
    assumption : str
        Of the labeling mechanism: SCAR, SAR, or none.
    source : str
        Paper the method comes from.

    Raises
    ------
    ConfigError
        If the key is taken by another target, or the target is not ``module:Class``.
    """
    if not TARGET.fullmatch(target):
        raise ConfigError(f"method {key}: target {target!r} must be module:Class")
    if METHODS.get(key, Method(key, target, assumption, source)).target != target:
        raise ConfigError(f"method {key} is registered twice: {METHODS[key].target} and {target}")
    METHODS[key] = Method(key, target, assumption, source)


def import_from_here() -> None:
    """Let modules of the working folder be imported: methods, papers and plugins may be there."""
    if "" not in sys.path and os.getcwd() not in sys.path:
        sys.path.append(os.getcwd())


def find(estimator: str) -> Method | None:
    """The method that ``estimator:`` names: a registered key, or ``module:Class``."""
    return METHODS.get(estimator) or (Method(estimator, estimator, "", "") if TARGET.fullmatch(estimator) else None)


_TREES = "Ortega Vazquez, vanden Broucke & De Weerdt 2023"
register("pu_hellinger_tree", "scarce.trees:PUHellingerTreeClassifier", source=_TREES)
register("pu_hellinger_forest", "scarce.trees:PUHellingerForestClassifier", source=_TREES)
register("tree", "scarce.trees:TreeClassifier", assumption="none", source="Cieslak & Chawla 2008")
register("forest", "scarce.trees:ForestClassifier", assumption="none", source="Breiman 2001")
register("pu_bagging", "scarce.methods.bagging:PUBaggingClassifier", source="Mordelet & Vert 2014")
register("pu_wlr", "scarce.methods.weighted_logistic:PUWeightedLogisticRegression", source="Lee & Liu 2003")
register(
    "boosted_risk",
    "scarce.methods.boosted_risks:BoostedRiskClassifier",
    source="du Plessis, Niu & Sugiyama 2015; Kiryo et al. 2017; Su, Chen & Xu 2021",
)
register("rank_pruning", "scarce.methods.rank_pruning:RankPruningClassifier", source="Northcutt, Wu & Chuang 2017")
register("elkan_noto", "scarce.methods.elkan_noto:ElkanNotoClassifier", source="Elkan & Noto 2008")
register("spy_em", "scarce.methods.spy_em:SpyEMClassifier", source="Liu, Lee, Yu & Li 2002")
register(
    "sampling_wrapper", "scarce.methods.sampling:SamplingWrapper", assumption="none", source="Cieslak & Chawla 2008"
)
register("adasyn_rf", "scarce.methods.adasyn:ADASYNRandomForestClassifier", assumption="none", source="He et al. 2008")
_POSITIVE_BAYES = "Calvo, Larranaga & Lozano 2007"
register("pnb", "scarce.methods.positive_bayes:PNBClassifier", source=_POSITIVE_BAYES)
register("ptan", "scarce.methods.positive_bayes:PTANClassifier", source=_POSITIVE_BAYES)
register("apnb", "scarce.methods.positive_bayes:APNBClassifier", source=_POSITIVE_BAYES)
register("aptan", "scarce.methods.positive_bayes:APTANClassifier", source=_POSITIVE_BAYES)
register("pulce", "scarce.methods.pulce:PulceClassifier", source="Ienco & Pensa 2016")
register(
    "neural_pu",
    "scarce.methods.neural:NeuralPUClassifier",
    source="du Plessis, Niu & Sugiyama 2014; Kiryo et al. 2017; Su, Chen & Xu 2021",
)
register("pu_extra_trees", "scarce.trees:PUExtraTreesClassifier", source="Wilton, Koay, Ko, Xu & Ye 2022")
register(
    "extra_trees",
    "scarce.trees:PUExtraTreesClassifier",
    assumption="none",
    source="Geurts, Ernst & Wehenkel 2006",
)
register("pu_bagging_et", "scarce.trees:PUBaggingExtraTreesClassifier", source="Mordelet & Vert 2014")
_PROPENSITY = "Bekker, Robberechts & Davis 2019"
register(
    "propensity_weighted",
    "scarce.methods.propensity_weighting:PropensityWeightedClassifier",
    assumption="SAR",
    source=_PROPENSITY,
)
register("sar_em", "scarce.methods.sar_em:SAREMClassifier", assumption="SAR", source=_PROPENSITY)
register("lbe", "scarce.methods.lbe:LBEClassifier", assumption="SAR", source="Gong et al. 2021")
register("pusb", "scarce.methods.pusb:PUSBClassifier", assumption="SAR", source="Kato, Teshima & Honda 2019")
register("boosting", "scarce.methods.boosting:BoostingClassifier", assumption="none", source="Friedman 2001")
register("boosting_elkan_noto", "scarce.methods.boosting:BoostingElkanNotoClassifier", source="Elkan & Noto 2008")
register("boosting_bagging", "scarce.methods.boosting:BoostingBaggingClassifier", source="Mordelet & Vert 2014")
register("lightgbm", "scarce.methods.lightgbm_trees:LightGBMClassifier", assumption="none", source="Ke et al. 2017")
register("lightgbm_elkan_noto", "scarce.methods.lightgbm_trees:LightGBMElkanNotoClassifier", source="Elkan & Noto 2008")
register("lightgbm_bagging", "scarce.methods.lightgbm_trees:LightGBMBaggingClassifier", source="Mordelet & Vert 2014")
