"""Scores per split that come from elsewhere, as a table of learners."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from veracity.core.errors import BadInput
from veracity.evidence.split_scores import SplitScores, SplitTable
from veracity.records.arrays import Array, frozen


def split_scores(
    scores: Mapping[str, Any],
    *,
    train: Any,
    test: Any,
    k: int | None = None,
    repeats: int | None = None,
    better: str = "higher",
    score: str = "score",
    independent: bool = False,
) -> SplitTable:
    """Scores of learners on the same splits of one data set, ready for `compare`.

    Each learner has one score per split, run by run: all folds of the first repeat, then of the second. `train` and
    `test` are numbers of rows, one for all splits or one for each. `k` folds and `repeats` say that the splits are
    (repeated) k-fold; without them they are hold-outs. `independent=True` says that every split had training and test
    rows of its own, drawn afresh from the population, as only a simulation can.
    """
    if better not in ("higher", "lower"):
        raise BadInput(f"better must be 'higher' or 'lower', not {better!r}")
    columns = _columns(scores)
    values = next(iter(columns.values()))
    first = SplitScores.of(values, train, test, _repeats(len(values), k, repeats))
    found = {name: replace(first, values=frozen(values)) for name, values in columns.items()}
    return SplitTable(found, better, score, independent)


def _columns(scores: Any) -> dict[str, Array]:
    if not isinstance(scores, Mapping) or len(scores) < 2:
        raise BadInput("give the split scores of two learners or more: split_scores({'a': a, 'b': b}, train=, test=)")
    columns = {str(name): _numbers(str(name), values) for name, values in scores.items()}
    sizes = {name: len(values) for name, values in columns.items()}
    (first, splits), *others = sizes.items()
    for name, number in others:
        if number != splits:
            raise BadInput(f"{first} has {splits} split scores but {name} has {number}: score both on the same splits")
    return columns


def _numbers(name: str, values: Any) -> Array:
    try:
        found = np.array(values, float)
    except (TypeError, ValueError):
        raise BadInput(f"the split scores of {name} must be numbers, one per split") from None
    if found.ndim != 1 or not len(found):
        raise BadInput(f"the split scores of {name} must be one number per split, not an array of shape {found.shape}")
    return found


def _repeats(splits: int, k: int | None, repeats: int | None) -> Array:
    """Which repeat each split belongs to; a hold-out is one of its own."""
    for name, value in (("k", k), ("repeats", repeats)):
        if value is not None and value < 1:
            raise BadInput(f"{name} must be at least 1, not {value}")
    folds = k if k is not None else 1 if repeats is None else splits // repeats
    made = splits // max(folds, 1) if repeats is None else repeats
    if folds * made != splits:
        said = f"k={folds} folds and repeats={made} make {folds * made} splits"
        raise BadInput(f"{said}, but there are {splits} scores per learner")
    return np.arange(splits) // folds
