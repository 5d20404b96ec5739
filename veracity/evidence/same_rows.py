"""Models' predictions of the same rows: for comparisons of any score, or only which of them were right."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar, NamedTuple

import numpy as np

from veracity.core.arguments import verb
from veracity.core.entry import Choice
from veracity.core.errors import BadInput, Refused
from veracity.evidence.counts import check_rows
from veracity.evidence.evidence import Evidence, Sampling
from veracity.evidence.interval_evidence import Linear
from veracity.evidence.losses import Losses
from veracity.evidence.predictions import Predictions, repeat_rows
from veracity.evidence.two_orderings import TwoOrderings
from veracity.records.arrays import Array, freeze

KINDS = {"correct": "right and wrong rows", "loss": "losses"}  # in words, where these differ
ROUNDING = 1e-9  # an influence this small is none


class TrackedEvidence(NamedTuple):
    """Evidence that remembers in which of its cells each row is."""

    evidence: Evidence
    cell: Array

    @classmethod
    def of(cls, score: Choice, p: Predictions) -> TrackedEvidence:
        """Each row is made a group of its own, as the evidence of groups remembers their rows."""
        evidence = score.gather(replace(p, groups=np.arange(len(p))))
        return cls(evidence, evidence.sampling.cell)

    @property
    def size(self) -> int:
        """How many cells there are."""
        return int(self.evidence.cells.shape[-1])


@dataclass(frozen=True, eq=False)
class SameRows:
    """A score and the two models it compares; make one with `SameRows.of`."""

    label: ClassVar[str] = "two models' predictions of the same rows"

    score: Choice
    first: Predictions
    second: Predictions

    @property
    def truth(self) -> Array:
        """The class of each row as far as the score tells them apart: where it is of one, that and all others."""
        p = self.first
        of_one = self.score.is_of_one_class(p)
        return (p.truth == p.positive).astype(np.int8) if of_one else p.truth

    @classmethod
    def of(cls, score: Choice, first: Predictions, second: Predictions) -> SameRows:
        """Refuses rows that differ, and predictions that the score cannot be had from. Counts are rows of their own."""
        check_same_rows(first, second)
        if first.positive != second.positive:
            raise BadInput("the models name different positive classes: name the same one for both")
        score.check(first)
        score.check(second)
        return cls(score, repeat_rows(first), repeat_rows(second))

    def __len__(self) -> int:
        return len(self.first)

    @cached_property
    def sampling(self) -> Sampling | None:
        """How rows are weighted or grouped; None where they are plain."""
        return self.first.sampling(np.arange(len(self)))

    @property
    def units(self) -> int:
        """Independent ones: groups where there are any, else rows."""
        return len(self) if self.sampling is None else self.sampling.units

    @cached_property
    def evidence(self) -> tuple[Evidence, Evidence]:
        """Of the first and of the second model."""
        if self.areas is not None:
            return self.areas.first.ordering, self.areas.second.ordering
        return self.score.gather(self.first), self.score.gather(self.second)

    @cached_property
    def areas(self) -> TwoOrderings | None:
        """Both orderings with their rows, where areas of many plain rows are compared; None elsewhere."""
        average = self.score.given.get("average", "auto")
        if not self.score.is_one_of("auc") or average != "auto" or self.first.positive is None:
            return None
        return TwoOrderings.from_predictions(self.first, self.second)

    @cached_property
    def tracked(self) -> tuple[TrackedEvidence, TrackedEvidence]:
        """The same evidence, remembering its rows."""
        return TrackedEvidence.of(self.score, self.first), TrackedEvidence.of(self.score, self.second)

    def value(self, evidence: Evidence) -> Any:
        """The score on evidence of one model, or of many replicates of it."""
        return self.score.evaluate(evidence)

    @cached_property
    def values(self) -> tuple[float, float]:
        """The score of each model."""
        first, second = self.evidence
        return float(self.value(first)), float(self.value(second))

    @property
    def difference(self) -> float:
        first, second = self.values
        return first - second

    @cached_property
    def influence(self) -> Array:
        """What each row does to the difference, of mean 0; refuses where that is not known."""
        one, other = (tracked.evidence for tracked in self.tracked)
        if isinstance(one, Losses) and isinstance(other, Losses) and self.of_one_mean:
            apart = float(one.means[0] - other.means[0])
            if apart != 0:  # the slope between both means, so that what rows do adds up to the difference
                return (one.columns[:, 0] - other.columns[:, 0] - apart) * (self.difference / apart)
        return np.subtract(*(self._influence_on(tracked) for tracked in self.tracked))

    @cached_property
    def linear(self) -> Linear:
        """The difference with what each weighted row or group moves it by, class by class where scores are."""
        sampling, (one, other) = self.sampling, self.tracked
        assert sampling is not None
        if isinstance(one.evidence, Losses):
            parts = [np.ones(len(self), bool)]
        elif one.evidence.parts is not None:
            of_row = one.evidence.parts[one.cell]
            parts = [of_row == part for part in np.unique(of_row)]
        else:  # rows that count for neither model's score tell nothing of it
            parts = [np.logical_or(*(np.abs(self._influence_on(model)) > ROUNDING for model in (one, other)))]
        moved = np.array([sampling.per_unit(np.where(part, self.influence, 0.0)) for part in parts])
        held = np.array([sampling.shares(part) for part in parts])
        clustered, weighted = sampling.group is not None, sampling.weight is not None
        return Linear.of_units(self.difference, moved / sampling.row_weight.sum(), held, clustered, weighted)

    @property
    def of_means(self) -> bool:
        """Whether the score is a function of means of losses, or of their order."""
        return isinstance(self.tracked[0].evidence, Losses)

    @property
    def of_one_mean(self) -> bool:
        """Whether the score is a function of the mean of one loss."""
        losses = self.tracked[0].evidence
        return isinstance(losses, Losses) and losses.width == 1 and self.score.reduce is None

    def _influence_on(self, tracked: TrackedEvidence) -> Array:
        influence: Array | None = self.score.influence_of(tracked.evidence)
        if influence is None:
            says = f"what a row does to {self.score} is not known: use paired_bootstrap or paired_permutation"
            raise Refused(says, "no-influence")
        return influence[tracked.cell]


@dataclass(frozen=True)
class Pairs:
    """Rows that both, only the first, only the second, or neither model got right."""

    label: ClassVar[str] = "which of two models was right on the same rows"

    both: float
    first_only: float
    second_only: float
    neither: float
    told_apart: bool = True  # the rows that both and that neither got right; else only their sum is known

    @classmethod
    def of(cls, first: Predictions, second: Predictions) -> Pairs:
        """From two models' predictions of the same rows, which is checked."""
        check_same_rows(first, second)
        check_plain_rows(first)
        a, b = first.labels() == first.truth, second.labels() == second.truth
        neither, second_only, first_only, both = np.bincount(2 * a.astype(int) + b, first.repeats, 4).tolist()
        return cls(float(both), float(first_only), float(second_only), float(neither))

    @property
    def rows(self) -> float:
        return self.both + self.first_only + self.second_only + self.neither

    @property
    def discordant(self) -> float:
        return self.first_only + self.second_only

    @property
    def difference(self) -> float:
        """Accuracy of the first minus accuracy of the second."""
        return (self.first_only - self.second_only) / self.rows

    def swap(self) -> Pairs:
        """The same with the second model named first."""
        return replace(self, first_only=self.second_only, second_only=self.first_only)


