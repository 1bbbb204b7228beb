# Oshihiki. `make play` and `make test` need Python >= 3.11 and make, nothing else.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
LOWEST := .venv-lowest
# what the dependencies are used for: settings, commands, logs, processes, pages, sockets, rules, kernels
LOWEST_SET := $(addprefix tests/bot/,test_config.py test_installed.py api commands/test_cli.py commands/test_play.py \
	machine/test_logs.py machine/test_workers.py review/test_report.py replay/test_session_check.py) \
	tests/engine/arena tests/golden tests/integration/test_lobby_games.py
LOWEST_EXTRAS := tests/bot/machine/test_parallel.py tests/docs/test_site.py

# else each of the hundreds of programs that the tests start would compile again what has changed since the setup
unexport PYTHONDONTWRITEBYTECODE

.PHONY: setup play test kernels test-lab test-slow test-all test-lowest peers fuzz chaos bench lint format docs lock clean
.DEFAULT_GOAL := help

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

$(READY): pyproject.toml requirements.lock
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Oshihiki needs Python 3.11 or newer; set PYTHON=...")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --disable-pip-version-check --quiet --progress-bar on --no-compile --require-hashes -r requirements.lock
	$(BIN)/python -m pip install --disable-pip-version-check --quiet --no-deps --no-build-isolation --editable .
	@-$(BIN)/python -m compileall -qq -j 0 -x '/(tests?|pip|setuptools|mypy|mypyc|hypothesis|pygments)/' $(VENV)/lib bot engine protocol
	@touch $(READY)

setup: $(READY) ## install the locked requirements into .venv

play: setup ## play a whole game in the embedded lobby, over a real websocket
	$(BIN)/oshihiki play

test: setup ## lint, type checks and the quick tests of the product
	$(MAKE) --no-print-directory -j 2 lint kernels
	$(BIN)/python -m pytest -m "not slow and not lab" -n auto --durations=20

test-lab: kernels ## the quick tests of the laboratory: matches, measurements, training, the papers' systems
	$(BIN)/python -m pytest -m "lab and not slow" -n auto --durations=20

kernels: setup ## compile the kernels
	$(BIN)/oshihiki warmup

test-slow: kernels ## the slow tests of both: many recordings, dozens of games, long trials
	$(BIN)/python -m pytest -m slow -n auto --durations=20

test-all: test test-lab test-slow ## all tests

test-lowest: ## a chosen set of tests with the lowest versions of all dependencies that pyproject.toml allows
	$(PYTHON) -m venv $(LOWEST)
	$(LOWEST)/bin/python -m pip install --disable-pip-version-check --quiet uv
	$(LOWEST)/bin/uv pip install --quiet --python $(LOWEST)/bin/python --resolution lowest-direct --upgrade --editable ".[dev,dask,docs,pettingzoo]"
	$(LOWEST)/bin/python -m pytest -q -n auto -W default::DeprecationWarning -m "not slow" $(LOWEST_SET)
	$(LOWEST)/bin/python -m pytest -q -W default::DeprecationWarning $(LOWEST_EXTRAS)

peers: setup ## install third-party engines for the slow tests that play against them (needs npm)
	$(BIN)/python -m pip install --disable-pip-version-check --quiet --editable ".[peers]"
	npm ci --prefix tests/peers/majiang --no-audit --no-fund --loglevel=error

fuzz: setup ## feed damaged input to every decoder: RUNS=200000
	$(BIN)/python tests/fuzz/run.py --runs $(or $(RUNS),200000)

chaos: setup ## attack the client, the lobby and the pages, break the machine, fuzz and weigh what comes from outside: QUICK=1, JSON=1
	$(BIN)/python tests/chaos/run.py survive $(if $(QUICK),--quick) $(if $(JSON),--json)
	$(BIN)/python tests/chaos/run.py siege --seconds $(if $(QUICK),20,60) $(if $(JSON),--json)
	$(BIN)/python tests/chaos/run.py pages --seconds $(if $(QUICK),20,60) $(if $(JSON),--json)
	$(BIN)/python tests/fuzz/run.py --runs $(or $(RUNS),$(if $(QUICK),2000,20000))
	$(if $(QUICK),,$(BIN)/python tests/fuzz/weigh.py)

bench: setup ## measure speed, saved as JSON under .benchmarks
	$(BIN)/python -m pytest tests/bench -p no:xdist --benchmark-only --benchmark-autosave

lint: setup ## run ruff and mypy
	$(BIN)/ruff check .
	$(BIN)/ruff check --preview --select PLW1514 . # every text file is opened as UTF-8
	$(BIN)/ruff format --check .
	$(BIN)/mypy

format: setup ## reformat the code
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

docs: setup ## build the documentation: open build/docs/index.html
	$(BIN)/python -m pip install --disable-pip-version-check --quiet --editable ".[docs]"
	$(BIN)/python -m sphinx -b html -W --keep-going -q -d build/docs-read docs build/docs

lock: ## update requirements.lock from pyproject.toml (needs uv)
	uv pip compile --universal --python-version 3.11 --extra dev --generate-hashes --no-emit-find-links --no-emit-index-url --no-header --quiet --upgrade -o requirements.lock pyproject.toml

clean: ## remove .venv
	rm -rf $(VENV)
