"""Which file a person means who names a study."""

from __future__ import annotations

from pathlib import Path

from scarce import paths
from scarce.errors import ConfigError
from scarce.words import did_you_mean


def study_file(word: str) -> Path:
    """The file of a study that is given by its name or by its file.

    Raises
    ------
    ConfigError
        If there is neither a study of that name nor such a file.
    """
    if word.endswith((".yaml", ".yml")):
        if not Path(word).is_file():
            raise ConfigError(f"{word}: no such file", hint=did_you_mean(word, paths.study_files(), listed=False))
        return Path(word)
    file = paths.study_yaml(word)
    if not file.is_file():
        hint = did_you_mean(word, [one.stem for one in paths.study_files()])
        raise ConfigError(f"no study is named {word!r}", hint=hint)
    return file
