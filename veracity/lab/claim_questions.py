"""What tests claim of samples, asked in parts: of evidence without a learner, and of two learners by batches."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from veracity.comparisons import comparisons
from veracity.core.entry import Choice
from veracity.core.errors import Refused
from veracity.core.seeds import derive, generator
from veracity.lab.batches import Batch, Learner, Trials
from veracity.lab.claims import Asked, Claim, asked_of, claim_of_splits
from veracity.lab.learner_coverage import VERSION, learner_text
from veracity.lab.learner_evidence import batch_differences
from veracity.lab.worlds import World
from veracity.records.arrays import Array
from veracity.scores import scores

NONE = Claim(math.nan)
Refusals = dict[str, str]  # why each method first gave no answer


@dataclass(frozen=True)
class EvidenceTries:
    """Methods that are tried on samples of a world without learners."""

    world: Any
    name: str  # of the world
    rows: int
    methods: tuple[str, ...]
    score: str | None
    level: float
    seed: int
    power: bool
    anyway: bool

    @property
    def key(self) -> str:
        asked = self.rows, self.methods, self.score, self.level, self.power, self.anyway
        return repr(("claims of evidence", self.name, *asked, VERSION))

    @property
    def questions(self) -> list[Asked]:
        """How each method is asked."""
        how = self.score, self.level, self.power, self.anyway
        return [asked_of(self.world, method, *how) for method in self.methods]

    def ask(self, numbers: range) -> Any:
        """The claim of each trial and method, and why some methods gave none."""
        draws = (self.world.draw(self.rows, generator(self.seed, "evidence", self.rows, trial)) for trial in numbers)
        return self.answer(zip(numbers, draws, strict=True))

    def answer(self, samples: Iterable[tuple[int, Any]]) -> dict[str, Any]:
        """Of samples with their numbers."""
        asked, claims = self.questions, []
        refusals: Refusals = {}
        for number, sample in samples:
            seed = derive(self.seed, "trial", number)
            claims.append([_claim(one.method, refusals, one.ask, sample, seed) for one in asked])
        return {"claims": claims, "refusals": refusals}


@dataclass(frozen=True)
class LearnerTries:
    """Tests of two learners that are tried on the same splits of samples of a world."""

    world: World
    name: str  # of the world
    rows: int
    methods: tuple[str, ...]
    learners: tuple[Learner, Learner]
    by: str
    level: float
    seed: int
    anyway: bool

    @property
    def key(self) -> str:
        models = tuple(map(learner_text, self.learners))
        asked = models, self.by, self.rows, self.methods, self.level, self.anyway
        return repr(("claims of learners", self.name + self.world.digest, *asked, VERSION))

    def ask(self, numbers: range) -> Any:
        """The claim of each trial and method, and why some methods gave none."""
        tests = [comparisons.choose(name) for name in self.methods]
        claims = [[NONE] * len(tests) for _ in numbers]
        refusals: Refusals = {}
        trials = Trials(self.world, self.by, self.rows, self.seed)
        for first, second in trials.batches_of(self.learners, numbers):
            of_tests = [self._claims(test, first, second, refusals) for test in tests]
            for trial, of_trial in zip(first.trials, zip(*of_tests, strict=True), strict=True):
                claims[trial - numbers.start] = list(of_trial)
        for why in trials.refusals.values():
            refusals = {test.spelling: why.says for test in tests} | refusals
        return {"claims": claims, "refusals": refusals}

    def _claims(self, test: Choice, first: Batch, second: Batch, refusals: Refusals) -> list[Claim]:
        """What a test claims of each sample of a batch."""
        fits = 2 * len(first.tests.design)
        try:
            every = batch_differences(first, second, test.reads, scores.choose(self.world.score))
        except Refused as why:
            refusals.setdefault(test.spelling, why.says)
            every = []
        found = [
            _claim(test.spelling, refusals, self._claim_of_splits, test, evidence, trial)
            for trial, evidence in zip(first.trials, every, strict=False)
        ]
        return [claim._replace(fits=fits) for claim in found or [NONE] * len(first.trials)]

    def _claim_of_splits(self, test: Choice, evidence: Any, trial: int) -> Claim:
        return claim_of_splits(test.with_seed(derive(self.seed, "trial", trial)), evidence, self.level, self.anyway)


def _claim(method: str, refusals: Refusals, ask: Callable[..., Claim], *sample: Any) -> Claim:
    """What a method says of a sample; that it refuses is an answer too."""
    try:
        return ask(*sample)
    except Refused as why:
        refusals.setdefault(method, why.says)
        return NONE


def claims_of(answers: Sequence[dict[str, Any]]) -> tuple[Array, Refusals]:
    """Shares, cautions and fits, (samples, methods, 3), and why methods first gave none."""
    refusals: Refusals = {}
    for answer in answers:
        refusals = answer["refusals"] | refusals
    return np.concatenate([np.array(answer["claims"], float) for answer in answers]), refusals
