"""Scores of classes that are no means of rows, of learners by folds with even class shares.

The rule was chosen on discriminants, naive Bayes, 1 and 9 nearest neighbours, support vectors and the most frequent
class in Gaussian worlds, pure noise among them, with 100 to 300 rows and class shares of 0.15 to 0.5; these have other
distances, shares and sizes. The truth is the score that models of as many training rows have on many rows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from typing import Any, Literal, NamedTuple

import numpy as np

from bench.defaults.cell import Answer, Cell, Random, held
from bench.defaults.learners import FOLDS, SEED
from bench.learner_laws import Law, clouds
from bench.plain_learners import KIND_OF, Bayes, Discriminant, NearestRow
from veracity.core.confidence import Confidence
from veracity.evidence.predictions import Predictions
from veracity.evidence.run import Run
from veracity.lab.batches import make_run, tests_of
from veracity.lab.worlds import Sample
from veracity.records.arrays import Array, freeze
from veracity.records.design import Rows
from veracity.risk.design_for import design_for
from veracity.risk.estimate_run import EstimateRequest, estimate_run
from veracity.scores import scores
from veracity.scores.entry import value_of

TRAINING_SETS, FRESH = 500, 2_000
PARTLY = {"fbeta", "precision", "recall", "balanced_accuracy"}  # undefined, or the same, in all folds of some samples
Expects = Literal["holds", "cautioned"]


class Case(NamedTuple):
    """A learner that tells log odds, and the scores that are asked of it."""

    says: str
    law: Law
    rows: int
    designs: tuple[str, ...]
    learner: Callable[[], Any]
    scores: tuple[str, ...]
    expects: Expects = "holds"

    @property
    def kind(self) -> str:
        return KIND_OF[type(self.learner())]


CASES = (
    Case(
        "linear discriminant",
        clouds(1.3, 3, 0.22),
        170,
        (FOLDS,),
        Discriminant,
        ("fbeta", "precision", "recall", "balanced_accuracy", "auc", "kb_information"),
        "cautioned",
    ),
    Case("1-nearest-neighbour", clouds(1.4, 4, 0.25), 130, (FOLDS,), NearestRow, ("fbeta", "auc")),
    # models that follow class shares more than the rows, so that what they call is known only roughly
    Case("linear discriminant", clouds(0, 3), 140, (FOLDS,), Discriminant, ("fbeta", "auc"), "cautioned"),
    Case("linear discriminant", clouds(0, 2, 0.25), 180, (FOLDS,), Discriminant, ("auc",)),
    Case("naive Bayes", clouds(0.7, 2, 0.4), 120, (FOLDS,), Bayes, ("fbeta",), "cautioned"),
)


def cells() -> Iterator[Cell]:
    """Each score of each learner by each design."""
    for case in CASES:
        for by in case.designs:
            for score in case.scores:
                yield _cell(case, by, score)


def _cell(case: Case, by: str, score: str) -> Cell:
    return Cell(
        f"{case.says}, {case.law.says}",
        score,
        case.rows,
        lambda random: _asked(case, by, score, random),
        expects=case.expects,
        most=1.0,
        given=0.0 if score in PARTLY else 0.98,
        by=by,
        target="its training rows",
        trials=1_000,
    )


def _asked(case: Case, by: str, score: str, random: Random) -> Answer:
    sample = case.law.draw(case.rows, random)
    run = _run(case, sample, by, int(random.integers(2**31)))
    found = estimate_run(run, EstimateRequest(scores.choose(score), score, Confidence()))
    return held(found, _truth(case, by, score))


def _run(case: Case, sample: Sample, by: str, seed: int) -> Run:
    tests = tests_of("classes", sample, by, seed)
    models = (case.learner().fit(*(side[split.train] for side in sample)) for split in tests.design.splits)
    asked = (sample.features[split.test] for split in tests.design.splits)
    odds = np.concatenate([model.log_odds(features) for model, features in zip(models, asked, strict=True)])
    run = make_run("classes", sample, tests, odds > 0)
    assert run.predictions is not None
    return replace(run, predictions=_with_odds(run.predictions, odds), learner_kind=case.kind)


def _with_odds(p: Predictions, odds: Array) -> Predictions:
    with np.errstate(over="ignore"):
        return replace(p, proba=freeze(1 / (1 + np.exp(-odds))))


@cache
def _truth(case: Case, by: str, score: str) -> float:
    """The mean over training sets of the score of their models on fresh rows, where it is defined."""
    random = np.random.default_rng(SEED)
    rows = len(design_for(by, Rows(case.rows), 0).splits[0].train)
    choice, found = scores.choose(score), []
    for _ in range(TRAINING_SETS):
        trained, fresh = case.law.draw(rows, random), case.law.draw(FRESH, random)
        odds = case.learner().fit(*trained).log_odds(fresh.features)
        share = float(trained.target.mean())
        p = Predictions(
            "classes",
            freeze(fresh.target),
            classes=(0, 1),
            positive=1,
            label=freeze(odds > 0, np.int64),
            prior=(1 - share, share),
        )
        found.append(value_of(choice, _with_odds(p, odds)))
    return float(np.nanmean(found))
