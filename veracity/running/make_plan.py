"""From data, learners and designs to the fits they need, each once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from veracity.core.bounds import ANYWAY, FITS, check_bound
from veracity.designs.make_design import choose_design, split_count
from veracity.learners.fingerprint import fingerprint
from veracity.learners.fit_arguments import fit_keywords
from veracity.learners.preparation import with_preparation
from veracity.learners.tuning_design import tuning_parts, with_inner_design
from veracity.records.arrays import Array
from veracity.records.data import Data
from veracity.records.design import Design, Rows, Split
from veracity.records.fit import (
    Answer,
    Fit,
    answer_key,
    fit_key,
    ordered_digest,
    rows_digest,
    rows_in_order,
    rows_to_predict,
)
from veracity.records.plan import Plan, PlannedSplit


class SplitRows(NamedTuple):
    """The rows of a split, in order, and their digests: of those that train, without and with those that validate."""

    train: Array
    test: Array  # the rows to predict
    validation: Array | None
    digest: str
    digest_validated: str
    digest_test: str


@dataclass(frozen=True)
class Recipe:
    """How one learner is trained on the splits of one data set."""

    data: str  # their names
    learner: str
    data_mark: str  # their fingerprints
    learner_mark: str
    seed: int
    inner: str  # the design that the learner tunes by, where the outer design says so
    validates: bool  # whether it takes validation rows

    def digest(self, rows: SplitRows) -> str:
        """The digest of the rows that a fit depends on."""
        return rows.digest_validated if self.validates else rows.digest

    def key(self, digest: str) -> str:
        """The key of the fit of rows with that digest."""
        return fit_key(self.data_mark, self.learner_mark, digest, self.seed)

    def fit(self, rows: SplitRows, answers: tuple[Answer, ...] = (), key: str = "") -> Fit:
        """The fit that a split asks for, whose key may be known; without answers, of its own test rows."""
        validation, key = rows.validation if self.validates else None, key or self.key(self.digest(rows))
        predict = rows_to_predict(answers) if answers else rows.test
        return Fit(key, self.data, self.learner, rows.train, predict, self.seed, answers, validation, self.inner)


class Wanted(NamedTuple):
    """A fit that some splits ask for, and what is to be stored of it, by the digests of the rows to predict."""

    recipe: Recipe
    rows: SplitRows
    answers: dict[str, Answer]


class Demand:
    """The fits that splits ask for, each once."""

    def __init__(self) -> None:
        self.wanted: dict[str, Wanted] = {}  # by key
        self.keys: dict[tuple[int, str], str] = {}  # by recipe and digest: a look takes less than a key

    def want(self, recipe: Recipe, rows: SplitRows) -> str:
        """Ask for a split by a recipe, which must outlive the demand; the key of its answer."""
        digest = recipe.digest(rows)
        place = (id(recipe), digest)
        if place not in self.keys:
            self.keys[place] = recipe.key(digest)
            self.wanted.setdefault(self.keys[place], Wanted(recipe, rows, {}))
        key = self.keys[place]
        answers = self.wanted[key].answers
        if rows.digest_test not in answers:
            answers[rows.digest_test] = Answer(answer_key(key, rows.digest_test), rows.test)
        return answers[rows.digest_test].key

    def fits(self) -> list[Fit]:
        """Each with all that is to be stored of it."""
        return [recipe.fit(rows, tuple(answers.values()), key) for key, (recipe, rows, answers) in self.wanted.items()]


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
    def _recipes(self) -> dict[tuple[str, str, str], Recipe]:
        return {}

    def recipe(self, data: str, learner: str, inner: str = "") -> Recipe:
        """Made once for all the splits that ask for it."""
        place = (data, learner, inner)
        if place not in self._recipes:
            self._recipes[place] = self._make_recipe(*place)
        return self._recipes[place]

    def _make_recipe(self, data: str, learner: str, inner: str) -> Recipe:
        maker, table = self.makers[learner], self.data[data]
        tuning = with_inner_design(maker, inner)
        whole = with_preparation(tuning, table)
        mark = self.fingerprints[learner] if whole is maker else fingerprint(whole)
        inner = "" if tuning is maker else inner
        validates = "validation" in fit_keywords(maker)
        return Recipe(data, learner, table.fingerprint, mark, self.seed, inner, validates)


def make_plan(setup: Setup, final: bool = False, more: Sequence[Fit] = ()) -> Plan:
    """Every split of every design of every data set for every learner; the same training rows are one fit.

    With `final`, also a fit on all rows for each, of which only is stored whether it succeeds and what it chose; and
    `more` fits that checks ask for.
    """
    check_fits(setup)
    cells: list[PlannedSplit] = []
    finals: dict[str, dict[str, str]] = {}
    demand = Demand()
    for name, table in setup.data.items():
        ordered = OrderedRows()
        for design in setup.designs[name]:
            rows = [split_rows(split, ordered) for split in design.splits]
            for learner in setup.learners:
                recipe = setup.recipe(name, learner, inner_of(design))
                for number, part in enumerate(rows):
                    cells.append(PlannedSplit(name, learner, design.name, number, demand.want(recipe, part)))
        every = np.arange(len(table))
        for learner in setup.learners if final else ():
            recipe = setup.recipe(name, learner, final_inner(setup.designs[name]))
            finals.setdefault(name, {})[learner] = demand.want(recipe, split_rows(Split(every, every[:0]), ordered))
    fits = demand.fits()
    planned = {answer.key for fit in fits for answer in fit.answers}
    new = [fit for fit in more if not all(answer.key in planned for answer in fit.stored)]
    extra = {answer.key for fit in new for answer in fit.stored}
    extra |= {key for of_learners in finals.values() for key in of_learners.values()}
    return Plan((*fits, *new), tuple(cells), frozenset(extra), finals)


def check_fits(setup: Setup) -> None:
    """Refuse more fits than anybody asks for by mistake; a design that says `anyway=True` is meant."""
    fits = 0
    for name, table in setup.data.items():
        for design in setup.designs[name]:
            if f"{ANYWAY}=True" not in design.name:
                each = (fits_inside(learner, design, len(table)) for learner in setup.learners.values())
                fits += len(design) * sum(each)
    told = f"{len(setup.data):,} x {len(setup.learners):,} data sets and learners take {fits:,} fits by these designs"
    check_bound(fits, FITS, told, f"ask for fewer, or write {ANYWAY}=True in the design if that is meant")


def fits_inside(learner: Any, design: Design, rows: int) -> int:
    """How many models one fit of a learner trains: a part that tunes itself tries each setting on each inner split."""
    fits = 1
    for part in tuning_parts(learner).values():
        by = design.inner or part.by or "kfold(k=5)"
        own = hasattr(by, "split") and not isinstance(by, str)  # a splitter, which is not asked before its time
        fits *= 1 + int(getattr(part, "setting_count", 1)) * (1 if own else split_count(choose_design(by), Rows(rows)))
    return fits


def inner_of(design: Design) -> str:
    """The design to tune by inside each training part, as it is spelled; nothing where the design does not say."""
    return "" if design.inner is None else str(design.inner)


def final_inner(designs: Sequence[Design]) -> str:
    """The design to tune by on all rows: the inner one of the first design that has one."""
    return next((inner for design in designs if (inner := inner_of(design))), "")


class OrderedRows:
    """Rows in order with their digests; an array that several splits share is looked at once."""

    def __init__(self) -> None:
        self.known: dict[int, tuple[Array, Array, str]] = {}  # the first holds the array, so that its number stays its

    def __call__(self, rows: Array) -> tuple[Array, str]:
        if id(rows) not in self.known:
            in_order = rows_in_order(rows)
            self.known[id(rows)] = (rows, in_order, ordered_digest(in_order))
        return self.known[id(rows)][1:]


def split_rows(split: Split, ordered: OrderedRows | None = None) -> SplitRows:
    """Arrays in order are shared by all fits and not copied; validation rows are predicted too."""
    ordered = ordered or OrderedRows()
    train, digest = ordered(split.train)
    if split.validation is None:
        test, digest_test = ordered(split.test)
        return SplitRows(train, test, None, digest, digest, digest_test)
    validation, mark = ordered(split.validation)
    test = np.union1d(split.test, validation)
    return SplitRows(train, test, validation, digest, f"{digest}|{mark}", rows_digest(test))
