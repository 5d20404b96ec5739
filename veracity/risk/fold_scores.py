"""A score on the splits of a run: each split, each repeat, and all tested rows together; and what is missing of it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

import numpy as np

from veracity.core.entry import Choice
from veracity.core.errors import Refused
from veracity.core.notes import Note
from veracity.core.words import plural
from veracity.designs.parameters import spread_groups
from veracity.evidence.counts import Counts
from veracity.evidence.predictions import Predictions, subset
from veracity.evidence.run import Run
from veracity.evidence.score_matrix import SplitScores
from veracity.records.arrays import Array, ratio
from veracity.risk import RESUBSTITUTION
from veracity.scores.entry import evidence_for, value_of, values_on

MAX_FOLDS = 10  # of a design that is advised
SKIPPED = 0.1  # share of splits that an average may do without
MOST = 10_000_000  # cells of confusion matrices at once, to bound memory


def main_splits(run: Run) -> list[int]:
    """Return the splits that an estimate is made of and that succeeded, ascending."""
    return [number for number in run.design.main_splits if number in run.fresh.places]


def split_predictions(run: Run, number: int) -> Predictions:
    """Return the predictions of one split, with the facts of its own training rows."""
    assert run.predictions is not None
    here = run.places[number]
    return _with_shares(with_training_mean(subset(run.predictions, np.arange(here.start, here.stop)), run), run, number)


def with_training_mean(p: Predictions, run: Run) -> Predictions:
    """Return numbers with the training mean of the model of each row, so that rows of several models go together."""
    return replace(p, train_mean=run.train_means[p.splits]) if p.kind == "numbers" else p


def _with_shares(p: Predictions, run: Run, split: int) -> Predictions:
    """Return classes with their shares of the rows that the split trained on."""
    if p.kind == "numbers":
        return p
    truth = run.truth[run.design.splits[split].train]
    return replace(p, prior=tuple((np.bincount(truth, minlength=len(p.classes)) / len(truth)).tolist()))


def split_values(choice: Choice, run: Run, p: Predictions, numbers: Sequence[int]) -> Array:
    """Return the score of each of some splits, ascending, from predictions of these splits only."""
    assert p.splits is not None
    if choice.reads == "time":
        return choice.split_values(run, list(numbers))
    place_of_split = np.zeros(len(run.design), np.int64)
    place_of_split[list(numbers)] = np.arange(len(numbers))
    place = place_of_split[p.splits]
    if not _against_shares(choice):
        return group_values(choice, p, place, len(numbers))
    parts = [_with_shares(subset(p, place == at), run, number) for at, number in enumerate(numbers)]
    return np.array([value_of(choice, part) for part in parts])


def split_scores(choice: Choice, run: Run, numbers: Iterable[int]) -> SplitScores:
    """Return the score of each of some splits, on rows new to its model."""
    numbers = list(numbers)
    splits, places = [run.design.splits[number] for number in numbers], run.fresh.places
    return SplitScores.of(
        split_values(choice, run, _fresh_predictions(run, numbers), numbers),
        [len(split.train) for split in splits],
        [places[number].stop - places[number].start for number in numbers],
        [split.repeat for split in splits],
    )


def _fresh_predictions(run: Run, numbers: list[int]) -> Predictions:
    p = run.fresh.predictions
    assert p is not None and p.splits is not None
    every = run.fresh.places.keys() <= set(numbers)
    return with_training_mean(p if every else subset(p, np.isin(p.splits, numbers)), run)


def usable_splits(choice: Choice, values: Array) -> Array:
    """Return which splits are averaged: all, or those with a score where only a few test parts hold one class alone.

    That is no fault of the model, so the others stand for them; any other score that is undefined somewhere stays so.
    """
    missing = np.isnan(values)
    few = choice.reads == "ordering" and 0 < missing.sum() <= SKIPPED * len(values)
    return ~missing if few else np.ones(len(values), bool)


def pools(choice: Choice) -> bool:
    """Return whether rows that different models predicted can be scored together."""
    return choice.reads not in ("ordering", "time") and not _against_shares(choice)


def _against_shares(choice: Choice) -> bool:
    """Return whether the score compares probabilities with the class shares of the training rows."""
    return choice.accepts("baseline") and choice.needs == "proba"


def group_values(choice: Choice, p: Predictions, place: Array, number: int) -> Array:
    """Return the score of the rows at each place 0, 1, ..., NaN where it has none."""
    if choice.reads == "confusion matrix" and number * len(p.classes) ** 2 <= MOST:
        return values_on(choice, Counts.of_arrays(count_cells(choice, p, place, number), p.classes, p.positive))
    if choice.is_function_of_means:
        weight, columns = row_weights(p), evidence_for(choice, p).columns.T
        sums = np.stack([np.bincount(place, weight * column, number) for column in columns], -1)
        values: Array = choice.link_means(ratio(sums, np.bincount(place, weight, number)[:, None]))
        return values
    order = np.argsort(place, kind="stable")
    groups = np.split(order, np.searchsorted(place[order], np.arange(1, number)))
    return np.array([value_of(choice, subset(p, group)) if len(group) else np.nan for group in groups])


def row_weights(p: Predictions) -> Array:
    """Return how often or how heavily each row counts."""
    return np.ones(len(p)) if p.multiplicity is None else p.multiplicity


def count_cells(choice: Choice, p: Predictions, place: Array, number: int, labels: Array | None = None) -> Array:
    """Return confusion matrices of the rows at each place, of the score's labels or of others."""
    classes = len(p.classes)
    cell = (place * classes + p.truth) * classes + (choice.labels(p) if labels is None else labels)
    return np.bincount(cell, p.multiplicity, number * classes**2).reshape(number, classes, classes).astype(float)


