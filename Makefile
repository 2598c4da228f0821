# Everything needs only Python 3.11 or newer, git and make. `make demo` installs the
# product into .venv, the other targets also the tools of its developers.
BIN = .venv/bin
PYTHON ?= $(shell for python in python3 python3.14 python3.13 python3.12 python3.11; do \
	$$python -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' \
	2>/dev/null && echo $$python && break; done)

BEGAN := $(shell date +%s)

.PHONY: demo test checks suite acceptance bench soak agents semantic vectors generate

demo: .venv/product
	@PATH="$(CURDIR)/$(BIN):$$PATH" sh tests/demo.sh $(BEGAN)

# Tests start hundreds of interpreters: what one has compiled is there for the next.
test: export PYTHONDONTWRITEBYTECODE =
test: .venv/installed
	@$(MAKE) --no-print-directory --jobs=2 checks suite

checks:
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports

# One process more than there are cores: many tests wait.
suite:
	$(BIN)/python -m pytest -n $$(($$(getconf _NPROCESSORS_ONLN) + 1)) --maxprocesses 4 --dist worksteal -p tests.left_out -m "not soak"

# What the systems before this one demand, as a table with results.
acceptance: .venv/installed
	$(BIN)/python -m tests.acceptance

bench: .venv/installed
	$(BIN)/python -m bench

soak: .venv/installed
	$(BIN)/python -m pytest --hypothesis-profile=full -m soak

# Five coding agents, installed from npm into .agents, against a scripted model.
agents: .venv/installed
	$(BIN)/python -m tests.agents $(AGENTS)

# Searching by meaning: 210 MB of packages, in an environment of their own.
semantic: .venv-semantic/installed
	.venv-semantic/bin/python -m pytest tests/semantic tests/core/search tests/ops
	.venv-semantic/bin/python -m bench.semantic

# Train the word vectors of the search (Debian and npm clients, half an hour of CPU).
vectors: .venv-vectors/installed
	.venv-vectors/bin/python -m bench.train_vectors $(VECTORS)

generate: .venv/installed
	$(BIN)/python -m tests.docs
	$(BIN)/python -m tests.readme
	$(BIN)/python -m tests.docs.pictures
	$(BIN)/python -m tests.layout
	$(BIN)/python -m tests.messages
	$(BIN)/python -m tests.acceptance --write

.venv-semantic/installed: pyproject.toml .venv/installed
	$(PYTHON) -m venv .venv-semantic
	.venv-semantic/bin/python -m pip install --quiet --editable '.[dev,semantic]'
	@touch $@

.venv-vectors/installed: bench/train_vectors/requirements.txt
	$(PYTHON) -m venv .venv-vectors
	.venv-vectors/bin/python -m pip install --quiet --editable .
	.venv-vectors/bin/python -m pip install --quiet --require-hashes --no-deps -r $<
	@touch $@

.venv/product: pyproject.toml
	@test -n "$(PYTHON)" || { echo "found no Python 3.11 or newer with venv" >&2; exit 1; }
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --editable .
	@touch $@

.venv/installed: .venv/product
	$(BIN)/python -m pip install --quiet --editable '.[dev]'
	@touch $@
