"""How scores vary over splits, what failed, and results that are tables alone."""

from __future__ import annotations

from collections.abc import Sequence

from veracity.reports.material import Material, Strip
from veracity.reports.page import Block, Fold, Grid, Notes, Picture, Section, Terms, Verbatim, Words, fold_by_name
from veracity.reports.svg.forest import strips
from veracity.reports.svg.paper import WIDE
from veracity.tables.table import Column, Table

MOST = 12  # data sets whose splits are drawn
ABOUT = "Each dot is a split; a box holds the middle half of them, and the line in it is their median."


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
    parts = {data: [_strips(runs)] for data, runs in list(by_data.items())[:MOST]}
    blocks: list[Block] = [Words(ABOUT), *fold_by_name(parts)]
    if len(by_data) > MOST:
        blocks.append(Words(f"The other {len(by_data) - MOST} are left out to keep the page short."))
    return Section("splits", "Scores over splits", tuple(blocks))


def _strips(runs: Sequence[Strip]) -> Picture:
    first, rows = runs[0], [(one.learner, one.values) for one in runs]
    caption = f"{first.score[:1].upper()}{first.score[1:]} of every split on {first.data}"
    return Picture(strips(rows, "", caption, WIDE), caption)


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
