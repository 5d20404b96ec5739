"""How often intervals of learners hold their risk, where rows can be drawn without end."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from veracity.core.confidence import Confidence
from veracity.core.environment import version_of
from veracity.core.errors import Refused
from veracity.core.notes import Note
from veracity.intervals import intervals
from veracity.lab.batches import Learner, Trials, unfitted_learner
from veracity.lab.learner_evidence import batch_limits
from veracity.lab.measuring import Keeping
from veracity.lab.simulate import check_simulation, learner_truth
from veracity.lab.worlds import Truth, World
from veracity.records.arrays import Array
from veracity.risk.interval_evidence import EVIDENCE
from veracity.scores import scores

VERSION = version_of("veracity")
MOST_SIZES = 12  # of training sets, each of whose risks is found by itself
ALL_ROWS = "learner trained on all rows"


@dataclass(frozen=True)
class LearnerQuestion:
    """A learner in a world by a design, and the intervals that are tried on it."""

    world: World
    name: str  # of the world
    learner: Learner
    by: str
    rows: int
    methods: tuple[str, ...]
    level: float
    seed: int

    @property
    def key(self) -> str:
        asked = learner_text(self.learner), self.by, self.rows, self.methods, self.level
        return repr(("coverage", self.name + self.world.digest, *asked, VERSION))

    @cached_property
    def trials(self) -> Trials:
        return Trials(self.world, self.by, self.rows, self.seed)

    def ask(self, numbers: range) -> Any:
        """Limits of each trial and method, how many fits they took, and why some methods gave none."""
        score, at = scores.choose(self.world.score), Confidence(self.level)
        choices = tuple(intervals.choose(name) for name in self.methods)
        limits = np.full((len(numbers), len(choices), 2), math.nan)
        refusals: dict[str, str] = {}
        fits = 0
        for batch in self.trials.batches(self.learner, numbers):
            places = np.array(batch.trials) - numbers.start
            limits[places] = batch_limits(batch, choices, score, at, refusals)
            fits += len(batch.trials) * len(batch.tests.design)
        for number in numbers:
            if number in self.trials.refusals:
                for choice in choices:
                    refusals.setdefault(str(choice), self.trials.refusals[number].says)
        return {"limits": limits.tolist(), "fits": fits, "refusals": refusals}

    def truth(self) -> Truth:
        """The mean risk of models that train on as many rows as those of the splits."""
        design = self.trials.first_design
        sizes = np.array([design.splits[number].learned_from for number in design.main_splits])
        there, times = np.unique(sizes, return_counts=True)
        if len(there) > MOST_SIZES:
            there, times = np.array([round(sizes.mean())]), np.array([1])
        every = [self.truth_at(int(size)) for size in there]
        shares = times / times.sum()
        error = math.sqrt(sum((share * one.error) ** 2 for share, one in zip(shares, every, strict=True)))
        return Truth(float(shares @ [one.value for one in every]), error)

    def truth_at(self, rows: int) -> Truth:
        return learner_truth(self.world, self.learner, rows, seed=self.seed)


@dataclass(frozen=True)
class LearnerLimits:
    """Limits of each trial and method, and what they are held against."""

    limits: Array  # (trials, methods, 2)
    fits: int
    trained: Truth
    whole: Truth
    refusals: dict[str, str]


def learner_limits(question: LearnerQuestion, trials: int, keeping: Keeping) -> LearnerLimits:
    """Ask, after what cannot be asked was refused."""
    check_simulation(question.learner, rows=question.rows, trials=trials)
    _check_reads(question)
    answers = keeping.answers(question, trials)
    refusals: dict[str, str] = {}
    for answer in answers:
        refusals = {**answer["refusals"], **refusals}
    limits = np.concatenate([np.array(answer["limits"], float) for answer in answers])
    fits = sum(answer["fits"] for answer in answers)
    return LearnerLimits(limits, fits, question.truth(), question.truth_at(question.rows), refusals)


def _check_reads(question: LearnerQuestion) -> None:
    """Ask one trial: nobody should wait for a thousand to learn that an interval does not read what there is."""
    refusals = question.ask(range(1))["refusals"]
    for name in question.methods:
        why = refusals.get(str(intervals.choose(name)), "")
        reads = intervals.choose(name).reads
        if why and reads not in EVIDENCE:
            raise Refused(f"{name} does not read what a learner does on splits: {why}", "wrong-evidence")


def learner_text(learner: Learner) -> str:
    """A learner as results and stores call it: its class, with what differs from its defaults."""
    model = unfitted_learner(learner)
    if hasattr(model, "get_params"):
        return " ".join(repr(model).split())
    inside = ", ".join(f"{name}={value!r}" for name, value in sorted(vars(model).items()))
    return f"{type(model).__name__}({inside})"


def about_all_rows(method: str) -> bool:
    """Whether an interval is about the learner trained on all rows, and not on those of its splits."""
    return bool(intervals.choose(method).answers == ALL_ROWS)


def notes_of(world: World) -> tuple[Note, ...]:
    """What is to be known of a world that is made of a user's data."""
    notes: tuple[Note, ...] = getattr(world, "notes", ())
    return notes
