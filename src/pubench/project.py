"""The project as configured: its data sets, methods and studies, read together and checked against each other."""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from pubench import checks, paths, registry
from pubench.advice import did_you_mean
from pubench.claims import studies_of
from pubench.errors import ConfigError
from pubench.mentions import unknown
from pubench.prior import find_estimator
from pubench.study import Config, MethodSpec, Study
from pubench.yamlfile import YamlFile, not_a_block, read_tolerantly, validate

WORDS = ("title", "code", "licence", "citation", "note", "reason", "substitute_for")


#: The modules, with all they import, whose change has a stage after the fits run again.
STAGES = {
    "collect": ("pubench.evaluate.collect", "pubench.commands.describe"),
    "analyse": ("pubench.analysis.statistics", "pubench.analysis.agreement", "pubench.analysis.reference"),
    "tables": ("pubench.report.table_files", "pubench.report.grid_files", "pubench.report.results"),
    "verdicts": ("pubench.analysis.verdicts", "pubench.analysis.reference"),
    "figures": ("pubench.report.catalogue", "pubench.report.results"),
    "page": ("pubench.report.page", "pubench.commands.paging"),
}
#: Rules of the workflow beside the studies: `snakemake <name>` can mean only one thing.
RULES = {"all", "fetch", "fetch_dataset", "prepare", "encode", "label", "prior", "warm", "fit", *STAGES}


def author_runs_file(reference: str, mirror: Path | None, root: Path = Path()) -> Path | None:
    """Where a paper's single runs are, below the project's root or beside a mirror; None where they are not."""
    folders = [root / paths.reference(reference)]
    if mirror:
        folders.append(mirror.absolute().parent / "reference" / reference)
    return next((file for folder in folders if (file := folder / "author_runs.csv").is_file()), None)


