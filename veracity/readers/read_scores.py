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
from veracity.readers.scores_of_arrays import better_direction
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
from veracity.scores.default import better_by_name

DIRECTIONS = ("higher", "lower")
FILE = "file"  # the column that names the files of several
Key = tuple[Any, ...]  # what tells the splits of one data set apart: repeat and fold; empty where there are none
SplitPlaces = dict[Key, int]  # the place of each split's score in the list


@dataclass(frozen=True, eq=False)
class ScoreList:
    """One score per place of every array; `rows` says where in the file it stands."""

    source: str
    data: Sequence[str]
    learner: Sequence[str]
    value: Array
    rows: Sequence[object]
    keys: Sequence[Key]
    repeats: Array | None = None
    train: Array | None = None
    test: Array | None = None
    score: str = ""  # what the file calls them, where it does
    sizes: tuple[str, str] = ("train", "test")  # what the columns of sizes would be called
    notes: tuple[Note, ...] = ()

    def matrix(self, score: str, better: str) -> ScoreMatrix:
        """Return the mean of every data set and learner, with its splits where the file tells their sizes."""
        datasets, learners = tuple(dict.fromkeys(self.data)), tuple(dict.fromkeys(self.learner))
        cells: dict[tuple[str, str], SplitPlaces] = {}
        for place, (name, learner, key) in enumerate(zip(self.data, self.learner, self.keys, strict=True)):
            first = cells.setdefault((name, learner), {}).setdefault(key, place)
            if first != place:
                both = f"{self.source}: rows {self.rows[first]} and {self.rows[place]} both score {learner}"
                way = ": name the columns that tell splits apart, `repeat=` and `fold=`"
                if key:
                    way = f" in the same split ({', '.join(map(str, key))}): each split has one score"
                raise BadInput(f"{both} on {brief(name)}{way}")
        order = {name: self._splits(cells, name, learners) for name in datasets}
        values = {
            (name, learner): np.array([self.value[cell[key]] if key in cell else np.nan for key in order[name]], float)
            for (name, learner), cell in cells.items()
        }
        means = [
            [values[name, one].mean() if (name, one) in cells else np.nan for one in learners] for name in datasets
        ]
        notes, splits = self.notes, None
        if any(self.keys):
            notes += _missing_splits(values)
        if any(self.keys) and self.train is not None:
            splits = tuple(
                tuple(
                    self._split_scores(values[name, one], list(order[name].values())) if (name, one) in cells else None
                    for one in learners
                )
                for name in datasets
            )
        elif any(self.keys):
            lacks = f"{self.source} has no columns {' and '.join(self.sizes)}, without which nobody knows how much"
            way = "give `train=` and `test=`, the name of a column or one number of rows for all splits"
            notes += (Note("no-sizes", "remark", f"{lacks} splits overlap: {way}"),)
        return ScoreMatrix(freeze(np.array(means, float)), learners, datasets, better, score, splits, notes)

    def _splits(self, cells: Mapping[tuple[str, str], SplitPlaces], name: str, learners: Sequence[str]) -> SplitPlaces:
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


def _missing_splits(values: Mapping[tuple[str, str], Array]) -> tuple[Note, ...]:
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

    Parameters
    ----------
    source
        The path of a file, '-' for standard input, a frame, or a list of files.
    score
        Which score, where the table has several.
    better
        'higher' or 'lower'; known from the name of a score of ours, else the higher is better.
    dataset
        The column of data sets.
    learner
        The column of learners, in a table with a row for each score.
    learners
        The columns of learners, in a table with a column for each.
    repeat
        The column of repeats.
    fold
        The column of folds.
    train
        The column of training rows, or their number.
    test
        The column of test rows, or their number.
    percent
        Read 93 %, and probabilities up to 100, as 0.93.
    decimal
        ',' where numbers of a file are written 0,93.

    Examples
    --------
    >>> table = {"data": ["iris", "wine"], "a": [0.9, 0.8], "b": [0.8, 0.9]}
    >>> vc.read_scores(table).learners
    ('a', 'b')
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
    if entries.sizes != weka.SIZES:
        columns = [] if entries.score else list(dict.fromkeys(entries.learner))  # of a wide table
        return better_direction(None, name, columns, entries.source, files)
    known = better_by_name(name) if name in scores else weka.direction(name)
    if known is None:
        raise BadInput(f"whether a high {name} is good is not known: give `better=` 'higher' or 'lower'")
    return known


