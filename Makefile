.DEFAULT_GOAL := help
SHELL := /bin/bash
PY := .venv/bin/python

.PHONY: help setup-dev lint test

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-10s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup-dev:
	@scripts/setup dev

lint: setup-dev ## Formatting, lint and types
	@.venv/bin/ruff format --check --quiet . && .venv/bin/ruff check --quiet .
	@.venv/bin/mypy --no-error-summary python/nexus apps

test: lint ## Everything that must hold
	@.venv/bin/pytest -n 2 -q
