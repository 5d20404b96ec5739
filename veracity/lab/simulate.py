"""The run of a learner on a sample of a world, without a store; what cannot be simulated is refused before."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from veracity.core.errors import BadInput
from veracity.core.seeds import derive
from veracity.core.words import brief, option
from veracity.designs.parameters import whole_number
from veracity.evidence.predictions import Predictions
from veracity.evidence.run import Run
from veracity.lab.entry import make_world, worlds
from veracity.lab.worlds import Sample, World
from veracity.learners.from_text import check_learner
from veracity.records.arrays import Array, freeze
from veracity.records.design import Rows
from veracity.risk.design_for import design_for

TRUTH_DRAWS = 2_000  # training sets over which the risk of a learner is averaged
FRESH_FOR_EACH = 1_000  # rows on which each of their models is tried, where its risk has no closed form
Learner = Callable[[], Any]  # makes something with fit(features, target) and predict(features)


def run_of(world: World, sample: Sample, learner: Learner, by: str, seed: int = 0) -> Run:
    """Fit a learner on the splits of a design, or of an estimator of risk."""
    of_classes = world.kind == "classes"
    design = design_for(by, Rows(len(sample), sample.target if of_classes else None, sample.groups, sample.time), seed)
    rows = np.concatenate([split.test for split in design.splits])
    number = np.repeat(np.arange(len(design)), [len(split.test) for split in design.splits])
    models = (fitted_learner(learner, *(side[split.train] for side in sample)) for split in design.splits)
    predicted = np.concatenate(
        [model.predict(sample.features[split.test]) for model, split in zip(models, design.splits, strict=True)]
    )
    p = Predictions(
        world.kind,
        freeze(sample.target[rows]),
        classes=tuple(range(sample.classes)) if of_classes else (),
        positive=1 if of_classes and sample.classes == 2 else None,
        label=freeze(predicted, np.int64) if of_classes else None,
        number=None if of_classes else freeze(predicted),
        rows=freeze(rows),
        splits=freeze(number),
        groups=None if sample.groups is None else freeze(sample.groups[rows]),
    )
    return Run("world", "learner", design, p, sample.target)


def learner_risk(world: World | str, learner: Learner, rows: int, draws: int = TRUTH_DRAWS, seed: int = 0) -> float:
    """The risk of a learner at a size: the mean over training sets of that many rows."""
    check_simulation(learner, rows=rows, draws=draws)
    place, _ = named_world(world, World)
    risks = []
    for draw in range(draws):  # few fresh rows for each of many models say as much as many for each
        model = fitted_learner(learner, *place.draw(rows, derive(seed, "training set", draw)))
        risks.append(place.risk(model, FRESH_FOR_EACH, derive(seed, "fresh rows", draw)))
    return float(np.mean(risks))


def runs_of(world: World, learner: Learner, by: str, rows: int, trials: int, seed: int) -> Iterator[Run]:
    """A learner on one sample of a world after another."""
    for number in range(trials):
        of = derive(seed, "trial", number)
        yield run_of(world, world.draw(rows, of), learner, by, of)


def unfitted_learner(learner: Any) -> Any:
    """An unfitted learner."""
    if not callable(learner):
        name = type(learner).__name__
        raise BadInput(f"the lab calls a learner for a fresh one each time: give {name} or lambda: {name}(...)")
    return check_learner(learner())


def fitted_learner(learner: Learner, features: Array, target: Array) -> Any:
    """A fresh learner, trained on these rows."""
    model = unfitted_learner(learner)
    model.fit(features, target)
    return model


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
        says = "gives evidence of a model, and rows to learn from are needed" if isinstance(asked, str) else "is none"
        raise BadInput(f"the world {brief(name)} {says}: take one such as 'two_gaussians(distance=2)'")
    known = {rule.function: rule for rule in worlds}
    rule = known.get(type(world))
    if isinstance(asked, str) or rule is None:
        return world, name
    return world, str(rule.choose(**{one.name: getattr(world, one.name) for one in rule.parameters}))


def names_of(what: str, asked: str | Sequence[str]) -> tuple[str, ...]:
    """One name or several."""
    names = (asked,) if isinstance(asked, str) else tuple(asked) if isinstance(asked, Iterable) else ()
    if not names:
        raise BadInput(f"{option(what)} names nothing: give at least one, such as 'corrected_t'")
    return names


def check_share(name: str, value: Any) -> float:
    """A number between 0 and 1, such as the size that a test is allowed."""
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 < value < 1:
        raise BadInput(f"{name} lies between 0 and 1, not {value!r}")
    return float(value)
