"""A fit to be done, and what came of it."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Literal

import numpy as np

from veracity.records.arrays import Array


@dataclass(frozen=True, eq=False)
class Fit:
    """One learner trained once. `predict` is the union of the rows that all questions want predicted."""

    key: str
    data: str  # name of the data set
    learner: str  # name of the learner
    train: Array  # rows, repeated as often as they count
    predict: Array  # rows, ascending, each once
    seed: int  # for a learner that draws random numbers


def rows_digest(train: Array) -> str:
    """The training rows as a multiset: their order does not matter, how often each occurs does."""
    return hashlib.blake2b(np.sort(np.asarray(train, np.int64)).tobytes(), digest_size=16).hexdigest()


def fit_key(data: str, learner: str, rows: str, seed: int) -> str:
    """The content of a fit: fingerprints of data and learner, digest of the training rows, the study's seed."""
    return hashlib.blake2b(f"{data}|{learner}|{rows}|{seed}".encode(), digest_size=16).hexdigest()


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
    seconds: float = 0.0
    chosen: str = ""  # parameters that a learner chose for itself, as JSON
