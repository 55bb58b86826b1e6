"""A small table and descriptions of it."""

from __future__ import annotations

import hashlib

from scarce.config.datasets import DatasetSpec

ROWS = "a,b,kind\n1,x,yes\n2,y,no\n3,x,no\n4,,no\n"


def digest(text: str | bytes) -> str:
    return hashlib.sha256(text.encode() if isinstance(text, str) else text).hexdigest()


def described(*sources: dict, **more) -> DatasetSpec:
    """A data set of the columns of `ROWS`."""
    fields = {"name": "toy", "read": {"format": "csv"}, "target": "kind", "positive": "yes", "sources": list(sources)}
    return DatasetSpec.model_validate(fields | more)
