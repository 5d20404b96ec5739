"""Runs that were made before: all that a store holds, or what a study file names of it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from veracity.api.runs import read_runs
from veracity.api.study import STORE, Study
from veracity.cli.evaluating import nothing_done
from veracity.core.errors import BadInput
from veracity.running.runs import Runs

SQLITE = b"SQLite format 3\0"
STUDY = ".toml"


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
        if store is not None:
            raise BadInput(f"--store says where the results of a study file are, and {where} is none: leave it out")
        found = Kept(read_runs(where))
    else:
        study = Study.read(where)
        found = Kept(read_runs(store or STORE, study), study.questions)
    nothing_done(found.runs)
    return found


def _is_study(where: str) -> bool:
    return Path(where).suffix.lower() == STUDY