Role = Literal["fresh", "trained", "all"]


@dataclass(frozen=True, eq=False)
class Resampling:
    """A score and a run. Rows of a split are `fresh` where its model never saw them, `trained` where it did."""

    score: Choice
    run: Run

    @property
    def main_part(self) -> str:
        """The kind of splits that a plain estimate is made of."""
        return self.run.design.splits[0].part.kind

    def numbers(self, part: str, whole: bool = False) -> list[int]:
        """The splits of one kind that succeeded, ascending; refuses where there is none, or not the `whole` part."""
        planned = [number for number, split in enumerate(self.run.design.splits) if split.part.kind == part]
        numbers = [number for number in planned if number in self.run.places]
        what = f" of the part {part!r}" if part else ""
        if not numbers:
            raise Refused(f"no split{what} succeeded, and the estimate needs it", "part-failed")
        if whole and len(numbers) < len(planned):
            says = f"the estimate needs all {len(planned)} splits{what}, of which {len(numbers)} succeeded"
            raise Refused(says, "part-failed")
        return numbers

    @cached_property
    def main_splits(self) -> list[int]:
        """The splits that a plain estimate is made of and that succeeded, ascending."""
        return main_splits(self.run)

    @cached_property
    def main_predictions(self) -> dict[int, Predictions]:
        """The predictions of each of these, on rows new to its model."""
        return {number: split_predictions(self.run.fresh, number) for number in self.main_splits}

    @property
    def tested_rows(self) -> Predictions:
        """The predictions of the main part on rows new to their models, one split after the other."""
        return self.predictions(self.numbers(self.main_part), "fresh")

    @cached_property
    def resubstitution(self) -> float:
        """The score of the model of all rows, on these rows."""
        return float(self.scores(RESUBSTITUTION.name, "all")[0])

    def scores(self, part: str, role: Role, whole: bool = False) -> Array:
        """The score of each split of a part, on rows of one role; a row drawn twice counts twice as `trained`."""
        numbers = self.numbers(part, whole)
        return split_values(self.score, self.run, self.predictions(numbers, role), numbers)

    def predictions(self, numbers: list[int], role: Role) -> Predictions:
        """The predictions of some splits that are of one role, one after the other."""
        p = self.run.predictions
        assert p is not None and p.splits is not None
        every = self.run.places.keys() <= set(numbers)
        if every and (role == "all" or (role == "fresh" and not self.run.design.tests_trained)):
            return with_training_mean(p, self.run)
        drawn, wanted = self.run.times_drawn, np.isin(p.splits, numbers)
        if role != "all":
            wanted &= (drawn > 0) == (role == "trained")
        together = with_training_mean(subset(p, wanted), self.run)
        return replace(together, repeats=drawn[wanted]) if role == "trained" else together

    def mean(self, part: str, role: Role) -> float:
        """The mean over the splits of a part of the score of their rows of one role."""
        values = self.scores(part, role)
        return float(values[usable_splits(self.score, values)].mean())

    def split_scores(self) -> SplitScores:
        """The scores of the splits that a plain estimate is made of, without those that it skips."""
        scores, usable = self._split_scores
        return scores.subset(usable) if self.skipped_splits else scores

    @property
    def skipped_splits(self) -> int:
        """How many splits an average does without, because the score is undefined there."""
        return int((~self._split_scores[1]).sum())

    @cached_property
    def _split_scores(self) -> tuple[SplitScores, Array]:
        scores = split_scores(self.score, self.run, self.main_splits)
        return scores, usable_splits(self.score, scores.values)

    @cached_property
    def pooled_value(self) -> float:
        """The value of all tested rows: means over rows, counts over the folds of a repeat.

        Orderings of different models cannot be pooled, nor can scores against the class shares that each split has of
        its own: these are the mean over splits.
        """
        if not pools(self.score):
            return self.split_scores().mean
        p = _fresh_predictions(self.run, self.main_splits)
        if self.score.averages_rows:
            return value_of(self.score, p)
        of_split = np.array([split.repeat for split in self.run.design.splits])
        repeats, place = np.unique(of_split[p.splits], return_inverse=True)
        return float(group_values(self.score, p, place, len(repeats)).mean())


