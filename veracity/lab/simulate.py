"""The run of a learner on a sample of a world, without a store; what cannot be simulated is refused before."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from veracity.core.errors import BadInput
from veracity.designs.parameters import whole_number
from veracity.evidence.predictions import Predictions
from veracity.evidence.run import Run
from veracity.lab.worlds import Sample, World
from veracity.learners.from_text import check_learner
from veracity.records.arrays import Array, freeze
from veracity.records.design import Rows
from veracity.risk.design_for import design_for

Learner = Callable[[], Any]  # makes something with fit(features, target) and predict(features)


def run_of(world: World, sample: Sample, learner: Learner, by: str, seed: int = 0) -> Run:
    """Fit a learner on the splits of a design, or of an estimator of risk."""
    of_classes = world.kind == "classes"
    design = design_for(by, Rows(len(sample.target), sample.target if of_classes else None), seed)
    rows = np.concatenate([split.test for split in design.splits])
    number = np.repeat(np.arange(len(design)), [len(split.test) for split in design.splits])
    models = (fitted_learner(learner, *(side[split.train] for side in sample)) for split in design.splits)
    predicted = np.concatenate(
        [model.predict(sample.features[split.test]) for model, split in zip(models, design.splits, strict=True)]
    )
    p = Predictions(
        world.kind,
        freeze(sample.target[rows]),
        classes=(0, 1) if of_classes else (),
        positive=1 if of_classes else None,
        label=freeze(predicted, np.int64) if of_classes else None,
        number=None if of_classes else freeze(predicted),
        rows=freeze(rows),
        splits=freeze(number),
    )
    return Run("world", "learner", design, p, sample.target)


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


def check_simulation(world: Any, *learners: Any, **numbers: Any) -> None:
    """Refuse what cannot be simulated."""
    if not isinstance(world, World):
        raise BadInput(f"a world is an object such as TwoGaussians(), not {world!r}")
    for name, number in numbers.items():
        whole_number(name, number)
    for learner in learners:
        unfitted_learner(learner)


def interval_names(intervals: str | Sequence[str]) -> tuple[str, ...]:
    """One interval or several, by name."""
    names = (intervals,) if isinstance(intervals, str) else tuple(intervals)
    if not names:
        raise BadInput("intervals names no interval: give at least one, such as 'corrected_t'")
    return names


def check_share(name: str, value: Any) -> float:
    """A number between 0 and 1, such as the size that a test is allowed."""
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 < value < 1:
        raise BadInput(f"{name} lies between 0 and 1, not {value!r}")
    return float(value)
