# Two commands matter: `make demo` shows the main job on real records, `make test` passes the tests.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.ready
PLAIN := $(VENV)/.plain
# To bytecode is compiled what is imported, when it first is: most of what the tests bring along never is.
INSTALL := -m pip install --quiet --disable-pip-version-check --no-compile
# An environment with the newest pip, which installs in half the time of the one that an older Python brings along, and with what builds
# the project. The pip of this Python fetches them; if there is none, the environment begins with the one that is brought along, which
# takes four seconds more.
ENVIRONMENT = $(PYTHON) -m venv --without-pip $(1) && \
	$(subst -m pip,$(PYTHON) -m pip --python $(1)/bin/python,$(INSTALL)) $(BUILDS) 2>/dev/null || \
	{ $(PYTHON) -m venv $(1) && $(1)/bin/python $(INSTALL) --upgrade $(BUILDS); }
BUILDS := pip 'hatchling>=1.24' editables
COMPILED := .venv-compiled
SAMPLED := .venv-sample
# Three games that between them bid, take tricks, capture and meld: what the short runs ask for.
SAMPLE ?= kaiser jersey-gin scopa
SOURCES := pyproject.toml tools/compiled.py $(shell find events reducers records replay service cli -name '*.py')

# The tests start Python some hundred times: what was compiled to bytecode is kept, whatever is said elsewhere.
unexport PYTHONDONTWRITEBYTECODE

# One process for each core. One more goes on while another waits for a browser, a disk or a child, but then all of them are slower,
# and the games that a process has played are played again in another: 650 seconds on two cores, where it is 586 with two.
PROCESSES = $(shell $(PYTHON) -c 'import os; print(os.cpu_count() or 1)')

# The tests, spread over the cores; what was left out is said in a line each. Of the plugins that came along with packages only those
# that are used are loaded.
PYTEST = pytest --disable-plugin-autoload -p xdist -p hypothesispytest -p no:logging -q -rs -m 'not slow' -n $(PROCESSES) --dist worksteal
empty :=
ONLY_SAMPLE := -k '$(subst $(empty) , or ,$(strip $(SAMPLE)))'
RULES_OF_SAMPLE := $(patsubst %,tests/games/test_%.py,$(subst -,_,$(SAMPLE)))
SAMPLE_READY := $(SAMPLED)/.ready-$(subst $(empty) ,-,$(strip $(SAMPLE)))

# A browser, which opens what the viewer makes: the first that is found, or what KIBITZ_CHROMIUM names.
CHROMIUM := $(or $(KIBITZ_CHROMIUM),$(shell command -v chromium || command -v chromium-browser || command -v google-chrome))

.PHONY: demo test test-rest test-all test-game test-short lint docs soak mutants bench compiled test-compiled test-sample bench-compiled release clean

# Beside pip, on the other core, our own sources are compiled to bytecode: each process of the tests would compile them. What the tests
# of the viewer need besides is installed if the machine has a browser.
$(STAMP): EXTRAS = test,proof,pictures
$(VENV)/.browser: EXTRAS = test,proof,pictures,browser
$(STAMP) $(VENV)/.browser: pyproject.toml
	$(call ENVIRONMENT,$(VENV))
	$(PYTHON) -m compileall -q events reducers records replay service cli & \
		$(BIN)/python $(INSTALL) --no-build-isolation -e '.[$(EXTRAS)]'; status=$$?; wait; exit $$status
	@touch $(STAMP) $@

READY := $(if $(CHROMIUM),$(VENV)/.browser,$(STAMP))

# What somebody who plays has installed.
$(PLAIN): pyproject.toml
	$(call ENVIRONMENT,$(VENV))
	$(BIN)/python $(INSTALL) --no-build-isolation -e .
	@touch $@

demo: $(or $(wildcard $(STAMP)),$(PLAIN))
	$(BIN)/kibitz demo

# What a newcomer and every change waits for: all that is asked of no game, the cases of every game's page, and what is asked of
# every game of a few games. `make test-rest` asks the rest, `make test-all` both.
test: $(READY)
	$(BIN)/python -m $(PYTEST) --doctest-modules --short

test-rest: $(READY)
	$(BIN)/python -m $(PYTEST) --doctest-modules --rest

test-all: test test-rest

