"""Confusion matrices: what was said of the rows of each class."""

from __future__ import annotations

from collections.abc import Mapping

from veracity.evidence.predictions import Predictions
from veracity.reports.material import Material
from veracity.reports.page import Block, Grid, Picture, Pictures, Section, Words, fold_by_name
from veracity.reports.svg.shaded_matrix import count_matrix
from veracity.risk.per_class import per_class

LARGEST = 12  # classes of a matrix that can be read
MOST = 60  # matrices on a page
ABOUT = "Rows are the truth, columns what the model said; a cell is the darker the larger its share of its row."


def confusion_section(material: Material) -> Section | None:
    """One matrix for each model, by data set."""
    parts: dict[str, tuple[Block, ...]] = {}
    number = 0
    for data, models in material.models.items():
        shown = {name: p for name, p in models.items() if _has_matrix(p) and len(p.classes) <= LARGEST}
        number += len(shown)
        if shown and number <= MOST:
            pictures = Pictures(tuple(_picture(name, p) for name, p in shown.items()))
            parts[data] = (pictures, *(_classes(shown, material) if not data else ()))
    return Section("confusion", "Confusion matrices", (Words(ABOUT), *fold_by_name(parts))) if parts else None


def _has_matrix(p: Predictions) -> bool:
    """Whether labels were predicted of rows whose class is known, be it not positive."""
    return p.kind == "classes" and "label" in p.offers and p.labelled != "positives" and len(p) > 0


def _classes(models: Mapping[str, Predictions], material: Material) -> list[Block]:
    """Scores of each class of a file's models, where there are more than two."""
    several = {name: p for name, p in models.items() if len(p.classes) > 2}
    if not several:
        return []
    known = [row.interval.level for row in material.estimates or () if row.interval is not None]
    alone = next(iter(several.values())) if len(models) == 1 else several
    return [Grid(per_class(alone, level=known[0] if known else 0.95).table())]


def _picture(name: str, p: Predictions) -> Picture:
    counts = p.confusion().cells.reshape(len(p.classes), len(p.classes))
    classes = [str(label) for label in p.classes]
    title = name or "the model"
    return Picture(count_matrix(counts, classes, f"confusion matrix of {title}"), title)
