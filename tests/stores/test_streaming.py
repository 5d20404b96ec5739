"""Reading a large store takes no more memory than reading a small one."""

import sqlite3
import tracemalloc
from contextlib import closing

import numpy as np
import pytest

from tests.stores.contract.examples import random_outcome
from veracity.records.fit import Outcome
from veracity.stores import outcomes
from veracity.stores.open_store import open_store


def peak(store, keys):
    tracemalloc.start()
    assert sum(1 for _ in store.outcomes(keys)) == len(keys)
    found = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return found


@pytest.mark.slow
def test_10000_outcomes_take_the_memory_of_2000(file):
    one, keys = random_outcome("any", rows=200), [f"key {number}" for number in range(10_000)]
    with open_store(file) as store:
        for start in range(0, len(keys), 1000):
            store.write([Outcome(key, "done", one.rows, proba=one.proba) for key in keys[start : start + 1000]])
    with open_store(file) as store:
        few = peak(store, keys[:2000])  # which are more than are remembered
    with open_store(file) as store:
        assert peak(store, keys) - few < 8000 * 150  # the keys themselves


def test_large_outcomes_are_read_one_by_one(file, monkeypatch):
    monkeypatch.setattr(outcomes, "IN_MEMORY", 300_000)
    draw, keys = np.random.default_rng(0), [f"k{number}" for number in range(40)]
    with open_store(file) as store:
        store.write([Outcome(key, "done", number=draw.random(12_500)) for key in keys])  # 100 kB each
        asked = []
        fetch = store._fetch
        monkeypatch.setattr(store, "_fetch", lambda some: asked.append(len(some)) or fetch(some))
        assert [outcome.key for outcome in store.outcomes(keys)] == keys
    assert asked[0] == 16 and set(asked[1:-1]) <= {2, 3} and sum(asked) == 40


def test_what_is_remembered_says_nothing_of_the_size_of_others(file, monkeypatch):
    draw, small = np.random.default_rng(0), [f"s{number}" for number in range(30)]
    large = [f"k{number}" for number in range(40)]
    with open_store(file) as store:
        store.write([Outcome(key, "done", number=draw.random(12_500)) for key in large])  # 100 kB each
        store.write(map(random_outcome, small))
    monkeypatch.setattr(outcomes, "IN_MEMORY", 300_000)
    with open_store(file) as store:
        assert len(list(store.outcomes(small))) == 30  # and are known from now on
        asked = []
        fetch = store._fetch
        monkeypatch.setattr(store, "_fetch", lambda some: asked.append(len(some)) or fetch(some))
        assert [outcome.key for outcome in store.outcomes(small + large)] == small + large
    assert max(asked) <= 16 and sum(asked) == 40


def test_what_was_repaired_is_read_anew(file):
    """A store remembers what it wrote, until somebody mends it."""
    with open_store(file) as store:
        store.write([random_outcome("k")])
        with closing(sqlite3.connect(file)) as other, other:
            other.execute("delete from veracity_outcomes")
        assert len(list(store.outcomes(["k"]))) == 1
        store.repair([])
        assert list(store.outcomes(["k"])) == []