def _of_several(
    tables: Mapping[str, Columns], score: str | None, learners: Sequence[str] | None, given: Mapping[str, Any]
) -> ScoreList:
    """Tables of scores as one: by rows where their columns are alike, else by columns."""
    first, *others = tables.values()
    if not others:
        return _scores_of(first, score, learners, given)
    roles = [guess_roles(columns, given) for columns in tables.values()]
    long = all(one.learner is not None and one.dataset is not None for one in roles)
    if long or all(map(weka.is_result, tables.values())):
        return _scores_of(join_parts(list(tables.values())), score, learners, given)
    if any(one.splits for one in roles) and any(set(each) != set(first) for each in others):
        raise BadInput(f"{first.source.name} and the others do not have the same columns, as scores of splits need")

    def join_with_names() -> Columns:
        """Return the rows of all tables in one, with a column that names their files."""
        return join_parts(
            [
                replace(columns, arrays={**columns.arrays, FILE: np.full(columns.rows, name, object)})
                for name, columns in tables.items()
            ]
        )

    if all(one.learner is not None for one in roles):  # one data set in each file
        return _scores_of(join_with_names(), score, learners, {**given, "dataset": FILE})
    single = [_score_columns(columns, one)[0] for columns, one in zip(tables.values(), roles, strict=True)]
    if all(names == single[0] and len(names) == 1 for names in single):  # one learner in each
        dataset = roles[0].dataset or guess_dataset_column(first, roles[0])
        return _scores_of(join_with_names(), single[0][0], None, {**given, "learner": FILE, "dataset": dataset})
    if all(set(each) == set(first) for each in others):
        return _wide_scores(join_parts(list(tables.values())), roles[0], learners)
    lists = [_wide_scores(columns, one, None, 1) for columns, one in zip(tables.values(), roles, strict=True)]
    return replace(
        lists[0],
        source=f"{lists[0].source} and {plural(len(others), 'more file')}",
        data=[name for each in lists for name in each.data],
        learner=[name for each in lists for name in each.learner],
        value=np.concatenate([each.value for each in lists]),
        rows=[f"{row} of {each.source}" for each in lists for row in each.rows],
        keys=[key for each in lists for key in each.keys],
        train=None,  # sizes of splits, of which these tables have none
        test=None,
        notes=tuple(dict.fromkeys(note for each in lists for note in each.notes)),
    )


def _score_columns(columns: Columns, roles: Roles) -> tuple[list[str], str | None, list[str]]:
    """Return the columns of a wide table that hold scores, that of the data sets, and those that only count rows."""
    dataset = roles.dataset or guess_dataset_column(columns, roles)
    counters = guess_counters(columns, dataset)
    scored = [name for name in columns if name != dataset and name not in roles.columns and name not in counters]
    return scored, dataset, counters


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
    """One row per data set, learner and split.

    Where `veracity scores` wrote it, a column says which score each value is, and one of them is taken.
    """
    assert roles.dataset is not None and roles.learner is not None
    data, learner = names_of(columns, roles.dataset), names_of(columns, roles.learner)
    if not {"score", "value"} <= set(columns) or columns["score"].dtype.kind in "iuf":
        name = guess_value_column(columns, roles, score)
        called = "" if name.lower() in SCORE_NAMES else name
        return scores_of_rows(columns, roles, data, learner, numbers(columns, name), score=called)
    named = names_of(columns, "score")
    there = list(dict.fromkeys(named))
    wanted = there[0] if score is None and len(there) == 1 else score and (scores.find_name(score, there) or score)
    if wanted is None:
        raise BadInput(f"{columns.source.name}: name a score, `score=`; there are {quote_names(there)}")
    rows = [row for row, name in enumerate(named) if name == wanted]
    if not rows:
        raise BadInput(f"{columns.source.name} has no score {wanted!r}: there are {quote_names(there)}")
    data, learner = [data[row] for row in rows], [learner[row] for row in rows]
    return scores_of_rows(columns, roles, data, learner, numbers(columns, "value")[rows], rows, score=wanted)


def _wide_scores(columns: Columns, roles: Roles, learners: Sequence[str] | None, least: int = 2) -> ScoreList:
    """One row per data set (and split), one column per learner."""
    others, dataset, counters = _score_columns(columns, roles)
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
    if dataset is None:  # the splits of a table without names are of one data set
        return ["data" if roles.splits else f"data {row + 1}" for row in range(columns.rows)], ()
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
    # whole numbers are whole, so that 1 and 1.0 are the same fold
    parts = [
        [int(cell) if isinstance(cell, float) and cell.is_integer() else cell for cell in columns[name].tolist()]
        for name in (roles.repeat, roles.fold)
        if name is not None
    ]
    keys = [tuple(part[row] for part in parts) for row in at.tolist()]
    names = [place + columns.source.first for place in at.tolist()]
    return ScoreList(columns.source.name, data, learner, value, names, keys, **about)


def _sizes(columns: Columns, given: Any, at: Array) -> Array | None:
    if given is None:
        return None
    sizes = numbers(columns, given)[at] if isinstance(given, str) else np.full(len(at), float(given))
    wrong = sizes[~(sizes >= 1)]
    if len(wrong):
        raise BadInput(f"{columns.source.name}: a split has {wrong[0]:g} rows by {given!r}; sizes are at least 1")
    return sizes
