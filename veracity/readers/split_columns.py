"""Columns that tell of several models: folds, repeats and resamples beside predictions."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from veracity.core.notes import Note
from veracity.core.words import option
from veracity.readers.columns import Columns

FOLDS = ("fold", "folds", "foldid", "foldindex", "cvfold", "split", "cvsplit", "resample", "resampling", "id2")
REPEATS = ("repeat", "rep", "repetition", "cvrepeat")
IDS = ("id", "idx")  # of a resample only where its values say so
OF_RESAMPLE = re.compile(r"(fold|repeat|bootstrap|resample|split|slice)\W*\d+", re.IGNORECASE)


def with_split_columns(wanted: Sequence[str], known: Iterable[str]) -> list[str]:
    """The columns wanted, and those of a table that may tell folds or repeats apart."""
    known = list(known)
    more = [name for name in known if _letters(name) in (*FOLDS, *REPEATS, *IDS) and known.count(name) == 1]
    return list(dict.fromkeys([*wanted, *more]))


def split_notes(columns: Columns, roles: Mapping[str, str], others: Iterable[str] = ()) -> tuple[Note, ...]:
    """A caution where a column that nobody named looks like the folds or repeats that predictions come from."""
    taken = {*roles.values(), *others}
    unused = [name for name in columns if name not in taken and len(_distinct(columns[name])) > 1]
    names = {
        "fold": next((name for name in unused if _letters(name) in FOLDS or _names_resamples(columns, name)), None),
        "repeat": next((name for name in unused if _letters(name) in REPEATS), None),
    }
    ways = [option(role, name) for role, name in names.items() if name is not None and role not in roles]
    if not ways:
        return ()
    found = [name for name in names.values() if name is not None]
    looks = f"the columns {' and '.join(found)} look" if len(found) > 1 else f"the column {found[0]} looks"
    rows = "" if "rows" in roles or names["repeat"] is None else f" {option('rows')}"
    says = (
        f"{columns.source.name}: {looks} as if several models had predicted these rows, which are "
        f"taken for one model's: give {' '.join(ways)}{rows} if each fold had its own; leave out rows that trained it"
    )
    return (Note("looks-like-splits", "caution", says),)


def _letters(name: Any) -> str:
    return "".join(sign for sign in str(name).lower() if sign.isalnum())


def _names_resamples(columns: Columns, name: str) -> bool:
    return _letters(name) in IDS and all(OF_RESAMPLE.match(str(value)) for value in _distinct(columns[name]))


def _distinct(column: Any) -> list[Any]:
    cells = [cell for cell in np.asarray(column)[:100_000].tolist() if cell is not None]  # enough to tell
    return list(dict.fromkeys(cells))
