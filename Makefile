# Everything sets itself up: a fresh Debian, Ubuntu or macOS with Python 3.11+ (venv included) and make is enough.
PYTHON ?= $(shell for p in python3.13 python3.12 python3.11 python3; do command -v $$p >/dev/null 2>&1 && $$p -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && break; done)
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

.PHONY: print test quick slow torture coverage mutants lint bench pictures docs site setup clean help

help:            ## list the targets
	@grep -E '^[a-z]+: *.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## */	/' | sort

setup: $(READY)  ## make the virtual environment and install Tablewright into it

$(READY): pyproject.toml constraints.txt
	@test -n "$(PYTHON)" || { echo "Tablewright needs Python 3.11 or newer with the venv module (Debian, Ubuntu: apt install python3 python3-venv)."; exit 2; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]' --constraint constraints.txt --config-settings editable_mode=compat
	@$(BIN)/python -m compileall -q components generator companion
	@touch $(READY)

print: $(READY)  ## print every game into output/, as PDF and SVG
	$(BIN)/pnp build --all --format pdf,svg
	$(BIN)/pnp rulebook --all

test: $(READY)   ## run every test
	$(BIN)/python -m pytest --numprocesses auto

quick: $(READY)  ## run the tests without browsers and the lab
	$(BIN)/python -m pytest --numprocesses auto -m "not (browser or lab or torture)"

slow: $(READY)   ## run the tests that quick leaves out
	$(BIN)/python -m pytest --numprocesses auto -m "(browser or lab) and not torture"

torture: $(READY) ## thousands of games, garbled lines, wrong positions and damaged definitions
	$(BIN)/python -m pytest --numprocesses auto -m torture

coverage: $(READY) ## branches of the games' rules that cases, golden games and playouts reach
	$(BIN)/python tests/tools/coverage_of_games.py

mutants: $(READY) ## change the games' rules in 200 places, one at a time, and see whether the tests notice
	$(BIN)/python tests/tools/mutants.py

lint: $(READY)   ## ruff and the strict type checker
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: $(READY)  ## measure speed and memory (nothing is asserted)
	$(BIN)/python benchmarks/run.py

docs: $(READY)   ## write the pages of docs/ that are made from the model, the commands and the games
	$(BIN)/python docs/generate.py

site: $(READY)   ## write docs/ as a site with search into output/site
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict --quiet
	@echo "output/site/index.html"

pictures: $(READY) ## draw the README's pictures from real pages and a real ruling
	$(BIN)/python docs/pictures.py

clean:           ## remove what was built
	rm -rf $(VENV) build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find output -mindepth 1 ! -name README.md -delete
