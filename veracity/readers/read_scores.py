"""Scores that stand in files: tables of data sets and learners, and Weka's result files."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from veracity.core.arguments import Table, verb
from veracity.core.errors import BadInput
from veracity.core.notes import Note
from veracity.core.words import brief
from veracity.evidence.score_matrix import HIGHER_TAKEN, ScoreMatrix
from veracity.readers import weka
from veracity.readers.clean_columns import Notation, read_written
from veracity.readers.columns import Columns, columns_of, join_parts, names_of, numbers, read_columns
from veracity.readers.guess_columns import (
    VALUES,
    Roles,
    guess_counters,
    guess_dataset_column,
    guess_roles,
    guess_value_column,
)
from veracity.readers.guess_predictions import predicted_column
from veracity.readers.join_files import expand_patterns, unique_names
from veracity.readers.layouts import refuse_layout
from veracity.readers.read_predictions import model_name
from veracity.readers.score_list import ScoreList, join_lists, scores_of_rows
from veracity.readers.scores_of_arrays import errors_by_name, refuse_columns_of_errors
from veracity.readers.source import is_path, no_column, open_source, quote_names
from veracity.scores import scores
from veracity.scores.default import better_by_name, better_by_names

DIRECTIONS = ("higher", "lower")
FILE = "file"  # the column that names the files of several


@verb
def read_scores(
    source: Table,
    score: str | None = None,
    better: str | None = None,
    *,
    dataset: str | None = None,
    learner: str | None = None,
    learners: Sequence[str] | None = None,
    repeat: str | None = None,
    fold: str | None = None,
    train: str | float | None = None,
    test: str | float | None = None,
    percent: bool = False,
    decimal: str = ".",
) -> ScoreMatrix:
    """The scores of a file (CSV, TSV, Parquet, JSON lines, ARFF; `-` for standard input) or a frame.

    A wide table has a column that names the data sets and one column per learner. A long one has a row per score, with
    columns for data set and learner. Either may have columns that tell splits apart (repeat, fold) and the rows that
    trained and were tested; roles that the columns' names do not tell are named here, and `train` and `test` may be
    one number for all splits. Result files of Weka's Experimenter are recognised; `score` is then one of its measures.

    A list of files, or a pattern such as `runs/*.csv`, is one table: rows of the same columns come one behind the other
    (a file for each run or data set), and so do columns of the same data sets (a file for each learner). Where a file
    has a single column of scores, or no column of data sets beside its learners, its name stands for the learner, or
    the data set. `percent=True` reads 93 % as 0.93, `decimal=","` reads 0,93.
    """
    if better not in (None, *DIRECTIONS):
        raise BadInput(f"better is 'higher' or 'lower', not {better!r}")
    given = {"dataset": dataset, "learner": learner, "repeat": repeat, "fold": fold, "train": train, "test": test}
    entries = _score_list(source, score, learners, given, Notation(percent=percent, decimal=decimal))
    name = entries.score or score or "score"
    known = better or _direction(name, entries, source)
    matrix = entries.matrix(name, known or "higher")
    return matrix if known else replace(matrix, notes=(*matrix.notes, HIGHER_TAKEN))


def _direction(name: str, entries: ScoreList, source: Any) -> str | None:
    """What is known of a score's direction: of its name first; else files or columns called errors are asked about."""
    of_weka = entries.sizes == weka.SIZES
    known = better_by_name(name) if name in scores or not of_weka else weka.direction(name)
    if known is None and of_weka:
        raise BadInput(f"whether a high {name} is good is not known: give `better=` 'higher' or 'lower'")
    if known is not None:
        return known
    columns = list(dict.fromkeys(entries.learner))
    if not entries.score:  # a wide table
        refuse_columns_of_errors(columns, entries.source)
    files = [model_name(one) for one in (source if isinstance(source, (list, tuple)) else [source]) if is_path(one)]
    if better_by_names(files) == "lower":
        raise errors_by_name(entries.source, "the file is called", files[0])
    return better_by_names(files) or (None if entries.score else better_by_names(columns))


def _score_list(
    source: Any, score: str | None, learners: Sequence[str] | None, given: Mapping[str, Any], how: Notation
) -> ScoreList:
    """The scores of a file (its path, or `-`) or a frame, or of several, and what the file itself calls them."""
    several = source if isinstance(source, (list, tuple)) else [source]
    sources = expand_patterns(several) if several else []
    if len(sources) == 1:
        return _scores_of(_columns(sources[0], how, given, learners), score, learners, given)
    tables = {name: _columns(one, how, given, learners) for name, one in unique_names(sources).items()}
    return _of_several(tables, score, learners, given)


