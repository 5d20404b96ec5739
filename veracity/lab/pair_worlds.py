"""Worlds of two or more models: the joint law of right and wrong, paired losses, paired orderings, rows in groups."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import sqrt
from statistics import NormalDist
from typing import Any, ClassVar

import numpy as np

from veracity.core.errors import BadInput
from veracity.designs.parameters import whole_number
from veracity.evidence.from_counts import errors, pairs
from veracity.evidence.make_predictions import predictions
from veracity.evidence.proportion import Shares
from veracity.evidence.same_rows import Pairs
from veracity.lab.entry import check_between, world
from veracity.lab.evidence_worlds import PairWorld
from veracity.lab.model_worlds import group_of_rows
from veracity.records.arrays import Array

TOLD_APART, ALL_TESTS = (
    40,
    150,
)  # rows up to which all four cells of a pair are enumerated, and the three that tests read
LAWS = ("normal", "heavy", "skewed")
Random = np.random.Generator


@dataclass(frozen=True, kw_only=True)
class TwoModels(PairWorld):
    """Two models on the same rows: each errs on `share` of them, and on `discordant` of them only one does.

    By `effect` the first errs more often. With `oversampled`, rows on which the models differ are drawn so many times
    as often as they are, and sampling weights make up for it.
    """

    score: ClassVar[str] = "error"
    enumerates: ClassVar[type] = Pairs
    share: float = 0.2
    discordant: float = 0.1
    effect: float = 0.0
    oversampled: float = 1.0

    def __post_init__(self) -> None:
        check_between("share", self.share, 0, 1)
        check_between("discordant", self.discordant, 0, 1)
        check_between("effect", self.effect, -self.discordant, self.discordant)
        check_between("oversampled", self.oversampled, 0, 100, open_ends=True)
        if min(self.cells) < -1e-12:
            raise BadInput(
                f"errors on {self.share:g} of the rows leave no room for {self.discordant:g} on which one errs"
            )

    @property
    def cells(self) -> tuple[float, float, float, float]:
        """The chance that neither errs, only the second, only the first, both do."""
        both = self.share - self.discordant / 2
        second, first = (self.discordant - self.effect) / 2, (self.discordant + self.effect) / 2
        return 1 - self.discordant - both, second, first, both

    def draw(self, rows: int, random: Random) -> Any:
        seen = np.clip(self.cells, 0, 1) * (1, self.oversampled, self.oversampled, 1)
        cell = random.choice(4, rows, p=seen / seen.sum())
        weights = np.where((cell == 1) | (cell == 2), 1 / self.oversampled, 1.0) if self.oversampled != 1 else None
        return two_right(cell < 2, cell % 2 == 0, weights=weights)

    def outcomes(self, rows: int, told_apart: bool = True) -> Iterator[tuple[float, Any]]:
        if self.oversampled != 1 or rows > (TOLD_APART if told_apart else ALL_TESTS):
            return
        neither, second, first, both = np.clip(self.cells, 0, 1)
        for n10 in range(rows + 1):  # rows that only the first got right
            for n01 in range(rows + 1 - n10):
                agreed = rows - n10 - n01
                if not told_apart:
                    yield (
                        multinomial((n10, n01, agreed), (second, first, neither + both)),
                        pairs(n01=n01, n10=n10, of=rows),
                    )
                    continue
                for right in range(agreed + 1):
                    counts = n10, n01, right, agreed - right
                    found = pairs(n01=n01, n10=n10, both=right, neither=agreed - right)
                    yield multinomial(counts, (second, first, neither, both)), found


def multinomial(counts: tuple[int, ...], chances: tuple[float, ...]) -> float:
    """The chance of these counts."""
    from scipy.special import gammaln, xlogy

    logs = gammaln(sum(counts) + 1) + sum(xlogy(n, p) - gammaln(n + 1) for n, p in zip(counts, chances, strict=True))
    return float(np.exp(logs))


def two_right(first: Array, second: Array, **columns: Any) -> dict[str, Any]:
    """The predictions of two models from whether they were right on each row."""
    return {name: predictions(correct=right.astype(int), **columns) for name, right in (("a", first), ("b", second))}


@dataclass(frozen=True, kw_only=True)
class TwoShares(PairWorld):
    """Two models on as many rows of their own: the second errs on `share` of them, the first on `effect` more."""

    score: ClassVar[str] = "error"
    enumerates: ClassVar[type] = Shares
    share: float = 0.2
    effect: float = 0.0

    def __post_init__(self) -> None:
        check_between("share", self.share, 0, 1)
        check_between("effect", self.effect, -self.share, 1 - self.share)

    def draw(self, rows: int, random: Random) -> Any:
        wrong = random.binomial(rows, (self.share + self.effect, self.share)).tolist()
        return {"a": errors(wrong[0], of=rows), "b": errors(wrong[1], of=rows)}

    def outcomes(self, rows: int, told_apart: bool = True) -> Iterator[tuple[float, Any]]:
        from scipy.stats import binom

        if rows > TOLD_APART:
            return
        first, second = (
            binom.pmf(np.arange(rows + 1), rows, share) for share in (self.share + self.effect, self.share)
        )
        for a in range(rows + 1):
            for b in range(rows + 1):
                yield float(first[a] * second[b]), {"a": errors(a, of=rows), "b": errors(b, of=rows)}


@dataclass(frozen=True, kw_only=True)
class TwoInGroups(PairWorld):
    """Two models on the same rows, in groups of `size` on average, each of which is easier for one model by chance.

    Only one errs on `discordant` of the rows; in a group it is the favoured model that is right on `favour` of them.
    With `unequal` the sizes are geometric. By `effect` the first errs more often.
    """

    score: ClassVar[str] = "error"
    discordant: float = 0.3
    favour: float = 0.8
    size: int = 5
    unequal: bool = False
    effect: float = 0.0

    def __post_init__(self) -> None:
        check_between("discordant", self.discordant, 0, 1, open_ends=True)
        check_between("favour", self.favour, 0.5, 1)
        whole_number("size", self.size)
        check_between("effect", self.effect, -self._most, self._most)

    @property
    def _most(self) -> float:
        return self.discordant * (2 * self.favour - 1)

    def draw(self, rows: int, random: Random) -> Any:
        groups = group_of_rows(rows, self.size, self.unequal, random)
        for_second = 0.5 + (self.effect / self._most / 2 if self._most else 0.0)  # groups that favour the second
        favoured = random.random(groups[-1] + 1) < for_second
        differ = random.random(rows) < self.discordant
        as_favoured = random.random(rows) < self.favour
        second = favoured[groups] == as_favoured
        return two_right(~(differ & second), ~(differ & ~second), groups=groups)


@dataclass(frozen=True, kw_only=True)
class TwoLosses(PairWorld):
    """Losses of two models on the same rows, whose differences have unit variance around `effect`.

    Their `law` is normal, heavy (Student's t with 4 degrees of freedom) or skewed (exponential).
    """

    score: ClassVar[str] = "mean"
    law: str = "normal"
    effect: float = 0.0

    def __post_init__(self) -> None:
        if self.law not in LAWS:
            raise BadInput(f"law is {', '.join(map(repr, LAWS))}, not {self.law!r}")
        check_between("effect", self.effect, -10, 10)

    def draw(self, rows: int, random: Random) -> Any:
        easy = 20 + random.gamma(2.0, size=rows)  # how hard a row is for both
        drawn = {
            "normal": lambda: random.normal(size=rows),
            "heavy": lambda: random.standard_t(4, rows) / sqrt(2),
            "skewed": lambda: random.exponential(size=rows) - 1,
        }
        apart = self.effect + drawn[self.law]()
        return {"a": predictions(loss=easy + apart), "b": predictions(loss=easy)}


@dataclass(frozen=True, kw_only=True)
class TwoOrderings(PairWorld):
    """Decision values of two models for the same rows, normal in both classes and correlated in each.

    Positive rows lie `distance` standard deviations higher in the values of the second model; the area under the curve
    of the first is larger by `effect`.
    """

    score: ClassVar[str] = "auc"
    better: ClassVar[str] = "higher"
    distance: float = 1.0
    positives: float = 0.5
    correlation: float = 0.5
    effect: float = 0.0

    def __post_init__(self) -> None:
        check_between("distance", self.distance, 0, 10)
        check_between("positives", self.positives, 0, 1, open_ends=True)
        check_between("correlation", self.correlation, -1, 1)
        check_between("effect", self.effect, -self._area, 1 - self._area, open_ends=True)

    @property
    def _area(self) -> float:
        return NormalDist().cdf(self.distance / sqrt(2))

    def draw(self, rows: int, random: Random) -> Any:
        positive = random.random(rows) < self.positives
        positive[:2] = (True, False)
        shared, *own = random.normal(size=(3, rows))
        mixed = sqrt(abs(self.correlation)) * shared, sqrt(1 - abs(self.correlation))
        sides = (1, 1 if self.correlation >= 0 else -1)
        apart = sqrt(2) * NormalDist().inv_cdf(self._area + self.effect), self.distance
        values = (
            side * mixed[0] + mixed[1] * noise + gap * positive
            for side, noise, gap in zip(sides, own, apart, strict=True)
        )
        return {
            name: predictions(positive.astype(int), value=value, positive=1)
            for name, value in zip("ab", values, strict=True)
        }


@dataclass(frozen=True, kw_only=True)
class SeveralModels(PairWorld):
    """Several models on the same rows, each of which errs on `share` of them; `correlation` is that of what decides.

    The first errs on `effect` more.
    """

    score: ClassVar[str] = "error"
    models: int = 4
    share: float = 0.2
    correlation: float = 0.5
    effect: float = 0.0

    def __post_init__(self) -> None:
        whole_number("models", self.models)
        check_between("share", self.share, 0, 1, open_ends=True)
        check_between("correlation", self.correlation, 0, 1)
        check_between("effect", self.effect, -self.share, 1 - self.share, open_ends=True)

    def draw(self, rows: int, random: Random) -> Any:
        shared, own = random.normal(size=(rows, 1)), random.normal(size=(rows, self.models))
        hard = sqrt(self.correlation) * shared + sqrt(1 - self.correlation) * own
        rates = [self.share + self.effect] + [self.share] * (self.models - 1)
        right = hard > [NormalDist().inv_cdf(rate) for rate in rates]
        return {f"model {i + 1}": predictions(correct=right[:, i].astype(int)) for i in range(self.models)}


two_models = world("Two models on the same rows", name="two_models")(TwoModels)
two_shares = world("Two models on different rows", name="two_shares")(TwoShares)
two_in_groups = world("Two models on the same rows in groups", name="two_in_groups")(TwoInGroups)
two_losses = world("Losses of two models", name="two_losses")(TwoLosses)
two_orderings = world("Decision values of two models", name="two_orderings")(TwoOrderings)
several_models = world("Several models on the same rows", name="several_models")(SeveralModels)
