"""Several tests at once: p-values that still mean what they say."""

from __future__ import annotations

from typing import Any

import numpy as np

from veracity.adjustments import adjustments
from veracity.adjustments.given import Adjusted, given
from veracity.core.notes import Note, check


def adjust(p: Any, using: Any = "holm") -> Adjusted:
    """Adjusted p-values in the shape of `p`; compare them with the level that the whole family shall have.

    `shaffer`, `shaffer_dynamic` and `bergmann_hommel` take the pairs of k learners: a symmetric k x k matrix, or its
    upper triangle row by row. Missing (NaN) p-values leave the family and stay missing. The array has `.notes`.
    """
    choice = adjustments.choose(using)
    asked = given(p, choice.entry.pairs)
    family = asked.family(choice.entry.pairs)
    notes = _missing(asked.flat)
    found = family.p
    if family.size:
        notes += check(choice.entry.limits, family)
        found = np.clip(choice(family), family.p, 1)  # rounding must not take a value below its own p
    result = asked.back(found)
    result.notes = notes
    return result


def _missing(flat: Any) -> tuple[Note, ...]:
    number = int(np.isnan(flat).sum())
    if not number:
        return ()
    first = int(np.flatnonzero(np.isnan(flat))[0]) + 1
    says = f"{number} of {len(flat)} p-values missing (the first is number {first}); the others are the family"
    return (Note("missing-p", "remark", says),)
