"""All that a page is made of, and how it is read there: methods by known names, learners in the order of their rank."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple, TypeVar

import numpy as np

from veracity.core.index import display_name
from veracity.core.notes import Note
from veracity.evidence.predictions import Predictions
from veracity.findings.comparison import Comparison
from veracity.findings.curve import Curve
from veracity.findings.dataset_tests import Verdicts
from veracity.findings.estimates import Estimate, Estimates
from veracity.findings.interval import Interval
from veracity.findings.optimism import Optimism
from veracity.findings.ranking import Ranking
from veracity.records.arrays import Array
from veracity.tables.cells import machine_value
from veracity.tables.table import Table

Item = TypeVar("Item")
SCORE, TEST, DESIGN = ("scores",), ("comparisons", "posthocs"), ("estimators", "designs")


class Strip(NamedTuple):
    """The scores of the splits of one learner on one data set."""

    data: str
    learner: str
    score: str
    values: Array


class Failure(NamedTuple):
    """Splits of one learner that did not succeed, and the reason of the first."""

    data: str
    learner: str
    by: str
    splits: int
    of: int
    reason: str


@dataclass(frozen=True, eq=False)
class Material:
    """What the sections of a page are made of."""

    title: str
    question: str
    answer: str
    estimates: Estimates | None = None
    comparisons: tuple[Comparison, ...] = ()
    ranking: Ranking | None = None
    verdicts: Verdicts | None = None  # in its place, where a test of splits ranks on each data set
    models: Mapping[str, Mapping[str, Predictions]] = field(default_factory=dict)  # by data set, then by model
    shown: str = ""  # which predictions the models are, where there were more
    charts: tuple[Curve, ...] = ()  # curves that were made already, such as learning curves
    tables: tuple[Table, ...] = ()  # results that are tables and nothing more
    terms: tuple[tuple[str, tuple[str, ...]], ...] = ()  # words and what they mean, such as a page of the manual
    texts: tuple[tuple[str, str], ...] = ()  # shown as they are under their titles, such as tracebacks
    tuning: Optimism | None = None  # of learners that choose for themselves
    strips: tuple[Strip, ...] = ()
    failed: tuple[Failure, ...] = ()
    about: tuple[tuple[str, tuple[str, ...]], ...] = ()  # how it was done: data, designs, seed, versions
    methods: tuple[Any, ...] = ()  # the entries that were used
    notes: tuple[Note, ...] = ()


def display_material(material: Material) -> Material:
    """Return the material as it is read: methods by the names that people know, learners in the order of their rank."""
    m, order = material, learner_order(material)
    strips = (one._replace(score=display_name(one.score, *SCORE)) for one in m.strips)
    estimates, tuning = m.estimates, m.tuning
    if estimates is not None:
        rows = sort(map(_show_estimate, estimates.rows), order, lambda row: (row.learner,), lambda row: row.data)
        estimates = replace(estimates, rows=rows)
    if tuning is not None:
        chosen = sort(tuning.rows, order, lambda row: (row.chosen.learner,), lambda row: row.chosen.data)
        tuning = replace(tuning, rows=chosen)
    return replace(
        m,
        estimates=estimates,
        comparisons=sort(map(show_comparison, m.comparisons), order, lambda one: (one.a, one.b), lambda one: one.data),
        ranking=None if m.ranking is None else show_ranking(m.ranking),
        verdicts=None if m.verdicts is None else show_verdicts(m.verdicts),
        models={of: dict(sort(models.items(), order, lambda item: item[:1])) for of, models in m.models.items()},
        strips=sort(strips, order, lambda one: (one.learner,), lambda one: one.data),
        tuning=tuning,
        failed=sort(m.failed, order, lambda one: (one.learner,), lambda one: one.data),
    )


def sort(
    items: Iterable[Item],
    order: Sequence[str],
    learners: Callable[[Item], Sequence[str]],
    data: Callable[[Item], str] = lambda item: "",
) -> tuple[Item, ...]:
    """Sort by data sets as they come; within each, by the better ranked of an item's learners, then by the other."""
    items = tuple(items)
    places = {name: place for place, name in enumerate(order)}
    first = {name: place for place, name in enumerate(dict.fromkeys(map(data, items)))}

    def key(item: Item) -> tuple[int, list[int]]:
        return first[data(item)], sorted(places.get(name, len(places)) for name in learners(item))

    return tuple(sorted(items, key=key))


