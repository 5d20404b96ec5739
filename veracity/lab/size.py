"""How often tests claim something, enumerated or simulated: their size where it is false, else their power."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from veracity.comparisons import comparisons
from veracity.core.confidence import Confidence
from veracity.core.errors import BadInput, Refused
from veracity.evidence.score_matrix import SplitScores, Subsamples
from veracity.lab.claims import asked_of, claim_of_evidence, claim_of_learners
from veracity.lab.coverage import training_risk
from veracity.lab.learners import Learner
from veracity.lab.measuring import Answers, Keeping, Progress, Task
from veracity.lab.pair_worlds import PValues
from veracity.lab.results import Rejected, Rejections
from veracity.lab.simulate import check_simulation, names_of, numbers_of_rows
from veracity.lab.worlds import (
    EFFECTS,
    LEARNERS,
    EvidenceWorld,
    FamilyWorld,
    PairWorld,
    World,
    named_world,
    with_effect,
)
from veracity.scores import scores

WITH_EFFECT = "`effects=0.1`"
VISIBLE_ERRORS, CERTAIN_ERRORS = 2.0, 4.0  # standard errors by which risks differ visibly, and beyond doubt
ROUNDING = 1e-9  # is what rounding leaves of no difference


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
    how = {"by": by, "score": score, "level": level, "seed": seed, "anyway": anyway, "power": False}
    return _measure([world], learners, methods, rows, trials, Keeping(store, workers, progress), how)


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
    tried = [world]
    if effects is not None:
        every = list(effects) if isinstance(effects, Iterable) else [effects]
        if not every:
            raise BadInput(f"{EFFECTS} names none: give at least one, such as 0.05")
        place, _ = named_world(world, World, EvidenceWorld, PairWorld, FamilyWorld, PValues)
        tried = [with_effect(place, effect) for effect in every]
    how = {"by": by, "score": score, "level": level, "seed": seed, "anyway": anyway, "power": True}
    return _measure(tried, learners, methods, rows, trials, Keeping(store, workers, progress), how)


def _measure(
    tried: Sequence[Any],
    learners: Sequence[Learner] | None,
    methods: str | Sequence[str],
    rows: int | Sequence[int],
    trials: int,
    keeping: Keeping,
    how: dict[str, Any],
) -> Rejections:
    how = {**how, "level": Confidence(how["level"]).level, "methods": names_of("methods", methods)}
    numbers, makers = numbers_of_rows(rows), tuple(learners or ())
    check_simulation(*makers, trials=trials)
    found: list[Rejected] = []
    for world in tried:
        place, text = named_world(world, World, EvidenceWorld, PairWorld, FamilyWorld, PValues)
        for number in numbers:
            about = {**how, "world": place, "name": text, "rows": number, "learners": makers}
            if isinstance(place, World):
                found += _rejections_of_learners(Task(**about, ask_of=claim_of_learners), trials, keeping)
            else:
                if makers:
                    raise BadInput(f"{text} gives evidence, and nothing to learn from: leave out {LEARNERS}")
                found += _rejections_of_evidence(
                    Task(**{**about, "by": "", "ask_of": claim_of_evidence}), trials, keeping
                )
    return Rejections(tuple(found), getattr(place, "notes", ()))


def _rejections_of_evidence(task: Task, trials: int, keeping: Keeping) -> list[Rejected]:
    """Ask each method: of all that can happen where that can be enumerated for it, else of samples."""
    world, text = task.world, task.name
    asked = [asked_of(world, method, task.score, task.level, task.power, task.anyway) for method in task.methods]
    for one in asked:
        if task.power and not one.true:
            way = f"power needs an effect, {WITH_EFFECT}, or ask size"
            raise BadInput(f"what {one.method} would claim is not so in {text}: {way}")
        if not task.power and one.true:
            raise BadInput(f"what {one.method} claims is so in {text}: there it has power, and no size")
    found: dict[int, Rejected] = {}
    counted = [place for place, one in enumerate(asked) if getattr(world, "enumerates", None) in (None, one.reads)]
    outcomes: list[tuple[float, Any]] = []
    if counted and not isinstance(world, PValues):  # of two models what tests read of them
        how = {"told_apart": False} if isinstance(world, PairWorld) else {}
        outcomes = list(world.outcomes(task.rows, **how))
    groups = [(counted, outcomes)] if outcomes else []
    others = [place for place in range(len(asked)) if not outcomes or place not in counted]
    for places, every in [*groups, *([(others, [])] if others else [])]:
        part = replace(task, methods=tuple(task.methods[place] for place in places))
        answers = Answers.of_outcomes(part, every) if every else keeping.answers(part, trials)
        for number, place in enumerate(places):
            one, effect = asked[place], float(getattr(world, "effect", 0.0))
            found[place] = _rejected(part, answers, number, one.method, what=one.what, effect=effect)
    return [found[place] for place in range(len(asked))]


def _rejections_of_learners(task: Task, trials: int, keeping: Keeping) -> list[Rejected]:
    """Ask tests of two learners by the same splits of samples."""
    world, text = task.world, task.name
    if len(task.learners) != 2:
        says = f"name two {LEARNERS} to compare, not {len(task.learners)}"
        raise BadInput(f"{text} gives rows to learn from: {says}")
    if task.score is not None and scores.choose(task.score).spelling != world.score:
        raise BadInput(f"the risk in {text} is {world.score}, not {task.score}: leave out `score=`")
    tests = [comparisons.choose(method) for method in task.methods]
    for test in tests:
        if test.reads not in (SplitScores, Subsamples):
            raise BadInput(f"{test.name} does not read the splits of one design: try corrected_t")
    _check_risks(task)
    answers = keeping.answers(task, trials)
    return [_rejected(task, answers, place, test.spelling) for place, test in enumerate(tests)]


def _check_risks(task: Task) -> None:
    """Size is of learners of one risk, trained on as many rows as those of the splits, power of such as differ."""
    first, second = (training_risk(task, learner) for learner in task.learners)
    apart, error = abs(first.value - second.value), math.hypot(first.error, second.error)
    risks = f"{first.value:.4f} and {second.value:.4f}, their difference known to {error:.4f}"
    where = f"in {task.name} by {task.by} of {task.rows} rows the learners have the risks {risks}"
    if task.power and apart <= max(VISIBLE_ERRORS * error, ROUNDING):
        raise BadInput(f"{where}, so that none is known to be there: ask size, or where they differ")
    if not task.power and apart > max(CERTAIN_ERRORS * error, ROUNDING):
        raise BadInput(f"{where}: there tests have power, and no size")


def _rejected(task: Task, answers: Answers, place: int, method: str, what: str = "", effect: float = 0.0) -> Rejected:
    """Return the share of claims of one method, among the samples of which it gave an answer."""
    shares, cautions = answers.values[:, place].T
    there = ~np.isnan(shares)
    if not there.any():
        refused = answers.refusals[task.methods[place]]
        raise Refused(f"{method} was refused on every sample: {refused}", "always-refused")
    answered = answers.weights[there] / answers.weights[there].sum()
    share = float(answered @ shares[there])
    deviation = math.sqrt(float(answered @ (shares[there] - share) ** 2))
    return Rejected(
        method=method,
        world=task.name,
        rows=task.rows,
        level=task.level,
        what=what or ("power" if task.power else "size"),
        rejected=share,
        error=0.0 if answers.enumerated else deviation / math.sqrt(np.count_nonzero(there)),
        trials=len(answers.weights),
        fits=answers.fits,
        refused=float(1 - answers.weights[there].sum() / answers.weights.sum()),
        cautioned=float(answered @ cautions[there]),
        by=task.by,
        effect=effect,
        enumerated=answers.enumerated,
    )
