"""The answer to: is one model really better than another? Of one pair, or of several as a table."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from veracity.core.errors import BadInput
from veracity.core.notes import Note, refuses, unique
from veracity.core.words import template
from veracity.findings.effect import EffectSize, effect_cells
from veracity.findings.estimate import finite
from veracity.findings.interval import Interval, limits_of
from veracity.findings.paper import MethodsText, comparison_methods, paper_latex
from veracity.records.arrays import Array, freeze
from veracity.tables.cells import align_decimals, names_note, short_names
from veracity.tables.printable import PrintableRows, PrintableSentence
from veracity.tables.table import Column, Table

VOID = ", which is not valid here and decides nothing"
MOST = 2_000  # draws that a picture shows
NAMED = 4  # slices that a note names
LEFT = ("score", "data", "a", "b", "verdict")  # columns


class Student(NamedTuple):
    """Student's law of the mean difference; a single number where the scale is 0."""

    mean: float
    scale: float
    df: float


@dataclass(frozen=True, eq=False)
class Posterior:
    """A law of the difference, or draws of the chances that it is left of the rope, inside it, right of it."""

    rope: float
    law: Student | None = None
    draws: Array | None = None  # (draws, 3), each row of sum 1


def posterior_of_draws(rope: float, weights: Array) -> Posterior:
    """From weights of left, inside and right, a column for each draw, every so many of them."""
    kept = weights[:, :: -(-weights.shape[1] // MOST)]
    return Posterior(rope, draws=freeze((kept / kept.sum(axis=0)).T))


@dataclass(frozen=True)
class Comparison(PrintableSentence):
    """A difference (first minus second) with its interval, the test's numbers, and one plain sentence.

    A posterior has `probabilities` (left of the rope, inside, right of it) in place of a p-value.
    """

    score: str
    using: str
    a: str
    b: str
    difference: float
    interval: Interval | None
    p_value: float | None
    statistic: float | None = None
    df: float | tuple[float, ...] | None = None
    n01: int | None = None  # rows a gets wrong and b right
    n10: int | None = None  # rows a gets right and b wrong
    better: str = "lower"
    notes: tuple[Note, ...] = ()
    probabilities: tuple[float, ...] | None = None
    level: float = 0.95
    data: str = ""
    adjusted_p_value: float | None = None  # over the family that it was asked with
    facts: tuple[tuple[str, float], ...] = ()  # other numbers of the test
    claims: str = ""  # what a small p-value is evidence for ("that ..."), where that is not a difference
    stated: bool = False  # whether b is a stated value and no model or learner
    posterior: Posterior | None = field(default=None, compare=False, repr=False)  # what a picture of it needs
    effects: tuple[EffectSize, ...] = ()  # where asked for

    @property
    def p_to_judge(self) -> float | None:
        """The p-value to hold against the level: the adjusted one where there is one."""
        return self.p_value if self.adjusted_p_value is None else self.adjusted_p_value

    @property
    def rejected(self) -> bool:
        """Whether the test concludes; a refused test that was run anyway never does."""
        p = self.p_to_judge
        return p is not None and p < 1 - self.level and not self.refused

    @property
    def refused(self) -> bool:
        return refuses(self.notes)

    @property
    def all_notes(self) -> tuple[Note, ...]:
        return unique(self.notes + (self.interval.notes if self.interval else ()))

    def sentence(self) -> str:
        at = self.interval.level if self.interval else self.level
        between = f", {100 * at:.4g}% interval {self.interval} of the difference" if self.interval else ""
        sizes = "".join(f"; {one}" for one in self.effects)
        return f"{self._size()}{between}{sizes}; {self._evidence()}."

    def _size(self) -> str:
        of = f" on {self.data}" if self.data else ""
        other = self.b if self.stated else f"that of {self.b}"
        if self.difference == 0:
            return f"The {self.score} of {self.a} equals {other}{of}"
        direction = "lower" if self.difference < 0 else "higher"
        quality = "better" if direction == self.better else "worse"
        size = f"{abs(self.difference):.4g} {direction} ({quality})"
        return f"The {self.score} of {self.a} is {size} than {other}{of}"

    def _evidence(self) -> str:
        if self.probabilities is not None:
            return f"{self._chances(*self.probabilities)} ({self._by}){VOID if self.refused else ''}"
        if self.p_value is None:
            return f"no p-value ({self._by})"
        if self.refused:
            return f"p = {self.p_value:.3g} ({self._by}){VOID}"
        adjusted = "" if self.adjusted_p_value is None else f", adjusted {self.adjusted_p_value:.3g}"
        says = "evidence" if self.rejected else "not enough to conclude"
        return f"p = {self.p_value:.3g}{adjusted} ({self._by}): {says} {self.claims or 'that they differ'}"

    @property
    def _by(self) -> str:
        """The test, and how many groups of rows it had."""
        groups = dict(self.facts).get("groups")
        return self.using if groups is None else f"{self.using}, {groups} groups"

    def _chances(self, left: float, inside: float, right: float) -> str:
        """Of a difference by its own law, or of what most data sets say; without a rope nothing lies inside."""
        known = self.posterior
        most = "" if known is None or known.law is not None else "mostly "
        equal = "" if known is not None and known.rope == 0 else f"{inside:.3g} that they are {most}practically equal, "
        return f"probability {left:.3g} that it is {most}lower, {equal}{right:.3g} that it is {most}higher"

    @property
    def methods(self) -> MethodsText:
        """What was done and found, as the paragraph of a paper; `.bibtex` has the works that it cites."""
        return comparison_methods([self])

    def to_json(self) -> dict[str, Any]:
        """The shape of `veracity compare --json`."""
        low, high = map(finite, limits_of(self.interval))
        shape: dict[str, Any] = {
            "score": self.score,
            "using": self.using,
            "a": self.a,
            "b": self.b,
            "difference": finite(self.difference),
            "low": low,
            "high": high,
            "level": self.interval.level if self.interval else self.level,
            "statistic": finite(self.statistic),
            "p_value": self.p_value,
            "df": self.df,
            "n01": self.n01,
            "n10": self.n10,
        }
        if self.adjusted_p_value is not None:
            shape["adjusted_p_value"] = self.adjusted_p_value
        if self.probabilities is not None:
            shape["probabilities"] = list(self.probabilities)
        shape.update((name, finite(number)) for name, number in self.facts)
        if self.effects:
            shape["effects"] = {one.method: one.to_json() for one in self.effects}
        if self.data:
            shape["data"] = self.data
        return {**shape, "notes": [note.to_json() for note in self.all_notes]}


@dataclass(frozen=True)
class Omnibus:
    """One test of all learners together; beside it a posterior, where one was asked for."""

    method: str
    statistic: float | None
    df: tuple[float, ...]
    p_value: float
    notes: tuple[Note, ...] = ()
    probabilities: tuple[float, ...] | None = None  # of each learner, in their order, to be the best
    facts: tuple[tuple[str, float], ...] = ()  # other numbers of the test

    def rejects(self, level: float) -> bool:
        """Whether it concludes that learners differ; a refused test that was run anyway never does."""
        return self.p_value < 1 - level and not self.refused

    @property
    def refused(self) -> bool:
        return refuses(self.notes)

    def to_json(self) -> dict[str, Any]:
        shape = {
            "method": self.method,
            "statistic": finite(self.statistic),
            "df": list(self.df),
            "p_value": self.p_value,
        }
        if self.probabilities is not None:
            shape["probabilities"] = list(self.probabilities)
        return {**shape, **{name: finite(fact) for name, fact in self.facts}}


@dataclass(frozen=True, repr=False)
class Comparisons(PrintableRows[Comparison]):
    """Comparisons of pairs, indexed by the two names, and by the slice or data set where there are several."""

    rows: tuple[Comparison, ...]
    notes: tuple[Note, ...] = ()
    omnibus: Omnibus | None = None  # a test of all together that came before the pairs
    then: str = ""  # the adjustment of the family

    def __getitem__(self, pair: int | tuple[str, ...]) -> Comparison:
        if isinstance(pair, int):
            return self.rows[pair]
        if not (isinstance(pair, tuple) and all(isinstance(name, str) for name in pair)):
            raise BadInput(f"a pair is named by both, as in comparisons[{self.rows[0].a!r}, {self.rows[0].b!r}]")
        found = [row for row in self.rows if (row.a, row.b) == pair[:2] and {*pair[2:]} <= {row.data, row.score}]
        if len(found) == 1:
            return found[0]
        there = "; ".join(", ".join((row.a, row.b, row.data) if row.data else (row.a, row.b)) for row in self.rows)
        says = "leaves several comparisons, add the slice or data set" if found else "was not compared"
        raise BadInput(f"the pair {', '.join(map(str, pair))} {says}: there are {there}")

    @property
    def all_notes(self) -> tuple[Note, ...]:
        """Those of all, then of rows; one that does not hold on all slices or data sets names where it does."""
        places = {self._place(row) for row in self.rows}
        held: dict[Note, dict[str, None]] = {}
        for row in self.rows:
            for note in row.all_notes:
                held.setdefault(note, {})[self._place(row)] = None
        return unique(self.notes + tuple(_placed_note(note, tuple(of), len(places)) for note, of in held.items()))

    @property
    def scores(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(row.score for row in self.rows))

    def _place(self, row: Comparison) -> str:
        """The slice or data set; of several scores, also which."""
        return " ".join(filter(None, (row.data, row.score if len(self.scores) > 1 else "")))

    def table(self) -> Table:
        places = ["score"] * (len(self.scores) > 1) + ["data"] * any(row.data for row in self.rows)
        effects = tuple(dict.fromkeys(one.method for row in self.rows for one in row.effects))
        titles = (*places, "a", "b", "difference", "low", "high", "statistic", *self._evidence(), *effects)
        columns = tuple(Column(title, "left" if title in LEFT else "right") for title in titles)
        using = ", ".join(dict.fromkeys(row.using for row in self.rows))
        names = list(dict.fromkeys(name for row in self.rows for name in (row.a, row.b)))
        shown = short_names(names)
        rows = tuple(
            (
                *(getattr(row, place) for place in places),
                *(shown[row.a], shown[row.b], *self._cells(row), *effect_cells(row.effects, effects)),
            )
            for row in self.rows
        )
        caption = f"differences of {', '.join(self.scores)} (a minus b) by {using}"
        return Table(columns, rows, caption, self.all_notes + names_note(names))

    def _evidence(self) -> tuple[str, ...]:
        if any(row.probabilities is not None for row in self.rows):
            return ("left", "rope", "right")
        return ("p", "adjusted p", "verdict")

    def _cells(self, row: Comparison) -> tuple[Any, ...]:
        numbers = align_decimals(row.difference, *limits_of(row.interval))
        if row.probabilities is not None:
            return (*numbers, row.statistic, *row.probabilities)
        concluded = ("shown" if row.claims else "differ") if row.rejected else "not resolved"
        verdict = "not valid" if row.refused else concluded
        return (*numbers, row.statistic, row.p_value, row.adjusted_p_value, verdict)

    @property
    def methods(self) -> MethodsText:
        """What was done and found, as the paragraph of a paper; `.bibtex` has the works that it cites."""
        return comparison_methods(self.rows, self.then, self.all_notes, self.omnibus)

    def to_paper(self) -> str:
        """LaTeX of the paragraph and the table, then the works cited."""
        return paper_latex(self.methods, [self.to_latex()])

    def to_json(self) -> dict[str, Any]:
        """Every comparison in the shape of `veracity compare --json`."""
        return {
            **({} if self.omnibus is None else {"omnibus": self.omnibus.to_json()}),
            "comparisons": [row.to_json() for row in self.rows],
            "notes": [note.to_json() for note in self.notes],
        }


def _placed_note(note: Note, places: tuple[str, ...], of: int) -> Note:
    if len(places) == of:
        return note
    more = f" and {len(places) - NAMED} more" if len(places) > NAMED else ""
    return replace(note, says=f"{', '.join(places[:NAMED])}{more}: {template(note.says)}")