def _of_several(
    tables: Mapping[str, Columns], score: str | None, learners: Sequence[str] | None, given: Mapping[str, Any]
) -> ScoreList:
    """Tables of scores as one: by rows where their columns are alike, else by columns."""
    if not tables:
        raise BadInput("name a file with scores")
    roles = [guess_roles(columns, given) for columns in tables.values()]
    first, *others = tables.values()
    long = all(one.learner is not None and one.dataset is not None for one in roles)
    if long or all(map(weka.is_result, tables.values())):
        return _scores_of(join_parts(list(tables.values())), score, learners, given)
    if any(one.splits for one in roles) and any(set(each) != set(first) for each in others):
        raise BadInput(f"{first.source.name} and the others do not have the same columns, as scores of splits need")
    if all(one.learner is not None for one in roles):  # one data set in each file
        named = [_with_name(columns, name) for name, columns in tables.items()]
        return _scores_of(join_parts(named), score, learners, {**given, "dataset": FILE})
    single = [_score_columns(columns, one) for columns, one in zip(tables.values(), roles, strict=True)]
    if all(len(names) == 1 for names in single) and len({names[0] for names in single}) == 1:  # one learner in each
        named = [_with_name(columns, name) for name, columns in tables.items()]
        dataset = roles[0].dataset or guess_dataset_column(first, roles[0])
        return _scores_of(join_parts(named), single[0][0], None, {**given, "learner": FILE, "dataset": dataset})
    if all(set(each) == set(first) for each in others):
        return _wide_scores(join_parts(list(tables.values())), roles[0], learners)
    lists = [_wide_scores(columns, one, None, 1) for columns, one in zip(tables.values(), roles, strict=True)]
    return join_lists(lists)


def _with_name(columns: Columns, name: str) -> Columns:
    """The table with a column that names its file."""
    rows = len(next(iter(columns.values())))
    return replace(columns, arrays={**columns.arrays, FILE: np.full(rows, name, object)})


def _score_columns(columns: Columns, roles: Roles) -> list[str]:
    """The columns of a wide table that hold scores."""
    dataset = roles.dataset or guess_dataset_column(columns, roles)
    counters = guess_counters(columns, dataset)
    return [name for name in columns if name != dataset and name not in roles.columns and name not in counters]


def _scores_of(
    columns: Columns, score: str | None, learners: Sequence[str] | None, given: Mapping[str, Any]
) -> ScoreList:
    """The scores of one table."""
    roles = guess_roles(columns, given)
    if weka.is_result(columns):
        return weka.weka_scores(columns, score, roles)
    if roles.learner is not None and roles.dataset is not None:
        return _long_scores(columns, roles, score)
    if roles.learner is not None and columns[roles.learner].dtype.kind in "OUT":  # of learners, but on what?
        says = f"{columns.source.name} has a column of learners, {quote_names([roles.learner])}, and none of data sets"
        way = "name that, `dataset=`, or give each data set a row and each learner a column"
        log = f"`model={roles.learner!r}`, `rows=` and `correct=`"
        raise BadInput(f"{says}: {way}; a log of rows is read by {log}")
    if roles.dataset is None and learners is None:
        _refuse_predictions(columns)
    return _wide_scores(columns, roles, learners)


def _refuse_predictions(columns: Columns) -> None:
    """Rows with a class each are no data sets; their columns would be ranked as if they were learners."""
    found = predicted_column({str(name): columns[name].tolist() for name in columns})  # a frame may count its columns
    if found is None:
        return
    truth, learner = found
    name, rows = columns.source.name, "in a table of scores each data set has a row and each learner a column"
    typed, target = shlex.quote(name), shlex.quote(truth)
    if learner:
        way = f"evaluate(learner, X, y), or veracity estimate {typed} --target {target} --learner {learner}"
        says = f"{name} is no table of scores: its column {quote_names([truth])} is something to predict"
        raise BadInput(f"{says}; to try learners on its rows, {way}; {rows}")
    says = f"{name} is no table of scores but one of predictions, of its column {quote_names([truth])}"
    way = f"read_predictions reads it, and compare compares, as does veracity compare {typed} --truth {target} ..."
    raise BadInput(f"{says}: {way}; {rows}")


def _columns(source: Any, how: Notation, given: Mapping[str, Any], learners: Sequence[str] | None) -> Columns:
    """The columns of a table of scores; those of other tools are refused."""
    asked = {**given, "learners": learners}
    if not is_path(source):
        return _read_numbers(read_columns(source, partial(_all_columns, "the frame", asked)), how, given)
    with open_source(source) as file:
        if weka.is_result_csv(file):
            return weka.read_result_csv(file)
        return _read_numbers(columns_of(file, partial(_all_columns, file.name, asked)), how, given)


