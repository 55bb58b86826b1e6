"""The project as configured: its data sets, methods and studies, read together and checked against each other."""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from pubench import paths, registry
from pubench.claims import problems as claim_problems
from pubench.claims import studies_of
from pubench.errors import ConfigError
from pubench.prior import find_estimator
from pubench.study import PLACEHOLDERS, Config, MethodSpec, Study
from pubench.yamlfile import YamlFile, did_you_mean, doubtful, read_yaml, validate

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
    from pubench.data.availability import own_problem
    from pubench.data.specs import DatasetSpec

    _find_own_modules()
    problems: list[ConfigError] = []

    def attempt(build: Callable[[], Any]) -> Any:
        try:
            return build()
        except ConfigError as error:
            problems.append(error)
            return None

    def blocks(path: Path, model: Any) -> tuple[dict[str, Any], YamlFile | None]:
        file = attempt(lambda: read_yaml(path))
        found = {}
        if file and not isinstance(file.value, dict):
            problems.append(file.error((), f"must be a block of keys, got {file.value!r}"))
            return found, None
        for name, value in (file.value if file else {}).items():
            if isinstance(value, dict):
                found[name] = attempt(
                    lambda name=name, value=value: validate(model, file, {"name": name} | value, (name,))
                )
            else:
                problems.append(file.error((name,), f"must be a block of keys, got {value!r}"))
        return found, file

    config_file = attempt(lambda: read_yaml(paths.CONFIG_YAML))
    config = attempt(lambda: validate(Config, config_file)) if config_file else None
    for plugin in config.plugins if config else ():
        attempt(lambda plugin=plugin: _import_plugin(plugin, config_file))
    datasets, datasets_file = blocks(paths.DATASETS_YAML, DatasetSpec)
    for name, spec in datasets.items():
        if spec and (found_wrong := own_problem(spec)):
            at, message, hint = found_wrong
            problems.append(datasets_file.error((name, *at), message, hint))
    methods, methods_file = blocks(paths.METHODS_YAML, MethodSpec)
    for name, spec in methods.items():
        if spec:
            problems += _method_problems(name, spec, methods_file)
            if spec.builds_on not in (None, *methods):
                hint = did_you_mean(spec.builds_on, methods)
                problems.append(methods_file.error((name, "builds_on"), f"no method is named {spec.builds_on!r}", hint))
    for block_file in (datasets_file, methods_file):
        if block_file is not None and not block_file.value:
            problems.append(block_file.error((), "describes nothing"))
    # what a file that cannot be read would have described is not missed in each study
    described = bool(datasets and methods)
    if config and config.mirror and not Path(config.mirror).expanduser().is_dir():
        problems.append(config_file.error(("mirror",), f"no folder {config.mirror}"))

    found: dict[str, Study] = {}
    sources: dict[str, str] = {}

    @cache
    def read(path: Path) -> tuple[YamlFile | None, Study | None]:
        file = attempt(lambda: read_yaml(path))
        return file, attempt(lambda: validate(Study, file)) if file else None

    todo = [Path(path) for path in (sorted(paths.STUDIES.glob("*.yaml")) if studies is None else studies)]
    for path in todo:
        file, study = read(path)
        if study and described and study.name not in found:
            wrong = _study_problems(study, file, datasets, methods, lambda name: read(paths.study_yaml(name))[1])
            problems += wrong
            found[study.name] = study
            sources[study.name] = str(path)
            # what its claims rest on is part of it
            todo += [] if wrong else [paths.study_yaml(name) for name in studies_of(study)]
    for path in sorted(paths.STUDIES.glob("*.yml")) if studies is None else ():
        problems.append(ConfigError("is not read: study files end in .yaml", where=str(path), hint="rename it"))
    for place, name in enumerate(config.studies if config and studies is None else ()):
        if name not in found and not (paths.study_yaml(name)).is_file():
            problems.append(
                config_file.error(("studies", place), f"no study is named {name!r}", did_you_mean(name, found))
            )
    if problems:
        raise ConfigError.collect(problems)
    return Project(config, datasets, methods, found, sources)


def _find_own_modules() -> None:
    """Let methods and plugins be modules of the project's root; what is installed comes first."""
    if "" not in sys.path and os.getcwd() not in sys.path:
        sys.path.append(os.getcwd())


def _import_plugin(name: str, file: YamlFile) -> None:
    try:
        importlib.import_module(name)
    except ConfigError:
        raise
    except Exception as error:
        raise file.error(("plugins",), f"cannot import {name}: {type(error).__name__}: {error}") from error


