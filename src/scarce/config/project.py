"""The project as configured, and the fingerprints by which each stage knows whether it must run again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from scarce import papers, paths, registry, source_code
from scarce.analysis.judges import JUDGES
from scarce.config.known_labels import biased_by_selection
from scarce.config.methods import BY_DATASET, SOUND, MethodSpec, Preset, layers
from scarce.config.options import hidden_labels
from scarce.config.study import Study
from scarce.config.switches import Config
from scarce.errors import ConfigError
from scarce.labels.records import LABELINGS, PROTOCOLS
from scarce.prior import find_estimator
from scarce.words import did_you_mean, listed

WORDS = ("title", "code", "licence", "citation", "note", "issues", "reason", "optional", "substitute_for", "origin")


def author_runs_file(paper: str, mirror: Path | None) -> Path | None:
    """The authors' single runs of a paper, with its published numbers or beside a mirror; None where there are none.

    They are the authors' own file and not part of this project; the README of the paper's ``reference`` says where it
    comes from.
    """
    folders = [paths.reference(paper)]
    if mirror:
        folders.append(mirror.absolute().parent / "reference" / paper)
    return next((file for folder in folders if (file := folder / "author_runs.csv").is_file()), None)


#: What a method that is marked with `hidden_labels` does; manifest.json says so by its label.
ON_TRUE_LABELS = "is fitted on the true labels of the training rows"


@dataclass(frozen=True)
class Project:
    """Everything that configuration says, checked; `scarce.config.loading` reads it.

    `faults` has the problems of what is left out, by its kind (such as "study") and its name; and, of kind "own file",
    those of data sets whose only files are the user's own and are not there.
    """

    config: Config
    datasets: dict[str, Any]
    methods: dict[str, MethodSpec]
    studies: dict[str, Study]
    sources: dict[str, str] = field(default_factory=dict, repr=False)
    presets: dict[str, Preset] = field(default_factory=lambda: {"sound": SOUND}, repr=False)
    faults: dict[tuple[str, str], ConfigError] = field(default_factory=dict, repr=False)

    @cached_property
    def mirror(self) -> Path | None:
        """The mirror folder, where one is configured."""
        from scarce.data.sources import mirror_folder

        return mirror_folder() or mirror_folder(self.config.mirror)

    def author_runs(self, paper: str) -> Path | None:
        """The authors' single runs of a paper, see `author_runs_file`."""
        return author_runs_file(paper, self.mirror)

    def study(self, name: str) -> Study:
        """A study by name; raises ConfigError if there is none, or with what is wrong with it."""
        return self._pick("study", name, self.studies)

    def dataset(self, name: str) -> Any:
        """A data set's description by name; raises ConfigError if there is none, or with what is wrong with it."""
        return self._pick("data set", name, self.datasets)

    def method(self, name: str) -> MethodSpec:
        """A method variant by name; raises ConfigError if there is none, or with what is wrong with it."""
        return self._pick("method", name, self.methods)

    def fault_lines(self, *kinds: str) -> list[str]:
        """What is wrong with what is left out, by default of all kinds, a line for each problem."""
        errors = [error for (kind, _), error in self.faults.items() if not kinds or kind in kinds]
        return list(dict.fromkeys(line for error in errors for line in error.lines()))

    def _pick(self, what: str, name: str, known: dict[str, Any]) -> Any:
        if fault := self.faults.get((what, name)):
            raise fault
        if name not in known:
            raise ConfigError(f"no {what} is named {name!r}", hint=did_you_mean(name, known))
        return known[name]

    def arguments(self, study: Study, dataset: str, method: str) -> dict[str, Any]:
        """Arguments of a method's estimator on a data set, with placeholders unfilled.

        The later wins: the block's ``params``, the preset's ``methods``, the study's ``method_options``. In each of
        these ``by_dataset`` wins over what stands beside it. Those of a block with a grid hold for all its variants,
        but for the arguments of the grid.
        """
        spec, preset = self.method(method), self.presets[study.preset]
        names = [name for name in (spec.variant_of, method) if name]
        settings = [spec.params | {BY_DATASET: spec.by_dataset}]
        settings += [methods.get(name, {}) for methods in (preset.methods, study.method_options) for name in names]
        arguments = {key: value for one in settings for layer in layers(one, dataset) for key, value in layer.items()}
        return arguments | {key: values[0] for key, values in spec.grid.items()}

    def lacking(self, study: Study) -> Iterator[tuple[str, str, str]]:
        """Key of the study, what is wrong, and what to do, for what its methods or its plan need and nobody gives."""
        yield from self._lacking_arguments(study)
        yield from self._lacking_columns(study)

    def _lacking_arguments(self, study: Study) -> Iterator[tuple[str, str, str]]:
        """Arguments that estimators need."""
        for method in study.fitted_methods if study.preset in self.presets else ():
            spec = self.methods.get(method)  # None where its block is wrong
            entry = registry.find(spec.estimator) if spec else None
            needed = set(source_code.required(entry.target)) if entry else set()
            lacking = {one: needed - set(self.arguments(study, one, method)) for one in study.datasets if needed}
            if some := sorted(set().union(*lacking.values())):
                on = "" if all(lacking.values()) else f" on {', '.join(one for one in lacking if lacking[one])}"
                hint = f"give it in params of {method}, or in method_options"
                yield "methods", f"{method}: {entry.target} needs {', '.join(some)}{on}", hint

    def _lacking_columns(self, study: Study) -> Iterator[tuple[str, str, str]]:
        """Columns by which the plan splits the rows of data sets."""
        key = PROTOCOLS[study.split.plan].needs
        specs = [spec for name in study.datasets if key and (spec := self.datasets.get(name))]
        if without := [spec.name for spec in specs if getattr(spec, key) is None]:
            message = f"split.plan {study.split.plan} splits by `{key}:`, which {listed(without)} does not declare"
            yield "split", message, f"add `{key}: <column>` to its block in datasets.yaml"

    def encoding(self, study: Study, method: str) -> str:
        """The encoding of nominal columns for a method: its own, else the study's."""
        return self.method(method).encoding or study.options.encoding

    def seconds(self, study: Study, method: str) -> float | None:
        """Seconds that a repeat may take: the study's limit, else the method's own."""
        return study.limits.seconds or self.method(method).resources.seconds

    def hidden_labels(self, study: Study) -> dict[str, str]:
        """What of a study uses hidden labels, and how: options as ``name = value``, then methods by their labels."""
        uses = {f"{name} = {getattr(study.options, name)}": use for name, use in hidden_labels(study.options).items()}
        for spec in map(self.method, study.fitted_methods):
            if spec.hidden_labels:
                uses[spec.label] = ON_TRUE_LABELS
            elif spec.propensity:
                uses[spec.label] = "is told the true propensity of each training row, where the labeling has one"
        return uses

    def mismatches(self, study: Study) -> list[str]:
        """What methods, metrics and estimates of a study assume of its labels that does not hold, a line each."""
        found: dict[str, list[str]] = {}
        for scheme in dict.fromkeys(scenario.scheme for scenario in study.scenarios):
            for spec in map(self.method, study.fitted_methods):
                if words := spec.mismatch(scheme):
                    found.setdefault(words, []).append(spec.label)
        return [*(f"{listed(labels)}: {words}" for words, labels in found.items()), *biased_by_selection(study)]

    def fingerprint(self, study: Study, dataset: str, method: str) -> str:
        """What a fit depends on beside its input files: arguments, version and code of the method."""
        spec, encoding = self.method(method), self.encoding(study, method)
        target = registry.find(spec.estimator).target
        return source_code.digest(
            {
                "arguments": self.arguments(study, dataset, method),
                "target": target,
                "version": spec.version,
                "hidden_labels": spec.hidden_labels,
                "propensity": spec.propensity,
                "encoding": encoding,
                "seconds": self.seconds(study, method),
                "code": self._code(*self._modules_of_fit(study, method)),
            }
        )

    def libraries(self, study: Study, method: str) -> set[str]:
        """Importable packages, installed or not, on whose versions a fit may depend."""
        return {"numpy", *source_code.libraries(*self._modules_of_fit(study, method))}

    def _modules_of_fit(self, study: Study, method: str) -> list[str]:
        target = registry.find(self.method(method).estimator).target
        code = [target.partition(":")[0], "scarce.fitting.cell", "scarce.seeds"]
        if self.encoding(study, method) != "woe_all_true":  # then the encoder is fitted inside the fit
            code.append("scarce.data.encode")
        return code

    def source_fingerprint(self, dataset: str) -> str:
        """What a data set's raw files depend on."""
        spec = self.dataset(dataset)
        names = [name for source in spec.sources if source.kind == "generated" for name in source.code]
        code = self._code(*names)
        return source_code.digest([spec.model_dump(mode="json", include={"sources", "content_sha256"}), code])

    def prepare_fingerprint(self, dataset: str) -> str:
        """What a prepared table depends on beside the raw files: the description without its words, and the readers."""
        described = self.dataset(dataset).model_dump(mode="json", exclude=set(WORDS))
        return source_code.digest([described, self._code("scarce.data.prepare")])

    def encode_fingerprint(self, study: Study) -> str:
        """What encoded features depend on beside the prepared data."""
        return source_code.digest([study.options.encoding, self._code("scarce.data.encode")])

    def label_fingerprint(self, study: Study, scenario: str) -> str:
        """What a labels file depends on beside the data."""
        options = study.options.model_dump(include={"class_prior", "seeds", "flip_count"})
        plan = study.split.model_dump() | {"repeats": study.repeats, "seed": study.seed}
        about = study.scenario(scenario)
        what = {"scenario": about.model_dump(exclude={"label", "datasets"}), "plan": plan, "options": options}
        modules = (LABELINGS[about.labeling].module, PROTOCOLS[study.split.plan].module, "scarce.labels.make")
        return source_code.digest([what, self._code(*modules)])

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
                "code": self._code(*code),
            }
        )

    def stage_fingerprint(self, study: Study, stage: str) -> str:
        """What a stage after the fits depends on beside its input files.

        These are the study, the words about its methods and data sets, the code of the stage's module with all that it
        imports, and the code that the study adds to it: its papers and its judges.
        """
        shown = {"label", "family", "builds_on", "scheme", "comparison", "source"}
        methods = [self.methods[name].model_dump(include=shown) for name in study.methods]
        datasets = [self.datasets[name].model_dump(mode="json", include=set(WORDS)) for name in study.datasets]
        # claims decide verdicts, and the page only through them
        settings = study.model_dump(mode="json", exclude=None if stage == "verdicts" else {"claims"})
        code = [f"scarce.stages.{stage}", *self._own_modules(study)]
        others: list[str] = []
        if stage == "verdicts":
            code += sorted({JUDGES[claim.judge].decide.__module__ for claim in study.claims})
            others = [self.stage_fingerprint(self.studies[name], "analyse") for name in study.other_studies]
        templates = source_code.template_digest()
        return source_code.digest([settings, methods, datasets, templates, others, self._code(*code)])

    def _own_modules(self, study: Study) -> list[str]:
        """Packages of the papers whose figures, protocols and published numbers a study uses, and the plugins."""
        names = {study.paper, study.analysis.reference}
        return [paper.module for paper in papers.discover() if paper.name in names] + self.config.plugins

    def _code(self, *modules: str) -> list[str]:
        tracked: Iterable[str] = modules if self.config.code_tracking == "source" else ()
        return [source_code.code_digest(module) for module in tracked]
