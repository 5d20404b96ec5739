"""Splits from any object with a `split` method, such as those of scikit-learn."""

from __future__ import annotations

import copy
import hashlib
import inspect
import sys
import warnings
from typing import Any

import numpy as np

from veracity.core.bounds import SPLIT_ROWS, SPLITS, check_bound
from veracity.core.errors import BadInput, Refused
from veracity.core.notes import Note
from veracity.core.seeds import derive
from veracity.records.arrays import Array, freeze
from veracity.records.design import Design, Rows, Split

MAX_NAME_LENGTH = 120  # characters
IGNORED = "groups parameter is ignored"  # whether that matters is checked on the splits themselves


def from_splitter(splitter: Any, rows: Rows, seed: int, features: Any = None) -> Design:
    """The splits of a splitter, inspected; one without a random state of its own gets it from the seed."""
    name = splitter_name(splitter)
    if isinstance(splitter, type):
        raise BadInput(f"{name} is a class: give an object made of it, such as {name}()")
    splitter = copy.deepcopy(splitter)  # so that the user's own random state is neither needed nor moved on
    if getattr(splitter, "random_state", 0) is None:
        splitter.random_state = derive(seed, "design") % 2**32
    shape = np.zeros((len(rows), 1)) if features is None else features
    _check_splits(splitter, name, rows, shape)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            raw = list(splitter.split(shape, rows.classes, rows.groups))
        except (ValueError, TypeError) as why:
            raise Refused(f"{name} cannot split these rows: {' '.join(str(why).split())}", "splitter") from why
    pairs = [(_rows(train, name, rows), _rows(test, name, rows)) for train, test in raw]
    for place, (train, test) in enumerate(pairs):
        _inspect(train, test, f"split {place} of {name}", len(rows))
    if not pairs:
        raise Refused(f"{name} makes no split of these rows", "no-split")
    texts = dict.fromkeys(str(warning.message) for warning in caught if IGNORED not in str(warning.message))
    notes = tuple(Note("splitter-warning", "caution", f"{name}: {text}") for text in texts)
    return Design(name, seed, len(rows), tuple(_with_places(pairs, len(rows))), notes)


def splitter_name(splitter: Any) -> str:
    """Return the class and its parameters, as they would be typed; a long text is cut and ends in a digest of all.

    scikit-learn's `repr` knows parameters that are no attributes, such as `n_splits` of RepeatedKFold.
    """
    if isinstance(splitter, type):
        return splitter.__name__
    with np.printoptions(threshold=sys.maxsize):  # every element: PredefinedSplits of many rows differ in some of them
        parameters = inspect.signature(type(splitter)).parameters
        values = {name: repr(getattr(splitter, name)) for name in parameters if hasattr(splitter, name)}
        text = f"{type(splitter).__name__}({', '.join(f'{name}={value}' for name, value in values.items())})"
        plain: Any = object.__repr__
        if len(values) < len(parameters) and type(splitter).__repr__ is not plain:
            text = repr(splitter)
    text = " ".join(text.split())
    if len(text) <= MAX_NAME_LENGTH:
        return text
    digest = hashlib.blake2b(text.encode(), digest_size=4).hexdigest()
    return f"{text[:MAX_NAME_LENGTH]}... #{digest}"


def _check_splits(splitter: Any, name: str, rows: Rows, shape: Any) -> None:
    """Refuse more splits than anybody fits by mistake, where a splitter can tell their number."""
    try:
        splits = int(splitter.get_n_splits(shape, rows.classes, rows.groups))
    except Exception:  # it is somebody's code, and what is wrong with it shows when it splits
        return
    cost = f"{name} makes {splits:,} splits"
    check_bound(splits, SPLITS, cost, "ask for fewer")
    check_bound(splits * len(rows), SPLIT_ROWS, f"{cost} of {len(rows):,} rows", "ask for fewer")


def _rows(numbers: Any, name: str, rows: Rows) -> Array:
    array = np.asarray(numbers)
    if array.ndim != 1 or (array.dtype.kind not in "iu" and len(array)):
        raise BadInput(f"{name} must give the numbers of rows, not {array.dtype} in {array.ndim} dimension(s)")
    if len(array) and not (array.min() >= 0 and array.max() < len(rows)):
        raise BadInput(f"{name} gives rows outside 0 to {len(rows) - 1}")
    return freeze(np.sort(array).astype(np.int32))


def _inspect(train: Array, test: Array, where: str, rows: int) -> None:
    for what, part in (("training", train), ("test", test)):
        if not len(part):
            raise Refused(f"{where} has no {what} row", "empty-part")
    if (np.diff(test) == 0).any():
        raise Refused(f"{where} tests a row twice", "tested-twice")
    trained = np.zeros(rows, bool)
    trained[train] = True
    both = test[trained[test]]
    if len(both):
        raise Refused(f"{where} trains and tests on row {both[0]}: for that use resubstitution", "row-on-both-sides")


def _with_places(pairs: list[tuple[Array, Array]], rows: int) -> list[Split]:
    """Repeat and fold of each split: a repeat ends where a row would be tested a second time.

    Where such repeats do not each test every row, as with hold-outs, every split is a repeat of its own.
    """
    places: list[tuple[int, int]] = []
    covered: list[int] = []  # rows tested in each repeat
    tested, fold = np.zeros(rows, bool), 0
    for _, test in pairs:
        if not places or tested[test].any():
            tested[:], fold = False, 0
            covered.append(0)
        tested[test] = True
        places.append((len(covered) - 1, fold))
        covered[-1] += len(test)
        fold += 1
    if len(covered) > 1 and set(covered) != {rows}:
        places = [(repeat, 0) for repeat in range(len(pairs))]
    return [Split(train, test, *place) for (train, test), place in zip(pairs, places, strict=True)]
