# Two commands matter: `make demo` shows the main job on real records, `make test` passes the tests.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.ready
COMPILED := .venv-compiled
SOURCES := pyproject.toml tools/compiled.py $(shell find events reducers records replay cli -name '*.py')

.PHONY: demo test lint soak bench compiled test-compiled bench-compiled clean

$(STAMP): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[test,proof]'
	@touch $@

demo: $(STAMP)
	PATH="$(CURDIR)/$(BIN):$$PATH" sh examples/demo.sh

test: $(STAMP)
	$(BIN)/python -m pytest -q --doctest-modules -m 'not slow' -n auto --dist worksteal

# The long forms of the proofs in docs/reliability.md, and other long tests; about an hour. KIBITZ_SEED=n takes other
# chances, KIBITZ_FIGURES=file keeps what was counted, one line of JSON for each proof.
soak: $(STAMP)
	$(BIN)/python -m pytest -q -m slow

lint: $(STAMP)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[test,proof,lint]'
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/mypy tools/compiled.py

bench: $(STAMP)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r benchmarks/requirements.txt
	$(BIN)/python -m benchmarks

# The core compiled, in an environment of its own (see benchmarks/README.md): it takes a C compiler and some minutes. The
# checkout stands behind what is installed, so that only the benchmarks are taken from it.
compiled: $(COMPILED)/.ready

$(COMPILED)/.ready: $(SOURCES)
	$(PYTHON) -m venv $(COMPILED)
	HATCH_BUILD_HOOK_ENABLE_CUSTOM=1 $(COMPILED)/bin/python -m pip install --quiet --disable-pip-version-check '.[test,proof]'
	echo '$(CURDIR)' > "$$($(COMPILED)/bin/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')/checkout.pth"
	@touch $@

# What asks for the rules, over the compiled core.
test-compiled: compiled
	KIBITZ_COMPILED=1 $(COMPILED)/bin/pytest -q -m 'not slow' -n auto --dist worksteal tests/games tests/replay tests/test_*.py

bench-compiled: compiled
	$(COMPILED)/bin/python -m pip install --quiet --disable-pip-version-check -r benchmarks/requirements.txt
	$(COMPILED)/bin/python -P -m benchmarks

clean:
	rm -rf $(VENV) $(COMPILED)
