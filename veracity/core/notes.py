"""Notes that travel with a result, and the limits of a method that produce them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Literal

from veracity.core.errors import Refused
from veracity.core.words import phrase, sentence, spell_out_controls

Weight = Literal["refuse", "caution", "remark"]
ANYWAY = phrase("anyway=True", "of --anyway")  # why something was done that is not valid


@dataclass(frozen=True)
class Note:
    """One thing the reader of a result should know, under a code that stays the same for ever."""

    code: str
    weight: Weight
    says: str

    def __post_init__(self) -> None:
        object.__setattr__(self, "says", sentence(self.says))

    def to_json(self) -> dict[str, str]:
        return {"code": self.code, "weight": self.weight, "says": str(self.says)}  # plain, whoever reads it

    def __str__(self) -> str:
        return spell_out_controls(f"{self.weight}: {self.says} [{self.code}]")


def cautions(notes: Iterable[Note]) -> list[Note]:
    """Those that say why a result may not hold, which a reader learns before the result."""
    weighty = [note for note in notes if note.weight != "remark"]
    return sorted(weighty, key=lambda note: note.weight == "caution")


def remarks(notes: Iterable[Note]) -> list[Note]:
    """Those that a reader may learn after it."""
    return [note for note in notes if note.weight == "remark"]


@dataclass(frozen=True)
class Limit:
    """Where a method stops being valid: a predicate over its evidence and what to say there."""

    code: str
    weight: Weight
    says: str
    when: Callable[[Any], bool]
    more: Callable[[Any], str] | None = None  # what to add that depends on the evidence

    def __post_init__(self) -> None:
        object.__setattr__(self, "says", sentence(self.says))

    def note(self, evidence: Any = None) -> Note:
        more = "" if evidence is None or self.more is None else self.more(evidence)
        return Note(self.code, self.weight, self.says + more)


def refuse(code: str, says: str, when: Callable[[Any], bool]) -> Limit:
    """A limit that makes the method an error unless `anyway=True`, which is then recorded."""
    return Limit(code, "refuse", says, when)


def caution(code: str, says: str, when: Callable[[Any], bool], more: Callable[[Any], str] | None = None) -> Limit:
    """A limit that lets the result stand with a warning."""
    return Limit(code, "caution", says, when, more)


def remark(code: str, says: str, when: Callable[[Any], bool]) -> Limit:
    """A limit that only adds a note."""
    return Limit(code, "remark", says, when)


def seed_note(draws: int, seed: int) -> Note:
    """Return the note of a method that drew random numbers: they are never used in silence."""
    return Note("seed", "remark", f"{draws} draws with seed {seed}")


def always(_: Any) -> bool:
    """The predicate of a limit that holds for all evidence."""
    return True


def check(limits: tuple[Limit, ...], evidence: Any, anyway: bool = False) -> tuple[Note, ...]:
    """The notes that `limits` produce on `evidence`; raises at a refusal unless `anyway`."""
    return accept(tuple(limit.note(evidence) for limit in limits if limit.when(evidence)), anyway)


def accept(notes: tuple[Note, ...], anyway: bool = False) -> tuple[Note, ...]:
    """The notes as they are; raises at the first that refuses unless `anyway`."""
    refusal = next((note for note in notes if note.weight == "refuse"), None)
    if refusal is not None and not anyway:
        raise Refused(refusal.says, refusal.code)
    return notes


def refuses(notes: tuple[Note, ...]) -> bool:
    """Whether one of the notes refuses: a result that has such a note was computed anyway."""
    return any(note.weight == "refuse" for note in notes)


def anyway_notes(name: str, notes: tuple[Note, ...]) -> tuple[Note, ...]:
    """What is said of a method that was used past one of these notes that refuses."""
    says = f"{name} is not valid here and was computed because {ANYWAY}"
    return (Note("anyway", "caution", says),) if refuses(notes) else ()


def unique(notes: tuple[Note, ...]) -> tuple[Note, ...]:
    """The notes in order, each once."""
    return tuple(dict.fromkeys(notes))
