"""Truth and what a model said of it, row by row; some of the rows, and how often models differ on the same row."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal

import numpy as np

from veracity.core.arguments import verb
from veracity.core.errors import BadInput, Refused
from veracity.core.notes import Note
from veracity.evidence.counts import Counts, Errors
from veracity.evidence.evidence import Sampling
from veracity.evidence.labels import id_codes
from veracity.evidence.ordering import ClassPairs, Ordering, Orderings
from veracity.evidence.origin import Origin, Provenance, read_provenance
from veracity.evidence.packed_ordering import PackedOrdering
from veracity.evidence.row_sums import RowSums
from veracity.evidence.sort_rows import MANY_ROWS
from veracity.records.arrays import Array, freeze, unroll

ARRAYS = (
    *("truth", "label", "proba", "value", "number", "loss", "grade", "tries", "passes"),
    *("rows", "splits", "weights", "repeats"),
)
SCORES_OF = {"loss": ": of losses the score is mean", "grades": ": of grades the scores are mean and pass_at(k=...)"}


@dataclass(frozen=True, eq=False, repr=False)
class Predictions:
    """Read-only arrays over the same rows. Make one with `veracity.predictions(...)`, which checks them.

    Attributes
    ----------
    kind
        What kind it is.
    truth
        The truth of each row, as a number of its class or as it is.
    classes
        The classes in their order.
    positive
        The class that scores of one class are about.
    label
        The predicted class of each row.
    proba
        Probabilities, rows x classes.
    value
        Decision values.
    number
        Predicted numbers.
    loss
        The loss of each row.
    grade
        The mean grade of each item, where answers were graded.
    tries
        How many grades each item has.
    passes
        How many of them are 1, where all grades are 0 or 1.
    rows
        Ids of the rows.
    splits
        The splits that the rows or scores are of.
    weights
        Sampling weights of the rows.
    repeats
        How many equal rows each stands for.
    groups
        Labels of rows that belong together.
    labelled
        'all', 'positives' or 'some'.
    prior
        Shares of classes among the training rows.
    train_mean
        Mean target of the training rows.
    threshold
        From where on a row is called positive.
    name
        The model's name.
    notes
        What a reader should know: cautions and remarks.
    origin
        Where they come from, if they are of several models.
    unlabelled
        The rows without a label.
    binary
        Whether there are two classes.
    named_positive
        Whether somebody named the positive class.

    Examples
    --------
    >>> p = vc.predictions([0, 0, 1, 1, 1], proba=[0.2, 0.6, 0.4, 0.7, 0.9], positive=1)
    >>> p
    Predictions(5 rows, 2 classes, label, proba, value)
    >>> p.confusion(threshold=0.5).matrix
    array([[1., 1.],
           [1., 2.]])
    """

    kind: Literal["classes", "numbers", "correct", "loss", "grades"]  # the last three say how good each row is
    truth: Array  # codes into `classes`, or numbers
    classes: tuple[Any, ...] = ()
    positive: int | None = None
    label: Array | None = None  # codes
    proba: Array | None = None  # (rows, classes), or (rows,) of the positive class
    value: Array | None = None  # decision value, higher is more positive
    number: Array | None = None
    loss: Array | None = None
    grade: Array | None = None  # the mean grade of each item, higher is better
    tries: Array | None = None  # how many grades each item has
    passes: Array | None = None  # how many of them are 1, where all grades are 0 or 1
    rows: Array | None = None  # the user's row ids
    splits: Array | None = None  # the split of a design in which each row was tested
    weights: Array | None = None
    repeats: Array | None = None  # true repeats of a row
    groups: Array | None = None  # codes 0..groups-1
    labelled: Literal["all", "positives", "some"] = "all"
    prior: tuple[float, ...] | None = None  # class shares of the training rows
    train_mean: float | Array | None = None  # one for each row where their models were trained on different rows
    threshold: float | None = None  # where labels are cut from probabilities or values
    name: str = "model"
    notes: tuple[Note, ...] = ()  # what whoever read them noticed
    origin: Origin | None = None  # the splits that `splits` counts; None for one fixed model on new rows
    unlabelled: Predictions | None = None  # rows that were set aside, whose truth is not known and stands for nothing

    def __len__(self) -> int:
        return len(self.truth)

    @property
    def unit(self) -> str:
        """Return what stands in a row."""
        return "item" if self.kind == "grades" else "row"

    @property
    def binary(self) -> bool:
        return self.kind == "classes" and len(self.classes) == 2

    @property
    def offers(self) -> frozenset[str]:
        """What these predictions can be scored by: label, proba, value, number, loss, grade."""
        held = {
            kind for kind in ("proba", "value", "number", "loss", "grade", "label") if getattr(self, kind) is not None
        }
        if "proba" in held:
            held |= {"label", "value"}
        return frozenset(held | {"label"} if "value" in held and self.threshold is not None else held)

    @cached_property
    def provenance(self) -> Provenance:
        """Whether one model predicted these rows, several did, or models that had learned from them."""
        if self.origin is None or self.splits is None or self.rows is None or not len(self):
            return "one model"
        return read_provenance(self.origin, self.rows, self.splits)

    @cached_property
    def different_rows(self) -> int:
        """How many rows these are; one that several models tested is one row."""
        if self.origin is None or self.rows is None:
            return len(self)
        return int(np.count_nonzero(np.bincount(self.origin.row_numbers(self.rows))))

    @cached_property
    def of_class(self) -> Array:
        """How many rows there are of each class; one that several models tested is one row."""
        if self.origin is None or self.rows is None:
            return np.bincount(self.truth, self.multiplicity, len(self.classes))
        _, first = np.unique(self.origin.row_numbers(self.rows), return_index=True)
        weight = None if self.weights is None else self.weights[first]
        return np.bincount(self.truth[first], weight, len(self.classes))

    @cached_property
    def multiplicity(self) -> Array | None:
        """How much each row counts in a point value: its sampling weight times its repeats."""
        if self.weights is None or self.repeats is None:
            return self.weights if self.repeats is None else self.repeats
        product: Array = self.weights * self.repeats
        return product

    @cached_property
    def class_sizes(self) -> Array:
        """How many rows there are of each class, repeats counted; none where there are no classes."""
        if self.binary and self.repeats is None:
            second = np.count_nonzero(self.truth)
            return np.array([len(self) - second, second])
        return np.bincount(self.truth, self.repeats, len(self.classes)) if self.classes else np.zeros(0)

    @cached_property
    def class_weights(self) -> Array:
        """The weight of the rows of each class."""
        if self.weights is None:
            return self.class_sizes
        return np.bincount(self.truth, self.multiplicity, len(self.classes)) if self.classes else np.zeros(0)

    @property
    def smallest(self) -> float:
        """Rows of the rarest class that has any, each counted by its weight."""
        return float(min(self.class_weights[self.class_weights > 0].tolist(), default=math.inf))

    @property
    def rarer(self) -> float:
        """How many rows are not of the most frequent class; no number of them is few where there are no classes."""
        return float(self.class_sizes.sum() - self.class_sizes.max()) if self.classes else math.inf

    @property
    def many_plain(self) -> bool:
        """Whether these are so many rows that count once that ways of their own pay."""
        return self.multiplicity is None and self.groups is None and len(self) >= MANY_ROWS

    @cached_property
    def row_sums(self) -> RowSums | None:
        """Sums over many plain rows of two classes, by probability; None of others."""
        if not self.many_plain or not self.binary or self.positive is None or self.proba is None:
            return None
        if self.proba.dtype.kind != "f" or not self.class_sizes.all():
            return None
        own, is_own = self.probability(self.positive), self.truth == self.positive
        return RowSums.of_rows(own, is_own, self._truth_probability)

    def sampling(self, cell: Array) -> Sampling | None:
        """How these rows fell into cells; None where rows are plain, so that shortcuts are exact."""
        if self.weights is None and self.groups is None:
            return None
        if self.repeats is None:
            return Sampling(cell, self.weights, self.groups)
        times = self.repeats.astype(np.int64)  # each repeat is a row of its own
        weight, group = (None if part is None else np.repeat(part, times) for part in (self.weights, self.groups))
        return Sampling(np.repeat(cell, times), weight, group)

    @verb
    def probability(self, of: int) -> Array:
        """The probability given to one class."""
        if self.proba is None:
            raise BadInput("these predictions hold no probabilities: give `proba=`")
        if self.proba.ndim == 2:
            return self.proba[:, of]
        return self.proba if of == self.positive else 1 - self.proba

    @cached_property
    def truth_probability(self) -> Array:
        """The probability given to each row's true class."""
        return self._truth_probability(slice(None))

    def _truth_probability(self, part: slice | Array) -> Array:
        if self.proba is not None and self.proba.ndim == 2:
            return np.take_along_axis(self.proba[part], self.truth[part, None].astype(np.intp), 1)[:, 0]
        own = self.probability(self.named_positive)[part]
        other = np.subtract(own, self.truth[part] != self.named_positive, dtype=own.dtype)
        return np.abs(other, out=other)  # p or 1 - p without a branch to guess wrong

    @property
    def named_positive(self) -> int:
        if self.positive is None:
            raise BadInput(f"name the positive class: `positive=` one of {list(self.classes)}")
        return self.positive

    def with_positive(self, positive: int) -> Predictions:
        """The same predictions with the class at this place looked for; labels stay as they were cut before."""
        former = 1 if self.positive is None and self.binary else self.positive
        if positive == former:
            return self if self.positive is not None else replace(self, positive=positive)
        if self.value is not None and not self.binary:
            known = "?" if former is None else self.classes[former]
            raise BadInput(f"decision values speak for {known!r}: no other class can be looked for by them")
        flat = self.proba is not None and self.proba.ndim == 1
        return replace(
            self,
            positive=positive,
            label=freeze(self.labels()) if "label" in self.offers else None,
            proba=freeze(1 - self.proba) if flat and self.proba is not None else self.proba,
            value=None if self.value is None else freeze(-self.value),
            threshold=None,
            unlabelled=None if self.unlabelled is None else self.unlabelled.with_positive(positive),
        )

    @verb
    def labels(self, threshold: float | None = None) -> Array:
        """Return the predicted class codes.

        With a threshold a row is positive where its probability or value is at least that. Without one it is of the
        most probable class, the first of those equal, as scikit-learn's `predict` says, whichever class is positive.
        """
        threshold = self.threshold if threshold is None else threshold
        if threshold is not None:
            if not self.binary or self.positive is None or (self.proba is None and self.value is None):
                raise BadInput("a threshold needs two classes, a named positive one, and probabilities or values")
            value = np.asarray(self.value) if self.proba is None else self.probability(self.positive)
            return ((value >= threshold) == bool(self.positive)).view(np.int8)
        if self.label is not None:
            return self.label
        if self.proba is not None:
            if self.proba.ndim == 1:
                return (self.proba > 0.5 if self.positive else self.proba < 0.5).view(np.int8)
            return (self.proba[:, 1] > self.proba[:, 0]).view(np.int8) if self.binary else self.proba.argmax(1)
        if self.value is not None and self.binary:
            raise BadInput("decision values alone give no labels: give a threshold")
        way = SCORES_OF.get(self.kind, "")
        raise BadInput(f"these predictions hold no labels and no probabilities to take them from{way}")

    @verb
    def confusion(self, threshold: float | None = None) -> Counts:
        """The confusion matrix, with labels cut at `threshold` where there is one."""
        return self._counts if threshold is None else self._confusion(threshold)

    @cached_property
    def _counts(self) -> Counts:
        return self._confusion(None)

    def _confusion(self, threshold: float | None) -> Counts:
        size, labels = len(self.classes), self.labels(threshold)

        def cell() -> Array:
            return self.truth.astype(np.int16 if size < 128 else np.int64) * size + labels

        if self.binary and self.multiplicity is None and self.groups is None:
            both, second = np.count_nonzero(self.truth & labels), np.count_nonzero(labels)
            total = np.array([[0, second - both], [self.class_sizes[1] - both, both]], float)
            total[0, 0] = len(self) - total.sum()
            sampling = None
        else:
            total = np.bincount(cell(), self.multiplicity, size * size).reshape(size, size).astype(float)
            sampling = self.sampling(cell())
        alone = self.repeats is None or (self.repeats == 1).all()  # rows put together have no order
        counts = Errors if self.kind == "correct" else Counts
        return counts.of_arrays(total, self.classes, self.positive, sampling, cell if alone else None)

    @cached_property
    def ordering(self) -> Ordering:
        """Rows sorted by the probability of the positive class, or else by decision value: by what a threshold cuts."""
        value = np.asarray(self.value) if self.proba is None else self.probability(self.named_positive)
        is_positive = self.truth == self.named_positive
        if self.many_plain and self.proba is not None:
            return PackedOrdering.of_rows(value, is_positive)
        if self.multiplicity is None and self.groups is None:
            return Ordering.of_classes(value[is_positive], value[~is_positive])
        tracked = Ordering.of_tracked_rows(value, is_positive, self.multiplicity)
        assert tracked.sampling is not None
        return replace(tracked, sampling=self.sampling(tracked.sampling.cell))

    @cached_property
    def each_against_rest(self) -> Orderings:
        """One ordering per class, by its own probability, against all other rows."""
        members = tuple(
            Ordering.of_tracked_rows(self.probability(code), self.truth == code, self.multiplicity)
            for code in range(len(self.classes))
        )
        return Orderings(members, self.truth, self.multiplicity, self.sampling(np.arange(len(self))))

    @cached_property
    def each_against_each(self) -> ClassPairs:
        """Every pair of classes (i, j): only rows of the two, by the probability of i."""
        chances = (self.probability(code) for code in range(len(self.classes)))
        return ClassPairs.from_chances(chances, self.truth, self.multiplicity, self.sampling(np.arange(len(self))))

    def permits(self, score: str, allowed: frozenset[str]) -> None:
        """Refuse what positive-unlabelled rows cannot tell, or rows that have no label at all."""
        if self.labelled == "positives" and score not in allowed:
            *others, last = sorted(allowed)
            raise Refused(
                f"{score} needs the true negatives, but only positives are labelled; "
                f"{', '.join(others)} and {last} can be had",
                "positive-unlabelled",
            )
        if self.labelled == "some" and not len(self):
            raise Refused(f"{score} needs the truth, and no row has a label; posterior_fdr needs none", "no-label")

    def __repr__(self) -> str:
        if self.kind in ("correct", "loss", "grades"):
            return f"Predictions({len(self)} {self.unit}s, {self.kind})"
        what = f"{len(self.classes)} classes" if self.kind == "classes" else "numbers"
        return f"Predictions({len(self)} rows, {what}, {', '.join(sorted(self.offers))})"


