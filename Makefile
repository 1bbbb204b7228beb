# Oshihiki. `make play` and `make test` need Python >= 3.11 and make, nothing else.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

.PHONY: setup play test test-all peers fuzz bench lint format lock clean
.DEFAULT_GOAL := help

help: ## what there is
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*##/:/' | awk -F: '{printf "  make %-9s %s\n", $$1, $$2}'

$(READY): pyproject.toml requirements.lock
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Oshihiki needs Python 3.11 or newer; set PYTHON=...")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --disable-pip-version-check --quiet --progress-bar on --require-hashes -r requirements.lock
	$(BIN)/python -m pip install --disable-pip-version-check --quiet --no-deps --editable .
	@$(BIN)/python -m compileall -q bot engine protocol
	@touch $(READY)

setup: $(READY) ## install into .venv what the lock file names

play: setup ## one whole game on the embedded lobby, over a real websocket
	$(BIN)/oshihiki play

test: setup lint ## lint, types, and every test that is quick enough
	$(BIN)/python -m pytest -m "not slow" -n auto

test-all: setup ## everything, the recordings included
	$(BIN)/python -m pytest -n auto

peers: setup ## engines that others wrote, for the slow tests that sit them at our tables (needs npm)
	$(BIN)/python -m pip install --disable-pip-version-check --quiet --editable ".[peers]"
	npm ci --prefix tests/peers/majiang --no-audit --no-fund --loglevel=error

fuzz: setup ## damaged input for every decoder: RUNS=200000
	$(BIN)/python tests/fuzz/run.py --runs $(or $(RUNS),200000)

bench: setup ## speed, kept as JSON under .benchmarks
	$(BIN)/python -m pytest tests/bench -p no:xdist --benchmark-only --benchmark-autosave

lint: setup ## ruff and mypy
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

format: setup ## rewrite in the house style
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

lock: ## renew requirements.lock from pyproject.toml (needs uv)
	uv pip compile --universal --python-version 3.11 --extra dev --generate-hashes --no-emit-find-links --no-emit-index-url --no-header --quiet --upgrade -o requirements.lock pyproject.toml

clean: ## forget the environment
	rm -rf $(VENV)
