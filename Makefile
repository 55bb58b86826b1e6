# The commands of the README. All of them use .venv and touch nothing else on the machine.
PYTHON ?= python3
CORES ?= $(shell nproc 2>/dev/null || sysctl -n hw.ncpu)
BIN := .venv/bin

.DEFAULT_GOAL := help
.PHONY: help demo test test-fast test-neural test-docs test-cluster test-lowest test-wheel lint typecheck docs screenshots bench packs web dist artifact clean

help: ## list the targets
	@grep -E '^[a-z-]+:.*##' Makefile | sed 's/:.*## /\t/' | expand -t 11

demo: .venv/installed ## install and run the study `demo`: real data, under ten minutes on two cores
	PATH="$(CURDIR)/$(BIN):$$PATH" snakemake --cores $(CORES) demo
	@echo
	@echo "Done. Open results/demo/report.html in a browser; the numbers are in results/demo/scores.csv."

test: .venv/installed-dev ## install with the dev extra and run the whole test suite
	PATH="$(CURDIR)/$(BIN):$$PATH" python -m pytest -n 2 --dist loadfile

test-fast: .venv/installed-dev ## quick unit tests, contracts and doctests
	$(BIN)/python -m pytest -n 2 -m "not slow and not workflow and not mirror and not network"

test-neural: .venv/installed-neural ## install torch too and run the tests of neural methods, which skip without it
	$(BIN)/python -m pytest -n 2 --dist loadfile tests/unit/methods/test_neural.py \
		tests/unit/estimators/test_scikit_learn_checks.py tests/contract -k "neural or mlp or network"

test-docs: .venv/installed-docs ## install the docs extra too and run the tests of the documentation, which skip without it
	$(BIN)/python -m pytest tests/unit/docs tests/workflow/test_site.py -k "not tutorial"

test-cluster: .venv/installed-cluster ## studies on a Slurm of this machine, as root; it needs slurmctld, slurmd, slurm-client and munge
	PATH="$(CURDIR)/$(BIN):$$PATH" python -m pytest -m cluster tests/cluster

test-lowest: .venv-lowest/installed ## the fast tests with the lowest versions of dependencies, in .venv-lowest
	.venv-lowest/bin/python -m pytest -n 2 -m "not slow and not workflow and not mirror and not network"

test-wheel: .venv/installed-dev ## the wheel in an empty environment; SCARCE_DIST: a folder with one, SCARCE_PYTHON: another interpreter
	PATH="$(CURDIR)/$(BIN):$$PATH" SCARCE_DIST="$(SCARCE_DIST)" python -m pytest tests/workflow/test_install.py

lint: .venv/installed-dev ## ruff and snakefmt
	$(BIN)/ruff check . && $(BIN)/ruff format --check . && $(BIN)/snakefmt --check Snakefile workflow

typecheck: .venv/installed-dev ## mypy on the modules that a user imports, and on code of a user
	$(BIN)/python -m mypy && $(BIN)/python -m mypy --strict --follow-imports=silent tests/typing/public_api.py

docs: .venv/installed-docs ## the documentation site, in build/docs; warnings are errors, links are checked
	rm -rf build/docs docs/generated
	$(BIN)/python -m sphinx -q -W --keep-going docs build/docs
	$(BIN)/python -m docs.builder.checks build/docs

screenshots: ## the pictures of the README, from build/docs, with Chromium
	$(BIN)/python -m docs.builder.screenshots build/docs

bench: .venv/installed-dev ## speed, as ratios measured in one run
	$(BIN)/python benchmarks/trees.py
	$(BIN)/python benchmarks/growth.py
	$(BIN)/python benchmarks/wide.py
	$(BIN)/python benchmarks/extra_trees.py
	$(BIN)/python benchmarks/categorical.py
	PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/python benchmarks/memory.py sh -c 'rm -rf results/smoke && snakemake --cores $(CORES) smoke'
	PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/python benchmarks/overhead.py --fresh demo snakemake --cores $(CORES) demo
	$(BIN)/python benchmarks/plan.py

PACKED := demo ortega2023 ortega2023_corrected cieslak2008
packs: .venv/installed ## run the studies whose packs are published, and pack them
	PATH="$(CURDIR)/$(BIN):$$PATH" snakemake --cores $(CORES) $(PACKED)
	for study in $(PACKED); do $(BIN)/scarce pack $$study || exit; done

dist: .venv/installed-dev ## sdist and wheel in dist/; the same commit gives the same bytes
	rm -rf dist && $(BIN)/python -m build --outdir dist .

web: ## build the script of the page from web/, and the list of licences in it; needs node and npm
	cd web && npm ci --no-audit --no-fund && npm run --silent build

artifact: dist ## one archive to submit or keep: code, packs, datasheets, descriptions, digests
	PATH="$(CURDIR)/$(BIN):$$PATH" scarce artifact --dist dist

clean: ## remove results and figures, keep the raw data
	rm -rf results/*/ figures/*/ data/prepared

.venv/bin/python:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "scarce needs Python 3.11 or newer: make PYTHON=python3.11")'
	$(PYTHON) -m venv .venv

.venv/installed: pyproject.toml requirements.lock | .venv/bin/python
	$(BIN)/python -m pip install --quiet --constraint requirements.lock --editable ".[bench]"
	@touch $@

.venv/installed-dev: pyproject.toml requirements.lock | .venv/bin/python
	$(BIN)/python -m pip install --quiet --constraint requirements.lock --editable ".[dev]"
	@touch $@ .venv/installed

.venv/installed-docs: .venv/installed-dev
	$(BIN)/python -m pip install --quiet --constraint requirements.lock --editable ".[dev,docs]"
	@touch $@

.venv/installed-neural: .venv/installed-dev
	$(BIN)/python -m pip install --quiet --constraint requirements.lock --editable ".[dev,neural]"
	@touch $@

.venv/installed-cluster: .venv/installed-dev
	$(BIN)/python -m pip install --quiet --constraint requirements.lock --editable ".[dev,cluster]"
	@touch $@

.venv-lowest/installed: pyproject.toml requirements-lowest.lock
	$(PYTHON) -m venv .venv-lowest
	.venv-lowest/bin/python -m pip install --quiet --constraint requirements-lowest.lock --editable ".[dev]"
	@touch $@
