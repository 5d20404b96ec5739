"""Tests of pairs on single data sets: win, tie or loss as Weka prints them, and on how many data sets they hold."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from veracity.core.arguments import verb
from veracity.core.notes import Note, unique
from veracity.core.words import plural
from veracity.evidence.score_matrix import ScoreMatrix
from veracity.findings.comparison import Comparison
from veracity.findings.paper import MethodsText, paper_latex, verdicts_methods
from veracity.findings.score_table import PLAIN_LOOK, TableLook, experimenter_table
from veracity.tables.cells import full_names, machine_value, names_note, short_names
from veracity.tables.latex import latex
from veracity.tables.result import JsonFields, RowsResult, TableResult
from veracity.tables.table import Table

OUTCOMES = ("win", "tie", "loss")
REVERSE = {"win": "loss", "tie": "tie", "loss": "win"}
LOWER = Note(
    "larger-is-worse", "remark", "v marks a significantly larger score, as Weka does, which is the worse one here"
)


@dataclass(frozen=True, repr=False)
class Verdicts(TableResult):
    """Comparisons of every pair, or of those with a control, data set by data set; printed as Weka does."""

    matrix: ScoreMatrix
    rows: tuple[Comparison, ...]
    base: str  # the learner that the printed table holds the others against
    notes: tuple[Note, ...] = ()
    then: str = ""  # the adjustment of all tested pairs on all data sets, where there is one
    control: str | None = None  # the learner whose pairs alone were tested
    look: TableLook = PLAIN_LOOK  # what the table shows

    def __iter__(self) -> Iterator[Comparison]:
        return iter(self.rows)

    @property
    def all_notes(self) -> tuple[Note, ...]:
        own = (LOWER,) if self.matrix.better == "lower" else ()
        return unique(self.matrix.notes + self.notes + own)

    def tally(self) -> dict[str, dict[str, dict[str, int]]]:
        """How many data sets each learner wins, ties and loses against each other one that it was tested against."""
        names = self.matrix.learners
        counted = Counter((pair.a, pair.b, verdict(pair)) for pair in self.rows)
        counted += Counter((pair.b, pair.a, REVERSE[verdict(pair)]) for pair in self.rows)
        others = {a: [b for b in names if b != a and self.control in (None, a, b)] for a in names}
        return {a: {b: {o: counted[a, b, o] for o in OUTCOMES} for b in others[a]} for a in names}

    @property
    def tables(self) -> tuple[Table, Table, Table, Table]:
        """Every pair, the tally, who is better how often, then the table as Weka prints it with the notes."""
        return self.pairs_table(), self.tally_table(), self.summary_table(), self.table()

    @verb
    def with_look(
        self,
        *,
        deviations: bool = False,
        counts: bool = False,
        average: bool = False,
        significance_only: bool = False,
        sort: str | None = None,
        digits: int | None = None,
        learners: Sequence[str] = (),
        measures: Mapping[str, ScoreMatrix] | None = None,
        swap: bool = False,
    ) -> Verdicts:
        """The same with another table: standard deviations, counts of results, a row of averages, marks without scores.

        `sort` names the column that orders the data sets ("-J48" for the largest first), or one of `measures`, other
        scores of the same learners, of which that of the base counts. `digits` is the number of decimals, `learners`
        chooses columns beside that of the base, and `swap` puts learners in rows and data sets in columns.
        """
        marks = (deviations, counts, average, significance_only)
        look = TableLook(*marks, sort, digits, tuple(learners), swap=swap)
        return replace(self, look=look.for_matrix(self.matrix, self.base, measures))

    def sentence(self) -> str:
        """Who wins most."""
        first, (name, lead, wins, ties, losses), *others = self.rows[0], *self.tally_table().rows
        shown = short_names(self.matrix.learners)
        best = [str(shown[machine_value(one)]) for one in (name, *(row[0] for row in others if row[1] == lead))]
        against = "" if self.control is None else f" against {shown[self.control]}"
        text = f"{best[0]} has the most wins over losses{against}, {wins} - {losses} and {ties} undecided"
        if len(best) > 1:
            text = f"{', '.join(best[:-1])} and {best[-1]} have the most wins over losses{against}, {lead} more each"
        if lead <= 0:
            text = f"no learner wins more often{against} than it loses"
        adjusted = f", adjusted by {self.then}," if self.then else ""
        text += f", by {first.using}{adjusted} on each of {len(self.matrix)} data sets at {1 - first.level:.2g}"
        untested = sum(pair.p_value is None for pair in self.rows)
        undecided = sum(verdict(pair) == "tie" for pair in self.rows) - untested
        are = "is" if undecided == 1 else "are"
        text += f"; of {plural(len(self.rows), 'pair')} on data sets, {undecided:,} {are} undecided"
        if untested:
            counts = "counts as a tie" if untested == 1 else "count as ties"
            text += f" and {untested:,} could not be tested, which {counts}"
        return f"{text}{self.matrix.absent_phrase}."

    @property
    def methods(self) -> MethodsText:
        """What was done and found, as the paragraph of a paper; `.bibtex` has the works that it cites."""
        return verdicts_methods(self)

    def to_paper(self) -> str:
        """LaTeX of the paragraph, the tally and the table as Weka prints it, then the works cited."""
        return paper_latex(self.methods, [latex(table) for table in (self.tally_table(), self.table())])

    def table(self) -> Table:
        """The mean scores; v and * mark those significantly above and below the base, counted in the last row."""
        return experimenter_table(self)

    def summary_table(self) -> Table:
        """On how many data sets the learner of the column is better than that of the row, in brackets significantly."""
        names, tally = self.matrix.learners, self.tally()
        better: Counter[tuple[str, str]] = Counter()
        for pair in self.rows:
            if pair.difference and not math.isnan(pair.difference):
                first = (pair.difference < 0) == (pair.better == "lower")
                better[(pair.a, pair.b) if first else (pair.b, pair.a)] += 1
        columns: dict[str, Sequence[Any]] = {"than": [*full_names(names, always=True).values()]}
        for place, column in enumerate(names, 1):
            columns[f"({place})"] = [
                f"{better[column, row]} ({tally[column][row]['win']})" if row in tally[column] else "-" for row in names
            ]
        caption = "data sets on which the column is better than the row (significantly)"
        return Table.from_columns(columns, caption, right=[*columns][1:])

    def sign(self, data: str, learner: str) -> int:
        """1 where the learner's score is significantly larger than the base's, -1 where it is smaller."""
        forth, back = (self._by_place.get((data, *pair)) for pair in ((learner, self.base), (self.base, learner)))
        pair = forth or back
        if pair is None or not pair.rejected:
            return 0
        return 1 if (pair.difference > 0) == (forth is not None) else -1

    @cached_property
    def _by_place(self) -> dict[tuple[str, str, str], Comparison]:
        return {(pair.data, pair.a, pair.b): pair for pair in self.rows}

    def pairs_table(self) -> Table:
        """Every pair on every data set."""
        name = short_names(self.matrix.learners, always=True)
        columns: dict[str, Any] = {
            "data set": [pair.data for pair in self.rows],
            "a": [name[pair.a] for pair in self.rows],
            "b": [name[pair.b] for pair in self.rows],
            "difference": [pair.difference for pair in self.rows],
            "statistic": [pair.statistic for pair in self.rows],
            "p": [pair.p_value for pair in self.rows],
        }
        if self.then:
            columns["adjusted p"] = [pair.adjusted_p_value for pair in self.rows]
        columns["verdict"] = [verdict(pair) for pair in self.rows]
        caption = f"differences of {self.matrix.score} (a minus b); win: a is significantly better"
        return Table.from_columns(columns, caption)

    def tally_table(self) -> Table:
        """Significant wins and losses over all tested pairs and data sets, most wins over losses first.

        With a control those of each other learner against it.
        """
        tally = {a: against for a, against in self.tally().items() if a != self.control}
        sums = {
            a: Counter({o: sum(one[o] for one in against.values()) for o in OUTCOMES}) for a, against in tally.items()
        }
        order = sorted(sums, key=lambda name: sums[name]["loss"] - sums[name]["win"])
        name = full_names(self.matrix.learners, always=True)
        rows = [(name[a], sums[a]["win"] - sums[a]["loss"], *(sums[a][o] for o in OUTCOMES)) for a in order]
        pairs = "pairs" if self.control is None else f"pairs with {short_names(self.matrix.learners)[self.control]}"
        titles = ("learner", "wins - losses", "wins", "ties", "losses")
        return Table.from_rows(titles, rows, f"significant wins and losses over all {pairs} and data sets")

    def json_fields(self) -> dict[str, Any]:
        """Return the shape of `veracity rank --using corrected_t --json`."""
        rows: dict[str, list[dict[str, Any]]] = {data: [] for data in self.matrix.datasets}
        for pair in self.rows:
            names = ("a", "b", "difference", "statistic", "p_value", *(("adjusted_p_value",) if self.then else ()))
            rows[pair.data].append({name: getattr(pair, name) for name in names} | {"verdict": verdict(pair)})
        return {"score": self.matrix.score, "datasets": rows, "tally": self.tally()}


def verdict(pair: Comparison) -> str:
    """Whether a is significantly better than b."""
    if not pair.rejected:
        return "tie"
    return "win" if (pair.difference < 0) == (pair.better == "lower") else "loss"


@dataclass(frozen=True)
class Replication(JsonFields):
    """Two learners: the p-value of each data set that a is better, and on how many it is, at least."""

    a: str
    b: str
    p_values: dict[str, float]  # one-sided, by data set
    better: int  # data sets on which a is better, at least
    worse: int | None  # on which b is, at least; None where p-values of one side are all there is
    better_on: tuple[str, ...]  # those that can be named
    worse_on: tuple[str, ...] = ()
    partial: tuple[float, ...] = ()  # p-values of "better on at least 1, 2, ... data sets"

    def sentence(self) -> str:
        of = f"of {plural(len(self.p_values), 'data set')}"
        named = f" ({', '.join(self.better_on)} can be named)" if self.better_on else ""
        says = f"{self.a} is better than {self.b} on at least {self.better} {of}{named}"
        return says if self.worse is None else f"{says}, {self.b} better on at least {self.worse}"

    def json_fields(self) -> dict[str, Any]:
        shape = {**super().json_fields(), "datasets": len(self.p_values), "partial_conjunction": self.partial}
        order = ("a", "b", "datasets", "better", "worse", "better_on", "worse_on", "p_values", "partial_conjunction")
        return {name: shape[name] for name in order}


@dataclass(frozen=True, repr=False)
class Replicability(RowsResult[Replication]):
    """One row for each pair."""

    rows: tuple[Replication, ...]
    combine: str
    level: float
    notes: tuple[Note, ...] = ()

    def table(self) -> Table:
        """How many data sets, and which of them can be named."""
        learners = list(dict.fromkeys(name for row in self.rows for name in (row.a, row.b)))
        short = short_names(learners)
        columns: dict[str, list[Any]] = {
            "a": [short[row.a] for row in self.rows],
            "b": [short[row.b] for row in self.rows],
            "data sets": [len(row.p_values) for row in self.rows],
            "a better on": [row.better for row in self.rows],
            "b better on": [row.worse for row in self.rows],
            "named for a": [", ".join(row.better_on) for row in self.rows],
            "named for b": [", ".join(row.worse_on) for row in self.rows],
        }
        caption = f"at least so many data sets, by {self.combine} at level {self.level:g}; named by holm"
        return Table.from_columns(columns, caption, self.all_notes + names_note(learners))

    def json_fields(self) -> dict[str, Any]:
        """Return the shape of `veracity replicability --json`."""
        return {"combine": self.combine, "level": self.level, "pairs": self.rows}
