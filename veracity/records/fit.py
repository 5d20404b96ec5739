"""A fit to be done, and what came of it."""

from __future__ import annotations

import hashlib
import math
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from veracity.records.arrays import Array


@dataclass(frozen=True, eq=False)
class Fit:
    """One learner trained once, and all rows that any split wants it to predict."""

    key: str  # under which its outcome is stored
    data: str  # name of the data set
    learner: str  # name of the learner
    train: Array  # rows, repeated as often as they count
    predict: Array  # rows, ascending, each once
    seed: int  # for a learner that draws random numbers
    validation: Array | None = None  # rows to choose by, for a learner that takes them
    inner: str = ""  # the design to tune by, for a learner that tunes itself and names none
    repeats: str = ""  # of the fit that this one repeats with the same random numbers


def rows_in_order(rows: Array) -> Array:
    """The rows in order; the array itself where they are."""
    return rows if (rows[1:] >= rows[:-1]).all() else np.sort(rows)


def rows_digest(train: Array, validation: Array | None = None) -> str:
    """The rows as multisets: their order does not matter, how often each occurs does."""
    if validation is not None:
        return f"{rows_digest(train)}|{rows_digest(validation)}"
    return ordered_digest(rows_in_order(np.asarray(train)))


def ordered_digest(rows: Array) -> str:
    """The digest of rows that are in order."""
    return hashlib.blake2b(rows.astype(np.int64, copy=False).tobytes(), digest_size=16).hexdigest()


def fit_key(data: str, learner: str, rows: str, seed: int) -> str:
    """The content of a fit: fingerprints of data and learner, digest of the training rows, the study's seed."""
    return hashlib.blake2b(f"{data}|{learner}|{rows}|{seed}".encode(), digest_size=16).hexdigest()


def repeat_key(key: str) -> str:
    """Return the key of a fit that is made a second time."""
    return hashlib.blake2b(f"{key} again".encode(), digest_size=16).hexdigest()


def test_set_key(data: str, rows: Array) -> str:
    """Return what names a set of test rows in the ledger: a digest of the data's fingerprint and of the rows."""
    return hashlib.blake2b(f"{data}|{rows_digest(rows)}".encode(), digest_size=16).hexdigest()


@dataclass(frozen=True, eq=False)
class Outcome:
    """What a fit gave: predictions of its rows, or a failure with its reason. Nothing else is ever stored."""

    key: str
    status: Literal["done", "failed"]
    rows: Array | None = None  # ascending
    label: Array | None = None  # codes
    proba: Array | None = None
    value: Array | None = None
    number: Array | None = None
    reason: str = ""  # one sentence
    traceback: str = ""
    seconds: float = 0.0  # of all work of the fit
    chosen: str = ""  # parameters that a learner chose for itself, as JSON
    seconds_fit: float = math.nan  # of the training alone; NaN where it failed, or was stored before times were
    seconds_predict: float = math.nan  # of what was said of these rows
    libraries: str = ""  # versions of those that made it, as JSON; not read back with the predictions

    def of_rows(self, rows: Array) -> Outcome:
        """Return what was said of some of the rows, ascending; LookupError where one was not predicted."""
        if self.rows is None or np.array_equal(self.rows, rows):
            return self
        place = np.searchsorted(self.rows, rows)
        if not np.array_equal(self.rows.take(place, mode="clip") if len(self.rows) else self.rows, rows):
            raise LookupError(f"fit {self.key} did not predict a row")
        label, proba, value, number = (
            None if (part := getattr(self, name)) is None else part[place] for name in OUTPUTS
        )
        return replace(self, rows=rows, label=label, proba=proba, value=value, number=number)

    @property
    def arrays(self) -> list[Array]:
        """The rows and what was said of them, as far as it was."""
        every = (self.rows, self.label, self.proba, self.value, self.number)
        return [array for array in every if array is not None]


OUTPUTS = ("label", "proba", "value", "number")
