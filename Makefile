# Every target does its own set-up; a second run finds it done. Needs Python 3.11 or later, with pip.

SHELL := /bin/bash
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
PACKAGES := model connectors planner storage catalog timeline compute server
CODE := $(PACKAGES) tests tools benchmarks

.PHONY: install serve demo test test-changed test-all lint lint-types lint-style bench soak conformance

install: $(VENV)/.installed

# Some systems' venv comes without pip; then the Python that has pip puts it there.
$(BIN)/python:
	$(PYTHON) -m venv $(VENV) || \
	  { $(PYTHON) -m venv --clear --without-pip $(VENV) && $(PYTHON) -m pip --python $(BIN)/python install --quiet pip; }

$(VENV)/.packages: pyproject.toml constraints.txt | $(BIN)/python
	@echo "Installing Headwater and what it needs into $(VENV) (a few minutes, once)"
	$(PIP) install -e '.[test]' -c constraints.txt
	@touch $@

$(VENV)/.installed: $(VENV)/.packages
	-$(BIN)/headwater prepare
	@touch $@

$(VENV)/.installed-bench: $(VENV)/.installed
	$(PIP) install -e '.[test,bench]' -c constraints.txt
	@touch $@

# With TLS=1 it has a certificate that signs itself, made the first time.
serve: install
ifdef TLS
	[ -e headwater.crt ] || $(BIN)/headwater certificate
	$(BIN)/headwater serve --tls-cert headwater.crt --tls-key headwater.key
else
	$(BIN)/headwater serve
endif

demo: install
	$(BIN)/headwater demo

# A test that waits for a server leaves a quarter of a core to others; but with its servers a process has up to 7 GB.
MEMORY_KB := $(or $(shell awk '/MemTotal/ {print $$2}' /proc/meminfo 2>/dev/null),0)
PROCESSES ?= $(shell [ $(MEMORY_KB) -gt 22000000 ] && echo 3 || echo 2)
RUN_TESTS := $(BIN)/python -m pytest --numprocesses $(PROCESSES) --dist loadfile --no-loadscope-reorder --max-worker-restart 0

# Compiled once, and not by each process of tests.
test: install
	@$(BIN)/python -m compileall -q -j 0 $(PACKAGES)
	$(RUN_TESTS)

# Those that what was changed since AGAINST can alter.
AGAINST ?= HEAD
test-changed: install
	$(RUN_TESTS) $$($(BIN)/python -m tools.changed_tests $(AGAINST))

# Everything, with new draws and with many more of what tests draw; hours.
FULL := --hypothesis-profile=explore --simulation-seeds 200 --random-queries 4000 --random-calls 4000 --random-patterns 4000 \
  --random-texts 4000 --random-views 40 --random-histories 5 --kill-rounds 8 --base-rows 80000 --history-transactions 2000 \
  --queued-jobs 300 --transfer-reads 60 --whole --privilege-cells 5000 --secured-cells 1000 --starved-minutes 5 --starved-processes 8 \
  --attack-value-bytes 16777216 --attack-bytes 250000 --kill-records 30000
test-all: SEED := $(shell echo $$RANDOM)
test-all: install
	HEADWATER_KILL_SEED=$(SEED) HEADWATER_HISTORY_SEED=$(SEED) $(RUN_TESTS) $(FULL)

# Its two halves take a core a minute each: `make -j2 --output-sync=target lint` has them beside each other.
lint: lint-types lint-style

lint-types: $(VENV)/.packages
	$(BIN)/mypy

lint-style: $(VENV)/.packages
	$(BIN)/ruff format --check $(CODE)
	$(BIN)/ruff check $(CODE)
	$(BIN)/lint-imports
	$(BIN)/deptry .
	$(BIN)/python -c "import gc; gc.disable(); from vulture.core import main; main()"   # which else takes half as long again

bench: $(VENV)/.installed-bench
	$(BIN)/python -m benchmarks $(BENCH)

soak: $(VENV)/.installed-bench
	$(BIN)/python -m benchmarks.soak $(SOAK)

conformance: install
	$(BIN)/python -m tools.conformance $(SUITES)
