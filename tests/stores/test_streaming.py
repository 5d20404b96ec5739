"""Reading a large store takes no more memory than reading a small one."""

import tracemalloc

import numpy as np
import pytest

from tests.stores.contract.examples import random_outcome
from veracity.records.fit import Outcome
from veracity.stores import results
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
        few = peak(store, keys[:2000])
    with open_store(file) as store:
        assert peak(store, keys) - few < 8000 * 150  # the keys themselves


def test_large_outcomes_are_read_one_by_one(file, monkeypatch):
    monkeypatch.setattr(results, "MAX_BATCH_BYTES", 300_000)
    draw, keys = np.random.default_rng(0), [f"k{number}" for number in range(40)]
    with open_store(file) as store:
        store.write([Outcome(key, "done", number=draw.random(12_500)) for key in keys])  # 100 kB each
        asked = []
        fetch = store._fetch
        monkeypatch.setattr(store, "_fetch", lambda some: asked.append(len(some)) or fetch(some))
        assert [outcome.key for outcome in store.outcomes(keys)] == keys
    assert asked[0] == 16 and set(asked[1:-1]) <= {2, 3} and sum(asked) == 40
