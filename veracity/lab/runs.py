"""The run of a learner on a sample of a world, without a store: every split is fitted at once and forgotten."""

from __future__ import annotations

import numpy as np

from veracity.evidence.predictions import Predictions
from veracity.evidence.run import Run
from veracity.lab.given import Learner, fresh
from veracity.lab.worlds import Sample, World
from veracity.records.arrays import Array, freeze
from veracity.records.design import Rows
from veracity.risk.design_for import design_for


def run_of(world: World, sample: Sample, learner: Learner, by: str, seed: int = 0) -> Run:
    """Fit a learner on the splits of a design, or of an estimator of risk."""
    of_classes = world.kind == "classes"
    design = design_for(by, Rows(len(sample.target), sample.target if of_classes else None), seed)
    rows = np.concatenate([split.test for split in design.splits])
    number = np.repeat(np.arange(len(design)), [len(split.test) for split in design.splits])
    said: list[Array] = []
    for split in design.splits:
        model = fresh(learner)
        model.fit(sample.features[split.train], sample.target[split.train])
        said.append(model.predict(sample.features[split.test]))
    p = Predictions(
        world.kind,
        freeze(sample.target[rows]),
        classes=(0, 1) if of_classes else (),
        positive=1 if of_classes else None,
        label=freeze(np.concatenate(said), np.int64) if of_classes else None,
        number=None if of_classes else freeze(np.concatenate(said)),
        rows=freeze(rows),
        splits=freeze(number),
    )
    return Run("world", "learner", design, p, sample.target)