def _method_problems(name: str, spec: MethodSpec, file: YamlFile) -> list[ConfigError]:
    problems = []
    if registry.find(spec.estimator) is None:
        problems.append(
            file.error(
                (name, "estimator"),
                f"no method is registered as {spec.estimator!r}",
                did_you_mean(spec.estimator, registry.METHODS),
            )
        )
    elif missing := registry.missing_module(registry.find(spec.estimator).target):
        problems.append(
            file.error((name, "estimator"), f"there is no module {missing!r}", "put its file here or install it")
        )
    for part in ("params", "paper", "corrected"):
        problems += _unknown_placeholders(getattr(spec, part), file, (name, part))
        problems += _unknown_arguments(spec, getattr(spec, part), file, (name, part))
        problems += _doubtful_arguments(getattr(spec, part), file, (name, part))
    return problems


def _unknown_arguments(spec: MethodSpec, arguments: dict[str, Any], file: YamlFile, at: tuple) -> list[ConfigError]:
    entry = registry.find(spec.estimator)
    known = registry.parameters(entry.target) if entry else None
    return [
        file.error((*at, key), f"{entry.target} takes no argument {key!r}", did_you_mean(key, known))
        for key in arguments
        if known is not None and key not in known
    ]


def _doubtful_arguments(arguments: dict[str, Any], file: YamlFile, at: tuple) -> list[ConfigError]:
    return [file.error((*at, key), why) for key, value in arguments.items() if (why := doubtful(value))]


def _unknown_placeholders(arguments: dict[str, Any], file: YamlFile, at: tuple) -> list[ConfigError]:
    return [
        file.error((*at, key), f"unknown placeholder {value}", did_you_mean(value, PLACEHOLDERS))
        for key, value in arguments.items()
        if isinstance(value, str) and value.startswith("$") and value not in PLACEHOLDERS
    ]


def _study_problems(
    study: Study, file: YamlFile, datasets: dict, methods: dict, other: Callable[[str], Study | None]
) -> list[ConfigError]:
    from pubench.evaluate.metrics import METRICS
    from pubench.report.catalogue import FIGURES

    problems: list[ConfigError] = []
    ranked = [metric.name for metric in METRICS.values() if metric.direction]

    def known(key: tuple, name: str, among: Iterable[str], what: str) -> None:
        if name not in among:
            problems.append(file.error(key, f"no {what} is named {name!r}", did_you_mean(name, among)))

    if study.name in RULES:
        problems.append(file.error(("name",), f"{study.name!r} is a rule of the workflow, choose another name"))
    if file.path.stem != study.name:
        problems.append(
            file.error(("name",), f"is {study.name!r}, but the file is {file.path.name}; the two must agree")
        )
    for place, name in enumerate(study.datasets):
        known(("datasets", place), name, datasets, "data set")
    for place, name in enumerate(study.methods):
        known(("methods", place), name, methods, "method")
    for name, options in study.method_options.items():
        known(("method_options", name), name, study.methods, "method of this study")
        problems += _unknown_placeholders(options, file, ("method_options", name))
        problems += _doubtful_arguments(options, file, ("method_options", name))
        if methods.get(name):
            problems += _unknown_arguments(methods[name], options, file, ("method_options", name))
        prior = options.get("class_prior", 0.5)
        if isinstance(prior, int | float) and not 0 < prior < 1:
            problems.append(
                file.error(("method_options", name, "class_prior"), f"must lie between 0 and 1, got {prior}")
            )
    for place, name in enumerate(study.analysis.metrics):
        known(("analysis", "metrics", place), name, ranked, "metric to rank by")
    for metric, names in study.analysis.exclude.items():
        known(("analysis", "exclude", metric), metric, METRICS, "metric")
        for place, name in enumerate(names):
            known(("analysis", "exclude", metric, place), name, methods, "method")
    for name in study.analysis.reasons:
        known(("analysis", "reasons", name), name, study.methods, "method of this study")
    if study.analysis.control != "best":
        known(("analysis", "control"), study.analysis.control, study.methods, "method of this study")
    if study.analysis.reference and not paths.reference(study.analysis.reference).is_dir():
        problems.append(file.error(("analysis", "reference"), f"no folder {paths.reference(study.analysis.reference)}"))
    scenarios = [scenario.name for scenario in study.scenarios]
    for place, table in enumerate(study.report.tables):
        if table.metric:
            known(("report", "tables", place, "metric"), table.metric, ranked, "metric to rank by")
        for key, names in (("methods", table.methods), ("control", [table.control] if table.control else [])):
            for name in names:
                known(("report", "tables", place, key), name, study.methods, "method of this study")
        if table.scenario:
            known(("report", "tables", place, "scenario"), table.scenario, scenarios, "scenario of this study")
    for place, name in enumerate(study.report.figures):
        known(("report", "figures", place), name, FIGURES, "figure")
    return problems + claim_problems(study, file, ranked, scenarios, other)