@dataclass(frozen=True)
class Project:
    """Everything that configuration says; building one raises every problem at once."""

    config: Config
    datasets: dict[str, Any]
    methods: dict[str, MethodSpec]
    studies: dict[str, Study]
    sources: dict[str, str] = field(default_factory=dict, repr=False)

    @cached_property
    def mirror(self) -> Path | None:
        """The mirror folder, where one is configured."""
        from pubench.data.sources import mirror_folder

        return mirror_folder() or mirror_folder(self.config.mirror)

    def author_runs(self, reference: str) -> Path | None:
        """A paper's single runs, stored with its published numbers or in ``reference`` beside a mirror.

        They are the authors' own file and not part of this project; ``reference/README.md`` says where it comes from.
        """
        return author_runs_file(reference, self.mirror)

    def study(self, name: str) -> Study:
        """A study by name.

        Raises
        ------
        ConfigError
            If there is no such study.
        """
        return _pick("study", name, self.studies)

    def dataset(self, name: str) -> Any:
        """A data set's description by name; raises ConfigError if there is none."""
        return _pick("data set", name, self.datasets)

    def method(self, name: str) -> MethodSpec:
        """A method variant by name; raises ConfigError if there is none."""
        return _pick("method", name, self.methods)

    def fingerprint(self, study: Study, method: str) -> str:
        """What a fit depends on beside its input files: arguments, version and code of the method."""
        spec = self.method(method)
        target = registry.find(spec.estimator).target
        code = [target.partition(":")[0], "pubench.evaluate.cell", "pubench.seeds"]
        if not study.encodes_all_rows:  # then the encoder is fitted inside the fit
            code.append("pubench.data.encode")
        return registry.digest(
            {
                "arguments": spec.arguments(study),
                "target": target,
                "version": spec.version,
                "encoding": study.options.encoding,
                "seconds": spec.seconds(study),
                "code": [self._code(module) for module in code],
            }
        )

    def source_fingerprint(self, dataset: str) -> str:
        """What a data set's raw files depend on."""
        spec = self.dataset(dataset)
        code = [self._code("pubench.data.synthetic") for source in spec.sources if source.kind == "generated"]
        return registry.digest([spec.model_dump(mode="json", include={"sources", "content_sha256"}), code])

    def prepare_fingerprint(self, dataset: str) -> str:
        """What a prepared table depends on beside the raw files: the description, but for words, and the readers."""
        described = self.dataset(dataset).model_dump(mode="json", exclude=set(WORDS))
        return registry.digest([described, self._code("pubench.data.prepare")])

    def encode_fingerprint(self, study: Study) -> str:
        """What encoded features depend on beside the prepared data."""
        return registry.digest([study.options.encoding, self._code("pubench.data.encode")])

    def stage_fingerprint(self, study: Study, stage: str) -> str:
        """What a stage after the fits depends on beside its input files: study, what is said of it, its own code."""
        methods = [
            self.methods[name].model_dump(include={"label", "family", "builds_on", "comparison"})
            for name in study.methods
        ]
        datasets = [self.datasets[name].model_dump(mode="json", include=set(WORDS)) for name in study.datasets]
        # what is claimed decides verdicts, and the page only through them
        told = study.model_dump(mode="json", exclude=None if stage == "verdicts" else {"claims"})
        said = [told, methods, datasets, registry.template_digest()]
        named = studies_of(study) if stage == "verdicts" else ()
        others = [self.stage_fingerprint(self.studies[name], "analyse") for name in named]
        return registry.digest([*said, *others, *map(self._code, STAGES[stage])])

    def _code(self, module: str) -> str:
        return registry.code_digest(module) if self.config.code_tracking == "source" else ""

    def label_fingerprint(self, study: Study, scenario: str) -> str:
        """What a labels file depends on beside the data."""
        options = study.options.model_dump(include={"class_prior", "strata", "seeds", "flip_count"})
        plan = study.split.model_dump() | {"repeats": study.repeats, "seed": study.seed}
        about = study.scenario(scenario)
        # a scenario without a factor has the key it had before there were factors
        said = about.model_dump(exclude={"label"} if about.prior_factor != 1 else {"label", "prior_factor"})
        what = {"scenario": said, "plan": plan, "options": options}
        return registry.digest([what, self._code("pubench.labels")])

    def prior_fingerprint(self, study: Study) -> str:
        """What estimated class priors depend on beside labels and features: the estimator's name, seeds and code."""
        target = find_estimator(study.options.estimator).target
        code = [target.partition(":")[0], "pubench.prior", "pubench.seeds"]
        if not study.encodes_all_rows:
            code.append("pubench.data.encode")
        return registry.digest(
            {
                "target": target,
                "encoding": study.options.encoding,
                "seeds": [study.options.seeds, study.seed],
                "seconds": study.limits.seconds,
                "code": [self._code(module) for module in code],
            }
        )


def _pick(what: str, name: str, known: dict[str, Any]) -> Any:
    if name not in known:
        raise ConfigError(f"no {what} is named {name!r}", hint=did_you_mean(name, known))
    return known[name]


