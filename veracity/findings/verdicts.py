"""Win, tie or loss of every pair of learners on every data set, and the table that Weka prints of them."""

from __future__ import annotations

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
from veracity.findings.estimate import finite
from veracity.findings.experimenter_table import experimenter_table, summary_table
from veracity.findings.paper import MethodsText, paper_latex, verdicts_methods
from veracity.findings.table_look import PLAIN_LOOK, TableLook
from veracity.tables.cells import TableNames, full_names, machine_value, short_names
from veracity.tables.latex import latex
from veracity.tables.result import TableResult
from veracity.tables.table import Column, Table

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
        told = f"{best[0]} has the most wins over losses{against}, {wins} - {losses} and {ties} undecided"
        if len(best) > 1:
            told = f"{', '.join(best[:-1])} and {best[-1]} have the most wins over losses{against}, {lead} more each"
        said = told if lead > 0 else f"no learner wins more often{against} than it loses"
        adjusted = f", adjusted by {self.then}," if self.then else ""
        by = f"by {first.using}{adjusted} on each of {len(self.matrix)} data sets at {1 - first.level:.2g}"
        return f"{said}, {by}{self._undecided()}{self.matrix.absent_phrase}."

    def _undecided(self) -> str:
        """How many pairs were not decided, of which those that could not be tested count as ties."""
        untested = sum(pair.p_value is None for pair in self.rows)
        undecided = sum(verdict(pair) == "tie" for pair in self.rows) - untested
        are = "is" if undecided == 1 else "are"
        of = f"of {plural(len(self.rows), 'pair')} on data sets, {undecided:,} {are} undecided"
        not_tested = (
            f" and {untested:,} could not be tested, which {'counts as a tie' if untested == 1 else 'count as ties'}"
        )
        return f"; {of}{not_tested if untested else ''}"

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
        return summary_table(self)

    @cached_property
    def _short(self) -> TableNames:
        return short_names(self.matrix.learners, always=True)

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
        adjusted = ("adjusted p",) if self.then else ()
        titles = ("data set", "a", "b", "difference", "statistic", "p", *adjusted, "verdict")
        left, name = ("data set", "a", "b", "verdict"), self._short
        columns = tuple(Column(title, "left" if title in left else "right") for title in titles)
        rows = tuple(
            (
                *(p.data, name[p.a], name[p.b], p.difference, p.statistic, p.p_value),
                *((p.adjusted_p_value,) if self.then else ()),
                verdict(p),
            )
            for p in self.rows
        )
        return Table(columns, rows, f"differences of {self.matrix.score} (a minus b); win: a is significantly better")

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
        rows = tuple((name[a], sums[a]["win"] - sums[a]["loss"], *(sums[a][o] for o in OUTCOMES)) for a in order)
        columns = (Column("learner", "left"), *map(Column, ("wins - losses", "wins", "ties", "losses")))
        pairs = "pairs" if self.control is None else f"pairs with {short_names(self.matrix.learners)[self.control]}"
        return Table(columns, rows, f"significant wins and losses over all {pairs} and data sets")

    def to_json(self) -> dict[str, Any]:
        """The shape of `veracity rank --using corrected_t --json`."""
        rows: dict[str, list[dict[str, Any]]] = {data: [] for data in self.matrix.datasets}
        for pair in self.rows:
            numbers = {"difference": finite(pair.difference), "statistic": finite(pair.statistic)}
            adjusted = {"adjusted_p_value": pair.adjusted_p_value} if self.then else {}
            judged = {"p_value": pair.p_value, **adjusted, "verdict": verdict(pair)}
            rows[pair.data].append({"a": pair.a, "b": pair.b, **numbers, **judged})
        notes = [note.to_json() for note in self.all_notes]
        return {"score": self.matrix.score, "datasets": rows, "tally": self.tally(), "notes": notes}


def verdict(pair: Comparison) -> str:
    """Whether a is significantly better than b."""
    if not pair.rejected:
        return "tie"
    return "win" if (pair.difference < 0) == (pair.better == "lower") else "loss"
