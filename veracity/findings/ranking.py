"""The answer to: which learners are better over many data sets? Mean ranks with groups, one test of all, every pair."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from string import ascii_lowercase
from typing import Any

import numpy as np

from veracity.core.arguments import verb
from veracity.core.errors import BadInput, Refused
from veracity.core.notes import Note, unique
from veracity.core.words import spell_out_controls
from veracity.evidence.score_matrix import ScoreMatrix
from veracity.findings.comparison import P_VALUES, Comparison, pair_columns
from veracity.findings.paper import MethodsText, paper_latex, procedure_titles, ranking_methods
from veracity.findings.score_table import PLAIN_LOOK, TableLook, scores_table
from veracity.findings.significance import Omnibus, effect_columns
from veracity.records.arrays import Array
from veracity.tables.cells import align_decimals, full_names, short_names
from veracity.tables.formats import escape_html
from veracity.tables.latex import latex
from veracity.tables.result import TableResult
from veracity.tables.table import Table

MAX_PAIRS_PRINTED = 1_000  # CSV and JSON hold more
MAX_ROWS, MAX_COLUMNS = 200, 20  # data sets and learners whose scores are printed


@dataclass(frozen=True)
class RankInterval:
    """Limits of the expected rank of a learner on a data set, and the places that it may have among all learners."""

    low: float
    high: float
    first: int | None  # the best place that pairs leave it; None where not all pairs were tested
    last: int | None
    level: float


@dataclass(frozen=True, eq=False, repr=False)
class Ranking(TableResult):
    """Mean ranks, the omnibus test, every pair with its adjusted p-value, and the groups that cannot be told apart.

    Attributes
    ----------
    matrix
        The scores, data sets x learners.
    average_ranks
        The mean rank of each learner, 1 being the best.
    omnibus
        The test of all learners or models together, if there was one.
    pairs
        Every pair that was tested.
    groups
        Largest sets of learners of which no pair is told apart.
    judged_by
        The test of pairs.
    then
        How p-values were adjusted.
    level
        The level of intervals and tests.
    control
        The learner that all others were compared with, if there was one.
    critical_difference
        The difference of mean ranks that counts, where the test has one.
    notes
        What a reader should know: cautions and remarks.
    about
        A name for what was asked, where there are several answers.
    rank_intervals
        Intervals of expected ranks, where they were asked for.
    look
        How its tables are to look.
    all_notes
        The notes of the result and of its parts, each once.
    best_first
        Learners by mean rank.
    learners
        Names of the learners, or learners by name.

    Examples
    --------
    >>> table = vc.score_matrix([[0.8, 0.7, 0.6], [0.9, 0.8, 0.7], [0.7, 0.6, 0.5], [0.9, 0.7, 0.8]], ["a", "b", "c"])
    >>> vc.rank(table).average_ranks
    {'a': 1.0, 'b': 2.25, 'c': 2.75}
    """

    matrix: ScoreMatrix
    average_ranks: dict[str, float]  # in the order of the learners
    omnibus: Omnibus
    pairs: tuple[Comparison, ...]
    groups: tuple[tuple[str, ...], ...]  # maximal sets of learners of which no pair is rejected, best first
    judged_by: str  # how pairs were tested: "wilcoxon" or "mean_ranks" or the name of a post hoc test
    then: str  # the adjustment; the post hoc test again where that decides all pairs by itself
    level: float = 0.95
    control: str | None = None
    critical_difference: float | None = None  # in what the pairs are judged by, where the procedure has one
    notes: tuple[Note, ...] = ()
    about: str = ""  # what the differences of pairs are of, where these are not of scores
    rank_intervals: dict[str, RankInterval] = field(default_factory=dict)  # where asked for
    look: TableLook = PLAIN_LOOK  # what the table of scores shows

    @property
    def learners(self) -> tuple[str, ...]:
        return self.matrix.learners

    @property
    def best_first(self) -> tuple[str, ...]:
        return tuple(sorted(self.average_ranks, key=lambda name: self.average_ranks[name]))

    @property
    def all_notes(self) -> tuple[Note, ...]:
        return unique(self.omnibus.notes + self.notes)

    @verb
    def p_values(self, adjusted: bool = True) -> Array:
        """The pairs as a symmetric matrix in the order of the learners, NaN where a pair was not tested."""
        values = np.full((len(self.learners), len(self.learners)), np.nan)
        places = {name: i for i, name in enumerate(self.learners)}
        for pair in self.pairs:
            i, j = places[pair.a], places[pair.b]
            values[i, j] = values[j, i] = pair.adjusted_p_value if adjusted else pair.p_value
        return values

    @property
    def tables(self) -> tuple[Table, Table]:
        """The learners, then the pairs with the notes."""
        return self.ranks_table(), self.table()

    @property
    def printed(self) -> tuple[Table, ...]:
        """The scores, and the same without most pairs; neither is printed where it is more than anybody reads."""
        few = len(self.matrix) <= MAX_ROWS and len(self.learners) <= MAX_COLUMNS
        return (*([self.scores_table()] if few else ()), self.ranks_table(), self.short_table())

    def __repr__(self) -> str:
        return f"{spell_out_controls(self.conclusion())}\n\n{super().__repr__()}"

    def to_html(self) -> str:
        """Return the conclusion and the tables as HTML."""
        return f"<p>{escape_html(self.conclusion())}</p>\n{super().to_html()}"

    def short_table(self) -> Table:
        """The pairs, or where they are many those of the learner that ranks best, with a remark that says so."""
        if len(self.pairs) <= MAX_PAIRS_PRINTED or self.control is not None:
            return self.table()
        best = self.best_first[0]
        own = tuple(pair for pair in self.pairs if best in (pair.a, pair.b))
        here = f"{len(own):,} of {len(self.pairs):,} pairs stand here"
        says = f"{here}, those of {best}, which ranks best: CSV and JSON hold all"
        return replace(self, pairs=own, notes=(*self.notes, Note("many-pairs", "remark", says))).table()

    def __getitem__(self, pair: tuple[str, str]) -> Comparison:
        if not (isinstance(pair, tuple) and all(isinstance(name, str) for name in pair)):
            two = ", ".join(map(repr, self.learners[:2]))
            raise BadInput(f"a pair is named by its two learners, as in ranking[{two}]")
        for one in self.pairs:
            if {one.a, one.b} == set(pair):
                return one
        raise BadInput(f"the pair {' and '.join(pair)} was not compared: learners are {', '.join(self.learners)}")

    def conclusion(self) -> str:
        """Who ranks best, and who is really worse; of learners whose pair was not tested nothing is said."""
        first = self.best_first[0]
        lead = f"{first} ranks best (mean rank {self.average_ranks[first]:.3g})"
        if not self.omnibus.rejects(self.level):
            test = self.omnibus
            chance = f"{lead}, but all differences may be chance: {test.method} gives p = {test.p_value:.3g}"
            return f"{chance}{self.matrix.absent_phrase}."
        tested = {pair.b if pair.a == first else pair.a: pair for pair in self.pairs if first in (pair.a, pair.b)}
        beaten = [name for name in self.best_first if name in tested and tested[name].rejected]
        others = [name for name in self.best_first if name in tested and not tested[name].rejected]
        better = f" and is really better than {', '.join(beaten)}" if beaten else ""
        apart = f"; it cannot be told apart from {', '.join(others)}" if others else ""
        return f"{lead}{better}{apart}, at {1 - self.level:.2g} over all pairs{self.matrix.absent_phrase}."

    def sentence(self) -> str:
        """What the omnibus test says."""
        omnibus = self.omnibus
        says = "learners differ" if omnibus.rejects(self.level) else "not enough to conclude that learners differ"
        says = "not valid here, which decides nothing" if omnibus.refused else says
        return f"{omnibus.method}: {omnibus.result} over {len(self.matrix)} data sets: {says}."

    def ranks_table(self) -> Table:
        """The learners, best first; learners that share a letter cannot be told apart."""
        cells = [self._learner_cells(name) for name in self.best_first]
        best = min(self.average_ranks.values())
        bold = frozenset(
            (i, j) for i, name in enumerate(self.best_first) for j in (0, 1) if self.average_ranks[name] == best
        )
        columns = {title: [row[title] for row in cells] for title in cells[0]}
        return Table.from_columns(columns, self.sentence(), bold=bold, right=("place",))

    def _learner_cells(self, name: str) -> dict[str, Any]:
        """By heading; where scores are missing, also over how many data sets their mean is."""
        at, scores = self.learners.index(name), self.matrix.measured_values
        there = scores[~np.isnan(scores[:, at]), at]
        (rank,) = align_decimals(self.average_ranks[name])
        (mean,) = align_decimals(float(there.mean()) if len(there) else float("nan"))
        cells: dict[str, Any] = {
            "learner": full_names(self.learners)[name],
            "mean rank": rank,
            f"mean {self.matrix.score}": mean,
        }
        if self.rank_intervals:
            interval = self.rank_intervals[name]
            cells["rank low"], cells["rank high"] = align_decimals(interval.low, interval.high)
            cells["place"] = "" if interval.first is None else f"{interval.first} to {interval.last}"
        if np.isnan(scores).any():
            cells["data sets"] = len(there)
        letters = [*ascii_lowercase, *map(str, range(len(ascii_lowercase) + 1, len(self.groups) + 1))]
        cells["groups"] = " ".join(letter for letter, group in zip(letters, self.groups, strict=False) if name in group)
        return cells if self.omnibus.probabilities is None else {**cells, "best": self.omnibus.probabilities[at]}

    def table(self) -> Table:
        """The pairs: difference (a minus b) and of what, its interval where there is one, p-values, verdict."""
        names, pairs = short_names(self.learners), self.pairs
        columns: dict[str, Any] = {"a": [names[pair.a] for pair in pairs], "b": [names[pair.b] for pair in pairs]}
        difference = f"difference of {self.about}" if self.about else "difference"
        for title, cells in pair_columns(pairs, P_VALUES).items():
            columns[difference if title == "difference" else title] = cells
        columns.pop("df", None)
        bold = frozenset((i, [*columns].index("adjusted p")) for i, pair in enumerate(pairs) if pair.rejected)
        critical = "" if self.critical_difference is None else f"; critical difference {self.critical_difference:.4g}"
        adjusted = "" if self.then == self.judged_by else f", adjusted by {self.then}"
        caption = f"pairs (a minus b) by {self.judged_by}{adjusted}{critical}"
        return Table.from_columns(columns, caption, self.all_notes, bold=bold, right=[*effect_columns(pairs)])

    @verb
    def scores_table(self, deviations: bool = False) -> Table:
        """The scores, the best of each data set bold; below, mean ranks, marked where significantly different.

        Marks are against the control, or the learner that ranks best. `deviations=True` shows the standard deviation
        over splits beside each score, and the number of splits in files for machines.
        """
        return scores_table(self.with_look(deviations=True) if deviations else self)

    @verb
    def with_look(
        self,
        *,
        deviations: bool = False,
        counts: bool = False,
        average: bool = False,
        sort: str | None = None,
        digits: int | None = None,
        measures: Mapping[str, ScoreMatrix] | None = None,
        swap: bool = False,
    ) -> Ranking:
        """The same with another table of scores: standard deviations, counts of splits, a row of averages.

        `sort` names the learner whose scores order the data sets ("-nb" for the largest first), or one of `measures`,
        other scores of the same learners, of which that of the control or the best ranked counts. `swap` puts learners
        in rows and data sets in columns.
        """
        look = TableLook(deviations, counts, average, sort=sort, digits=digits, swap=swap)
        base = self.best_first[0] if self.control is None else self.control
        look = look.for_matrix(self.matrix, base, measures)
        if (deviations or counts) and self.matrix.standard_errors is None:
            what = "standard deviations" if deviations else "counts"
            raise Refused(f"{what} are over splits, and here is one score of each data set", "no-splits")
        return replace(self, look=look)

    @property
    def titles(self) -> str:
        """The tests of pairs and their adjustment as papers call them."""
        return procedure_titles(self.judged_by, self.then)

    @property
    def methods(self) -> MethodsText:
        """What was done and found, as the paragraph of a paper; `.bibtex` has the works that it cites."""
        return ranking_methods(self)

    def json_fields(self) -> dict[str, Any]:
        """Return the shape of `veracity rank --json`."""
        return {
            "datasets": len(self.matrix),
            "learners": self.learners,
            "better": self.matrix.better,
            "average_ranks": self.average_ranks,
            **({"rank_intervals": self.rank_intervals} if self.rank_intervals else {}),
            "omnibus": self.omnibus,
            "pairs": [_pair_fields(pair) for pair in self.pairs],
            "critical_difference": self.critical_difference,
            "groups": self.groups,
        }

    @verb
    def to_latex(self, scores: bool = False) -> str:
        """The learners and the pairs; with `scores=True` before them the scores of all data sets, as in papers."""
        return "\n".join(map(latex, ((self.scores_table(),) if scores else ()) + self.tables))

    def to_paper(self) -> str:
        """LaTeX of the paragraph, the scores (bold, daggers), the learners and the pairs, then the works cited."""
        ranks = replace(
            self.ranks_table(), caption=f"Mean ranks; learners that share a letter are not told apart by {self.titles}"
        )
        pairs = replace(self.table(), caption=f"Pairs (a minus b) by {self.titles}", notes=())
        return paper_latex(self.methods, [latex(table) for table in (self.scores_table(), ranks, pairs)])


def _pair_fields(pair: Comparison) -> dict[str, Any]:
    """Return the shape of a pair in the JSON of a ranking."""
    names = ("a", "b", "difference", "statistic", "p_value", "adjusted_p_value", "rejected")
    shape = {name: getattr(pair, name) for name in names}
    if pair.interval is not None:
        shape |= {"low": pair.low, "high": pair.high}
    if pair.sums is not None:
        shape |= zip(("w_plus", "w_minus"), pair.sums, strict=True)
    if pair.effects:
        shape["effects"] = {one.method: one for one in pair.effects}
    return shape
