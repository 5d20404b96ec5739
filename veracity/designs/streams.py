"""A generator of its own for every place in a design, so that more repeats never change the earlier ones."""

from __future__ import annotations

from typing import Any

import numpy as np


def stream(random: np.random.Generator, *place: int) -> np.random.Generator:
    """The generator of one place. It depends on the seed and the place alone, never on what was drawn before."""
    root: Any = random.bit_generator.seed_seq
    return np.random.default_rng(np.random.SeedSequence(root.entropy, spawn_key=(*root.spawn_key, *place)))
