"""How groups of learners that cannot be told apart are drawn: as bars over the line of mean ranks."""

from __future__ import annotations

from dataclasses import dataclass

from veracity.findings.standing import Standing


@dataclass(frozen=True)
class Bar:
    """One group, best first. A learner `between` its ends that is not of the group differs from one that is.

    A bar without such learners is a plain line; one with them marks its members by dots.
    """

    members: tuple[str, ...]
    between: tuple[str, ...]

    @property
    def plain(self) -> bool:
        return not self.between


def bars(standing: Standing) -> tuple[Bar, ...]:
    """A bar for each group of two or more: two learners share one exactly if they are not told apart."""
    order = standing.best_first
    found = []
    for group in standing.groups:
        places = [order.index(name) for name in group]
        span = order[min(places) : max(places) + 1]
        if len(group) > 1:
            found.append(Bar(group, tuple(name for name in span if name not in group)))
    return tuple(found)
