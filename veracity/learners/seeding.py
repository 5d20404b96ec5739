"""A fresh copy of a learner whose random numbers depend on the fit alone, whoever makes it and when.

Every `random_state` that is None, however deep, becomes a number made from seed and key. Learners but those of
scikit-learn without parts of their own find the global generators of numpy and Python seeded as well, in case they draw
from them; that is repeatable where a process fits in one thread.
"""

from __future__ import annotations

import copy
import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from veracity.core.seeds import derive

PLAIN = frozenset({int, float, str, bool, type(None)})
LARGEST = 2**31  # seeds that every library takes


def unfitted_copy(learner: Any) -> Any:
    """Return an unfitted copy."""
    if not hasattr(learner, "get_params"):
        return copy.deepcopy(learner)
    from sklearn.base import clone

    return clone(learner)


@contextmanager
def seeded(learner: Any, seed: int, key: str) -> Iterator[tuple[Any, Callable[[], None]]]:
    """Give an unfitted copy that draws only numbers that seed and key decide, and a function that starts them anew.

    Started anew after the fit, what a model predicts does not depend on how many numbers the fit drew.
    """
    model = unfitted_copy(learner)
    if is_plain(model):
        if not _is_unseeded(model):
            yield model, lambda: None
            return
        model.random_state = generator = np.random.RandomState(_number(seed, key, ""))
        yield model, lambda: generator.seed(_number(seed, key, "answer"))
        return
    from sklearn.utils import check_random_state

    of_numpy = check_random_state(None)  # the generator that functions of numpy.random draw from

    def start_anew(purpose: str) -> None:
        of_numpy.seed(_number(seed, key, purpose))
        random.seed(_number(seed, key, purpose))

    before = of_numpy.get_state(), random.getstate()
    start_anew("global")
    try:
        _seed_parts(model, seed, key, "", set())
        yield model, lambda: start_anew("answer")
    finally:
        of_numpy.set_state(before[0])
        random.setstate(before[1])


def shares_state(learner: Any) -> bool:
    """Return whether a clone of a learner is the learner itself with all it has learned, as scikit-learn's frozen."""
    own = getattr(type(learner), "__sklearn_clone__", None)
    if own is None:
        return False
    from sklearn.base import BaseEstimator

    return own is not BaseEstimator.__sklearn_clone__ and learner.__sklearn_clone__() is learner


def is_plain(model: Any) -> bool:
    """Return whether this is scikit-learn's own code through and through, which draws from its random_state alone."""
    return type(model).__module__.startswith("sklearn.") and PLAIN.issuperset(map(type, vars(model).values()))


def _is_unseeded(item: Any) -> bool:
    return getattr(item, "__dict__", {}).get("random_state", 0) is None


def _number(seed: int, key: str, path: str) -> int:
    return derive(seed, key, path) % LARGEST


def _seed_parts(item: Any, seed: int, key: str, path: str, met: set[int]) -> None:
    """Seed every part of a fresh copy, which shares nothing with its original, so it may be changed."""
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
        if type(part) in PLAIN or id(part) in met or isinstance(part, type):
            continue
        if isinstance(part, (list, tuple, dict)) or hasattr(part, "get_params") or hasattr(part, "random_state"):
            _seed_parts(part, seed, key, f"{path}/{name}", met)