def check_same_rows(first: Predictions, second: Predictions) -> None:
    """Refuse predictions that are not of the same rows in the same order."""
    if len(first) != len(second):
        raise BadInput(
            f"the models were tried on {len(first)} and {len(second)} rows: a paired comparison needs the same rows"
            " (two_proportion_z compares shares of different rows)"
        )
    if first.rows is not None and second.rows is not None and not np.array_equal(first.rows, second.rows):
        if Counter(first.rows.tolist()) == Counter(second.rows.tolist()):
            raise BadInput("the two models have the same row ids in another order: sort both by row id")
        raise BadInput("the row ids of the two models differ: a paired comparison needs the same rows")
    if first.kind != second.kind:
        one, other = (KINDS.get(p.kind, p.kind) for p in (first, second))
        raise BadInput(f"one model tells {one} and the other {other}: give both in one form")
    if first.classes != second.classes:
        one, other = (", ".join(map(str, p.classes)) for p in (first, second))
        raise BadInput(
            f"the classes of the two models are {one} and {other}: give both the same, in one order, `classes=`"
        )
    if not np.array_equal(first.truth, second.truth):
        raise BadInput("the truths of the two models differ: a paired comparison needs the same rows in the same order")
    for name, field in (("weights", "weights"), ("counts", "repeats"), ("groups", "groups")):
        if not np.array_equal(getattr(first, field), getattr(second, field)):  # of both or of none
            raise BadInput(f"the {name} of the two models differ: give both the same, `{name}=`")


