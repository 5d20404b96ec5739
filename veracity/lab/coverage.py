"""How often intervals hold the truth: over everything that can happen where that can be enumerated, else simulated."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from veracity.core.confidence import Confidence
from veracity.core.errors import BadInput, Refused
from veracity.lab.covered import Coverages, Covered
from veracity.lab.evidence_worlds import EvidenceWorld, PairWorld
from veracity.lab.learner_coverage import LearnerQuestion, about_all_rows, learner_limits, learner_text, notes_of
from veracity.lab.measuring import Keeping, Progress
from veracity.lab.model_intervals import EvidenceLimits, check_interval
from veracity.lab.simulate import Learner, check_simulation, named_world, names_of
from veracity.lab.worlds import UNKNOWN, Truth, World
from veracity.records.arrays import Array
from veracity.scores import scores


@dataclass(frozen=True)
class CoverageQuestion:
    """Which intervals, tried on how many samples."""

    methods: tuple[str, ...]
    at: Confidence
    trials: int
    seed: int
    refusals: dict[str, str] = field(default_factory=dict)  # why each method first gave no interval


class Samples(NamedTuple):
    """Limits in each sample, NaN where a method gives none, how probable each is, and what they are held against."""

    limits: Array  # sample, method, side
    weights: Array
    truths: tuple[Truth, ...]  # one for all methods, or of a learner for each method
    fits: int = 0
    enumerated: bool = False
    whole: Truth = UNKNOWN  # of a learner that of all rows


def coverage(
    world: World | EvidenceWorld | PairWorld | str,
    learner: Learner | None = None,
    *,
    methods: str | Sequence[str],
    rows: int | Sequence[int],
    by: str = "kfold(k=10)",
    score: str | None = None,
    trials: int = 1000,
    level: float = 0.95,
    seed: int = 0,
    store: str | None = None,
    workers: int = 1,
    progress: Progress | None = None,
) -> Coverages:
    """How often intervals hold the truth, all tried on the same samples.

    A world of evidence, such as `shares(share=0.3)`, needs no learner; where all that can happen can be enumerated
    it is, and `trials` is not asked. In one of two models, such as `two_models(effect=0.05)`, intervals are of the
    difference of their scores, also that which a test has by itself. In a world of rows, such as
    `two_gaussians(distance=2)`, a learner is fitted by a design, and the truth is the mean risk of models that train on
    as many rows as those of its splits, or on all rows where the interval is about these. `store` names a file that
    keeps what is drawn and measured, so that what was interrupted goes on; `workers` processes measure.
    """
    place, text = named_world(world, World, EvidenceWorld, PairWorld)
    question = CoverageQuestion(names_of("methods", methods), Confidence(level), trials, seed)
    for name in question.methods:
        check_interval(place, name)
    named = score or place.score
    asked = "" if named is None else scores.choose(named).spelling
    sizes = tuple(rows) if isinstance(rows, Iterable) else (rows,)
    if not sizes:
        raise BadInput("`rows=` names no number of rows: give at least one, such as 50")
    check_simulation(trials=trials)
    keeping = Keeping(store, workers, progress)
    found: list[Covered] = []
    for size in sizes:
        check_simulation(rows=size)
        if isinstance(place, (EvidenceWorld, PairWorld)):
            _refuse_learner(learner, text)
            drawn = EvidenceLimits(place, text, size, asked, question.methods, level, seed)
            samples, design, of = _evidence_samples(drawn, question, keeping), "", ""
        else:
            make = _needed_learner(learner, text)
            one = LearnerQuestion(place, text, make, by, size, question.methods, level, seed)
            samples, design, of = _learner_samples(one, asked, question, keeping), by, learner_text(make)
        found += (_covered(text, size, design, of, question, samples, i) for i in range(len(question.methods)))
    return Coverages(tuple(found), notes_of(place))


def _refuse_learner(learner: Learner | None, world: str) -> None:
    if learner is not None:
        raise BadInput(f"{world} gives the evidence of a model: leave out `learner=`")


def _needed_learner(learner: Learner | None, world: str) -> Learner:
    if learner is None:
        raise BadInput(f"{world} gives rows to learn from: name a `learner=`")
    return learner


def _evidence_samples(drawn: EvidenceLimits, question: CoverageQuestion, keeping: Keeping) -> Samples:
    truth, every = Truth(drawn.truth), drawn.outcomes()
    if every:
        weights, evidence = zip(*every, strict=True)
        answers = [drawn.answer(enumerate(evidence))]
    else:
        weights, answers = (1.0,) * question.trials, keeping.answers(drawn, question.trials)
    for answer in answers:
        question.refusals.update(answer["refusals"] | question.refusals)
    limits = np.concatenate([np.array(answer["limits"], float) for answer in answers])
    return Samples(limits, np.array(weights), (truth,), enumerated=bool(every))


def _learner_samples(question: LearnerQuestion, score: str, asked: CoverageQuestion, keeping: Keeping) -> Samples:
    world = question.world
    if score != world.score:
        raise BadInput(f"the risk in this world is {world.score}, not {score}: leave out `score=`")
    found = learner_limits(question, asked.trials, keeping)
    asked.refusals.update(found.refusals)
    truths = tuple(found.whole if about_all_rows(name) else found.trained for name in asked.methods)
    return Samples(found.limits, np.ones(len(found.limits)), truths, found.fits, whole=found.whole)


def _covered(
    world: str, rows: int, by: str, learner: str, question: CoverageQuestion, samples: Samples, number: int
) -> Covered:
    method, (low, high) = question.methods[number], samples.limits[:, number].T
    there = ~np.isnan(low)
    if not there.any():
        why = question.refusals.get(method, "it has no limits")
        raise Refused(f"{method} was refused on every sample{f' by {by}' if by else ''}: {why}", "always-refused")
    answered = samples.weights[there].sum()
    low, high, weights = low[there], high[there], samples.weights[there] / answered
    truth, of_all = samples.truths[number % len(samples.truths)], samples.whole
    above, below = (float(weights[missed].sum()) for missed in (low > truth.value, high < truth.value))
    return Covered(
        method,
        world,
        rows,
        question.at.level,
        1 - above - below,
        above,
        below,
        float(weights @ (high - low)),
        len(samples.weights),
        samples.fits,
        by,
        float(1 - answered / samples.weights.sum()),
        samples.enumerated,
        float(weights[(low <= of_all.value) & (of_all.value <= high)].sum()) if by else math.nan,
        learner,
        truth,
        "" if not by else "all rows" if truth is of_all else "its training rows",
    )
