"""How often tests of two learners on the same splits claim a difference: by batches, several tests at once."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from veracity.comparisons import comparisons
from veracity.core.errors import BadInput, Refused
from veracity.core.words import template
from veracity.evidence.split_scores import SplitScores, Subsamples
from veracity.lab.batches import Fits, Learner, Trials
from veracity.lab.learner_coverage import VERSION, learner_text
from veracity.lab.learner_evidence import batch_evidence
from veracity.lab.measuring import Keeping
from veracity.lab.simulate import check_share, check_simulation, named_world, names_of
from veracity.lab.worlds import World
from veracity.scores import scores


@dataclass(frozen=True)
class Claims:
    """How often one test claimed a difference; where the learners have the same risk that is its type I error."""

    method: str
    share: float
    trials: int
    fits: int
    refused: float = 0.0  # share of the samples without a p-value

    @property
    def error(self) -> float:
        """Monte Carlo standard error of the share."""
        return math.sqrt(self.share * (1 - self.share) / max(self.trials * (1 - self.refused), 1))


@dataclass(frozen=True)
class PairQuestion:
    """Two learners in a world by a design, and the tests that compare them."""

    world: World
    name: str  # of the world
    learners: tuple[Learner, Learner]
    methods: tuple[str, ...]
    by: str
    rows: int
    seed: int

    @property
    def key(self) -> str:
        models = tuple(map(learner_text, self.learners))
        return repr(("tests", self.name + self.world.digest, models, self.methods, self.by, self.rows, VERSION))

    def ask(self, numbers: range) -> Any:
        """The p-value of each trial and test, NaN where one refuses, how many fits they took, and why."""
        tests = [comparisons.choose(name) for name in self.methods]
        found = np.full((len(numbers), len(tests)), math.nan)
        trials, second = Trials(self.world, self.by, self.rows, self.seed), Fits(self.learners[1])
        refusals, fits = {}, 0
        for batch in trials.batches(self.learners[0], numbers):
            other = replace(batch, predicted=second.predictions(batch.samples, batch.tests))
            fits += 2 * len(batch.trials) * len(batch.tests.design)
            for place, test in enumerate(tests):
                try:
                    pairs = zip(*(self._evidence(one, test.entry.reads) for one in (batch, other)), strict=True)
                    values = [test(_difference(a, b)).p_value for a, b in pairs]
                    found[np.array(batch.trials) - numbers.start, place] = values
                except Refused as why:
                    refusals[str(test)] = why.says
        refusals |= {str(test): why.says for why in trials.refusals.values() for test in tests}
        return {"p": found.tolist(), "fits": fits, "refusals": refusals}

    def _evidence(self, batch: Any, reads: type) -> list[Any]:
        every = batch_evidence(batch, reads, scores.choose(self.world.score))
        return [one if isinstance(one, reads) else one.split_scores() for one in every]


def _difference(first: Any, second: Any) -> Any:
    if isinstance(first, SplitScores):
        return first - second
    return Subsamples(first.full - second.full, first.halves - second.halves)


def learner_claims(
    world: World | str,
    first: Learner,
    second: Learner,
    *,
    methods: str | Sequence[str],
    by: str,
    rows: int,
    trials: int = 1000,
    alpha: float = 0.05,
    seed: int = 0,
    keeping: Keeping | None = None,
) -> tuple[Claims, ...]:
    """The share of samples in which each test of two learners claims a difference, all tried on the same fits."""
    check_simulation(first, second, rows=rows, trials=trials)
    place, name = named_world(world, World)
    check_share("alpha", alpha)
    asked = names_of("methods", methods)
    for method in asked:
        if comparisons.choose(method).entry.reads not in (SplitScores, Subsamples):
            raise BadInput(f"{method} does not read the splits of one design: try corrected_t")
    question = PairQuestion(place, name, (first, second), asked, by, rows, seed)
    answers = (keeping or Keeping()).answers(question, trials)
    values = np.concatenate([np.array(answer["p"], float) for answer in answers])
    why = {method: says for answer in answers for method, says in answer["refusals"].items()}
    fits = sum(answer["fits"] for answer in answers)
    return tuple(_claims(method, values[:, place], alpha, fits, why) for place, method in enumerate(asked))


def _claims(method: str, values: Any, alpha: float, fits: int, why: dict[str, str]) -> Claims:
    there = values[~np.isnan(values)]
    if not len(there):
        says = why.get(str(comparisons.choose(method)), "it has no p-value")
        raise Refused(f"{method} was refused on every sample: {template(says)}", "always-refused")
    return Claims(method, float(np.mean(there <= alpha)), len(values), fits, 1 - len(there) / len(values))