def _all_columns(source: str, asked: Mapping[str, Any], known: Sequence[str]) -> list[str]:
    """All columns of a table, which is no other tool's."""
    refuse_layout(known, source, asked)
    return list(known)


def _read_numbers(columns: Columns, how: Notation, given: Mapping[str, Any]) -> Columns:
    """Scores in per cent or with a decimal comma as numbers, whatever data sets and learners are called."""
    roles = guess_roles(columns, {name: column for name, column in given.items() if column in columns})
    return read_written(columns, how, [name for name in (roles.dataset, roles.learner) if name is not None])


def _long_scores(columns: Columns, roles: Roles, score: str | None) -> ScoreList:
    """One row per data set, learner and split."""
    assert roles.dataset is not None and roles.learner is not None
    if {"score", "value"} <= set(columns) and columns["score"].dtype.kind not in "iuf":
        return _named_scores(columns, roles, score)
    name = guess_value_column(columns, roles, score)
    value = numbers(columns, name)
    data, learner = names_of(columns, roles.dataset), names_of(columns, roles.learner)
    return scores_of_rows(columns, roles, data, learner, value, score="" if name.lower() in VALUES else name)


def _named_scores(columns: Columns, roles: Roles, score: str | None) -> ScoreList:
    """As `veracity scores` writes them: a column says which score each value is, and one of them is taken."""
    assert roles.dataset is not None and roles.learner is not None
    named = names_of(columns, "score")
    there = list(dict.fromkeys(named))
    wanted = there[0] if score is None and len(there) == 1 else score and (scores.find_name(score, there) or score)
    if wanted is None:
        raise BadInput(f"{columns.source.name}: name a score, `score=`; there are {quote_names(there)}")
    rows = [row for row, name in enumerate(named) if name == wanted]
    if not rows:
        raise BadInput(f"{columns.source.name} has no score {wanted!r}: there are {quote_names(there)}")
    data, learner = ([names_of(columns, name)[row] for row in rows] for name in (roles.dataset, roles.learner))
    return scores_of_rows(columns, roles, data, learner, numbers(columns, "value")[rows], rows, score=wanted)


def _wide_scores(columns: Columns, roles: Roles, learners: Sequence[str] | None, least: int = 2) -> ScoreList:
    """One row per data set (and split), one column per learner."""
    dataset = roles.dataset or guess_dataset_column(columns, roles)
    counters = guess_counters(columns, dataset)
    others = _score_columns(columns, roles)
    chosen = list(others if learners is None else learners)
    for name in chosen:
        if name not in others:
            raise no_column(columns.source, name, others)
    if len(chosen) < least:
        raise BadInput(f"{columns.source.name} has the scores of {quote_names(chosen) or 'no learner'}: rank needs two")
    names, notes = _datasets(columns, dataset, roles)
    values = np.stack([numbers(columns, name) for name in chosen], axis=1)
    rows = [row for row in range(len(names)) for _ in chosen]
    data, learner = [names[row] for row in rows], [str(name) for name in chosen] * len(names)
    if counters:
        says = f"column {quote_names(counters)} only counts rows and is no learner"
        notes += (Note("row-numbers", "remark", says),)
    return scores_of_rows(columns, roles, data, learner, values.ravel(), rows, notes=notes)


def _datasets(columns: Columns, dataset: str | None, roles: Roles) -> tuple[list[str], tuple[Note, ...]]:
    """The data set of every row; names that occur twice get a number."""
    rows = len(next(iter(columns.values())))
    if dataset is None:  # the splits of a table without names are of one data set
        return ["data"] * rows if roles.splits else [f"data {row + 1}" for row in range(rows)], ()
    names = names_of(columns, dataset)
    again = [name for name, times in Counter(names).items() if times > 1]
    if roles.splits or not again:
        return names, ()
    if columns.source.rows is not None:  # rows of several files
        one, two = [row + columns.source.first for row, name in enumerate(names) if name == again[0]][:2]
        says = f"the data set '{brief(again[0])}' stands in rows {one} and {two}"
        raise BadInput(f"{says}: name the column that tells runs apart, `repeat=`, or give each data set once")
    seen: Counter[str] = Counter()
    for row, name in enumerate(names):
        if name in again:
            seen[name] += 1
            names[row] = f"{name} ({seen[name]})"
    says = f"the data set {quote_names(again)} occurs more than once: numbered, and counted as different data sets"
    return names, (Note("data-set-twice", "caution", says),)
