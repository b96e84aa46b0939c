.DEFAULT_GOAL := help
PYTHON ?= python3
# Some images set it; without byte code every start of the product takes seconds longer.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help run test check setup schema bench accuracy faults audit

help:  ## this list
	@sed -n 's/^\([a-z]*\):.*## /\1\t/p' Makefile | expand -t 10

run:  ## all set-up, then the product on http://127.0.0.1:8000 (PORT to change), until Ctrl-C
	@$(PYTHON) scripts/setup.py --without-dev
	@exec .venv/bin/cachewatch run --stop-with-parent

test:  ## all set-up, then every check: lint, types, import rules, tests, browser, frontend
	@$(PYTHON) scripts/setup.py
	@$(PYTHON) scripts/setup.py browser
	@$(PYTHON) scripts/check.py

check:  ## the fast loop: what needs no database, browser or running process
	@$(PYTHON) scripts/setup.py
	@$(PYTHON) scripts/check.py --fast

setup:  ## only the set-up; a second call is a no-op
	@$(PYTHON) scripts/setup.py

schema:  ## write the API's description and the frontend's types made from it
	@$(PYTHON) scripts/setup.py
	@$(PYTHON) scripts/schema.py

bench:  ## what it costs, as ratios (an hour); ARGS="ingest --runs 3" for a part: see docs/performance.md
	@$(PYTHON) scripts/setup.py
	@.venv/bin/python -m bench $(ARGS)

accuracy:  ## how often the verdicts are right on fleets with known causes (about an hour)
	@$(PYTHON) scripts/setup.py
	@.venv/bin/python -m tests.accuracy --ever --money
	@.venv/bin/python -m tests.accuracy.rollouts

faults:  ## 200 rounds of kill -9, printed one by one (about two hours; ROUNDS and SEED to change)
	@$(PYTHON) scripts/setup.py
	@.venv/bin/python -m tests.faults --rounds $(or $(ROUNDS),200) --seed $(or $(SEED),2026) $(if $(STATE),--state $(STATE))

audit:  ## known vulnerabilities of the pinned packages, where a source of advisories is reachable
	@$(PYTHON) scripts/setup.py
	@$(PYTHON) scripts/audit.py
