"""Scores of a confusion matrix: declared on one class or on the whole matrix."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from veracity.core.entry import Parameter
from veracity.core.errors import BadInput
from veracity.core.notes import Note
from veracity.evidence.counts import Counts, Errors
from veracity.evidence.predictions import Predictions
from veracity.records.arrays import Array, ratio
from veracity.scores.entry import Score, numeric_influence

AVERAGES = ("none", "macro", "micro", "prior")
OF_NONE = "of no class"
NAME_ONE = "it is a fact about one class, and none of several is named: `positive=`"
NEVER_TRUE = "never-true"  # the code of the note about classes that are predicted only
OF_TRUE_CLASS = {"recall", "false_negative_rate", "specificity", "false_positive_rate", "positive_rate", "prevalence"}
NEITHER, ALARM, MISS, HIT = range(4)  # what a row is to one class, in the order of a matrix "rest, class"


@dataclass(frozen=True, eq=False, repr=False)
class CountScore(Score):
    """Maps `(..., C, C)` counts to `(...)`: one matrix, all thresholds, all splits, all bootstrap draws alike."""

    reads = "confusion matrix"

    one_class: bool = False  # written on tp, fn, fp, tn of one class against the rest
    share: bool = False  # the function gives (hits, of), a binomial proportion
    micro_is_accuracy: bool = False
    prior_is_accuracy: bool = False
    mean: bool = False  # the score of some rows is the mean of what each gives by itself

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        own = super().parameters
        return (*own, Parameter("average", "auto")) if self.one_class and self.judges else own

    @property
    def averages_rows(self) -> bool:
        return self.mean

    def row_values(self, p: Predictions, **arguments: Any) -> Array:
        """What each row gives, for a score that is their mean."""
        of_cell = self.cell_values(p.classes, p.positive, **arguments)
        return of_cell[p.truth * len(p.classes) + self.labels(p, **arguments)]

    def labels(self, p: Predictions, **arguments: Any) -> Array:
        """The predicted classes that it counts."""
        return p.labels(self._cut(p, arguments))

    def _cut(self, p: Predictions, arguments: dict[str, Any]) -> float | None:
        return arguments[self.cut] if self.cut and p.proba is not None else None

    def cell_values(self, classes: tuple[Any, ...], positive: int | None, **arguments: Any) -> Array:
        """What one row gives in each cell of the matrix."""
        number = len(classes)
        one_row = Counts.of_arrays(np.eye(number * number).reshape(-1, number, number), classes, positive)
        return self.evaluate(one_row, **arguments)

    def gather(self, p: Predictions, **arguments: Any) -> Counts:
        if not self.suits(p.kind):
            raise BadInput(f"{self.name} is for classes, but the target is numeric")
        return p.confusion(self._cut(p, arguments))

    def evaluate(self, evidence: Counts, average: str = "auto", **arguments: Any) -> Array:
        if not self.one_class:
            return self._value(evidence, **arguments)
        average = self.averaging(evidence, average)
        if average == "none":
            return self._value(evidence, **arguments)
        if average == OF_NONE:
            return np.full(evidence.total.shape, np.nan)
        each = evidence.each_against_rest()
        if average == "micro":
            return self._value(each.pooled(), **arguments)
        values = self._value(each, **arguments)
        prior = ratio(evidence.of_truth, evidence.total[..., None])
        return values.mean(-1) if average == "macro" else (values * prior).sum(-1)

    def averaging(self, evidence: Counts, average: str) -> str:
        """What `auto` means here: the named positive class; where none is named of more than two, the macro average.

        A fact about rows, such as how many are of a class, has no average: over all classes it is the same whatever the
        rows are.
        """
        if average == "auto" or not self.judges:
            of_one = len(evidence.classes) == 2 or evidence.positive is not None
            return "none" if of_one else "macro" if self.judges else OF_NONE
        if average not in AVERAGES:
            raise BadInput(f"{self.name}: average is one of {', '.join(AVERAGES)}, not {average!r}")
        return average

    def part_read(self, counts: Counts, average: str = "auto", **_: Any) -> Counts:
        """The matrix as far as the score reads it: of one class against the rest, or the whole."""
        of_one = self.one_class and len(counts.classes) > 2 and self.averaging(counts, average) == "none"
        return counts.one_against_rest() if of_one else counts

    def why_undefined(self, evidence: Any, **arguments: Any) -> str:
        of_none = self.one_class and not self.judges and self.averaging(evidence, "auto") == OF_NONE
        return NAME_ONE if of_none else super().why_undefined(evidence, **arguments)

    def _value(self, counts: Counts, **arguments: Any) -> Array:
        found = self.function(counts, **arguments)
        return ratio(*found) if self.share else np.asarray(found, float)

    def proportion(self, counts: Counts, average: str = "auto", **arguments: Any) -> tuple[Array, Array] | None:
        """(hits, of) where the value is a binomial proportion of rows, else None."""
        if not self.one_class:
            return self.function(counts, **arguments) if self.share else None
        average = self.averaging(counts, average)
        if self._is_accuracy(average):
            return counts.correct, counts.total
        return self.function(counts, **arguments) if self.share and average == "none" else None

    def _is_accuracy(self, average: str) -> bool:
        """Whether this average over classes is the accuracy under another name."""
        return (average == "micro" and self.micro_is_accuracy) or (average == "prior" and self.prior_is_accuracy)

    def share_cells(self, counts: Counts, average: str = "auto", **arguments: Any) -> tuple[Array, Array]:
        """Of a proportion: whether a row of each cell is a hit, and whether it counts in the denominator."""
        whole = not self.one_class or self._is_accuracy(self.averaging(counts, average))
        right = np.eye(len(counts.classes), dtype=bool).ravel()
        if whole and self.one_class:
            return right, np.ones(right.shape, bool)
        one_of_each_kind = Counts.of_arrays(np.eye(4).reshape(4, 2, 2), ("rest", "class"), 1)
        kind = np.where(right, HIT, MISS) if whole else of_cells(counts)
        hits, of = (np.broadcast_to(part, 4)[kind] > 0 for part in self.function(one_of_each_kind, **arguments))
        return hits, of

    def influence_of(self, evidence: Counts, **arguments: Any) -> Array:
        if self.influence is not None:
            found: Array = self.influence(evidence, **arguments)
            return found
        if self.one_class:
            return self._influence_of_class(evidence, **arguments)
        return numeric_influence(lambda cells: self.evaluate(evidence.reweigh(cells), **arguments), evidence.cells)

    def _influence_of_class(self, evidence: Counts, average: str = "auto", **arguments: Any) -> Array:
        """From the four kinds of row that there are to each class: many classes need no more."""
        average = self.averaging(evidence, average)
        if average == "none":
            return self._by_kind(evidence.one_against_rest(), **arguments)[..., of_cells(evidence)]
        each = evidence.each_against_rest()
        even = np.full(evidence.of_truth.shape, 1 / len(evidence.classes))
        if average == "micro":
            return over_classes(self._by_kind(each.pooled(), **arguments)[..., None, :], even)
        of_kind = self._by_kind(each, **arguments)
        if average == "macro":
            return over_classes(of_kind, even)
        prior, values = ratio(evidence.of_truth, evidence.total[..., None]), self._value(each, **arguments)
        by_truth = values - (values * prior).sum(-1)[..., None]  # a row makes its own class more frequent
        return over_classes(of_kind, prior) + np.repeat(by_truth, len(evidence.classes), -1)

    def influence_on_classes(self, evidence: Counts, **arguments: Any) -> Array:
        """By class and cell: what a row does to the score of each class against the rest."""
        number = len(evidence.classes)
        of_kind = self._by_kind(evidence.each_against_rest(), **arguments)
        kind = [of_cells(evidence.with_positive(one)) for one in range(number)]
        return np.take_along_axis(of_kind, np.array(kind), -1)

    def _by_kind(self, counts: Counts, **arguments: Any) -> Array:
        return numeric_influence(lambda cells: self._value(counts.reweigh(cells), **arguments), counts.cells)

    def remarks(self, evidence: Counts, average: str = "auto", **arguments: Any) -> tuple[Note, ...]:
        if isinstance(evidence, Errors):  # nothing is known of classes
            return ()
        notes = super().remarks(evidence)
        if self.one_class and average == "auto" and self.averaging(evidence, average) == "macro":
            says = f"with {len(evidence.classes)} classes, {self.name} is the macro average over classes"
            notes += (Note("macro-average", "remark", says),)
        return notes if evidence.matrix.ndim > 2 else notes + self._notes_on_classes(evidence)

    def _notes_on_classes(self, counts: Counts) -> tuple[Note, ...]:
        """Return cautions about classes without rows, and about rows that are all of one class."""
        notes: tuple[Note, ...] = ()
        if self.one_class and np.count_nonzero(counts.of_truth) == 1 and not self.is_one_of(*OF_TRUE_CLASS):
            only = counts.classes[int(counts.of_truth.argmax())]
            says = f"{self.name}: all rows are {only}, which no model can get wrong by a false alarm"
            way = "where other rows are unknown, say `labelled='positives'`"
            notes += (Note("no-negatives", "caution", f"{says}; {way}"),)
        never_true = (counts.of_truth == 0) & (counts.of_prediction > 0)  # often a misspelling
        if never_true.any():
            names = ", ".join(str(counts.classes[one]) for one in np.flatnonzero(never_true)[:3])
            says = f"{names} is predicted but never true, and counts as a class: is it misspelt?"
            notes += (Note(NEVER_TRUE, "caution", says),)
        return notes


count_score = CountScore.decorator  # of the whole matrix
class_score = partial(count_score, one_class=True)  # of one class against the rest, and averaged over classes
rate = partial(class_score, share=True)  # such a score that is a proportion of rows: the function gives (hits, of)


def of_cells(counts: Counts) -> Array:
    """What a row of each cell is to the named positive class."""
    own = np.arange(len(counts.classes)) == counts.positive
    return (MISS * own[:, None] + ALARM * own).ravel()


def over_classes(of_kind: Array, weight: Array) -> Array:
    """By cell, from what each kind of row does to the score of each class, classes weighed and summed.

    A row of cell (i, j) is a miss of class i, an alarm of class j and neither to all others; on the diagonal a hit.
    """
    weighed = of_kind * weight[..., None]
    neither = weighed[..., NEITHER]
    missed, alarmed, hit = (weighed[..., kind] - neither for kind in (MISS, ALARM, HIT))
    out = missed[..., :, None] + alarmed[..., None, :]
    place = np.arange(out.shape[-1])
    out[..., place, place] = hit
    return by_cell(out + neither.sum(-1)[..., None, None])


def by_cell(matrix: Array) -> Array:
    """The matrix of classes as one axis of cells."""
    return matrix.reshape((*matrix.shape[:-2], -1))
