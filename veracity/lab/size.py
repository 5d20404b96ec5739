"""How often tests claim something, enumerated or simulated: their size where it is false, else their power."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from veracity.comparisons import comparisons
from veracity.core.confidence import Confidence
from veracity.core.errors import BadInput, Refused
from veracity.evidence.split_scores import SplitScores, Subsamples
from veracity.lab.claim_questions import EvidenceTries, LearnerTries, claims_of
from veracity.lab.claims import Asked
from veracity.lab.entry import EFFECTS, LEARNERS, WITH_EFFECT
from veracity.lab.evidence_worlds import EvidenceWorld, FamilyWorld, PairWorld, with_effect
from veracity.lab.learner_coverage import LearnerQuestion, notes_of
from veracity.lab.matrix_worlds import PValues
from veracity.lab.measuring import Keeping, Progress
from veracity.lab.rejections import Rejected, Rejections
from veracity.lab.simulate import Learner, check_simulation, named_world, names_of
from veracity.lab.worlds import World
from veracity.records.arrays import Array
from veracity.scores import scores

KINDS = (World, EvidenceWorld, PairWorld, FamilyWorld, PValues)
SEEN, SURE = 2.0, 4.0  # errors by which risks differ visibly, and beyond doubt
NOTHING = 1e-9  # is what rounding leaves of no difference


@dataclass(frozen=True)
class RejectionQuestion:
    """Which methods, tried on how many samples, for their size or their power."""

    methods: tuple[str, ...]
    rows: tuple[int, ...]
    score: str | None
    trials: int
    level: float
    seed: int
    power: bool
    anyway: bool
    learners: tuple[Learner, ...]
    by: str
    keeping: Keeping


def size(
    world: Any,
    learners: Sequence[Learner] | None = None,
    *,
    methods: str | Sequence[str],
    rows: int | Sequence[int],
    by: str = "kfold(k=10)",
    score: str | None = None,
    trials: int = 1000,
    level: float = 0.95,
    seed: int = 0,
    anyway: bool = False,
    store: str | None = None,
    workers: int = 1,
    progress: Progress | None = None,
) -> Rejections:
    """How often tests claim a difference where there is none, all tried on the same samples.

    A world of evidence, such as `two_models(discordant=0.1)` or `data_sets(learners=4)`, needs no learner; `rows` are
    data sets there where the world is of these. Of a family, such as "holm", "mean_ranks then shaffer" or "nemenyi", it
    is how often a pair that is equal is claimed to differ (or the share of such among the claims, where that is what
    the adjustment controls); other pairs may differ. In a world of rows, such as `pure_noise`, two learners are
    compared by their splits. `anyway=True` asks tests that are refused. `store` names a file that keeps what is drawn
    and measured, so that what was interrupted goes on; `workers` processes measure.
    """
    how = score, trials, Confidence(level).level, seed, False, anyway, tuple(learners or ()), by
    keeping = Keeping(store, workers, progress)
    return _measure(world, RejectionQuestion(names_of("methods", methods), _sizes(rows), *how, keeping))


def power(
    world: Any,
    learners: Sequence[Learner] | None = None,
    *,
    methods: str | Sequence[str],
    rows: int | Sequence[int],
    effects: float | Sequence[float] | None = None,
    by: str = "kfold(k=10)",
    score: str | None = None,
    trials: int = 1000,
    level: float = 0.95,
    seed: int = 0,
    anyway: bool = False,
    store: str | None = None,
    workers: int = 1,
    progress: Progress | None = None,
) -> Rejections:
    """How often tests find a difference that is there; of a family, the share of the pairs that differ that is found.

    The world has an effect, as `two_models(effect=0.05)` does, or `effects` tries several. All else is as for `size`.
    """
    how = score, trials, Confidence(level).level, seed, True, anyway, tuple(learners or ()), by
    keeping = Keeping(store, workers, progress)
    question = RejectionQuestion(names_of("methods", methods), _sizes(rows), *how, keeping)
    if effects is None:
        return _measure(world, question)
    tried = list(effects) if isinstance(effects, Iterable) else [effects]
    if not tried:
        raise BadInput(f"{EFFECTS} names none: give at least one, such as 0.05")
    place, _ = named_world(world, *KINDS)
    found = [_measure(with_effect(place, effect), question) for effect in tried]
    return Rejections(tuple(row for table in found for row in table), found[0].notes)


def _sizes(rows: int | Sequence[int]) -> tuple[int, ...]:
    sizes = tuple(rows) if isinstance(rows, Iterable) else (rows,)
    if not sizes:
        raise BadInput("`rows=` names no number of rows: give at least one, such as 50")
    for number in sizes:
        check_simulation(rows=number)
    return sizes


def _measure(world: Any, question: RejectionQuestion) -> Rejections:
    check_simulation(*question.learners, trials=question.trials)
    place, text = named_world(world, *KINDS)
    measure = _of_learners if isinstance(place, World) else _of_evidence
    every = (row for rows in question.rows for row in measure(place, text, rows, question))
    return Rejections(tuple(every), notes_of(place))


def _of_evidence(world: Any, text: str, rows: int, question: RejectionQuestion) -> list[Rejected]:
    """Enumerated for the methods for which it can be, drawn for the others."""
    if question.learners:
        raise BadInput(f"{text} gives evidence, and nothing to learn from: leave out {LEARNERS}")
    how = question.score, question.level, question.seed, question.power, question.anyway
    asked = EvidenceTries(world, text, rows, question.methods, *how).questions
    for one in asked:
        _check_claims(one, text, question)
    effect = float(getattr(world, "effect", 0.0))
    found: dict[int, Rejected] = {}
    for places, every in _outcomes(world, rows, asked):
        tries = EvidenceTries(world, text, rows, tuple(question.methods[i] for i in places), *how)
        weights = np.array([weight for weight, _ in every] or [1.0] * question.trials)
        if every:
            answers = [tries.answer(enumerate(sample for _, sample in every))]
        else:
            answers = question.keeping.answers(tries, question.trials)
        claims, refusals = claims_of(answers)
        for place, of_one in zip(places, np.moveaxis(claims, 1, 0), strict=True):
            one = asked[place]
            share = _share(one.method, weights, of_one, refusals, bool(every))
            what = one.what or _what(question)
            found[place] = Rejected(
                one.method, text, rows, question.level, what, *share, effect=effect, enumerated=bool(every)
            )
    return [found[place] for place in range(len(asked))]


def _of_learners(world: World, text: str, rows: int, question: RejectionQuestion) -> list[Rejected]:
    """Tests of two learners by the same splits of samples."""
    if len(question.learners) != 2:
        says = f"name two {LEARNERS} to compare, not {len(question.learners)}"
        raise BadInput(f"{text} gives rows to learn from: {says}")
    if question.score is not None and scores.choose(question.score).spelling != world.score:
        raise BadInput(f"the risk in {text} is {world.score}, not {question.score}: leave out `score=`")
    tests = [comparisons.choose(method) for method in question.methods]
    for test in tests:
        if test.reads not in (SplitScores, Subsamples):
            raise BadInput(f"{test.name} does not read the splits of one design: try corrected_t")
    _check_risks(world, text, rows, question)
    first, second = question.learners
    how = question.by, question.level, question.seed, question.anyway
    tries = LearnerTries(world, text, rows, question.methods, (first, second), *how)
    claims, refusals = claims_of(question.keeping.answers(tries, question.trials))
    weights = np.ones(question.trials)
    shares = (_share(test.spelling, weights, claims[:, i], refusals, False) for i, test in enumerate(tests))
    level, what = question.level, _what(question)
    return [
        Rejected(test.spelling, text, rows, level, what, *share, by=question.by)
        for test, share in zip(tests, shares, strict=True)
    ]


def _what(question: RejectionQuestion) -> str:
    return "power" if question.power else "size"


def _check_claims(asked: Asked, text: str, question: RejectionQuestion) -> None:
    """Size is of claims that are false, power of such as are true."""
    if question.power and not asked.true:
        way = f"power needs an effect, {WITH_EFFECT}, or ask size"
        raise BadInput(f"what {asked.method} would claim is not so in {text}: {way}")
    if not question.power and asked.true:
        raise BadInput(f"what {asked.method} claims is so in {text}: there it has power, and no size")


def _check_risks(world: World, text: str, rows: int, question: RejectionQuestion) -> None:
    """Size is of learners of one risk, trained on as many rows as those of the splits, power of such as differ."""
    how = question.by, rows, question.methods, question.level, question.seed
    first, second = (LearnerQuestion(world, text, learner, *how).truth() for learner in question.learners)
    apart, error = abs(first.value - second.value), math.hypot(first.error, second.error)
    risks = f"{first.value:.4f} and {second.value:.4f}, their difference known to {error:.4f}"
    where = f"in {text} by {question.by} of {rows} rows the learners have the risks {risks}"
    if question.power and apart <= max(SEEN * error, NOTHING):
        raise BadInput(f"{where}, so that none is known to be there: ask size, or where they differ")
    if not question.power and apart > max(SURE * error, NOTHING):
        raise BadInput(f"{where}: there tests have power, and no size")


def _outcomes(world: Any, rows: int, asked: list[Asked]) -> Iterator[tuple[list[int], list[tuple[float, Any]]]]:
    """Places of methods with all that can happen, where it can be enumerated for them; others with nothing."""
    counted = [i for i, one in enumerate(asked) if getattr(world, "enumerates", None) in (None, one.reads)]
    every: list[tuple[float, Any]] = []
    if counted and not isinstance(world, PValues):
        every = list(world.outcomes(rows, told_apart=False) if isinstance(world, PairWorld) else world.outcomes(rows))
    if every:
        yield counted, every
    others = [i for i in range(len(asked)) if not every or i not in counted]
    if others:
        yield others, []


def _share(
    method: str, weights: Array, claims: Array, refusals: Mapping[str, str], enumerated: bool
) -> tuple[float, float, int, int, float, float]:
    """The share, its error, the trials, the fits, the share that was refused, and that of answers with a caution."""
    shares, cautions, fits = claims.T
    there = ~np.isnan(shares)
    if not there.any():
        raise Refused(f"{method} was refused on every sample: {refusals[method]}", "always-refused")
    answered = weights[there] / weights[there].sum()
    share = float(answered @ shares[there])
    deviation = math.sqrt(float(answered @ (shares[there] - share) ** 2))
    error = 0.0 if enumerated else deviation / math.sqrt(np.count_nonzero(there))
    refused = float(1 - weights[there].sum() / weights.sum())
    return share, error, len(weights), int(fits.sum()), refused, float(answered @ cautions[there])
