"""What intervals of learners read, of all samples of a batch at once: from losses, without a run of each sample."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from veracity.core.confidence import Confidence
from veracity.core.entry import Choice
from veracity.core.errors import Refused
from veracity.designs.folds import folds_left_out
from veracity.designs.holdout import FULL
from veracity.evidence.learner_losses import DrawnLosses, FoldLosses, NestedLosses
from veracity.evidence.split_scores import UNKNOWN, LossTraits, SplitScores, Subsamples
from veracity.intervals.compute import compute_limits
from veracity.lab.batches import Batch
from veracity.records.arrays import Array, freeze, ratio
from veracity.records.design import SplitPart
from veracity.risk.estimate_run import EstimateRequest, estimate_run
from veracity.risk.fold_scores import Resampling
from veracity.risk.interval_evidence import interval_evidence

NONE = (math.nan, math.nan)


def batch_limits(
    batch: Batch, methods: tuple[Choice, ...], score: Choice, at: Confidence, refusals: dict[str, str]
) -> Array:
    """Limits of each method in each sample, (samples, methods, 2), NaN where one refuses; `refusals` learns why."""
    known: dict[type, Any] = {}
    found = np.full((len(batch.trials), len(methods), 2), math.nan)
    for place, method in enumerate(methods):
        try:
            every = known.setdefault(method.reads, None) or batch_evidence(batch, method.reads, score)
            known[method.reads] = every
        except Refused as why:
            refusals.setdefault(str(method), why.says)
            continue
        for sample, evidence in enumerate(every):
            try:
                found[sample, place] = _limits(evidence, method, score, at)
            except Refused as why:
                refusals.setdefault(str(method), why.says)
    return found


def _limits(evidence: Any, method: Choice, score: Choice, at: Confidence) -> tuple[float, float]:
    """As `estimate` gives them, within the range of the score; an interval that is always refused is asked anyway."""
    anyway = method.is_one_of("naive_t")
    if isinstance(evidence, Resampling):
        request = EstimateRequest(score, str(score), at, str(method), anyway=anyway)
        interval = estimate_run(evidence.run, request).interval
        return NONE if interval is None else (interval.low, interval.high)
    floor, ceiling = score.range
    limits = compute_limits(method.with_seed(0), evidence, at, anyway)
    return min(max(limits.low, floor), ceiling), max(min(limits.high, ceiling), floor)


def batch_evidence(batch: Batch, wanted: type, score: Choice) -> list[Any]:
    """Of each sample; the first one, made of its run, says what the design is like, or why it does not fit."""
    patterns = batch.tests.patterns
    if wanted is Subsamples and batch.tests.design.splits[0].part == SplitPart(FULL):
        patterns[wanted] = None  # its halves tell all
    if wanted not in patterns:
        patterns[wanted] = interval_evidence(Resampling(score, next(batch.runs())[1]), wanted)
    build = BUILDERS.get(wanted)
    plain = batch.samples[0].groups is None and not batch.tests.design.tests_trained
    if build is None or not plain:
        return [Resampling(score, run) for _, run in batch.runs()]
    return build(batch, patterns[wanted])


def batch_differences(first: Batch, second: Batch, wanted: type, score: Choice) -> list[Any]:
    """Of two learners on each sample, as `compare` makes them of two runs."""
    pairs = zip(*(_own_evidence(batch, wanted, score) for batch in (first, second)), strict=True)
    if wanted is Subsamples:
        return [Subsamples(a.full - b.full, a.halves - b.halves) for a, b in pairs]
    found = [a - b for a, b in pairs]
    if first.kind != "classes" or first.samples[0].groups is not None:
        return found
    rows, splits, tested = _main_tests(first)
    each = zip(found, (first.losses - second.losses)[:, tested], first.samples, strict=True)
    return [
        replace(one, losses=UNKNOWN.with_classes(apart, sample.target[rows], splits)) for one, apart, sample in each
    ]


def _own_evidence(batch: Batch, wanted: type, score: Choice) -> list[Any]:
    every = batch_evidence(batch, wanted, score)
    return [interval_evidence(one, wanted) if isinstance(one, Resampling) else one for one in every]


def _main_tests(batch: Batch) -> tuple[Array, Array, Array]:
    """Rows and splits of the tests that a plain estimate is made of, and which tests these are."""
    tested = np.isin(batch.tests.splits, batch.tests.design.main_splits)
    return batch.tests.rows[tested], batch.tests.splits[tested], tested


def split_means(batch: Batch) -> Array:
    """The mean loss of each split of each sample, (samples, splits)."""
    splits = batch.tests.splits
    return np.add.reduceat(batch.losses, np.flatnonzero(np.diff(splits, prepend=-1)), 1) / np.bincount(splits)


def _split_scores(batch: Batch, pattern: SplitScores) -> list[SplitScores]:
    main = np.array(batch.tests.design.main_splits)
    rows, splits, tested = _main_tests(batch)
    losses = batch.losses[:, tested]
    traits = loss_traits(rows, losses)
    if batch.kind == "classes":
        each = zip(traits, losses, batch.samples, strict=True)
        traits = [one.with_classes(lost, sample.target[rows], splits) for one, lost, sample in each]
    return [
        replace(pattern, values=freeze(values), losses=one, estimate=mean)
        for values, one, mean in zip(split_means(batch)[:, main], traits, losses.mean(1).tolist(), strict=True)
    ]


def loss_traits(rows: Array, losses: Array) -> list[LossTraits]:
    """`LossTraits.of` the losses of every sample, whose tests are of the same rows."""
    order = np.argsort(rows, kind="stable")
    _, starts, times = np.unique(rows[order], return_index=True, return_counts=True)
    away = losses - losses.mean(1, keepdims=True)
    squares = (away**2).sum(1)
    cubes = (away**3).sum(1)
    within = squares - (np.add.reduceat(away[:, order], starts, 1) ** 2 / times).sum(1)
    tests, again = len(rows), len(rows) - len(times)
    found = []
    for square, cube, inside in zip(squares.tolist(), cubes.tolist(), within.tolist(), strict=True):
        if not 0 < square < math.inf:
            found.append(UNKNOWN)
            continue
        skewness = math.sqrt(tests) * cube / square**1.5 / math.sqrt(len(times))
        found.append(LossTraits(skewness, inside / again / (square / (tests - 1)) if again else None))
    return found


def _subsamples(batch: Batch, pattern: None) -> list[Subsamples]:
    """The means inside the two halves of each pair."""
    parts = [split.part for split in batch.tests.design.splits]
    full = np.array([part == SplitPart(FULL) for part in parts])
    pairs = {numbers: place for place, numbers in enumerate(dict.fromkeys(part.numbers for part in parts if part.side))}
    half = np.array([2 * pairs[part.numbers] + "ab".index(part.side) for part in parts if part.side])
    scores = split_means(batch)
    member = (half[:, None] == np.arange(2 * len(pairs))).astype(float)
    halves = (scores[:, ~full] @ member / member.sum(0)).reshape(len(scores), len(pairs), 2)
    return [Subsamples(freeze(one), freeze(pair)) for one, pair in zip(scores[:, full], halves, strict=True)]


def _fold_losses(batch: Batch, pattern: FoldLosses) -> list[FoldLosses]:
    """What models of several repeats disagree on is only told, and changes no limit."""
    tests = batch.tests
    main = np.isin(tests.splits, tests.design.main_splits)
    repeat = np.array([split.repeat for split in tests.design.splits])[tests.splits[main]]
    place = np.unique(repeat, return_inverse=True)[1]
    table = np.empty((len(batch.trials), *pattern.folds.shape))
    table[:, place, tests.rows[main]] = batch.losses[:, main]
    return [replace(pattern, losses=freeze(losses), disagreement=None) for losses in table]


def _nested_losses(batch: Batch, pattern: NestedLosses) -> list[NestedLosses]:
    tests, splits = batch.tests, batch.tests.design.splits
    repeat = np.array([split.repeat for split in splits])[tests.splits]
    left_out = np.array([(folds_left_out(split) * 2)[:2] for split in splits])[tests.splits]
    outer, row = left_out[:, 0] == left_out[:, 1], tests.rows
    other = left_out.sum(1) - pattern.folds[repeat, row]
    of_one = np.zeros((len(batch.trials), *pattern.outer.shape))
    of_two = np.full((len(batch.trials), *pattern.inner.shape), np.nan)
    of_one[:, repeat[outer], row[outer]] = batch.losses[:, outer]
    of_two[:, repeat[~outer], row[~outer], other[~outer]] = batch.losses[:, ~outer]
    return [
        NestedLosses(pattern.folds, freeze(one), freeze(two), pattern.answers)
        for one, two in zip(of_one, of_two, strict=True)
    ]


def _drawn_losses(batch: Batch, pattern: DrawnLosses) -> list[DrawnLosses]:
    """`DrawnLosses.of` every sample, as products of matrices."""
    design, tests = batch.tests.design, batch.tests
    main = np.array(design.main_splits)
    drawn = np.stack([np.bincount(design.splits[number].train, minlength=design.rows) for number in main]).astype(float)
    table = np.zeros((len(batch.trials), len(design), design.rows))
    table[:, tests.splits, tests.rows] = batch.losses
    lost, summed = table[:, main].sum(1), table[:, main].sum(2) / design.rows
    covariance = summed @ drawn - drawn.sum(0) * summed.sum(1, keepdims=True) / len(main)
    out = pattern.times_out
    return [
        DrawnLosses(freeze(each), out, freeze(one), len(main))
        for each, one in zip(ratio(lost, np.broadcast_to(out, lost.shape)), covariance, strict=True)
    ]


BUILDERS: dict[type, Callable[[Batch, Any], list[Any]]] = {
    SplitScores: _split_scores,
    Subsamples: _subsamples,
    FoldLosses: _fold_losses,
    NestedLosses: _nested_losses,
    DrawnLosses: _drawn_losses,
}
