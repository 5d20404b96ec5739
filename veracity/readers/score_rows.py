"""From the columns of a file to scores one by one, each with the split it comes from."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from veracity.core.errors import BadInput
from veracity.readers.columns import Columns
from veracity.readers.guess_columns import Roles, numbers, whole_or_text
from veracity.readers.score_list import Key, ScoreList
from veracity.records.arrays import Array


def scores_of_rows(
    columns: Columns,
    roles: Roles,
    data: Sequence[str],
    learner: Sequence[str],
    value: Array,
    rows: Sequence[int] | None = None,
    **about: Any,
) -> ScoreList:
    """Scores with their splits; `rows` are the rows of the file, from 0, where several scores stand in one."""
    at = np.arange(len(value)) if rows is None else np.asarray(rows)
    train, test = (_sizes(columns, getattr(roles, part), at) for part in ("train", "test"))
    whole = train is not None and test is not None
    return ScoreList(
        columns.source.name,
        data,
        learner,
        value,
        (at + (0 if columns.source.format == "frame" else 1)).tolist(),
        _keys(columns, roles, at),
        None if roles.repeat is None else np.unique(columns[roles.repeat].astype(str), return_inverse=True)[1][at],
        train if whole else None,
        test if whole else None,
        **about,
    )


def _keys(columns: Columns, roles: Roles, at: Array) -> list[Key] | None:
    """What tells the splits apart."""
    parts = [whole_or_text(columns[name].tolist()) for name in (roles.repeat, roles.fold) if name is not None]
    return [tuple(part[row] for part in parts) for row in at] if parts else None


def _sizes(columns: Columns, given: Any, at: Array) -> Array | None:
    if given is None:
        return None
    sizes = numbers(columns, given)[at] if isinstance(given, str) else np.full(len(at), float(given))
    wrong = np.flatnonzero(~(sizes >= 1))
    if len(wrong):
        raise BadInput(
            f"{columns.source.name}: a split has {sizes[wrong[0]]:g} rows by {given!r}; sizes are at least 1"
        )
    return sizes
