"""The work of `veracity estimate --slices`: learners on each group of rows that a column of the data names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any

from veracity.api.slices import slices
from veracity.cli.output import Result, page_of
from veracity.cli.work.stored import is_stored, is_study
from veracity.core.errors import BadInput
from veracity.evidence.runs import Runs
from veracity.readers.read_predictions import read_column
from veracity.studies.study_file import data_files
from veracity.tables.table import Column

WITHOUT = ("per_class", "deviations")


def estimate_slices(runs: Runs, where: str, scores: Sequence[str], given: Mapping[str, Any]) -> Result:
    """Scores of each slice, with intervals that hold together."""
    column = given["slices"]
    wrong = [f"--{word.replace('_', '-')}" for word in WITHOUT if given[word]]
    if wrong:
        raise BadInput(f"--slices has a line for each slice, and none for what {wrong[0]} asks: give one of them")
    how = {name: given[name] for name in ("interval", "level", "side", "seed")}
    labels = list(chain.from_iterable(read_column(file, column) for file in _files(runs, where)))
    card = slices(runs, labels, list(scores) or list(runs.asked_scores) or None, **how)
    table = card.table()
    table = replace(table, columns=(Column(column, "left"), *table.columns[1:]))
    title = f"Risk of learners by {column}"
    page = partial(page_of, card, title)
    return Result(title, (table,), lambda: {"by": column, **card.to_json()}, f"{where}: {runs.names[0]}", page)


def _files(runs: Runs, where: str) -> list[str | Path]:
    """Where the rows of the one data set stand, which a store does not keep."""
    if not is_stored(where):
        return [where]
    if not is_study(where):
        raise BadInput(f"a store keeps no columns of the data: name the study file of {where}, and --store {where}")
    if len(runs.names) > 1:
        raise BadInput(f"--slices is of one data set: name it, --data NAME; there are {', '.join(runs.names)}")
    files: list[str | Path] = list(data_files(where, runs.names[0]))
    if not files:
        raise BadInput(f"{runs.names[0]} is built in and has no file with columns: --slices is of one that has")
    return files
