"""What a posterior knows of a difference, beyond its three probabilities."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from veracity.records.arrays import Array, freeze

MOST = 2_000  # draws that a picture shows


class Student(NamedTuple):
    """Student's law of the mean difference; a single number where the scale is 0."""

    mean: float
    scale: float
    df: float


@dataclass(frozen=True, eq=False)
class Posterior:
    """A law of the difference, or draws of the chances that it is left of the rope, inside it, right of it."""

    rope: float
    law: Student | None = None
    draws: Array | None = None  # (draws, 3), each row of sum 1


def posterior_of_draws(rope: float, weights: Array) -> Posterior:
    """From weights of left, inside and right, a column for each draw, every so many of them."""
    kept = weights[:, :: -(-weights.shape[1] // MOST)]
    return Posterior(rope, draws=freeze((kept / kept.sum(axis=0)).T))
