"""Bootstrap bands around the line of an ordering, each place on its own."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from veracity.core.confidence import Confidence
from veracity.core.errors import BadInput
from veracity.core.notes import Note
from veracity.core.seeds import derive
from veracity.curves.classes import Series
from veracity.evidence.ordering import Ordering
from veracity.findings.curve import Line
from veracity.intervals.resampling import replicates
from veracity.records.arrays import Array

DRAWS = 1_999
PLACES = np.linspace(0.0, 1.0, 201)
Read = Callable[[Array, Array, Array], Array]  # places, true and false positives of one replicate


def recall_at(places: Array, true: Array, false: Array) -> Array:
    """The true positive rate at false positive rates; on a vertical step, its top."""
    return np.interp(places, false / false[-1], true / true[-1])


def precision_at(places: Array, true: Array, false: Array) -> Array:
    """Precision at recalls, by interpolated counts; where precision falls at one recall, before the fall."""
    wanted = places * true[-1]
    after = np.maximum(np.searchsorted(true, wanted, "left"), _first_hit(true))
    rise = true[after] - true[after - 1]
    share = np.where(rise > 0, (wanted - true[after - 1]) / np.where(rise > 0, rise, 1), 1.0)
    alarms = false[after - 1] + share * (false[after] - false[after - 1])
    hits = true[after - 1] + share * rise
    whole = hits + alarms
    at_start = true[after] / (true[after] + false[after])  # nothing selected yet: the block that comes next
    return np.where(whole > 0, hits / np.where(whole > 0, whole, 1), at_start)


def _first_hit(true: Array) -> int:
    return int(np.argmax(true > 0))


def around(
    found: tuple[Series, ...], read: Read, level: float | None, draws: int, seed: int
) -> tuple[tuple[Line, ...], tuple[Note, ...]]:
    """A band for every line, and the note that says what it promises; none without a level."""
    if level is None:
        return (), ()
    at = Confidence(level)
    if draws < 2:
        raise BadInput(f"draws must be at least 2, not {draws!r}; {DRAWS} are advised")
    made = [_band(one, read, at, draws, seed) for one in found]
    lines = tuple(line for line, _ in made)
    says = f"bands are pointwise: each covers {level:.4g} at every place by itself, not the whole curve at once"
    lost = tuple(note for _, notes in made for note in notes)
    return lines, (Note("pointwise-band", "caution", says), *lost)


def _band(one: Series, read: Read, at: Confidence, draws: int, seed: int) -> tuple[Line, tuple[Note, ...]]:
    found = _replicates(one.ordering, read, draws, derive(seed, "band", one.name))
    known = found[np.isfinite(found).all(1)]
    if len(known) < 0.95 * draws:
        raise BadInput(f"too few rows for a band around {one.name}: many bootstrap samples lack one of the classes")
    low, high = np.quantile(known, [at.tail, 1 - at.tail], axis=0)
    middle = read(PLACES, one.ordering.tp, one.ordering.fp)
    name = f"{100 * at.level:.4g} % band, pointwise"
    lost = draws - len(known)
    says = f"{lost} of {draws} bootstrap samples of {one.name} lacked one of the classes and did not count"
    notes = (Note("undefined-replicates", "caution", says),) if lost else ()
    return Line(name, PLACES, middle, low=low, high=high, style="band", of=one.name), notes


def _replicates(o: Ordering, read: Read, draws: int, seed: int) -> Array:
    """What `read` sees in each replicate, one row each; NaN where a replicate lacks a class."""
    rows = []
    with np.errstate(invalid="ignore"):
        for part in replicates(o, draws, seed):
            assert isinstance(part, Ordering)  # replicates are of the kind they resample
            rows += [read(PLACES, true, false) for true, false in zip(part.tp, part.fp, strict=True)]
    return np.array(rows)
