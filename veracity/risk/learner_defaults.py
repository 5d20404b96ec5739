"""The default intervals of learners, as rows of the table that `veracity list defaults` prints."""

from __future__ import annotations

from typing import NamedTuple

from veracity.risk import estimators
from veracity.risk.entry import KINDS, OWN, Estimator


class Row(NamedTuple):
    """What is estimated and how, its interval, and what to know."""

    scores: str
    interval: str | None
    says: str


def rows() -> tuple[Row, ...]:
    """Estimators with the same intervals share a row."""
    named: dict[tuple[str, str | None, str], list[str]] = {}
    for entry in estimators:
        for kind, interval, says in _of(entry):
            named.setdefault((kind, interval, says), []).append(entry.name)
    return tuple(
        Row(f"{kind} by {', '.join(names)}", interval, says) for (kind, interval, says), names in named.items()
    )


def _of(entry: Estimator) -> list[tuple[str, str | None, str]]:
    found: list[tuple[str, str | None, str]] = [
        (KINDS[kind], interval, "as a fixed model's" if interval == OWN else "")
        for kind, interval in entry.interval.items()
    ]
    if "any" not in entry.interval:
        found.append(("all others" if found else KINDS["any"], None, entry.says))
    return found
