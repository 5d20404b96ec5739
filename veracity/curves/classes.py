"""Which orderings a chart shows: one per model, or one per model and class against the rest."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from veracity.core.errors import BadInput
from veracity.core.notes import Note
from veracity.curves.entry import Models
from veracity.evidence.counts import Counts
from veracity.evidence.evidence import Sampling
from veracity.evidence.ordering import Ordering
from veracity.evidence.predictions import Predictions
from veracity.records.arrays import Array
from veracity.scores import scores


@dataclass(frozen=True, eq=False)
class Series:
    """An ordering with the name of its line; a crisp one comes from labels, so its only cut has no threshold."""

    name: str
    ordering: Ordering
    crisp: bool = False

    @property
    def thresholds(self) -> Array | None:
        """Infinity, where nothing is selected, then the distinct values downwards."""
        values = self.ordering.values
        return None if values is None or self.crisp else np.concatenate([[np.inf], values])

    @property
    def prevalence(self) -> float:
        o = self.ordering
        return float(o.tp[-1] / (o.tp[-1] + o.fp[-1]))


def series(models: Models) -> tuple[Series, ...]:
    """The orderings of all models. More than two classes and none named positive: each class against the rest."""
    return tuple(one for name, p in models.items() for one in _of_model(name, p, len(models) > 1))


def _of_model(name: str, p: Predictions, among_others: bool) -> list[Series]:
    if p.binary or p.positive is not None:
        of = p.named_positive
        crisp = "value" not in p.offers
        return [Series(name, _crisp(p, of) if crisp else p.ordering, crisp)]
    if p.value is not None and p.proba is None:
        raise BadInput(f"with {len(p.classes)} classes, decision values need the class they speak for: give positive=")
    names = [f"{name}: {label}" if among_others else str(label) for label in p.classes]
    if p.proba is None:
        return [Series(each, _crisp(p, of), True) for of, each in enumerate(names)]
    return [Series(each, _of_class(p, of)) for of, each in enumerate(names)]


def _of_class(p: Predictions, of: int) -> Ordering:
    """One class against the rest by its own probability, with the sampling of the rows it came from."""
    if p.multiplicity is None and p.groups is None:
        return Ordering.of(p.probability(of), p.truth == of)
    found = Ordering.tracked(p.probability(of), p.truth == of, p.multiplicity, p.groups)
    assert found.sampling is not None  # tracked orderings know their rows
    return Ordering(found.positives, found.negatives, found.values, p.sampling(found.sampling.cell))


def _crisp(p: Predictions, of: int) -> Ordering:
    """Labels as an ordering of two blocks: predicted to be of the class, and not."""
    counts = p.confusion()
    hit, alarm = (counts.matrix[truth, of].sum() for truth in (of, _others(counts, of)))
    missed = counts.of_truth[of] - hit
    rest = counts.of_truth[_others(counts, of)].sum() - alarm
    cell = np.where(p.truth == of, 0, 2) + (p.labels() != of)
    sampling: Sampling | None = p.sampling(cell)
    return Ordering(np.array([hit, missed]), np.array([alarm, rest]), None, sampling)


def _others(counts: Counts, of: int) -> list[int]:
    return [index for index in range(len(counts.classes)) if index != of]


def title(text: str, models: Models) -> str:
    """The title of a chart, which says so when its lines are classes."""
    each = any(not p.binary and p.positive is None for p in models.values())
    return f"{text}, each class against the rest" if each else text


def score_of_each(name: str, found: tuple[Series, ...]) -> dict[str, float]:
    """One score of every series, by name."""
    return {one.name: float(scores[name].evaluate(one.ordering)) for one in found}


def with_rows(found: tuple[Series, ...], kind: str, negatives: bool) -> tuple[tuple[Series, ...], tuple[Note, ...]]:
    """The series whose rates exist, and a note on each that lacks rows of one class; refused when none is left."""
    lacking = {one.name: why for one in found if (why := _lacking(one.ordering, negatives))}
    kept = tuple(one for one in found if one.name not in lacking)
    if not kept:
        raise BadInput(f"{kind} has nothing to show: {next(iter(lacking.values()))}")
    notes = tuple(Note("undefined-line", "caution", f"{name} is left out: {why}") for name, why in lacking.items())
    return kept, notes


def _lacking(o: Ordering, negatives: bool) -> str:
    if not o.all_positives:
        return "there are no positive rows"
    return "there are no negative rows" if negatives and not o.all_negatives else ""
