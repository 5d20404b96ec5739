"""Estimates: one number with its interval and the risk it answers, and the table of them that every verb returns."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from veracity.core.errors import BadInput
from veracity.core.missing import Undefined
from veracity.core.notes import Note, merge_notes, unique
from veracity.core.words import brief, percent
from veracity.findings.interval import Interval, limits_of, shown_limits
from veracity.tables.cells import align_decimals
from veracity.tables.exports import to_jsonable
from veracity.tables.result import JsonFields, RowsResult, SentenceResult, find_row
from veracity.tables.table import Table

MAX_REMARKS_OF_A_KIND = 3  # that a table tells one by one
MAX_NAMES = 4  # subjects, and scores of each, that a note of a table names; a file for machines has them all


@dataclass(frozen=True, repr=False)
class Estimate(SentenceResult):
    """One number with its interval, what it is of and which risk it answers.

    Attributes
    ----------
    score
        The score by its own name.
    asked
        The score as it was typed.
    value
        The number itself.
    interval
        The interval, or None with a note that says why there is none.
    better
        'higher' or 'lower'.
    answers
        Which risk the number is about.
    data
        The data set.
    learner
        The learner.
    by
        The design that made the splits.
    rows
        How many rows it is of.
    notes
        What a reader should know: cautions and remarks.
    splits
        How many splits it is of.
    failed
        How many splits have no score.
    by_asked
        The design as it was typed.
    facts
        Further numbers by name.
    deviation
        The standard deviation over splits.
    typed
        The name by which it can be had.
    all_notes
        The notes of the result and of its parts, each once.

    Examples
    --------
    >>> p = vc.predictions([0, 0, 1, 1, 1], proba=[0.2, 0.6, 0.4, 0.7, 0.9], positive=1)
    >>> vc.estimate(p, "error")["error"].value
    0.4
    """

    score: str  # canonical spelling
    asked: str  # the spelling that was typed, by the score's own name
    value: float
    interval: Interval | None = None
    better: str = "higher"  # empty where neither way is
    answers: str = "risk of this fixed model"
    data: str = ""
    learner: str = ""
    by: str = ""
    rows: float = math.nan
    notes: tuple[Note, ...] = ()
    splits: int = 0  # of the design, where there is one
    failed: int = 0  # of the splits
    by_asked: str = ""  # the design as it was typed
    facts: tuple[tuple[str, float], ...] = ()  # other numbers of the estimator, such as its weights
    deviation: float = math.nan  # standard deviation of the scores of its splits
    typed: str = ""  # the very word that was typed, which may be another name of the score

    @property
    def labels(self) -> tuple[str, ...]:
        """Every text by which a table can be asked for this row."""
        return tuple(
            filter(None, (self.data, self.learner, self.by, self.by_asked, self.score, self.asked, self.typed))
        )

    @property
    def all_notes(self) -> tuple[Note, ...]:
        return unique(self.notes + (self.interval.notes if self.interval else ()))

    def json_fields(self) -> dict[str, Any]:
        """Return the shape of one score in the JSON of `veracity score`; one of several folds says of which."""
        return {**self._numbers(), "better": self.better or None, **(self._about() if self.by else {})}

    def to_json(self) -> dict[str, Any]:
        """Return the numbers alone: the notes stand beside those of other rows."""
        return JsonFields.to_json(self)

    def of_learner(self) -> dict[str, Any]:
        """Return the shape of one score in the JSON of `veracity estimate`."""
        shape: dict[str, Any] = to_jsonable({**self._numbers(), **self._about(), **dict(self.facts)})
        return shape

    def _about(self) -> dict[str, Any]:
        return {"by": self.by, "answers": self.answers, "splits": self.splits, "failed": self.failed}

    def _numbers(self) -> dict[str, Any]:
        low, high = limits_of(self.interval)
        how = {name: getattr(self.interval, name, None) for name in ("level", "method")}
        return {"value": self.value, "low": low, "high": high, **how}

    def sentence(self) -> str:
        number = f"undefined ({self.value.reason})" if isinstance(self.value, Undefined) else f"{self.value:.4g}"
        if self.interval is None:
            return f"{self.asked} {number}"
        return f"{self.asked} {number} {self.interval} ({percent(self.interval.level)} {self.interval.method})"

    def __repr__(self) -> str:
        return self.sentence()


@dataclass(frozen=True, repr=False)
class Estimates(RowsResult[Estimate]):
    """A table of estimates, indexed by any label or labels that single out one row.

    Attributes
    ----------
    rows
        The rows of the table.
    notes
        What a reader should know: cautions and remarks.
    deviations
        Whether standard deviations are shown.
    json_notes
        The notes that stand in the JSON.

    Examples
    --------
    >>> p = vc.predictions([0, 0, 1, 1, 1], proba=[0.2, 0.6, 0.4, 0.7, 0.9], positive=1)
    >>> [one.score for one in vc.estimate(p, ["error", "recall"])]
    ['error', 'recall']
    """

    rows: tuple[Estimate, ...]
    notes: tuple[Note, ...] = ()
    deviations: bool = False  # whether standard deviations over splits, and how many there are, are shown too

    def __getitem__(self, key: str | tuple[str, ...]) -> Estimate:
        wanted = key if isinstance(key, tuple) else (key,)
        if not all(isinstance(label, str) for label in wanted):
            raise BadInput(f"a row is named by the texts in it, not by {brief(repr(key))}")
        return find_row(self.rows, wanted, self._labels)

    def values(self) -> tuple[Estimate, ...]:
        """The rows in order."""
        return self.rows

    def __contains__(self, key: object) -> bool:
        wanted = key if isinstance(key, tuple) else (key,)
        return any(all(label in self._labels(row) for label in wanted) for row in self.rows)

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
        columns: dict[str, list[Any]] = {}
        if self.parts != ("",):
            columns["data"] = [row.data for row in self.rows]
        if self.parts != ("",) and not self.designs:
            columns["rows"] = [f"{row.rows:g}" for row in self.rows]
        if self.models != ("",):
            columns["learner" if self.designs else "model"] = [row.learner for row in self.rows]
        if self.designs:
            columns["by"] = [row.by for row in self.rows]
        numbers = [align_decimals(row.value, *shown_limits(row.interval)) for row in self.rows]
        columns["score"] = [row.asked for row in self.rows]
        columns |= {title: [row[place] for row in numbers] for place, title in enumerate(("value", "low", "high"))}
        for title in ("level", "method"):
            columns[title] = [getattr(row.interval, title, None) for row in self.rows]
        columns["better"] = [row.better for row in self.rows]
        further = split_counts(self.rows) if self.designs else ()
        if self.deviations:
            deviations = [None if math.isnan(row.deviation) else row.deviation for row in self.rows]
            shown = (align_decimals(row.value, one)[1] for row, one in zip(self.rows, deviations, strict=True))
            columns |= {"standard deviation": [*shown], "splits": [row.splits - row.failed for row in self.rows]}
            further = further[1:]
        answers = {row.answers for row in self.rows if row.by and row.answers}
        caption = answers.pop() if len(answers) == 1 else ""  # which risk the numbers are of
        notes = short_notes(self.rows, self.notes)
        return Table.from_columns(columns, caption, notes, right=("rows",), further=further)

    @property
    def json_notes(self) -> tuple[Note, ...]:
        return group_notes(self.rows, self.notes)

    def json_fields(self) -> dict[str, Any]:
        """Return scores by the spelling typed, under their slice and model where those are named."""
        if self.parts in ((), ("",)):
            return self._scores_json(self.rows)
        if not self.designs:
            parts = {part: tuple(row for row in self.rows if row.data == part) for part in self.parts}
            return {"slices": {part: {"rows": rows[0].rows, **self._scores_json(rows)} for part, rows in parts.items()}}
        out: dict[str, Any] = {}
        for row in self.rows:
            name = self._score_label(row, f"{row.asked} by {row.by}" if len(self.designs) > 1 else row.asked)
            more = {"deviation": row.deviation} if self.deviations else {}
            out.setdefault(row.data, {}).setdefault(row.learner, {})[name] = {**row.of_learner(), **more}
        return {"estimates": out}

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
            return {"scores": {self._score_label(row, row.asked): row for row in rows}}
        scores: dict[str, dict[str, Any]] = {model: {} for model in self.models}
        for row in rows:
            scores[row.learner][self._score_label(row, row.asked)] = row
        return {"models": {model: {"scores": found} for model, found in scores.items()}}


def split_counts(rows: Iterable[Estimate]) -> tuple[tuple[str, tuple[int, ...]], ...]:
    """How many splits there are of each row's design and how many failed, which readers of text learn by notes."""
    splits, failed = zip(*((row.splits, row.failed) for row in rows), strict=True)
    return ("splits", splits), ("failed", failed)


