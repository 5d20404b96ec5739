"""Defaults in worlds of the lab by parameters that nobody tuned on, where all that the methods assume holds."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import veracity as vc
from bench.defaults.cell import LEVEL, Answer, Cell, Random, held, rejected
from veracity.core.confidence import rejects
from veracity.lab.worlds import make_world

FOUR = "((31, 4, 2, 1), (3, 22, 2, 2), (1, 2, 15, 1), (1, 1, 2, 10))"
OF_MODELS = (
    ("confusion(matrix=((17, 6), (9, 68)))", ("error", "fbeta", "kappa", "mcc", "balanced_accuracy", "youden"), 110),
    (f"confusion(matrix={FOUR})", ("kappa", "fbeta(average='macro')", "balanced_accuracy"), 140),
    ("normal_values(distance=1.3, positives=0.27)", ("auc", "average_precision", "equal_error_rate"), 130),
    ("normal_values(distance=0.8, positives=0.4, step=0.7)", ("auc",), 90),
    ("normal_values(distance=1.1, positives=0.35, tilt=0.3)", ("auc",), 220),
    ("probabilities(positives=0.35, sharp=3)", ("brier", "log_loss", "error"), 120),
    ("probabilities(positives=0.4, sharp=4, slope=1.4, shift=0.3)", ("brier", "log_loss", "auc"), 150),
    ("grouped_errors(share=0.23, size=4, within=0.15)", ("error",), 260),
    ("normal_errors(bias=0.3)", ("mse", "mae", "rmse", "correlation"), 70),
    ("normal_errors", ("median_absolute_error",), 45),
)
OF_PAIRS = (
    ("two_models(share=0.27, discordant=0.22)", 70),
    ("two_shares(share=0.33)", 75),
    ("two_losses", 33),
    ("two_losses(law='heavy')", 60),
    ("two_orderings(distance=1.4, positives=0.35, correlation=0.7)", 90),
    ("two_in_groups(size=4, favour=0.7, discordant=0.25)", 200),
    ("two_models(share=0.3, discordant=0.25, oversampled=2)", 150),
    ("splits(k=5)", 150),
    ("splits(k=10, repeats=3)", 150),
    ("data_sets(learners=2)", 14),
    ("data_sets(learners=2, law='skewed', digits=1)", 25),
)
OF_ALL = (
    ("data_sets(learners=6, unequal=0.5)", 12),
    ("data_sets(learners=3, law='skewed')", 17),
    ("data_sets(learners=5, missing=0.15)", 18),
    ("data_sets(learners=4, digits=0)", 13),
)
OF_FAMILIES = (("data_sets(learners=5, effect=1.6, ahead=2)", 14), ("data_sets(learners=3, effect=4.0)", 22))


def cells() -> Iterator[Cell]:
    for world, scores, rows in OF_MODELS:
        for score in scores:
            yield Cell(world, score, rows, _interval(world, score, rows), most=1.0, given=0.9)
    for world, rows in OF_PAIRS:
        score = getattr(make_world(world), "score", None) or "score"
        yield Cell(world, score, rows, _test(world, rows), "error rate")
    for world, rows in OF_ALL:
        yield Cell(world, "score", rows, _omnibus(world, rows), "error rate", trials=1_000)
    for world, rows in OF_FAMILIES:
        yield Cell(f"{world}, pairs", "score", rows, _family(world, rows), "error rate", trials=1_000)


def _interval(text: str, score: str, rows: int) -> Any:
    world = make_world(text)

    def ask(random: Random) -> Answer:
        return held(vc.estimate(world.draw(rows, random), score).rows[0], world.truth(score))

    return ask


def _test(text: str, rows: int) -> Any:
    world = make_world(text)

    def ask(random: Random) -> Answer:
        return rejected(vc.compare(world.draw(rows, random), getattr(world, "score", None)))

    return ask


def _omnibus(text: str, rows: int) -> Any:
    world = make_world(text)

    def ask(random: Random) -> Answer:
        found = vc.rank(world.draw(rows, random)).omnibus
        codes = frozenset(note.code for note in found.notes)
        cautioned = any(note.weight == "caution" for note in found.notes if note.code != "omnibus")
        return Answer(bool(rejects(found.p_value, LEVEL)), found.method.split("(")[0], codes, cautioned)

    return ask


def _family(text: str, rows: int) -> Any:
    """Whether the default ranking tells two learners apart that are equal."""
    world = make_world(text)

    def ask(random: Random) -> Answer:
        found = vc.rank(world.draw(rows, random))
        wrong = any(pair.rejected and not world.differ(pair.a, pair.b) for pair in found.pairs)
        return Answer(wrong, found.judged_by.split("(")[0], frozenset(note.code for note in found.notes))

    return ask
