"""What a page shows of results: rankings, comparisons, estimates, tuning, splits, failures, and other tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from veracity.core.confidence import rejects
from veracity.core.notes import cautions, remarks
from veracity.core.words import percent, plural
from veracity.findings.comparison import Comparison, Comparisons
from veracity.findings.estimates import Estimate, Estimates
from veracity.findings.interval import shown_limits
from veracity.findings.ranking import Ranking
from veracity.plots.rank_layout import rank_layout
from veracity.reports.material import Material, Strip
from veracity.reports.page import (
    WRITTEN_OUT,
    Block,
    Fold,
    Grid,
    Notes,
    Picture,
    Pictures,
    Section,
    Terms,
    Verbatim,
    Words,
    fold_by_name,
)
from veracity.reports.svg.forest import ForestRow, forest, strips
from veracity.reports.svg.matrices import shaded_matrix
from veracity.reports.svg.paper import WIDE
from veracity.reports.svg.rank_diagram import rank_diagram
from veracity.tables.table import Column, Table, drop_constant_columns

LONG_PAIRS = 6  # pairs from which on their table is folded away
TOLD_COMPARISONS = 4  # comparisons that are also told in a sentence each
ZERO = "Left of the dotted line the first is lower, right of it higher."
MAX_MATRIX_LEARNERS = 16  # learners of a matrix of p-values that can be read


def ranking_section(material: Material) -> Section | None:
    """The omnibus test first, then the diagram, then every pair."""
    ranking = material.ranking
    if ranking is None:
        if material.verdicts is None:
            return None
        pairs, *sums = material.verdicts.tables  # the sums first
        every = Grid(pairs, folded=len(pairs.rows) > LONG_PAIRS)
        wins: tuple[Block, ...] = (Words(material.verdicts.sentence()), *map(Grid, sums), every)
        return Section("ranking", "Wins and losses", wins)
    pairs = ranking.short_table()
    scores = ranking.scores_table()
    large = len(scores.rows) * len(scores.columns) > WRITTEN_OUT
    blocks: list[Block] = [
        Notes(tuple(cautions(ranking.all_notes))),
        Words(ranking.sentence()),
        _rank_pictures(ranking),
    ]
    blocks += [Grid(replace(ranking.ranks_table(), caption=""))] if large else []
    blocks.append(Grid(scores, folded=large))
    folded = len(ranking.pairs) > LONG_PAIRS
    caption = f"{plural(len(pairs.rows), 'pair')}{pairs.caption.removeprefix('pairs')}" if folded else pairs.caption
    blocks += [Grid(replace(pairs, caption=caption, notes=()), folded), Notes(tuple(remarks(pairs.notes)))]
    return Section("ranking", "Ranking", tuple(blocks))


def _rank_pictures(ranking: Ranking) -> Pictures:
    pictures = [Picture(rank_diagram(ranking), f"Mean ranks, best left; {rank_layout(ranking).says}")]
    if len(ranking.learners) <= MAX_MATRIX_LEARNERS:
        p = ranking.p_values()
        shade = np.nan_to_num(rejects(p, ranking.level).astype(float))
        drawn = shaded_matrix(p, shade, ranking.learners, "adjusted p-values of all pairs", "{:.2g}".format)
        pictures.append(Picture(drawn, f"Adjusted p-values; shaded where below {1 - ranking.level:.2g}"))
    return Pictures(tuple(pictures))


def comparison_section(material: Material) -> Section | None:
    """Few comparisons as one plain sentence each; a forest plot of the differences for each data set, and the table."""
    comparisons = material.comparisons
    if not comparisons:
        return None
    table = Comparisons(comparisons).table()
    by_place: dict[tuple[str, str], list[Comparison]] = {}
    for one in comparisons:
        by_place.setdefault((one.score, one.data), []).append(one)
    blocks: list[Block] = [Notes(tuple(cautions(table.notes)))]
    sentences = [one.sentence() for one in comparisons] if len(comparisons) <= TOLD_COMPARISONS else []
    blocks += [Words(says) for says in sentences if says != material.answer]
    blocks += [Words(ZERO), Pictures(tuple(_differences(*place, rows) for place, rows in by_place.items()))]
    blocks.append(Grid(drop_constant_columns(replace(table, notes=tuple(remarks(table.notes))))))
    return Section("comparisons", "Comparisons", tuple(blocks))


def _differences(score: str, data: str, rows: list[Comparison]) -> Picture:
    bars = [ForestRow(f"{one.a} - {one.b}", one.difference, *shown_limits(one.interval)) for one in rows]
    title = f"difference of {score}{f' on {data}' * bool(data)}, first minus second"
    says = f"{title}: {', '.join(bar.name for bar in bars)}"
    return Picture(forest(bars, "", says, zero=True), f"{title[0].upper()}{title[1:]}")


MAX_FOREST_ROWS = 240  # rows of the forest plots of one score
CHARTED_SCORES = 8  # scores that have a chart each; more are a scorecard
LONG_TABLE = 40  # rows from which on a table is folded away
LONG_SPLITS = 20  # splits from which on their table is folded away
ABOUT_TUNING = (
    "These learners choose their own parameters inside the training rows of each split, so that the estimates are of"
    " choosing and training together. The model of all rows chooses once more."
)
MAX_STRIPPED_DATA = 12  # data sets whose splits are drawn
ABOUT_SPLITS = "Each dot is a split; a box holds the middle half of them, and the line in it is their median."


def estimate_section(material: Material) -> Section | None:
    """What was measured and how sure it is."""
    estimates = material.estimates
    if estimates is None or not len(estimates):
        return None
    table = estimates.table()
    blocks: list[Block] = [Notes(tuple(cautions(table.notes))), *_pictures(estimates)]
    caption = ": ".join(filter(None, ("All estimates", table.caption)))
    blocks.append(Grid(replace(table, caption=caption, notes=()), folded=len(estimates) > LONG_TABLE))
    blocks.append(Notes(tuple(remarks(table.notes))))
    return Section("estimates", "Estimates", tuple(blocks))


def _pictures(estimates: Estimates) -> tuple[Block, ...]:
    """A small chart for each score; of several data sets and models, one for each data set, by score."""
    by_score: dict[str, list[Estimate]] = {}
    for row in estimates:
        by_score.setdefault(row.asked, []).append(row)
    if len(estimates.parts) > 1 and len(estimates.models) > 1:
        return fold_by_name({_capital(score): _by_data_set(rows, estimates) for score, rows in by_score.items()})
    if len(by_score) > CHARTED_SCORES and len(estimates) == len(by_score) * len(estimates.models):
        return (_shares(estimates),)
    return (Pictures(tuple(_forest(rows, estimates, _says(rows)) for rows in by_score.values())),)


def _says(rows: Sequence[Estimate]) -> str:
    """What the rows of a score are, how sure, and which way is better."""
    level = next((row.interval.level for row in rows if row.interval and row.value == row.value), None)
    between = f" with {percent(level)} intervals" if level is not None else ""
    better = f"; {rows[0].better} is better" if rows[0].better else ""
    return f"{_capital(rows[0].asked)}{between}{better}"


def _capital(name: str) -> str:
    return f"{name[:1].upper()}{name[1:]}"


def _by_data_set(rows: Sequence[Estimate], estimates: Estimates) -> list[Block]:
    """Small charts side by side, each with a scale of its own, as many as have room for all their rows."""
    places = {data: [row for row in rows if row.data == data] for data in dict.fromkeys(row.data for row in rows)}
    number = 0
    pictures: list[Picture] = []
    for data, there in places.items():
        number += len(there)
        if number <= MAX_FOREST_ROWS or not pictures:
            pictures.append(_forest(there, estimates, data))
    left = len(places) - len(pictures)
    more = f" The first {len(pictures)} of {len(places)} are drawn; the table has all." if left else ""
    return [Words(f"{_says(rows)}. Each chart has a scale of its own.{more}"), Pictures(tuple(pictures))]


def _forest(rows: Sequence[Estimate], estimates: Estimates, caption: str) -> Picture:
    known = [row for row in rows if row.value == row.value]
    bars = [ForestRow(_name(row, estimates), row.value, *shown_limits(row.interval)) for row in known]
    left = f" (the first {MAX_FOREST_ROWS} of {len(bars)})" if len(bars) > MAX_FOREST_ROWS else ""
    on = f" on {rows[0].data}" if rows[0].data and rows[0].data == rows[-1].data else ""
    says = f"{rows[0].asked}{on} of {', '.join(bar.name for bar in bars[:MAX_FOREST_ROWS])}"
    return Picture(forest(bars[:MAX_FOREST_ROWS], "", says), f"{caption}{left}")


def _shares(estimates: Estimates) -> Pictures:
    """A scorecard: all scores between 0 and 1 on one scale, for each model."""
    pictures = []
    for model in estimates.models:
        rows = [row for row in estimates if row.learner == model and 0 <= row.value <= 1]
        bars = [ForestRow(row.asked, row.value, *shown_limits(row.interval)) for row in rows]
        says = f"Scores of {model or 'the model'} between 0 and 1, with their intervals"
        pictures.append(Picture(forest(bars, "", says, width=WIDE), says))
    return Pictures(tuple(pictures))


def _name(row: Estimate, estimates: Estimates) -> str:
    """What tells this row apart from the others of its picture, which is of one data set if there are also models."""
    several = len(estimates.parts) > 1 and len(estimates.models) > 1
    parts = [
        (row.data, len(estimates.parts) > 1 and not several),
        (row.learner, len(estimates.models) > 1 or len(estimates.parts) == 1),
        (row.by_asked or row.by, len(estimates.designs) > 1),
    ]
    return " · ".join(part for part, wanted in parts if wanted and part) or row.data or row.asked


def tuning_section(material: Material) -> Section | None:
    """The summary of each learner, then its choice in every split."""
    tuning = material.tuning
    if tuning is None or not len(tuning):
        return None
    summary, each = tuning.short_table(), tuning.splits_table()
    blocks: tuple[Block, ...] = (
        Words(f"{ABOUT_TUNING} {summary.caption.capitalize()}."),
        Grid(replace(summary, caption="What was chosen")),
        Grid(each, folded=len(each.rows) > LONG_SPLITS),
    )
    return Section("tuning", "Tuning", blocks)


def table_section(material: Material) -> Section | None:
    """Results that are words or tables and nothing more."""
    blocks: list[Block] = [Terms(material.terms)] if material.terms else []
    blocks += [Grid(table) for table in material.tables]
    blocks += [Fold(title, (Verbatim(text),)) for title, text in material.texts]
    return Section("results", "Results", tuple(blocks)) if blocks else None


def split_section(material: Material) -> Section | None:
    """The score of every split, by data set."""
    by_data: dict[str, list[Strip]] = {}
    for one in material.strips:
        by_data.setdefault(one.data, []).append(one)
    if not by_data:
        return None
    parts: dict[str, list[Block]] = {}
    for data, learners in list(by_data.items())[:MAX_STRIPPED_DATA]:
        caption = f"{_capital(learners[0].score)} of every split on {data}"
        drawn = strips([(one.learner, one.values) for one in learners], "", caption, WIDE)
        parts[data] = [Picture(drawn, caption)]
    blocks: list[Block] = [Words(ABOUT_SPLITS), *fold_by_name(parts)]
    if len(by_data) > MAX_STRIPPED_DATA:
        blocks.append(Words(f"The other {len(by_data) - MAX_STRIPPED_DATA} are left out to keep the page short."))
    return Section("splits", "Scores over splits", tuple(blocks))


def failure_section(material: Material) -> Section | None:
    """What did not succeed, and all notes about the study as a whole."""
    blocks: list[Block] = []
    if material.failed:
        columns = tuple(Column(title, "left") for title in ("data", "learner", "by", "failed", "first reason"))
        rows = tuple((f.data, f.learner, f.by, f"{f.splits} of {f.of}", f.reason) for f in material.failed)
        blocks.append(Grid(Table(columns, rows, "Splits that failed; estimates are over the others")))
    told = () if material.estimates is None else material.estimates.table().notes  # above, with the estimates
    notes = tuple(note for note in material.notes if note not in told)
    blocks += [Notes(notes)] if notes else []
    title = "Failures and notes" if material.failed else "Notes"
    return Section("failures", title, tuple(blocks)) if blocks else None
