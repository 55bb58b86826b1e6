"""``config/config.yaml``: switches of the whole project."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from scarce.config.block import Block, Once, known
from scarce.config.names import Name


def _folder(mirror: str) -> str:
    if mirror and not Path(mirror).expanduser().is_dir():
        raise ValueError(f"no folder {mirror}")
    return mirror


class Config(Block):
    """``config/config.yaml``: switches of the whole project."""

    studies: Annotated[list[Annotated[Name, known("study")]], Once] = Field(description="what plain `snakemake` builds")
    mirror: Annotated[str, AfterValidator(_folder)] | None = Field(
        None, description="folder with copies of the raw data; SCARCE_MIRROR wins"
    )
    plugins: Annotated[list[str], Once] = Field(
        [], description="Python modules of your own whose import registers methods"
    )
    code_tracking: Literal["source", "off"] = Field(
        "source", description="whether a change of a method's code reruns its fits"
    )
