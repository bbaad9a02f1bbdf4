# For people who work on fairdeal. A machine needs Python 3.11 or newer, pip, make and git, nothing else.
PYTHON ?= python3
# Only `make lock` needs uv.
UV ?= uv

VENV := .venv
BIN := $(VENV)/bin
PACKAGES := simcore strategies analysis reports cli
LOCKED := $(VENV)/locked
INSTALLED := $(VENV)/installed

.PHONY: help setup demo test lint tests study bench lock clean

help:
	@echo 'make demo    set up and run the main job: is Lost Cities fair?'
	@echo 'make test    set up and pass every check and test'
	@echo 'make setup   the virtual environment in $(VENV), with the project in it'
	@echo 'make lint    ruff, mypy and the import layers only'
	@echo 'make tests   the test suite only, in all its modes'
	@echo 'make study   the long studies of benchmarks/studies (hours)'
	@echo 'make bench   the speed measurements of benchmarks'
	@echo 'make lock    choose new versions of what the project depends on'
	@echo 'make clean   remove the environment and the caches'

setup: $(INSTALLED)

# The machine's own pip fills the environment (`--without-pip`): a Debian python without python3-venv has no ensurepip.
# Importing is a good part of a short command's time, so everything is compiled to bytecode now, whatever the machine's settings.
$(LOCKED): requirements/dev.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo '$(PYTHON) is older than 3.11: make PYTHON=/path/to/python3.11 ...' >&2; exit 1; }
	$(PYTHON) -m venv --clear --without-pip $(VENV)
	$(PYTHON) -m pip --python $(BIN)/python install --quiet --require-hashes --only-binary :all: --requirement requirements/dev.txt
	$(BIN)/python -m compileall -q -j 0 $(VENV)/lib
	@touch $@

# The build tools are in the locked file too, so this needs no build isolation and no network.
$(INSTALLED): $(LOCKED) pyproject.toml
	$(PYTHON) -m pip --python $(BIN)/python install --quiet --no-deps --no-build-isolation --editable .
	$(BIN)/python -m compileall -q -j 0 $(PACKAGES) fairdeal.py
	@touch $@

demo: setup
	$(BIN)/fairdeal balance lost-cities

test: lint tests

lint: setup
	$(BIN)/ruff check
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo

# The whole suite, jitted. Then what the kernels compute once more: as plain Python (numpy and Python catch a wrong index or type
# there); and, with bounds checks and compiled for a generic processor (the portable twins of processor instructions), the games in
# which all rules and bots play against the references, and what is drawn at random. Each run compiles its kernels anew.
# A test that hangs is ended (pyproject.toml) and tried only once more.
PYTEST := $(BIN)/python -m pytest -n auto --max-worker-restart 1
tests: setup
	$(PYTEST)
	NUMBA_DISABLE_JIT=1 $(PYTEST) -m 'engine and not jitted'
	NUMBA_BOUNDSCHECK=1 NUMBA_CPU_NAME=generic $(PYTEST) -m engine -k 'reference or imagine or random or bits'

study: setup
	@set -e; for study in benchmarks/studies/*.py; do echo "== $$study"; $(BIN)/python $$study; done

BENCHMARKS := speed games log_cost report compare startup cluster
bench: setup
	@set -e; for bench in $(BENCHMARKS); do echo "== $$bench"; $(BIN)/python benchmarks/$$bench.py; done

# One file serves every platform and Python version that the project supports; no registry's address is written into it.
COMPILE = $(UV) pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-emit-find-links \
  --custom-compile-command 'make lock' --upgrade
# The runtime's versions are those of development, where the extras may ask for older ones.
lock:
	$(COMPILE) pyproject.toml --group dev --output-file requirements/dev.txt
	$(COMPILE) pyproject.toml --constraints requirements/dev.txt --output-file requirements/runtime.txt

clean:
	rm -rf $(VENV) .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache
	find $(wildcard $(PACKAGES) tests benchmarks) -name __pycache__ -prune -exec rm -rf {} +