def check_plain_rows(p: Predictions) -> None:
    """Refuse weights and groups where rows are counted one by one."""
    if p.weights is not None or p.groups is not None:
        raise Refused(
            "this comparison counts independent rows, and these are weighted or in groups: use paired_loss_t,"
            " paired_delta, paired_permutation or clustered_mcnemar",
            "not-iid",
        )


@dataclass(frozen=True, eq=False)
class Correctness:
    """One row per tested row, one column per model: whether it was right."""

    label: ClassVar[str] = "which of several models was right on the same rows"

    hits: Array  # (rows, models), of truth values
    models: tuple[str, ...]

    @classmethod
    def of(cls, models: Mapping[str, Predictions]) -> Correctness:
        """From predictions of the same rows, which is checked."""
        first, *others = models.values()
        for other in others:
            check_same_rows(first, other)
        check_plain_rows(first)
        models = {name: repeat_rows(p) for name, p in models.items()}
        hits = np.stack([p.labels() == p.truth for p in models.values()], axis=1)
        return cls(freeze(hits), tuple(models))


@dataclass(frozen=True, eq=False)
class PairedScores:
    """What two scored on the same units, in the same order."""

    label: ClassVar[str] = "scores of two on the same rows or data sets"

    first: Array
    second: Array
    units: str = "data sets"  # what each pair of numbers is of
    independent: bool = True  # splits of one data set are not: they share its rows

    def __len__(self) -> int:
        return len(self.first)

    @cached_property
    def difference(self) -> Array:
        """First minus second; infinite minus infinite is 0, for neither is better."""
        same = self.first == self.second
        return np.where(same, 0.0, self.first - np.where(same, 0.0, self.second))

    @property
    def finite(self) -> bool:
        return bool(np.isfinite(self.difference).all())


@verb
def pairs(*, n01: int, n10: int, of: int | None = None, both: int | None = None, neither: int | None = None) -> Pairs:
    """What two models got right on the same rows: `n01` only the second, `n10` only the first.

    With `of`, how many rows there were; or with the rows that `both` and `neither` got right, which some intervals
    need. `compare(pairs(n01=9, n10=22, of=1000), "error", using="mcnemar")`.

    Parameters
    ----------
    n01
        Rows that only the second model got right.
    n10
        Rows that only the first model got right.
    of
        How many rows there were.
    both
        Rows that both got right.
    neither
        Rows that neither got right.

    Examples
    --------
    >>> found = vc.compare(vc.pairs(n01=9, n10=22, of=1000), "error", using="mcnemar")
    >>> f"{found.p_value:.4f}"
    '0.0311'
    """
    for name, number in (("n01", n01), ("n10", n10), ("both", both), ("neither", neither)):
        if number is not None and number < 0:
            raise BadInput(f"`{name}=` counts rows: it is at least 0, not {number}")
    if of is not None:
        check_rows(of)
    if of is None and (both is None or neither is None):
        raise BadInput("say how many rows there were, `of=`, or how many `both=` and `neither=` hold")
    agreed = (both or 0) + (neither or 0) if of is None else of - n01 - n10
    known = both is not None or neither is not None
    right = agreed - (neither or 0) if both is None else both
    if agreed < 0:
        raise BadInput(f"`n01=` and `n10=` are {n01 + n10} rows together, more than the {of} there were")
    if not 0 <= right <= agreed or (neither is not None and right + neither != agreed):
        raise BadInput(f"the four counts do not add up to the {of} rows that there were")
    return Pairs(float(right), float(n10), float(n01), float(agreed - right), known)
