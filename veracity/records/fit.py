"""A fit to be done, and what came of it."""

from __future__ import annotations

import hashlib
import math
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

import numpy as np

from veracity.records.arrays import Array


class Answer(NamedTuple):
    """Rows that some split wants predicted, and the key under which what is said of them is stored."""

    key: str
    rows: Array  # ascending, each once


@dataclass(frozen=True, eq=False)
class Fit:
    """One learner trained once. `predict` is the union of the rows that all questions want predicted."""

    key: str
    data: str  # name of the data set
    learner: str  # name of the learner
    train: Array  # rows, repeated as often as they count
    predict: Array  # rows, ascending, each once
    seed: int  # for a learner that draws random numbers
    answers: tuple[Answer, ...] = ()  # what is stored of it; empty: all of `predict` under the fit's own key
    validation: Array | None = None  # rows to choose by, for a learner that takes them
    inner: str = ""  # the design to tune by, for a learner that tunes itself and names none

    @property
    def stored(self) -> tuple[Answer, ...]:
        """The answers, of which there is always at least one."""
        return self.answers or (Answer(self.key, self.predict),)

    def only(self, answers: tuple[Answer, ...]) -> Fit:
        """The same fit for some of its answers."""
        return replace(self, predict=rows_to_predict(answers), answers=answers)


def rows_to_predict(answers: tuple[Answer, ...]) -> Array:
    """The rows of all answers together; those of the largest where it has all of them."""
    rows = max((one.rows for one in answers), key=len)
    if len(answers) == 1 or all(one.rows is rows or _holds(rows, one.rows) for one in answers):
        return rows
    return np.unique(np.concatenate([one.rows for one in answers]))


def _holds(rows: Array, others: Array) -> bool:
    """Whether all of the others, ascending, are among the rows."""
    return bool((rows.take(rows.searchsorted(others), mode="clip") == others).all())


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


def answer_key(fit: str, rows: Array | str) -> str:
    """What is stored of a fit: other rows of the same fit are another answer, which a later question may add.

    The rows may be given by their digest.
    """
    digest = rows if isinstance(rows, str) else rows_digest(rows)
    return hashlib.blake2b(f"{fit}|{digest}".encode(), digest_size=16).hexdigest()


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

    @property
    def arrays(self) -> list[Array]:
        """The rows and what was said of them, as far as it was."""
        every = (self.rows, self.label, self.proba, self.value, self.number)
        return [array for array in every if array is not None]


OUTPUTS = ("label", "proba", "value", "number")
