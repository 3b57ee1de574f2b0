# Everything starts from a fresh machine with Python >= 3.11, make and a C compiler:
#   make demo    set up, then build, simulate and falsify the interception game into report/
#   make test    set up, then run the tests; make test-long runs many more
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
JOBS ?= auto
PAGE := $(VENV)/.page
RUNTIME := $(VENV)/.runtime
C := $(shell find src/dyverse/native/c -name '*.[ch]')
WEB := $(shell find web -type f -not -path '*/node_modules/*')

.PHONY: setup page demo test test-long lint check bench bench-peers bench-falsify docs lock clean

setup: $(READY) $(PAGE) $(RUNTIME)

$(READY): requirements.lock pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "dyverse needs Python 3.11 or newer; set PYTHON=...")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --require-hashes -r requirements.lock
	$(BIN)/python -m pip install --quiet --no-deps --no-build-isolation --editable .
	touch $@

# The animator's page, with the machine's Node (20.19 or newer) or the one from PyPI. Where neither
# can be had, everything but `dyverse animate` works.
page: $(READY)
	rm -f $(PAGE)
	$(MAKE) $(PAGE)

$(PAGE): $(WEB) | $(READY)
	$(BIN)/python hatch_build.py || echo "dyverse animate will not work; everything else does" >&2
	touch $@

# What of the native engine is the same for all models. Without a compiler there is only the reference
# engine; what is not built here, or not from these sources, is built by the first run.
$(RUNTIME): $(C) | $(READY)
	$(BIN)/python -m dyverse.native.set_up || true
	touch $@

demo: setup
	$(BIN)/python examples/interception-game/run.py --report report

test: setup
	$(BIN)/python -m pytest -n $(JOBS)

# Also what takes minutes: thousands of random cases where `make test` has a tenth.
test-long: setup
	$(BIN)/python -m pytest -n $(JOBS) -m "long or not long"

lint: setup
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	for script in examples/*/*.py; do $(BIN)/mypy $$script || exit 1; done
	$(BIN)/python hatch_build.py check  # the page: types, style, tests

check: lint test

bench: setup
	$(BIN)/python -m benchmarks

# Installs each peer under .bench-venv, Siconos with apt-get (needs root) unless it is there.
bench-peers: setup
	$(BIN)/python -m benchmarks.peers

# Installs PSY-TaLiRo, cma and dyverse under .bench-venv. SEEDS=--quick takes 5 seeds, not 20.
bench-falsify: setup
	$(BIN)/python -m benchmarks.peers.falsify $(SEEDS)

docs: setup
	$(BIN)/sphinx-build --fresh-env --write-all --fail-on-warning --keep-going \
		--quiet docs docs/_build/html

lock: setup
	$(BIN)/python -m pip install --quiet uv
	$(BIN)/uv pip compile pyproject.toml --extra stiff --extra parquet --extra cluster --extra animate \
		--extra fmu --extra robots --group test --group check \
		--group docs --group build --universal --python-version 3.11 --generate-hashes --no-header \
		--no-emit-index-url --upgrade --quiet --output-file requirements.lock

clean:
	rm -rf $(VENV) docs/_build report
