"""The runs of a learner on samples of a world, without a store; what cannot be simulated is refused before."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from veracity.core.errors import BadInput, Refused
from veracity.core.seeds import derive
from veracity.core.words import brief
from veracity.designs.parameters import whole_number
from veracity.evidence.run import Run
from veracity.lab.batches import Fits, Trials, fitted_learner, make_run, tests_of, unfitted_learner
from veracity.lab.batches import Learner as Learner
from veracity.lab.entry import make_world, worlds
from veracity.lab.split_learners import SplitLearner, algebra_of
from veracity.lab.split_rows import SplitRows
from veracity.lab.worlds import Sample, Truth, World
from veracity.records.arrays import Array

TRUTH_DRAWS = 1_000  # training sets over which the risk of a learner is averaged
FRESH_FOR_EACH = 250  # rows on which each of their models is tried, where its risk has no closed form
TOGETHER = 100  # samples whose rows are in memory at a time


def run_of(world: World, sample: Sample, learner: Learner, by: Any, seed: int = 0) -> Run:
    """Fit a learner on the splits of a design, or of an estimator of risk."""
    tests = tests_of(world.kind, sample, by, seed)
    return make_run(world.kind, sample, tests, Fits(learner).predictions([sample], tests)[0])


def runs_of(world: World, learner: Learner, by: Any, rows: int, trials: int, seed: int) -> Iterator[Run]:
    """A learner on one sample of a world after another; a sample that cannot be split is refused."""
    every = Trials(world, by, rows, seed)
    for numbers in parts_of(trials):
        found = dict(run for batch in every.batches(learner, numbers) for run in batch.runs())
        if every.refusals:
            raise next(iter(every.refusals.values()))
        yield from (found[number] for number in numbers)


def parts_of(number: int, size: int = TOGETHER) -> Iterator[range]:
    """The numbers from 0, a few at a time."""
    return (range(first, min(first + size, number)) for first in range(0, number, size))


def learner_risk(world: World | str, learner: Learner, rows: int, draws: int | None = None, seed: int = 0) -> float:
    """The risk of a learner at a size: the mean over training sets of that many rows."""
    return learner_truth(world, learner, rows, draws, seed).value


def learner_truth(world: World | str, learner: Learner, rows: int, draws: int | None = None, seed: int = 0) -> Truth:
    """The same with its own Monte Carlo error."""
    draws = TRUTH_DRAWS if draws is None else draws
    check_simulation(learner, rows=rows, draws=draws)
    place, _ = named_world(world, World)
    try:
        return _known_truth(place, learner, rows, draws, seed)
    except TypeError:  # a learner that cannot be looked up again
        return _known_truth.__wrapped__(place, learner, rows, draws, seed)


@lru_cache(maxsize=1024)
def _known_truth(world: World, learner: Learner, rows: int, draws: int, seed: int) -> Truth:
    algebra = algebra_of(unfitted_learner(learner))
    parts = [_risks(world, learner, algebra, rows, numbers, seed) for numbers in parts_of(draws)]
    return Truth.mean_of(np.concatenate(parts))


def _risks(
    world: World, learner: Learner, algebra: SplitLearner | None, rows: int, numbers: Sequence[int], seed: int
) -> Array:
    """Of models of some training sets; few fresh rows for each of many models say as much as many for each."""
    samples = [world.draw(rows, derive(seed, "training set", number)) for number in numbers]
    seeds = [derive(seed, "fresh rows", number) for number in numbers]
    if algebra is not None and samples[0].classes == 2:
        fresh = [world.fresh(FRESH_FOR_EACH, one) for one in seeds]
        predicted = _predict_fresh(algebra, samples, fresh)
        if predicted is not None:
            return np.array([world.losses(said, one).mean() for said, one in zip(predicted, fresh, strict=True)])
    return np.array(list(_risks_one_by_one(world, learner, samples, seeds)))


def _risks_one_by_one(world: World, learner: Learner, samples: list[Sample], seeds: list[int]) -> Iterator[float]:
    """A training set on which the learner fails has no model, and counts as little as a sample that is refused."""
    failures = []
    for sample, seed in zip(samples, seeds, strict=True):
        try:
            model = fitted_learner(learner, *sample)
        except Refused as why:
            failures.append(why)
        else:
            yield world.risk(model, FRESH_FOR_EACH, seed)
    if len(failures) == len(samples):
        raise failures[0]


def _predict_fresh(algebra: SplitLearner, samples: list[Sample], fresh: list[Sample]) -> Array | None:
    """What the models of whole samples say of fresh rows, (samples, fresh rows)."""
    features, target, tried = (
        np.stack([getattr(one, side) for one in group])
        for group, side in ((samples, "features"), (samples, "target"), (fresh, "features"))
    )
    whole, asked = np.ones((1, target.shape[1]), np.int64), np.ones((1, tried.shape[1]), bool)
    rows = SplitRows(features, target, whole, asked, tried)
    found = [said[:, 0] for part in rows.parts() if (said := algebra.predict_splits(part)) is not None]
    return np.concatenate(found) if sum(map(len, found)) == len(samples) else None


def check_simulation(*learners: Any, **numbers: Any) -> None:
    """Refuse what cannot be simulated."""
    for name, number in numbers.items():
        whole_number(name, number)
    for learner in learners:
        unfitted_learner(learner)


def named_world(asked: Any, *kinds: type) -> tuple[Any, str]:
    """The world that a text stands for, or a world of one's own, and what results call it."""
    world: Any = asked
    name = repr(asked)
    if isinstance(asked, str):
        world, name = make_world(asked), worlds.label(asked)
    if not isinstance(world, kinds):
        says = "does not give what is asked about" if isinstance(asked, str) else "is none"
        such = "two_gaussians(distance=2)" if World in kinds else "shares(share=0.3)"
        raise BadInput(f"the world {brief(name)} {says}: take one such as '{such}'")
    known = {rule.function: rule for rule in worlds}
    rule = known.get(type(world))
    if isinstance(asked, str) or rule is None:
        return world, name
    return world, str(rule.choose(**{one.name: getattr(world, one.name) for one in rule.parameters}))


def names_of(what: str, asked: str | Sequence[str]) -> tuple[str, ...]:
    """One name or several."""
    names = (asked,) if isinstance(asked, str) else tuple(asked) if isinstance(asked, Iterable) else ()
    if not names:
        raise BadInput(f"`{what}=` names nothing: give at least one, such as 'corrected_t'")
    return names


def check_share(name: str, value: Any) -> float:
    """A number between 0 and 1, such as the size that a test is allowed."""
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 < value < 1:
        raise BadInput(f"{name} lies between 0 and 1, not {value!r}")
    return float(value)