def incomplete_notes(run: Run, value: float = 0.0) -> tuple[Note, ...]:
    """Return how many splits failed and how many were not run, and what that means for a value that there is."""
    whole = all(number in run.places for number in run.design.main_splits)
    left = "; the estimate does without them, its interval may not" if whole else "; the estimate is over the others"
    left = "" if math.isnan(value) else left  # an undefined value has a reason of its own, and is over nothing
    of = f"of {plural(len(run.design), 'split')} of {run.learner} on {run.data}"
    notes: tuple[Note, ...] = ()
    if run.failed:
        why = f" (the first: {run.reason})" if run.reason else ""
        notes += (Note("failed-splits", "caution", f"{run.failed} {of} failed{why}{left}"),)
    if run.absent:
        notes += (Note("missing-splits", "caution", f"there is nothing yet of {run.absent} {of}{left}"),)
    return notes


def skipped_notes(score: Choice, number: int, splits: int, run: Run | None = None) -> tuple[Note, ...]:
    """Return how many splits averages do without, as the score is undefined there; of one run, what avoids that."""
    if not number:
        return ()
    why = f"where {score.undefined}"
    if run is not None and run.design.forward:
        why += ": fewer windows in time make that rarer"
    elif run is not None and run.predictions is not None and run.predictions.groups is not None:
        why += f": {spread_groups(5)} avoids that"
    elif run is not None:
        why += f": a stratified design{' with ordered=False' if _ignores_time(run) else ''} avoids that"
    return (Note("skipped-splits", "caution", f"averages are without {number} of {plural(splits, 'split')}, {why}"),)


def _ignores_time(run: Run) -> bool:
    """Return whether rows that have a time were dealt at random, as the design was told."""
    return any(note.code == "out-of-time-order" for note in run.design.notes)


def larger_parts_advice(run: Run) -> str:
    """Return which design gives a score to splits that have none."""
    p, truth = run.predictions, run.truth
    if (truth == truth[0]).all():
        return "no design helps, as the target is constant"
    if run.design.forward:
        return "use fewer windows in time, or `by='holdout'` and its default interval"
    if p is not None and p.groups is not None:
        return f"use fewer folds or corrected_t {spread_groups(5)}, or more groups with the rarest class"
    folds = MAX_FOLDS
    if p is not None and p.kind == "classes":
        folds = min(folds, int(np.unique(truth, return_counts=True)[1].min()))  # rows of the rarest class
    if folds < 2:
        return "more rows are needed"
    design = f"repeated_kfold(k={folds}, repeats=10{', ordered=False' if _ignores_time(run) else ''})"
    return f"use fewer folds or a stratified design, such as conservative_t `by={design!r}`"
