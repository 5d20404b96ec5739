"""Differences with their intervals, and what they allow to say."""

from __future__ import annotations

from veracity.findings.comparison import Comparison, Comparisons
from veracity.reports.material import Material
from veracity.reports.page import Block, Grid, Picture, Section, Words
from veracity.reports.svg.forest import ForestRow, forest


def comparison_section(material: Material) -> Section | None:
    """Every comparison as one plain sentence, a forest plot of the differences and the table."""
    comparisons = material.comparisons
    if not comparisons:
        return None
    blocks: list[Block] = [Words(str(one)) for one in comparisons[:20]]
    by_score: dict[str, list[Comparison]] = {}
    for one in comparisons:
        by_score.setdefault(one.score, []).append(one)
    blocks += [_forest(score, rows) for score, rows in by_score.items()]
    blocks.append(Grid(Comparisons(comparisons).table()))
    return Section("comparisons", "Comparisons", tuple(blocks))


def _forest(score: str, rows: list[Comparison]) -> Picture:
    first = {data: place for place, data in enumerate(dict.fromkeys(one.data for one in rows))}
    bars = [
        ForestRow(f"{one.a} - {one.b}", one.difference, *_limits(one), one.data)
        for one in sorted(rows, key=lambda one: first[one.data])
    ]
    title = f"difference of {score}, first minus second"
    caption = f"Differences of {score}: left of the dotted line the first is lower, right of it higher"
    return Picture(forest(bars, title, f"{title}: {', '.join(bar.name for bar in bars)}", zero=True), caption)


def _limits(one: Comparison) -> tuple[float | None, float | None]:
    return (one.interval.low, one.interval.high) if one.interval else (None, None)
