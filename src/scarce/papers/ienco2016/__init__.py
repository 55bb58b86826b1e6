"""Ienco & Pensa (2016): Pulce, PU learning of categorical data with learned distances."""

from scarce.papers.ienco2016 import (  # noqa: F401 - importing them registers what the paper adds
    figures,
    judges,
    layouts,
    prior,
    published_judges,
    reference,
)
