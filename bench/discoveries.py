"""How often slices and thresholds are found to be something that they are not, through the verbs that look for them.

`make measure AREAS=discoveries` writes the figures that `explain` shows of these verbs. Slices that are alike must be
told to be so, all together; a threshold on values that say nothing must not be found to help, and what cross-fitting
says of a chosen threshold must be what it does to new rows.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import numpy as np

import veracity as vc
from bench.figures.specification import Row, Specification, each_cell
from bench.thresholds import WORLDS, TwoLaws
from bench.verb_coverage import AT, row
from veracity.core.confidence import rejects
from veracity.core.seeds import derive, generator

Random = np.random.Generator
EQUAL, UNEQUAL = "slices of one size", "slices of very unequal sizes"
SLICES = (  # rows, slices, share of errors
    (120, 4, 0.3, EQUAL),
    (800, 8, 0.2, EQUAL),
    (200, 10, 0.1, EQUAL),
    (600, 20, 0.2, UNEQUAL),
)
DIFFERENT = ((200, 5, 0), (200, 5, 3), (600, 12, 0))  # rows, slices, of which models differ on so many
NOISE = TwoLaws("youden", 0.3, 0.0)


def members(rows: int, number: int, kind: str, random: Random) -> np.ndarray:
    """The slice of each row; the largest of unequal ones is as large as half of all, and none has fewer than 5 rows."""
    if kind == EQUAL:
        return random.permutation(rows) % number
    sizes = 5 + random.multinomial(rows - 5 * number, 0.5 ** np.minimum(np.arange(1, number + 1), number - 1))
    return random.permutation(np.repeat(np.arange(number), sizes))


def specifications() -> Iterator[Specification]:
    """One for each world and size."""
    yield from each_cell("methods", alike_slices, SLICES)
    yield from each_cell("methods", compared_slices, DIFFERENT)
    yield from each_cell("methods", found_thresholds, ((100,), (400,)))
    yield from each_cell("methods", crossed_thresholds, product(WORLDS, (100, 400)))


def alike_slices(rows: int, number: int, share: float, kind: str, seed: int, trials: int = 400) -> list[Row]:
    """Slices of one share of errors, and of one Brier score: whether all intervals hold it."""
    random = generator(seed, "alike slices", rows, number, share, kind)
    held: dict[str, list[bool]] = {"error": [], "brier": []}
    cautioned: dict[str, list[bool]] = {"error": [], "brier": []}
    for _ in range(trials):
        p, truths = _forecasts(rows, share, random)
        found = vc.slices(p, members(rows, number, kind, random), list(held))
        for name, true in truths.items():
            each = [one for one in found if one.score == name]
            held[name].append(all(one.interval is not None and true in one.interval for one in each))
            cautioned[name].append(any(note.weight == "caution" for one in each for note in one.all_notes))
    world = f"{number} {kind} and of one share of errors, {share:g}"
    return [row("slices", f"{name} on all slices", world, rows, held[name], cautioned=cautioned[name]) for name in held]


def _forecasts(rows: int, share: float, random: Random) -> tuple[vc.Predictions, dict[str, float]]:
    """Calibrated forecasts of two values, each on half of the rows, with the true error and Brier score."""
    near, far = share / 2, 3 * share / 2
    likely = np.where(random.random(rows) < 0.5, near, far)
    says = np.where(random.random(rows) < 0.5, likely, 1 - likely)
    truth = (random.random(rows) < says).astype(int)
    brier = 2 * (near * (1 - near) + far * (1 - far)) / 2  # the sum over both classes
    return vc.predictions(truth, proba=says, positive=1), {"error": share, "brier": brier}


def compared_slices(rows: int, number: int, differ: int, seed: int, trials: int = 400) -> list[Row]:
    """Two models that err alike on slices: how often they are claimed to differ on one of these."""
    random = generator(seed, "compared slices", rows, number, differ)
    claimed = [_false_claim(rows, number, differ, random) for _ in range(trials)]
    world = f"two models, {number} {EQUAL}, which differ on {differ} of them"
    return [_error_rate("compare(slices=...)", "error", "family-wise error", world, rows, claimed)]


def _false_claim(rows: int, number: int, differ: int, random: Random) -> bool:
    place = members(rows, number, EQUAL, random)
    truth = random.integers(0, 2, rows)
    shares = 0.2, np.where(place < differ, 0.6, 0.2)
    models = {
        name: vc.predictions(truth, label=np.where(random.random(rows) < share, 1 - truth, truth))
        for name, share in zip("ab", shares, strict=True)
    }
    pairs = vc.compare(models, "error", slices=place)
    return any(rejects(one.adjusted_p_value, AT.level) for one in pairs if int(one.data) >= differ)


def found_thresholds(rows: int, seed: int, trials: int = 400) -> list[Row]:
    """Values that say nothing of the class: how often cross-fitting finds that a threshold on them helps."""
    random = generator(seed, "thresholds on noise", rows)
    claimed = []
    for trial in range(trials):
        chosen = NOISE.choose(NOISE.sample(rows, random), derive(seed, "noise", rows, trial))
        between = chosen.cross_fit(10, seed=trial).rows[0].interval
        claimed.append(between is not None and between.low > 0)
    world = f"normal values that say nothing, {NOISE.positive:.0%} positive"
    return [_error_rate("best_threshold(...).cross_fit()", "youden", "error rate", world, rows, claimed)]


def crossed_thresholds(world: TwoLaws, rows: int, seed: int, trials: int = 400) -> list[Row]:
    """What cross-fitting says of a chosen threshold, held against what that does to all rows there are."""
    random = generator(seed, "crossed thresholds", world.says, rows)
    held = []
    for trial in range(trials):
        chosen = world.choose(world.sample(rows, random), derive(seed, world.says, rows, trial))
        found = chosen.cross_fit(10, seed=trial).rows[0]
        true = float(world.true_value(chosen.threshold)) * (1 if found.better == "lower" else -1)
        held.append(found.interval is not None and true in found.interval)
    return [row("best_threshold(...).cross_fit()", "the chosen threshold", world.says, rows, held)]


def _error_rate(method: str, score: str, noun: str, world: str, rows: int, claimed: list[bool]) -> Row:
    figures = {"rejected": round(float(np.mean(claimed)), 4), "trials": len(claimed), "noun": noun}
    return {"method": method, "score": score, "world": world, "rows": rows, "level": AT.level, **figures}
