"""Notes that travel with a result, and the limits of a method that produce them."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from veracity.core.errors import Refused
from veracity.core.words import spell_out_controls

Weight = Literal["refuse", "caution", "remark"]
ANYWAY = "of `anyway=True`"  # why something was done that is not valid


@dataclass(frozen=True)
class Note:
    """One thing the reader of a result should know, under a code that stays the same for ever.

    Attributes
    ----------
    code
        A short name that stays the same for ever.
    weight
        'refuse', 'caution' or 'remark'.
    says
        One sentence for people.
    where
        The data set, learner and score that it is about; empty for the whole result.

    Examples
    --------
    >>> p = vc.predictions([0, 0, 1, 1, 1], proba=[0.2, 0.6, 0.4, 0.7, 0.9], positive=1)
    >>> [note.code for note in vc.estimate(p, "brier")["brier"].notes]
    ['two-brier']
    """

    code: str
    weight: Weight
    says: str
    where: tuple[str, ...] = ()  # what it is about: data set, learner, score; empty for the whole result

    def to_json(self) -> dict[str, str]:
        """Return code, severity and sentence, as json can write them."""
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


def merge_notes(
    notes: Iterable[Note], places: Iterable[tuple[str, ...]], shown: int | None = None, named: Container[Note] = ()
) -> tuple[Note, ...]:
    """Return each note once, with the places that it holds for before its sentence: "A auc, brier; B auc: ...".

    `places` are those of all rows of the result, such as (learner, score); a note without a place, or one that holds
    for all of several places, names none, unless it is among those that are always `named`. Of more than `shown` names
    in one list the others are only counted.
    """
    every = set(places)
    held: dict[Note, dict[tuple[str, ...], None]] = {}
    for note in notes:
        held.setdefault(replace(note, where=()), {})[note.where] = None
    merged = []
    for note, where in held.items():
        whole = () in where or (len(every) > 1 and every <= where.keys() and note not in named)
        merged.append(note if whole else replace(note, says=f"{_name_places(where, every, shown)}: {note.says}"))
    return tuple(merged)


def _name_places(where: Iterable[tuple[str, ...]], every: set[tuple[str, ...]], shown: int | None) -> str:
    """Return places in words, grouped by all but their last part, which is alone where each group has the same ones."""
    groups: dict[str, dict[str, None]] = {}
    for *group, last in where:
        groups.setdefault(" ".join(filter(None, group)), {})[last] = None
    if len({tuple(lasts) for lasts in groups.values()}) == 1 and len(groups) == len({place[:-1] for place in every}):
        return _list_some(list(next(iter(groups.values()))), shown, ", ")
    listed = [f"{group} {_list_some(list(lasts), shown, ', ')}".strip() for group, lasts in groups.items()]
    return _list_some(listed, shown, "; ")


def _list_some(names: Sequence[str], shown: int | None, separator: str) -> str:
    """Return the first names and how many more there are, where more than one would be left out."""
    if shown is None or len(names) <= shown + 1:
        return separator.join(names)
    return separator.join([*names[:shown], f"and {len(names) - shown} more"])
