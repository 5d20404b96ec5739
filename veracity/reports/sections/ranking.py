"""Who ranks where over the data sets, and which differences are real."""

from __future__ import annotations

import numpy as np

from veracity.plots.rank_layout import rank_layout
from veracity.records.standing import Standing
from veracity.reports.blocks import Block, Grid, Notes, Picture, Section, Words
from veracity.reports.material import Material
from veracity.reports.svg.matrix import shaded
from veracity.reports.svg.ranks import ranks
from veracity.tables.table import Column, Table

LARGEST = 16  # learners of a matrix of p-values that can be read


def ranked(material: Material) -> Section | None:
    """The omnibus test first, then the diagram, then every pair."""
    found = material.ranking
    if found is None:
        return None
    blocks: list[Block] = [Words(omnibus(found)), *_pictures(found)]
    blocks += [Grid(_scores(found)), Grid(_pairs(found), folded=len(found.pairs) > 20), Notes(found.all_notes)]
    return Section("ranking", "Ranking", tuple(blocks))


def omnibus(found: Standing) -> str:
    """What the test of all learners together says."""
    test = found.omnibus
    number = "" if test.statistic is None else f" {test.statistic:.4g},"
    verdict = (
        "the learners are not all alike"
        if test.p_value < 1 - found.level
        else "it does not reject that all learners are alike, so no pair is concluded"
    )
    return f"{test.method}:{number} p = {test.p_value:.3g}: {verdict}."


def _pictures(found: Standing) -> list[Picture]:
    drawn = [Picture(ranks(found), f"Mean ranks, best left; {rank_layout(found).says}")]
    if len(found.learners) <= LARGEST:
        p = found.p_values()
        shade = np.nan_to_num((p < 1 - found.level).astype(float))
        says = "adjusted p-values of all pairs"
        drawn.append(
            Picture(
                shaded(p, shade, found.learners, says, lambda value: f"{value:.2g}"),
                f"Adjusted p-values; shaded where below {1 - found.level:.2g}",
            )
        )
    return drawn


def _scores(found: Standing) -> Table:
    """The score of each learner on each data set, the best in bold, and the mean ranks."""
    m = found.matrix
    best = np.argwhere(m.ranks == np.nanmin(m.ranks, axis=1, keepdims=True))
    columns = (Column("data", "left"), *(Column(name) for name in m.learners))
    rows = [(name, *row) for name, row in zip(m.datasets, m.values.tolist(), strict=True)]
    rows.append(("mean rank", *(f"{found.average_ranks[name]:.3g}" for name in m.learners)))
    bold = frozenset((int(i), int(j) + 1) for i, j in best)
    caption = f"{m.score} ({m.better} is better), the best of each data set in bold"
    return Table(columns, tuple(rows), caption, bold=bold)


def _pairs(found: Standing) -> Table:
    titles = ("a", "b", "difference", "statistic", "p", "adjusted p", "verdict")
    columns = tuple(Column(title, "left" if title in ("a", "b", "verdict") else "right") for title in titles)
    rows = tuple(
        (p.a, p.b, p.difference, p.statistic, p.p_value, p.adjusted_p_value, "differ" if p.rejected else "not resolved")
        for p in found.pairs
    )
    return Table(columns, rows, f"Pairs by {found.judged_by}, adjusted by {found.then}")
