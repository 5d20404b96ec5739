"""Scores of learners on data sets: as Weka's Experimenter shows them, and as papers do."""

from __future__ import annotations

import math
from collections import Counter
from typing import TYPE_CHECKING, Any

import numpy as np

from veracity.core.errors import Refused
from veracity.evidence.split_scores import SplitScores
from veracity.findings.paper import rank_decimals
from veracity.findings.table_look import DATA, TableLook
from veracity.tables.cells import Number, decimals, decimals_of, deserved_decimals, full_names, names_note, short_names
from veracity.tables.table import Column, Table

if TYPE_CHECKING:
    from veracity.evidence.score_matrix import ScoreMatrix
    from veracity.findings.ranking import Ranking
    from veracity.findings.verdicts import Verdicts

MARKS = {1: " v", 0: "", -1: " *"}
LEARNER = "learner"  # above the names of rows, where rows and columns are swapped
BEST = "the best of each data set in bold"
DAGGER = "†"  # behind the mean rank of a learner that differs


def experimenter_table(verdicts: Verdicts) -> Table:
    """The mean scores; v and * mark those significantly above and below the base, counted in the last row."""
    look, matrix, base = verdicts.look, verdicts.matrix, verdicts.base
    chosen = [matrix.learner(name) for name in look.learners] or matrix.learners
    others = [name for name in chosen if name != base]
    order = look.order(matrix)
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
        at_base = len(columns) - len(others) - 1
        body = [(*row[:at_base], "", *map(_mark, row[at_base + 1 :])) for row in body]
    blank = ("",) * look.counts
    if look.average and not look.significance_only:
        means = np.nanmean(matrix.values, axis=0)
        averages = (_number_text(verdicts, float(means[matrix.column(name)])) for name in (base, *others))
        body.append(("average", *blank, *averages))
    signs = {name: Counter(verdicts.sign(data, name) for data in matrix.datasets) for name in others}
    tallies = ("/".join(str(signs[name][sign]) for sign in (1, 0, -1)) for name in others)
    foot = ("(v/ /*)" * look.swap, *blank, "(v/ /*)", *(f"({tally})" for tally in tallies))
    table = Table(
        tuple(Column(title, "left") for title in columns),
        (*body, foot),
        _caption(verdicts),
        verdicts.all_notes,
        machine=_machine_table(verdicts, others, order),
    )
    return table.transposed(LEARNER) if look.swap else table


def _caption(verdicts: Verdicts) -> str:
    first, score = verdicts.rows[0], verdicts.matrix.score
    adjusted = f", adjusted by {verdicts.then}" if verdicts.then else ""
    spread = ", standard deviations in brackets" if verdicts.look.deviations else ""
    by = f"{first.using}{adjusted} at {1 - first.level:.2g}{spread}{order_text(verdicts.look)}"
    return f"{score}: v above and * below {short_names(verdicts.matrix.learners)[verdicts.base]} by {by}"


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
    largest = _largest_finite(verdicts.matrix)
    asked = verdicts.look.digits
    places = (decimals(largest) or 0) if asked is None else asked
    return "" if math.isnan(value) else f"{value:{len(f'{largest:.{places}f}')}.{places}f}"


def _largest_finite(m: ScoreMatrix) -> float:
    """Return the largest size of a score, which decides the decimals of all; an infinite one has no digits."""
    return float(np.max(np.abs(m.values), initial=0.0, where=np.isfinite(m.values)))


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
    if look.average:
        means = dict(zip(matrix.learners, np.nanmean(matrix.values, axis=0).tolist(), strict=True))
        rows.append({title: means.get(title) for title in rows[0]} | {DATA: "average"})
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
        (row, column): f"{better[column, row]} ({tally[column][row]['win']})" if row in tally[column] else "-"
        for row in names
        for column in names
    }
    whole = full_names(names, always=True)
    titles = ("than", *(f"({place})" for place in range(1, len(names) + 1)))
    rows = tuple((whole[row], *(cells[row, column] for column in names)) for row in names)
    columns = tuple(Column(title, "right" if place else "left") for place, title in enumerate(titles))
    return Table(columns, rows, "data sets on which the column is better than the row (significantly)")


def order_text(look: TableLook) -> str:
    """By what the data sets are ordered, where that was asked for."""
    if look.sort is None:
        return ""
    return f", data sets by {look.sort.removeprefix('-')}{', the largest first' * look.sort.startswith('-')}"


