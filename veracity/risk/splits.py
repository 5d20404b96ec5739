"""A score on each split, and on what a whole repeat tested."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from veracity.core.entry import Choice
from veracity.records.arrays import Array
from veracity.records.predictions import Predictions
from veracity.records.run import Run
from veracity.records.split_scores import SplitScores
from veracity.records.subset import subset
from veracity.risk.batches import of_groups, value
from veracity.risk.kinds import main_part
from veracity.scores.on_orderings import OrderingScore
from veracity.scores.rowwise import is_mean


def each_split(run: Run) -> dict[int, Predictions]:
    """The predictions of each split that an estimate is made of and that succeeded, on rows new to its model."""
    wanted = set(main_part(run.design))
    return {number: part for number, part in every_split(run.fresh).items() if number in wanted}


def every_split(run: Run) -> dict[int, Predictions]:
    """The predictions of each split that succeeded, each with the facts of its own training rows."""
    p = run.predictions
    if p is None:
        return {}
    return {
        number: told(subset(p, np.arange(here.start, here.stop)), run, number) for number, here in run.places.items()
    }


def told(p: Predictions, run: Run, split: int) -> Predictions:
    """With the class shares, or the mean, of the rows that the split trained on."""
    truth = run.truth[run.design.splits[split].train]
    if p.kind == "numbers":
        return replace(p, train_mean=float(truth.mean()))
    shares = np.bincount(truth, minlength=len(p.classes)) / len(truth)
    return replace(p, prior=tuple(shares.tolist()))


def each_value(choice: Choice, run: Run, p: Predictions, numbers: Sequence[int]) -> Array:
    """The score of each of some splits, ascending, from predictions of these splits only."""
    assert p.splits is not None
    place = np.searchsorted(numbers, p.splits)
    if not choice.accepts("baseline"):
        return of_groups(choice, p, place, len(numbers))
    parts = [told(subset(p, place == at), run, number) for at, number in enumerate(numbers)]
    return np.array([value(choice, part) for part in parts])


def split_scores(choice: Choice, run: Run, parts: dict[int, Predictions]) -> SplitScores:
    """The score of each split that succeeded."""
    splits = [run.design.splits[number] for number in parts]
    return SplitScores.of(
        each_value(choice, run, _of_splits(run, parts), list(parts)),
        [len(split.train) for split in splits],
        [len(part) for part in parts.values()],
        [split.repeat for split in splits],
    )


def _of_splits(run: Run, parts: dict[int, Predictions]) -> Predictions:
    """Predictions of some splits, on rows new to their models."""
    p = run.fresh.predictions
    assert p is not None and p.splits is not None
    chosen = np.isin(p.splits, list(parts))
    return p if chosen.all() else subset(p, chosen)


def pooled(choice: Choice, run: Run, parts: dict[int, Predictions], scores: SplitScores) -> float:
    """The point value when no interval decides it: means over rows, counts over the folds of a repeat.

    Orderings of different models cannot be pooled, nor can scores against a baseline that each split has of its own:
    these are the mean over splits.
    """
    if not pools(choice):
        return scores.mean
    p = _of_splits(run, parts)
    if is_mean(choice):
        return value(choice, p)
    of_split = np.array([split.repeat for split in run.design.splits])
    repeats, place = np.unique(of_split[p.splits], return_inverse=True)
    return float(of_groups(choice, p, place, len(repeats)).mean())


def pools(choice: Choice) -> bool:
    """Whether rows that different models predicted can be scored together."""
    return not isinstance(choice.entry, OrderingScore) and not choice.accepts("baseline")
