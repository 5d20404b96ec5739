"""All that a page is made of, gathered before anything is written."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from veracity.core.notes import Note
from veracity.evidence.predictions import Predictions
from veracity.findings.comparison import Comparison
from veracity.findings.curve import Curve
from veracity.findings.dataset_tests import Verdicts
from veracity.findings.estimates import Estimates
from veracity.findings.optimism import Optimism
from veracity.findings.ranking import Ranking
from veracity.records.arrays import Array
from veracity.tables.table import Table


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
    """Numbers first: every section is a function of these."""

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
    undisplayed: Material | None = None  # the same under the names that are typed, where this has those that are read
