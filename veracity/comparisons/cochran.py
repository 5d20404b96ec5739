"""Cochran's Q: do any of several fixed models differ on the same rows?"""

from __future__ import annotations

from math import sqrt

import numpy as np

from veracity.comparisons.entry import Verdict, comparison
from veracity.core.errors import BadInput
from veracity.core.notes import Note, caution
from veracity.core.seeds import generator
from veracity.evidence.same_rows import Correctness
from veracity.intervals.resampling import chunks
from veracity.records.arrays import Array

NEVER = Note("never-disagree", "remark", "the models never disagree: no evidence either way")
FEW = 24  # informative cells


def informative(c: Correctness) -> Array:
    """The rows that some models get right and others wrong: no others matter."""
    right = c.hits.sum(1)
    return c.hits[(right > 0) & (right < c.hits.shape[1])]


@comparison(
    "Cochran's Q",
    reads=Correctness,
    compares=0,
    cite=("cochran1950",),
    assumes=("IID", "FIX", "PAIR", "BIG"),
    limits=(
        caution(
            "few-informative",
            f"fewer than {FEW} cells of rows on which models disagree: the chi-squared law is poor, ask for"
            " cochran_q(draws=9999)",
            lambda c: 0 < informative(c).size < FEW,
        ),
    ),
)
def cochran_q(c: Correctness, *, draws: int = 0, seed: int = 0) -> Verdict:
    """How far the numbers of rows that each model gets right are apart, on the chi-squared law.

    It says whether any models differ, not which. With `draws`, the answers within each row are permuted among the
    models instead, which holds for any number of rows.
    """
    hits, df = informative(c), c.hits.shape[1] - 1
    if len(hits) == 0:
        return Verdict(0.0, 1.0, df, (NEVER,))
    right = hits.sum(1)
    spread = float((df + 1) * right.sum() - np.square(right).sum())
    statistic = float(_apart(hits.sum(0))) * df / spread
    if draws:
        return _permuted(hits, statistic, df / spread, draws, seed)
    from scipy.special import chdtrc

    return Verdict(statistic, float(chdtrc(df, statistic)), df)


def _apart(right: Array) -> Array:
    """k times the sum of squares less the squared sum, over the models on the last axis; whole numbers, so exact."""
    right = right.astype(np.int64)
    return right.shape[-1] * np.square(right).sum(-1) - np.square(right.sum(-1))


def _permuted(hits: Array, statistic: float, scale: float, draws: int, seed: int) -> Verdict:
    if draws < 2:
        raise BadInput(f"cochran_q: draws must be at least 2, not {draws}; leave it out for the chi-squared law")
    random, seen, extreme = generator(seed, "cochran"), _apart(hits.sum(0)), 0
    for _, number in chunks(draws, hits.size):
        many = np.broadcast_to(hits, (number, *hits.shape))
        extreme += int(np.count_nonzero(_apart(random.permuted(many, axis=-1).sum(1)) >= seen))
    p = (1 + extreme) / (draws + 1)
    note = Note("seed", "remark", f"{draws} draws with seed {seed}")
    return Verdict(float(seen) * scale, p, None, (note,), facts=(("monte_carlo_error", sqrt(p * (1 - p) / draws)),))
