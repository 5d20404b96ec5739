"""Intervals of samples without a learner: of one model's score, and of the difference of two."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property, lru_cache, partial
from math import isfinite, nan
from typing import Any

from veracity.comparisons import comparisons
from veracity.contests.compare import compare
from veracity.core.confidence import Confidence
from veracity.core.environment import version_of
from veracity.core.errors import BadInput, Refused
from veracity.core.seeds import derive, generator
from veracity.core.spelling import read
from veracity.evidence.counts import Counts
from veracity.evidence.proportion import FewValues, Proportion
from veracity.findings.interval import Interval
from veracity.intervals import intervals
from veracity.intervals.compute import attach_interval, default_name
from veracity.intervals.scored import Scored
from veracity.lab.evidence_worlds import EvidenceWorld, PairWorld
from veracity.risk.estimates import estimate, score_source
from veracity.scores import scores

DEFAULT = "default"  # whatever the public verb takes unasked
DISTINCT = 50_000  # intervals of outcomes that are kept: several laws are of the same outcomes
NONE = (nan, nan)
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


@dataclass(frozen=True)
class EvidenceLimits:
    """Samples of so many rows, and the intervals that are tried on them."""

    world: EvidenceWorld | PairWorld
    name: str  # of the world
    rows: int
    score: str
    methods: tuple[str, ...]
    level: float
    seed: int

    @property
    def key(self) -> str:
        asked = self.rows, self.score, self.methods, self.level
        return repr(("coverage of evidence", self.name, *asked, version_of("veracity")))

    @property
    def truth(self) -> float:
        """What an interval should hold."""
        return evidence_truth(self.world, self.score)

    def outcomes(self) -> list[tuple[float, Any]]:
        """All that can happen, each with its probability; nothing where that cannot be enumerated."""
        if isinstance(self.world, EvidenceWorld) or all(_reads(name) is self.world.enumerates for name in self.methods):
            return list(self.world.outcomes(self.rows))
        return []

    def ask(self, numbers: range) -> Any:
        """Limits of each trial and method, and why some methods gave none."""
        draws = (self.world.draw(self.rows, generator(self.seed, "evidence", self.rows, trial)) for trial in numbers)
        return self.answer(zip(numbers, draws, strict=True), self._interval)

    def answer(self, samples: Iterable[tuple[int, Any]], interval: IntervalOf | None = None) -> dict[str, Any]:
        """Of samples with their numbers; those of outcomes are remembered, as few are many laws'."""
        refusals: dict[str, str] = {}
        ask = interval or self._interval_of_outcome

        def limits(seed: int, evidence: Any, name: str) -> tuple[float, float]:
            try:
                found = ask(seed, evidence, name)
            except Refused as why:  # an answer too
                refusals.setdefault(name, why.says)
                return NONE
            return NONE if found is None else (found.low, found.high)

        every = ((derive(self.seed, "interval", number), evidence) for number, evidence in samples)
        found = [[limits(seed, evidence, name) for name in self.methods] for seed, evidence in every]
        return {"limits": found, "refusals": refusals}

    @cached_property
    def _interval(self) -> IntervalOf:
        if isinstance(self.world, PairWorld):
            return partial(_of_difference, self.score or None, self.level)
        return partial(_of_model, {}, self.score, self.level)

    @property
    def _interval_of_outcome(self) -> IntervalOf:
        return self._interval if isinstance(self.world, PairWorld) else partial(_kept_interval, self.score, self.level)


def _of_model(
    kept: dict[Any, Interval | None], score: str, level: float, seed: int, evidence: Any, name: str
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
    return name == DEFAULT or bool(_interval(name).accepts("seed"))


def _of_counts(
    kept: dict[Any, Interval | None], score: str, level: float, seed: int, counts: Counts, name: str
) -> Interval | None:
    """Of a confusion matrix: many samples have the same, and many methods read a few numbers of it only."""
    whole = name, counts.matrix.tobytes()
    if whole in kept:
        return kept[whole]
    m = score_source(counts, _choice(score))
    method = _usual_name(m) if name == DEFAULT else name
    if method is None:
        return None
    if _draws(method):
        return attach_interval(m, method, Confidence(level), seed)
    reads = _interval(method).reads
    numbers: tuple[Any, ...] = whole
    if reads in (Proportion, FewValues) and isfinite(m.value):
        view = m.view(reads)
        few = (view.hits, view.rows) if reads is Proportion else (view.values.tobytes(), view.counts.tobytes())
        numbers = method, *few
    if numbers not in kept:
        kept[numbers] = attach_interval(m, method, Confidence(level))
    kept[whole] = kept[numbers]
    return kept[whole]


def _usual_name(m: Scored) -> str | None:
    """The method that is taken unasked, where there is one."""
    return default_name(m) if isfinite(m.value) else None


_choice, _interval = (lru_cache(catalogue.choose) for catalogue in (scores, intervals))


def _of_difference(score: str | None, level: float, seed: int, sample: Any, name: str) -> Interval | None:
    of_test = _name(name) in comparisons and _name(name) not in intervals
    how: Any = {"using": name} if of_test else {"interval": None if name == DEFAULT else name}
    found: Any = compare(sample, score, level=level, seed=seed, **how)
    interval: Interval | None = found.interval
    return interval


def _reads(name: str) -> type | None:
    """The evidence of an interval, or of the test that has it."""
    kind = intervals if _name(name) in intervals else comparisons
    reads: type | None = None if name == DEFAULT else kind.choose(name).reads
    return reads


def _name(method: str) -> str:
    return read(method).name if isinstance(method, str) else ""
