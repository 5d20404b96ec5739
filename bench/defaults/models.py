"""Fixed models on the same rows: does the default comparison hold its level, and its interval the difference?

Where nothing differs the models are exchangeable: what one says of a row the other could have said as well.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

import veracity as vc
from bench.defaults.cell import Answer, Cell, Random, held, rejected

Models = dict[str, vc.Predictions]
Sample = Callable[[Random], Models]


def cells() -> Iterator[Cell]:
    for rows in (3, 5, 10, 20, 50):
        yield _null("numbers, errors of Laplace's law", "mae", rows, _numbers(rows, lambda random: random.laplace))
        yield _null("numbers, skewed errors", "mse", rows, _numbers(rows, lambda random: random.gumbel))
        yield _null("probabilities in fifths", "brier", rows, _fifths(rows), given=0.9)
    for rows in (10, 30):
        yield _null("numbers, errors of Laplace's law", "rmse", rows, _numbers(rows, lambda random: random.laplace))
        yield _null(
            "numbers, errors of Laplace's law", "correlation", rows, _numbers(rows, lambda random: random.laplace)
        )
        yield _null("numbers, skewed errors", "r2", rows, _numbers(rows, lambda random: random.gumbel))
    for positives, negatives in ((6, 40), (7, 150), (12, 12), (15, 200), (20, 90)):
        world = f"logistic values, {positives} positive"
        yield _null(world, "auc", positives + negatives, _values(positives, negatives))
    for rows, apart in ((12, 0.4), (35, 0.3), (90, 0.15)):
        yield _null(f"labels, models disagree on {apart:.0%}", "error", rows, _labels(rows, apart, 0.5))
        yield _difference(
            f"labels, models disagree on {apart:.0%}", "error", rows, _labels(rows, apart, 0.7), -0.4 * apart
        )
    yield from _class_cells()
    yield from _grouped_cells()
    yield from _weighted_cells()


def _class_cells() -> Iterator[Cell]:
    """Scores that are no means, with few rows of a class; and what has too few rows."""
    several = ("mcc", "balanced_accuracy", "average_precision")
    for positives, negatives, scores in ((9, 21, several), (13, 97, (*several, "recall")), (6, 6, ("kappa",))):
        rows = positives + negatives
        for score in scores:
            world = f"logistic values, {positives} of {rows} positive"
            yield _null(world, score, rows, _values(positives, negatives), given=0.9, trials=1_000)
    for positives, negatives in ((7, 9), (11, 29), (15, 110)):
        rows = positives + negatives
        world = f"scores in tenths, {positives} of {rows} positive"
        for score in ("fbeta", "fbeta(beta=2)"):
            yield _null(world, score, rows, _tenths(positives, negatives), given=0.9, trials=1_000)
    for rows in (24, 80):
        world = "labels, a quarter positive, one model finds more of these"
        yield _difference(world, "balanced_accuracy", rows, _rates(rows), 0.1, trials=1_000)
    yield _null("logistic values", "fbeta", 9, _values(4, 5), expects="none", code="few-rows", trials=100)


def _grouped_cells() -> Iterator[Cell]:
    """Groups of very unequal size whose rows are alike, for each model in its own way."""
    for groups, scores in ((8, ("error", "auc")), (20, ("error", "brier", "auc")), (40, ("error", "rmse"))):
        for score in scores:
            sample = _grouped_numbers(groups, 1, 1) if score == "rmse" else _grouped_chances(groups)
            yield _null(f"{groups} groups of 1 to 40 rows", score, None, sample, trials=1_000)
    yield _null("24 groups of 2 to 25 rows, shared tenths", "fbeta", None, _grouped_tenths(24), trials=1_000)
    for groups in (12, 30):
        sample = _grouped_numbers(groups, 1.2, 1)
        yield _difference(f"{groups} groups of 1 to 40 rows", "mse", None, sample, 2 * (1.2**2 - 1), trials=1_000)


def _weighted_cells() -> Iterator[Cell]:
    """Weights that go with how hard a row is."""
    for rows in (40, 120):
        for score in ("error", "auc"):
            yield _null("weights that go with the loss", score, rows, _weighted_chances(rows), trials=1_000)
        truth = (1.2**2 - 1) * np.exp((1.1**2 - 0.5**2) / 2)
        yield _difference("weights that go with the loss", "mse", rows, _weighted_numbers(rows), truth, trials=1_000)


def _null(world: str, score: str, rows: int | None, sample: Sample, **fields: object) -> Cell:
    """How often the default test rejects."""

    def ask(random: Random) -> Answer:
        return _answer(sample(random), score, rejected)

    return Cell(f"equal models: {world}", score, rows, ask, "error rate", **fields)  # type: ignore[arg-type]


def _difference(world: str, score: str, rows: int | None, sample: Sample, truth: float, **fields: object) -> Cell:
    """How often the default interval holds the true difference."""

    def ask(random: Random) -> Answer:
        return _answer(sample(random), score, lambda found: held(found, truth))

    return Cell(f"two models: {world}", score, rows, ask, **{"most": 1.0, **fields})  # type: ignore[arg-type]


def _answer(models: Models, score: str, read: Callable[[vc.Comparison], Answer]) -> Answer:
    try:
        return read(vc.compare(models, score))
    except vc.Refused as why:
        return Answer(None, "", frozenset([why.code]))


def _numbers(rows: int, law: Callable[[Random], Callable[..., np.ndarray]]) -> Sample:
    def sample(random: Random) -> Models:
        truth = random.normal(0, 3, rows)
        shared = law(random)(size=rows)
        return {name: vc.predictions(truth, number=truth + shared + law(random)(size=rows)) for name in "ab"}

    return sample


def _fifths(rows: int) -> Sample:
    def sample(random: Random) -> Models:
        truth = np.arange(rows) % 2
        towards = random.binomial(5, 0.7, (2, rows)) / 5
        proba = np.where(truth == 1, towards, 1 - towards)
        return {name: vc.predictions(truth, proba=one, positive=1) for name, one in zip("ab", proba, strict=True)}

    return sample


def _values(positives: int, negatives: int) -> Sample:
    truth = np.repeat([1, 0], [positives, negatives])

    def sample(random: Random) -> Models:
        shared = 1.3 * truth + random.logistic(0, 0.4, len(truth))
        values = shared + random.logistic(0, 0.6, (2, len(truth)))
        return {
            name: vc.predictions(truth, value=value, threshold=0.7, positive=1)
            for name, value in zip("ab", values, strict=True)
        }

    return sample


def _tenths(positives: int, negatives: int) -> Sample:
    """Chances in tenths by beta laws, of which both models share every third row."""
    truth = np.repeat([1, 0], [positives, negatives])

    def sample(random: Random) -> Models:
        law = np.where(truth == 1, 2.4, 1.1), np.where(truth == 1, 1.3, 2.2)
        proba = np.round(random.beta(*law, (2, len(truth))), 1)
        proba[1, ::3] = proba[0, ::3]
        return {name: vc.predictions(truth, proba=one, positive=1) for name, one in zip("ab", proba, strict=True)}

    return sample


def _grouped_tenths(groups: int) -> Sample:
    """Groups are mostly of one class, and each model is better on some of them than on others."""

    def sample(random: Random) -> Models:
        group = np.repeat(np.arange(groups), random.integers(2, 26, groups))
        truth = (random.random(len(group)) < np.where(random.random(groups) < 0.4, 0.8, 0.15)[group]).astype(int)
        truth[:2], truth[-2:] = 0, 1  # both classes are there
        skill = random.uniform(0.2, 1.8, (2, groups))[:, group]
        proba = np.round(1 / (1 + np.exp(-skill * (2 * truth - 1) - random.normal(0, 1.2, (2, len(group))))), 1)
        return _of_proba(truth, proba, groups=group)

    return sample


def _rates(rows: int) -> Sample:
    """Models that agree on the other class no more than by chance, and find .85 and .65 of the positive rows."""
    truth = (np.arange(rows) % 4 == 0).astype(int)

    def sample(random: Random) -> Models:
        chance = {"a": np.where(truth == 1, 0.85, 0.8), "b": np.where(truth == 1, 0.65, 0.8)}
        right = {name: random.random(rows) < one for name, one in chance.items()}
        return {name: vc.predictions(truth, label=np.where(one, truth, 1 - truth)) for name, one in right.items()}

    return sample


def _labels(rows: int, apart: float, first: float) -> Sample:
    """Models that are both right on some rows, and of those on which one is right it is the first with that chance."""

    def sample(random: Random) -> Models:
        truth = random.integers(0, 2, rows)
        which = random.choice(4, rows, p=[apart * first, apart * (1 - first), (1 - apart) * 0.8, (1 - apart) * 0.2])
        right = {"a": np.isin(which, [0, 2]), "b": np.isin(which, [1, 2])}
        return {name: vc.predictions(truth, label=np.where(one, truth, 1 - truth)) for name, one in right.items()}

    return sample


def _sizes(random: Random, groups: int) -> np.ndarray:
    return np.minimum(np.ceil(random.lognormal(1.5, 1, groups)), 40).astype(int)


def _grouped_chances(groups: int) -> Sample:
    def sample(random: Random) -> Models:
        group = np.repeat(np.arange(groups), _sizes(random, groups))
        truth = (random.random(len(group)) < random.beta(2, 3, groups)[group]).astype(int)
        truth[:2], truth[2:4] = 0, 1  # both classes are there
        own = random.normal(0, 0.9, (2, groups))[:, group] + random.logistic(0, 0.5, (2, len(group)))
        return _chances(truth, 1.5 * truth - 0.6 + own, groups=group)

    return sample


def _grouped_numbers(groups: int, *scales: float) -> Sample:
    """Squared errors of mean twice the squared scale, half of it shared by a group."""

    def sample(random: Random) -> Models:
        group = np.repeat(np.arange(groups), _sizes(random, groups))
        truth = random.normal(size=len(group))
        return {
            name: vc.predictions(
                truth,
                number=truth + scale * (random.normal(size=groups)[group] + random.normal(size=len(group))),
                groups=group,
            )
            for name, scale in zip("ab", scales, strict=True)
        }

    return sample


def _weighted_chances(rows: int) -> Sample:
    def sample(random: Random) -> Models:
        truth = np.arange(rows) % 2
        hard = random.normal(size=rows)
        values = (1.5 - hard) * (truth - 0.5) + random.logistic(0, 0.6, (2, rows))
        return _chances(truth, values, weights=np.exp(0.8 * hard))

    return sample


def _weighted_numbers(rows: int) -> Sample:
    def sample(random: Random) -> Models:
        truth, hard = random.normal(size=(2, rows))
        errors = np.exp(0.3 * hard) * random.normal(size=(2, rows)) * [[1.2], [1.0]]
        weights = np.exp(0.5 * hard)
        return {
            name: vc.predictions(truth, number=truth + one, weights=weights)
            for name, one in zip("ab", errors, strict=True)
        }

    return sample


def _chances(truth: np.ndarray, values: np.ndarray, **more: np.ndarray) -> Models:
    return _of_proba(truth, 1 / (1 + np.exp(-values)), **more)


def _of_proba(truth: np.ndarray, proba: np.ndarray, **more: np.ndarray) -> Models:
    return {name: vc.predictions(truth, proba=one, positive=1, **more) for name, one in zip("ab", proba, strict=True)}
