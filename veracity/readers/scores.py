"""Tables of scores, wide or long, and result files of Weka's Experimenter, as a matrix of data sets and learners."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from veracity.core.errors import BadInput
from veracity.core.notes import Note
from veracity.readers import weka
from veracity.readers.columns import Columns, columns_of, read_columns
from veracity.readers.guess_columns import VALUES, Roles, as_number, names_of, numbers, roles_of
from veracity.readers.score_list import ScoreList
from veracity.readers.score_rows import scores_of_rows
from veracity.readers.source import is_path, listed, no_column, opened


def score_list(source: Any, score: str | None, learners: Sequence[str] | None, given: Mapping[str, Any]) -> ScoreList:
    """The scores of a file (its path, or `-`) or a frame, and what the file itself calls them."""
    columns = _columns(source)
    roles = roles_of(columns, given)
    if weka.results(columns):
        return weka.score_list(columns, score, roles)
    if roles.learner is not None and roles.dataset is not None:
        return _long(columns, roles, score)
    return _wide(columns, roles, learners)


def _columns(source: Any) -> Columns:
    if not is_path(source):
        return read_columns(source)
    with opened(source) as file:
        return weka.csv_columns(file) if weka.csv_results(file) else columns_of(file, None)


def _long(columns: Columns, roles: Roles, score: str | None) -> ScoreList:
    """One row per data set, learner and split."""
    assert roles.dataset is not None and roles.learner is not None
    name = _value_column(columns, roles, score)
    value = numbers(columns, name)
    data, learner = names_of(columns, roles.dataset), names_of(columns, roles.learner)
    called = "" if name.lower() in VALUES else name
    return scores_of_rows(columns, roles, data, learner, value, score=called)


def _value_column(columns: Columns, roles: Roles, score: str | None) -> str:
    if score is not None and score in columns:
        return score
    others = [name for name in columns if name not in roles.columns]
    usual = [name for name in others if str(name).lower() in VALUES]
    if len(usual) == 1 or len(others) == 1:
        return (usual or others)[0]
    if score is not None:
        raise no_column(columns.source, score, others)
    raise BadInput(f"{columns.source.name}: name the column with the scores, score=; there are {listed(others)}")


def _wide(columns: Columns, roles: Roles, learners: Sequence[str] | None) -> ScoreList:
    """One row per data set (and split), one column per learner."""
    dataset = roles.dataset or _first_text(columns, roles)
    counters = _row_numbers(columns, dataset)
    others = [n for n in columns if n != dataset and n not in roles.columns and n not in counters]
    chosen = list(others if learners is None else learners)
    for name in chosen:
        if name not in others:
            raise no_column(columns.source, name, others)
    if len(chosen) < 2:
        raise BadInput(f"{columns.source.name} has the scores of {listed(chosen) or 'no learner'}: rank needs two")
    named, notes = _datasets(columns, dataset, roles)
    values = np.stack([numbers(columns, name) for name in chosen], axis=1)
    size, wide = len(named), len(chosen)
    rows = [row for row in range(size) for _ in range(wide)]
    data, learner = [named[row] for row in rows], [str(name) for name in chosen] * size
    left_out = (_left_out(counters),) if counters else ()
    return scores_of_rows(columns, roles, data, learner, values.ravel(), rows, notes=notes + left_out)


def _first_text(columns: Columns, roles: Roles) -> str | None:
    """The first column of texts, which are not mostly numbers with a slip among them."""
    for name in columns:
        cells = columns[name]
        if name in roles.columns or cells.dtype.kind not in "OUT":
            continue
        words = [cell for cell in cells.tolist() if as_number(cell) is None]
        if 2 * len(words) > len(cells):
            return name
    return None


def _row_numbers(columns: Columns, dataset: str | None) -> list[str]:
    """Columns before the names of the data sets that only count rows."""
    found: list[str] = []
    for name in columns:
        if name == dataset:
            return found
        cells = columns[name]
        if cells.dtype.kind in "iu" and any(np.array_equal(cells, np.arange(len(cells)) + start) for start in (0, 1)):
            found.append(name)
    return []


def _left_out(counters: Sequence[str]) -> Note:
    return Note("row-numbers", "remark", f"column {listed(counters)} only counts rows and is no learner")


def _datasets(columns: Columns, dataset: str | None, roles: Roles) -> tuple[list[str], tuple[Note, ...]]:
    """The data set of every row; names that occur twice get a number."""
    rows = len(next(iter(columns.values())))
    if dataset is None:
        return [f"data {row + 1}" for row in range(rows)], ()
    named = names_of(columns, dataset)
    again = [name for name, times in Counter(named).items() if times > 1]
    if roles.splits or not again:
        return named, ()
    seen: Counter[str] = Counter()
    for row, name in enumerate(named):
        if name in again:
            seen[name] += 1
            named[row] = f"{name} ({seen[name]})"
    says = f"the data set {listed(again)} occurs more than once: numbered, and counted as different data sets"
    return named, (Note("data-set-twice", "caution", says),)
