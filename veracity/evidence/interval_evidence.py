"""What intervals and tests read: shares of rows, scores made linear, scores of orderings; a check of normality."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import inf, isinf, nan, sqrt
from typing import Any, ClassVar, NamedTuple

import numpy as np

from veracity.core.confidence import Confidence
from veracity.core.notes import Limit, Note, caution, unique
from veracity.evidence.evidence import effective_number
from veracity.records.arrays import Array

LARGEST = 12  # losses among which a gap is looked for
WHOLE = 1 - 1e-9  # a unit that holds this share of the weight holds all of it, rounding aside


@dataclass(frozen=True)
class Linear:
    """A value with the summed powers of the influence values of the independent units behind it."""

    label: ClassVar[str] = "influence values"
    lacks: ClassVar[str] = "has no known influence values"

    value: float
    units: float  # rows, or clusters of rows
    squares: float  # sum over units of (influence / units)^2, centred
    cubes: float
    effective: float = inf  # units of equal weight that would tell as much; no more than there are units
    clustered: bool = False
    weighted: bool = False
    notes: tuple[Note, ...] = ()
    gap: float = 0.0  # the widest among the largest of plain rows, as `widest_gap` has it, where that was looked at

    @classmethod
    def of_moments(cls, value: float, total: float, first: float, second: float, third: float) -> Linear:
        """From powers 0 to 3 of the influence values summed over plain rows."""
        mean = first / total
        squares = (second / total - mean**2) / total
        cubes = (third / total - 3 * mean * second / total + 2 * mean**3) / total**2
        return cls(value, total, squares, cubes)

    @classmethod
    def of_units(cls, value: float, moved: Array, held: Array, clustered: bool, weighted: bool) -> Linear:
        """From what units move the score by and the share of the weight that each holds, parts of the rows by rows.

        The more a unit holds, the more it pulls the value towards itself: its influence is that of leaving it out
        (Tukey's jackknife). The degrees of freedom are those of the parts, averaged by their share of the variance.
        """
        if (held > WHOLE).any():
            return cls(value, moved.shape[1], nan, nan, 1.0, clustered, weighted)
        alone = moved / (1 - held)
        unit = alone[0] if len(alone) == 1 else alone.sum(0)
        of_part = np.einsum("ij,ij->i", alone, alone)
        degrees = np.array([effective_number(share) - 1 for share in held])
        total = of_part.sum()
        found = total / (of_part / degrees).sum() if total > 0 else degrees.min()
        # whole for equal units, whatever rounding does
        effective = 1 + float(np.clip(found, degrees.min(), degrees.sum()))
        squares, cubes = float(unit @ unit), float((unit * unit) @ unit)
        return cls(value, moved.shape[1], squares, cubes, effective, clustered, weighted)

    @property
    def sampled(self) -> bool:
        """Whether units are clusters or weighted rows, for whose number the squares are corrected already."""
        return self.clustered or self.weighted

    @property
    def degrees(self) -> float:
        """Student's degrees of freedom: how well the spread of the units is known."""
        return max(min(self.effective, self.units) - 1, 1.0)

    @property
    def standard_error(self) -> float:
        return sqrt(max(self.squares, 0.0))

    @property
    def sample_error(self) -> float:
        """Standard error with the sample variance (divisor one less than the units)."""
        if self.sampled:
            return self.standard_error
        return sqrt(max(self.squares, 0.0) * self.units / (self.units - 1)) if self.units > 1 else nan

    @property
    def flat(self) -> bool:
        """Whether all rows say the same, rounding aside, so that there is no spread to measure."""
        return sqrt(max(self.squares * self.units, 0.0)) <= (1e-9 * abs(self.value) or 1e-12)

    @property
    def skewness(self) -> float:
        """Of the value: that of the units divided by the root of their number."""
        return self.cubes / self.squares**1.5 if self.squares > 0 else 0.0

    @property
    def acceleration(self) -> float:
        """The skewness that the BCa interval corrects for."""
        return self.skewness / 6


def widest_gap(losses: Array) -> float:
    """The widest gap among the largest losses, in what lies between their median and their ninth decile."""
    ranked = np.sort(losses)
    usual = float(np.quantile(ranked, 0.9) - np.median(ranked))
    gap = float(np.diff(ranked[-LARGEST:]).max(initial=0.0))
    if usual > 0:
        return gap / usual
    return inf if gap > 0 else 0.0


class Pull(NamedTuple):
    """How far a score, or one that it is the average of, lies from chance, and the rows of each class."""

    share: float  # of the average
    gap: float  # from the value to what chance gives
    positives: float
    negatives: float
    smaller: float  # rows of the smaller class, of those that the score looks at


@dataclass(frozen=True)
class Ranked:
    """A score of orderings made linear, with what chance would give and the values between which it lies."""

    label: ClassVar[str] = "an ordering"
    lacks: ClassVar[str] = "is no score of an ordering of which chance gives a known value"

    linear: Linear
    pulls: tuple[Pull, ...]
    low: float
    high: float
    values: int  # of the rows, that differ

    @property
    def smaller(self) -> float:
        """Rows of the smaller class, on average over the orderings."""
        return sum(abs(p.share) * p.smaller for p in self.pulls)

    @property
    def degrees(self) -> float:
        """Student's degrees of freedom; the row added to the smaller class makes good for the one that is lost."""
        return min(self.smaller, self.linear.effective)

    @property
    def variance(self) -> float:
        """With the sample variance of the smaller class, which most of it comes from."""
        if self.linear.sampled:
            return self.linear.squares
        return self.linear.squares * self.smaller / (self.smaller - 1) if self.smaller > 1 else nan

    @property
    def flat(self) -> bool:
        """Whether nothing is ordered, or the order does not matter."""
        return self.values < 2 or (self.linear.flat and all(p.gap == 0 for p in self.pulls))

    @property
    def notes(self) -> tuple[Note, ...]:
        return self.linear.notes


@dataclass(frozen=True)
class Area:
    """The area, the rows of each class, and DeLong's variance where the rows are at hand."""

    label: ClassVar[str] = "an ordering"
    lacks: ClassVar[str] = "is not of one ordering of rows here"

    value: float
    positives: float
    negatives: float
    variance: float = nan
    plain: bool = True  # neither weighted nor grouped rows

    @property
    def smaller(self) -> float:
        """Rows of the smaller class."""
        return min(self.positives, self.negatives)

    @property
    def separated(self) -> bool:
        """Whether every row of one class lies above every row of the other."""
        return self.value in (0.0, 1.0)

    @property
    def standard_error(self) -> float:
        return sqrt(self.variance)


@dataclass(frozen=True)
class Proportion:
    """`hits` among `rows`. Weighted or clustered rows count as the number of plain rows that would tell as much."""

    label: ClassVar[str] = "a share of rows"
    between: ClassVar[str] = "the rows that one model gets right"
    lacks: ClassVar[str] = "is not a share of rows, so binomial intervals do not hold for it"

    hits: float
    rows: float
    notes: tuple[Note, ...] = ()
    degrees: float = inf  # of freedom: how well the variance of weighted or clustered rows is known
    most: float = inf  # plain rows that would tell as much if no row were like another of its group

    def at(self, confidence: Confidence) -> Proportion:
        """The plain rows that tell as much at this confidence: Student's quantile is larger than the normal one."""
        if isinf(self.degrees) or confidence.tail == 0.5:  # where both quantiles are 0
            return self
        rows = min(self.rows * (confidence.z / confidence.t(self.degrees)) ** 2, self.most)
        return Proportion(self.share * rows, rows, self.notes)

    @property
    def share(self) -> float:
        return self.hits / self.rows

    @property
    def whole(self) -> bool:
        """Whether these are plain counts, as methods that enumerate outcomes need."""
        return float(self.hits).is_integer() and float(self.rows).is_integer()

    @property
    def misses(self) -> float:
        return self.rows - self.hits

    @property
    def rarer(self) -> float:
        """Rows of the rarer kind."""
        return min(self.hits, self.misses)


@dataclass(frozen=True)
class Shares:
    """The same score, a share of rows, of two models that were tried on different rows."""

    label: ClassVar[str] = "shares of rows of two models on different rows"

    first: Proportion
    second: Proportion
    same: bool = False  # whether the rows are in truth the same ones

    def at(self, confidence: Confidence) -> Shares:
        """Both as plain rows at this confidence, by the degrees of freedom of their difference."""
        first, second = (replace(one, degrees=self.degrees).at(confidence) for one in (self.first, self.second))
        return replace(self, first=first, second=second)

    @property
    def pooled(self) -> float:
        """The share of all rows together."""
        return (self.first.hits + self.second.hits) / (self.first.rows + self.second.rows)

    @property
    def degrees(self) -> float:
        """Welch's degrees of freedom of the difference if both shares are equal; infinite for plain rows, or none."""
        if min(self.first.rows, self.second.rows) <= 0:
            return inf
        freedom = sum((1 / one.rows) ** 2 / one.degrees for one in (self.first, self.second))
        return (1 / self.first.rows + 1 / self.second.rows) ** 2 / freedom if freedom else inf

    @property
    def notes(self) -> tuple[Note, ...]:
        """What must be said of rows that are not plain ones."""
        return unique(self.first.notes + self.second.notes)

    @property
    def difference(self) -> float:
        return self.first.share - self.second.share


@dataclass(frozen=True, eq=False)
class FewValues:
    """The numbers that a row can give, in order, and how many rows gave each."""

    label: ClassVar[str] = "a mean of few values"
    lacks: ClassVar[str] = "is no mean of what single rows give by their cell of the confusion matrix"

    values: Array
    counts: Array

    @property
    def rows(self) -> float:
        return float(self.counts.sum())

    @property
    def mean(self) -> float:
        return float(self.values @ self.counts / self.rows)


FEWEST = 8  # numbers: of fewer, hardly any departure shows
MOST = 5_000  # numbers: of more, any does, and means of them are close to normal whatever they are
SIGN = 0.01  # p-value below which a departure is told
NORMAL_SCALE = 1.4826  # times the median distance from the median is the standard deviation of a normal law


def normality_limit(residuals: Callable[[Any], Array], what: str, instead: str) -> Limit:
    """A caution where `residuals` of the evidence, which are `what`, look far from normal, with another way to go."""
    says = f"{what} look far from normal, which this method leans on: {instead} does not"
    return caution("not-normal", says, lambda evidence: departs(residuals(evidence)), lambda e: departure(residuals(e)))


def departs(values: Array) -> bool:
    """Whether Shapiro and Wilk's test finds a departure; too few, too many or equal numbers show none."""
    return shapiro_p(values) < SIGN


def departure(values: Array) -> str:
    """What was found, and how far out the most outlying number lies."""
    centre = float(np.median(values))
    spread = NORMAL_SCALE * float(np.median(np.abs(values - centre)))
    far = f", the furthest lies {np.abs(values - centre).max() / spread:.3g} robust deviations out" if spread else ""
    return f" (Shapiro-Wilk p = {shapiro_p(values):.2g}{far})"


def shapiro_p(values: Array) -> float:
    """The p-value of Shapiro and Wilk's test, 1 where it has nothing to go by."""
    if not FEWEST <= len(values) <= MOST or not np.isfinite(values).all() or np.ptp(values) == 0:
        return 1.0
    from scipy.stats import shapiro

    scaled = (values - values.mean()) / np.abs(values - values.mean()).max()  # tiny numbers lose digits otherwise
    return float(shapiro(scaled).pvalue)
