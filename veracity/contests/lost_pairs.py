"""Pairs that could not be compared: what is said of them, and how many tests they are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from veracity.core.errors import BadInput, Refused
from veracity.core.notes import Note
from veracity.core.words import template

ALL_FAILED = "all-failed"  # the code of a refusal: a learner has no split to compare
NOT_COMPARED = "not-compared"  # the code of the note about pairs that have no answer


class Lost(NamedTuple):
    """What could not be compared, where, why, and how many pairs that is."""

    what: str
    data: str
    why: BadInput | Refused
    pairs: int = 1


def lost_pairs(refusals: Sequence[tuple[tuple[str, str], BadInput | Refused]], data: str) -> list[Lost]:
    """Pairs of one data set; those that one learner loses for one reason are told as that learner."""
    reasons: dict[str, list[tuple[tuple[str, str], BadInput | Refused]]] = {}
    for pair, why in refusals:
        reasons.setdefault(why.says, []).append((pair, why))
    return [_of_one_reason([pair for pair, _ in each], data, each[0][1]) for each in reasons.values()]


def _of_one_reason(pairs: list[tuple[str, str]], data: str, why: BadInput | Refused) -> Lost:
    everywhere = [name for name in pairs[0] if all(name in pair for pair in pairs)]
    if len(pairs) > 1 and everywhere:
        return Lost(everywhere[0], data, why, len(pairs))
    return Lost("; ".join(f"{a} and {b}" for a, b in pairs), data, why, len(pairs))


def lost_notes(lost: Sequence[Lost]) -> tuple[Note, ...]:
    """A caution for each thing and reason, with all data sets where it is so."""
    places: dict[tuple[str, str], list[str]] = {}
    for one in lost:
        places.setdefault((one.what, template(one.why.says)), []).append(one.data)
    return tuple(
        Note(NOT_COMPARED, "caution", f"{what} could not be compared{_on(data)}: {why}")
        for (what, why), data in places.items()
    )


def _on(data: list[str]) -> str:
    return f" on {', '.join(data)}" if any(data) else ""


def refused_tests(lost: Sequence[Lost]) -> int:
    """How many tests the data refused, which are part of a family.

    A learner that failed everywhere, or has no such output, or a test that cannot read such a score was never to be
    tested, whatever the rows: its pairs are no part of it.
    """
    return sum(one.pairs for one in lost if isinstance(one.why, Refused) and one.why.code != ALL_FAILED)