def learner_order(material: Material) -> tuple[str, ...]:
    """Return the learners best first: by the ranking, by wins over losses, or by the estimates of the first score."""
    if material.ranking is not None:
        return material.ranking.best_first
    if material.verdicts is not None:
        others = (machine_value(row[0]) for row in material.verdicts.tally_table().rows)
        return (*filter(None, [material.verdicts.control]), *others)
    return () if material.estimates is None else order_of_estimates(material.estimates)


def order_of_estimates(estimates: Estimates) -> tuple[str, ...]:
    """Models by their mean rank in the first score over data sets and designs; equal ones as they came."""
    if not len(estimates):
        return ()
    first = estimates.rows[0].asked
    ranks: dict[str, list[float]] = {name: [] for name in estimates.models}
    places: dict[tuple[str, str], list[Estimate]] = {}
    for row in estimates:
        if row.asked == first and not math.isnan(row.value):
            places.setdefault((row.data, row.by), []).append(row)
    for rows in places.values():
        losses = np.array([row.value if row.better == "lower" else -row.value for row in rows])
        for row, loss in zip(rows, losses, strict=True):
            ranks[row.learner].append(float((losses < loss).sum() + (losses == loss).sum() / 2))
    means = {name: float(np.mean(own)) if own else math.inf for name, own in ranks.items()}
    return tuple(sorted(means, key=lambda name: means[name]))


def show_estimates(estimates: Estimates) -> Estimates:
    """Scores, designs and intervals by the names that people know."""
    return replace(estimates, rows=tuple(map(_show_estimate, estimates.rows)))


def _show_estimate(row: Estimate) -> Estimate:
    by, typed = (display_name(design, *DESIGN) for design in (row.by, row.by_asked))
    asked, interval = display_name(row.asked, *SCORE), _show_interval(row.interval)
    return replace(row, asked=asked, by=by, by_asked=typed, interval=interval)


def _show_interval(interval: Interval | None) -> Interval | None:
    if interval is None:
        return None
    return replace(interval, method=display_name(interval.method, "intervals", "comparisons"))


def show_comparison(one: Comparison) -> Comparison:
    """Return a comparison with its score and its test by the names that people know."""
    score, using = display_name(one.score, *SCORE), display_name(one.using, *TEST)
    return replace(one, score=score, using=using, interval=_show_interval(one.interval))


def show_ranking(ranking: Ranking) -> Ranking:
    """Learners and pairs from the best rank on; the tests by the names that people know."""
    order = ranking.best_first
    omnibus, chances = ranking.omnibus, dict(zip(ranking.learners, ranking.omnibus.probabilities or (), strict=False))
    return replace(
        ranking,
        matrix=replace(ranking.matrix.only(*order), score=display_name(ranking.matrix.score, *SCORE)),
        average_ranks={name: ranking.average_ranks[name] for name in order},
        omnibus=replace(
            omnibus,
            method=display_name(omnibus.method, *TEST),
            probabilities=tuple(chances[name] for name in order) if chances else None,
        ),
        pairs=sort(ranking.pairs, order, lambda pair: (pair.a, pair.b)),
        judged_by=display_name(ranking.judged_by, "posthocs", "comparisons"),
        then=display_name(ranking.then, "posthocs", "adjustments"),
    )


def show_verdicts(verdicts: Verdicts) -> Verdicts:
    """The same for a test of each data set."""
    matrix = replace(verdicts.matrix, score=display_name(verdicts.matrix.score, *SCORE))
    return replace(verdicts, matrix=matrix, rows=tuple(map(show_comparison, verdicts.rows)))
