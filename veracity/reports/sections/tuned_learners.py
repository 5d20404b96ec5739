"""What learners that tune themselves chose, how stable that is, and how much too good the score is they chose by."""

from __future__ import annotations

from dataclasses import replace

from veracity.reports.material import Material
from veracity.reports.page import Block, Grid, Section, Words
from veracity.tables.table import drop_constant_columns

LONG = 20  # splits from which on their table is folded away
ABOUT = (
    "These learners choose their own parameters inside the training rows of each split, so that the estimates are of"
    " choosing and training together. The model of all rows chooses once more."
)


def tuning_section(material: Material) -> Section | None:
    """The summary of each learner, then its choice in every split."""
    tuning = material.tuning
    if tuning is None or not len(tuning):
        return None
    summary, each = tuning.short_table(), tuning.splits_table()
    blocks: tuple[Block, ...] = (
        Words(f"{ABOUT} {summary.caption.capitalize()}."),
        Grid(drop_constant_columns(replace(summary, caption="What was chosen"))),
        Grid(drop_constant_columns(each), folded=len(each.rows) > LONG),
    )
    return Section("tuning", "Tuning", blocks)
