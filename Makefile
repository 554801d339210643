# Every door of the repository. Needs Python 3.11, make and gcc; all else comes from constraints.txt into .venv.
SHELL := /bin/sh
PYTHON ?= $(shell for p in python3.11 python3 python3.12; do \
	$$p -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] < (3, 13))' 2>/dev/null && { echo $$p; break; }; done)
VENV := .venv
PY := $(VENV)/bin/python
# One stamp per content of the two files that decide what is installed; a touched file alone reinstalls nothing.
STAMP := $(VENV)/.installed-$(shell cat constraints.txt pyproject.toml | sha256sum | cut -c1-16)

# The same for the environment of Coqui, which nothing else needs.
COQUI := .venv-coqui
COQUI_STAMP := $(COQUI)/.installed-$(shell cat constraints-coqui.txt | sha256sum | cut -c1-16)

# The weights of the larger chat model.
CHAT_STAMP := $(VENV)/.installed-chat-$(shell cat constraints-chat.txt | sha256sum | cut -c1-16)

.DEFAULT_GOAL := help
.PHONY: help setup demo test check bench long coqui clean

help: ## this list
	@grep -E '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):.*## /  make \1\t/' | expand -t 16

setup: $(STAMP) ## build .venv from the lock and install this tree into it, editable

$(STAMP):
	@test -n "$(PYTHON)" || { echo "setup: no Python 3.11 or 3.12 found on PATH; install one or run make setup PYTHON=/path/to/python3.11" >&2; exit 1; }
	test -x $(PY) || $(PYTHON) -m venv $(VENV)
	$(PY) -m pip install --quiet --disable-pip-version-check --require-hashes -r constraints.txt
	$(PY) -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	rm -f $(VENV)/.installed-*
	touch $@

demo: setup ## play the demo calls, grade them, write the report under the next free runs/demo*
	$(PY) -m gateway.cli demo

# A file stays in one process, since its tests share what is costly to make.
test: setup ## all tests, in random order, in two processes; ARGS='-k name' narrows them
	$(PY) -m pytest --numprocesses 2 --dist loadfile --no-loadscope-reorder $(ARGS)

check: setup ## lint, format, types, the order of the rings, schemas, the repository's own rules
	$(PY) -m ruff check .
	$(PY) -m ruff format --check .
	$(PY) -m mypy
	$(VENV)/bin/lint-imports
	$(PY) -m gateway.cli schema --check
	$(PY) -m pytest tests/repository -q

bench: setup ## measurements, printed, never asserted
	$(PY) -m tests.bench.run $(ARGS)

# Installed beside the rest and not by it: 1.1 GB that only the long measurements read.
$(CHAT_STAMP): $(STAMP)
	$(PY) -m pip install --quiet --disable-pip-version-check --no-deps --no-compile --require-hashes -r constraints-chat.txt
	touch $@

long: $(CHAT_STAMP) ## the long measurements
	$(PY) -m tests.bench.run --long $(ARGS)

# torchaudio's own libraries ask for a CUDA that is not there; without them it runs in Python, which is all that Coqui asks of it.
$(COQUI_STAMP):
	@test -n "$(PYTHON)" || { echo "coqui: no Python 3.11 found on PATH; install one or run make coqui PYTHON=/path/to/python3.11" >&2; exit 1; }
	test -x $(COQUI)/bin/python || $(PYTHON) -m venv $(COQUI)
	$(COQUI)/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --no-compile --require-hashes -r constraints-coqui.txt
	rm -f $(COQUI)/lib/python3.*/site-packages/torchaudio/lib/*.so $(COQUI)/.installed-*
	touch $@

coqui: $(COQUI_STAMP) ## load a Coqui checkpoint with the library itself, in .venv-coqui (2.2 GB; Python 3.11 and torch's CPU wheel)
	$(COQUI)/bin/python -m pytest -q tests/coqui $(ARGS)

clean: ## remove everything that is made here
	rm -rf $(VENV) $(COQUI) build dist runs .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
