"""Effect sizes of a pair, where they are asked for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from veracity.contests.contest import Contest
from veracity.core.confidence import Confidence
from veracity.core.entry import Choice, MethodLike
from veracity.core.errors import BadInput, Refused
from veracity.core.notes import Note, check
from veracity.core.words import template
from veracity.effects import effects
from veracity.evidence.paired_scores import PairedScores
from veracity.findings.effect import EffectSize

Found = tuple[tuple[EffectSize, ...], tuple[Note, ...]]


def choose_effects(asked: MethodLike | Sequence[MethodLike] | None) -> tuple[Choice, ...]:
    """Those asked for: one by its name, or several."""
    if asked is None:
        return ()
    several: Any = asked if isinstance(asked, (list, tuple)) else [asked]
    return tuple(dict.fromkeys(effects.choose(one) for one in several))


def effects_of_pair(contest: Contest, asked: tuple[Choice, ...], a: str, b: str, at: Confidence) -> Found:
    """Each with its limits; one that cannot be had leaves a note in its place."""
    if not asked:
        return (), ()
    if a == b or PairedScores not in contest.gives():
        raise BadInput(f"{asked[0].entry.name} is of {PairedScores.label}, and these are {contest.what}")
    found, notes = [], list[Note]()
    for choice in asked:
        try:
            one, more = _effect(choice, contest.gives()[PairedScores](a, b), at)
        except Refused as why:
            notes.append(Note("no-effect", "caution", f"no {choice} here: {template(why.says)}"))
        else:
            found.append(one)
            notes += more
    return tuple(found), tuple(notes)


def _effect(choice: Choice, pairs: PairedScores, at: Confidence) -> tuple[EffectSize, tuple[Note, ...]]:
    """Scores that are correlated have a size and no limits."""
    notes = check(choice.entry.limits, pairs)
    value, limits = choice.entry(pairs, at, **choice.given)
    low, high = (limits.low, limits.high) if pairs.independent else (None, None)
    told = tuple(Note(note.code, note.weight, f"{choice}: {template(note.says)}") for note in (*notes, *limits.notes))
    return EffectSize(choice.spelling, value, low, high, at.level), told
