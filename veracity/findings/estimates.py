"""The one table of estimates that every verb returns, with each note said once for the rows it holds for."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from veracity.core.errors import BadInput
from veracity.core.notes import Note, Weight, unique
from veracity.core.words import brief
from veracity.findings.estimate import Estimate, finite
from veracity.findings.interval import shown_limits
from veracity.tables.cells import align_decimals
from veracity.tables.result import RowsResult
from veracity.tables.table import Column, Table

ROWS = Column("rows")
DATA, MODEL, LEARNER, BY = (Column(title, "left") for title in ("data", "model", "learner", "by"))
COLUMNS = (
    Column("score", "left"),
    Column("value"),
    Column("low"),
    Column("high"),
    Column("level"),
    Column("method", "left"),
    Column("better", "left"),
)
DEVIATIONS = (Column("standard deviation"), Column("splits"))
MOST = 3  # remarks of one kind that a table tells one by one
NAMED = 4  # subjects, and scores of each, that a note of a table names; a file for machines has them all
Key = tuple[str, Weight, str]


@dataclass(frozen=True, repr=False)
class Estimates(RowsResult[Estimate]):
    """A table of estimates, indexed by any label or labels that single out one row."""

    rows: tuple[Estimate, ...]
    notes: tuple[Note, ...] = ()
    deviations: bool = False  # whether standard deviations over splits, and how many there are, are shown too

    def __getitem__(self, key: str | tuple[str, ...]) -> Estimate:
        wanted = key if isinstance(key, tuple) else (key,)
        if not all(isinstance(label, str) for label in wanted):
            raise BadInput(f"a row is named by the texts in it, not by {brief(repr(key))}")
        rows = self._labelled(wanted)
        if len(rows) == 1:
            return rows[0]
        if not rows:
            labels = dict.fromkeys(label for row in self.rows for label in self._labels(row))
            raise BadInput(f"no row is labelled {_quote(wanted)}: the labels are {', '.join(labels)}")
        several = "; ".join(" / ".join(dict.fromkeys(self._labels(row))) for row in rows)
        raise BadInput(f"{_quote(wanted)} leaves {len(rows)} rows, add a label: {several}")

    def values(self) -> tuple[Estimate, ...]:
        """The rows in order."""
        return self.rows

    def __contains__(self, key: object) -> bool:
        return bool(self._labelled(key if isinstance(key, tuple) else (key,)))

    def _labelled(self, wanted: tuple[object, ...]) -> list[Estimate]:
        return [row for row in self.rows if all(label in self._labels(row) for label in wanted)]

    @property
    def all_notes(self) -> tuple[Note, ...]:
        """The table's notes and its rows', each once."""
        return unique(self.notes + tuple(note for row in self.rows for note in row.all_notes))

    @property
    def models(self) -> tuple[str, ...]:
        """The names of the models, in order; one empty name where none was given."""
        return tuple(dict.fromkeys(row.learner for row in self.rows))

    @property
    def parts(self) -> tuple[str, ...]:
        """The names of the data sets or slices, in order; one empty name where there is one."""
        return tuple(dict.fromkeys(row.data for row in self.rows))

    @property
    def designs(self) -> tuple[str, ...]:
        """The designs by which learners were tried, in order; empty for ready-made predictions."""
        return tuple(dict.fromkeys(row.by for row in self.rows if row.by))

    def table(self) -> Table:
        """What names each row (data, the size of a slice, model, design), then the numbers, with the notes."""
        named: list[tuple[Column, Callable[[Estimate], str], bool]] = [
            (DATA, lambda row: row.data, self.parts != ("",)),
            (ROWS, lambda row: f"{row.rows:g}", self.parts != ("",) and not self.designs),
            (LEARNER if self.designs else MODEL, lambda row: row.learner, self.models != ("",)),
            (BY, lambda row: row.by, bool(self.designs)),
        ]
        shown = [(column, cell) for column, cell, wanted in named if wanted]
        columns = (*(column for column, _ in shown), *COLUMNS)
        rows = tuple((*(cell(row) for _, cell in shown), *_cells(row)) for row in self.rows)
        notes = short_notes(self.rows, self.notes)
        further = split_counts(self.rows) if self.designs else ()
        if self.deviations:
            columns, further = (*columns, *DEVIATIONS), further[1:]
            rows = tuple((*cells, *_deviation(row)) for cells, row in zip(rows, self.rows, strict=True))
        return Table(columns, rows, self._caption(), notes, further=further)

    def _caption(self) -> str:
        """Which risk the numbers are of, where that is the same for all."""
        answers = {row.answers for row in self.rows if row.by and row.answers}
        return answers.pop() if len(answers) == 1 else ""

    def to_json(self) -> dict[str, Any]:
        """Scores by the spelling typed, under their slice and model where those are named, and the notes."""
        notes = [note.to_json() for note in group_notes(self.rows, self.notes)]
        named = self.parts not in ((), ("",))
        if self.designs and named:
            return {"estimates": self._learners_json(), "notes": notes}
        if not named:
            return {**self._scores_json(self.rows), "notes": notes}
        parts = {part: tuple(row for row in self.rows if row.data == part) for part in self.parts}
        slices = {part: {"rows": rows[0].rows, **self._scores_json(rows)} for part, rows in parts.items()}
        return {"slices": slices, "notes": notes}

    def _learners_json(self) -> dict[str, Any]:
        """By data, learner and score; with several designs the score says by which."""
        several = len(self.designs) > 1
        out: dict[str, Any] = {}
        for row in self.rows:
            name = self._score_label(row, f"{row.asked} by {row.by}" if several else row.asked)
            more = {"deviation": finite(row.deviation)} if self.deviations else {}
            out.setdefault(row.data, {}).setdefault(row.learner, {})[name] = {**row.of_learner(), **more}
        return out

    def _score_label(self, row: Estimate, name: str) -> str:
        """A score that is asked for with several intervals says with which."""
        return f"{name} with {self._method(row)}" if self._method(row) else name

    def _method(self, row: Estimate) -> str:
        """The interval of a row, where that is all that tells it from another."""
        return row.interval.method if row.interval and self._times[_row_key(row)] > 1 else ""

    @cached_property
    def _times(self) -> Counter[tuple[str, ...]]:
        return Counter(map(_row_key, self.rows))

    def _labels(self, row: Estimate) -> tuple[str, ...]:
        method = self._method(row)
        return (*row.labels, method) if method else row.labels

    def _scores_json(self, rows: tuple[Estimate, ...]) -> dict[str, Any]:
        if self.models in ((), ("",)):
            return {"scores": {self._score_label(row, row.asked): row.to_json() for row in rows}}
        scores: dict[str, dict[str, Any]] = {model: {} for model in self.models}
        for row in rows:
            scores[row.learner][self._score_label(row, row.asked)] = row.to_json()
        return {"models": {model: {"scores": found} for model, found in scores.items()}}


def split_counts(rows: Iterable[Estimate]) -> tuple[tuple[str, tuple[int, ...]], ...]:
    """How many splits there are of each row's design and how many failed, which readers of text learn by notes."""
    splits, failed = zip(*((row.splits, row.failed) for row in rows), strict=True)
    return ("splits", splits), ("failed", failed)


