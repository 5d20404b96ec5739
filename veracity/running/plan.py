"""From data, learners and designs to the fits they need, each once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from veracity.learners.fingerprint import fingerprint
from veracity.learners.prepared import prepared
from veracity.records.arrays import Array
from veracity.records.data import Data
from veracity.records.design import Design, Split
from veracity.records.fit import Answer, Fit, answer_key, fit_key, rows_digest
from veracity.records.plan import Cell, Plan

Wanted = dict[str, tuple[str, str, Array, dict[str, Answer]]]  # by key: data, learner, training rows, answers


def make_plan(
    data: Mapping[str, Data],
    learners: Mapping[str, Any],
    designs: Mapping[str, Sequence[Design]],
    seed: int,
    final: bool = False,
    more: Sequence[Fit] = (),
) -> Plan:
    """Every split of every design of every data set for every learner; the same training rows are one fit.

    With `final`, also a fit on all rows for each, of which only is stored whether it succeeds and what it chose; and
    `more` fits that checks ask for.
    """
    cells: list[Cell] = []
    extra: set[str] = set()
    wanted: Wanted = {}

    def want(key: str, name: str, learner: str, train: Array, rows: Array) -> str:
        answer = Answer(answer_key(key, rows), rows)
        wanted.setdefault(key, (name, learner, train, {}))[3].setdefault(answer.key, answer)
        return answer.key

    for name, table in data.items():
        marks = {learner: fingerprint(prepared(maker, table)) for learner, maker in learners.items()}
        for design in designs[name]:
            rows = [split_rows(split) for split in design.splits]
            for learner, mark in marks.items():
                for number, (train, digest, test) in enumerate(rows):
                    key = fit_key(table.fingerprint, mark, digest, seed)
                    cells.append(Cell(name, learner, design.name, number, want(key, name, learner, train, test)))
        for learner, mark in marks.items() if final else ():
            every = np.arange(len(table))
            key = fit_key(table.fingerprint, mark, rows_digest(every), seed)
            extra.add(want(key, name, learner, every, every[:0]))
    planned = {answer for _, _, _, answers in wanted.values() for answer in answers}
    new = [fit for fit in more if not all(answer.key in planned for answer in fit.stored)]
    extra |= {answer.key for fit in new for answer in fit.stored}
    fits = (*(_fit(key, seed, *parts) for key, parts in wanted.items()), *new)
    return Plan(fits, tuple(cells), frozenset(extra))


def _fit(key: str, seed: int, name: str, learner: str, train: Array, answers: dict[str, Answer]) -> Fit:
    every = tuple(answers.values())
    return Fit(key, name, learner, train, every[0].rows, seed).only(every)


def split_rows(split: Split) -> tuple[Array, str, Array]:
    """Training rows, their digest, and the rows to predict; arrays in order are shared by all fits and not copied."""
    train = _ascending(split.train)
    test = split.test if split.validation is None else np.union1d(split.test, split.validation)
    return train, rows_digest(train), _ascending(test)


def _ascending(rows: Array) -> Array:
    return rows if (rows[1:] >= rows[:-1]).all() else np.sort(rows)
