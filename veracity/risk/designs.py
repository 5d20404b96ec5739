"""The splits that an estimator of risk needs, the estimator that splits were made for, and its default interval."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from veracity.core import spelling
from veracity.core.bounds import ANYWAY
from veracity.core.entry import Choice, DefaultRule
from veracity.core.errors import BadInput, Refused
from veracity.core.notes import always, unique
from veracity.core.spelling import Spelling
from veracity.core.suggest import offer
from veracity.designs import designs
from veracity.designs.make_design import choose_design, make_design, offer_chance, spell_design
from veracity.evidence.score_matrix import sizes_differ
from veracity.records.arrays import freeze
from veracity.records.design import Design, Rows, Split, SplitPart
from veracity.risk import KINDS, OWN, RESUBSTITUTION, SPLITS, estimators

FOLDS = re.compile(r"(cv|k?fold)?\W?(\d+)", re.IGNORECASE)  # a number of folds, as other programs have it


def design_for(by: Any, rows: Rows, seed: int, features: Any = None) -> Design:
    """Return the splits of a design, or those that an estimator implies; a splitter of scikit-learn is a design.

    An estimator's parts are made as the designs they name are, from the same seed: asked together, they share fits.
    """
    return designs_for([by], rows, seed, features)[0]


def designs_for(every: Sequence[Any], rows: Rows, seed: int, features: Any = None) -> list[Design]:
    """Return the splits of several designs or estimators; what more than one of them asks for is made once."""
    made: dict[str, Design] = {}

    def make(by: Any) -> Design:
        if not isinstance(by, (str, Choice)):
            return make_design(by, rows, seed, features)
        choice = choose_design(by)
        name = spell_design(choice)
        if name not in made:
            made[name] = make_design(choice, rows, seed, features)
        return made[name]

    return [_design_for(by, len(rows), seed, make) for by in every]


def _design_for(by: Any, rows: int, seed: int, make: Callable[[Any], Design]) -> Design:
    """Return the design, or the joined parts of an estimator."""
    choice = estimator_with_parts(by)
    if choice is None:
        return make(by)
    try:
        designs_of_parts = list(zip(choice.parts, map(make, part_designs(choice)), strict=True))
    except Refused as why:
        raise offer_chance(choice, why) from None
    every = freeze(np.arange(rows, dtype=np.int32))
    splits = []
    for part, one in designs_of_parts:
        name = SplitPart(part.name)
        for split in one.splits:
            test = every if part.every else split.test
            splits.append(Split(split.train, test, split.repeat, split.fold, name, split.validation))
    notes = unique(tuple(note for _, one in designs_of_parts for note in one.notes))
    return Design(spell_design(choice), seed, rows, tuple(splits), notes)


def part_designs(choice: Choice) -> list[str]:
    """Return the designs of an estimator's parts, with its parameters and asked for as much work as it is."""
    sizes = tuple((p.name, choice.value(p.name)) for p in choice.parameters)
    more = ((ANYWAY, True),) if choice.anyway else ()
    arguments = [() if part is RESUBSTITUTION else part.fixed + sizes for part in choice.parts]
    return [str(Spelling(part.design, own + more)) for part, own in zip(choice.parts, arguments, strict=True)]


def choose_by(by: Any) -> Choice:
    """Return the estimator with splits of its own, or else the design, that a text stands for."""
    return estimator_with_parts(by) or choose_design(by)


def estimator_with_parts(by: Any) -> Choice | None:
    """Return the estimator with splits of its own that a text names; None for a design."""
    if isinstance(by, Choice):
        return by if by.kind == "estimator" and by.entry.parts else None
    if not isinstance(by, str):
        return None
    name = spelling.read(by).name
    if name not in estimators and name not in designs:
        folds, known = FOLDS.fullmatch(name), {**designs.entries, **estimators.entries}
        way_out = f"did you mean kfold(k={folds[2]})?" if folds else offer(name, known)
        raise BadInput(f"there is no design or estimator called {name!r}: {way_out}")
    return estimators.choose(by) if name in estimators and estimators[name].parts else None


def estimator_of(design: Design) -> Choice:
    """Return the estimator that a design's splits are read by: by its name, or else by the splits themselves.

    As many folds as rows are leaving one out, whatever they were called, and leaving out whole groups is k-fold.
    """
    try:
        name = spelling.read(design.name).name
    except BadInput:  # a splitter's own text
        name = ""
    entry = None if name in ("kfold", "leave_one_out") else estimators.entries.get(name)
    if entry is not None and not entry.parts:
        return entry.choose()
    in_parts = bool(design.splits and design.splits[0].part)
    return estimators.choose(estimator_from_splits(design) if entry is None or not in_parts else design.name)


def estimator_from_splits(design: Design) -> str:
    """Return the estimator that a foreign splitter's splits are read by, from the splits alone."""
    if design.tests_trained:
        return "resubstitution"
    if len(design) == 1:
        return "holdout"
    if any(split.learned_from < len(split.train) for split in design.splits):
        return "loo_bootstrap"
    if all(len(split.test) == 1 for split in design.splits):
        return "leave_one_out"
    tested = np.bincount(np.concatenate([split.test for split in design.splits]), minlength=design.rows)
    return "kfold" if (tested == 1).all() else "repeated_holdout"


def trained_share(design: Design) -> str:
    """Return how much of the rows the models of the main part learned from, as a reader writes it."""
    main = [design.splits[number] for number in design.main_splits]
    shares = 100 * np.array([split.learned_from for split in main]) / design.rows
    if sizes_differ([len(split.train) for split in main]):
        return f"{shares.min():.3g} % to {shares.max():.3g} %"
    return f"{shares.mean():.3g} %"


INTERVAL_REASONS = {
    OWN: "as a fixed model's",
    SPLITS: "its variance falls with no repeat, as for learners that change with every row",
    "loo_bootstrap_se": "its standard error comes from the very same draws",
    "cv_wald": "it takes the losses of rows as independent, as those of a stable learner nearly are",
    "percentile": "rows are drawn with what their own models said of them, so nothing is fitted again",
    "conservative_z": "its variance is measured between halves that share no row",
    "nested_cv": "its width is the measured error of cross-validation on folds that it left out",
}


def learner_defaults() -> tuple[DefaultRule, ...]:
    """Return the default interval of each kind of score by each estimator; equal ones share a row."""
    names: dict[tuple[str, str | None, str], list[str]] = {}
    for entry in estimators:
        rows: list[tuple[str, str | None, str]] = []
        rows += [(KINDS[kind], interval, INTERVAL_REASONS[interval]) for kind, interval in entry.interval.items()]
        if "any" not in entry.interval:
            rows.append(("all others" if rows else KINDS["any"], None, entry.says))
        for row in rows:
            names.setdefault(row, []).append(entry.name)
    return tuple(DefaultRule(f"{of} by {', '.join(by)}", name, always, why) for (of, name, why), by in names.items())
