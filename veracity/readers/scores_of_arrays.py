"""Scores of learners on data sets that come from elsewhere, as a matrix."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from veracity.core.arguments import Numbers, Table, verb
from veracity.core.errors import BadInput
from veracity.evidence.columns import check_same_index
from veracity.evidence.labels import Places, as_labels
from veracity.evidence.score_matrix import ScoreMatrix, SplitScores, SplitTable
from veracity.readers.columns import read_columns
from veracity.readers.layouts import refuse_layout
from veracity.readers.source import quote_names
from veracity.records.arrays import Array, as_numbers, freeze
from veracity.scores.default import better_by_name, better_by_names, different_scores


@verb
def score_matrix(
    scores: Table,
    learners: Sequence[str] | None = None,
    datasets: Sequence[str] | None = None,
    better: str | None = None,
    score: str = "score",
) -> ScoreMatrix:
    """One row per data set, one column per learner: an array, nested lists, a frame, or split scores by data set.

    The first column of a frame that holds text names the data sets. Without names learners are "learner 1",
    "learner 2", ... and data sets "data 1", "data 2", .... A missing (NaN) cell stays missing; comparisons say what
    they left out. A mapping of data sets to `split_scores` keeps these, as hierarchical_posterior needs. `better` is
    known from the name of a score of ours, such as score="error"; of any other the higher is better unless it is said.

    Parameters
    ----------
    scores
        An array, lists or a frame of data sets x learners, or split scores by data set.
    learners
        Names of the columns.
    datasets
        Names of the rows.
    better
        'higher' or 'lower'; known from the name of a score of ours, else the higher is better.
    score
        What the numbers are.

    Examples
    --------
    >>> vc.score_matrix([[0.8, 0.7], [0.9, 0.8]], learners=["a", "b"]).datasets
    ('data 1', 'data 2')
    """
    if isinstance(scores, Mapping) and scores and all(isinstance(one, SplitTable) for one in scores.values()):
        return _matrix_of_splits(scores)
    plain = isinstance(scores, (np.ndarray, list, tuple)) and getattr(scores, "dtype", np.dtype(float)).names is None
    if plain:
        values, columns, rows = as_numbers(scores, "a matrix of scores").astype(float), None, None
    else:
        values, columns, rows = _matrix_of_frame(scores)
    if values.ndim != 2 or not values.size:
        raise BadInput(f"a matrix of scores has one row per data set and one column per learner, not {values.shape}")
    columns = _names(learners, columns, values.shape[1], "learner", "learners")
    rows = _names(datasets, rows, values.shape[0], "data", "data sets")
    if len(columns) < 2:
        raise BadInput("a matrix of scores needs two learners or more, one column each")
    side = better_direction(better, score, columns)
    return ScoreMatrix(freeze(values), columns, rows, side or "higher", score, is_better_known=side is not None)


def better_direction(
    requested: str | None, score: str, columns: Sequence[str], place: str = "the frame", files: Sequence[str] = ()
) -> str | None:
    """Return whether higher or lower scores are better: as requested, else by the names of score, files or columns.

    Return None where no name tells. Raise BadInput, which names `better=`, where only the name of a file or a column
    says that the scores are errors.
    """
    if requested not in (None, "higher", "lower"):
        raise BadInput(f"better must be 'higher' or 'lower', not {requested!r}")
    known = requested or better_by_name(score)
    if known is not None:
        return known
    kinds = different_scores(columns)
    if kinds:
        says = f"{place}: the columns {quote_names(kinds)} are scores of several kinds and no learners"
        raise BadInput(f"{says}: give one score of each learner, a learner in each column")
    for what, names in (("its columns are called", columns), ("the file is called", files)):
        if better_by_names(names) == "lower":
            ways = "`better='lower'` if so, or `better='higher'`"
            raise BadInput(f"{place}: {what} {names[0]!r}, as if lower scores were better: give {ways}")
    return better_by_names(files) or better_by_names(columns)


def _matrix_of_frame(frame: Any) -> tuple[Array, tuple[str, ...], tuple[str, ...] | None]:
    """Return the numbers, the names of their columns, and those of the data sets where a column of text has them."""
    columns = read_columns(frame)
    refuse_layout(columns, columns.source.name, {})
    cells = dict(columns)
    text = next((name for name, column in cells.items() if any(isinstance(item, str) for item in column)), None)
    rows = None if text is None else tuple(map(str, cells.pop(text)))
    numbers = []
    for name, column in cells.items():
        try:
            numbers.append(np.array([np.nan if item is None else item for item in column], float))
        except (TypeError, ValueError):
            says = "holds text, and only the first such column names data sets: leave it out"
            raise BadInput(f"the frame's column {name} {says}") from None
    if not numbers:
        raise BadInput("the frame has no column of scores: give one column of numbers for each learner")
    return np.column_stack(numbers), tuple(map(str, cells)), rows


def _names(
    given: Sequence[str] | None, guess: tuple[str, ...] | None, number: int, one: str, several: str
) -> tuple[str, ...]:
    """Return the names given, or those found, or numbers; two data sets of one name are told apart."""
    if given is not None:
        names = tuple(map(str, as_labels(given, f"the names of {several}").tolist()))
        if len(names) != number:
            raise BadInput(f"there are {number} {several} but {len(names)} names of them")
    else:
        names = guess if guess is not None else tuple(f"{one} {i + 1}" for i in range(number))
    if one == "learner" and len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise BadInput(f"two learners are called {twice!r}: give each a name of its own")
    return names


def _matrix_of_splits(tables: Mapping[str, SplitTable]) -> ScoreMatrix:
    """Return a matrix in which each cell is the mean over its splits."""
    first = next(iter(tables.values()))
    learners = tuple(first.learners)
    for name, table in tables.items():
        if set(table.learners) != set(learners) or (table.better, table.score) != (first.better, first.score):
            raise BadInput(f"the split scores on {name} are of other learners or of another score than the first ones")
    splits = tuple(tuple(table.learners[learner] for learner in learners) for table in tables.values())
    values = np.array([[cell.mean for cell in row] for row in splits])
    return ScoreMatrix(freeze(values), learners, tuple(map(str, tables)), first.better, first.score, splits)


@verb
def split_scores(
    scores: Mapping[str, Any],
    *,
    train: Numbers,
    test: Numbers,
    k: int | None = None,
    repeats: int | None = None,
    better: str | None = None,
    score: str = "score",
    independent: bool = False,
) -> SplitTable:
    """Scores of learners on the same splits of one data set, ready for `compare`.

    Each learner has one score per split, run by run: all folds of the first repeat, then of the second. `train` and
    `test` are numbers of rows, one for all splits or one for each. `k` folds and `repeats` say that the splits are
    (repeated) k-fold; without them they are hold-outs. `independent=True` says that every split had training and test
    rows of its own, drawn afresh from the population, as only a simulation can. `better` is known from the name of a
    score of ours, such as score="error"; of any other the higher is better unless it is said.

    Parameters
    ----------
    scores
        A mapping of learners to one score per split, run by run.
    train
        How many rows trained each split: one number, or one for each.
    test
        How many rows tested each split: one number, or one for each.
    k
        How many folds a repeat has.
    repeats
        How many repeats there are.
    better
        'higher' or 'lower'; known from the name of a score of ours, else the higher is better.
    score
        What the numbers are.
    independent
        Every split had fresh rows, as only a simulation has.

    Examples
    --------
    >>> s = vc.split_scores({"a": [0.80, 0.90, 0.85], "b": [0.70, 0.75, 0.85]}, train=90, test=10, k=3)
    >>> f"{vc.compare(s).p_value:.3f}"
    '0.243'
    """
    if not isinstance(scores, Mapping) or len(scores) < 2:
        raise BadInput("give the split scores of two learners or more: split_scores({'a': a, 'b': b}, train=, test=)")
    check_same_index({str(name): values for name, values in scores.items()}, Places())
    columns = {
        str(name): as_numbers(values, f"the split scores of {name}").astype(float) for name, values in scores.items()
    }
    for name, numbers in columns.items():
        if numbers.ndim != 1 or not len(numbers):
            shape = f"not an array of shape {numbers.shape}"
            raise BadInput(f"the split scores of {name} must be one number per split, {shape}")
    first, splits = next((name, len(values)) for name, values in columns.items())
    for name, values in columns.items():
        if len(values) != splits:
            says = f"{first} has {splits} split scores but {name} has {len(values)}"
            raise BadInput(f"{says}: score both on the same splits")
    side = better_direction(better, score, list(columns)) or "higher"
    for role, number in (("k", k), ("repeats", repeats)):
        if number is not None and number < 1:
            raise BadInput(f"{role} must be at least 1, not {number}")
    folds = k if k is not None else 1 if repeats is None else splits // repeats  # a hold-out is a repeat of its own
    rounds = splits // max(folds, 1) if repeats is None else repeats
    if folds * rounds != splits:
        product = f"k={folds} folds and repeats={rounds} make {folds * rounds} splits"
        raise BadInput(f"{product}, but there are {splits} scores per learner")
    of_first = SplitScores.of(columns[first], train, test, np.arange(splits) // folds)
    learners = {name: replace(of_first, values=freeze(values)) for name, values in columns.items()}
    return SplitTable(learners, side, score, independent)