def scores_table(ranking: Ranking) -> Table:
    """The scores of a ranking as papers print them, to the decimals that their splits deserve."""
    m, look = ranking.matrix, ranking.look
    order = look.order(m)
    places = _places(m) if look.digits is None else look.digits
    columns = range(len(m.learners))
    rows: list[tuple[Any, ...]] = [
        (m.datasets[at], *_counts(m, at, look), *(_cell(m, at, column, places, look) for column in columns))
        for at in order
    ]
    if look.average:
        means = np.nanmean(m.measured_values, axis=0)
        rows.append(("average", *("",) * look.counts, *(Number(float(mean), places) for mean in means)))
    reference = ranking.best_first[0] if ranking.control is None else ranking.control
    apart = [{pair.a, pair.b} for pair in ranking.pairs if pair.rejected]
    marks = {name: DAGGER if {name, reference} in apart else "" for name in m.learners}
    ranks = (f"{ranking.average_ranks[name]:.{rank_decimals(m)}f}{mark}" for name, mark in marks.items())
    rows.append(("mean rank", *("",) * look.counts, *ranks))
    best = (m.ranks == np.where(np.isnan(m.ranks), np.inf, m.ranks).min(axis=1, keepdims=True))[order]
    bold = frozenset((int(i), int(j) + 1 + look.counts) for i, j in np.argwhere(best))
    who = f"{reference}, {'ranked best' if ranking.control is None else 'the control'}"
    about = f"{DAGGER} differs significantly from {who} ({ranking.titles}, {1 - ranking.level:.2g})"
    spread = ", standard deviations over splits behind ±" if look.deviations else ""
    caption = f"{m.score} ({m.better} is better){spread}{order_text(look)}; {about}"
    titles = ("data", *("splits",) * look.counts, *map(str, short_names(m.learners).values()))
    headings = tuple(Column(title, "right" if place else "left") for place, title in enumerate(titles))
    whole = _whole_scores(m, order) if look.deviations or look.counts else None
    table = Table(headings, tuple(rows), caption, names_note(m.learners), bold, machine=whole, bold_says=BEST)
    return table.transposed(LEARNER) if look.swap else table


def _counts(m: ScoreMatrix, at: int, look: TableLook) -> tuple[str, ...]:
    """How many splits each score of a data set is of: one number, or from the fewest to the most."""
    if not look.counts:
        return ()
    assert m.splits is not None
    numbers = sorted({len(cell) for cell in m.splits[at] if cell is not None})
    return ("-".join(str(number) for number in dict.fromkeys((*numbers[:1], *numbers[-1:]))),)


def check_splits(ranking: Ranking) -> None:
    """Deviations and counts are of splits."""
    if (ranking.look.deviations or ranking.look.counts) and ranking.matrix.standard_errors is None:
        what = "standard deviations" if ranking.look.deviations else "counts"
        raise Refused(f"{what} are over splits, and here is one score of each data set", "no-splits")


def _places(m: ScoreMatrix) -> int | None:
    """Decimals: two digits of the usual standard error, or as many as the scores were written with."""
    largest = _largest_finite(m)
    if m.standard_errors is not None:
        known = m.standard_errors[np.isfinite(m.standard_errors)]
        return deserved_decimals(float(np.median(known)) if known.size else math.nan)
    return decimals_of(m.values[np.isfinite(m.values)].tolist(), decimals(largest))


def _cell(m: ScoreMatrix, at: int, column: int, places: int | None, look: TableLook) -> Any:
    value = float(m.measured_values[at, column])
    if math.isnan(value):
        return None
    cell = m.splits[at][column] if look.deviations and m.splits is not None else None
    shown = Number(value, places)
    return shown if cell is None or math.isnan(cell.spread) else f"{shown} ± {Number(cell.spread, places)}"


def _whole_scores(m: ScoreMatrix, order: list[int]) -> Table:
    """Every score with its standard deviation and the number of its splits, in full."""
    assert m.splits is not None
    titles = [f"{name}{what}" for name in m.learners for what in ("", " standard deviation", " splits")]
    rows = []
    for at in order:
        cells: list[Any] = [m.datasets[at]]
        for column, cell in enumerate(m.splits[at]):
            spread, number = (None, None) if cell is None else (cell.spread, len(cell))
            cells += [float(m.measured_values[at, column]), spread, number]
        rows.append(tuple(cells))
    return Table(tuple(map(Column, ("data", *titles))), tuple(rows))
