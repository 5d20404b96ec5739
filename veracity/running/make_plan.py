"""From data, learners and designs to the fits they need, each once."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from veracity.core.bounds import ANYWAY, FITS, check_bound
from veracity.designs.make_design import choose_design, split_count
from veracity.learners.fingerprint import fingerprint
from veracity.learners.inspection import fit_keywords, tuning_parts, with_inner_design
from veracity.learners.preparation import with_preparation
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


@dataclass(frozen=True, eq=False)
class Setup:
    """What a plan is made from; each learner is fingerprinted once, as it is when that is first asked for."""

    data: Mapping[str, Data]
    designs: Mapping[str, Sequence[Design]]  # by data set
    learners: Mapping[str, Any]
    seed: int
    others: Mapping[str, Any] = field(default_factory=dict)  # learners that only checks ask for
    _about: dict[tuple[str, str, str], tuple[str, str, bool]] = field(default_factory=dict)

    @property
    def makers(self) -> dict[str, Any]:
        """All that workers may have to fit."""
        return {**self.learners, **self.others}

    @cached_property
    def fingerprints(self) -> dict[str, str]:
        return {name: fingerprint(maker) for name, maker in self.makers.items()}

    def fit(self, data: str, learner: str, rows: SplitRows, inner: str = "") -> Fit:
        """Return the fit that a split asks for; `inner` is the design to tune by, where the outer design has one."""
        table = self.data[data]
        if (data, learner, inner) not in self._about:  # which is the same for all splits
            maker = self.makers[learner]
            tuning = with_inner_design(maker, inner)
            whole = with_preparation(tuning, table)
            mark = self.fingerprints[learner] if whole is maker else fingerprint(whole)
            own = "" if tuning is maker else inner
            self._about[data, learner, inner] = mark, own, "validation" in fit_keywords(maker)
        mark, own, validates = self._about[data, learner, inner]
        validation, digest = (rows.validation, rows.digest_validated) if validates else (None, rows.digest)
        key = fit_key(table.fingerprint, mark, digest, self.seed)
        return Fit(key, data, learner, rows.train, rows.predict, self.seed, validation, own)

    def baseline_fit(self, data: str, rows: SplitRows) -> Fit:
        """Return the fit of the learner that sees no feature, which a check compares others with."""
        return self.fit(data, f"{BASELINE} {self.data[data].kind}", rows)


def make_plan(setup: Setup, final: bool = False, checks: Collection[str] = ()) -> Plan:
    """Plan every split of every design of every data set for every learner; the same training rows are one fit.

    With `final`, also a fit on all rows for each, of which only is stored whether it succeeds and what it chose. Of the
    `checks`, "baseline" fits the learner that sees no feature on every split, and "deterministic" the first split of
    every learner once more.
    """
    check_fits(setup)
    fits: dict[str, Fit] = {}
    predict: dict[str, list[Array]] = {}  # by key, the rows that splits want predicted
    cells: list[PlannedSplit] = []
    finals: dict[str, dict[str, str]] = {}

    def add(fit: Fit) -> str:
        fits.setdefault(fit.key, fit)
        predict.setdefault(fit.key, []).append(fit.predict)
        return fit.key

    for name, table in setup.data.items():
        for design in setup.designs[name]:
            rows = [split_rows(split) for split in design.splits]
            for learner in setup.learners:
                for number, part in enumerate(rows):
                    key = add(setup.fit(name, learner, part, inner_of(design)))
                    cells.append(PlannedSplit(name, learner, design.name, number, key))
            for part in rows if "baseline" in checks else ():
                add(setup.baseline_fit(name, part))
        every = np.arange(len(table))
        for learner in setup.learners if final else ():
            fit = setup.fit(name, learner, split_rows(Split(every, every[:0])), final_inner(setup.designs[name]))
            finals.setdefault(name, {})[learner] = add(fit)
    for key, parts in predict.items():
        if len(parts) > 1:
            fits[key] = replace(fits[key], predict=np.unique(np.concatenate(parts)))
    if "deterministic" in checks:
        for key in first_keys(setup).values():
            fits[repeat_key(key)] = replace(fits[key], key=repeat_key(key), repeats=key)
    extra = frozenset(fits) - {cell.key for cell in cells}
    return Plan(tuple(fits.values()), tuple(cells), extra, finals)


def first_keys(setup: Setup) -> dict[tuple[str, str], str]:
    """Return the key of the fit of the first split of each data set and learner."""
    keys = {}
    for name in setup.data:
        design = setup.designs[name][0]
        rows = split_rows(design.splits[0])
        for learner in setup.learners:
            keys[name, learner] = setup.fit(name, learner, rows, inner_of(design)).key
    return keys


def check_fits(setup: Setup) -> None:
    """Refuse more fits than anybody asks for by mistake; a design that says `anyway=True` is meant.

    A part that tunes itself tries each setting on each inner split.
    """
    fits = 0
    for name, table in setup.data.items():
        for design, learner in product(setup.designs[name], setup.learners.values()):
            if f"{ANYWAY}=True" in design.name:
                continue
            inside = 1
            for part in tuning_parts(learner).values():
                by = design.inner or part.by or "kfold(k=5)"
                own = hasattr(by, "split") and not isinstance(by, str)  # a splitter, which is not asked before its time
                splits = 1 if own else split_count(choose_design(by), Rows(len(table)))
                inside *= 1 + int(getattr(part, "setting_count", 1)) * splits
            fits += len(design) * inside
    told = f"{len(setup.data):,} x {len(setup.learners):,} data sets and learners take {fits:,} fits by these designs"
    check_bound(fits, FITS, told, f"ask for fewer, or write {ANYWAY}=True in the design if that is meant")


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
