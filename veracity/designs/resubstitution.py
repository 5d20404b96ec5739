"""Testing on the very rows that trained."""

from __future__ import annotations

import numpy as np

from veracity.core.errors import Refused
from veracity.designs.entry import Makes, design
from veracity.records.arrays import freeze
from veracity.records.design import Rows, Split


@design("Resubstitution", cite=("efron1983",), tests_training=True)
def resubstitution(rows: Rows, random: np.random.Generator) -> Makes:
    """All rows train and the same rows test."""
    if len(rows) < 1:
        raise Refused("there is no row to train on", "empty-part")
    every = freeze(np.arange(len(rows), dtype=np.int32))
    yield Split(every, every)
