# Everything here works from a clean clone with Python ≥ 3.11, git and a package index; `make help` lists it.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
UV_VERSION := 0.13.9
# uv trusts the machine's certificates, as pip does: a company's proxy may sign with its own.
export UV_SYSTEM_CERTS := 1
READY := $(VENV)/.ready
HARNESSES := pi claude-code codex gemini-cli
# Tests that start many processes; the targets that run them are called by .ci/run as well.
GENERATION := $(addprefix tests/generation/,gateway desk scripted test_attempt.py test_trajectory.py) tests/cli/test_generate.py
HARNESS := tests/generation/harnesses tests/generation/live
CODE_TASKS := --tasks releases/pathspec_no_match --tasks releases/jinja2_attr_format

.DEFAULT_GOAL := help
.PHONY: help setup demo audit code test test-generation test-harnesses test-sources test-sandbox check bench lock clean

help: ## list the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | expand -t 16

setup: $(READY) ## install the locked versions into .venv

$(READY): pyproject.toml requirements.lock
	@$(PYTHON) -c 'import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 14) and "Python 3.11 to 3.13 is needed; name one: make PYTHON=python3.12")'
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@test -x $(BIN)/uv || $(BIN)/python -m pip install --quiet uv==$(UV_VERSION)
	@VIRTUAL_ENV=$(VENV) $(BIN)/uv pip install --quiet --require-hashes --requirement requirements.lock
	@VIRTUAL_ENV=$(VENV) $(BIN)/uv pip install --quiet --no-deps --editable .
	@touch $@

demo: $(READY) ## build a suite, have the built-in agents write verifiers, score them, print the board
	$(BIN)/verifierbench demo

audit: $(READY) ## audit the demo's suite, lock it, verify the lock; put the audit itself on trial
	$(BIN)/verifierbench audit verifierbench-demo/suite
	@test -e verifierbench-demo/suite/lock.json || $(BIN)/verifierbench suite lock verifierbench-demo/suite
	$(BIN)/verifierbench suite verify verifierbench-demo/suite
	$(BIN)/verifierbench self-audit verifierbench-demo/suite
	$(BIN)/verifierbench audit examples/own-suite

code: $(READY) ## release pairs end to end: build some, audit them, score the built-in verifier on them
	$(BIN)/verifierbench sources install releases
	$(BIN)/verifierbench suite build verifierbench-demo/code --source releases $(CODE_TASKS)
	$(BIN)/verifierbench audit verifierbench-demo/code
	$(BIN)/verifierbench generate verifierbench-demo/code --model heuristic -o verifierbench-demo/code-runs/heuristic
	$(BIN)/verifierbench score verifierbench-demo/code verifierbench-demo/code-runs/heuristic
	$(BIN)/verifierbench report verifierbench-demo/code-runs

test: $(READY) ## format, lint, types, layers, tests
	$(BIN)/ruff format --check --quiet src tests benchmarks
	$(BIN)/ruff check --quiet src tests benchmarks
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/pytest -n 2 --dist loadfile $(addprefix --ignore ,tests/sources $(GENERATION) $(HARNESS))

test-generation: $(READY) ## the model gateway, the desk, attempts in a cell
	$(BIN)/pytest -n 2 --dist loadfile $(GENERATION)

test-harnesses: $(READY) ## real harnesses from npm through three tasks, scored; runs killed and resumed; what a cell can see
	$(BIN)/verifierbench harness install $(HARNESSES) || echo "harnesses that are missing are skipped: they come from an npm registry"
	$(BIN)/pytest -n 2 $(HARNESS)

test-sources: $(READY) ## the sources' own tests, after installing what package indexes carry of them
	$(BIN)/verifierbench sources install bfcl
	$(BIN)/verifierbench sources install agentdojo
	$(BIN)/verifierbench sources install releases
	$(BIN)/verifierbench sources install terminal-bench
	$(BIN)/verifierbench sources install swebench || echo "swebench's own tasks are skipped: the rows come from the dataset's page, or --from"
	$(BIN)/verifierbench sources install appworld || echo "appworld's tests are skipped: it needs Python 3.11 or 3.12"
	$(BIN)/pytest -n 2 --dist loadfile tests/sources

test-sandbox: $(READY) ## the attacks alone, in both tiers, as root (if root) and as an unprivileged user
	$(BIN)/pytest tests/sandbox

bench: $(READY) ## CPU and wall per case: ours against a process per case and against no protection
	$(BIN)/python benchmarks/sandbox.py

lock: $(READY) ## renew requirements.lock from pyproject.toml
	$(BIN)/uv pip compile --quiet --universal --generate-hashes --no-header --group dev --upgrade -o requirements.lock pyproject.toml

clean: ## remove what the targets above made
	rm -rf $(VENV) verifierbench-demo .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis
