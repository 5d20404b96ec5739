"""Several tests at once: p-values that still mean what they say."""

from __future__ import annotations

from typing import Any

import numpy as np

from veracity.adjustments import adjustments
from veracity.adjustments.family import Family
from veracity.adjustments.input import Adjusted, read_p_values
from veracity.core.entry import Choice
from veracity.core.notes import Note, check
from veracity.records.arrays import Array


def adjust(p: Any, using: Any = "holm") -> Adjusted:
    """Adjusted p-values in the shape of `p`; compare them with the level that the whole family shall have.

    `shaffer`, `shaffer_dynamic` and `bergmann_hommel` take the pairs of k learners: a symmetric k x k matrix, or its
    upper triangle row by row. Missing (NaN) p-values leave the family and stay missing. The array has `.notes`.
    """
    choice = adjustments.choose(using)
    asked = read_p_values(p, choice.entry.pairs)
    family = asked.family(choice.entry.pairs)
    notes = _missing_notes(asked.flat)
    found, more = adjust_family(family, choice) if family.size else (family.p, ())
    result = asked.back(found)
    result.notes, result.p_values = notes + more, asked.array
    result.using, result.about = choice.spelling, f"{choice.entry.title}: controls the {choice.entry.controls}"
    return result


def adjust_family(family: Family, choice: Choice) -> tuple[Array, tuple[Note, ...]]:
    """The adjusted p-values of a family, and what must be said of them."""
    notes = check(choice.entry.limits, family)
    return np.clip(choice(family), family.p, 1), notes  # rounding must not take a value below its own p


def _missing_notes(flat: Any) -> tuple[Note, ...]:
    number = int(np.isnan(flat).sum())
    if not number:
        return ()
    first = int(np.flatnonzero(np.isnan(flat))[0]) + 1
    says = f"{number} of {len(flat)} p-values missing (the first is number {first}); the others are the family"
    return (Note("missing-p", "remark", says),)