def check_predictions(p: Any, verb: str) -> Predictions:
    """What a verb that reads predictions was given, if it is that."""
    if isinstance(p, Predictions):
        return p
    raise BadInput(f"{verb} needs predictions, not {type(p).__name__}: make them with veracity.predictions(...)")


def subset(p: Predictions, chosen: Array) -> Predictions:
    """The rows that a mask or positions choose; classes and all else stay as they are."""
    at = chosen
    if chosen.dtype == bool:  # places take a tenth of the time of masks
        assert len(chosen) == len(p)
        at = np.flatnonzero(chosen)
    parts: dict[str, Any] = {name: getattr(p, name) for name in ARRAYS}
    taken: dict[str, Any] = {name: freeze(part.take(at, 0)) for name, part in parts.items() if part is not None}
    if p.groups is not None:  # groups are numbered without gaps, or absent ones would be drawn
        taken["groups"] = freeze(np.unique(p.groups[at], return_inverse=True)[1])
    if isinstance(p.train_mean, np.ndarray):
        taken["train_mean"] = freeze(p.train_mean[at])
    return replace(p, **taken)


def repeat_rows(p: Predictions) -> Predictions:
    """Every row as often as it counts, so that none counts more than once."""
    if p.repeats is None:
        return p
    return replace(subset(p, unroll(np.arange(len(p)), p.repeats)), repeats=None)


def disagreement(rows: Array, label: Array, classes: int) -> float:
    """Mean over rows predicted more than once of the share of pairs of models that differ."""
    row = id_codes(rows)
    votes = np.zeros((row.max() + 1, classes))
    np.add.at(votes, (row, label), 1)
    total = votes.sum(1)
    several = total > 1
    if not several.any():
        raise Refused("every row was predicted by one model only: use a design with repeats", "one-prediction")
    votes, total = votes[several], total[several]
    return float((1 - (votes * (votes - 1)).sum(1) / (total * (total - 1))).mean())
