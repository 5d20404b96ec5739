"""The default intervals of learners, as rows of the table that `veracity list defaults` prints."""

from __future__ import annotations

from typing import NamedTuple

from veracity.risk import estimators
from veracity.risk.entry import KINDS, OWN, Estimator

SAYS = {OWN: (OWN, "as a fixed model's")}


class LearnerDefault(NamedTuple):
    """What is estimated and how, its interval, and what to know."""

    scores: str
    interval: str | None
    says: str


def learner_defaults() -> tuple[LearnerDefault, ...]:
    """Estimators with the same intervals share a row."""
    names: dict[tuple[str, str | None, str], list[str]] = {}
    for entry in estimators:
        for row in _default_intervals(entry):
            names.setdefault(row, []).append(entry.name)
    return tuple(LearnerDefault(f"{row[0]} by {', '.join(by)}", *row[1:]) for row, by in names.items())


def _default_intervals(entry: Estimator) -> list[tuple[str, str | None, str]]:
    """The kind of score, its interval, and what to know."""
    rows: list[tuple[str, str | None, str]] = [
        (KINDS[kind], *SAYS.get(interval, (interval, ""))) for kind, interval in entry.interval.items()
    ]
    if "any" not in entry.interval:
        rows.append(("all others" if rows else KINDS["any"], None, entry.says))
    return rows