def _cells(row: Estimate) -> tuple[Any, ...]:
    how = (row.interval.level, row.interval.method) if row.interval else (None, None)
    return (row.asked, *align_decimals(row.value, *shown_limits(row.interval)), *how, row.better)


def _deviation(row: Estimate) -> tuple[Any, ...]:
    """Of the splits, with the decimals of the value, and their number."""
    shown = None if math.isnan(row.deviation) else row.deviation
    return align_decimals(row.value, shown)[1], row.splits - row.failed


def _row_key(row: Estimate) -> tuple[str, ...]:
    return row.data, row.learner, row.by, row.asked


def _quote(labels: tuple[str, ...]) -> str:
    return ", ".join(repr(label) for label in labels)


def group_notes(rows: Iterable[Estimate], general: Iterable[Note] = (), most: int | None = None) -> tuple[Note, ...]:
    """Notes of the table, then of its rows; a note that holds for some rows names them first, `most` of them."""
    rows = tuple(rows)
    wholes = dict.fromkeys(map(_subject, rows))
    holds: dict[Key, dict[str, dict[str, None]]] = {}
    named: set[Key] = set()
    for row in rows:
        for note in row.all_notes:
            whole = note.says
            says = _without(whole, row.asked, row.score, row.score.partition("(")[0])
            key = (note.code, note.weight, says)
            holds.setdefault(key, {}).setdefault(_subject(row), {})[row.asked] = None
            if says != whole:
                named.add(key)
    out = _merge_general(general)
    for (code, weight, says), of in holds.items():
        everywhere = sum(map(len, of.values())) == len(rows) and len(rows) > 1 and (code, weight, says) not in named
        out.append(Note(code, weight, says if everywhere else f"{_subjects(of, wholes, most)}: {says}"))
    return tuple(out)


