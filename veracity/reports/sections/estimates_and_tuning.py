"""Estimates with their intervals, and what learners that tune themselves chose and how stable that is."""

from __future__ import annotations

from dataclasses import replace

from veracity.core.notes import cautions, remarks
from veracity.findings.estimate import Estimate
from veracity.findings.estimates import Estimates
from veracity.findings.interval import limits_of
from veracity.reports.material import Material
from veracity.reports.page import Block, Grid, Notes, Picture, Section, Words
from veracity.reports.svg.forest import ForestRow, forest
from veracity.tables.table import drop_constant_columns

MOST = 80  # rows of one forest plot
LONG = 40  # rows from which on a table is folded away
LONG_SPLITS = 20  # splits from which on their table is folded away
ABOUT_TUNING = (
    "These learners choose their own parameters inside the training rows of each split, so that the estimates are of"
    " choosing and training together. The model of all rows chooses once more."
)


def estimate_section(material: Material) -> Section | None:
    """What was measured and how sure it is."""
    estimates = material.estimates
    if estimates is None or not len(estimates):
        return None
    by_score: dict[str, list[Estimate]] = {}
    for row in estimates:
        by_score.setdefault(row.asked, []).append(row)
    table = estimates.table()
    blocks: list[Block] = [Notes(tuple(cautions(table.notes)))]
    if len(by_score) > 8 and len(estimates) == len(by_score) * len(estimates.models):
        blocks += _shares(estimates)
    else:
        blocks += [_forest(score, rows, estimates) for score, rows in by_score.items()]
    caption = ": ".join(filter(None, ("All estimates", table.caption)))
    narrow = drop_constant_columns(replace(table, caption=caption, notes=()))
    blocks.append(Grid(narrow, folded=len(estimates) > LONG))
    blocks.append(Notes(tuple(remarks(table.notes))))
    return Section("estimates", "Estimates", tuple(blocks))


def _forest(score: str, rows: list[Estimate], estimates: Estimates) -> Picture:
    shown = [row for row in rows if row.value == row.value][:MOST]
    grouped = len(estimates.parts) > 1 and len(estimates.models) > 1
    bars = [_bar(row, _name(row, estimates, grouped), row.data if grouped else "") for row in shown]
    level = next((row.interval.level for row in shown if row.interval), None)
    between = f" with {level:.0%} intervals" if level is not None else ""
    left = f" (the first {MOST} of {len(rows)})" if len(rows) > MOST else ""
    caption = f"{score}{between}; {rows[0].better} is better{left}"
    return Picture(forest(bars, score, f"{score}{between} of {', '.join(bar.name for bar in bars)}"), caption)


def _shares(estimates: Estimates) -> list[Block]:
    """A scorecard: all scores between 0 and 1 on one scale, for each model."""
    blocks: list[Block] = []
    for model in estimates.models:
        rows = [row for row in estimates if row.learner == model and 0 <= row.value <= 1]
        bars = [_bar(row, row.asked) for row in rows]
        title = f"scores of {model}" if model else "scores"
        says = f"{title} between 0 and 1, with their intervals"
        blocks.append(Picture(forest(bars, title, says), f"Scores of {model or 'the model'} between 0 and 1"))
    return blocks


def _bar(row: Estimate, name: str, group: str = "") -> ForestRow:
    return ForestRow(name, row.value, *limits_of(row.interval), group)


def _name(row: Estimate, estimates: Estimates, grouped: bool) -> str:
    """What tells this row apart from the others of its score, or of its group."""
    parts = [
        (row.data, len(estimates.parts) > 1 and not grouped),
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
        Grid(drop_constant_columns(replace(summary, caption="What was chosen"))),
        Grid(drop_constant_columns(each), folded=len(each.rows) > LONG_SPLITS),
    )
    return Section("tuning", "Tuning", blocks)
