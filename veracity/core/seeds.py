"""Random numbers that depend on a seed and a purpose, and on nothing else."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np


def derive(seed: int, *purpose: object) -> int:
    """A 63-bit seed for one purpose, the same on every machine, in any order, with any workers."""
    text = "\x1f".join([str(int(seed)), *map(str, purpose)])
    return int.from_bytes(hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "big") >> 1


def generator(seed: int, *purpose: object) -> np.random.Generator:
    """A numpy generator for one purpose."""
    import numpy as np

    return np.random.default_rng(derive(seed, *purpose))
