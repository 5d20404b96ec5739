"""Columns that tell of several models: folds, repeats and resamples beside predictions."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from veracity.core.notes import Note
from veracity.evidence.origin import DRAWN, IN_NAME, TRAINING
from veracity.readers.columns import Columns

FOLDS = ("fold", "folds", "foldid", "foldindex", "cvfold", "split", "cvsplit", "resample", "resampling", "id2")
REPEATS = ("repeat", "rep", "repetition", "cvrepeat")
IDS = ("id", "idx")  # of a resample only where its values say so
PARTS = ("set", "subset", "part", "partition", "sample", "phase", "stage")  # where a value says that rows trained
MODELS = ("model", "models", "modelname", "modelid", "learner", "algorithm", "classifier", "estimator", "system")
ROWS = "`rows=column`"
ENOUGH = 100_000  # cells to look at, spread over the whole column
OF_RESAMPLE = re.compile(r"(fold|repeat|bootstrap|resample|split|slice)\W*\d+", re.IGNORECASE)


def with_split_columns(wanted: Sequence[str], known: Iterable[str]) -> list[str]:
    """The columns wanted, and those of a table that may tell folds, repeats or models apart."""
    known = list(known)
    more = [
        name for name in known if _letters(name) in (*FOLDS, *REPEATS, *IDS, *PARTS, *MODELS) and known.count(name) == 1
    ]
    return list(dict.fromkeys([*wanted, *more]))


def split_notes(columns: Columns, roles: Mapping[str, str], others: Iterable[str] = ()) -> tuple[Note, ...]:
    """A caution where a column that nobody named looks like the folds, repeats or models that predictions come from."""
    taken = {*roles.values(), *others}
    unused = {name: _distinct(columns[name]) for name in columns if name not in taken}
    trained = next((name for name, cells in unused.items() if _tells_training_rows(name, cells)), None)
    if trained is not None:
        return _caution(
            columns,
            f"the column {trained} says which rows trained a model: these are no test of it, so leave out their lines",
        )
    several = {name: cells for name, cells in unused.items() if len(cells) > 1}
    models = next(filter(names_models, several), None)
    if models is not None and "model" not in roles:
        return _caution(
            columns,
            f"the column {models} looks as if these rows were of {len(several[models])} models, and they are taken for "
            f"one model's: give `model={models!r}` if each has its own, with {ROWS} if they share items",
            "looks-like-models",
        )
    names = {
        "fold": next((name for name, cells in several.items() if _tells_folds(name, cells)), None),
        "repeat": next((name for name in several if _letters(name) in REPEATS), None),
    }
    ways = [f"`{role}={name!r}`" for role, name in names.items() if name is not None and role not in roles]
    if not ways:
        return ()
    found = [name for name in names.values() if name is not None]
    looks = f"the columns {' and '.join(found)} look" if len(found) > 1 else f"the column {found[0]} looks"
    again = names["repeat"] is not None or _come_again(several.get(names["fold"] or "", []))
    rows = f" {ROWS}" if again and "rows" not in roles else ""
    return _caution(
        columns,
        f"{looks} as if several models had predicted these rows, which are taken for one model's: give "
        f"{' '.join(ways)}{rows} if each fold had its own; leave out rows that trained it",
    )


def _caution(columns: Columns, says: str, code: str = "looks-like-splits") -> tuple[Note, ...]:
    return (Note(code, "caution", f"{columns.source.name}: {says}"),)


def _tells_training_rows(name: str, cells: Sequence[Any]) -> bool:
    return _letters(name) in (*FOLDS, *PARTS) and any(str(cell).lower() in TRAINING for cell in cells)


def _tells_folds(name: str, cells: Sequence[Any]) -> bool:
    return _letters(name) in FOLDS or (_letters(name) in IDS and all(OF_RESAMPLE.match(str(cell)) for cell in cells))


def _come_again(cells: Sequence[Any]) -> bool:
    """Whether rows may come in several of the parts that such names stand for."""
    return bool(cells) and any(all(name.match(str(cell)) for cell in cells) for name in (IN_NAME, DRAWN))


def names_models(name: Any) -> bool:
    """Whether a column is called as one that tells models apart."""
    return _letters(name) in MODELS


def _letters(name: Any) -> str:
    return "".join(sign for sign in str(name).lower() if sign.isalnum())


def _distinct(column: Any) -> list[Any]:
    cells = np.asarray(column)
    some = cells[:: max(1, len(cells) // ENOUGH)].tolist()
    return [cell for cell in dict.fromkeys(some) if cell is not None]
