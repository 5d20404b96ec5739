"""How often tests claim something, enumerated or simulated: their size where it is false, else their power."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from veracity.core.confidence import Confidence
from veracity.core.errors import BadInput, Refused
from veracity.core.seeds import derive, generator
from veracity.core.words import option, template
from veracity.lab.claims import Asked, Claim, asked_of, asked_of_learners
from veracity.lab.entry import EFFECTS, LEARNERS, WITH_EFFECT
from veracity.lab.evidence_worlds import EvidenceWorld, FamilyWorld, PairWorld, with_effect
from veracity.lab.learner_coverage import LearnerQuestion
from veracity.lab.matrix_worlds import PValues
from veracity.lab.rejections import Rejected, Rejections
from veracity.lab.simulate import Learner, check_simulation, named_world, names_of
from veracity.lab.worlds import World

KINDS = (World, EvidenceWorld, PairWorld, FamilyWorld, PValues)
SEEN, SURE = 2.0, 4.0  # errors by which risks differ visibly, and beyond doubt
NOTHING = 1e-9  # is what rounding leaves of no difference
Weighed = Iterable[tuple[float, Any]]  # samples, each with its probability


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
    refusals: dict[str, str] = field(default_factory=dict)  # why each method first gave no answer

    def claim(self, asked: Asked, sample: Any, seed: int) -> Claim:
        """What a method says of a sample; that it refuses is an answer too."""
        try:
            return asked.ask(sample, seed)
        except Refused as why:
            self.refusals.setdefault(asked.method, why.says)
            return Claim(math.nan)


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
) -> Rejections:
    """How often tests claim a difference where there is none, all tried on the same samples.

    A world of evidence, such as `two_models(discordant=0.1)` or `data_sets(learners=4)`, needs no learner; `rows` are
    data sets there where the world is of these. Of a family, such as "holm", "mean_ranks then shaffer" or "nemenyi", it
    is how often a pair that is equal is claimed to differ (or the share of such among the claims, where that is what
    the adjustment controls); other pairs may differ. In a world of rows, such as `pure_noise`, two learners are
    compared by their splits. `anyway=True` asks tests that are refused.
    """
    how = score, trials, Confidence(level).level, seed, False, anyway
    return _measure(
        world, RejectionQuestion(names_of("methods", methods), _sizes(rows), *how, tuple(learners or ()), by)
    )


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
) -> Rejections:
    """How often tests find a difference that is there; of a family, the share of the pairs that differ that is found.

    The world has an effect, as `two_models(effect=0.05)` does, or `effects` tries several.
    """
    how = score, trials, Confidence(level).level, seed, True, anyway
    question = RejectionQuestion(names_of("methods", methods), _sizes(rows), *how, tuple(learners or ()), by)
    if effects is None:
        return _measure(world, question)
    tried = list(effects) if isinstance(effects, Iterable) else [effects]
    if not tried:
        raise BadInput(f"{EFFECTS} names none: give at least one, such as 0.05")
    place, _ = named_world(world, *KINDS)
    found = [_measure(with_effect(place, effect), question) for effect in tried]
    return Rejections(tuple(row for table in found for row in table))


def _sizes(rows: int | Sequence[int]) -> tuple[int, ...]:
    sizes = tuple(rows) if isinstance(rows, Iterable) else (rows,)
    if not sizes:
        raise BadInput(f"{option('rows')} names no number of rows: give at least one, such as 50")
    for number in sizes:
        check_simulation(rows=number)
    return sizes


def _measure(world: Any, question: RejectionQuestion) -> Rejections:
    check_simulation(*question.learners, trials=question.trials)
    place, text = named_world(world, *KINDS)
    asked = [_asked_method(place, text, name, question) for name in question.methods]
    found: list[Rejected] = []
    for rows in question.rows:
        if isinstance(place, World):
            _check_risks(place, text, rows, question)
        of_rows: dict[int, Rejected] = {}
        for chosen, every in _outcomes(place, rows, asked):
            samples = every or _draws(place, rows, question)
            of_rows |= zip(
                chosen, _rejections(place, text, rows, [asked[i] for i in chosen], samples, question), strict=True
            )
        found += (of_rows[i] for i in range(len(asked)))
    return Rejections(tuple(found))


def _asked_method(world: Any, text: str, method: str, question: RejectionQuestion) -> Asked:
    """A method in a world; size is of claims that are false, power of such as are true."""
    if isinstance(world, World):
        return asked_of_learners(world, text, method, question.learners, question.by, question.level)
    if question.learners:
        raise BadInput(f"{text} gives evidence, and nothing to learn from: leave out {LEARNERS}")
    asked = asked_of(world, method, question.score, question.level, question.power, question.anyway)
    if question.power and not asked.true:
        way = f"power needs an effect, {WITH_EFFECT}, or ask size"
        raise BadInput(f"what {asked.method} would claim is not so in {text}: {way}")
    if not question.power and asked.true:
        raise BadInput(f"what {asked.method} claims is so in {text}: there it has power, and no size")
    return asked


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
    if counted and not isinstance(world, (World, PValues)):
        every = list(world.outcomes(rows, told_apart=False) if isinstance(world, PairWorld) else world.outcomes(rows))
    if every:
        yield counted, every
    others = [i for i in range(len(asked)) if not every or i not in counted]
    if others:
        yield others, []


def _draws(world: Any, rows: int, question: RejectionQuestion) -> Iterator[tuple[float, Any]]:
    for trial in range(question.trials):
        if isinstance(world, World):
            yield 1.0, world.draw(rows, derive(question.seed, "trial", trial))
        else:
            yield 1.0, world.draw(rows, generator(question.seed, "evidence", rows, trial))


def _rejections(
    world: Any, text: str, rows: int, asked: list[Asked], samples: Weighed, question: RejectionQuestion
) -> Iterator[Rejected]:
    weights, claims = [], []
    for trial, (weight, sample) in enumerate(samples):
        weights.append(weight)
        claims.append([question.claim(one, sample, derive(question.seed, "trial", trial)) for one in asked])
    enumerated = isinstance(samples, list)
    for one, of_one in zip(asked, zip(*claims, strict=True), strict=True):
        share = _share(one, np.array(weights), of_one, question, enumerated)
        by, effect = question.by if isinstance(world, World) else "", float(getattr(world, "effect", 0.0))
        what = one.what or ("power" if question.power else "size")
        yield Rejected(
            one.method, text, rows, question.level, what, *share, by=by, effect=effect, enumerated=enumerated
        )


def _share(
    asked: Asked, weights: Any, claims: Sequence[Claim], question: RejectionQuestion, enumerated: bool
) -> tuple[float, float, int, int, float, float]:
    """The share, its error, the trials, the fits, the share that was refused, and that of answers with a caution."""
    shares, cautions = (np.array(column, float) for column in list(zip(*claims, strict=True))[:2])
    there = ~np.isnan(shares)
    if not there.any():
        why = template(question.refusals[asked.method])
        raise Refused(f"{asked.method} was refused on every sample: {why}", "always-refused")
    answered = weights[there] / weights[there].sum()
    share = float(answered @ shares[there])
    deviation = math.sqrt(float(answered @ (shares[there] - share) ** 2))
    error = 0.0 if enumerated else deviation / math.sqrt(np.count_nonzero(there))
    refused = float(1 - weights[there].sum() / weights.sum())
    return share, error, len(weights), sum(claim.fits for claim in claims), refused, float(answered @ cautions[there])
