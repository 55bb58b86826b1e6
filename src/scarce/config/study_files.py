"""Which file a person means who names a study."""

from __future__ import annotations

from pathlib import Path

from scarce import paths
from scarce.errors import ConfigError
from scarce.words import did_you_mean


def in_project() -> None:
    """Check that this is the folder of a project.

    Raises
    ------
    ConfigError
        If it has no configuration.
    """
    if not paths.CONFIG.exists():
        hint = "go to the folder that holds the Snakefile and config/, and run the command there; "
        hint += "`scarce init my-project` lays one out"
        raise ConfigError(f"{Path.cwd()} is no project: there is no {paths.CONFIG}", hint=hint)


def study_file(word: str) -> Path:
    """The file of a study that is given by its name or by its file.

    Raises
    ------
    ConfigError
        If this is no project, or if there is neither a study of that name nor such a file.
    """
    in_project()
    if word.endswith((".yaml", ".yml")):
        if not Path(word).is_file():
            raise ConfigError(f"{word}: no such file", hint=did_you_mean(word, paths.study_files(), listed=False))
        return Path(word)
    file = paths.study_yaml(word)
    if not file.is_file():
        hint = did_you_mean(word, [one.stem for one in paths.study_files()])
        raise ConfigError(f"no study is named {word!r}", hint=hint)
    return file
