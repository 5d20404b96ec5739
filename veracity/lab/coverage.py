"""How often intervals hold the truth: over everything that can happen where that can be enumerated, else simulated."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from veracity.comparisons import comparisons
from veracity.contests.compare import compare
from veracity.core.confidence import Confidence
from veracity.core.errors import BadInput, Refused
from veracity.core.seeds import derive
from veracity.core.spelling import read
from veracity.evidence.counts import Counts
from veracity.evidence.run import Run
from veracity.findings.interval import Interval
from veracity.intervals import intervals
from veracity.lab.learners import Learner, learner_text
from veracity.lab.measuring import NONE, Answers, Keeping, Progress, Task
from veracity.lab.results import Coverages, Covered
from veracity.lab.simulate import check_simulation, learner_truth, names_of, numbers_of_rows
from veracity.lab.worlds import EvidenceWorld, PairWorld, Truth, World, named_world
from veracity.risk.estimate_run import EstimateRequest, estimate_run
from veracity.risk.estimates import estimate
from veracity.risk.interval_evidence import EVIDENCE
from veracity.scores import scores

DEFAULT = "default"  # whatever the public verb takes unasked
MAX_TRAINING_SIZES = 12  # of the splits of a design, each of whose risks is found by itself
ALL_ROWS = "learner trained on all rows"


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
    names, level = names_of("methods", methods), Confidence(level).level
    for name in names:
        of_test = isinstance(place, PairWorld) and _is_test(name)
        if name != DEFAULT and not of_test:
            intervals.choose(name)
    named = score or place.score
    asked = "" if named is None else scores.choose(named).spelling
    check_simulation(trials=trials)
    keeping = Keeping(store, workers, progress)
    how: dict[str, Any] = {"world": place, "name": text, "methods": names, "seed": seed, "level": level, "score": asked}
    found: list[Covered] = []
    for number in numbers_of_rows(rows):
        if isinstance(place, World):
            if learner is None:
                raise BadInput(f"{text} gives rows to learn from: name a `learner=`")
            task = Task(**how, rows=number, ask_of=interval_of_learner, learners=(learner,), by=by)
            found += _coverage_of_learner(task, trials, keeping)
        else:
            if learner is not None:
                raise BadInput(f"{text} gives the evidence of a model: leave out `learner=`")
            task = Task(**how, rows=number, ask_of=interval_of_evidence)
            found += _coverage_of_evidence(task, trials, keeping)
    return Coverages(tuple(found), getattr(place, "notes", ()))


def _coverage_of_evidence(task: Task, trials: int, keeping: Keeping) -> list[Covered]:
    world = task.world
    if isinstance(world, PairWorld) and world.score is not None and task.score != world.score:
        raise BadInput(f"the difference in this world is that of {world.score}, not of {task.score}")
    truth = Truth(world.effect if isinstance(world, PairWorld) else world.truth(task.score))
    counted = isinstance(world, EvidenceWorld) or all(_reads(name) is world.enumerates for name in task.methods)
    outcomes = list(world.outcomes(task.rows)) if counted else []
    answers = Answers.of_outcomes(task, outcomes) if outcomes else keeping.answers(task, trials)
    return [_covered(task, answers, place, truth) for place in range(len(task.methods))]


def _coverage_of_learner(task: Task, trials: int, keeping: Keeping) -> list[Covered]:
    if task.score != task.world.score:
        raise BadInput(f"the risk in this world is {task.world.score}, not {task.score}: leave out `score=`")
    check_simulation(*task.learners)
    refusals = task.ask(range(1))["refusals"]  # nobody should wait for a thousand to learn that nothing can be read
    for name in task.methods:
        if name in refusals and intervals.choose(name).reads not in EVIDENCE:
            raise Refused(f"{name} does not read what a learner does on splits: {refusals[name]}", "wrong-evidence")
    answers = keeping.answers(task, trials)
    (learner,) = task.learners
    trained, whole = training_risk(task, learner), learner_truth(task.world, learner, task.rows, seed=task.seed)
    found = []
    for place, name in enumerate(task.methods):
        all_rows = intervals.choose(name).answers == ALL_ROWS
        row = _covered(task, answers, place, whole if all_rows else trained)
        low, high = answers.values[:, place].T
        at_all = float(np.mean(((low <= whole.value) & (whole.value <= high))[~np.isnan(low)]))
        target = "all rows" if all_rows else "its training rows"
        found.append(replace(row, by=task.by, learner=learner_text(learner), at_all=at_all, target=target))
    return found


def training_risk(task: Task, learner: Learner) -> Truth:
    """Return the mean risk of models of a learner that train on as many rows as those of the splits."""
    design = task.trials.first_design
    sizes = np.array([design.splits[number].learned_from for number in design.main_splits])
    there, times = np.unique(sizes, return_counts=True)
    if len(there) > MAX_TRAINING_SIZES:
        there, times = np.array([round(sizes.mean())]), np.array([1])
    every = [learner_truth(task.world, learner, int(size), seed=task.seed) for size in there]
    shares = times / times.sum()
    error = math.sqrt(sum((share * one.error) ** 2 for share, one in zip(shares, every, strict=True)))
    return Truth(float(shares @ [one.value for one in every]), error)


def _covered(task: Task, answers: Answers, place: int, truth: Truth) -> Covered:
    """Hold the intervals of one method against the truth."""
    method, (low, high) = task.methods[place], answers.values[:, place].T
    there = ~np.isnan(low)
    if not there.any():
        why = answers.refusals.get(method, "it has no limits")
        by = f" by {task.by}" if task.by else ""
        raise Refused(f"{method} was refused on every sample{by}: {why}", "always-refused")
    answered = answers.weights[there].sum()
    low, high, weights = low[there], high[there], answers.weights[there] / answered
    above, below = (float(weights[missed].sum()) for missed in (low > truth.value, high < truth.value))
    return Covered(
        method=method,
        world=task.name,
        rows=task.rows,
        level=task.level,
        coverage=1 - above - below,
        low_misses=above,
        high_misses=below,
        width=float(weights @ (high - low)),
        trials=len(answers.weights),
        fits=answers.fits,
        refused=float(1 - answered / answers.weights.sum()),
        enumerated=answers.enumerated,
        truth=truth,
    )


def interval_of_learner(task: Task, method: str) -> Callable[[tuple[Run], int], tuple[float, float]]:
    """Return the interval as `estimate` gives it of a run; one that is always refused is asked anyway."""
    anyway = intervals.choose(method).is_one_of("naive_t")
    score = scores.choose(task.world.score)
    request = EstimateRequest(score, str(score), Confidence(task.level), str(intervals.choose(method)), anyway=anyway)
    return lambda runs, number: _ends(estimate_run(runs[0], request).interval)


def interval_of_evidence(task: Task, method: str) -> Callable[[Any, int], tuple[float, float]]:
    """Return the interval of the score of a sample, or of the difference of two models.

    Where a method draws no random numbers, the interval of a confusion matrix is found once for all its samples.
    """
    pair = isinstance(task.world, PairWorld)
    named: str | None = None if method == DEFAULT else method
    by_test = pair and _is_test(method) and read(method).name not in intervals
    known: dict[bytes, tuple[float, float]] = {}
    draws = named is None or by_test or intervals.choose(method).accepts("seed")

    def ask(sample: Any, number: int) -> tuple[float, float]:
        seed = derive(task.seed, "interval", number)
        if pair:
            how: Any = {"using": method} if by_test else {"interval": named}
            return _ends(compare(sample, task.score or None, level=task.level, seed=seed, **how).interval)
        key = sample.matrix.tobytes() if isinstance(sample, Counts) and sample.sampling is None and not draws else None
        if key is not None and key in known:
            return known[key]
        row = estimate(sample, str(task.score), interval=named, level=task.level, seed=seed).rows[0]
        ends = _ends(row.interval)
        if key is not None:
            known[key] = ends
        return ends

    return ask


def _ends(interval: Interval | None) -> tuple[float, float]:
    return NONE if interval is None else (interval.low, interval.high)


def _is_test(method: Any) -> bool:
    """Return whether a method of this name compares two models."""
    return isinstance(method, str) and read(method).name in comparisons


def _reads(method: str) -> type | None:
    """Return the evidence of an interval, or of the test that has it."""
    if method == DEFAULT:
        return None
    return (intervals if read(method).name in intervals else comparisons).choose(method).reads
