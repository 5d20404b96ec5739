# Two commands do all the set-up on a machine that has only Python and make: `make demo` and `make test`.
PYTHON ?= python3
VENV := .venv
RUN := $(VENV)/bin
WORKERS ?= 2
# Tests of a file stay together, for what they share, until a process runs out of work and takes some of another's.
PARALLEL := -n $(WORKERS) --dist worksteal

.PHONY: demo test test-all lint bench measure parity fuzz docs outputs release-rehearsal test-oldest index clean

$(VENV)/ready: pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "veracity needs Python 3.11 or newer: make PYTHON=python3.11 ...")'
	$(PYTHON) -m venv $(VENV)
	$(RUN)/python -m pip install --quiet --disable-pip-version-check --editable '.[test]'
	touch $@

$(VENV)/lint-ready: $(VENV)/ready
	$(RUN)/python -m pip install --quiet --disable-pip-version-check --editable '.[test,lint]'
	touch $@

$(VENV)/docs-ready: $(VENV)/ready
	$(RUN)/python -m pip install --quiet --disable-pip-version-check --editable '.[docs]'
	touch $@

demo: $(VENV)/ready
	$(RUN)/veracity demo --folder demo-output

test: $(VENV)/ready
	$(RUN)/python -m pytest $(PARALLEL) -m "not slow"

# Slow tests that set LaTeX and ask Weka skip where these are missing: `.ci/latex make test-all` installs them first.
test-all: $(VENV)/ready
	$(RUN)/python -m pytest $(PARALLEL)

lint: $(VENV)/lint-ready
	$(RUN)/ruff check .
	$(RUN)/ruff format --check .
	$(RUN)/mypy
	$(RUN)/lint-imports

# The peers live in an environment of their own, so that nobody needs them to use veracity.
.bench-venv/ready: pyproject.toml bench/requirements.txt
	$(PYTHON) -m venv .bench-venv
	.bench-venv/bin/python -m pip install --quiet --disable-pip-version-check --editable . -r bench/requirements.txt
	touch $@

bench: .bench-venv/ready
	env -u PYTHONDONTWRITEBYTECODE OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 MKL_NUM_THREADS=1 \
		.bench-venv/bin/python -m bench $(ROWS)

# Results, not time, beside those of peers; `.ci/peers make parity` installs R and Weka first.
parity: .bench-venv/ready
	env OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 MKL_NUM_THREADS=1 .bench-venv/bin/python -m bench.parity $(PEERS)

# The figures that methods carry, written anew: 44 minutes of a processor, half an hour on two cores, trees and
# forests too; what each area took stands at the end. A run that was cut goes on; `make measure AREAS="pairs families"` takes
# some files alone, FLAGS=--missing what has no figures, FLAGS=--again=macro also units with that text in their names.
measure: $(VENV)/ready
	env OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 MKL_NUM_THREADS=1 \
		$(RUN)/python -m bench.figures $(AREAS) $(FLAGS)

# One process, watched by another: `make fuzz MINUTES=60 SEED=2`, or some kinds alone with KINDS=files,stores.
MINUTES ?= 1
INPUTS ?= 1000000
SLOW ?= 20
SEED ?= 1
fuzz: $(VENV)/ready
	env OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 MKL_NUM_THREADS=1 \
		$(RUN)/python -m bench.fuzz --seed $(SEED) --minutes $(MINUTES) --inputs $(INPUTS) --slow $(SLOW) $(if $(KINDS),--kinds $(KINDS))

# Every page is run: its pictures are made, and what it shows must be what it prints.
docs: $(VENV)/docs-ready
	$(RUN)/python -m docs.generate
	$(RUN)/python -m docs.run
	$(RUN)/sphinx-build -W --keep-going -b html docs docs/_build/html
	$(RUN)/python -m docs.check

# After a change of what is printed: the pages show it.
outputs: $(VENV)/ready
	$(RUN)/python -m docs.run --write

# Version, changelog, wheel, and the wheel in a fresh environment without the checkout; then the manual.
release-rehearsal: $(VENV)/lint-ready docs
	$(RUN)/python -m release.rehearse

# Tests with the oldest versions that pyproject.toml allows, then with the newest: TESTS=tests/scores for some of them.
# An old matplotlib calls what the newest pyparsing calls deprecated: that is between the two of them.
TESTS ?= tests
OTHERS := -W ignore::DeprecationWarning
.oldest-venv/ready: pyproject.toml release/bounds.py
	$(PYTHON) -m venv .oldest-venv
	$(PYTHON) -m release.bounds > .oldest-venv/oldest.txt
	.oldest-venv/bin/python -m pip install --quiet --disable-pip-version-check --editable '.[test]' -c .oldest-venv/oldest.txt
	touch $@

test-oldest: .oldest-venv/ready
	.oldest-venv/bin/python -m pytest $(PARALLEL) -m "not slow" --ignore=tests/test_manual.py $(OTHERS) $(TESTS)
	$(PYTHON) -m venv .newest-venv
	.newest-venv/bin/python -m pip install --quiet --disable-pip-version-check --upgrade --editable '.[test]'
	.newest-venv/bin/python -m pytest $(PARALLEL) -m "not slow" $(TESTS)

# The names that shell completion offers without importing numpy.
index: $(VENV)/ready
	$(RUN)/python -m docs.manual_index

clean:
	rm -rf $(VENV) .bench-venv .oldest-venv .newest-venv build dist docs/_build docs/reference/catalogue docs/reference/api docs/*/made demo-output fuzz-findings