def load_project(studies: Iterable[Path] | None = None) -> Project:
    """Read and check the configuration below the working directory.

    Parameters
    ----------
    studies : iterable of Path, optional
        Study files; by default all of ``config/studies``.

    Raises
    ------
    ConfigError
        With every problem of every file at once.
    """
    from pubench.data.specs import DatasetSpec

    _find_own_modules()
    problems: list[ConfigError] = []
    misread: list[ConfigError] = []

    def attempt(build: Callable[[], Any]) -> Any:
        try:
            return build()
        except ConfigError as error:
            problems.extend(error.problems or [error])
            return None

    def opened(path: Path) -> YamlFile | None:
        """A file that holds a block of keys."""
        file = attempt(lambda: read_tolerantly(path))
        if file and not isinstance(file.value, dict):
            problems.append(not_a_block(file, file.value))
            return None
        misread.extend(file.problems if file else ())
        return file

    def blocks(path: Path, model: Any) -> tuple[YamlFile | None, dict[str, Any]]:
        """A file, and what each of its blocks describes: None where it is wrong."""
        file, found = opened(path), {}
        if file and not file.value:
            problems.append(file.error((), "describes nothing"))
            return None, found
        for name, value in (file.value if file else {}).items():
            found[name] = attempt(lambda name=name, value=value: _named(model, file, name, value))
        return file, found

    def places() -> set[tuple[str | int, ...]]:
        return {problem.place for problem in [*problems, *misread]}

    config_file = opened(paths.CONFIG_YAML)
    config = attempt(lambda: validate(Config, config_file)) if config_file else None
    switches, before = config_file.value if config_file else {}, len(problems)
    plugins, mirror = switches.get("plugins", []), switches.get("mirror")
    for plugin in plugins if isinstance(plugins, list) else ():
        if isinstance(plugin, str):
            attempt(lambda plugin=plugin: _import_plugin(plugin, config_file))
    plugged_in = config is not None and len(problems) == before
    if mirror and isinstance(mirror, str) and not Path(mirror).expanduser().is_dir():
        problems.append(config_file.error(("mirror",), f"no folder {mirror}"))

    datasets_file, datasets = blocks(paths.DATASETS_YAML, DatasetSpec)
    methods_file, methods = blocks(paths.METHODS_YAML, MethodSpec)
    # what a file that cannot be read would have described is not missed where it is named
    known = checks.Blocks(datasets_file and datasets_file.value, methods_file and methods_file.value)
    wrong = places()
    for name in datasets:
        problems += checks.dataset_problems(name, datasets_file, known, wrong)
    for name in methods:
        problems += checks.method_problems(name, methods_file, known, wrong, plugged_in=plugged_in)

    found: dict[str, Study] = {}
    sources: dict[str, str] = {}

    @cache
    def read(path: Path) -> list[tuple[YamlFile, Study | None]]:
        """A study as it is run and, with a block `laptop`, as it is at the other scale; None where one is wrong."""
        file = opened(path)
        if file is None:
            return []
        said, scales = file.value, [file]
        if isinstance(said.get("laptop"), dict):
            full, small = replace(file, value=said | {"scale": "full"}), file.replacing("laptop", scale="laptop")
            scales = {"full": [full, small], "laptop": [small, full]}.get(str(said.get("scale", "full")), scales)
        return [(scale, attempt(lambda scale=scale: validate(Study, scale))) for scale in scales]

    def sound(path: Path) -> Study | None:
        readings = read(path)
        return readings[0][1] if readings and all(study for _, study in readings) else None

    def other(name: str) -> Study | None:
        return sound(paths.study_yaml(name))

    todo = [Path(path) for path in (paths.study_files() if studies is None else studies)]
    for path in todo:
        readings, wrong, own = read(path), places(), []
        for file, study in readings:
            own += checks.study_problems(file, study, wrong, known, RULES, other)
        problems += own
        study = sound(path)
        if study and study.name not in found:
            found[study.name] = study
            sources[study.name] = str(path)
            # what its claims rest on is part of it
            todo += [] if own else map(paths.study_yaml, studies_of(study))
    if studies is None:
        for path in paths.study_files(".yml"):
            problems.append(ConfigError("is not read: study files end in .yaml", where=str(path), hint="rename it"))
        if config_file:
            named = [path.stem for path in paths.study_files()]
            problems += unknown(Config, config_file.value, config_file, {"study": named}, places())
    misread_places = {problem.place for problem in misread}
    problems = misread + [one for one in problems if not one.place or one.place not in misread_places]
    if problems:
        raise ConfigError.collect({str(one): one for one in problems}.values())
    return Project(config, datasets, methods, found, sources)


def _named(model: Any, file: YamlFile, name: str, value: Any) -> Any:
    """What a block describes, whose key is its name."""
    if not isinstance(value, dict):
        raise not_a_block(file, value, (name,))
    if "name" not in value:
        return validate(model, file, {"name": name} | value, (name,))
    problems = [file.error((name, "name"), "unknown key", "the key of the block is its name")]
    try:
        validate(model, file, value | {"name": name}, (name,))
    except ConfigError as error:
        problems += error.problems
    raise ConfigError.collect(problems)


def _find_own_modules() -> None:
    """Let methods and plugins be modules of the project's root; what is installed comes first."""
    if "" not in sys.path and os.getcwd() not in sys.path:
        sys.path.append(os.getcwd())


def _import_plugin(name: str, file: YamlFile) -> None:
    try:
        importlib.import_module(name)
    except ConfigError:
        raise
    except (Exception, SystemExit) as error:  # a script that ends itself must not end this one, and well
        raise file.error(("plugins",), f"cannot import {name}: {type(error).__name__}: {error}") from error
