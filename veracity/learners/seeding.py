"""A fresh copy of a learner whose random numbers depend on the fit alone, whoever makes it and when.

Every `random_state` that is None, however deep, becomes a number made from seed and key. A learner of scikit-learn with
no parts of its own gets a generator seeded by that number: scikit-learn takes 0.1 ms to make one from a number, and a
spare one costs nothing. Any other learner finds the global generators of numpy and Python seeded as well, in case it
draws from them; that is repeatable where a process fits in one thread.
"""

from __future__ import annotations

import copy
import random
import threading
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.random import mtrand

from veracity.core.seeds import derive

PLAIN = frozenset({int, float, str, bool, type(None)})
LARGEST = 2**31  # seeds that every library takes
_SPARE = threading.local()


def unfitted_copy(learner: Any) -> Any:
    """An unfitted copy; learners of scikit-learn that hold plain parameters alone need no clone, which takes long."""
    if not hasattr(learner, "get_params"):
        return copy.deepcopy(learner)
    if is_plain(learner) and _holds_parameters_alone(learner):
        twin = object.__new__(learner.__class__)
        vars(twin).update(vars(learner))
        return twin
    from sklearn.base import clone

    return clone(learner)


def _holds_parameters_alone(learner: Any) -> bool:
    """Whether it holds its parameters and what a new one holds besides; anything else was learned, or set for it."""
    names, besides = _attributes(learner.__class__)
    held = vars(learner)
    return held.keys() == names and all(held[name] is value for name, value in besides)


@lru_cache(maxsize=256)
def _attributes(kind: Any) -> tuple[frozenset[str], tuple[tuple[str, Any], ...]]:
    """Of a class: names of all that a new learner holds, and what it holds that is no parameter, if it is None."""
    parameters = frozenset(kind._get_param_names())
    try:
        fresh = vars(kind())
    except TypeError:  # a class that wants to be told something
        fresh = {}
    besides = {name: value for name, value in fresh.items() if name not in parameters and value is None}
    return parameters | besides.keys(), tuple(besides.items())


class Seeding:
    """While it is entered, a fresh copy of a learner draws only numbers that seed and key decide."""

    def __init__(self, model: Any, seed: int, key: str) -> None:
        self.model, self.seed, self.key = model, seed, key
        self.simple = is_plain(model)
        self.borrowed: list[Any] = []

    def __enter__(self) -> Seeding:
        if not self.simple:
            self._seed_globals()
            _seed(self.model, self.seed, self.key, "", set())
        elif _is_unseeded(self.model):
            generator = np.random.RandomState(self._spare())
            generator.seed(_number(self.seed, self.key, ""))
            self.model.random_state = generator
        return self

    def __exit__(self, *_: object) -> None:
        if not self.simple:
            mtrand.set_bit_generator(self.numpy_before)
            random.setstate(self.python_before)
        if self.borrowed:
            _SPARE.generators += self.borrowed
            self.borrowed = []

    def restart(self) -> None:
        """Start the numbers anew: what a model says of some rows then does not depend on what it was asked before."""
        if not self.simple:
            _seed_both(_number(self.seed, self.key, "answer"))
        elif self.borrowed:
            self.model.random_state.seed(_number(self.seed, self.key, "answer"))

    def keep(self) -> None:
        """Let the model have its generator for good."""
        self.borrowed = []

    def _seed_globals(self) -> None:
        self.numpy_before, self.python_before = mtrand.get_bit_generator(), random.getstate()
        mtrand.set_bit_generator(self._spare())  # swapped, because copying its state costs ten times as much
        _seed_both(_number(self.seed, self.key, "global"))

    def _spare(self) -> Any:
        spare = _SPARE.__dict__.setdefault("generators", [])
        self.borrowed.append(spare.pop() if spare else np.random.MT19937(0))
        return self.borrowed[-1]


def _seed_both(number: int) -> None:
    np.random.seed(number)  # noqa: NPY002 (the generator that such learners draw from)
    random.seed(number)


def shares_state(learner: Any) -> bool:
    """Whether a clone of this learner is the learner itself with all it has learned (scikit-learn's frozen ones)."""
    own = getattr(type(learner), "__sklearn_clone__", None)
    if own is None:
        return False
    from sklearn.base import BaseEstimator

    return own is not BaseEstimator.__sklearn_clone__ and learner.__sklearn_clone__() is learner


def is_plain(model: Any) -> bool:
    """Whether this is scikit-learn's own code through and through, which draws from its random_state alone and, in one
    thread, changes nothing of its process.
    """
    return type(model).__module__.startswith("sklearn.") and PLAIN.issuperset(map(type, vars(model).values()))


def _is_unseeded(item: Any) -> bool:
    return getattr(item, "__dict__", {}).get("random_state", 0) is None


def _number(seed: int, key: str, path: str) -> int:
    return derive(seed, key, path) % LARGEST


def _seed(item: Any, seed: int, key: str, path: str, met: set[int]) -> None:
    """Walk what the copy holds: a fresh copy shares nothing with its original, so it may be changed."""
    met.add(id(item))
    if shares_state(item):
        return
    if isinstance(item, (list, tuple)):
        inside: Any = enumerate(item)
    elif isinstance(item, dict):
        inside = item.items()
    else:
        if _is_unseeded(item):
            item.random_state = _number(seed, key, path)
        inside = getattr(item, "__dict__", {}).items()
    for name, part in inside:
        if type(part) not in PLAIN and id(part) not in met and _may_hold_seeds(part):
            _seed(part, seed, key, f"{path}/{name}", met)


def _may_hold_seeds(part: Any) -> bool:
    if isinstance(part, (list, tuple, dict)):
        return True
    return not isinstance(part, type) and (hasattr(part, "get_params") or hasattr(part, "random_state"))
