"""Intervals of samples without a learner: of one model's score, and of the difference of two."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache, partial
from math import isfinite
from typing import Any

from veracity.comparisons import comparisons
from veracity.contests.compare import compare
from veracity.core.confidence import Confidence
from veracity.core.errors import BadInput
from veracity.core.seeds import generator
from veracity.core.spelling import read
from veracity.evidence.counts import Counts
from veracity.evidence.proportion import FewValues, Proportion
from veracity.findings.interval import Interval
from veracity.intervals import intervals
from veracity.intervals.attach import attach_interval
from veracity.intervals.defaults import default_name
from veracity.lab.evidence_worlds import EvidenceWorld, PairWorld
from veracity.risk.estimates import estimate, score_source
from veracity.scores import scores

DEFAULT = "default"  # whatever the public verb takes unasked
DISTINCT = 50_000  # intervals of outcomes that are kept: several laws are of the same outcomes
IntervalOf = Callable[[int, Any, str], Interval | None]  # of a seed, a sample and a method


def check_interval(world: Any, name: str) -> None:
    """Refuse what is no interval; the difference of two models may also have that of a test."""
    if name != DEFAULT and not (isinstance(world, PairWorld) and _name(name) in comparisons):
        intervals.choose(name)


def evidence_truth(world: EvidenceWorld | PairWorld, score: str) -> float:
    """What an interval should hold."""
    if isinstance(world, PairWorld):
        if world.score is not None and score != world.score:
            raise BadInput(f"the difference in this world is that of {world.score}, not of {score}")
        return world.effect
    return world.truth(score)


def weighed_samples(
    world: EvidenceWorld | PairWorld, rows: int, methods: Sequence[str], trials: int, seed: int
) -> tuple[bool, Iterable[tuple[float, Any]]]:
    """Whether all outcomes are there, and the samples, each with its probability."""
    every: list[tuple[float, Any]] = []
    if isinstance(world, EvidenceWorld) or all(_reads(name) is world.enumerates for name in methods):
        every = list(world.outcomes(rows))
    if every:
        return True, every
    return False, ((1.0, world.draw(rows, generator(seed, "evidence", rows, trial))) for trial in range(trials))


def interval_of_sample(world: EvidenceWorld | PairWorld, score: str, level: float, keep: bool) -> IntervalOf:
    """The interval that a method of some name gives of a sample; those of outcomes are kept, as few are many laws'."""
    if isinstance(world, PairWorld):
        return partial(_of_difference, score or None, level)
    return partial(_kept_interval, score, level) if keep else partial(_of_model, {}, score, level)


def _of_model(
    kept: dict[Any, Interval], score: str, level: float, seed: int, evidence: Any, name: str
) -> Interval | None:
    if isinstance(evidence, Counts) and evidence.sampling is None:
        return _of_counts(kept, score, level, seed, evidence, name)
    asked = None if name == DEFAULT else name
    return estimate(evidence, score, interval=asked, level=level, seed=seed).rows[0].interval


def _kept_interval(score: str, level: float, seed: int, evidence: Any, name: str) -> Interval | None:
    return _known_interval(score, level, seed if _draws(name) else 0, evidence, name)


@lru_cache(maxsize=DISTINCT)
def _known_interval(score: str, level: float, seed: int, evidence: Any, name: str) -> Interval | None:
    return _of_model({}, score, level, seed, evidence, name)


@lru_cache
def _draws(name: str) -> bool:
    """Whether a method draws random numbers, so that its interval is not that of the sample alone."""
    return name == DEFAULT or bool(intervals.choose(name).accepts("seed"))


def _of_counts(
    kept: dict[Any, Interval], score: str, level: float, seed: int, counts: Counts, name: str
) -> Interval | None:
    """Of a confusion matrix: many methods read a few numbers of it, and those of many samples are the same few."""
    m = score_source(counts, scores.choose(score))
    if name == DEFAULT:
        usual = default_name(m) if isfinite(m.value) else None
        if usual is None:
            return None
        name = usual
    reads = intervals.choose(name).entry.reads
    if reads not in (Proportion, FewValues) or not isfinite(m.value) or _draws(name):
        return attach_interval(m, name, Confidence(level), seed)
    view = m.view(reads)
    numbers = (view.hits, view.rows) if reads is Proportion else (view.values.tobytes(), view.counts.tobytes())
    if (name, *numbers) not in kept:
        kept[name, *numbers] = attach_interval(m, name, Confidence(level))
    return kept[name, *numbers]


def _of_difference(score: str | None, level: float, seed: int, sample: Any, name: str) -> Interval | None:
    of_test = _name(name) in comparisons and _name(name) not in intervals
    how: Any = {"using": name} if of_test else {"interval": None if name == DEFAULT else name}
    found: Any = compare(sample, score, level=level, seed=seed, **how)
    interval: Interval | None = found.interval
    return interval


def _reads(name: str) -> type | None:
    """The evidence of an interval, or of the test that has it."""
    kind = intervals if _name(name) in intervals else comparisons
    reads: type | None = None if name == DEFAULT else kind.choose(name).entry.reads
    return reads


def _name(method: str) -> str:
    return read(method).name if isinstance(method, str) else ""