# All that is asked of one game, `make test-game GAME=yaniv`, with what `make test` only samples (see tests/README.md).
GAME ?= kaiser
test-game: $(STAMP)
	$(BIN)/python -m $(PYTEST) --game $(GAME) --whole --costs

# A short selection, for another version of Python: `make test-short PYTHON=python3.13` in a clone of its own.
test-short: $(STAMP)
	$(BIN)/kibitz demo
	$(BIN)/python -m $(PYTEST) tests/records --short
	$(BIN)/python -m $(PYTEST) tests/test_conformance.py $(ONLY_SAMPLE)

# The long forms of the proofs in docs/reliability.md, and other long tests; some fifteen hours of one core. KIBITZ_SEED=n takes other
# chances, KIBITZ_FIGURES=file keeps what was counted, one line of JSON for each proof. It can be stopped, and goes on where it was
# as long as the sources stay; begun anew without the file that says what is done. What ran whole is written into docs/reliability.md.
SOAKED ?= .soaked
soak: $(STAMP)
	$(BIN)/python -m pytest -q -m slow --done $(SOAKED)

# Forty faults of one line, planted one after the other in a copy: does `make test` find them? Some minutes each at most.
mutants: $(STAMP)
	$(BIN)/python tools/mutants.py

lint: $(STAMP)
	$(BIN)/python $(INSTALL) -e '.[test,proof,lint,docs]'
	$(BIN)/ruff check .
	$(BIN)/python -m mkdocs build --strict --quiet
	$(BIN)/mypy
	$(BIN)/mypy tools/compiled.py
	$(BIN)/mypy tools/release.py
	$(BIN)/mypy tools/mutants.py
	@if npx --no-install tsc --version >/dev/null 2>&1; then npx --no-install tsc -p replay/viewer/static/jsconfig.json; \
	else echo 'lint: the types of the viewer were not checked: npx finds no TypeScript (tsc) here'; fi

# The pages of docs/ as a site, in site/.
docs: $(STAMP)
	$(BIN)/python $(INSTALL) -e '.[docs]'
	$(BIN)/python tools/languages.py terms
	$(BIN)/python -m mkdocs build --strict --quiet

bench: $(STAMP)
	$(BIN)/python $(INSTALL) -r benchmarks/requirements.txt
	$(BIN)/python -m benchmarks

# The core compiled, in an environment of its own (see benchmarks/README.md): it takes a C compiler and some minutes. The
# checkout stands after what is installed, so that only the benchmarks are taken from it.
compiled: $(COMPILED)/.ready

compiled test-compiled bench-compiled: export KIBITZ_PAGES =

$(COMPILED)/.ready $(SAMPLE_READY): $(SOURCES)
	rm -f $(@D)/.ready*
	$(call ENVIRONMENT,$(@D))
	HATCH_BUILD_HOOK_ENABLE_CUSTOM=1 $(@D)/bin/python $(INSTALL) '.[test,proof]'
	echo '$(CURDIR)' > "$$($(@D)/bin/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')/checkout.pth"
	@touch $@

# What asks for the rules, over the compiled core.
test-compiled: compiled
	KIBITZ_COMPILED=1 $(COMPILED)/bin/$(PYTEST) tests/games tests/replay tests/test_*.py

# The same for a few pages only, `make test-sample SAMPLE='burraco yaniv'`: they are built with the rest of the core, and
# compared with the sources. The other pages stay plain.
test-sample: export KIBITZ_PAGES = $(SAMPLE)
test-sample: $(SAMPLE_READY)
	KIBITZ_COMPILED=1 $(SAMPLED)/bin/$(PYTEST) --short tests/test_compiled.py $(RULES_OF_SAMPLE)
	KIBITZ_COMPILED=1 $(SAMPLED)/bin/$(PYTEST) tests/test_conformance.py tests/test_playthroughs.py $(ONLY_SAMPLE)

bench-compiled: compiled
	$(COMPILED)/bin/python $(INSTALL) -r benchmarks/requirements.txt
	$(COMPILED)/bin/python -P -m benchmarks

# What is published, in dist/: the source distribution and both wheels, each tried out in a bare environment (docs/releasing.md). It takes
# a C compiler and some minutes; RELEASE='--as-is --without-compiled' tries it out with what is not committed, without the compiled wheel.
RELEASE ?=
release:
	$(PYTHON) tools/release.py $(RELEASE)

clean:
	rm -rf $(VENV) $(COMPILED) $(SAMPLED)
