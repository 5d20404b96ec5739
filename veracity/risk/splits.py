"""A score on each split, and on what a whole repeat tested."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np

from veracity.core.entry import Choice
from veracity.records.predictions import Predictions
from veracity.records.run import Run
from veracity.records.split_scores import SplitScores
from veracity.records.subset import subset
from veracity.risk.kinds import main_part
from veracity.scores.on_orderings import OrderingScore
from veracity.scores.on_rows import RowScore


def each_split(run: Run) -> dict[int, Predictions]:
    """The predictions of each split that an estimate is made of and that succeeded."""
    wanted = set(main_part(run.design))
    return {number: part for number, part in every_split(run).items() if number in wanted}


def every_split(run: Run) -> dict[int, Predictions]:
    """The predictions of each split that succeeded, each with the facts of its own training rows."""
    p = run.predictions
    if p is None or p.splits is None:
        return {}
    edges = np.flatnonzero(np.diff(p.splits, prepend=-1, append=-1))  # the rows of a split lie together
    parts = {int(p.splits[a]): slice(a, b) for a, b in pairwise(edges)}
    return {number: told(_rows(p, at), run, number) for number, at in parts.items()}


def _rows(p: Predictions, at: slice) -> Predictions:
    return subset(p, np.arange(at.start, at.stop))


def told(p: Predictions, run: Run, split: int) -> Predictions:
    """With the class shares, or the mean, of the rows that the split trained on."""
    truth = run.truth[run.design.splits[split].train]
    if p.kind == "numbers":
        return replace(p, train_mean=float(truth.mean()))
    shares = np.bincount(truth, minlength=len(p.classes)) / len(truth)
    return replace(p, prior=tuple(shares.tolist()))


def split_scores(choice: Choice, run: Run, parts: dict[int, Predictions]) -> SplitScores:
    """The score of each split that succeeded."""
    splits = [run.design.splits[number] for number in parts]
    return SplitScores.of(
        [value(choice, part) for part in parts.values()],
        [len(split.train) for split in splits],
        [len(split.test) for split in splits],
        [split.repeat for split in splits],
    )


def value(choice: Choice, p: Predictions) -> float:
    """One score of some predictions, NaN where it has none."""
    return float(choice.entry.evaluate(choice.entry.gather(p, **choice.given), **choice.given))


def pooled(choice: Choice, run: Run, parts: dict[int, Predictions], scores: SplitScores) -> float:
    """The point value when no interval decides it: means over rows, counts over the folds of a repeat.

    Orderings of different models cannot be pooled, nor can scores against a baseline that each split has of its own:
    these are the mean over splits.
    """
    entry, p = choice.entry, run.predictions
    if p is None or p.splits is None or isinstance(entry, OrderingScore) or choice.accepts("baseline"):
        return scores.mean
    chosen = np.isin(p.splits, list(parts))
    p = p if chosen.all() else subset(p, chosen)
    if isinstance(entry, RowScore) and entry.is_mean:
        return value(choice, p)
    assert p.splits is not None
    repeat = np.array([split.repeat for split in run.design.splits])[p.splits]
    return float(np.mean([value(choice, subset(p, repeat == number)) for number in np.unique(repeat)]))
