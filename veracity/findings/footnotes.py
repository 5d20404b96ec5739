"""Notes of many rows, each said once with the rows it holds for."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from veracity.core.notes import Note, Weight
from veracity.findings.estimate import Estimate

MOST = 3  # remarks of one kind that a table tells one by one
NAMED = 4  # rows that a note of a table names; a file for machines has them all
Key = tuple[str, Weight, str]


def grouped(rows: Iterable[Estimate], general: Iterable[Note] = (), most: int | None = None) -> tuple[Note, ...]:
    """Notes of the table, then of its rows; a note that holds for some rows names them first, `most` of them."""
    rows = tuple(rows)
    wholes = dict.fromkeys(map(_whole, rows))
    holds: dict[Key, dict[str, dict[str, None]]] = {}
    named: set[Key] = set()
    for row in rows:
        for note in row.all_notes:
            says = _without_subject(note.says, row)
            key = (note.code, note.weight, says)
            holds.setdefault(key, {}).setdefault(_whole(row), {})[row.asked] = None
            if says != note.says:
                named.add(key)
    out = _merged(general)
    for (code, weight, says), of in holds.items():
        everywhere = sum(map(len, of.values())) == len(rows) and len(rows) > 1 and (code, weight, says) not in named
        out.append(Note(code, weight, says if everywhere else f"{_of(of, wholes, most)}: {says}"))
    return tuple(out)


def shortened(notes: tuple[Note, ...]) -> tuple[Note, ...]:
    """Remarks of the same kind about many rows, told by the first of them; a file for machines has them all."""
    alike: dict[str, list[Note]] = {}
    for note in notes:
        alike.setdefault(note.code if note.weight == "remark" else "", []).append(note)
    kept = []
    for note in notes:
        same = alike[note.code] if note.weight == "remark" else [note]
        if len(same) <= MOST:
            kept.append(note)
        elif note is same[0]:
            kept.append(replace(note, says=f"{note.says}; and likewise {len(same) - 1} more"))
    return tuple(kept)


def _merged(general: Iterable[Note]) -> list[Note]:
    """Notes of the table, each once; scores left out for the same reason are named together."""
    left: dict[str, dict[str, None]] = {}
    out: list[Note] = []
    for note in dict.fromkeys(general):
        score, colon, why = note.says.partition(": ")
        if note.code == "left-out" and colon:
            left.setdefault(_without(why, score), {})[score] = None
        else:
            out.append(note)
    return out + [Note("left-out", "remark", f"{', '.join(named)}: {why}") for why, named in left.items()]


def _whole(row: Estimate) -> str:
    """What was scored: a slice, a model, or both."""
    return " ".join(label for label in (row.data, row.learner) if label)


def _without_subject(says: str, row: Estimate) -> str:
    """What is said, without the name of the score it is said of."""
    return _without(says, row.asked, row.score, row.score.partition("(")[0])


def _without(says: str, *subjects: str) -> str:
    for subject in subjects:
        for link in (": ", " is ", " "):
            if says.startswith(subject + link):
                return says.removeprefix(subject + link)
        if f", {subject} is " in says:
            return says.replace(f", {subject} is ", ", ", 1)
    return says


def _of(of: dict[str, dict[str, None]], wholes: dict[str, None], most: int | None) -> str:
    """The scores a note holds for; with several models or slices, which of them."""
    if len({tuple(scores) for scores in of.values()}) == 1 and set(of) == set(wholes):
        return ", ".join(next(iter(of.values())))
    named = [f"{whole} {', '.join(scores)}".strip() for whole, scores in of.items()]
    more = [f"and {len(named) - most} more"] if most is not None and len(named) > most + 1 else []
    return "; ".join([*named[: most if more else None], *more])
