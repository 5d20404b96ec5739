"""baycomp: posteriors of two learners."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.metadata import version

import baycomp
import numpy as np

import veracity as vc
from bench.parity.inputs import splits
from bench.parity.row import Row, compare

NAME, VERSION = "baycomp", version("baycomp")


def ours(differences: np.ndarray) -> tuple[float, ...]:
    scores = {"a": 0.8 + differences, "b": np.full(len(differences), 0.8)}
    s = vc.split_scores(scores, train=90, test=10, k=10, repeats=3)
    return vc.compare(s, using="correlated_t_posterior(rope=0.01)").probabilities


def rows() -> Iterator[Row]:
    yield compare(
        "using='correlated_t_posterior(rope=0.01)'",
        "two_on_single(x, y, rope=0.01, runs=3)",
        splits(),
        ours,
        lambda d: baycomp.two_on_single(np.full(len(d), 0.8), 0.8 + d, rope=0.01, runs=3),
    )
