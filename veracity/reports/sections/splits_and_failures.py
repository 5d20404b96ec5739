"""How scores vary over splits, what failed, and results that are tables alone."""

from __future__ import annotations

from veracity.reports.material import Material, Strip
from veracity.reports.page import Block, Grid, Notes, Picture, Pictures, Section, Terms, Words
from veracity.reports.svg.forest import strips
from veracity.tables.table import Column, Table

MOST = 12  # data sets whose splits are drawn
ABOUT = "Each dot is a split; a box holds the middle half of them, and the line in it is their median."


def table_section(material: Material) -> Section | None:
    """Results that are words or tables and nothing more."""
    blocks: list[Block] = [Terms(material.terms)] if material.terms else []
    blocks += [Grid(table) for table in material.tables]
    return Section("results", "Results", tuple(blocks)) if blocks else None


def split_section(material: Material) -> Section | None:
    """The score of every split, by data set."""
    by_place: dict[tuple[str, str], list[Strip]] = {}
    for one in material.strips:
        by_place.setdefault((one.data, one.score), []).append(one)
    if not by_place:
        return None
    pictures = []
    for (data, score), runs in list(by_place.items())[:MOST]:
        rows = [(one.learner, one.values) for one in runs]
        pictures.append(Picture(strips(rows, score, f"{score} of every split on {data}"), f"{score} on {data}"))
    blocks: list[Block] = [Words(ABOUT), Pictures(tuple(pictures))]
    if len(by_place) > MOST:
        blocks.append(Words(f"The other {len(by_place) - MOST} are left out to keep the page short."))
    return Section("splits", "Scores over splits", tuple(blocks))


def failure_section(material: Material) -> Section | None:
    """What did not succeed, and all notes about the study as a whole."""
    blocks: list[Block] = []
    if material.failed:
        columns = tuple(Column(title, "left") for title in ("data", "learner", "by", "failed", "first reason"))
        rows = tuple((f.data, f.learner, f.by, f"{f.splits} of {f.of}", f.reason) for f in material.failed)
        blocks.append(Grid(Table(columns, rows, "Splits that failed; estimates are over the others")))
    elif material.strips:
        blocks.append(Words("No split failed."))
    if material.notes:
        blocks.append(Notes(material.notes))
    return Section("failures", "Failures and notes", tuple(blocks)) if blocks else None
