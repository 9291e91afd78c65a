.DEFAULT_GOAL := help
SHELL := /bin/bash

# Every target works on a fresh clone: what it needs is installed first, and only once.

# Tests and benchmarks are packages of the checkout, not of what is installed.
PYTHON_OF_TESTS := PYTHONPATH=python:. .venv/bin/python

.PHONY: help setup setup-dev web up lint test test-all bench faults mutants pictures api-types licences lock

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-9s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

up: setup web ## Run Nexus until Ctrl-C
	@exec .venv/bin/nexus up

test: setup-dev web ## The gate; ONLY=lint, web, node or what pytest takes runs a part
	@$(PYTHON_OF_TESTS) -m tests.gate

test-all: setup-dev web ## The gate and what takes long; ONLY= as well
	@$(PYTHON_OF_TESTS) -m tests.gate --all

lint: setup-dev ## Formatting, lint and types
	@.venv/bin/ruff format --check --quiet . && .venv/bin/ruff check --quiet .
	@.venv/bin/mypy --no-error-summary python bench apps
	@.venv/bin/python scripts/generate-api-types --check
	@cd apps/web && npm run lint --silent
	@cd node/ingest && npm run lint --silent

bench: setup-dev web ## Benchmarks, as ratios in one run; ONLY=name runs one part
	@.venv/bin/python -m bench $(if $(ONLY),--only $(ONLY))

faults: setup-dev web ## Fault injection on the real stack; ONLY=name runs the faults of that name
	@$(PYTHON_OF_TESTS) -m tests.faults.run $(if $(ONLY),--only "$(ONLY)")
	$(if $(ONLY),,@cd node/ingest && npm run test:long --silent)

mutants: setup-dev web ## Mistakes made on purpose, which tests must notice; ONLY=text runs a part
	@$(PYTHON_OF_TESTS) -m tests.mutants $(if $(ONLY),--only "$(ONLY)")

pictures: setup-dev web ## Take the pictures in the README again
	@$(PYTHON_OF_TESTS) -m tests.e2e.pictures

api-types: setup-dev ## Write the types and limits of the API that the web app uses
	@.venv/bin/python scripts/generate-api-types

licences: setup ## List the licences of everything Nexus is shipped with
	@.venv/bin/python scripts/list-licences

lock: ## Resolve every dependency again
	@scripts/lock

setup:
	@scripts/check-system
	@scripts/setup
	@scripts/setup-node node/ingest
	@scripts/setup-node apps/web

setup-dev: setup
	@scripts/setup dev
	@scripts/setup-node node/api-types

web: setup
	@scripts/build-web
