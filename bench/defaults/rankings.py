"""Learners on few data sets: does the default test of a ranking reject no more than it says?"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

import veracity as vc
from bench.defaults.cell import LEVEL, Answer, Cell, Random

SIZES = ((3, 3), (4, 3), (5, 4), (11, 4), (4, 5), (10, 5), (2, 7))


def cells() -> Iterator[Cell]:
    for datasets, learners in SIZES:
        yield _equal_learners(datasets, learners, 4)
    for datasets, learners in ((3, 3), (5, 4)):
        yield _equal_learners(datasets, learners, 1)


def _equal_learners(datasets: int, learners: int, digits: int) -> Cell:
    """Scores that differ by chance alone, rounded to so many digits, so that with one many tie."""

    def ask(random: Random) -> Answer:
        values = np.round(random.beta(8, 3, (datasets, learners)), digits)
        omnibus = vc.rank(values).omnibus
        codes = frozenset(note.code for note in omnibus.notes)
        return Answer(omnibus.p_value < 1 - LEVEL, omnibus.method.split("(")[0], codes)

    world = f"{learners} equal learners on {datasets} data sets, scores of {digits} digit{'s' * (digits > 1)}"
    return Cell(world, "score", None, ask, "error rate", trials=1_000)
