"""How much work may be asked for before it must be asked for twice: all limits in one place."""

from __future__ import annotations

from numbers import Integral
from typing import Any

from veracity.core.environment import memory_bytes
from veracity.core.errors import Refused

ANYWAY = "anyway"  # the parameter of every method, and of verbs, that asks for it
MOST = {"draws": 1_000_000, "repeats": 10_000, "outer": 10_000, "inner": 10_000, "bins": 10_000}  # of parameters
SPLITS = 100_000  # of a design, each of which is a fit for every learner
SPLIT_ROWS = 500_000_000  # of all splits of a design together: 2 GB
PAIR_DRAWS = 200_000_000  # random draws for all pairs of a comparison or ranking
SETTINGS = 10_000  # of a grid
QUADRATIC = 30_000  # p-values, where steps grow with the square of their number
FITS = 10_000_000  # of a study or a permutation test, those inside of tuned learners too
UNROLLED = 100_000_000  # rows that counts stand for, where a method looks at each
ROW_BYTES = 40  # that a row in memory takes until it is scored
UNPACKED_RATIO = 100  # times the compressed size: rows of labels and probabilities reach 5 to 30
UNPACKED_BYTES = 1 << 28  # that are never too many


def check_bound(number: float, most: int, what: str, way: str) -> None:
    """Refuse what would take hours or all memory before it begins; `what` tells the cost, `way` how to ask for it."""
    if number > most:
        raise Refused(f"{what}, more than {most:,}: {way}", "too-much")


def check_parameters(name: str, given: dict[str, Any]) -> None:
    """Refuse parameters of a method that nobody can have meant."""
    for word, value in given.items():
        if word in MOST and isinstance(value, Integral):
            way = f"write {name}({word}={value}, {ANYWAY}=True) if that is meant"
            check_bound(int(value), MOST[word], f"{name} is asked for {word}={value:,}", way)


def check_room(rows: int, place: str) -> None:
    """Refuse rows that the machine's memory cannot hold before any of it is taken."""
    needed, there = rows * ROW_BYTES, memory_bytes()
    if needed > there:
        says = f"{place} has {rows:,} rows, which take about {needed / 1e9:,.0f} GB, and this machine has"
        way = "predictions in a Parquet file are read in parts"
        raise Refused(f"{says} {there / 1e9:,.0f} GB: {way}", "too-much")


def unpacked_limit(packed: int) -> int:
    """Return the bytes that so many compressed ones may become, so that a small file cannot fill a disk or a memory."""
    return max(UNPACKED_BYTES, UNPACKED_RATIO * packed)
