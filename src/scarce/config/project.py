"""The project as configured, and the fingerprints by which each stage knows whether it must run again."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from scarce import paths, registry, source_code
from scarce.config.advice import did_you_mean
from scarce.config.claims import studies_of
from scarce.config.study import Config, MethodSpec, Study
from scarce.errors import ConfigError
from scarce.papers import discover
from scarce.prior import find_estimator

WORDS = ("title", "code", "licence", "citation", "note", "reason", "substitute_for")

#: The modules, with all they import, whose change has a stage after the fits run again.
STAGES = {
    "collect": ("scarce.scoring.collect", "scarce.stages.describe"),
    "analyse": ("scarce.analysis.statistics", "scarce.analysis.table_ranks", "scarce.analysis.reference"),
    "tables": ("scarce.report.layouts", "scarce.report.render", "scarce.report.results"),
    "verdicts": ("scarce.analysis.verdicts", "scarce.analysis.reference"),
    "figures": ("scarce.report.catalogue", "scarce.report.results", "scarce.report.style"),
    "page": ("scarce.report.page", "scarce.stages.page"),
}
#: Stages that run what papers register: readers of published numbers, layouts of tables, judges, figures.
OF_PAPERS = ("analyse", "tables", "verdicts", "figures", "page")


def author_runs_file(reference: str, mirror: Path | None, root: Path = Path()) -> Path | None:
    """Where a paper's single runs are, below the project's root or beside a mirror; None where they are not."""
    folders = [root / paths.reference(reference)]
    if mirror:
        folders.append(mirror.absolute().parent / "reference" / reference)
    return next((file for folder in folders if (file := folder / "author_runs.csv").is_file()), None)


@dataclass(frozen=True)
class Project:
    """Everything that configuration says, checked; `scarce.config.loading` reads it."""

    config: Config
    datasets: dict[str, Any]
    methods: dict[str, MethodSpec]
    studies: dict[str, Study]
    sources: dict[str, str] = field(default_factory=dict, repr=False)

    @cached_property
    def mirror(self) -> Path | None:
        """The mirror folder, where one is configured."""
        from scarce.data.sources import mirror_folder

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
        code = [target.partition(":")[0], "scarce.fitting.cell", "scarce.seeds"]
        if not study.encodes_all_rows:  # then the encoder is fitted inside the fit
            code.append("scarce.data.encode")
        return source_code.digest(
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
        code = [self._code("scarce.data.synthetic") for source in spec.sources if source.kind == "generated"]
        return source_code.digest([spec.model_dump(mode="json", include={"sources", "content_sha256"}), code])

    def prepare_fingerprint(self, dataset: str) -> str:
        """What a prepared table depends on beside the raw files: the description, but for words, and the readers."""
        described = self.dataset(dataset).model_dump(mode="json", exclude=set(WORDS))
        return source_code.digest([described, self._code("scarce.data.prepare")])

    def encode_fingerprint(self, study: Study) -> str:
        """What encoded features depend on beside the prepared data."""
        return source_code.digest([study.options.encoding, self._code("scarce.data.encode")])

    def stage_fingerprint(self, study: Study, stage: str) -> str:
        """What a stage after the fits depends on beside its input files: study, what is said of it, its own code."""
        methods = [
            self.methods[name].model_dump(include={"label", "family", "builds_on", "comparison"})
            for name in study.methods
        ]
        datasets = [self.datasets[name].model_dump(mode="json", include=set(WORDS)) for name in study.datasets]
        # what is claimed decides verdicts, and the page only through them
        told = study.model_dump(mode="json", exclude=None if stage == "verdicts" else {"claims"})
        said = [told, methods, datasets, source_code.template_digest()]
        named = studies_of(study) if stage == "verdicts" else ()
        others = [self.stage_fingerprint(self.studies[name], "analyse") for name in named]
        own = [paper.module for paper in discover()] if stage in OF_PAPERS else []
        return source_code.digest([*said, *others, *map(self._code, [*STAGES[stage], *own])])

    def _code(self, module: str) -> str:
        return source_code.code_digest(module) if self.config.code_tracking == "source" else ""

    def label_fingerprint(self, study: Study, scenario: str) -> str:
        """What a labels file depends on beside the data."""
        options = study.options.model_dump(include={"class_prior", "strata", "seeds", "flip_count"})
        plan = study.split.model_dump() | {"repeats": study.repeats, "seed": study.seed}
        about = study.scenario(scenario)
        # a scenario without a factor has the key it had before there were factors
        said = about.model_dump(exclude={"label"} if about.prior_factor != 1 else {"label", "prior_factor"})
        what = {"scenario": said, "plan": plan, "options": options}
        return source_code.digest([what, self._code("scarce.labels")])

    def prior_fingerprint(self, study: Study) -> str:
        """What estimated class priors depend on beside labels and features: the estimator's name, seeds and code."""
        target = find_estimator(study.options.estimator).target
        code = [target.partition(":")[0], "scarce.prior", "scarce.seeds"]
        if not study.encodes_all_rows:
            code.append("scarce.data.encode")
        return source_code.digest(
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
