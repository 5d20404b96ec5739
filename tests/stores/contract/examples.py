"""Things to put into a store when it is tested, and processes that use it at the same time."""

from __future__ import annotations

import multiprocessing
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from veracity.core.errors import BadInput
from veracity.core.notes import Note
from veracity.records.arrays import Array
from veracity.records.data import Data
from veracity.records.design import Design, Split, SplitPart
from veracity.records.fit import OUTPUTS, Outcome
from veracity.stores.claims import owner_name
from veracity.stores.open_store import open_store
from veracity.stores.store import Store

Opener = Callable[[str], Store]
STUDY = {"seed": 7, "data": {"iris": {"fingerprint": "a1"}}, "learners": {"nb": "b2"}, "by": ["kfold(k=10)"]}


class OpensStores:
    """What all tests need: how to open a store, and one that is open."""

    opened: Opener = staticmethod(open_store)

    @pytest.fixture
    def store(self, where: str) -> Iterator[Store]:
        with self.opened(where) as store:
            yield store

    @pytest.fixture
    def reader(self, store: Store, where: str) -> Iterator[Store]:
        """Another one of the same place, which remembers nothing of what was written."""
        with self.opened(where) as reader:
            yield reader


def random_outcome(key: str, rows: int = 15, classes: int = 3) -> Outcome:
    """Predictions that only this key gives."""
    draw = np.random.default_rng(list(key.encode()))
    proba = draw.dirichlet(np.ones(classes), rows)
    tested = np.sort(draw.choice(10 * rows, rows, replace=False))
    fit, predict = draw.random(2).tolist()
    done = Outcome(key, "done", tested, proba.argmax(1), proba, seconds=fit + predict, chosen='{"C": 0.1}')
    return replace(done, seconds_fit=fit, seconds_predict=predict)


def failure(key: str, reason: str = "it broke") -> Outcome:
    """A fit that came to nothing."""
    return Outcome(key, "failed", reason=reason, traceback="Traceback:\n  ...", seconds=0.5)


def example_data(name: str = "wine", rows: int = 30) -> Data:
    """A data set that uses every field."""
    draw = np.random.default_rng(rows)
    truth = draw.integers(0, 3, rows)
    weights, groups = draw.random(rows), np.arange(rows) // 3
    features = draw.random((rows, 2))
    time = np.arange(rows).astype("datetime64[D]")
    return Data(name, features, "classes", truth, ("a", 2, 0.5), 1, weights, groups, time, ("x", "é\0"), (1,), True)


def example_design(rows: int = 30, seed: int = 7) -> Design:
    """Splits of every kind: the rest of the rows, rows drawn repeatedly, rows out of order, validation rows, none."""
    draw = np.random.default_rng(seed)
    order = draw.permutation(rows)
    drawn = draw.integers(0, rows, rows)
    splits = (
        Split(np.sort(order[5:]), np.sort(order[:5]), 0, 0),
        Split(drawn, np.setdiff1d(np.arange(rows), drawn), 1, 2, SplitPart("bootstrap")),
        Split(order[10:], order[:5], 2, 1, SplitPart("half", (3,), "a"), order[5:10]),
        Split(np.sort(order[9:]), order[:5], 2, 2, SplitPart("half", (3,), "a"), order[5:9]),
        Split(np.arange(rows), np.empty(0, np.int64), 3, 0),
    )
    return Design("mixed(k=5)", seed, rows, splits, (Note("few-rows", "caution", "few"),), "kfold(k=3)")


def same_bits(one: Array | None, other: Array | None) -> bool:
    """The same type, shape and every bit; or both absent."""
    if one is None or other is None:
        return one is other
    return one.dtype == other.dtype and one.shape == other.shape and one.tobytes() == other.tobytes()


def same_outcome(one: Outcome, other: Outcome) -> bool:
    """Whether two outcomes agree in everything."""
    mine, yours = vars(one), vars(other)
    arrays = ("rows", *OUTPUTS)
    return all(
        same_bits(mine[name], yours[name]) if name in arrays else repr(mine[name]) == repr(yours[name]) for name in mine
    )


@contextmanager
def expect_refusal(*words: str) -> Iterator[None]:
    """The block must end in bad input whose sentence has these words."""
    says = ""
    try:
        yield
    except BadInput as why:
        says = str(why)
    assert says, "this should have been refused"
    assert all(word in says for word in words) and "\n" not in says, says


def process(target: Callable[..., None], *arguments: Any) -> Any:
    """A fresh process, started."""
    started = multiprocessing.get_context("spawn").Process(target=target, args=arguments)
    started.start()
    return started


def write_all(opened: Opener, where: str, keys: list[str], at_once: int, copies: int = 1) -> None:
    """Write an outcome for each key, some at a time."""
    with opened(where) as store:
        for start in range(0, len(keys), at_once):
            store.write([random_outcome(key) for key in keys[start : start + at_once]] * copies)


def write_for_ever(opened: Opener, where: str, at_once: int) -> None:
    """Write batch after batch until somebody puts an end to it."""
    with opened(where) as store:
        number = 0
        while True:
            store.write([random_outcome(f"{number}-{place}") for place in range(at_once)])
            number += 1


def claim_and_wait(opened: Opener, where: str, keys: list[str], ready: Any) -> None:
    """Claim fits, say so, and hang."""
    store = opened(where)
    store.claim(keys, owner_name())
    ready.set()
    time.sleep(600)
