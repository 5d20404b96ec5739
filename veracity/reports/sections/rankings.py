"""Who ranks where over the data sets, which differences are real, and how large they are."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from veracity.core.confidence import rejects
from veracity.core.notes import cautions, remarks
from veracity.core.words import plural
from veracity.findings.comparison import Comparison, Comparisons
from veracity.findings.interval import shown_limits
from veracity.findings.ranking import Ranking
from veracity.plots.rank_layout import rank_layout
from veracity.reports.material import Material
from veracity.reports.page import WRITTEN_OUT, Block, Grid, Notes, Picture, Pictures, Section, Words
from veracity.reports.svg.forest import ForestRow, forest
from veracity.reports.svg.matrices import shaded_matrix
from veracity.reports.svg.rank_diagram import rank_diagram
from veracity.tables.table import drop_constant_columns

LONG = 6  # pairs from which on their table is folded away
FEW = 4  # comparisons that are also told in a sentence each
ZERO = "Left of the dotted line the first is lower, right of it higher."
LARGEST = 16  # learners of a matrix of p-values that can be read


def ranking_section(material: Material) -> Section | None:
    """The omnibus test first, then the diagram, then every pair."""
    ranking = material.ranking
    if ranking is None:
        if material.verdicts is None:
            return None
        pairs, *sums = material.verdicts.tables  # the sums first
        every = Grid(pairs, folded=len(pairs.rows) > LONG)
        wins: tuple[Block, ...] = (Words(material.verdicts.sentence()), *map(Grid, sums), every)
        return Section("ranking", "Wins and losses", wins)
    pairs = ranking.short_table()
    scores = ranking.scores_table()
    large = len(scores.rows) * len(scores.columns) > WRITTEN_OUT
    blocks: list[Block] = [Notes(tuple(cautions(ranking.all_notes))), Words(ranking.sentence()), _pictures(ranking)]
    blocks += [Grid(replace(ranking.ranks_table(), caption=""))] if large else []
    blocks.append(Grid(scores, folded=large))
    folded = len(ranking.pairs) > LONG
    caption = f"{plural(len(pairs.rows), 'pair')}{pairs.caption.removeprefix('pairs')}" if folded else pairs.caption
    blocks += [Grid(replace(pairs, caption=caption, notes=()), folded), Notes(tuple(remarks(pairs.notes)))]
    return Section("ranking", "Ranking", tuple(blocks))


def _pictures(ranking: Ranking) -> Pictures:
    pictures = [Picture(rank_diagram(ranking), f"Mean ranks, best left; {rank_layout(ranking).says}")]
    if len(ranking.learners) <= LARGEST:
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
    sentences = [one.sentence() for one in comparisons] if len(comparisons) <= FEW else []
    blocks += [Words(says) for says in sentences if says != material.answer]
    blocks += [Words(ZERO), Pictures(tuple(_differences(*place, rows) for place, rows in by_place.items()))]
    blocks.append(Grid(drop_constant_columns(replace(table, notes=tuple(remarks(table.notes))))))
    return Section("comparisons", "Comparisons", tuple(blocks))


def _differences(score: str, data: str, rows: list[Comparison]) -> Picture:
    bars = [ForestRow(f"{one.a} - {one.b}", one.difference, *shown_limits(one.interval)) for one in rows]
    title = f"difference of {score}{f' on {data}' * bool(data)}, first minus second"
    says = f"{title}: {', '.join(bar.name for bar in bars)}"
    return Picture(forest(bars, "", says, zero=True), f"{title[0].upper()}{title[1:]}")
