"""From data, learners and designs to the fits they need, each once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from veracity.learners.fingerprint import fingerprint
from veracity.learners.fit_arguments import taken
from veracity.learners.preparation import prepared
from veracity.learners.tuning_design import tuning_by
from veracity.records.arrays import Array
from veracity.records.data import Data
from veracity.records.design import Design, Split
from veracity.records.fit import Answer, Fit, answer_key, fit_key, rows_digest
from veracity.records.plan import Cell, Plan

Wanted = dict[str, tuple[Fit, dict[str, Answer]]]  # by key: the fit, and what is to be stored of it


class SplitRows(NamedTuple):
    """The rows of a split, in order, and digests of those that train without and with those that validate."""

    train: Array
    test: Array  # the rows to predict
    validation: Array | None
    digest: str
    digest_validated: str


@dataclass(frozen=True)
class Trained:
    """A learner as one design of one data set trains it."""

    data: Data
    learner: str  # its name
    mark: str  # its fingerprint
    inner: str  # the design that it tunes by, where the design says so
    validates: bool  # whether it takes validation rows

    def fit(self, name: str, rows: SplitRows, seed: int) -> Fit:
        """The fit that a split asks for."""
        validated = self.validates and rows.validation is not None
        digest = rows.digest_validated if validated else rows.digest
        key = fit_key(self.data.fingerprint, self.mark, digest, seed)
        validation = rows.validation if validated else None
        return Fit(key, name, self.learner, rows.train, rows.test, seed, (), validation, self.inner)


@dataclass(frozen=True, eq=False)
class Setup:
    """What a plan is made from; each learner is fingerprinted once, as it is when that is first asked for."""

    data: Mapping[str, Data]
    designs: Mapping[str, Sequence[Design]]  # by data set
    learners: Mapping[str, Any]
    seed: int
    others: Mapping[str, Any] = field(default_factory=dict)  # learners that only checks ask for

    @property
    def makers(self) -> dict[str, Any]:
        """All that workers may have to fit."""
        return {**self.learners, **self.others}

    @cached_property
    def fingerprints(self) -> dict[str, str]:
        return {name: fingerprint(maker) for name, maker in self.makers.items()}

    @cached_property
    def _trained(self) -> dict[tuple[str, str, str], Trained]:
        return {}

    def trained(self, data: str, learner: str, inner: str = "") -> Trained:
        """A learner as a data set and an inner design train it, which many splits ask for."""
        place = (data, learner, inner)
        if place not in self._trained:
            self._trained[place] = self._train(*place)
        return self._trained[place]

    def _train(self, data: str, learner: str, inner: str) -> Trained:
        maker, table = self.makers[learner], self.data[data]
        tuning = tuning_by(maker, inner)
        whole = prepared(tuning, table)
        mark = self.fingerprints[learner] if whole is maker else fingerprint(whole)
        return Trained(table, learner, mark, "" if tuning is maker else inner, "validation" in taken(maker))


def make_plan(setup: Setup, final: bool = False, more: Sequence[Fit] = ()) -> Plan:
    """Every split of every design of every data set for every learner; the same training rows are one fit.

    With `final`, also a fit on all rows for each, of which only is stored whether it succeeds and what it chose; and
    `more` fits that checks ask for.
    """
    cells: list[Cell] = []
    finals: dict[str, dict[str, str]] = {}
    wanted: Wanted = {}

    def want(fit: Fit) -> str:
        answer = Answer(answer_key(fit.key, fit.predict), fit.predict)
        wanted.setdefault(fit.key, (fit, {}))[1].setdefault(answer.key, answer)
        return answer.key

    for name, table in setup.data.items():
        for design in setup.designs[name]:
            rows = [split_rows(split) for split in design.splits]
            for learner in setup.learners:
                trained = setup.trained(name, learner, inner_of(design))
                for number, part in enumerate(rows):
                    cells.append(Cell(name, learner, design.name, number, want(trained.fit(name, part, setup.seed))))
        every = np.arange(len(table))
        for learner in setup.learners if final else ():
            trained = setup.trained(name, learner, final_inner(setup.designs[name]))
            key = want(trained.fit(name, SplitRows(every, every[:0], None, rows_digest(every), ""), setup.seed))
            finals.setdefault(name, {})[learner] = key
    planned = {answer for _, answers in wanted.values() for answer in answers}
    new = [fit for fit in more if not all(answer.key in planned for answer in fit.stored)]
    extra = {answer.key for fit in new for answer in fit.stored}
    extra |= {key for keys in finals.values() for key in keys.values()}
    fits = (*(fit.only(tuple(answers.values())) for fit, answers in wanted.values()), *new)
    return Plan(fits, tuple(cells), frozenset(extra), finals)


def inner_of(design: Design) -> str:
    """The design to tune by inside each training part, as it is spelled; nothing where the design does not say."""
    return "" if design.inner is None else str(design.inner)


def final_inner(designs: Sequence[Design]) -> str:
    """The design to tune by on all rows: the inner one of the first design that has one."""
    return next((inner for design in designs if (inner := inner_of(design))), "")


def split_rows(split: Split) -> SplitRows:
    """Arrays in order are shared by all fits and not copied; validation rows are predicted too."""
    train, validation = _ascending(split.train), split.validation
    digest = rows_digest(train)
    if validation is None:
        return SplitRows(train, _ascending(split.test), None, digest, digest)
    test = np.union1d(split.test, validation)
    return SplitRows(train, test, _ascending(validation), digest, rows_digest(train, validation))


def _ascending(rows: Array) -> Array:
    return rows if (rows[1:] >= rows[:-1]).all() else np.sort(rows)
