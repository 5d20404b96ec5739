"""What a store holds beyond a study, which is told and not shown."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from veracity.core.notes import Note
from veracity.evidence.runs import BEYOND_STUDY

HELD = {"data": "data set", "learners": "learner", "by": "design"}


def not_in_study(where: str, held: Mapping[str, Any], named: Mapping[str, Iterable[str]]) -> tuple[Note, ...]:
    """One remark about what the store holds and the study does not name."""
    more = {noun: [name for name in held.get(what, ()) if name not in named[what]] for what, noun in HELD.items()}
    others = [f"the {noun}{'s'[: len(names) > 1]} {' and '.join(names)}" for noun, names in more.items() if names]
    if not others:
        return ()
    says = f"{where} also holds {', '.join(others)}, which this study does not name: ask the store itself for all"
    return (Note(BEYOND_STUDY, "remark", says),)
