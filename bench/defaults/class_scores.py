"""Scores of classes that are no means of rows, of learners by folds with even class shares, and probabilities beside.

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
from bench.plain_learners import Bayes, Discriminant, MostFrequent, NearestRow, Vectors
from veracity.core.confidence import Confidence
from veracity.evidence.predictions import Predictions
from veracity.evidence.run import Run
from veracity.lab.simulate import design_of, make_run
from veracity.lab.worlds import Sample
from veracity.records.arrays import Array, freeze
from veracity.records.design import Rows
from veracity.risk.designs import design_for
from veracity.risk.estimate_run import EstimateRequest, estimate_run
from veracity.scores import scores
from veracity.scores.entry import value_of

TWICE = "repeated_kfold(k=10, repeats=2)"
TRAINING_SETS, FRESH = 500, 2_000
LABELS = ("fbeta", "precision", "recall")
AGREEMENT = ("mcc", "kappa", "lift")
AREAS = ("average_precision",)
PROBABILITIES = ("log_loss", "brier_half")
PARTLY = {*LABELS, "balanced_accuracy", *AGREEMENT, *AREAS}  # undefined, or the same, in all folds of some samples
Expects = Literal["holds", "cautioned"]


class Case(NamedTuple):
    """A learner that tells log odds, or decision values, and the scores that are asked of it."""

    says: str
    law: Law
    rows: int
    designs: tuple[str, ...]
    learner: Callable[[], Any]
    scores: tuple[str, ...]
    expects: Expects = "holds"


UNEVEN, UNEVEN_NOISE = clouds(1.3, 3, 0.22), clouds(0, 2, 0.25)
CASES = (
    Case(
        "linear discriminant",
        UNEVEN,
        170,
        (FOLDS,),
        Discriminant,
        (*LABELS, "balanced_accuracy", "auc", "kb_information"),
        "cautioned",
    ),
    Case("1-nearest-neighbour", clouds(1.4, 4, 0.25), 130, (FOLDS,), NearestRow, ("fbeta", "auc")),
    # models that follow class shares more than the rows, so that what they call is known only roughly
    Case("linear discriminant", clouds(0, 3), 140, (FOLDS,), Discriminant, ("fbeta", "auc"), "cautioned"),
    Case("linear discriminant", UNEVEN_NOISE, 180, (FOLDS,), Discriminant, ("auc",)),
    Case("naive Bayes", clouds(0.7, 2, 0.4), 120, (FOLDS,), Bayes, ("fbeta", "recall", "kappa"), "cautioned"),
    Case("linear discriminant", clouds(0, 3), 140, (FOLDS,), Discriminant, ("recall",), "cautioned"),
    Case("support vectors", clouds(1.1, 3, 0.4), 110, (FOLDS,), Vectors, ("fbeta", "kappa"), "cautioned"),
    Case("support vectors", clouds(2.2, 2, 0.3), 130, (FOLDS,), Vectors, ("auc",)),
    # agreement beyond chance, probabilities, and a repeated design
    Case("linear discriminant", UNEVEN, 170, (FOLDS,), Discriminant, (*AGREEMENT, *PROBABILITIES), "cautioned"),
    Case("linear discriminant", UNEVEN, 170, (TWICE,), Discriminant, ("fbeta", "recall", "kappa", "auc"), "cautioned"),
    Case("linear discriminant", UNEVEN_NOISE, 180, (FOLDS,), Discriminant, ("brier_half",)),
    Case("naive Bayes", clouds(1.8, 2, 0.18), 220, (TWICE,), Bayes, ("fbeta", "precision", "mcc", "auc", "log_loss")),
    Case("1-nearest-neighbour", clouds(1.4, 4, 0.25), 130, (FOLDS,), NearestRow, ("precision", "mcc")),
    Case("the most frequent class", clouds(1, 1, 0.3), 120, (FOLDS,), MostFrequent, PROBABILITIES),
    # higher the fewer rows are ordered
    Case("linear discriminant", UNEVEN, 170, (FOLDS, TWICE), Discriminant, AREAS, "cautioned"),
    Case("1-nearest-neighbour", clouds(1.4, 4, 0.25), 130, (FOLDS,), NearestRow, AREAS, "cautioned"),
    Case("linear discriminant", UNEVEN_NOISE, 180, (FOLDS,), Discriminant, AREAS, "cautioned"),
    Case("the most frequent class", clouds(1, 1, 0.3), 120, (FOLDS,), MostFrequent, AREAS, "cautioned"),
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
        slow=case.learner is Vectors,
    )


def _asked(case: Case, by: str, score: str, random: Random) -> Answer:
    sample = case.law.draw(case.rows, random)
    run = _run(case, sample, by, int(random.integers(2**31)))
    found = estimate_run(run, EstimateRequest(scores.choose(score), score, Confidence()))
    return held(found, _truth(case, by, score))


def _run(case: Case, sample: Sample, by: str, seed: int) -> Run:
    design = design_of("classes", sample, by, seed)
    models = (case.learner().fit(*(side[split.train] for side in sample)) for split in design.splits)
    parts = [_told(model, sample.features[split.test]) for model, split in zip(models, design.splits, strict=True)]
    told = np.concatenate(parts)
    run = make_run("classes", sample, design, told > 0)
    assert run.predictions is not None
    return replace(run, predictions=_with_told(run.predictions, case, told))


def _told(model: Any, features: Array) -> Array:
    found: Array = model.log_odds(features) if hasattr(model, "log_odds") else model.decisions(features)
    return found


def _with_told(p: Predictions, case: Case, told: Array) -> Predictions:
    if not hasattr(case.learner(), "log_odds"):
        return replace(p, value=freeze(told))
    with np.errstate(over="ignore"):
        return replace(p, proba=freeze(1 / (1 + np.exp(-told))))


@cache
def _truth(case: Case, by: str, score: str) -> float:
    """The mean over training sets of the score of their models on fresh rows, where it is defined."""
    random = np.random.default_rng(SEED)
    rows = len(design_for(by, Rows(case.rows), 0).splits[0].train)
    choice, found = scores.choose(score), []
    for _ in range(TRAINING_SETS):
        trained, fresh = case.law.draw(rows, random), case.law.draw(FRESH, random)
        told = _told(case.learner().fit(*trained), fresh.features)
        share = float(trained.target.mean())
        p = Predictions(
            "classes",
            freeze(fresh.target),
            classes=(0, 1),
            positive=1,
            label=freeze(told > 0, np.int64),
            prior=(1 - share, share),
        )
        found.append(value_of(choice, _with_told(p, case, told)))
    return float(np.nanmean(found))
