"""Scores that stand in files: tables of data sets and learners, and Weka's result files."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from veracity.core.arguments import Table, verb
from veracity.core.errors import BadInput
from veracity.core.notes import Note
from veracity.core.words import brief, plural
from veracity.evidence.score_matrix import HIGHER_TAKEN, ScoreMatrix, SplitScores
from veracity.readers import weka
from veracity.readers.clean_columns import Notation, read_written
from veracity.readers.columns import Columns, columns_of, join_parts, names_of, numbers, read_columns
from veracity.readers.guess_predictions import predicted_column
from veracity.readers.layouts import refuse_layout
from veracity.readers.roles import (
    SCORE_NAMES,
    Roles,
    guess_counters,
    guess_dataset_column,
    guess_roles,
    guess_value_column,
)
from veracity.readers.scores_of_arrays import errors_by_name, refuse_columns_of_errors
from veracity.readers.source import (
    expand_patterns,
    is_path,
    model_name,
    no_column,
    open_source,
    quote_names,
    unique_names,
)
from veracity.records.arrays import Array, freeze
from veracity.scores import scores
from veracity.scores.default import better_by_name, better_by_names

DIRECTIONS = ("higher", "lower")
FILE = "file"  # the column that names the files of several
Key = tuple[Any, ...]  # what tells the splits of one data set apart: repeat and fold
SplitPlaces = dict[Key, int]  # the place of each split's score in the list
Cells = dict[tuple[str, str], SplitPlaces]  # by data set and learner


@dataclass(frozen=True, eq=False)
class ScoreList:
    """One score per place of every array; `rows` says where in the file it stands."""

    source: str
    data: Sequence[str]
    learner: Sequence[str]
    value: Array
    rows: Sequence[object]
    keys: Sequence[Key] | None = None  # None: one score per data set and learner
    repeats: Array | None = None
    train: Array | None = None
    test: Array | None = None
    score: str = ""  # what the file calls them, where it does
    sizes: tuple[str, str] = ("train", "test")  # what the columns of sizes would be called
    notes: tuple[Note, ...] = ()

    def matrix(self, score: str, better: str) -> ScoreMatrix:
        """Return the mean of every data set and learner, with its splits where the file tells their sizes."""
        cells = self._cells()
        datasets, learners = tuple(dict.fromkeys(self.data)), tuple(dict.fromkeys(self.learner))
        order = {name: self._splits(cells, name, learners) for name in datasets}
        values = {
            (name, learner): np.array([self.value[cell[key]] if key in cell else np.nan for key in order[name]], float)
            for (name, learner), cell in cells.items()
        }
        means = [
            [values[name, one].mean() if (name, one) in cells else np.nan for one in learners] for name in datasets
        ]
        notes, splits = self.notes, None
        if self.keys is not None:
            notes += self._missing_splits(values)
        if self.keys is not None and self.train is not None:
            splits = tuple(
                tuple(
                    self._split_scores(values[name, one], list(order[name].values())) if (name, one) in cells else None
                    for one in learners
                )
                for name in datasets
            )
        elif self.keys is not None:
            lacks = f"{self.source} has no columns {' and '.join(self.sizes)}, without which nobody knows how much"
            way = "give `train=` and `test=`, the name of a column or one number of rows for all splits"
            notes += (Note("no-sizes", "remark", f"{lacks} splits overlap: {way}"),)
        return ScoreMatrix(freeze(np.array(means, float)), learners, datasets, better, score, splits, notes)

    def _cells(self) -> Cells:
        cells: Cells = {}
        keys = [()] * len(self.data) if self.keys is None else self.keys
        for place, (name, learner, key) in enumerate(zip(self.data, self.learner, keys, strict=True)):
            cell = cells.setdefault((name, learner), {})
            if key in cell:
                raise self._same_split(name, learner, key, cell[key], place)
            cell[key] = place
        return cells

    def _same_split(self, name: str, learner: str, key: Key, first: int, place: int) -> BadInput:
        both = f"{self.source}: rows {self.rows[first]} and {self.rows[place]} both score {learner} on {brief(name)}"
        if key:
            return BadInput(f"{both} in the same split ({', '.join(map(str, key))}): each split has one score")
        return BadInput(f"{both}: name the columns that tell splits apart, `repeat=` and `fold=`")

    def _splits(self, cells: Cells, name: str, learners: Sequence[str]) -> SplitPlaces:
        """Return the splits of a data set, each with a place where its sizes stand; learners must agree on them."""
        splits: SplitPlaces = {}
        for learner in learners:
            for key, place in cells.get((name, learner), {}).items():
                first = splits.setdefault(key, place)
                for sizes in (self.train, self.test):
                    if sizes is not None and sizes[first] != sizes[place]:
                        both = f"{self.source}: rows {self.rows[first]} and {self.rows[place]} are the same split of"
                        of = f"{brief(name)} but of {sizes[first]:g} and {sizes[place]:g} rows"
                        raise BadInput(f"{both} {of}: learners are compared on the same splits")
        return splits

    def _split_scores(self, values: Array, at: list[int]) -> SplitScores:
        assert self.train is not None and self.test is not None
        train, test = self.train[at], self.test[at]
        once = test.sum() < 1.5 * (train + test).mean()  # folds of one repeat make up the rows once, hold-outs do not
        unnamed = 0 if once else np.arange(len(at))
        return SplitScores.of(values, train, test, unnamed if self.repeats is None else self.repeats[at])

    def _missing_splits(self, values: Mapping[tuple[str, str], Array]) -> tuple[Note, ...]:
        """Return a note on splits on which some learner of the data set has no score."""
        short = [
            f"{learner} lacks {np.isnan(scores).sum()} of {len(scores)} splits on {brief(name)}"
            for (name, learner), scores in values.items()
            if np.isnan(scores).any()
        ]
        if not short:
            return ()
        more = f" (and {len(short) - 3} more)" if len(short) > 3 else ""
        says = f"{'; '.join(short[:3])}{more}: the score there is missing, for a mean over other splits is none"
        return (Note("missing-splits", "caution", says),)


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
    how, several = Notation(percent=percent, decimal=decimal), source if isinstance(source, (list, tuple)) else [source]
    sources = unique_names(expand_patterns(several) if several else [])
    tables = {name: _columns(one, how, given, learners) for name, one in sources.items()}
    entries = _of_several(tables, score, learners, given)
    name = entries.score or score or "score"
    known = better or _direction(name, entries, [model_name(one) for one in several if is_path(one)])
    matrix = entries.matrix(name, known or "higher")
    return matrix if known else replace(matrix, notes=(*matrix.notes, HIGHER_TAKEN))


def _direction(name: str, entries: ScoreList, files: Sequence[str]) -> str | None:
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
    if better_by_names(files) == "lower":
        raise errors_by_name(entries.source, "the file is called", files[0])
    return better_by_names(files) or (None if entries.score else better_by_names(columns))


def _of_several(
    tables: Mapping[str, Columns], score: str | None, learners: Sequence[str] | None, given: Mapping[str, Any]
) -> ScoreList:
    """Tables of scores as one: by rows where their columns are alike, else by columns."""
    if len(tables) == 1:
        return _scores_of(next(iter(tables.values())), score, learners, given)
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
    """Return the table with a column that names its file."""
    rows = len(next(iter(columns.values())))
    return replace(columns, arrays={**columns.arrays, FILE: np.full(rows, name, object)})


def _score_columns(columns: Columns, roles: Roles) -> list[str]:
    """Return the columns of a wide table that hold scores."""
    dataset = roles.dataset or guess_dataset_column(columns, roles)
    counters = guess_counters(columns, dataset)
    return [name for name in columns if name != dataset and name not in roles.columns and name not in counters]


def _scores_of(
    columns: Columns, score: str | None, learners: Sequence[str] | None, given: Mapping[str, Any]
) -> ScoreList:
    """Return the scores of one table."""
    roles = guess_roles(columns, given)
    if weka.is_result(columns):
        measure, data = weka.measure_of(columns, score), names_of(columns, weka.KEYS[0])
        value, learner = numbers(columns, measure), weka.schemes(columns)
        return scores_of_rows(columns, roles, data, learner, value, score=measure, sizes=weka.SIZES)
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
    """Return all columns of a table of scores, as numbers where they are written so; refuse those of other tools.

    Scores in per cent or with a decimal comma are read whatever data sets and learners are called.
    """
    place = "the frame"

    def choose(known: Sequence[str]) -> list[str]:
        refuse_layout(known, place, {**given, "learners": learners})
        return list(known)

    if is_path(source):
        with open_source(source) as file:
            if weka.is_result_csv(file):
                return weka.read_result_csv(file)
            place = file.name
            columns = columns_of(file, choose)
    else:
        columns = read_columns(source, choose)
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
    return scores_of_rows(columns, roles, data, learner, value, score="" if name.lower() in SCORE_NAMES else name)


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
    """Return the data set of every row; names that occur twice get a number."""
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
    if train is not None and test is not None:
        about |= {"train": train, "test": test}
    if roles.repeat is not None:
        about["repeats"] = np.unique(columns[roles.repeat].astype(str), return_inverse=True)[1][at]
    names = [place + columns.source.first for place in at.tolist()]
    return ScoreList(columns.source.name, data, learner, value, names, _keys(columns, roles, at), **about)


def join_lists(lists: Sequence[ScoreList]) -> ScoreList:
    """Return the scores of several tables without splits, as if they stood in one."""
    first = lists[0]
    return replace(
        first,
        source=f"{first.source} and {plural(len(lists) - 1, 'more file')}",
        data=[name for each in lists for name in each.data],
        learner=[name for each in lists for name in each.learner],
        value=np.concatenate([each.value for each in lists]),
        rows=[f"{row} of {each.source}" for each in lists for row in each.rows],
        notes=tuple(dict.fromkeys(note for each in lists for note in each.notes)),
    )


def _keys(columns: Columns, roles: Roles, at: Array) -> list[Key] | None:
    """Return what tells the splits apart; whole numbers are whole, so that 1 and 1.0 are the same fold."""
    parts = [
        [int(cell) if isinstance(cell, float) and cell.is_integer() else cell for cell in columns[name].tolist()]
        for name in (roles.repeat, roles.fold)
        if name is not None
    ]
    return [tuple(part[row] for part in parts) for row in at] if parts else None


def _sizes(columns: Columns, given: Any, at: Array) -> Array | None:
    if given is None:
        return None
    sizes = numbers(columns, given)[at] if isinstance(given, str) else np.full(len(at), float(given))
    wrong = sizes[~(sizes >= 1)]
    if len(wrong):
        raise BadInput(f"{columns.source.name}: a split has {wrong[0]:g} rows by {given!r}; sizes are at least 1")
    return sizes