def _row_key(row: Estimate) -> tuple[str, ...]:
    return row.data, row.learner, row.by, row.asked


def group_notes(rows: Iterable[Estimate], general: Iterable[Note] = (), most: int | None = None) -> tuple[Note, ...]:
    """Notes of the table, then of its rows; a note that holds for some rows names them first, `most` of them."""
    rows = tuple(rows)
    notes, named = [], set()
    for row in rows:
        for whole in row.all_notes:
            note = replace(whole, says=_without(whole.says, row.asked, row.score, row.score.partition("(")[0]))
            if note != whole:
                named.add(note)
            notes.append(replace(note, where=_place(row)))
    left, others = [], []  # scores left out for the same reason are named together
    for note in general:
        score, colon, why = note.says.partition(": ")
        if note.code == "left-out" and colon:
            left.append(replace(note, says=_without(why, score), where=(score,)))
        else:
            others.append(note)
    return (*unique(tuple(others)), *merge_notes(left, ()), *merge_notes(notes, map(_place, rows), most, named))


def short_notes(rows: Iterable[Estimate], general: Iterable[Note] = ()) -> tuple[Note, ...]:
    """What a reader of the table is told; a file for machines has every note and names every row."""
    return shorten_notes(group_notes(rows, general, MAX_NAMES))


def shorten_notes(notes: tuple[Note, ...]) -> tuple[Note, ...]:
    """Remarks of the same kind about many rows, told by the first of them; a file for machines has them all."""
    alike = Counter(note.code for note in notes if note.weight == "remark")
    short: dict[Note | str, Note] = {}
    for note in notes:
        if note.weight != "remark" or alike[note.code] <= MAX_REMARKS_OF_A_KIND:
            short[note] = note
        elif note.code not in short:
            short[note.code] = replace(note, says=f"{note.says}; and likewise {alike[note.code] - 1} more")
    return tuple(short.values())


def _place(row: Estimate) -> tuple[str, str]:
    """What was scored, a slice, a model or both, and by which score."""
    return " ".join(filter(None, (row.data, row.learner))), row.asked


def _without(says: str, *subjects: str) -> str:
    """What is said, without the name of what it is said of."""
    for subject in subjects:
        for link in (": ", " is ", " "):
            if says.startswith(subject + link):
                return says.removeprefix(subject + link)
        if f", {subject} is " in says:
            return says.replace(f", {subject} is ", ", ", 1)
    return says
