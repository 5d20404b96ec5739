"""What an estimate over incomplete evidence must say before anything else, and which design leaves nothing out."""

from __future__ import annotations

import math
from itertools import accumulate

import numpy as np

from veracity.core.entry import Choice
from veracity.core.notes import Note
from veracity.core.words import plural
from veracity.designs.parameters import even_sizes, spread_groups
from veracity.evidence.run import Run
from veracity.findings.interval import Interval
from veracity.records.arrays import Array, ratio
from veracity.records.design import Design
from veracity.risk.fold_scores import Resampling

MOST = 10  # folds
MATTERS = 0.1  # of the distance to the lower limit, beyond which few rows are told; by simulation


def incomplete_notes(run: Run, value: float = 0.0) -> tuple[Note, ...]:
    """How many splits failed and how many were not run; what that means is said of a value that there is."""
    of, left = f"of {plural(len(run.design), 'split')} of {run.learner} on {run.data}", _what_is_left(run, value)
    notes: tuple[Note, ...] = ()
    if run.failed:
        why = f" (the first: {run.reason})" if run.reason else ""
        notes += (Note("failed-splits", "caution", f"{run.failed} {of} failed{why}{left}"),)
    if run.absent:
        notes += (Note("missing-splits", "caution", f"there is nothing yet of {run.absent} {of}{left}"),)
    return notes


def skipped_notes(score: Choice, number: int, splits: int, run: Run | None = None) -> tuple[Note, ...]:
    """How many splits averages do without, because the score is undefined there; of one run, also what avoids that."""
    if not number:
        return ()
    why = f"where {score.undefined}" + ("" if run is None else f": {_spreading_design(run)}")
    return (Note("skipped-splits", "caution", f"averages are without {number} of {plural(splits, 'split')}, {why}"),)


def _spreading_design(run: Run) -> str:
    """What spreads classes over test parts; time order does not, but longer windows hold more of them."""
    if run.design.forward:
        return "fewer windows in time make that rarer"
    p = run.predictions
    if p is not None and p.groups is not None:
        return f"{spread_groups(5)} avoids that"
    return f"a stratified design{unordered_option(run.design).replace(',', ' with')} avoids that"


def unordered_option(design: Design) -> str:
    """What a design of rows that have a time must say to deal them at random, as this one did."""
    return ", ordered=False" if any(note.code == "out-of-time-order" for note in design.notes) else ""


def _what_is_left(run: Run, value: float) -> str:
    """An undefined value has a reason of its own, and is over nothing."""
    if math.isnan(value):
        return ""
    whole = all(number in run.places for number in run.design.main_splits)
    return "; the estimate does without them, its interval may not" if whole else "; the estimate is over the others"


def larger_parts_advice(r: Resampling) -> str:
    """A way out that can be followed: folds that hold every class, or half as many where that is so already."""
    if (r.run.truth == r.run.truth[0]).all():
        return "no design helps, as the target is constant"
    p, lacking = r.run.fresh.predictions, _lacks_a_class(r)
    if r.run.design.forward:
        return _fewer_windows(r.run, len(r.main_splits) // 2, lacking)
    if lacking and p is not None and p.groups is not None and p.rows is not None:
        rows, first = np.unique(p.rows, return_index=True)
        return _folds_of_groups(r.run.truth[rows], p.groups[first])
    folds = _rarest(r.run.truth) if lacking else int(r.run.design.rows / r.split_scores().test.mean()) // 2
    if folds < 2:
        return "more rows are needed"
    repeated = f"repeated_kfold(k={min(folds, MOST)}, repeats=10{unordered_option(r.run.design)})"
    return f"use conservative_t `by={repeated!r}`"


def _lacks_a_class(r: Resampling) -> bool:
    """Whether some test part lacks a class."""
    p, truth = r.run.fresh.predictions, r.run.truth
    if p is None or p.rows is None or p.kind != "classes":
        return False
    return not _hold_every_class(truth, [p.rows[here] for n, here in r.run.fresh.places.items() if n in r.main_splits])


def _fewer_windows(run: Run, half: int, lacking: bool) -> str:
    """Fewer windows, of which each holds every class; or one, as rows in time order cannot be dealt otherwise."""
    tests = [np.sort(split.test) for split in run.design.splits]
    order = np.concatenate([np.setdiff1d(np.arange(run.design.rows), np.concatenate(tests)), *tests])
    for windows in range(len(tests) - 1 if lacking else half, 1, -1):
        stretches = np.split(order, list(accumulate(even_sizes(len(order), windows + 1)))[:-1])
        if not lacking or _hold_every_class(run.truth, stretches):
            return f"use corrected_t `by='kfold(k={windows})'`"
    both = np.split(order, [2 * len(order) // 3])
    if not _hold_every_class(run.truth, both):
        return "more rows are needed"
    return "use `by='holdout'` and its default interval"


def _hold_every_class(truth: Array, parts: list[Array]) -> bool:
    classes = len(np.unique(truth))
    return all(len(np.unique(truth[part])) == classes for part in parts)


def _rarest(truth: Array) -> int:
    """The rows of the rarest class, which folds can share out."""
    return int(np.unique(truth, return_counts=True)[1].min())


def _folds_of_groups(truth: Array, groups: Array) -> str:
    """Folds of whole groups that hold every class, tried out, as none can be promised."""
    from sklearn.model_selection import StratifiedGroupKFold

    there = np.unique(truth)
    for folds in range(min(MOST, *(len(np.unique(groups[truth == code])) for code in there)), 1, -1):
        parts = StratifiedGroupKFold(folds).split(truth, truth, groups)
        if all(len(np.unique(truth[test])) == len(there) for _, test in parts):
            return f"use corrected_t {spread_groups(folds)}"
    return "more groups with the rarest class are needed"


def small_parts_notes(r: Resampling, value: float, interval: Interval | None) -> tuple[Note, ...]:
    """The first few rows of an ordering decide its average precision, which is higher the fewer are ordered."""
    if not r.score.is_one_of("average_precision") or interval is None:
        return ()
    above = _excess(r, value)
    if not above > MATTERS * (value - interval.low):
        return ()
    says = (
        f"average_precision is higher the fewer rows are ordered, by about {above:.2g} here, and the interval is about"
        f" test parts of so few: use `by='repeated_holdout(test=0.5)'`, or compare it with such parts alone"
    )
    return (Note("small-test-parts", "caution", says),)


def _excess(r: Resampling, value: float) -> float:
    """What orderings by chance have beyond their share of positive rows, in proportion to what is left of 1."""
    parts = r.main_predictions.values()
    rows = np.array([len(part) for part in parts], float)
    positives = np.array([np.count_nonzero(part.truth == part.positive) for part in parts], float)
    by_chance = chance_precision(rows, positives)
    above = by_chance - positives / rows
    return float(np.mean(above * ratio(1 - value, 1 - by_chance)))


def chance_precision(rows: Array, positives: Array) -> Array:
    """The mean average precision of all orders of so many rows, of which so many are positive."""
    harmonic = np.array([np.sum(1 / np.arange(1, number + 1)) for number in rows])
    others = ratio(positives - 1, rows - 1)
    return np.asarray((harmonic + others * (rows - harmonic)) / rows)
