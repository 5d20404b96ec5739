"""Runs that were made before: all that a store holds, or what a study file names of it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from veracity.cli.work.evaluate import nothing_done
from veracity.core.errors import BadInput
from veracity.evidence.runs import Runs
from veracity.evidence.score_matrix import ScoreMatrix
from veracity.readers.read_scores import read_scores
from veracity.studies.read_runs import read_runs
from veracity.studies.study import STORE, Study

SQLITE = b"SQLite format 3\0"
STUDY = ".toml"
FRESH = ("by", "kind", "positive", "groups", "weights", "time", "leave_out")


class Kept(NamedTuple):
    """Runs, and the questions of the study file that selected them."""

    runs: Runs
    questions: Mapping[str, Any] | None = None


def is_kept(where: str) -> bool:
    """A study file, the address of a store, or a file that is one."""
    if _is_study(where) or "://" in where:
        return True
    try:
        with Path(where).open("rb") as stream:
            return stream.read(len(SQLITE)) == SQLITE
    except OSError:
        return False  # the reader says why it cannot be read


def read_kept(where: str, store: str | None) -> Kept:
    """Everything in a store; through a study file, what that names, from the store beside it."""
    if not _is_study(where):
        if store is not None and not is_kept(where):
            raise BadInput(f"to try learners on {where}, a table, name --target COLUMN and --learner MODULE:CLASS")
        if store is not None:
            raise BadInput(f"--store says where the results of a study file are, and {where} is none: leave it out")
        found = Kept(read_runs(where))
    else:
        study = Study.read(where)
        found = Kept(read_runs(store or STORE, study), study.questions)
    nothing_done(found.runs)
    return found


def scores_alone(where: str, given: Mapping[str, Any]) -> None:
    """Refuse what chooses among the results of a study, of a table that holds scores."""
    for word in ("by", "store"):
        if given[word]:
            raise BadInput(f"--{word} is for the results of a study, and {where} is a table of scores: leave it out")


def made_before(where: str, given: Mapping[str, Any]) -> None:
    """Refuse what says how data are read or split, of runs that are made already."""
    for word in FRESH:
        if given[word]:
            raise BadInput(
                f"--{word.replace('_', '-')} is for learners tried on a table now, and {where} was run: leave it out"
            )


def _is_study(where: str) -> bool:
    return Path(where).suffix.lower() == STUDY


SCORE_ROLES = ("score", "better", "dataset", "learner", "repeat", "fold", "train", "test")


def read_table(file: str, given: Mapping[str, Any]) -> ScoreMatrix:
    """The matrix of a file; sizes of splits are columns or numbers."""
    roles = {name: given.get(name) for name in SCORE_ROLES}
    for name in ("train", "test"):
        roles[name] = _size(name, roles[name])
    return read_scores(file, **roles)


def _size(name: str, text: str | None) -> str | float | None:
    try:
        size = float(text or "")
    except ValueError:
        return text
    if not size > 0:
        raise BadInput(f"--{name} is a column or a number of rows, not {text}")
    return size
