.DEFAULT_GOAL := help
SHELL := /bin/bash

# Every target works on a fresh clone: what it needs is installed first, and only once.

.PHONY: help setup setup-dev web up lint test test-web test-node bench faults pictures api-types licences lock

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-9s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

up: setup web ## Run Nexus until Ctrl-C
	@exec .venv/bin/nexus up

ifeq ($(ONLY),)
test: lint web ## Everything that must hold; ONLY=web, node or what pytest takes runs a part
	@$(MAKE) --no-print-directory test-web
	@$(MAKE) --no-print-directory test-node
	@.venv/bin/pytest -n 3 --dist worksteal -q
else
test: setup-dev web
	@case '$(firstword $(ONLY))' in \
	  web|node) $(MAKE) --no-print-directory test-$(firstword $(ONLY)) ;; \
	  *) .venv/bin/pytest -q $(ONLY) ;; \
	esac
endif

test-web:
	@cd apps/web && npm test --silent

test-node:
	@cd node/ingest && npm test --silent

lint: setup-dev ## Formatting, lint and types
	@.venv/bin/ruff format --check --quiet . && .venv/bin/ruff check --quiet .
	@.venv/bin/mypy --no-error-summary python/nexus apps
	@.venv/bin/python scripts/generate-api-types --check
	@cd apps/web && npm run lint --silent
	@cd node/ingest && npm run lint --silent

bench: setup-dev web ## Benchmarks, as ratios in one run; ONLY=name runs one part
	@.venv/bin/python -m bench $(if $(ONLY),--only $(ONLY))

faults: setup-dev web ## Fault injection on the real stack; ONLY=name runs the faults of that name
	@PYTHONPATH=python .venv/bin/python -m tests.faults.run $(if $(ONLY),--only "$(ONLY)")
	$(if $(ONLY),,@cd node/ingest && npm run test:long --silent)

pictures: setup-dev web ## Take the pictures in the README again
	@PYTHONPATH=python .venv/bin/python -m tests.e2e.pictures

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
