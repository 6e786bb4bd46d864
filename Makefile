# Two commands matter: `make demo` shows the main job on real records, `make test` passes the tests.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.ready

.PHONY: demo test lint soak bench clean

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

bench: $(STAMP)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r benchmarks/requirements.txt
	$(BIN)/python -m benchmarks

clean:
	rm -rf $(VENV)
