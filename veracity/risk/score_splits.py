"""A score on each split, and on what a whole repeat tested."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from veracity.core.entry import Choice
from veracity.evidence.counts import Counts
from veracity.evidence.predictions import Predictions
from veracity.evidence.run import Run
from veracity.evidence.split_scores import SplitScores
from veracity.evidence.take_rows import subset
from veracity.records.arrays import Array, ratio
from veracity.scores.entry import evidence_for, value_of, values_on
from veracity.scores.on_counts import CountScore
from veracity.scores.on_orderings import OrderingScore
from veracity.scores.on_rows import RowScore
from veracity.scores.times import TimeScore

SKIPPED = 0.1  # share of splits that an average may do without
MOST = 10_000_000  # cells of confusion matrices at once, to bound memory


def main_splits(run: Run) -> list[int]:
    """The splits that an estimate is made of and that succeeded, ascending."""
    return [number for number in run.design.main_splits if number in run.fresh.places]


def main_predictions(run: Run) -> dict[int, Predictions]:
    """The predictions of each split that an estimate is made of and that succeeded, on rows new to its model."""
    return {number: split_predictions(run.fresh, number) for number in main_splits(run)}


def predictions_by_split(run: Run) -> dict[int, Predictions]:
    """The predictions of each split that succeeded."""
    return {number: split_predictions(run, number) for number in run.places}


def split_predictions(run: Run, number: int) -> Predictions:
    """The predictions of one split, with the facts of its own training rows."""
    assert run.predictions is not None
    here = run.places[number]
    return _with_shares(with_training_mean(subset(run.predictions, np.arange(here.start, here.stop)), run), run, number)


def with_training_mean(p: Predictions, run: Run) -> Predictions:
    """Numbers with the mean that the model of each row was trained on, so that rows of several can go together."""
    return replace(p, train_mean=run.train_means[p.splits]) if p.kind == "numbers" else p


def _with_shares(p: Predictions, run: Run, split: int) -> Predictions:
    """Classes with their shares of the rows that the split trained on."""
    if p.kind == "numbers":
        return p
    truth = run.truth[run.design.splits[split].train]
    return replace(p, prior=tuple((np.bincount(truth, minlength=len(p.classes)) / len(truth)).tolist()))


def split_values(choice: Choice, run: Run, p: Predictions, numbers: Sequence[int]) -> Array:
    """The score of each of some splits, ascending, from predictions of these splits only."""
    assert p.splits is not None
    if isinstance(choice.entry, TimeScore):
        return choice.entry.split_values(run, list(numbers))
    place_of_split = np.zeros(len(run.design), np.int64)
    place_of_split[list(numbers)] = np.arange(len(numbers))
    place = place_of_split[p.splits]
    if not _against_shares(choice):
        return group_values(choice, p, place, len(numbers))
    parts = [_with_shares(subset(p, place == at), run, number) for at, number in enumerate(numbers)]
    return np.array([value_of(choice, part) for part in parts])


def split_scores(choice: Choice, run: Run, numbers: Iterable[int]) -> SplitScores:
    """The score of each of some splits, on rows new to its model."""
    numbers = list(numbers)
    splits, places = [run.design.splits[number] for number in numbers], run.fresh.places
    return SplitScores.of(
        split_values(choice, run, _fresh_predictions(run, numbers), numbers),
        [len(split.train) for split in splits],
        [places[number].stop - places[number].start for number in numbers],
        [split.repeat for split in splits],
    )


def _fresh_predictions(run: Run, numbers: Iterable[int]) -> Predictions:
    """Predictions of some splits, on rows new to their models."""
    p = run.fresh.predictions
    assert p is not None and p.splits is not None
    numbers = list(numbers)
    every = run.fresh.places.keys() <= set(numbers)
    return with_training_mean(p if every else subset(p, np.isin(p.splits, numbers)), run)


def pooled_value(choice: Choice, run: Run, numbers: Iterable[int], scores: SplitScores) -> float:
    """Return the value of all tested rows: means over rows, counts over the folds of a repeat.

    Orderings of different models cannot be pooled, nor can scores against the class shares that each split has of its
    own: these are the mean over splits.
    """
    if not pools(choice):
        return scores.mean
    p = _fresh_predictions(run, numbers)
    if choice.entry.averages_rows:
        return value_of(choice, p)
    of_split = np.array([split.repeat for split in run.design.splits])
    repeats, place = np.unique(of_split[p.splits], return_inverse=True)
    return float(group_values(choice, p, place, len(repeats)).mean())


def usable_splits(choice: Choice, values: Array) -> Array:
    """Which splits are averaged: all, or those with a score where only a few test parts hold one class alone.

    That is no fault of the model, so the others stand for them; any other score that is undefined somewhere stays so.
    """
    missing = np.isnan(values)
    few = isinstance(choice.entry, OrderingScore) and 0 < missing.sum() <= SKIPPED * len(values)
    return ~missing if few else np.ones(len(values), bool)


def pools(choice: Choice) -> bool:
    """Whether rows that different models predicted can be scored together."""
    return not isinstance(choice.entry, (OrderingScore, TimeScore)) and not _against_shares(choice)


def _against_shares(choice: Choice) -> bool:
    """Whether the score compares probabilities with the class shares of the training rows."""
    return choice.accepts("baseline") and choice.entry.needs == "proba"


def group_values(choice: Choice, p: Predictions, place: Array, number: int) -> Array:
    """The score of the rows at each place 0, 1, ..., NaN where it has none."""
    entry = choice.entry
    if isinstance(entry, CountScore) and number * len(p.classes) ** 2 <= MOST:
        return _from_counts(choice, p, place, number)
    if isinstance(entry, RowScore) and entry.reduce is None:
        return _from_means(choice, p, place, number)
    order = np.argsort(place, kind="stable")
    groups = np.split(order, np.searchsorted(place[order], np.arange(1, number)))
    return np.array([value_of(choice, subset(p, group)) if len(group) else np.nan for group in groups])


def _from_counts(choice: Choice, p: Predictions, place: Array, number: int) -> Array:
    return values_on(choice, Counts.of_arrays(count_cells(choice, p, place, number), p.classes, p.positive))


def count_cells(choice: Choice, p: Predictions, place: Array, number: int, labels: Array | None = None) -> Array:
    """Confusion matrices of the rows at each place, of the score's labels or of others, (places, classes, classes)."""
    classes = len(p.classes)
    said = choice.labels(p) if labels is None else labels
    cell = (place * classes + p.truth) * classes + said
    return np.bincount(cell, p.multiplicity, number * classes**2).reshape(number, classes, classes).astype(float)


def _from_means(choice: Choice, p: Predictions, place: Array, number: int) -> Array:
    columns = evidence_for(choice, p).columns
    weight = np.ones(len(p)) if p.multiplicity is None else p.multiplicity
    sums = np.stack([np.bincount(place, weight * column, number) for column in columns.T], -1)
    values: Array = choice.entry.link_means(ratio(sums, np.bincount(place, weight, number)[:, None]), **choice.given)
    return values