def short_notes(rows: Iterable[Estimate], general: Iterable[Note] = ()) -> tuple[Note, ...]:
    """What a reader of the table is told; a file for machines has every note and names every row."""
    return shorten_notes(group_notes(rows, general, NAMED))


def shorten_notes(notes: tuple[Note, ...]) -> tuple[Note, ...]:
    """Remarks of the same kind about many rows, told by the first of them; a file for machines has them all."""
    alike: dict[str, list[Note]] = {}
    for note in notes:
        alike.setdefault(note.code if note.weight == "remark" else "", []).append(note)
    short = []
    for note in notes:
        same = alike[note.code] if note.weight == "remark" else [note]
        if len(same) <= MOST:
            short.append(note)
        elif note is same[0]:
            short.append(replace(note, says=f"{note.says}; and likewise {len(same) - 1} more"))
    return tuple(short)


def _merge_general(general: Iterable[Note]) -> list[Note]:
    """Notes of the table, each once; scores left out for the same reason are named together."""
    left: dict[tuple[Weight, str], dict[str, None]] = {}
    out: list[Note] = []
    for note in dict.fromkeys(general):
        score, colon, why = note.says.partition(": ")
        if note.code == "left-out" and colon:
            left.setdefault((note.weight, _without(why, score)), {})[score] = None
        else:
            out.append(note)
    return out + [Note("left-out", weight, f"{', '.join(named)}: {why}") for (weight, why), named in left.items()]


def _subject(row: Estimate) -> str:
    """What was scored: a slice, a model, or both."""
    return " ".join(label for label in (row.data, row.learner) if label)


def _without(says: str, *subjects: str) -> str:
    """What is said, without the name of what it is said of."""
    for subject in subjects:
        for link in (": ", " is ", " "):
            if says.startswith(subject + link):
                return says.removeprefix(subject + link)
        if f", {subject} is " in says:
            return says.replace(f", {subject} is ", ", ", 1)
    return says


def _subjects(of: dict[str, dict[str, None]], wholes: dict[str, None], most: int | None) -> str:
    """The scores a note holds for; with several models or slices, which of them."""
    if len({tuple(scores) for scores in of.values()}) == 1 and set(of) == set(wholes):
        return _first(next(iter(of.values())), most, ", ")
    return _first([f"{whole} {_first(scores, most, ', ')}".strip() for whole, scores in of.items()], most, "; ")


def _first(names: Iterable[str], most: int | None, link: str) -> str:
    """So many of the names, and how many more there are."""
    names = list(names)
    more = [f"and {len(names) - most} more"] if most is not None and len(names) > most + 1 else []
    return link.join([*names[: most if more else None], *more])
