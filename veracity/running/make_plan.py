"""From data, learners and designs to the fits they need, each once."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
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
from veracity.records.fit import Fit, fit_key, ordered_digest, repeat_key, rows_in_order
from veracity.records.plan import Plan, PlannedSplit

BASELINE = "(baseline)"  # in place of a learner's name


class SplitRows(NamedTuple):
    """The rows of a split, in order, and the digests of those that train, without and with those that validate."""

    train: Array
    predict: Array  # the test rows, and those that validate
    validation: Array | None
    digest: str
    digest_validated: str


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

    def key(self, rows: SplitRows) -> str:
        """The key of the fit that a split asks for."""
        digest = rows.digest_validated if self.validates else rows.digest
        return fit_key(self.data_mark, self.learner_mark, digest, self.seed)

    def fit(self, key: str, rows: SplitRows) -> Fit:
        """The fit that a split asks for."""
        validation = rows.validation if self.validates else None
        return Fit(key, self.data, self.learner, rows.train, rows.predict, self.seed, validation, self.inner)


class FitCollector:
    """The fits that splits ask for, each once, with all rows that some split wants predicted."""

    def __init__(self) -> None:
        self._fits: dict[str, Fit] = {}  # by key
        self._predict: dict[str, dict[int, Array]] = {}  # by key, the different arrays of rows to predict

    def add(self, recipe: Recipe, rows: SplitRows) -> str:
        """Ask for the fit of a split, and return its key."""
        key = recipe.key(rows)
        if key not in self._fits:
            self._fits[key] = recipe.fit(key, rows)
        self._predict.setdefault(key, {})[id(rows.predict)] = rows.predict
        return key

    def fits(self) -> dict[str, Fit]:
        """Return every fit by its key."""
        return {key: replace(fit, predict=_union(self._predict[key].values())) for key, fit in self._fits.items()}


def _union(parts: Collection[Array]) -> Array:
    return next(iter(parts)) if len(parts) == 1 else np.unique(np.concatenate(list(parts)))


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

    def baseline_recipe(self, data: str) -> Recipe:
        """The recipe of the learner that sees no feature, which a check compares others with."""
        return self.recipe(data, f"{BASELINE} {self.data[data].kind}")

    def first_recipe(self, data: str, learner: str) -> Recipe:
        """The recipe of a learner on the splits of the first design."""
        return self.recipe(data, learner, inner_of(self.designs[data][0]))


def make_plan(setup: Setup, final: bool = False, checks: Collection[str] = ()) -> Plan:
    """Every split of every design of every data set for every learner; the same training rows are one fit.

    With `final`, also a fit on all rows for each, of which only is stored whether it succeeds and what it chose. Of the
    `checks`, "baseline" fits the learner that sees no feature on every split, and "deterministic" the first split of
    every learner once more.
    """
    check_fits(setup)
    collector = FitCollector()
    cells: list[PlannedSplit] = []
    finals: dict[str, dict[str, str]] = {}
    for name, table in setup.data.items():
        for design in setup.designs[name]:
            rows = [split_rows(split) for split in design.splits]
            for learner in setup.learners:
                recipe = setup.recipe(name, learner, inner_of(design))
                for number, part in enumerate(rows):
                    cells.append(PlannedSplit(name, learner, design.name, number, collector.add(recipe, part)))
            for part in rows if "baseline" in checks else ():
                collector.add(setup.baseline_recipe(name), part)
        every = np.arange(len(table))
        for learner in setup.learners if final else ():
            recipe = setup.recipe(name, learner, final_inner(setup.designs[name]))
            finals.setdefault(name, {})[learner] = collector.add(recipe, split_rows(Split(every, every[:0])))
    fits = collector.fits()
    if "deterministic" in checks:
        for key in first_keys(setup).values():
            fits[repeat_key(key)] = replace(fits[key], key=repeat_key(key), repeats=key)
    extra = frozenset(fits) - {cell.key for cell in cells}
    return Plan(tuple(fits.values()), tuple(cells), extra, finals)


def first_keys(setup: Setup) -> dict[tuple[str, str], str]:
    """Return the key of the fit of the first split of each data set and learner."""
    return {
        (name, learner): setup.first_recipe(name, learner).key(split_rows(setup.designs[name][0].splits[0]))
        for name in setup.data
        for learner in setup.learners
    }


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


def split_rows(split: Split) -> SplitRows:
    """Return the rows of a split in order, with their digests; arrays that are in order are not copied."""
    train = rows_in_order(split.train)
    digest = ordered_digest(train)
    if split.validation is None:
        return SplitRows(train, rows_in_order(split.test), None, digest, digest)
    validation = rows_in_order(split.validation)
    predict = np.union1d(split.test, validation)
    return SplitRows(train, predict, validation, digest, f"{digest}|{ordered_digest(validation)}")
