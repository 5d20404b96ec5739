"""Predictions read from files, with a guess at the columns where some are not named."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from veracity.cli.work.guess_options import without_role
from veracity.evidence.predictions import Predictions
from veracity.readers import read_models as readers
from veracity.readers.read_evidence import Reading
from veracity.readers.read_models import Given, MissingRole
from veracity.records.arrays import Array


def read_models(files: Sequence[str], given: Given, same_rows: bool = True) -> dict[str, Predictions]:
    """The predictions of every model by name; one alone goes by the empty name."""
    with guesses_columns(files, given):
        return readers.read_models(files, given, same_rows)


def read_readings(files: Sequence[str], given: Given, keep_values: bool = False) -> dict[str, Reading]:
    """As `read_models`, but one large file of one model is counted instead of held row by row."""
    with guesses_columns(files, given):
        return readers.read_readings(files, given, keep_values)


def read_slices(files: Sequence[str], given: Given, by: str) -> tuple[dict[str, Predictions], Array]:
    """The models, and the column that slices their rows."""
    with guesses_columns(files, given):
        return readers.read_slices(files, given, by)


@contextmanager
def guesses_columns(files: Sequence[str], given: Given) -> Iterator[None]:
    """Tell the columns of the file, and a guess at them, where columns are missing."""
    try:
        yield
    except MissingRole as why:
        raise without_role(why.says, files, given) from None
