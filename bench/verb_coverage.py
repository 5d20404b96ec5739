"""How often intervals hold that come with an answer and are no methods by themselves: of effect sizes, ranks, best
thresholds and the best of many models.

`make measure AREAS="standardised verbs"` writes the figures that `explain` shows of effect sizes and of verbs. Judged
are worlds whose truth is known by a formula or by a sample of 400,000.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np
from scipy.stats import norm, rankdata

import veracity as vc
from bench.figures.specification import Row, Specification, each_cell
from bench.thresholds import NORMAL, WORLDS, TwoLaws
from veracity.contests.rank import rank_intervals
from veracity.core.confidence import Confidence
from veracity.core.seeds import derive, generator
from veracity.effects.effect_sizes import effects
from veracity.evidence.same_rows import PairedScores

AT = Confidence(0.95)
SIZES = ((8, 0.5, 0.8), (12, 0.0, 0.5), (20, 0.7, 0.0), (20, 0.95, 0.5), (50, 0.7, 1.5))  # rows, shared part, shift
SHIFTS = ((0, 0, 0, 0), (0, 0.5, 1, 3))
EQUAL_MODELS = ((40, 5), (40, 30), (100, 30))  # rows, models


def row(
    method: str, score: str, world: str, rows: int, held: list[bool], each: int = 1, cautioned: list[bool] | None = None
) -> Row:
    """What is written of one cell; a sample may have several intervals, `each` as many, and cautions."""
    covered: dict[str, Any] = {"covered": round(float(np.mean(held)), 4), "trials": len(held) // each}
    if cautioned is not None and any(cautioned):
        silent = [one for one, warned in zip(held, cautioned, strict=True) if not warned]
        covered["cautioned"] = round(float(np.mean(cautioned)), 4)
        covered |= {"silent": round(float(np.mean(silent)), 4)} if silent else {}
    return {"method": method, "score": score, "world": world, "rows": rows, "level": AT.level, **covered}


def standardised() -> Iterator[Specification]:
    """Effect sizes."""
    yield from each_cell("effects", effect_sizes, SIZES)


def verbs() -> Iterator[Specification]:
    """What verbs give that is no method by itself."""
    yield from each_cell("methods", expected_ranks, product(SHIFTS, (12, 30)))
    yield from each_cell("methods", best_thresholds, product(WORLDS[:NORMAL], (100,)))
    yield from each_cell("methods", best_of_many, EQUAL_MODELS)


def effect_sizes(rows: int, shared: float, shift: float, seed: int, trials: int = 1_000) -> list[Row]:
    """Effect sizes of normal scores, of which the second lie higher and share a part with the first."""
    above = float(norm.cdf(shift / np.sqrt(2)))
    truth = {"cohens_d": shift / np.sqrt(2 * (1 - shared)), "cliffs_delta": 2 * above - 1, "a12": above}
    held: dict[str, list[bool]] = {name: [] for name in truth}
    random = generator(seed, "effect sizes", rows, shared, shift)
    for _ in range(trials):
        both = np.sqrt(shared) * random.normal(size=rows)
        first, second = (both + np.sqrt(1 - shared) * random.normal(size=rows) for _ in range(2))
        pair = PairedScores(first + shift, second)
        for name, true in truth.items():
            low, high, *_ = effects.choose(name)(pair, AT).limits
            held[name].append(bool(low <= true <= high))
    world = f"normal scores, correlation {shared:g}, one {shift:g} higher"
    return [row(name, "the effect size", world, rows, each) for name, each in held.items()]


def expected_ranks(shift: tuple[float, ...], rows: int, seed: int, trials: int = 300) -> list[Row]:
    """Expected ranks of learners whose scores are normal."""
    many = generator(seed, "expected ranks", shift)
    truth = rankdata(many.normal(size=(400_000, len(shift))) + np.array(shift), axis=1).mean(axis=0)
    random = generator(seed, "ranks", shift, rows)
    alone: list[bool] = []
    together: list[bool] = []
    for _ in range(trials):
        table = vc.score_matrix(random.normal(size=(rows, len(shift))) + np.array(shift), better="lower")
        for kind in ("marginal", "simultaneous"):
            found = rank_intervals(table, kind, (), None, AT).values()
            each = [bool(one.low <= true <= one.high) for one, true in zip(found, truth, strict=True)]
            alone += each if kind == "marginal" else []
            together += [all(each)] if kind == "simultaneous" else []
    world = f"{len(shift)} learners, normal scores, shifts {', '.join(f'{by:g}' for by in shift)}"
    return [
        row('rank(intervals="marginal")', "the expected rank", world, rows, alone, len(shift)),
        row('rank(intervals="simultaneous")', "all expected ranks", world, rows, together),
    ]


def best_thresholds(world: TwoLaws, rows: int, seed: int, trials: int = 300) -> list[Row]:
    """Best thresholds of decision values that are normal in both classes."""
    random, best = generator(seed, "thresholds", world.says, rows), world.best
    found = [
        world.choose(world.sample(rows, random), derive(seed, world.says, trial)).interval for trial in range(trials)
    ]
    held = [one is not None and bool(one.low <= best <= one.high) for one in found]
    return [row("best_threshold", "the best threshold", world.says, rows, held)]


def best_of_many(rows: int, number: int, seed: int, trials: int = 300) -> list[Row]:
    """The error of the model that looks best of many that are equal, on new rows."""
    held = []
    for trial in range(trials):
        cell = "best of many", rows, number, trial
        random = generator(seed, *cell)
        truth = random.integers(0, 2, rows)
        wrong = random.random((number, rows)) < 0.4
        models = {
            f"m{place}": vc.predictions(truth, label=np.where(one, 1 - truth, truth)) for place, one in enumerate(wrong)
        }
        between = vc.bbc_cv(models, "error", draws=200, seed=derive(seed, "draws", *cell)).rows[0].interval
        held.append(between is not None and bool(between.low <= 0.4 <= between.high))
    return [row("bbc_cv", "the error of the winner", f"{number} equal models of error 0.4", rows, held)]
