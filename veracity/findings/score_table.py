"""Tables of the scores of learners on data sets: as Weka's Experimenter prints them, and as papers do."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from veracity.core.errors import BadInput
from veracity.evidence.score_matrix import ScoreMatrix, SplitScores
from veracity.findings.paper import rank_decimals
from veracity.tables.cells import Number, decimals, decimals_of, deserved_decimals, names_note, short_names
from veracity.tables.table import Column, Table

if TYPE_CHECKING:
    from veracity.findings.dataset_tests import Verdicts
    from veracity.findings.ranking import Ranking

DATA = "data set"
MAX_DIGITS = 15
MARKS = {1: " v", 0: "", -1: " *"}
LEARNER = "learner"  # above the names of rows, where rows and columns are swapped
BEST = "the best of each data set in bold"
DAGGER = "†"  # behind the mean rank of a learner that differs


@dataclass(frozen=True)
class TableLook:
    """What a table of learners on data sets shows beside scores, and in which order; `for_matrix` checks it."""

    deviations: bool = False  # standard deviations over splits
    counts: bool = False  # how many results each mean is of
    average: bool = False  # a last row with the mean of each column
    significance_only: bool = False  # the marks without the scores
    sort: str | None = None  # the column or measure that orders the data sets, a minus before it turns the order
    digits: int | None = None  # decimals
    learners: tuple[str, ...] = ()  # the columns besides the base, all others unless named
    keys: tuple[Any, ...] = ()  # of each data set, what orders them
    swap: bool = False  # learners in rows and data sets in columns

    def for_matrix(self, matrix: ScoreMatrix, base: str, measures: Mapping[str, ScoreMatrix] | None) -> TableLook:
        """Refuse what these scores do not have, and read the keys of the order: names of data sets, a learner's
        scores, or those of the base by another measure, NaN where it has none.
        """
        if self.digits is not None and not 0 <= self.digits <= MAX_DIGITS:
            raise BadInput(f"`digits=` is a number of decimals from 0 to {MAX_DIGITS}, not {self.digits}")
        for name in self.learners:
            matrix.learner(name)
        if self.sort is None:
            return self
        column, source = self.sort.removeprefix("-"), matrix
        if column in (DATA, "data"):
            return replace(self, keys=matrix.datasets)
        if measures and column in measures:
            column, source = base, measures[column]
        values = dict(zip(source.datasets, source.values[:, source.column(column)].tolist(), strict=True))
        return replace(self, keys=tuple(values.get(data, math.nan) for data in matrix.datasets))

    def order(self, matrix: ScoreMatrix) -> list[int]:
        """Return the places of the data sets in the order asked for; those without a key last."""
        places = list(range(len(matrix)))
        if self.sort is None:
            return places
        known = [at for at in places if self.keys[at] == self.keys[at]]
        ordered = sorted(known, key=lambda at: self.keys[at], reverse=self.sort.startswith("-"))
        return ordered + [at for at in places if at not in known]

    @property
    def order_text(self) -> str:
        """By what the data sets are ordered, where that was asked for."""
        if self.sort is None:
            return ""
        return f", data sets by {self.sort.removeprefix('-')}{', the largest first' * self.sort.startswith('-')}"


PLAIN_LOOK = TableLook()


def experimenter_table(verdicts: Verdicts) -> Table:
    """The mean scores; v and * mark those significantly above and below the base, counted in the last row."""
    look, m, base = verdicts.look, verdicts.matrix, verdicts.base
    names = [base, *(name for name in ([*map(m.learner, look.learners)] or m.learners) if name != base)]
    signs = {name: [verdicts.sign(data, name) for data in m.datasets] for name in names}
    largest = _largest_finite(m)
    places = (decimals(largest) or 0) if look.digits is None else look.digits
    room = len(f"{largest:.{places}f}")

    def write(value: float) -> str:
        return "" if math.isnan(value) else f"{value:{room}.{places}f}"

    def write_cell(at: int, name: str) -> str:
        mark = MARKS[signs[name][at]]
        if look.significance_only:
            return mark.strip()
        mean, split_scores = write(float(m.values[at, m.column(name)])), _splits(m, at, name)
        if look.deviations and mean and split_scores is not None and not math.isnan(split_scores.spread):
            mean += f"({write(split_scores.spread).strip()})"
        return mean + mark

    def write_count(at: int) -> str:
        results = _splits(m, at, base)
        return "" if results is None else f"({len(results)})"

    averages = _means(m.values, m, names) if look.average else []
    tallies = [Counter(signs[name]) for name in names[1:]]
    wins = ("({}/{}/{})".format(*(tally[sign] for sign in (1, 0, -1))) for tally in tallies)
    below: list[tuple[str, Iterable[str]]] = []
    if averages and not look.significance_only:
        below.append(("average", map(write, averages)))
    below.append(("(v/ /*)" * look.swap, ("(v/ /*)", *wins)))
    rows = _score_rows(m, look, names, write_cell, write_count, below)
    marks = {name: [MARKS[sign].strip() for sign in signs[name]] for name in names[1:]}
    machine = _machine_table(m.values, m, look, names, DATA, "results", marks)
    if averages:
        means = dict(zip(names, averages, strict=True))
        machine = replace(machine, rows=(*machine.rows, ("average", *map(means.get, machine.titles[1:]))))
    short = short_names(m.learners, always=True)
    titles = (DATA, *["results"] * look.counts, *(str(short[name]) for name in names))
    columns = tuple(Column(title, "left") for title in titles)
    first, adjusted = verdicts.rows[0], f", adjusted by {verdicts.then}" if verdicts.then else ""
    spread = ", standard deviations in brackets" if look.deviations else ""
    by = f"{first.using}{adjusted} at {1 - first.level:.2g}{spread}{look.order_text}"
    caption = f"{m.score}: v above and * below {short_names(m.learners)[base]} by {by}"
    table = Table(columns, rows, caption, verdicts.all_notes, machine=machine)
    return table.transposed(LEARNER) if look.swap else table


def scores_table(ranking: Ranking) -> Table:
    """The scores of a ranking as papers print them, to the decimals that their splits deserve."""
    m, look, names = ranking.matrix, ranking.look, ranking.learners
    values, places = m.measured_values, _deserved_decimals(m) if look.digits is None else look.digits

    def write_cell(at: int, name: str) -> Any:
        value, split_scores = float(values[at, m.column(name)]), _splits(m, at, name)
        if math.isnan(value):
            return None
        if not look.deviations or split_scores is None or math.isnan(split_scores.spread):
            return Number(value, places)
        return f"{Number(value, places)} ± {Number(split_scores.spread, places)}"

    def write_count(at: int) -> str:
        """One number, or from the fewest to the most."""
        numbers = sorted({len(cell) for name in names if (cell := _splits(m, at, name)) is not None})
        return "-".join(str(number) for number in dict.fromkeys((*numbers[:1], *numbers[-1:])))

    reference = ranking.best_first[0] if ranking.control is None else ranking.control
    differ = {
        name for pair in ranking.pairs if pair.rejected and reference in (pair.a, pair.b) for name in (pair.a, pair.b)
    }
    marks = {name: DAGGER if name in differ - {reference} else "" for name in names}
    ranks = (f"{ranking.average_ranks[name]:.{rank_decimals(m)}f}{mark}" for name, mark in marks.items())
    averages = [Number(mean, places) for mean in _means(values, m, names)] if look.average else []
    below = [*([("average", averages)] if averages else []), ("mean rank", ranks)]
    rows = _score_rows(m, look, names, write_cell, write_count, below)
    best = (m.ranks == np.where(np.isnan(m.ranks), np.inf, m.ranks).min(axis=1, keepdims=True))[look.order(m)]
    bold = frozenset((int(i), int(j) + 1 + look.counts) for i, j in np.argwhere(best))
    who = f"{reference}, {'ranked best' if ranking.control is None else 'the control'}"
    about = f"{DAGGER} differs significantly from {who} ({ranking.titles}, {1 - ranking.level:.2g})"
    spread = ", standard deviations over splits behind ±" if look.deviations else ""
    caption = f"{m.score} ({m.better} is better){spread}{look.order_text}; {about}"
    machine = None
    if look.deviations or look.counts:
        machine = _machine_table(values, m, replace(look, deviations=True, counts=True), names, "data", "splits", {})
    titles = ("data", *["splits"] * look.counts, *map(str, short_names(names).values()))
    columns = tuple(Column(title, "right" if place else "left") for place, title in enumerate(titles))
    table = Table(columns, rows, caption, names_note(names), bold, machine=machine, bold_says=BEST)
    return table.transposed(LEARNER) if look.swap else table


def _score_rows(
    m: ScoreMatrix,
    look: TableLook,
    names: Sequence[str],
    write_cell: Callable[[int, str], Any],
    write_count: Callable[[int], str],
    below: Iterable[tuple[str, Iterable[Any]]],
) -> tuple[tuple[Any, ...], ...]:
    """One row for each data set: its name, the number of results where asked for, a cell for each learner; then those
    `below`, by name.
    """
    rows = [(m.datasets[at], write_count(at), [write_cell(at, name) for name in names]) for at in look.order(m)]
    rows += [(name, "", list(cells)) for name, cells in below]
    return tuple((name, *[count] * look.counts, *cells) for name, count, cells in rows)


def _machine_table(
    values: Any,
    m: ScoreMatrix,
    look: TableLook,
    names: Sequence[str],
    corner: str,
    counted: str,
    marks: Mapping[str, Sequence[str]],
) -> Table:
    """Whole names and whole numbers, and deviations, counts and marks in columns of their own."""
    order = look.order(m)
    columns: list[tuple[str, list[Any]]] = [(corner, [m.datasets[at] for at in order])]
    for name in names:
        cells = [_splits(m, at, name) for at in order]
        columns.append((name, [float(values[at, m.column(name)]) for at in order]))
        if look.deviations:
            columns.append((f"{name} standard deviation", [None if cell is None else cell.spread for cell in cells]))
        if look.counts:
            columns.append((f"{name} {counted}", [None if cell is None else len(cell) for cell in cells]))
        if name in marks:
            columns.append((f"{name} mark", [marks[name][at] for at in order]))
    return Table.from_rows([title for title, _ in columns], zip(*(cells for _, cells in columns), strict=True))


def _splits(m: ScoreMatrix, at: int, learner: str) -> SplitScores | None:
    return None if m.splits is None else m.splits[at][m.column(learner)]


def _means(values: Any, m: ScoreMatrix, names: Sequence[str]) -> list[float]:
    means: list[float] = np.nanmean(values, axis=0)[[m.column(name) for name in names]].tolist()
    return means


def _largest_finite(m: ScoreMatrix) -> float:
    """Return the largest size of a score, which decides the decimals of all; an infinite one has no digits."""
    return float(np.max(np.abs(m.values), initial=0.0, where=np.isfinite(m.values)))


def _deserved_decimals(m: ScoreMatrix) -> int | None:
    """Decimals: two digits of the usual standard error, or as many as the scores were written with."""
    if m.standard_errors is not None:
        known = m.standard_errors[np.isfinite(m.standard_errors)]
        return deserved_decimals(float(np.median(known)) if known.size else math.nan)
    return decimals_of(m.values[np.isfinite(m.values)].tolist(), decimals(_largest_finite(m)))
