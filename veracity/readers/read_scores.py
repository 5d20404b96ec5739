"""Scores that stand in files: tables of data sets and learners, and Weka's result files."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from veracity.core.errors import BadInput
from veracity.evidence.score_matrix import HIGHER_TAKEN, ScoreMatrix
from veracity.readers import weka
from veracity.readers.scores import score_list
from veracity.scores import scores

DIRECTIONS = ("higher", "lower")


def read_scores(
    source: Any,
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
) -> ScoreMatrix:
    """The scores of a file (CSV, TSV, Parquet, JSON lines, ARFF; `-` for standard input) or a frame.

    A wide table has a column that names the data sets and one column per learner. A long one has a row per score, with
    columns for data set and learner. Either may have columns that tell splits apart (repeat, fold) and the rows that
    trained and were tested; roles that the columns' names do not tell are named here, and `train` and `test` may be
    one number for all splits. Result files of Weka's Experimenter are recognised; `score` is then one of its measures.
    """
    if better not in (None, *DIRECTIONS):
        raise BadInput(f"better is 'higher' or 'lower', not {better!r}")
    given = {"dataset": dataset, "learner": learner, "repeat": repeat, "fold": fold, "train": train, "test": test}
    found = score_list(source, score, learners, given)
    name = found.score or score or "score"
    known = better or _direction(name, found.sizes == weka.SIZES)
    matrix = found.matrix(name, known or "higher")
    return matrix if known else replace(matrix, notes=(*matrix.notes, HIGHER_TAKEN))


def _direction(name: str, of_weka: bool) -> str | None:
    """What is known of a score's direction, of our own scores first."""
    plain = name.partition("(")[0]
    known = scores[plain].better if plain in scores else weka.better(name)
    if known is None and of_weka:
        raise BadInput(f"whether a high {name} is good is not known: give better= 'higher' or 'lower'")
    return known
