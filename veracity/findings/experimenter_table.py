"""Scores of learners on data sets: as Weka's Experimenter shows them, and as papers do."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from veracity.core.errors import BadInput, Refused
from veracity.core.words import option
from veracity.evidence.split_scores import SplitScores
from veracity.findings.paper import rank_decimals
from veracity.tables.cells import Number, decimals, decimals_of, deserved_decimals, full_names, names_note, short_names
from veracity.tables.table import Column, Table

if TYPE_CHECKING:
    from veracity.evidence.score_matrix import ScoreMatrix
    from veracity.findings.ranking import Ranking
    from veracity.findings.verdicts import Verdicts

MARKS = {1: " v", 0: "", -1: " *"}
DAGGER = "†"  # behind the mean rank of a learner that differs
DATA = "data set"
MOST_DIGITS = 15


@dataclass(frozen=True)
class TableLook:
    """What a table of verdicts shows beside mean scores and marks."""

    deviations: bool = False  # standard deviations over splits, in brackets
    counts: bool = False  # how many results each mean is of
    average: bool = False  # a last row with the mean of each column
    significance_only: bool = False  # the marks without the scores
    sort: str | None = None  # the column whose values order the data sets, a minus before it turns the order
    digits: int | None = None  # decimals
    learners: tuple[str, ...] = ()  # the columns besides the base, all others unless named

    def check(self, verdicts: Verdicts) -> TableLook:
        """Refuse what these verdicts do not have."""
        if self.digits is not None and not 0 <= self.digits <= MOST_DIGITS:
            raise BadInput(f"{option('digits')} is a number of decimals from 0 to {MOST_DIGITS}, not {self.digits}")
        for name in self.learners:
            verdicts.matrix.learner(name)
        if self.sort is not None and self.sort.removeprefix("-") not in (DATA, "data"):
            verdicts.matrix.learner(self.sort.removeprefix("-"))
        return self


PLAIN_LOOK = TableLook()


def experimenter_table(verdicts: Verdicts) -> Table:
    """The mean scores; v and * mark those significantly above and below the base, counted in the last row."""
    look, matrix, base = verdicts.look, verdicts.matrix, verdicts.base
    chosen = [matrix.learner(name) for name in look.learners] or matrix.learners
    others = [name for name in chosen if name != base]
    order = _order(verdicts)
    short = short_names(matrix.learners, always=True)
    columns = (DATA, *(("results",) if look.counts else ()), *(str(short[name]) for name in (base, *others)))
    body = [
        (
            matrix.datasets[at],
            *((_count(verdicts, at),) if look.counts else ()),
            _score_text(verdicts, at, base),
            *(_score_text(verdicts, at, name) + MARKS[verdicts.sign(matrix.datasets[at], name)] for name in others),
        )
        for at in order
    ]
    if look.significance_only:
        body = [
            (*row[: len(row) - len(others) - 1], "", *(_mark(cell) for cell in row[-len(others) :])) for row in body
        ]
    blank = ("",) * look.counts
    if look.average and not look.significance_only:
        means = np.nanmean(matrix.values, axis=0)
        averages = (_number_text(verdicts, float(means[matrix.column(name)])) for name in (base, *others))
        body.append(("average", *blank, *averages))
    signs = {name: Counter(verdicts.sign(data, name) for data in matrix.datasets) for name in others}
    tallies = ("/".join(str(signs[name][sign]) for sign in (1, 0, -1)) for name in others)
    foot = ("", *blank, "(v/ /*)", *(f"({tally})" for tally in tallies))
    return Table(
        tuple(Column(title, "left") for title in columns),
        (*body, foot),
        _caption(verdicts),
        verdicts.all_notes,
        machine=_machine_table(verdicts, others, order),
    )


def _caption(verdicts: Verdicts) -> str:
    first, score = verdicts.rows[0], verdicts.matrix.score
    adjusted = f", adjusted by {verdicts.then}" if verdicts.then else ""
    spread = ", standard deviations in brackets" if verdicts.look.deviations else ""
    by = f"{first.using}{adjusted} at {1 - first.level:.2g}{spread}"
    return f"{score}: v above and * below {verdicts.base} by {by}"


def _order(verdicts: Verdicts) -> list[int]:
    """The data sets in the order asked for; those without a score last."""
    matrix, sort = verdicts.matrix, verdicts.look.sort
    places = list(range(len(matrix)))
    if sort is None:
        return places
    name, turned = sort.removeprefix("-"), sort.startswith("-")
    if name in (DATA, "data"):
        return sorted(places, key=lambda at: matrix.datasets[at], reverse=turned)
    column = matrix.values[:, matrix.column(matrix.learner(name))]
    there = [at for at in places if not math.isnan(column[at])]
    return sorted(there, key=lambda at: column[at], reverse=turned) + [at for at in places if at not in there]


def _splits(verdicts: Verdicts, at: int, learner: str) -> SplitScores | None:
    splits = verdicts.matrix.splits
    return None if splits is None else splits[at][verdicts.matrix.column(learner)]


def _count(verdicts: Verdicts, at: int) -> str:
    """How many results of the base there are, as Weka counts them."""
    cell = _splits(verdicts, at, verdicts.base)
    return "" if cell is None else f"({len(cell)})"


def _score_text(verdicts: Verdicts, at: int, learner: str) -> str:
    mean = _number_text(verdicts, float(verdicts.matrix.values[at, verdicts.matrix.column(learner)]))
    cell = _splits(verdicts, at, learner) if verdicts.look.deviations else None
    if cell is None or not mean or math.isnan(cell.spread):
        return mean
    return f"{mean}({_number_text(verdicts, cell.spread).strip()})"


def _number_text(verdicts: Verdicts, value: float) -> str:
    """With the same decimals, and before them the same room, in all cells."""
    largest = float(np.nanmax(np.abs(verdicts.matrix.values), initial=0))
    asked = verdicts.look.digits
    places = (decimals(largest) or 0) if asked is None else asked
    return "" if math.isnan(value) else f"{value:{len(f'{largest:.{places}f}')}.{places}f}"


def _mark(cell: str) -> str:
    return cell[-1] if cell.endswith((" v", " *")) else ""


def _machine_table(verdicts: Verdicts, others: list[str], order: list[int]) -> Table:
    """Whole names and whole numbers, and every mark in a column of its own."""
    look, matrix = verdicts.look, verdicts.matrix
    rows: list[dict[str, Any]] = []
    for at in order:
        row: dict[str, Any] = {DATA: matrix.datasets[at]}
        for name in (verdicts.base, *others):
            cell = _splits(verdicts, at, name)
            row[name] = float(matrix.values[at, matrix.column(name)])
            if look.deviations:
                row[f"{name} standard deviation"] = None if cell is None else cell.spread
            if look.counts:
                row[f"{name} results"] = None if cell is None else len(cell)
            if name != verdicts.base:
                row[f"{name} mark"] = MARKS[verdicts.sign(matrix.datasets[at], name)].strip()
        rows.append(row)
    return Table(tuple(Column(title) for title in rows[0]), tuple(tuple(row.values()) for row in rows))


def summary_table(verdicts: Verdicts) -> Table:
    """On how many data sets the learner of the column is better than that of the row, in brackets significantly."""
    names = verdicts.matrix.learners
    better: Counter[tuple[str, str]] = Counter()
    for pair in verdicts.rows:
        if pair.difference and not math.isnan(pair.difference):
            first = (pair.difference < 0) == (pair.better == "lower")
            better[(pair.a, pair.b) if first else (pair.b, pair.a)] += 1
    tally = verdicts.tally()
    cells = {
        (row, column): "-" if row == column else f"{better[column, row]} ({tally[column][row]['win']})"
        for row in names
        for column in names
    }
    whole = full_names(names, always=True)
    titles = ("than", *(f"({place})" for place in range(1, len(names) + 1)))
    rows = tuple((whole[row], *(cells[row, column] for column in names)) for row in names)
    columns = tuple(Column(title, "right" if place else "left") for place, title in enumerate(titles))
    return Table(columns, rows, "data sets on which the column is better than the row (significantly)")


def scores_table(ranking: Ranking, deviations: bool = False) -> Table:
    """The scores of a ranking as papers print them, to the decimals that their splits deserve."""
    m = ranking.matrix
    if deviations and m.standard_errors is None:
        raise Refused("standard deviations are over splits, and here is one score of each data set", "no-splits")
    best = m.ranks == np.where(np.isnan(m.ranks), np.inf, m.ranks).min(axis=1, keepdims=True)
    places = _places(m)
    rows = [
        (name, *(_cell(m, at, column, places, deviations) for column in range(len(m.learners))))
        for at, name in enumerate(m.datasets)
    ]
    reference = ranking.best_first[0] if ranking.control is None else ranking.control
    apart = [{pair.a, pair.b} for pair in ranking.pairs if pair.rejected]
    marks = {name: DAGGER if {name, reference} in apart else "" for name in m.learners}
    ranks = (f"{ranking.average_ranks[name]:.{rank_decimals(m)}f}{mark}" for name, mark in marks.items())
    bold = frozenset((int(i), int(j) + 1) for i, j in np.argwhere(best))
    who = f"{reference}, {'ranked best' if ranking.control is None else 'the control'}"
    about = f"{DAGGER} differs significantly from {who} ({ranking.titles}, {1 - ranking.level:.2g})"
    spread = ", standard deviations over splits behind ±" if deviations else ""
    caption = f"{m.score} ({m.better} is better), the best of each data set in bold{spread}; {about}"
    titles = ("data", *map(str, short_names(m.learners).values()))
    columns = tuple(Column(title, "right" if place else "left") for place, title in enumerate(titles))
    whole = _whole_scores(m) if deviations else None
    return Table(columns, (*rows, ("mean rank", *ranks)), caption, names_note(m.learners), bold, machine=whole)


def _places(m: ScoreMatrix) -> int | None:
    """Decimals: two digits of the usual standard error, or as many as the scores were written with."""
    largest = float(np.max(np.abs(m.values), initial=0.0, where=np.isfinite(m.values)))
    if m.standard_errors is not None:
        return deserved_decimals(float(np.nanmedian(m.standard_errors)))
    return decimals_of(m.values[np.isfinite(m.values)].tolist(), decimals(largest))


def _cell(m: ScoreMatrix, at: int, column: int, places: int | None, deviations: bool) -> Any:
    value = float(m.measured_values[at, column])
    if math.isnan(value):
        return None
    cell = m.splits[at][column] if deviations and m.splits is not None else None
    shown = Number(value, places)
    return shown if cell is None or math.isnan(cell.spread) else f"{shown} ± {Number(cell.spread, places)}"


def _whole_scores(m: ScoreMatrix) -> Table:
    """Every score with its standard deviation and the number of its splits, in full."""
    assert m.splits is not None
    titles = [f"{name}{what}" for name in m.learners for what in ("", " standard deviation", " splits")]
    rows = []
    for at, name in enumerate(m.datasets):
        cells: list[Any] = [name]
        for column, cell in enumerate(m.splits[at]):
            spread, number = (None, None) if cell is None else (cell.spread, len(cell))
            cells += [float(m.measured_values[at, column]), spread, number]
        rows.append(tuple(cells))
    return Table(tuple(map(Column, ("data", *titles))), tuple(rows))
